"""`scripts/bench [PART…]`: measures, prints ratios, and writes them as JSON or as a page."""

import argparse
import gc
import json
import sys
import time
from collections.abc import Mapping, Sequence
from pathlib import Path

from rich.console import Console

from tests.bench.figures import Figure
from tests.bench.machine import machine
from tests.bench.page import number, page
from tests.bench.parts import (
    adjudicate,
    append,
    audit,
    commands,
    feed,
    memory,
    projecting,
    read_side,
    replay,
    slow_disk,
    start_up,
    terminal,
)
from tests.bench.ratios import Found, ratios
from tests.bench.setting import Setting

PARTS = {
    part.PART: part
    for part in (
        *(append, slow_disk, commands, feed, projecting, read_side, replay, audit, adjudicate),
        *(start_up, memory, terminal),
    )
}
ALONE = Console(stderr=True, highlight=False)


def asked(arguments: Sequence[str] | None = None) -> argparse.Namespace:
    """What is typed."""
    parser = argparse.ArgumentParser(
        prog="scripts/bench",
        description="Measures Sabot beside others, in turn, and gives ratios.",
        epilog=f"Parts: {', '.join(PARTS)}; without one all of them.",
    )
    parser.add_argument("part", nargs="*", metavar="PART")
    parser.add_argument("--quick", action="store_true", help="all in a minute and a half")
    parser.add_argument("--json", action="store_true", help="print JSON")
    parser.add_argument("--report", type=Path, metavar="FILE", help="write a page with plots")
    parser.add_argument(
        "--ledger",
        action="append",
        default=[],
        metavar="ADDRESS",
        help="a ledger to read instead of one that is made up; twice: a small and a large one. "
        "read-side also writes to the first",
    )
    typed = parser.parse_args(arguments)
    unknown = [part for part in typed.part if part not in PARTS]
    if unknown:
        parser.error(f"there is no part {unknown[0]}; there are {', '.join(PARTS)}")
    return typed


def main() -> None:
    """Measures what is asked for."""
    typed = asked()
    gc.disable()
    begun = time.monotonic()

    def say(text: str) -> None:
        ALONE.print(f"[dim]{time.monotonic() - begun:5.0f} s[/]  {text}")

    with Setting(say, quick=typed.quick, given=typed.ledger) as setting:
        head = machine(*setting.server_events())
        figures = [
            figure
            for name, part in PARTS.items()
            if name in (typed.part or PARTS)
            for figure in part.measure(setting)
        ]
    head["took"] = f"{time.monotonic() - begun:.0f} s{', --quick' if typed.quick else ''}"
    found = ratios(figures)
    if typed.json:
        print(json.dumps(as_dict(head, figures, found), indent=2))
    else:
        tell(Console(highlight=False), head, figures, found)
    if typed.report:
        typed.report.write_text(page(head, found, figures, said()), encoding="utf-8")
        say(f"the page is {typed.report}")
    sys.stdout.flush()


def said() -> dict[str, str]:
    """What each part is, in its own words."""
    return {name: part.__doc__ or "" for name, part in PARTS.items()}


def as_dict(
    head: Mapping[str, str], figures: Sequence[Figure], found: Sequence[Found]
) -> dict[str, object]:
    """Everything, the ratios last; one that was not measured is null, and `why` says why."""
    return {
        "machine": dict(head),
        "figures": [each.as_dict() for each in figures],
        "spread": {each.ratio.name: each.spread for each in found if each.spread},
        "why": {each.ratio.name: each.why for each in found if each.why},
        "ratios": {each.ratio.name: each.value for each in found},
    }


def tell(
    console: Console, head: Mapping[str, str], figures: Sequence[Figure], found: Sequence[Found]
) -> None:
    """The machine, every figure, and the ratios of what was asked for."""
    for name, text in head.items():
        console.print(f"{name:<11} {text}", soft_wrap=True)
    for figure in figures:
        console.print(f"\n{figure.part}: {figure.name}", soft_wrap=True, style="bold")
        base = figure.median(figure.base)
        for way in (*figure.runs, *figure.skipped):
            value = figure.median(way)
            if value is None:
                console.print(f"  {way:<40} {figure.why_not(way)}", soft_wrap=True)
                continue
            beside = f" {number(value / base):>9}×" if base and way != figure.base else ""
            console.print(
                f"  {way:<40} {number(value):>9} {figure.unit:<12}{beside}", soft_wrap=True
            )
    parts = {figure.part for figure in figures}
    console.print("\nratios", style="bold")
    for each in found:
        if each.ratio.part in parts:
            shown = f"null, {each.why}" if each.value is None else number(each.value)
            low, high = each.spread or (0, 0)
            single = f"   ({number(low)} to {number(high)} in single repeats)" if high else ""
            console.print(f"  {each.ratio.name:<44} {shown:<8}{single}", soft_wrap=True)


if __name__ == "__main__":
    main()
