"""The report: one self-contained page with the machine, every ratio, and every figure as a plot."""

import re
from collections.abc import Mapping, Sequence
from html import escape
from itertools import groupby

from tests.bench import svg
from tests.bench.figures import OURS, Figure
from tests.bench.parts import read_side
from tests.bench.ratios import Result
from tests.bench.rivals import emmett, limit, message_db, stock

_STYLE = """
body { font: 15px/1.5 system-ui, sans-serif; color: #1b2430; background: #fff;
       max-width: 840px; margin: 2rem auto; padding: 0 1rem; }
h1 { font-size: 1.6rem; margin-bottom: .2rem; }
h2 { margin-top: 2.4rem; border-bottom: 1px solid #d5dae1; }
h3 { font-size: 1rem; margin: 1.4rem 0 .3rem; } h3 p { margin: 0; }
 h3 small { font-weight: normal; color: #667; }
table { border-collapse: collapse; width: 100%; } td, th { padding: .25rem .6rem .25rem 0;
        text-align: left; vertical-align: top; border-bottom: 1px solid #e8ebef; }
td.number { text-align: right; font-variant-numeric: tabular-nums; white-space: nowrap; }
code { font: 13px ui-monospace, monospace; } p.note, td.note, td small { color: #667; }
svg { display: block; max-width: 100%; height: auto; }
svg text { font: 13px system-ui, sans-serif; fill: #1b2430; dominant-baseline: central; }
svg .name { text-anchor: end; } svg .tick { text-anchor: middle; fill: #667; font-size: 11px; }
svg text.ours { font-weight: 600; } svg .bar { fill: #b4bfcc; } svg .bar.ours { fill: #1f6f8b; }
svg .halo { stroke: #fff; stroke-width: 3.5; opacity: .6; }
svg .spread { stroke: #1b2430; stroke-width: 1.5; }
svg .grid { stroke: #e2e6eb; } svg .span { stroke: #b4bfcc; stroke-width: 2; }
svg .way-0 { fill: #1f6f8b; } svg .way-1 { fill: #d9822b; } svg .way-2 { fill: #98a4b3; }
"""


_CODE = r"<code>\1</code>"
_HOW_TO_READ = """
Every value is the median of repeats that took turns in one run of `scripts/bench`. The line in a
bar shows the smallest and the largest repeat; the number after it is the ratio to the first bar.
Below a ratio are the smallest and the largest ratio of single repeats. Ratios are valid for this
machine and this run.
"""
SABOT = """Sabot: the ledger's append, as its dispatcher calls it.

A process with a connection for each writer, as for all libraries that are called from Python. The
whole ledger has one order without gaps and a chain of hashes, and the command's answer is stored
with its events; the lock is released before the wait for the disk."""
WAYS = tuple(
    text or "" for text in (SABOT, stock.__doc__, message_db.__doc__, emmett.__doc__, limit.__doc__)
)


def page(
    head: Mapping[str, str],
    results: Sequence[Result],
    figures: Sequence[Figure],
    descriptions: Mapping[str, str],
) -> str:
    """The whole page, as XHTML; `descriptions`: a text about each part."""
    sections = [
        _section(part, list(each), descriptions)
        for part, each in groupby(figures, key=lambda each: each.part)
    ]
    return (
        '<!DOCTYPE html>\n<html xmlns="http://www.w3.org/1999/xhtml" lang="en"><head>'
        '<meta charset="utf-8"/><meta name="viewport" content="width=device-width"/>'
        f"<title>Sabot, measured</title><style>{_STYLE}</style></head><body>"
        "<h1>Sabot, measured</h1>"
        f"{_prose(_HOW_TO_READ)}"
        f"{_head(head)}<h2>Ratios</h2>{_ratios(results, figures)}{''.join(sections)}"
        f"<h2>How each library saves</h2>{''.join(map(_described, WAYS))}</body></html>\n"
    )


def _described(text: str) -> str:
    """A heading from the text's first line, and the rest as paragraphs."""
    title, _, rest = text.partition("\n\n")
    return f"<h3>{_prose(title)}</h3>{_prose(rest)}"


