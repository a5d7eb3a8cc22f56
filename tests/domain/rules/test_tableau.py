"""R-DRAW-2 to 4: every cell of the placard, and what each is worth."""

import pytest
from msgspec.structs import replace

from domain.rules.odds import count_deals
from domain.rules.tableau import TABLEAU
from tests.data import published

PLACARD = published("third_card_table.json")
COUNTS = published("eight_deck_counts.json")
TOTALS = range(8)
STOOD = 10  # the placard's last column


@pytest.mark.parametrize("total", TOTALS)
def test_r_draw_2_player_draws_on_0_to_5_and_stands_on_6_and_7(total):
    expected = total <= 5
    actual = TABLEAU.player_draws(total)

    assert expected == actual


@pytest.mark.parametrize("total", TOTALS)
def test_r_draw_3_player_stood_and_banker_draws_on_0_to_5(total):
    expected = PLACARD["banker_draws_when_player_stood"][total] == "1"
    actual = TABLEAU.banker_draws(total, None)

    assert expected == actual


@pytest.mark.parametrize("third", range(10))
@pytest.mark.parametrize("total", TOTALS)
def test_r_draw_4_player_drew_and_the_placard_says_what_banker_does(total, third):
    expected = PLACARD["banker_draws"][str(total)][third] == "1"
    actual = TABLEAU.banker_draws(total, third)

    assert expected == actual


def test_the_placard_has_8_rows_of_11_and_8_totals_of_player():
    shape = ({len(row) for row in TABLEAU.banker}, len(TABLEAU.banker), len(TABLEAU.player))

    assert ({11}, 8, 8) == shape


def test_the_placard_gives_the_published_counts():
    counts = count_deals(8)
    expected = {name: COUNTS[name] for name in ("banker", "player", "tie")}

    assert expected == counts.outcomes


@pytest.mark.parametrize("third", [*range(10), STOOD])
@pytest.mark.parametrize("total", TOTALS)
def test_every_cell_of_banker_flipped_changes_the_exact_counts(total, third):
    rows = list(TABLEAU.banker)
    rows[total] = _flipped(rows[total], third)

    assert _differs(replace(TABLEAU, banker=tuple(rows)))


@pytest.mark.parametrize("total", TOTALS)
def test_every_cell_of_player_flipped_changes_the_exact_counts(total):
    assert _differs(replace(TABLEAU, player=_flipped(TABLEAU.player, total)))


def _flipped(row, place):
    turned = {"D": "S", "S": "D"}[row[place]]
    return row[:place] + turned + row[place + 1 :]


def _differs(tableau):
    """Both counts move: who wins, and how many cards it takes."""
    counts = count_deals.__wrapped__(8, tableau)
    outcomes = {name: COUNTS[name] for name in ("banker", "player", "tie")}
    cards = {int(number): ways for number, ways in COUNTS["cards_used"].items()}
    return counts.outcomes != outcomes and counts.cards != cards
