"""What somebody asks of a coup, as it is written and as it is read."""

from contextlib import suppress

import pytest
from hypothesis import given
from hypothesis import strategies as st

from domain.review.what_if.changes import (
    BetIs,
    BetMoved,
    CardIs,
    IsVoid,
    Misdraw,
    NoBet,
    RoundingIs,
    RulesAre,
    Then,
    ThirdCard,
)
from domain.review.what_if.parse import read, read_all
from domain.rules.house_rules import RULE_SETS
from domain.rules.money import LARGEST_AMOUNT, Rounding
from domain.rules.refusals import BadValue
from domain.rules.spots import THE_TRADES
from tests.strategies import CARDS

# fmt: off
WRITTEN = {
    "card 5 = KH":                  CardIs(5, "KH"),
    "card 1=9c":                    CardIs(1, "9C"),
    "  Card  6 =  th ":             CardIs(6, "TH"),
    "draw player":                  ThirdCard("player", draws=True),
    "no-draw banker":               ThirdCard("banker", draws=False),
    "NO-DRAW Banker":               ThirdCard("banker", draws=False),
    "bet 3 banker 200":             BetIs(3, "banker", 200_00),
    "bet 12 dragon-player 1,500.5": BetIs(12, "dragon-player", 1_500_50),
    "bet 3 dragon-7 5":             BetIs(3, "dragon-7", 5_00),
    "no-bet 3 tie":                 NoBet(3, "tie"),
    "move 3 banker to player":      BetMoved(3, "banker", 3, "player"),
    "move 3 banker to 5 banker":    BetMoved(3, "banker", 5, "banker"),
    "rules classic@1":              RulesAre("classic@1"),
    "rounding exact":               RoundingIs(Rounding()),
    "rounding nearest 0.25":        RoundingIs(Rounding(mode="nearest", unit=25)),
    "rounding up 1 min 0.50":       RoundingIs(Rounding(mode="up", unit=100, minimum=50)),
    "rounding up 1 on-collection":  RoundingIs(
        Rounding(mode="up", unit=100, moment="on-collection")
    ),
    "rounding exact min 1 per-win": RoundingIs(Rounding(minimum=100)),
    "void":                         IsVoid(),
    "then burn":                    Then("burn"),
    "misdraw Dummy":                Misdraw("dummy"),
}
SENSELESS = {
    "":                              "begin with one of card, draw, no-draw, bet, no-bet, ",
    "cards 5 = KH":                  "begin with one of card, ",
    "card five = KH":                "write as in card 5 = KH",
    "card 5 KH":                     "write as in card 5 = KH",
    "card 0 = KH":                   "a coup has six cards at most, and no card 0",
    "card 7 = KH":                   "a coup has six cards at most, and no card 7",
    "card 5 = 1H":                   "'1H' is no card: write rank then suit",
    "card 5 = 11H":                  "'11H' is no card: write rank then suit",
    "draw":                          "write as in draw banker",
    "draw tie":                      "write as in draw banker",
    "no-draw 3":                     "write as in no-draw banker",
    "bet 3 bank 200":                "there is no spot bank; write one of 14 words; the nearest",
    "bet 3 banker":                  "write as in bet 3 banker 200",
    "bet 3 banker -200":             "write as in bet 3 banker 200",
    "bet 3 banker 2.005":            "'2.005' is no amount of USD",
    "bet 3 banker 0":                "for no wager write no-bet",
    "bet 3 banker 900000000000000":  "900000000000000 is too large an amount",
    "no-bet 3":                      "write as in no-bet 3 banker",
    "no-bet 3 sofa":                 "there is no spot sofa",
    "move 3 banker":                 "write as in move 3 banker to player, or",
    "move 3 banker to banker":       "the wager is there already",
    "move 3 banker to 3 banker":     "the wager is there already",
    "move 3 banker to 5":            "there is no spot 5",
    "rules":                         "write as in rules classic@1",
    "rounding":                      "write as in rounding exact, ",
    "rounding down":                 "write as in rounding exact, ",
    "rounding exact 1":              "exact rounding has no unit",
    "rounding up 0":                 "the unit must be more than 0",
    "rounding up min 1 on-collection": "a minimum is for each win, so write per-win",
    "void it":                       "write as in void",
    "misdraw 1 burn":               "write as in misdraw carry, misdraw burn or misdraw dummy",
    "then what":                     "write as in then carry, then burn or then dummy",
}
CONTRADICTORY = [
    ("card 5 = KH", "card 5 = 4H",           "card 5"),
    ("draw banker", "no-draw banker",        "Banker's third card"),
    ("bet 3 banker 200", "no-bet 3 banker",  "seat 3's wager on banker"),
    ("bet 3 tie 20", "move 3 tie to player", "seat 3's wager on tie"),
    ("rules classic@1", "rules ez@1",        "the rule set"),
    ("rounding up", "rounding exact",        "the rounding"),
    ("void", "void",                         "whether it is void"),
    ("then burn", "then carry",              "the cards left over"),
    ("misdraw burn", "misdraw carry",        "the card that came when none was due"),
]
# fmt: on


