"""Plots beside a report: bars on one scale, with the figures that the table below has.

Names and figures are text of the page; only what is between them is SVG.
"""

import math
from collections.abc import Callable, Mapping, Sequence
from typing import Any

from markupsafe import Markup
from msgspec import Struct
from msgspec.structs import replace

from domain.rules.wording import Words
from ops.web.pages.render import fragment
from ops.web.pages.scales import Scale, kinds_of_ticks, scale_of
from ops.words import language, pages
from ops.words.columns import heading_here
from ops.words.language import shown

MOST = 40  # lines of a plot
Row = Mapping[str, Any]
Say = Callable[[str, Row], str]  # a column of a row as the table has it


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


class Kind(Struct, frozen=True):
    """A plot that a report has; `unit` of its axis: '' for the currency."""

    title: Words
    make: Callable[[Row, Say], Bar | None]
    column: str  # of the values
    unit: Words | str = ""
    expected: Words | None = None  # what each value is compared with; None: the theoretical win


def plots_of(report: str, rows: Sequence[Row], currency: str, say: Say) -> list[Markup]:
    """The plots of a report's rows; most reports have none."""
    plots = []
    for kind in _PLOTS.get(report, ()):
        bars = [bar for row in rows if (bar := kind.make(row, say))][:MOST]
        if bars:
            plots.append(_drawn(kind, bars, currency))
    return plots


def _win_in_band(row: Row, say: Say) -> Bar | None:
    bar = _win(row, say)
    low, high = row["win_low"], row["win_high"]
    if bar is None or low is None or high is None:
        return bar
    return replace(bar, band=(float(low), float(high)))


def _win(row: Row, say: Say) -> Bar | None:
    if row["win"] is None:
        return None
    theoretical = row["theoretical_win"]
    expected = None if theoretical is None else float(theoretical)
    return Bar(_of_table(row, say), row["win"], say("win", row), expected=expected)


def _hold(row: Row, say: Say) -> Bar | None:
    if row["hold"] is None:
        return None
    return Bar(_of_table(row, say), 100 * float(row["hold"]), say("hold", row))


def _pace(row: Row, say: Say) -> Bar | None:
    if row["hands_per_hour"] is None:
        return None
    pace = float(row["hands_per_hour"])
    return Bar(_of_table(row, say), pace, say("hands_per_hour", row))


def _table_hour(row: Row, say: Say) -> Bar | None:
    return _an_hour("table_hour", row, say)


def _seat_hour(row: Row, say: Say) -> Bar | None:
    return _an_hour("seat_hour", row, say)


def _an_hour(column: str, row: Row, say: Say) -> Bar | None:
    worth = row[column]
    return None if worth is None else Bar(_of_table(row, say), worth, say(column, row))


def _owed(row: Row, say: Say) -> Bar | None:
    if not row["outstanding"]:
        return None
    name = f"{row['table']} {row['patron']}"
    return Bar(name, row["outstanding"], say("outstanding", row))


def _seldom(row: Row, say: Say) -> Bar:
    """How seldom chance does as much, beside the level of the house: by powers of ten."""
    about = [row[each] for each in ("patron", "partner", "dealer") if row[each]] or [row["shoe"]]
    name = f"{say('question', row)}: {', '.join(about)}"
    return Bar(name, row["power"], f"10^{row['power']}", expected=math.log10(row["one_in"]))


def _of_table(row: Row, say: Say) -> str:
    return f"{row['table']} {row['period'] if 'period' in row else say('day', row)}"


_PLOTS: Mapping[str, Sequence[Kind]] = {
    "master": (
        Kind(pages.PLOT_MASTER, _win_in_band, "win"),
        Kind(pages.PLOT_HOLD, _hold, "hold", "%"),
    ),
    "table-win": (
        Kind(pages.PLOT_WIN, _win, "win"),
        Kind(pages.PLOT_HOLD, _hold, "hold", "%"),
    ),
    "measures": (Kind(pages.PLOT_PACE, _pace, "hands_per_hour", pages.HANDS),),
    "yield": (
        Kind(pages.PLOT_TABLE_HOUR, _table_hour, "table_hour"),
        Kind(pages.PLOT_SEAT_HOUR, _seat_hour, "seat_hour"),
    ),
    "protection": (Kind(pages.PLOT_SELDOM, _seldom, "power", pages.IN_POWERS, pages.LEVEL),),
    "commission": (Kind(pages.PLOT_OWED, _owed, "outstanding"),),
}


def _drawn(kind: Kind, bars: Sequence[Bar], currency: str) -> Markup:
    """Lines from top to bottom on one scale, with its ticks below."""
    values = [each.value for each in bars]
    values += [each.expected for each in bars if each.expected is not None]
    values += [end for each in bars if each.band for end in each.band]
    scale = scale_of(values)
    return fragment(
        "plot_parts.html",
        "bars",
        title=kind.title,
        unit=kind.unit or currency,
        keys=keys_of(
            kind.column,
            expected=any(each.expected is not None for each in bars),
            banded=any(each.band for each in bars),
            compared=kind.expected,
        ),
        lines=[(each, _line(each, scale)) for each in bars],
        ticks=_ticks(scale, currency if not kind.unit else ""),
    )


def keys_of(
    column: str, *, expected: bool, banded: bool, compared: Words | None = None
) -> list[tuple[str, str]]:
    """What the plot's legend says: the CSS class of each thing drawn, with its name.

    `compared`: with what values are compared; None: with the theoretical win.
    """
    keys = [("value", heading_here(column))]
    if expected:
        keys.append(("expected", shown(compared) if compared else heading_here("theoretical_win")))
    if banded:
        keys += [("band", shown(pages.BAND)), ("outside", shown(pages.OUTSIDE))]
    return keys


def tick_words(value: float, currency: str) -> str:
    """A value at a tick: an amount in a currency, or without one a number."""
    if currency:
        return language.amount(round(value), currency, short=True)
    return language.marked(f"{value:g}")


def _ticks(scale: Scale, currency: str) -> Markup:
    return Markup("").join(
        Markup('<text class="{}" x="{}" y="1.1em">{}</text>').format(
            kind, scale.across(each), tick_words(each, currency)
        )
        for each, kind in zip(scale.ticks, kinds_of_ticks(len(scale.ticks)), strict=True)
    )


def _line(bar: Bar, scale: Scale) -> Markup:
    """What is between the name and the figure: the ticks' lines, the band, the value."""
    drawn = [
        Markup('<line class="{}" x1="{x}" x2="{x}" y1="0" y2="100%"/>').format(
            "nought" if each == 0 else "level", x=scale.across(each)
        )
        for each in scale.ticks
    ]
    if bar.band:
        low, high = map(scale.across, bar.band)
        drawn.append(_stroke("band", low, high))
        kind = "outside" if bar.outside else "value"
        drawn.append(
            Markup('<circle class="{}" cx="{}" cy="50%" r=".35em"/>').format(
                kind, scale.across(bar.value)
            )
        )
    else:
        drawn.append(_stroke("bar", scale.across(0), scale.across(bar.value)))
    if bar.expected is not None:
        drawn.append(
            Markup('<line class="expected" x1="{x}" x2="{x}" y1="10%" y2="90%"/>').format(
                x=scale.across(bar.expected)
            )
        )
    return Markup("").join(drawn)


def _stroke(kind: str, begin: str, end: str) -> Markup:
    return Markup('<line class="{}" x1="{}" x2="{}" y1="50%" y2="50%"/>').format(kind, begin, end)
