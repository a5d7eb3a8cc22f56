"""Plots beside a report, as SVG: the table below says the same in figures."""

from collections.abc import Callable, Mapping, Sequence
from typing import Any

from markupsafe import Markup
from msgspec import Struct
from msgspec.structs import replace

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


def plots_of(report: str, rows: Sequence[Row], currency: str) -> list[Markup]:
    """The plots of a report's rows; most reports have none."""
    drawn = []
    for title, make in _PLOTS.get(report, ()):
        bars = [bar for row in rows if (bar := make(row, currency))][:MOST]
        if bars:
            drawn.append(_drawn(title, bars))
    return drawn


def _win_in_band(row: Row, currency: str) -> Bar | None:
    bar = _win(row, currency)
    low, high = row["win_low"], row["win_high"]
    if bar is None or low is None or high is None:
        return bar
    return replace(bar, band=(float(low), float(high)))


def _win(row: Row, currency: str) -> Bar | None:
    if row["win"] is None:
        return None
    theoretical = row["theoretical_win"]
    return Bar(
        _of_table(row),
        row["win"],
        language.amount(row["win"], currency),
        expected=None if theoretical is None else float(theoretical),
    )


def _hold(row: Row, _: str) -> Bar | None:
    if row["hold"] is None:
        return None
    percent = 100 * float(row["hold"])
    return Bar(_of_table(row), percent, f"{language.marked(f'{percent:.2f}')} %")


def _pace(row: Row, _: str) -> Bar | None:
    if row["hands_per_hour"] is None:
        return None
    pace = str(row["hands_per_hour"])
    return Bar(_of_table(row), float(pace), language.marked(pace))


def _owed(row: Row, currency: str) -> Bar | None:
    owed = row["outstanding"]
    if not owed:
        return None
    return Bar(f"{row['table']} {row['patron']}", owed, language.amount(owed, currency))


def _of_table(row: Row) -> str:
    return f"{row['table']} {row['period'] if 'period' in row else row['day']}"


_PLOTS: Mapping[str, Sequence[tuple[str, Callable[[Row, str], Bar | None]]]] = {
    "master": ((pages.PLOT_MASTER, _win_in_band), (pages.PLOT_HOLD, _hold)),
    "table-win": ((pages.PLOT_WIN, _win), (pages.PLOT_HOLD, _hold)),
    "measures": ((pages.PLOT_PACE, _pace),),
    "commission": ((pages.PLOT_OWED, _owed),),
}


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
