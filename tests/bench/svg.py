"""Plots as SVG: bars with the spread of their repeats, and dots on a logarithmic scale."""

import math
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from html import escape

WIDTH, NAMES, VALUES = 800, 230, 200  # pixels: of all, of the names at the left, the values right
ROW, BAR = 24, 14
_FIELD = WIDTH - NAMES - VALUES


@dataclass(frozen=True)
class Bar:
    """A way: its median, its smallest and largest repeat, and the text after the bar."""

    name: str
    value: float
    low: float
    high: float
    text: str
    ours: bool = False


def bars(title: str, rows: Sequence[Bar]) -> str:
    """Horizontal bars from zero, in one unit, with the spread of the repeats as a line."""
    most = max((each.high for each in rows), default=1.0) or 1.0
    body = []
    for n, each in enumerate(rows):
        y = n * ROW
        length, low, high = (_FIELD * v / most for v in (each.value, each.low, each.high))
        middle = y + ROW / 2
        body += [
            _text(NAMES - 8, middle, each.name, "name ours" if each.ours else "name"),
            f'<rect x="{NAMES}" y="{y + (ROW - BAR) / 2:.1f}" width="{max(length, 1):.1f}" '
            f'height="{BAR}" class="{"bar ours" if each.ours else "bar"}"/>',
            f'<path d="M{NAMES + low:.1f} {middle:.1f}H{NAMES + high:.1f}" class="halo"/>',
            f'<path d="M{NAMES + low:.1f} {middle:.1f}H{NAMES + high:.1f}" class="spread"/>',
            _text(NAMES + _FIELD + 10, middle, each.text, "value"),
        ]
    return _svg(title, len(rows) * ROW, body)


@dataclass(frozen=True)
class Dots:
    """A row of dots: its name, a value for each way, and the text after the dots."""

    name: str
    values: dict[str, float]
    text: str


def dots(title: str, rows: Sequence[Dots], ways: Sequence[str]) -> str:
    """A row for each thing, a dot for each way, on one logarithmic scale."""
    positive = [value for each in rows for value in each.values.values() if value > 0]
    low = math.floor(math.log10(min(positive, default=1.0)))
    high = max(math.ceil(math.log10(max(positive, default=10.0))), low + 1)

    def x(value: float) -> float:
        return NAMES + _FIELD * (math.log10(value) - low) / (high - low)

    top, bottom = ROW, ROW + len(rows) * ROW
    body = []
    for power in range(low, high + 1):
        at = x(10.0**power)
        body.append(f'<path d="M{at:.1f} {top}V{bottom}" class="grid"/>')
        body.append(_text(at, bottom + 12, f"{10.0**power:g}", "tick"))
    for n, way in enumerate(ways):
        at = NAMES + n * 170
        body.append(f'<circle cx="{at}" cy="{ROW / 2}" r="5" class="dot way-{n}"/>')
        body.append(_text(at + 10, ROW / 2, way, "value"))
    for n, row in enumerate(rows):
        y = top + n * ROW + ROW / 2
        body.append(_text(NAMES - 8, y, row.name, "name"))
        places = [x(value) for value in row.values.values() if value > 0]
        if places:
            body.append(f'<path d="M{min(places):.1f} {y}H{max(places):.1f}" class="span"/>')
        body += [
            f'<circle cx="{x(row.values[way]):.1f}" cy="{y}" r="5" class="dot way-{m}"/>'
            for m, way in enumerate(ways)
            if row.values.get(way, 0) > 0
        ]
        body.append(_text(NAMES + _FIELD + 10, y, row.text, "value"))
    return _svg(title, bottom + 24, body)


def _text(x: float, y: float, text: str, kind: str) -> str:
    return f'<text x="{x:.1f}" y="{y:.1f}" class="{kind}">{escape(text)}</text>'


def _svg(title: str, height: float, body: Iterable[str]) -> str:
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {WIDTH} {height:g}" '
        f'width="{WIDTH}" height="{height:g}" role="img"><title>{escape(title)}</title>'
        f"{''.join(body)}</svg>"
    )
