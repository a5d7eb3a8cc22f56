"""Curves over time beside a report, as SVG: a value, and what it is compared with.

Down it goes by `em`, and across by shares of the window, so that its letters are the page's.
"""

from collections.abc import Mapping, Sequence
from datetime import date, datetime
from typing import Any
from zoneinfo import ZoneInfo

from markupsafe import Markup
from msgspec import Struct

from domain.rules.wording import Words
from ops.ledger.database import Database
from ops.reports.ask import ask
from ops.reports.moments import Typed
from ops.reports.readable import readable
from ops.web.pages.plots import keys_of, tick_words
from ops.web.pages.render import fragment
from ops.web.pages.scales import Scale, kinds_of_ticks, percent, scale_of
from ops.words import language, pages
from ops.words.language import shown
from projections.money.curves import CURVES

_TOP, _HIGH = 1.0, 15.0  # em: above the plot, and its height
_ROOM = 1_000  # by which paths are drawn, across and down
_LETTER = 0.62  # em, about
_MARKS = 6  # moments that are named below
# By report: the title, the column of its values, and the unit of its axis; '': the currency.
_SHOWS = {
    "master": (pages.CURVE_WIN, "win", ""),
    "yield": (pages.CURVE_YIELD, "win_by_wagers", ""),
    "measures": (pages.CURVE_PACE, "hands_per_hour", pages.HANDS),
    "commission": (pages.CURVE_OWED, "outstanding", ""),
}


class Point(Struct, frozen=True):
    """A value at a moment; `band`: in which 95 of 100 such values are."""

    at: float  # seconds
    when: str
    value: float
    expected: float | None = None
    band: tuple[float, float] | None = None


def curve_of(
    database: Database, report: str, asked: Mapping[str, str | None], moment: Typed | None
) -> Markup | None:
    """The curve beside a report, or None if it has none, or has less than two points.

    Raises LedgerLost, ProjectionStopped, NotFit.
    """
    if report not in CURVES:
        return None
    narrowed = {name: asked.get(name) for name in ("table", "day", "from", "to")}
    answer = ask(
        database,
        CURVES[report],
        moment,
        lambda _: None,
        counted=None,
        wanted=None,
        session=None,
        or_behind=True,
        **narrowed,
    )
    with readable():
        points = [_point(each, ZoneInfo(answer.house.zone)) for each in answer.rows]
    title, column, unit = _SHOWS[report]
    if len(points) < 2:
        return None
    return drawn(title, column, points, "" if unit else answer.house.currency, unit)


def _point(row: Mapping[str, Any], zone: ZoneInfo) -> Point:
    low, high, expected = row.get("win_low"), row.get("win_high"), row.get("theoretical_win")
    if len(row["at"]) > len("2026-11-21"):
        moment = datetime.fromisoformat(row["at"]).astimezone(zone)
        at, when = moment.timestamp(), moment.strftime("%H:%M")
    else:
        day = date.fromisoformat(row["at"])
        at, when = day.toordinal() * 86_400.0, language.day(day)
    return Point(
        at=at,
        when=when,
        value=float(row["value"]),
        expected=None if expected is None else float(expected),
        band=None if low is None or high is None else (float(low), float(high)),
    )


def drawn(
    title: Words, column: str, points: Sequence[Point], currency: str, unit: Words | str = ""
) -> Markup:
    """A curve from left to right, with its ticks beside it; without a currency it is in `unit`."""
    values = [each.value for each in points]
    values += [each.expected for each in points if each.expected is not None]
    values += [end for each in points if each.band for end in each.band]
    scale, last = scale_of(values), points[-1]
    ticks = [(each, tick_words(each, currency)) for each in scale.ticks]
    wide = round(_LETTER * max(len(words) for _, words in ticks) + 0.6, 1)
    labels = [
        Markup('<text class="figure" x="{}em" y="{:.2f}em">{}</text>').format(
            wide - 0.5, _down(scale, each) + 0.35, words
        )
        for each, words in ticks
    ]
    return fragment(
        "plot_parts.html",
        "curve",
        title=title,
        unit=unit or currency,
        keys=keys_of(
            column,
            expected=any(each.expected is not None for each in points),
            banded=any(each.band for each in points),
        ),
        spoken=f"{shown(title)}: {last.when} {tick_words(last.value, currency)}",
        levels={"wide": wide, "drawn": Markup("").join(labels)},
        drawn=_within(points, scale, currency),
    )


def _within(points: Sequence[Point], scale: Scale, currency: str) -> Markup:
    """What is between the axes: ticks' lines, band, lines, marks; the moments are below."""
    begin, end = points[0].at, points[-1].at
    across = {each.at: (each.at - begin) / ((end - begin) or 1) for each in points}
    levels = [
        Markup('<line class="{}" x1="0" x2="100%" y1="{y}em" y2="{y}em"/>').format(
            "nought" if each == 0 else "level", y=f"{_down(scale, each):.2f}"
        )
        for each in scale.ticks
    ]
    return Markup("").join(
        (
            *levels,
            _paths(points, scale, across),
            *(_outside(each, scale, across[each.at], currency) for each in points),
            *_moments(points, across),
        )
    )


def _down(scale: Scale, value: float) -> float:
    """How far down a value is, in `em`."""
    return _TOP + _HIGH * (1 - scale.share(value))


def _paths(points: Sequence[Point], scale: Scale, across: Mapping[float, float]) -> Markup:
    """The band and the lines, drawn on a square that is stretched to the window."""

    def place(each: Point, value: float) -> str:
        return f"{_ROOM * across[each.at]:.1f} {_ROOM * (1 - scale.share(value)):.1f}"

    there = [place(each, each.band[1]) for each in points if each.band]
    back = [place(each, each.band[0]) for each in reversed(points) if each.band]
    paths = [
        ("band", [*there, *back], "Z"),
        ("expected", [place(p, p.expected) for p in points if p.expected is not None], ""),
        ("value", [place(each, each.value) for each in points], ""),
    ]
    return Markup(
        '<svg y="{}em" width="100%" height="{}em" viewBox="0 0 {room} {room}" '
        'preserveAspectRatio="none">{paths}</svg>'
    ).format(
        _TOP,
        _HIGH,
        room=_ROOM,
        paths=Markup("").join(
            Markup('<path class="{}" d="M{}{}"/>').format(kind, "L".join(places), ends)
            for kind, places, ends in paths
            if len(places) > 1
        ),
    )


def _outside(each: Point, scale: Scale, share: float, currency: str) -> Markup:
    """A mark where a value is outside of its band; its title says the value."""
    if each.band is None or each.band[0] <= each.value <= each.band[1]:
        return Markup("")
    return Markup(
        '<circle class="outside" cx="{}" cy="{:.2f}em" r=".35em"><title>{} {}</title></circle>'
    ).format(percent(share), _down(scale, each.value), each.when, tick_words(each.value, currency))


def _moments(points: Sequence[Point], across: Mapping[float, float]) -> list[Markup]:
    """The names under the axis: of some moments, the first and the last among them.

    A narrow window has fewer.
    """
    gaps = min(_MARKS, len(points)) - 1
    named = [points[round(n * (len(points) - 1) / gaps)] for n in range(gaps + 1)]
    return [
        Markup('<text class="when {}" x="{}" y="{}em">{}</text>').format(
            kind, percent(across[each.at]), _TOP + _HIGH + 1.5, each.when
        )
        for each, kind in zip(named, kinds_of_ticks(len(named)), strict=True)
    ]
