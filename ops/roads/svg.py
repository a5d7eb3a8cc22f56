"""The roads as a picture, like the displays at the tables.

An SVG that needs no other file: no script, no font, no link. The same shoe in the same language and
look has the same bytes. A letter distinguishes Banker and Player too, or that one is filled and the
other open. The colours are those of Okabe and Ito; crimson and royal blue are a house's theme.
"""

from collections.abc import Iterable, Iterator, Mapping
from html import escape

from msgspec import Struct

from domain.rules.roads import ROWS, SIDES, Bead, Colour, Derived, Entry, Place, Roads
from domain.rules.wording import counted
from ops.roads.text import NAMES, letter
from ops.words.coups import spot_name
from ops.words.language import N_, _, shown

BEAD, BIG, SMALL = 30, 24, 12  # pixels of a cell: bead plate, big road, derived roads
_MARGIN, _GAP, _HEAD, _TITLE = 24, 24, 72, 22
_SIDE = 300  # pixels beside the bead plate: counts, preview, legend


class Theme(Struct, frozen=True):
    """The colours of a picture."""

    banker: str
    player: str
    tie: str
    behind: str
    paper: str
    line: str
    ink: str
    soft: str
    bead: str  # the letters on the bead plate

    def of(self, what: str) -> str:
        """The colour of an outcome, or of a mark of a derived road."""
        fills = {"red": self.banker, "blue": self.player, "tie": self.tie}
        return fills.get(what) or (self.banker if what == "banker" else self.player)


THEMES: Mapping[str, Theme] = {
    "night": Theme(
        *("#d55e00", "#56b4e9", "#009e73"),
        *("#07110d", "#0e1d17", "#24382f", "#f4f4ee", "#b4bcb5", "#07110d"),
    ),
    "crimson": Theme(
        *("#c8202f", "#1d55c0", "#12803c"),
        *("#10281f", "#fdfcf7", "#d9d6c8", "#1c1c1c", "#b9c9bf", "#ffffff"),
    ),
}


class Look(Struct, frozen=True):
    """What a house chooses of its displays: a theme, and whether rings have letters."""

    theme: str = "night"
    letters: bool = True


_HERE = Place(0, 0)
# The legend's samples: distance from the left, and meaning.
_SAMPLES = (
    (0, N_("natural"), Entry(_HERE, "banker", 0, False, False, True)),
    (90, N_("two ties"), Entry(_HERE, "player", 2, False, False, False)),
    (186, N_("both pairs"), Entry(_HERE, "banker", 0, True, True, False)),
)
_KINDS: tuple[tuple[int, str, Colour], ...] = (
    (0, N_("red: runs alike"), "red"),
    (146, N_("blue: not alike"), "blue"),
)

_STYLE = """\
text { font-family: Helvetica, Arial, "Liberation Sans", sans-serif; text-anchor: middle; }
.left { text-anchor: start; }
.right { text-anchor: end; }
.over { paint-order: stroke; stroke: PAPER; stroke-width: 3px; stroke-linejoin: round; }
"""


def picture(shoe: str, roads: Roads, look: Look = Look()) -> str:  # noqa: B008  (it is frozen)
    """Draws the display of a shoe as SVG; a longer shoe makes it wider."""
    return _Picture(shoe, roads, look).draw()


