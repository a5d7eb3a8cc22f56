"""R-IRR-1: what a card too few or too many does to the coups that follow in the shoe."""

import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from domain.review.what_if.changes import CardIs, ThirdCard
from domain.review.what_if.later import deal_on
from domain.review.what_if.notes import notes
from domain.review.what_if.question import what_if
from domain.review.what_if.redeal import redeal
from domain.review.what_if.wagers import Table
from tests.domain.disputed import BETS, SHOE, ask, played, shoe, table
from tests.strategies import CARDS, shoes

SECOND = played("KC 9S 2C QD", (3, "banker", 100_00), number=2)  # 2 to 9
THIRD = played("9H 9D 9C 2C", (1, "player", 25_00), number=3)  # 8 to 1
FOURTH = played("5H 9D QH 4C 4S AH", (1, "player", 25_00), (3, "tie", 25_00), number=4)  # 9 to 4
TIES = played("KC 2D 6C 4H", (3, "banker", 100_00), number=2)  # 6 to 6


def fell(told):
    """Each later coup: its number, its cards, how it ended, and what the house gains by it."""
    return [
        (
            each.played.address.rpartition("/")[2] if each.played else "dummy",
            " ".join(card.card for card in each.hands.dealt),
            each.hands.result and each.hands.result.outcome,
            -sum(row.net for row in each.difference),
        )
        for each in told.later.coups
    ]


def test_carry_a_card_left_over_begins_the_next_coup_and_all_shift():
    told = ask("no-draw banker", around=shoe(SECOND, THIRD, FOURTH))

    assert fell(told) == [
        ("2", "9S KC 9S 2C", "player", 195_00),
        ("3", "QD 9H 9D 9C", "player", 0),
        ("4", "2C 5H 9D QH 4C 4S", "banker", 50_00),
    ]
    assert [each.recorded.outcome for each in told.later.coups] == ["banker", "player", "player"]
    assert (told.later.in_step_at, told.later.short) == (None, False)
    assert [(each.patron, each.net) for each in told.totals] == [
        *(("P-3", -195_00), ("P-5", 0), ("P-1", -50_00))
    ]  # fmt: skip
    assert told.house_total == 245_00
    assert notes(told) == [
        "9♠ is left over: it is carried, as the first of the next coup (R-IRR-1)."
    ]


def test_carry_ends_with_the_coup_that_takes_the_card_up():
    told = ask("no-draw banker", around=shoe(TIES, THIRD, FOURTH))

    assert fell(told) == [("2", "9S KC 2D 6C 4H", "banker", -95_00)]
    assert told.later.in_step_at == f"{SHOE}/2"
    assert told.house_total == -95_00


def test_burn_leaves_the_later_coups_as_they_were():
    told = ask("no-draw banker", "then burn", around=shoe(SECOND, THIRD))

    assert told.later is None
    assert notes(told) == ["9♠ is left over: it is burned (R-IRR-1)."]


def test_dummy_is_a_coup_without_bets_and_wagers_go_on_to_the_next():
    told = ask("no-draw banker", "then dummy", around=shoe(SECOND, THIRD, FOURTH))

    assert fell(told) == [
        ("dummy", "9S KC 9S 2C", "player", 0),
        ("2", "QD 9H 9D 9C", "player", 195_00),
        ("3", "2C 5H 9D QH 4C 4S", "banker", 50_00),
        ("4", "AH", None, 0),
    ]
    assert (told.later.short, told.later.in_step_at, told.house_total) == (True, None, 245_00)


def test_a_card_that_is_missing_is_taken_from_the_next_coup():
    first = played("9C 5S 7C 2D", *BETS)  # 6 to 7
    told = ask("card 4 = QD", coup=first, around=shoe(SECOND, THIRD, FOURTH))  # takes the KC

    assert [each.card for each in told.taken] == ["KC"]
    assert fell(told) == [
        ("2", "9S 2C QD 9H", "player", 195_00),  # 9 to 1
        ("3", "9D 9C 2C 5H 9D", "banker", 50_00),  # 0 to 4, and Banker stands
        ("4", "QH 4C 4S AH", None, 0),
    ]
    assert told.later.short


