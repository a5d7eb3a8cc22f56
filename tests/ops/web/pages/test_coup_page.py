"""The page of a coup: why each third card was drawn or not, and its events by their addresses."""

import pytest

from ops.web.pages.coup import read
from tests.worlds.gaming_table import DAY

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


def test_a_rule_is_beside_an_event_and_not_in_its_sentence_too(pit, database):
    pit.play(COUPS[0][0], (3, "banker", 100_00))
    ruled = [each for each in read(database, COUP, None, None).events if each.rule]

    assert ruled
    assert [each.words for each in ruled if each.rule in each.words] == []