@pytest.mark.parametrize("text", WRITTEN)
def test_each_kind_of_change_is_read_as_people_write_it(text):
    assert WRITTEN[text] == read(text, "USD")


@pytest.mark.parametrize("text", SENSELESS)
def test_what_makes_no_sense_is_refused_with_how_to_write_it(text):
    with pytest.raises(BadValue) as refusal:
        read(text, "USD")

    assert str(refusal.value).startswith(f"--what-if cannot be {text!r}: {SENSELESS[text]}")


@pytest.mark.parametrize(("one", "other", "subject"), CONTRADICTORY)
def test_two_changes_of_the_same_thing_contradict_each_other(one, other, subject):
    with pytest.raises(BadValue) as refusal:
        read_all(["card 1 = 2H", one, other], "USD")

    assert str(refusal.value) == (
        f"--what-if cannot be {one!r}: another change is about {subject} as well."
    )


def test_changes_of_other_things_go_together():
    texts = ["card 5 = KH", "card 6 = KH", "no-bet 3 tie", "bet 3 banker 5", "draw player", "void"]

    assert texts == [each.written("USD") for each in read_all(texts, "USD")]


def test_amounts_are_of_the_coup_s_currency():
    assert read("bet 3 banker 2000", "JPY") == BetIs(3, "banker", 2000)
    assert read("bet 3 banker 2000", "JPY").written("JPY") == "bet 3 banker 2000"
    with pytest.raises(BadValue):
        read("bet 3 banker 2000.50", "JPY")


SEATS = st.integers(0, 999)
SPOT = st.sampled_from(THE_TRADES)
AMOUNTS = st.integers(1, LARGEST_AMOUNT)
HANDS = st.sampled_from(["player", "banker"])
MODES = st.sampled_from(["nearest", "up"])
CHANGES = st.one_of(
    st.builds(CardIs, st.integers(1, 6), CARDS),
    st.builds(ThirdCard, HANDS, st.booleans()),
    st.builds(BetIs, SEATS, SPOT, AMOUNTS),
    st.builds(NoBet, SEATS, SPOT),
    st.builds(BetMoved, SEATS, SPOT, SEATS, SPOT).filter(
        lambda move: (move.seat, move.spot) != (move.to_seat, move.to_spot)
    ),
    st.builds(RulesAre, st.sampled_from(sorted(RULE_SETS))),
    st.builds(
        RoundingIs,
        st.builds(Rounding, mode=MODES, unit=AMOUNTS, minimum=AMOUNTS)
        | st.builds(Rounding, mode=MODES, unit=AMOUNTS, moment=st.just("on-collection"))
        | st.builds(Rounding, minimum=AMOUNTS),
    ),
    st.just(IsVoid()),
    st.builds(Then, st.sampled_from(["carry", "burn", "dummy"])),
)


@given(CHANGES, st.sampled_from(["USD", "JPY", "KWD"]))
def test_every_change_is_written_as_it_is_read(change, currency):
    assert change == read(change.written(currency), currency)


@given(st.text(), st.sampled_from([*WRITTEN]), st.data())
def test_whatever_is_typed_is_read_or_refused(text, near, data):
    cut = data.draw(st.integers(0, len(near)))
    for typed in (text, near[:cut] + text + near[cut:]):
        with suppress(BadValue):
            assert read(read(typed, "USD").written("USD"), "USD") == read(typed, "USD")
