"""A shoe's roads on one screen: bead plate, big road, and the three derived roads.

They are in the reader's language.
"""

from collections.abc import Iterator
from itertools import zip_longest

from rich.cells import cell_len, set_cell_size
from rich.text import Text

from domain.rules.roads import SIDES
from domain.rules.wording import counted as plural
from ops.roads.road import ShoeRoads
from ops.roads.text import (
    BANKER_PAIR,
    BEADS,
    NAMES,
    NATURALS,
    PLAYER_PAIR,
    Drawn,
    bead_plate,
    big_road,
    counted,
    derived,
    letter,
    shape,
)
from ops.words.coups import spot_name
from ops.words.language import _, shown
from ops.words.show import STYLES

_LEGEND = 24  # cells for the legend beside the bead plate
_GAP = 2
_NAME = 16  # cells of a road's name before its preview


def page(shoe_roads: ShoeRoads, width: int) -> Iterator[Text]:
    """The lines of the page; a road wider than the page shows its newest columns."""
    roads, left = shoe_roads.roads, max(width - _LEGEND, _LEGEND)
    half = (width - _GAP) // 2
    eye, small, pig = (
        _titled(_(NAMES[road]), derived(road, marks, half)) for road, marks in roads.derived.items()
    )
    yield from _head(shoe_roads)
    yield Text()
    plate = _titled(_("Bead Plate"), bead_plate(roads, left - _GAP))
    yield from _beside(left, plate, list(_legend()))
    yield Text()
    yield from _titled(_("Big Road"), big_road(roads.big_road, width))
    yield Text()
    yield from _beside(half + _GAP, eye, small)
    yield Text()
    yield from _beside(half + _GAP, pig, list(_preview(shoe_roads)))


def _head(shoe_roads: ShoeRoads) -> Iterator[Text]:
    roads = shoe_roads.roads
    counts = roads.counts()
    coups = shown(plural(len(roads.beads), "{n} coup", "{n} coups"))
    yield Text.assemble((str(shoe_roads.address), "bold"), f"  {coups}  ", counted(roads))
    pairs = _("Banker pairs {n}", n=counts["banker_pair"])
    pairs += f"  {_('Player pairs {n}', n=counts['player_pair'])}"
    yield Text(f"{pairs}  {_('naturals {n}', n=counts['natural'])}")


def _titled(name: str, road: Drawn) -> list[Text]:
    return [Text.assemble((name, "bold"), (road.cut and f"  {road.cut}", "italic")), *road.lines]


def _preview(shoe_roads: ShoeRoads) -> Iterator[Text]:
    """The next mark of each derived road, for either side."""
    sides = {side: spot_name(side) for side in SIDES}
    head = Text(set_cell_size(_("Next hand"), _NAME), "bold")
    yield head.append_text(Text("").join(Text(f"{sides[side]}  ", STYLES[side]) for side in SIDES))
    for road, name in NAMES.items():
        line = Text(set_cell_size(_(name), _NAME))
        for side in SIDES:
            line.append_text(shape(road, shoe_roads.roads.preview[side][road]))
            line.append(" " * (cell_len(sides[side]) + 1))
        yield line


def _beside(width: int, left: list[Text], right: list[Text]) -> Iterator[Text]:
    """Two blocks of lines side by side, the left one `width` cells wide."""
    for one, other in zip_longest(left, right, fillvalue=Text()):
        line = one.copy()
        line.truncate(width, pad=True)
        line.append_text(other)
        line.rstrip()
        yield line


def _legend() -> Iterator[Text]:
    banker, player, tie = (STYLES[each] for each in ("banker", "player", "tie"))
    yield Text()
    yield Text.assemble(
        *((BEADS["banker"], banker), f" {spot_name('banker')}   "),
        *((BEADS["player"], player), f" {spot_name('player')}"),
    )
    natural = f" {_('by a natural')}"
    yield Text.assemble((NATURALS["banker"], banker), " ", (NATURALS["player"], player), natural)
    yield Text.assemble((BEADS["banker"], banker), ("2", tie), f" {_('and two ties')}")
    letters = {side: letter(side) for side in SIDES}
    pairs = (f"{BANKER_PAIR}{letter('banker')}", banker), (PLAYER_PAIR, player)
    yield Text.assemble(*pairs, f" {_('{banker} pair, {player} pair', **letters)}")
    yield Text.assemble(("○ ● ╱", "bold red"), f" {_('red: runs alike')}")
    yield Text.assemble(("□ ■ ╲", "bold blue"), f" {_('blue: not alike')}")
