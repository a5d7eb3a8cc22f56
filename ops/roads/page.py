"""A shoe's roads on one screen: the bead plate, the big road, the three made from it."""

from collections.abc import Iterator
from itertools import zip_longest

from rich.text import Text

from domain.rules.roads import SIDES
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
    shape,
)
from ops.words.show import STYLES

_LEGEND = 24  # what the legend beside the bead plate takes
_GAP = 2


def page(shoe_roads: ShoeRoads, width: int) -> Iterator[Text]:
    """Line by line; of a road that is wider than that, the newest columns."""
    roads, left = shoe_roads.roads, max(width - _LEGEND, _LEGEND)
    half = (width - _GAP) // 2
    eye, small, pig = (
        _titled(NAMES[road], derived(road, marks, half)) for road, marks in roads.derived.items()
    )
    yield from _head(shoe_roads)
    yield Text()
    plate = _titled("Bead Plate", bead_plate(roads, left - _GAP))
    yield from _beside(left, plate, list(_legend()))
    yield Text()
    yield from _titled("Big Road", big_road(roads.big_road, width))
    yield Text()
    yield from _beside(half + _GAP, eye, small)
    yield Text()
    yield from _beside(half + _GAP, pig, list(_preview(shoe_roads)))


def _head(shoe_roads: ShoeRoads) -> Iterator[Text]:
    roads = shoe_roads.roads
    counts = roads.counts()
    coups = f"  {len(roads.beads)} coups  " if len(roads.beads) != 1 else "  1 coup  "
    yield Text.assemble((str(shoe_roads.address), "bold"), coups, counted(roads))
    yield Text(
        f"Banker pairs {counts['banker_pair']}  Player pairs {counts['player_pair']}"
        f"  naturals {counts['natural']}"
    )


def _titled(name: str, road: Drawn) -> list[Text]:
    return [Text.assemble((name, "bold"), (road.cut and f"  {road.cut}", "italic")), *road.lines]


def _preview(shoe_roads: ShoeRoads) -> Iterator[Text]:
    """What each derived road gets next, for either side."""
    yield Text.assemble(
        ("Next hand       ", "bold"),
        *((f"{side.title()}  ", STYLES[side]) for side in SIDES),
    )
    for road, name in NAMES.items():
        line = Text(f"{name:<16}")
        for side in SIDES:
            line.append_text(shape(road, shoe_roads.roads.preview[side][road]))
            line.append(" " * (len(side) + 1))
        yield line


def _beside(width: int, left: list[Text], right: list[Text]) -> Iterator[Text]:
    """Two blocks of lines next to each other, the left one so wide."""
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
        (BEADS["banker"], banker), " Banker   ", (BEADS["player"], player), " Player"
    )
    yield Text.assemble(
        (NATURALS["banker"], banker), " ", (NATURALS["player"], player), " by a natural"
    )
    yield Text.assemble((BEADS["banker"], banker), ("2", tie), " and two ties")
    yield Text.assemble((f"{BANKER_PAIR}B", banker), (PLAYER_PAIR, player), " B pair, P pair")
    yield Text.assemble(("○ ● ╱", "bold red"), " red: runs alike")
    yield Text.assemble(("□ ■ ╲", "bold blue"), " blue: not alike")
