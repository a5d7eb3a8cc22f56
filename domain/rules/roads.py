"""The roads: the pictures of a shoe that players read on the displays at the tables.

Bead plate: every coup, down six rows and on in the next column.

Big road: a run of one side goes down a column; a tie is counted on the entry before it, or on
the first one, when no side has won yet. Where the cell below is taken, the rest of a run goes to
the right: its dragon tail.

Big Eye Boy, Small Road and Cockroach Pig compare the lengths of runs at each entry of the big road.
With L[n] the length of the n-th run, ties ignored, and k = 1, 2, 3 for the three:

* the first entry of run n is marked once there is a run n-1-k:
  red if L[n-1] = L[n-1-k], else blue;
* its m-th, from the second on, once there is a run n-k:
  blue if m = L[n-k] + 1, else red.

They are drawn like the big road, in runs of one colour. A dragon tail moves marks to other cells,
and changes no colour.

>>> shoe = [Bead(side) for side in ["banker"] * 3 + ["player"] * 3 + ["banker", "player", "banker"]]
>>> drawn = roads(shoe)
>>> [mark.colour for mark in drawn.derived["big_eye_boy"]]
['red', 'red', 'red', 'blue', 'red']
>>> drawn.preview["banker"]
{'big_eye_boy': 'blue', 'small_road': 'blue', 'cockroach_pig': 'red'}
"""

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import chain, groupby, islice
from typing import Literal, NamedTuple, get_args

from msgspec import Struct
from msgspec.structs import replace

from domain.rules.hands import Hand, Outcome

Colour = Literal["red", "blue"]
Derived = Literal["big_eye_boy", "small_road", "cockroach_pig"]

ROWS = 6
SIDES: tuple[Hand, ...] = ("banker", "player")  # in the order of displays
# The number of runs before the last one that each road looks back.
BACK: Mapping[Derived, int] = dict(zip(get_args(Derived), (1, 2, 3), strict=True))
_RUNS = max(BACK.values()) + 2  # the last ones, by which every mark is known


class Bead(Struct, frozen=True):
    """What the roads show of a coup."""

    outcome: Outcome
    player_pair: bool = False
    banker_pair: bool = False
    natural: bool = False


class Place(NamedTuple):
    """A cell of a road, from 0: columns from the left, rows from the top."""

    column: int
    row: int


class Entry(Struct, frozen=True):
    """A coup that a side won, on the big road, and the number of ties after it.

    An entry without a side has the ties of a shoe in which no side has won yet. Only the bead plate
    shows the pairs and naturals of ties.
    """

    place: Place
    side: Hand | None
    ties: int
    player_pair: bool
    banker_pair: bool
    natural: bool


class Mark(Struct, frozen=True):
    """The mark of a derived road for an entry."""

    place: Place
    colour: Colour


class Roads(Struct, frozen=True):
    """All five roads, and the next mark of each derived road, or None if it has no mark yet."""

    beads: tuple[Bead, ...]
    bead_plate: tuple[Place, ...]
    big_road: tuple[Entry, ...]
    derived: Mapping[Derived, tuple[Mark, ...]]
    preview: Mapping[Hand, Mapping[Derived, Colour | None]]

    def counts(self) -> dict[str, int]:
        """The number of coups with each outcome, with a pair, and with a natural."""
        outcomes = Counter(bead.outcome for bead in self.beads)
        return {
            **{outcome: outcomes[outcome] for outcome in get_args(Outcome)},
            "player_pair": sum(bead.player_pair for bead in self.beads),
            "banker_pair": sum(bead.banker_pair for bead in self.beads),
            "natural": sum(bead.natural for bead in self.beads),
        }


def roads(beads: Iterable[Bead]) -> Roads:
    """The roads of these coups, in the order of dealing."""
    beads = tuple(beads)
    sides = _sides(beads)
    return Roads(
        beads=beads,
        bead_plate=tuple(Place(*divmod(n, ROWS)) for n in range(len(beads))),
        big_road=big_road(beads),
        derived={road: _derived(sides, back) for road, back in BACK.items()},
        preview={side: next_marks(sides, side) for side in SIDES},
    )


def next_marks(sides: Sequence[Hand], side: Hand) -> dict[Derived, Colour | None]:
    """The mark that each derived road gets if this side wins now; `sides`: the winners before."""
    newest_first = islice(groupby(chain((side,), reversed(sides))), _RUNS)
    runs = [len([*run]) for _, run in newest_first][::-1]
    return {road: _mark(runs, back) for road, back in BACK.items()}


def big_road(beads: Sequence[Bead]) -> tuple[Entry, ...]:
    """An entry for every coup that a side won, with the ties that came after it."""
    road: list[Entry] = []
    places = iter(lay(_sides(beads)))
    ties_first = 0
    for bead in beads:
        if bead.outcome != "tie":
            pairs = (bead.player_pair, bead.banker_pair)
            road.append(Entry(next(places), bead.outcome, ties_first, *pairs, bead.natural))
            ties_first = 0
        elif road:
            road[-1] = replace(road[-1], ties=road[-1].ties + 1)
        else:
            ties_first += 1
    if ties_first:
        return (Entry(Place(0, 0), None, ties_first, False, False, False),)
    return tuple(road)


def lay(kinds: Iterable[str]) -> list[Place]:
    """The cell of each of these, when a run of one kind is a column.

    A run begins in the next free column of the top row; after six long runs in a row, a dragon
    tail may have taken some of it. So no mark covers another, and every run begins in the top
    row, as on the displays.
    """
    places: list[Place] = []
    taken: set[Place] = set()
    column, last = -1, None
    for kind in kinds:
        if kind == last:
            place = _onward(places[-1], column, taken)
        else:
            column += 1
            while (column, 0) in taken:
                column += 1
            place = Place(column, 0)
        places.append(place)
        taken.add(place)
        last = kind
    return places


def _onward(last: Place, column: int, taken: set[Place]) -> Place:
    """The next cell of a run: below while that is free, otherwise to the right.

    A cell to the right is never taken: only this run can have reached it.
    """
    below = Place(last.column, last.row + 1)
    if last.column == column and below.row < ROWS and below not in taken:
        return below
    return Place(last.column + 1, last.row)


def _sides(beads: Iterable[Bead]) -> list[Hand]:
    """The winning sides, without ties."""
    return [bead.outcome for bead in beads if bead.outcome != "tie"]


def _derived(sides: Sequence[Hand], back: int) -> tuple[Mark, ...]:
    colours = list(_colours(sides, back))
    return tuple(map(Mark, lay(colours), colours))


def _colours(sides: Sequence[Hand], back: int) -> Iterator[Colour]:
    for runs in _growing(sides):
        colour = _mark(runs, back)
        if colour:
            yield colour


def _growing(sides: Sequence[Hand]) -> Iterator[list[int]]:
    """The lengths of the runs after each entry; it is one list, which grows."""
    runs: list[int] = []
    for before, side in zip((None, *sides), sides, strict=False):
        if side == before:
            runs[-1] += 1
        else:
            runs.append(1)
        yield runs


def _mark(runs: Sequence[int], back: int) -> Colour | None:
    """The mark of the newest entry, when the runs have these lengths with it."""
    before, m = len(runs) - 1, runs[-1]
    if m == 1:
        if before <= back:
            return None
        return "red" if runs[-2] == runs[-2 - back] else "blue"
    if before < back:
        return None
    return "blue" if m == runs[-1 - back] + 1 else "red"
