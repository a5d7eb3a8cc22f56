"""Cards, chips and roads as SVG of our own: colour never alone, each with words for a reader.

The shapes of the suits are in `static/shapes.svg`, which the browser asks for once.
"""

from collections.abc import Sequence
from functools import lru_cache

from markupsafe import Markup, escape

from domain.rules.cards import symbol
from domain.rules.roads import ROWS, Bead, Entry, roads
from ops.words import pages
from ops.words.coups import spot_name
from ops.words.language import amount, shown, spoken

_SUITS = {"S": "spade", "H": "heart", "D": "diamond", "C": "club"}
_SHAPES = "/static/shapes.svg"
_CELL = 10  # of a road
_LINE_WIDE, _LINE_HIGH = 60, 14  # of the evening's win


def card(code: str | None, *, sideways: bool = False) -> Markup:
    """A card face up, or for None face down; the third card of a hand turned sideways."""
    turned = " sideways" if sideways else ""
    if code is None:
        return Markup(
            '<svg class="card back{}" viewBox="0 0 60 84" role="img" aria-label="{}">'
            '<rect class="edge" width="60" height="84" rx="6"/>'
            '<use href="{}#back"/></svg>'
        ).format(turned, shown(pages.FACE_DOWN), _SHAPES)
    suit = _SUITS[code[1]]
    rank = code[0].replace("T", "10")
    return Markup(
        '<svg class="card {}{}" viewBox="0 0 60 84" role="img" aria-label="{}">'
        '<rect class="edge" width="60" height="84" rx="6"/>'
        '<text x="7" y="24">{}</text><use href="{}#{}" x="6" y="28" width="15" height="15"/>'
        '<use href="{}#{}" x="20" y="40" width="34" height="34"/></svg>'
    ).format(suit, turned, symbol(code), rank, _SHAPES, suit, _SHAPES, suit)


def chip(amount: str, spot: str) -> Markup:
    """A wager as a chip with its amount."""
    return Markup('<span class="chip {}">{}</span>').format(escape(spot), amount)


def big_road(beads: Sequence[Bead], columns: int = 24) -> Markup:
    """The newest columns of the big road; Banker is a filled mark, Player an open one."""
    return _big_road(spoken(), tuple(beads), columns)


@lru_cache(maxsize=1_000)
def _big_road(_: str, beads: tuple[Bead, ...], columns: int) -> Markup:
    """A road, in a language; it changes once in a coup."""
    entries = roads(beads).big_road
    last = max((each.place.column for each in entries), default=0)
    first = max(0, last - columns + 1)
    width, height = columns * _CELL, ROWS * _CELL
    marks = Markup("").join(_entry(each, first) for each in entries if each.place.column >= first)
    return Markup(
        '<svg class="road" viewBox="0 0 {} {}" role="img" aria-label="{}">{}{}</svg>'
    ).format(width, height, _spoken(beads), _grid(columns), marks)


def _grid(columns: int) -> Markup:
    down = "".join(f"M{x * _CELL} 0V{ROWS * _CELL}" for x in range(columns + 1))
    across = "".join(f"M0 {y * _CELL}H{columns * _CELL}" for y in range(ROWS + 1))
    return Markup('<path class="grid" d="{}"/>').format(down + across)


def _entry(entry: Entry, first: int) -> Markup:
    x = (entry.place.column - first) * _CELL + _CELL / 2
    y = entry.place.row * _CELL + _CELL / 2
    mark = Markup('<circle class="{}" cx="{}" cy="{}" r="3.6"/>').format(
        entry.side or "tie", f"{x:g}", f"{y:g}"
    )
    if entry.ties and entry.side:
        mark += Markup('<path class="tie" d="M{} {}l6 -6"/>').format(f"{x - 3:g}", f"{y + 3:g}")
    return mark


def _spoken(beads: Sequence[Bead]) -> str:
    """The road for whoever hears it: the last results, the newest last."""
    if not beads:
        return shown(pages.NO_ROAD)
    newest = ", ".join(spot_name(each.outcome) for each in beads[-10:])
    return pages.road_words(len(beads), newest)


def evening(wins: Sequence[int], currency: str) -> Markup:
    """The house's win since the table opened as a small line, with nought as another one."""
    least, most = min(0, *wins), max(0, *wins)
    tall, wide = _LINE_HIGH / ((most - least) or 1), _LINE_WIDE / (len(wins) - 1)
    places = "L".join(f"{n * wide:.1f} {(most - each) * tall:.1f}" for n, each in enumerate(wins))
    words = pages.evening_words(amount(min(wins), currency), amount(wins[-1], currency))
    return Markup(
        '<svg class="evening" viewBox="-1 -1 {} {}" role="img" aria-label="{}">'
        '<path class="nought" d="M0 {}h{}"/><path class="won" d="M{}"/></svg>'
    ).format(
        _LINE_WIDE + 2, _LINE_HIGH + 2, words, f"{most * tall:.1f}", _LINE_WIDE, places
    )  # fmt: skip