def test_then_is_the_rule_set_s_own_when_nobody_says():
    told = ask("no-draw banker", "rules classic@1", around=shoe(SECOND))

    assert told.disposition == "carry"
    assert notes(ask("card 5 = 4H", "then burn")) == ["No card is left over."]


def test_a_card_that_came_next_and_was_burned_is_the_one_that_would_have_been_drawn():
    """Banker drawn against a standing 6: the card was out, and was burned."""
    first = played("9C 6S 7C KD", *BETS)  # 6 to 6
    around = shoe(SECOND, afterwards="8H KC 9S 2C QD", burned="8H")
    told = ask("draw banker", coup=first, around=around)

    assert [each.card for each in told.hands.dealt][4:] == ["8H"]
    assert (told.hands.result.outcome, told.later) == ("player", None)
    assert "8♥ is the next card of the shoe, which was burned when none was due." in notes(told)


def test_a_card_that_was_burned_stays_out_of_play_where_the_coups_shift():
    around = shoe(SECOND, THIRD, afterwards="8H KC 9S 2C QD 9H 9D 9C 2C", burned="8H")
    told = ask("no-draw banker", around=around)

    assert [cards for _, cards, _, _ in fell(told)] == ["9S KC 9S 2C", "QD 9H 9D 9C"]


def test_a_later_coup_that_was_void_stays_void_and_takes_no_more_cards():
    void = played("KC 9S", (3, "banker", 100_00), number=2, phase="voided")
    told = ask("no-draw banker", around=shoe(void, THIRD))

    assert fell(told) == [("2", "9S KC", None, 0), ("3", "9S 9H 9D 9C", "tie", 25_00)]
    assert not told.later.short


def test_a_later_coup_that_was_void_in_the_end_returns_its_stakes_all_the_same():
    void = played("KC 9S 2C QD", (3, "banker", 100_00), number=2, phase="voided")

    assert fell(ask("no-draw banker", around=shoe(void)))[0] == ("2", "9S KC 9S 2C", "player", 0)


def test_a_later_coup_that_is_short_has_no_difference():
    told = ask("no-draw banker", "then dummy", around=shoe(SECOND))

    assert [each.difference for each in told.later.coups] == [(), ()]
    assert [each.net for each in told.totals] == [0, 0]


def test_no_dummy_begins_without_a_card_left_over():
    first = played("9C 5S 7C 2D", *BETS)
    told = ask("card 4 = QD", "then dummy", coup=first, around=shoe(SECOND, THIRD))

    assert fell(told)[0][0] == "2"


@pytest.mark.parametrize(
    ("cards", "phase"), [("", "betting"), ("KC 9S", "dealing"), ("KC 9S 2C QD", "resulted")]
)
def test_a_later_coup_that_is_still_in_play_is_not_dealt_again(cards, phase):
    in_play = played(cards, (3, "banker", 100_00), number=2, phase=phase)
    told = ask("no-draw banker", around=shoe(in_play))

    assert (told.later.coups, told.later.in_step_at, told.later.short) == ((), None, False)


def test_a_coup_that_was_void_in_the_middle_would_have_taken_the_next_cards():
    void = played("9C 5S 7C", *BETS, phase="voided")
    told = ask("card 1 = 9D", coup=void, around=shoe(SECOND, THIRD))  # 9D 5S 7C KC 9S: 6 to 4

    assert [each.card for each in told.taken] == ["KC", "9S"]
    assert fell(told)[0] == ("2", "2C QD 9H 9D", "banker", 0)  # 1 to 9


def test_r_shoe_3_where_the_cut_card_shows_is_not_reckoned_again():
    told = ask("no-draw banker", around=shoe(SECOND, cut_card_shown=True))

    assert notes(told)[-1] == "The place of the cut card is not computed again (R-SHOE-3)."


