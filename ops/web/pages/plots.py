"""Plots beside a report, as SVG: the table below says the same in figures."""

from collections.abc import Mapping, Sequence
from typing import Any

from markupsafe import Markup
from msgspec import Struct

from ops.words import language, pages
from ops.words.language import shown

MOST = 40  # lines of a plot
_LINE, _NAMES, _WIDE, _FIGURES = 26, 150, 520, 120  # pixels
Row = Mapping[str, Any]


class Bar(Struct, frozen=True):
    """One line of a plot: a value, and what it is compared with."""

    name: str
    value: float
    words: str
    expected: float | None = None
    band: tuple[float, float] | None = None  # in which 95 of 100 such values are

    @property
    def outside(self) -> bool:
        """Whether the value is outside of its band."""
        return self.band is not None and not self.band[0] <= self.value <= self.band[1]


def plot_of(report: str, rows: Sequence[Row], currency: str) -> Markup | None:
    """The plot of a report's rows, or None if it has none."""
    bars = [bar for row in rows if (bar := _bar(report, row, currency))][:MOST]
    return _drawn(_TITLES[report], bars) if bars else None


_TITLES = {
    "master": pages.PLOT_MASTER,
    "table-win": pages.PLOT_WIN,
    "measures": pages.PLOT_PACE,
    "commission": pages.PLOT_OWED,
}


def _bar(report: str, row: Row, currency: str) -> Bar | None:
    if report == "master" and row["win"] is not None:
        low, high = row["win_low"], row["win_high"]
        return Bar(
            f"{row['table']} {row['period']}",
            row["win"],
            language.amount(row["win"], currency),
            expected=float(row["theoretical_win"]) if row["theoretical_win"] is not None else None,
            band=(float(low), float(high)) if None not in (low, high) else None,
        )
    if report == "table-win" and row["win"] is not None:
        theoretical = row["theoretical_win"]
        return Bar(
            f"{row['table']} {row['day']}",
            row["win"],
            language.amount(row["win"], currency),
            expected=None if theoretical is None else float(theoretical),
        )
    if report == "measures" and row["hands_per_hour"] is not None:
        pace = str(row["hands_per_hour"])
        return Bar(f"{row['table']} {row['day']}", float(pace), language.marked(pace))
    if report == "commission" and row["outstanding"]:
        owed = row["outstanding"]
        return Bar(f"{row['table']} {row['patron']}", owed, language.amount(owed, currency))
    return None


def _drawn(title: str, bars: Sequence[Bar]) -> Markup:
    """Lines from top to bottom on one scale, with nought on it."""
    values = [0.0, *(each.value for each in bars)]
    values += [each.expected for each in bars if each.expected is not None]
    values += [end for each in bars if each.band for end in each.band]
    least, most = min(values), max(values)
    scale = _WIDE / ((most - least) or 1)

    def x(value: float) -> str:
        return f"{_NAMES + (value - least) * scale:.1f}"

    height = _LINE * len(bars) + 8
    parts = [
        Markup('<path class="nought" d="M{} 0V{}"/>').format(x(0), height),
        *(_line(each, n, x) for n, each in enumerate(bars)),
    ]
    return Markup(
        '<figure class="plot"><figcaption>{}</figcaption>'
        '<svg viewBox="0 0 {} {}" role="img" aria-label="{}">{}</svg></figure>'
    ).format(shown(title), _NAMES + _WIDE + _FIGURES, height, shown(title), Markup("").join(parts))


def _line(bar: Bar, n: int, x: Any) -> Markup:
    y = n * _LINE + _LINE // 2 + 4
    drawn = Markup('<text class="name" x="0" y="{}">{}</text>').format(y + 5, bar.name)
    if bar.band:
        low, high = bar.band
        drawn += Markup('<path class="band" d="M{} {}H{}"/>').format(x(low), y, x(high))
        drawn += Markup('<circle class="{}" cx="{}" cy="{}" r="5"/>').format(
            "outside" if bar.outside else "value", x(bar.value), y
        )
    else:
        drawn += Markup('<path class="bar" d="M{} {}H{}"/>').format(x(0), y, x(bar.value))
    if bar.expected is not None:
        drawn += Markup('<path class="expected" d="M{} {}v18"/>').format(x(bar.expected), y - 9)
    mark = " !" if bar.outside else ""
    return drawn + Markup('<text class="figure" x="{}" y="{}">{}{}</text>').format(
        _NAMES + _WIDE + 8, y + 5, bar.words, mark
    )