def _prose(text: str) -> str:
    """Paragraphs of HTML, with text in backticks as code."""
    paragraphs = (escape(each) for each in text.strip().split("\n\n"))
    return "".join(f"<p>{re.sub('`(.+?)`', _CODE, each)}</p>" for each in paragraphs)


def _head(head: Mapping[str, str]) -> str:
    rows = "".join(
        f"<tr><th>{escape(name)}</th><td>{escape(text)}</td></tr>" for name, text in head.items()
    )
    return f"<table>{rows}</table>"


def _ratios(results: Sequence[Result], figures: Sequence[Figure]) -> str:
    """The table of ratios of the measured parts."""
    rows: list[str] = []
    parts = {figure.part for figure in figures}
    for each in results:
        if each.ratio.part not in parts:
            continue
        value = "–" if each.value is None else number(each.value)
        if each.spread:
            low, high = each.spread
            value += f"<br/><small>{number(low)} to {number(high)}</small>"
        note = f'<br/><span class="note">{escape(each.why)}</span>' if each.why else ""
        rows.append(
            f"<tr><td><code>{escape(each.ratio.name)}</code></td>"
            f'<td class="number">{value}</td><td>{escape(each.ratio.description)}{note}</td></tr>'
        )
    return f"<table>{''.join(rows)}</table>"


def _section(part: str, figures: list[Figure], descriptions: Mapping[str, str]) -> str:
    reports = [each for each in figures if read_side.SMALL in each.runs and part == read_side.PART]
    plots = [_reports(reports)] if reports else []
    plots += [_figure(each) for each in figures if each not in reports]
    about = _prose(descriptions.get(part, ""))
    return f"<h2>{escape(part)}</h2>{about}{''.join(plots)}"


def _figure(figure: Figure) -> str:
    base = figure.median(figure.base)
    rows = []
    for way, runs in sorted(figure.runs.items(), key=lambda each: each[0] != figure.base):
        value = figure.median(way)
        if value is None:
            continue
        beside = f" · {number(value / base)}×" if base and way != figure.base else ""
        text = f"{number(value)} {figure.unit}{beside}"
        rows.append(svg.Bar(way, value, min(runs), max(runs), text, way.startswith(OURS)))
    skipped = "".join(
        f'<p class="note">{escape(way)}: {escape(why)}</p>' for way, why in figure.skipped.items()
    )
    better = "more is better" if figure.more_is_better else "less is better"
    plot = svg.bars(figure.name, rows) if rows else ""
    causes = _causes(figure.causes)
    return f"<h3>{escape(figure.name)} <small>{better}</small></h3>{plot}{skipped}{causes}"


def _causes(table: Sequence[Sequence[str]]) -> str:
    """The table of what the time is, its first row as its head."""
    rows = [
        "".join(f"<{cell}>{escape(text)}</{cell}>" for text in row)
        for row, cell in zip(table, ("th", *["td"] * len(table)), strict=False)
    ]
    return f"<table>{''.join(f'<tr>{row}</tr>' for row in rows)}</table>" if rows else ""


def _reports(figures: list[Figure]) -> str:
    """One plot with a row for each report."""
    ways = [
        way
        for way in (read_side.SMALL, read_side.LARGE, read_side.BESIDE)
        if any(way in each.runs for each in figures)
    ]
    rows = []
    for each in figures:
        values = {way: value for way in ways if (value := each.median(way)) is not None}
        small, large = values.get(read_side.SMALL), values.get(read_side.LARGE)
        growth = f"{number(large / small)}×" if small and large else ""
        rows.append(svg.Dots(each.name, values, growth))
    plot = svg.dots("every report for a gaming day", rows, ways)
    return (
        "<h3>every report for a gaming day, in ms <small>with the ratio of the large ledger's time "
        f"to the small one's</small></h3>{plot}"
    )


def number(value: float) -> str:
    """A number with three significant digits and thousands separators.

    >>> number(12345.6), number(0.01234), number(3.14159)
    ('12,346', '0.0123', '3.14')
    """
    return f"{value:,.0f}" if abs(value) >= 100 else f"{value:.3g}"
