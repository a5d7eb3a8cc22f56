"""The big road: how the floor reads a shoe at a glance.

A column is a run of one side; ties are marked on the entry before them. Six rows: where the
way down is taken, a run goes on to the right, and that is its dragon tail.

>>> [(entry.column, entry.row, entry.side, entry.ties) for entry in big_road(list("BBTP"))]
[(0, 0, 'B', 0), (0, 1, 'B', 1), (1, 0, 'P', 0)]
"""

from collections.abc import Sequence
from dataclasses import dataclass

ROWS = 6


@dataclass(slots=True)
class Entry:
    """One coup that a side won; `ties`: how many came right after it."""

    column: int
    row: int
    side: str
    ties: int = 0


def big_road(outcomes: Sequence[str]) -> list[Entry]:
    """The entries for outcomes B, P and T in order. Ties before the first win mark nothing."""
    road: list[Entry] = []
    taken: set[tuple[int, int]] = set()
    run_starts = -1
    for outcome in outcomes:
        if outcome == "T":
            if road:
                road[-1].ties += 1
            continue
        if not road or road[-1].side != outcome:
            run_starts = next(
                c for c in range(run_starts + 1, len(taken) + 2) if (c, 0) not in taken
            )
            place = (run_starts, 0)
        else:
            place = _onward(road[-1], taken, run_starts)
        taken.add(place)
        road.append(Entry(*place, side=outcome))
    return road


def _onward(last: Entry, taken: set[tuple[int, int]], run_starts: int) -> tuple[int, int]:
    """Down while free and the run has not turned; else right, and on to the right from there."""
    below = (last.column, last.row + 1)
    turned = last.column != run_starts
    if not turned and below[1] < ROWS and below not in taken:
        return below
    return last.column + 1, last.row
