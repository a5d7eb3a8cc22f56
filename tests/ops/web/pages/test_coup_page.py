"""The page of a coup: its rules, its events, and what would have been."""

import re
from datetime import timedelta

import pytest

from domain.review.what_if.parse import _FORMS
from ops.web.pages import what_if
from ops.web.pages.coup import read
from ops.words.language import LANGUAGES, speaking
from ops.words.what_if import FORMS
from tests.worlds.gaming_table import DAY

TWO = {"with": "S-11"}

RULE = re.compile(r"R-[A-Z]+-\d+")
COUP = f"B01/{DAY}/1/1"
PLAYER, STOOD, COUNTS = "R-DRAW-2", "R-DRAW-3", "R-DRAW-4"
# Player's first, Banker's first, Player's second, Banker's second, and what follows.
COUPS = [
    ("8C KD KC 5D", [("no third cards: Player has a natural 8", "R-DRAW-1")]),
    (
        "6C 3D KC KS 4S",
        [("Player stands on 6", PLAYER), ("Banker draws on 3: Player stood", STOOD)],
    ),
    ("7C 6D KC KS", [("Player stands on 7", PLAYER), ("Banker stands on 6: Player stood", STOOD)]),
    (
        "5C 3D KC KS 8S",
        [
            ("Player draws on 5", PLAYER),
            ("Banker stands on 3: Player's third card counts 8", COUNTS),
        ],
    ),
]


@pytest.mark.parametrize(("cards", "steps"), COUPS)
def test_why_there_is_a_third_card_or_none_stands_beside_its_rule(pit, database, cards, steps):
    pit.play(cards, (3, "banker", 100_00))
    story = read(database, COUP, None, None)

    assert story.steps == steps
    assert read(database, COUP, 1, None).steps == []  # before the cards


@pytest.mark.parametrize("is_settled", [True, False])
def test_of_a_void_coup_each_stake_is_returned(pit, database, is_settled):
    pit.bet(3, "banker", 100_00)
    pit.deal(COUPS[0][0], settle=is_settled)
    pit.say("void", coup=COUP, reason="a torn card", **TWO)
    (wager,) = read(database, COUP, None, None).rows

    assert (wager.computation, wager.paid) == ("returned", 100_00)


def test_what_followed_a_void_coup_does_not_repeat_its_own_events(pit, database):
    pit.play(COUPS[0][0], (3, "banker", 100_00))
    pit.say("dispute.open", coup=COUP, patron="P-10417", complaint="too little")
    pit.say("void", coup=COUP, reason="a torn card", **TWO)
    story = read(database, COUP, None, None)

    assert "void" in story.events[-1].words
    assert [each.words[:11] for each in story.afterwards] == ["C-2026-0001"]


@pytest.mark.parametrize("language", LANGUAGES)
def test_each_rule_is_read_once_in_the_sentence_or_beside_it(pit, database, language):
    pit.play(COUPS[0][0], (3, "banker", 100_00))
    with speaking(language):
        events = read(database, COUP, None, None).events

    assert {"R-DEAL-1"} <= {name for each in events for name in RULE.findall(each.words)}
    for each in events:
        named = [*RULE.findall(each.words), *filter(None, [each.rule])]
        assert len(named) == len({*named}), each


def test_what_was_put_right_on_another_day_has_its_date(pit, database):
    pit.play(COUPS[0][0], (3, "banker", 100_00))
    pit.moment += timedelta(days=1)
    pit.say("correct", coup=COUP, seat=3, spot="banker", to=50_00, reason="camera", **TWO)
    dated = [each.on_another_day for each in read(database, COUP, None, None).events]

    assert (dated[0], dated[-1]) == (False, True)
    assert {*dated} == {False, True}


# What if.
def test_a_what_if_has_each_card_with_its_reason_and_what_everybody_would_have(pit, database):
    pit.play("6C 3D KC KS 4S", (3, "banker", 100_00))  # Banker wins, 7 to 6
    asked = what_if.read(database, COUP, "card 5 = 2S; no-bet 3 banker")
    (wager,) = asked.payments

    assert [each.hand for each in asked.cards if each.other] == ["banker"]
    assert asked.cards[-1].words == "2♠ to Banker (R-DRAW-3)."
    assert asked.cards[3].why == [
        ("Player stands on 6", PLAYER),
        ("Banker draws on 3: Player stood", STOOD),
    ]
    assert (asked.totals, asked.outcome) == ({"player": 6, "banker": 5}, "player")
    assert (wager.stake, wager.paid, wager.on_record) == (None, None, 200_00)
    (seat,) = asked.difference
    assert (seat.staked, seat.paid, seat.commission, seat.net) == (-100_00, -200_00, -5_00, -95_00)
    assert asked.house == 95_00


def test_a_what_if_that_shifts_the_shoe_has_the_later_coups_and_where_they_end(pit, database):
    pit.play("6C 3D KC KS 4S", (3, "banker", 100_00))
    pit.play("8C KD KC 5D", (3, "banker", 100_00))
    asked = what_if.read(database, COUP, "card 1 = 8C")

    assert [each.coup for each in asked.later] == [f"B01/{DAY}/1/2"]
    assert asked.ends[-1].startswith("In all the house ")
    assert asked.refused == ""


@pytest.mark.parametrize("change", [form for form, _ in FORMS])
def test_each_example_below_the_field_is_answered(pit, database, change):
    pit.play("5C 3D KC KS 8S", (3, "banker", 100_00), (5, "player", 100_00))
    asked = what_if.read(database, COUP, change)

    assert "write as in" not in asked.refused
    assert "begin with" not in asked.refused


def test_every_form_of_a_change_has_an_example_below_the_field():
    assert {form.partition(" ")[0] for form, _ in FORMS} == {*_FORMS}


def test_a_change_that_cannot_be_is_refused_by_the_name_of_its_field(pit, database):
    pit.play("8C KD KC 5D", (3, "banker", 100_00))

    assert what_if.read(database, COUP, "card 5") == what_if.Answer(
        "Change cannot be 'card 5': write as in card 5 = KH."
    )