class _Picture:
    """The parts drawn so far, and the width of the grids."""

    def __init__(self, shoe: str, roads: Roads, look: Look) -> None:
        self.shoe = shoe
        self.roads = roads
        self.theme = THEMES[look.theme]
        self.letters = look.letters
        self.parts: list[str] = []
        self.width = self._inner_width()

    def _inner_width(self) -> int:
        """The width of the grids: that of the widest road, and at least 36 columns."""
        eye, small, pig = (
            _columns(mark.place for mark in marks) * SMALL for marks in self.roads.derived.values()
        )
        needed = max(
            36 * BIG,
            _columns(entry.place for entry in self.roads.big_road) * BIG,
            _columns(self.roads.bead_plate) * BEAD + _GAP + _SIDE,
            eye,
            2 * max(small, pig) + _GAP,
        )
        return -(-needed // BIG) * BIG

    def draw(self) -> str:
        """Draws everything, from top to bottom."""
        y = _HEAD
        self._head()
        plate = (self.width - _GAP - _SIDE) // BEAD
        self._grid(_("Bead Plate"), _MARGIN, y, plate, BEAD)
        for place, bead in zip(self.roads.bead_plate, self.roads.beads, strict=True):
            self._bead(bead, *_middle(place, _MARGIN, y, BEAD))
        self._aside(_MARGIN + self.width - _SIDE, y)
        y += _TITLE + ROWS * BEAD + _GAP
        self._grid(_("Big Road"), _MARGIN, y, self.width // BIG, BIG)
        for entry in self.roads.big_road:
            self._entry(entry, *_middle(entry.place, _MARGIN, y, BIG))
        y += _TITLE + ROWS * BIG + _GAP
        self._derived("big_eye_boy", _MARGIN, y, self.width // SMALL)
        y += _TITLE + ROWS * SMALL + _GAP
        half = (self.width - _GAP) // 2 // SMALL
        self._derived("small_road", _MARGIN, y, half)
        self._derived("cockroach_pig", _MARGIN + self.width - half * SMALL, y, half)
        return self._whole(y + _TITLE + ROWS * SMALL + _MARGIN)

    def _whole(self, height: int) -> str:
        width = self.width + 2 * _MARGIN
        return "\n".join(
            [
                f'<svg xmlns="http://www.w3.org/2000/svg" width="{width}" height="{height}" '
                f'viewBox="0 0 {width} {height}" role="img">',
                f"<title>{escape(_('The roads of shoe {shoe}', shoe=self.shoe))}</title>",
                f"<style>\n{_STYLE.replace('PAPER', self.theme.paper)}</style>",
                f'<rect width="{width}" height="{height}" rx="10" fill="{self.theme.behind}"/>',
                *self.parts,
                "</svg>\n",
            ]
        )

    # The frame.
    def _head(self) -> None:
        coups = len(self.roads.beads)
        self._text(_MARGIN, 45, self.shoe, 24, "#ffffff", "left", bold=True)
        words = shown(counted(coups, "{n} coup", "{n} coups"))
        self._text(_MARGIN + self.width, 45, words, 16, self.theme.soft, "right")

    def _grid(self, name: str, x: int, y: int, columns: int, cell: int) -> None:
        top, wide, high = y + _TITLE, columns * cell, ROWS * cell
        self._text(x, y + 15, name, 14, self.theme.soft, "left", bold=True)
        self._add(
            f'<rect x="{x}" y="{top}" width="{wide}" height="{high}" fill="{self.theme.paper}"/>'
        )
        down = "".join(f"M{x + n * cell} {top}v{high}" for n in range(columns + 1))
        across = "".join(f"M{x} {top + n * cell}h{wide}" for n in range(ROWS + 1))
        self._add(f'<path d="{down}{across}" stroke="{self.theme.line}" fill="none"/>')

    def _derived(self, road: Derived, x: int, y: int, columns: int) -> None:
        self._grid(_(NAMES[road]), x, y, columns, SMALL)
        for mark in self.roads.derived[road]:
            self._mark(road, mark.colour, *_middle(mark.place, x, y, SMALL))

    # The marks, each around its middle.
    def _bead(self, bead: Bead, x: int, y: int) -> None:
        self._circle(x, y, 12, fill=self.theme.of(bead.outcome))
        if bead.natural:
            self._circle(x, y, 10, stroke=self.theme.bead, width=1)
        self._text(x, y + 5, letter(bead.outcome), 14, self.theme.bead, bold=True)
        self._pairs(bead, x, y, 9, 4)

    def _entry(self, entry: Entry, x: int, y: int) -> None:
        """Draws a ring, tinted for a natural; the stroke of a tie is under the letter."""
        ink = self.theme.of(entry.side or "tie")
        filled = not self.letters and entry.side == "banker"
        if entry.side:
            self._circle(x, y, 9, fill=ink if filled else "none", stroke=ink, width=2.5)
        if entry.natural:
            self._circle(x, y, 9, fill=self.theme.ink if filled else ink, opacity=0.2)
        if entry.ties:
            self._path(f"M{x - 9} {y + 9}L{x + 9} {y - 9}", self.theme.of("tie"), 2.5)
        if entry.side and self.letters:
            over = "over" if entry.ties else ""
            self._text(x, y + 4, letter(entry.side), 10, ink, over, bold=True)
        if entry.ties > 1:
            self._text(x + 8, y - 3, str(entry.ties), 10, self.theme.of("tie"), "over", bold=True)
        self._pairs(entry, x, y, 7, 3)

    def _pairs(self, what: Bead | Entry, x: int, y: int, away: int, size: int) -> None:
        """Draws the dots for pairs: Banker's at the upper left, Player's at the lower right."""
        if what.banker_pair:
            self._dot(x - away, y - away, size, self.theme.of("banker"))
        if what.player_pair:
            self._dot(x + away, y + away, size, self.theme.of("player"))

    def _mark(self, road: Derived, colour: Colour, x: int, y: int) -> None:
        """Draws a mark: hollow, solid or a stroke; a blue one is square, or leans the other way."""
        ink = self.theme.of(colour)
        if road == "cockroach_pig":
            lean = 4 if colour == "red" else -4
            self._path(f"M{x - lean} {y + 4}L{x + lean} {y - 4}", ink, 2.2)
            return
        paint = f'fill="{ink}"' if road == "small_road" else 'fill="none"'
        outline = f'{paint} stroke="{ink}" stroke-width="1.8"'
        if colour == "red":
            self._add(f'<circle cx="{x}" cy="{y}" r="3.6" {outline}/>')
        else:
            self._add(f'<rect x="{x - 3}" y="{y - 3}" width="6" height="6" {outline}/>')

    # Beside the bead plate.
    def _aside(self, x: int, y: int) -> None:
        high = ROWS * BEAD
        self._text(x, y + 15, _("This Shoe"), 14, self.theme.soft, "left", bold=True)
        self._text(x + 150, y + 15, _("Next Hand"), 14, self.theme.soft, "left", bold=True)
        self._add(
            f'<rect x="{x}" y="{y + _TITLE}" width="{_SIDE}" height="{high}" '
            f'fill="{self.theme.paper}"/>'
        )
        self._counts(x + 14, y + _TITLE + 20)
        self._preview(x + 150, y + _TITLE + 20)
        self._legend(x + 14, y + _TITLE + 128)

    def _counts(self, x: int, y: int) -> None:
        counts = self.roads.counts()
        for n, (name, key) in enumerate(
            (
                *((spot_name(spot), spot) for spot in ("banker", "player", "tie")),
                *((_("Banker pairs"), "banker_pair"), (_("Player pairs"), "player_pair")),
                (_("Naturals"), "natural"),
            )
        ):
            main = key in ("banker", "player", "tie")
            ink = self.theme.of(key) if main else self.theme.ink
            self._text(x, y + 17 * n, name, 12, ink, "left", bold=main)
            self._text(x + 108, y + 17 * n, str(counts[key]), 12, ink, "right", bold=main)

    def _preview(self, x: int, y: int) -> None:
        for n, side in enumerate(SIDES):
            column = x + 108 + 25 * n
            self._text(column, y, letter(side), 12, self.theme.of(side), bold=True)
            for row, road in enumerate(NAMES, 1):
                colour = self.roads.preview[side][road]
                if colour:
                    self._mark(road, colour, column, y - 4 + 22 * row)
                else:
                    self._text(column, y + 22 * row, "–", 12, self.theme.ink)
        for row, name in enumerate(NAMES.values(), 1):
            self._text(x, y + 22 * row, _(name), 12, self.theme.ink, "left")

    def _legend(self, x: int, y: int) -> None:
        self._path(f"M{x} {y - 8}h{_SIDE - 28}", self.theme.line, 1)
        for at, words, entry in _SAMPLES:
            self._entry(entry, x + at + 10, y + 12)
            self._text(x + at + 28, y + 16, _(words), 11, self.theme.ink, "left")
        for at, words, colour in _KINDS:
            for n, road in enumerate(NAMES):
                self._mark(road, colour, x + at + 5 + 14 * n, y + 36)
            self._text(x + at + 46, y + 40, _(words), 11, self.theme.ink, "left")

    # The strokes.
    def _add(self, part: str) -> None:
        self.parts.append(part)

    def _circle(
        self, x: int, y: int, radius: int, *, fill: str = "none", stroke: str = "none",
        width: float = 0, opacity: float = 1,
    ) -> None:  # fmt: skip
        more = f' stroke="{stroke}" stroke-width="{width}"' if width else ""
        more += f' fill-opacity="{opacity}"' if opacity != 1 else ""
        self._add(f'<circle cx="{x}" cy="{y}" r="{radius}" fill="{fill}"{more}/>')

    def _dot(self, x: int, y: int, radius: int, fill: str) -> None:
        self._circle(x, y, radius, fill=fill, stroke=self.theme.paper, width=1.2)

    def _path(self, path: str, stroke: str, width: float) -> None:
        self._add(
            f'<path d="{path}" stroke="{stroke}" stroke-width="{width}" stroke-linecap="round"/>'
        )

    def _text(
        self, x: int, y: int, words: str, size: int, fill: str, kind: str = "",
        *, bold: bool = False,
    ) -> None:  # fmt: skip
        how = f' class="{kind}"' if kind else ""
        how += ' font-weight="bold"' if bold else ""
        self._add(
            f'<text x="{x}" y="{y}" font-size="{size}" fill="{fill}"{how}>{escape(words)}</text>'
        )


def _columns(places: Iterable[Place]) -> int:
    return max((place.column + 1 for place in places), default=0)


def _middle(place: Place, x: int, y: int, cell: int) -> Iterator[int]:
    """The middle of a cell in the grid whose title begins at x, y."""
    yield x + place.column * cell + cell // 2
    yield y + _TITLE + place.row * cell + cell // 2
