"""Curves over time beside a report, as SVG: a value, and what it is compared with."""

from collections.abc import Callable, Mapping, Sequence
from datetime import date, datetime
from typing import Any
from zoneinfo import ZoneInfo

from markupsafe import Markup
from msgspec import Struct

from ops.ledger.database import Database
from ops.reports.ask import ReportAnswer, ask
from ops.reports.moments import Typed
from ops.reports.readable import readable
from ops.words import language, pages
from ops.words.language import shown
from projections.money.curves import CURVES

_LEFT, _RIGHT, _TOP, _WIDE, _HIGH, _BELOW = 110, 50, 10, 630, 200, 26  # pixels
_MARKS = 6  # moments that are named below
_TITLES = {
    "master": pages.CURVE_WIN,
    "measures": pages.CURVE_PACE,
    "commission": pages.CURVE_OWED,
}
Words = Callable[[float], str]


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
    answer = ask(database, CURVES[report], moment, lambda _: None, counted=None, **narrowed)
    with readable():
        points = [_point(each, ZoneInfo(answer.house.zone)) for each in answer.rows]
    return drawn(shown(_TITLES[report]), points, _words(answer)) if len(points) > 1 else None


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


def _words(answer: ReportAnswer) -> Words:
    if "value" in answer.report.money:
        return lambda value: language.amount(round(value), answer.house.currency, short=True)
    return lambda value: language.marked(f"{value:.0f}")


def drawn(title: str, points: Sequence[Point], words: Words) -> Markup:
    """A curve from left to right, with nought on its scale."""
    values = [0.0, *(each.value for each in points)]
    values += [each.expected for each in points if each.expected is not None]
    values += [end for each in points if each.band for end in each.band]
    least, most = min(values), max(values)
    tall = _HIGH / ((most - least) or 1)
    begin, end = points[0].at, points[-1].at
    wide = _WIDE / ((end - begin) or 1)

    def x(each: Point) -> str:
        return f"{_LEFT + (each.at - begin) * wide:.1f}"

    def y(value: float) -> str:
        return f"{_TOP + (most - value) * tall:.1f}"

    banded = [each for each in points if each.band]
    parts = [
        *(_level(value, y(value), words) for value in sorted({least, 0.0, most})),
        _band(banded, x, y),
        _line("expected", [(x(p), y(p.expected)) for p in points if p.expected is not None]),
        _line("value", [(x(p), y(p.value)) for p in points]),
        *(_outside(each, x(each), y(each.value), words) for each in banded),
        *_moments(points, x),
    ]
    size = Markup("0 0 {} {}").format(_LEFT + _WIDE + _RIGHT, _TOP + _HIGH + _BELOW)
    last = points[-1]
    spoken = f"{title}: {last.when} {words(last.value)}"
    return Markup(
        '<figure class="plot curve"><figcaption>{}</figcaption>'
        '<svg viewBox="{}" role="img" aria-label="{}">{}</svg></figure>'
    ).format(title, size, spoken, Markup("").join(parts))


def _level(value: float, y: str, words: Words) -> Markup:
    kind = "nought" if value == 0 else "level"
    return Markup(
        '<path class="{}" d="M{} {}h{}"/><text class="figure" x="{}" y="{}">{}</text>'
    ).format(kind, _LEFT, y, _WIDE, _LEFT - 8, f"{float(y) + 4:.1f}", words(value))


def _band(points: Sequence[Point], x: Callable[[Point], str], y: Callable[[float], str]) -> Markup:
    if len(points) < 2:
        return Markup("")
    there = [f"{x(each)} {y(each.band[1])}" for each in points if each.band]
    back = [f"{x(each)} {y(each.band[0])}" for each in reversed(points) if each.band]
    return Markup('<path class="band" d="M{}Z"/>').format("L".join([*there, *back]))


def _line(kind: str, places: Sequence[tuple[str, str]]) -> Markup:
    if len(places) < 2:
        return Markup("")
    return Markup('<path class="{}" d="M{}"/>').format(kind, "L".join(map(" ".join, places)))


def _outside(each: Point, x: str, y: str, words: Words) -> Markup:
    """A mark where a value is outside of its band; its title says the value."""
    assert each.band is not None
    if each.band[0] <= each.value <= each.band[1]:
        return Markup("")
    return Markup(
        '<circle class="outside" cx="{}" cy="{}" r="5"><title>{} {}</title></circle>'
    ).format(x, y, each.when, words(each.value))


def _moments(points: Sequence[Point], x: Callable[[Point], str]) -> list[Markup]:
    """The names of a few moments below, the first and the last among them."""
    gaps = min(_MARKS, len(points)) - 1
    named = [points[round(n * (len(points) - 1) / gaps)] for n in range(gaps + 1)]
    return [
        Markup('<text class="when" x="{}" y="{}">{}</text>').format(
            x(each), _TOP + _HIGH + 18, each.when
        )
        for each in named
    ]