# Laws, over shoes that were dealt to their end.
SPOTS = ("player", "banker", "tie")


def dealt(cards, bets):
    """The coups that a shoe deals, one for each bet."""
    coups = []
    for number, (seat, spot) in enumerate(bets, 1):
        hands = redeal(cards)
        used = [each.card for each in hands.dealt]
        cards = hands.left_over
        coups.append(played(" ".join(used), (seat, SPOTS[spot], 100_00), number=number))
    return coups


DEALS = st.lists(st.tuples(st.sampled_from([1, 3, 5]), st.integers(0, 2)), min_size=8, max_size=8)


def left(cards):
    return shoe(afterwards=" ".join(cards)).afterwards


@given(shoes(), DEALS)
def test_dealing_on_without_a_shift_is_the_record(cards, bets):
    coups = dealt(cards[:60], bets)
    told = deal_on(left(cards[:60]), left(cards[:60]), coups, dummy=False)

    assert told.in_step_at == coups[0].address
    assert fell_as_recorded(told.coups[0])


def fell_as_recorded(coup):
    return tuple(each.card for each in coup.hands.dealt) == coup.played.cards and all(
        row.net == 0 for row in coup.difference
    )


def changed(first, later, changes):
    rest = " ".join(card for each in later for card in each.cards)
    return what_if(first, changes, table(), shoe(*later, afterwards=rest))


@given(shoes(), DEALS, st.sampled_from(["player", "banker"]), st.booleans())
def test_a_shift_uses_every_card_once_in_its_order_till_it_is_in_step(cards, bets, hand, draws):
    first, *later = dealt(cards[:60], bets)
    told = changed(first, later, [ThirdCard(hand, draws)])
    used = [each.card for each in told.hands.dealt]
    for coup in told.later.coups if told.later else ():
        used += [each.card for each in coup.hands.dealt]

    assert used == cards[: len(used)]
    if told.later and told.later.in_step_at:
        number = int(told.later.in_step_at.rpartition("/")[2])
        recorded = [card for each in (first, *later)[:number] for card in each.cards]
        assert used == recorded
        assert len(told.later.coups) == number - 1


@given(shoes(), DEALS, st.integers(1, 4), CARDS)
def test_what_a_shift_brings_is_lost_again_by_the_change_back(cards, bets, n, card):
    first, *later = dealt(cards[:60], bets)
    there = changed(first, later, [CardIs(n, card)])
    assume(there.later is None or there.later.in_step_at)
    again = list(later)
    for at, coup in enumerate(there.later.coups if there.later else ()):
        own = [(w.seat, w.spot, w.stake) for w in coup.played.wagers]
        again[at] = played(" ".join(c.card for c in coup.hands.dealt), *own, number=at + 2)
    own = [(w.seat, w.spot, w.stake) for w in first.wagers]
    other = played(" ".join(each.card for each in there.hands.dealt), *own)
    if there.left_over and there.later is None:
        return
    back = changed(other, again, [CardIs(n, first.cards[n - 1])])

    assert back.house_total == -there.house_total
    assert sum(each.net for each in there.totals) == -there.house_total


@given(shoes(), DEALS, st.sampled_from(["carry", "burn", "dummy"]))
def test_the_sums_are_those_of_the_coups(cards, bets, then):
    first, *later = dealt(cards[:60], bets)
    told = ask(
        "no-draw banker",
        f"then {then}",
        coup=first,
        around=shoe(*later),
        at=Table({"main": [1, 10_000_00]}, None),
    )
    coups = told.later.coups if told.later else ()
    houses = [-sum(row.net for row in each.difference) for each in coups]

    assert told.house_total == (told.house or 0) + sum(houses)
    assert (then == "burn") <= (told.later is None)


def test_nothing_is_read_behind_the_coup_that_is_in_step():
    def later():
        yield TIES
        raise AssertionError("the next coup was read")

    told = deal_on(left(TIES.cards), left(TIES.cards), later(), dummy=False)

    assert told.in_step_at == f"{SHOE}/2"
