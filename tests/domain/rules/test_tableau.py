"""R-DRAW-2 to 4: every cell of the placard, and what each is worth."""

from itertools import product

import pytest
from msgspec.structs import replace

from domain.rules.odds import count_deals
from domain.rules.tableau import TABLEAU
from tests.data import published
from tests.faults import times

PLACARD = published("third_card_table.json")
COUNTS = published("eight_deck_counts.json")
TOTALS = range(8)
STOOD = 10  # the placard's last column


def test_r_draw_2_player_draws_on_0_to_5_and_stands_on_6_and_7():
    assert {total: total <= 5 for total in TOTALS} == {
        total: TABLEAU.player_draws(total) for total in TOTALS
    }


def test_r_draw_3_player_stood_and_banker_draws_on_0_to_5():
    expected = {n: PLACARD["banker_draws_when_player_stood"][n] == "1" for n in TOTALS}

    assert expected == {total: TABLEAU.banker_draws(total, None) for total in TOTALS}


def test_r_draw_4_player_drew_and_the_placard_says_what_banker_does():
    cells = list(product(TOTALS, range(10)))
    expected = {(n, third): PLACARD["banker_draws"][str(n)][third] == "1" for n, third in cells}

    assert expected == {cell: TABLEAU.banker_draws(*cell) for cell in cells}


def test_the_placard_has_8_rows_of_11_and_8_totals_of_player():
    shape = ({len(row) for row in TABLEAU.banker}, len(TABLEAU.banker), len(TABLEAU.player))

    assert ({11}, 8, 8) == shape


def test_the_placard_gives_the_published_counts():
    counts = count_deals(8)
    expected = {name: COUNTS[name] for name in ("banker", "player", "tie")}

    assert expected == counts.outcomes


# Every cell in full counts, else every fifth, which are of each row and each column.
CELLS = list(product(TOTALS, [*range(10), STOOD]))[:: times(5, 1)]


@pytest.mark.parametrize(("total", "third"), CELLS)
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
