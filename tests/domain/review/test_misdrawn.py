"""R-IRR-1: the card that came when none was due, had something else become of it."""

from collections import Counter

import pytest

from domain.review.what_if.misdraw import Misdrawn
from domain.review.what_if.notes import notes
from domain.rules.refusals import BadValue
from tests.domain.disputed import ask, money, played, shoe

BETS = [(3, "banker", 100_00), (5, "player", 500_00)]
CARRIED = played("9H 4S KD 3D", *BETS, number=2)  # Player has 9 to 7, the nine carried
NEXT = played("2C 5C 6D QS", (3, "banker", 50_00), number=3)  # Player has 8 to 5
AFTER = played("KC 9S 2C QD", number=4)
AROUND = {"misdrawn": Misdrawn(carried=1)}


def cards(told):
    return " ".join(each.card for each in told.hands.dealt)


def test_burned_the_coup_is_dealt_without_it_and_takes_of_the_next():
    told = ask("misdraw burn", coup=CARRIED, around=shoe(NEXT, AFTER, **AROUND))

    assert (cards(told), told.left_over) == ("4S KD 3D 2C 5C", ())  # 7 to 7
    assert [each.card for each in told.taken] == ["2C", "5C"]
    assert money(told) == ({3: (0, 100_00, 0), 5: (0, -500_00, 0)}, 400_00)
    assert notes(told)[0] == "9♥ came when none was due: burned, it is in no coup (R-IRR-1)."
    first, _ = told.later.coups
    assert [each.card for each in first.hands.dealt] == ["6D", "QS", "KC", "9S"]  # 6 to 9
    assert [(row.paid, row.commission) for row in first.difference] == [(100_00, 2_50)]
    assert told.house_total == 400_00 - 100_00 + 2_50


def test_carried_a_card_that_was_burned_is_the_first_and_the_last_one_is_left_over():
    coup = played("4S KD 3D 2C", *BETS)
    told = ask("misdraw carry", "then burn", coup=coup, around=shoe(misdrawn=Misdrawn(0, ("9H",))))

    assert (cards(told), told.left_over) == ("9H 4S KD 3D", ("2C",))
    assert notes(told)[0] == (
        "9♥ came when none was due: carried, it is the coup's first card (R-IRR-1)."
    )


def test_as_a_dummy_it_takes_the_cards_of_a_coup_without_bets():
    around = shoe(NEXT, AFTER, **AROUND)
    told = ask("misdraw dummy", coup=CARRIED, around=around)

    assert cards(told) == "2C 5C 6D QS"
    assert money(told) == ({3: (0, 0, 0), 5: (0, 0, 0)}, 0)
    assert notes(told)[:2] == [
        "9♥ came when none was due: it begins a coup without bets, before this one (R-IRR-1).",
        "The coup without bets takes 9♥ 4♠ K♦ 3♦.",
    ]


@pytest.mark.parametrize("disposition", ["burn", "dummy"])
def test_without_a_next_card_it_is_short(disposition):
    told = ask(f"misdraw {disposition}", coup=CARRIED, around=shoe(**AROUND))

    assert (told.short, told.house) == (True, None)


def test_as_it_was_it_changes_nothing():
    told = ask("misdraw carry", coup=CARRIED, around=shoe(NEXT, **AROUND))

    assert (cards(told), told.house, told.later) == ("9H 4S KD 3D", 0, None)


def test_r_card_3_what_is_burned_was_out_before_the_coup():
    around = shoe(afterwards="2C", out_before=Counter({"9H": 7}), **AROUND)
    told = ask("misdraw burn", "card 1 = 9H", coup=CARRIED, around=around)

    assert "Card 1 cannot have been 9♥: all 8 of them were already out (R-CARD-3)." in notes(told)


def test_where_no_such_card_came_nobody_asks():
    with pytest.raises(BadValue) as refusal:
        ask("misdraw burn")

    assert str(refusal.value) == (
        "--what-if cannot be 'misdraw burn': no card came before it when none was due."
    )


def test_whoever_says_then_hears_how_to_ask():
    told = ask("then burn", coup=CARRIED, around=shoe(**AROUND))

    assert notes(told) == [
        "No card is left over.",
        "For the card that came before the coup, ask with `misdraw`.",
    ]
