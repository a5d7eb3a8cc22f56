"""The roads in a terminal: everything with a colour also has a shape or a letter of its own.

Small enough for a part of another screen: `big_road` takes six lines. Names and letters are in the
reader's language.
"""

from collections.abc import Mapping, Sequence

from msgspec import Struct
from rich.cells import cell_len
from rich.text import Text

from domain.rules.roads import ROWS, Bead, Colour, Derived, Entry, Mark, Place, Roads
from domain.rules.wording import Words, worded
from ops.words.language import N_, _, shown
from ops.words.show import STYLES

BEADS = {"banker": "●", "player": "○", "tie": "◇"}
NATURALS = {"banker": "◉", "player": "◎"}
NAMES: Mapping[Derived, str] = {
    "big_eye_boy": N_("Big Eye Boy"),
    "small_road": N_("Small Road"),
    "cockroach_pig": N_("Cockroach Pig"),
}
SHAPES: Mapping[Derived, Mapping[Colour, str]] = {
    "big_eye_boy": {"red": "○", "blue": "□"},
    "small_road": {"red": "●", "blue": "■"},
    "cockroach_pig": {"red": "╱", "blue": "╲"},
}
_LETTERS: Mapping[str, Words] = {
    "banker": worded("letter of an outcome on the roads", "B"),
    "player": worded("letter of an outcome on the roads", "P"),
    "tie": worded("letter of an outcome on the roads", "T"),
}
BANKER_PAIR, PLAYER_PAIR = "˙", "."  # at the corner where displays have a dot of that colour


class Drawn(Struct, frozen=True):
    """Six lines of a road, or the part of it that fits."""

    lines: tuple[Text, ...]
    shown: int
    columns: int

    @property
    def cut(self) -> str:
        """The words for how much of a wide road is shown, or '' if all of it is."""
        if self.shown == self.columns:
            return ""
        return _("newest {shown} of {columns}", shown=self.shown, columns=self.columns)


def letter(outcome: str) -> str:
    """The letter of an outcome: `B`, `P` or `T`."""
    return shown(_LETTERS[outcome])


def counted(roads: Roads) -> Text:
    """`B 9  P 6  T 1`, for a place beside a road."""
    counts = roads.counts()
    return Text("  ").join(
        Text.assemble((letter(outcome), STYLES[outcome]), f" {counts[outcome]}")
        for outcome in ("banker", "player", "tie")
    )


def bead_plate(roads: Roads, width: int) -> Drawn:
    """Draws a letter for each coup, with room for the pairs at its corners."""
    placed = zip(roads.bead_plate, roads.beads, strict=True)
    widest = max(cell_len(letter(outcome)) for outcome in _LETTERS)
    return _draw({place: _bead(bead, widest) for place, bead in placed}, widest + 2, width)


def big_road(entries: Sequence[Entry], width: int) -> Drawn:
    """Draws a shape for each entry, two cells wide for the number of its ties."""
    return _draw({entry.place: _entry(entry) for entry in entries}, 2, width)


def derived(road: Derived, marks: Sequence[Mark], width: int) -> Drawn:
    """Draws a shape for each mark of a derived road."""
    return _draw({mark.place: shape(road, mark.colour) for mark in marks}, 1, width)


def shape(road: Derived, colour: Colour | None) -> Text:
    """The shape of a mark, or a dot if there is no mark yet."""
    return Text(SHAPES[road][colour], f"bold {colour}") if colour else Text("·", "dim")


def _bead(bead: Bead, cells: int) -> Text:
    own = letter(bead.outcome)
    return Text.assemble(
        (BANKER_PAIR if bead.banker_pair else " ", STYLES["banker"]),
        (own.ljust(len(own) + cells - cell_len(own)), STYLES[bead.outcome]),
        (PLAYER_PAIR if bead.player_pair else " ", STYLES["player"]),
    )


def _entry(entry: Entry) -> Text:
    side = entry.side or "tie"
    shapes = NATURALS if entry.natural else BEADS
    ties = str(entry.ties) if entry.ties < 10 else "+"
    return Text.assemble((shapes[side], STYLES[side]), (ties if entry.ties else " ", STYLES["tie"]))


def _draw(cells: Mapping[Place, Text], cell_width: int, width: int) -> Drawn:
    """Draws the newest columns, at least one; an empty cell is a dot."""
    columns = max((place.column + 1 for place in cells), default=0)
    shown = min(columns, max(width // cell_width, 1))
    empty = Text("·".center(cell_width) if cell_width > 2 else "·".ljust(cell_width), "dim")
    lines = tuple(
        Text.assemble(
            *(cells.get(Place(column, row), empty) for column in range(columns - shown, columns))
        )
        for row in range(ROWS)
    )
    for line in lines:
        line.rstrip()
    return Drawn(lines, shown, columns)
