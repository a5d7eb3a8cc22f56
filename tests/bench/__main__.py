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
from tests.bench.machine import machine, noise, used_by_others
from tests.bench.page import number, page
from tests.bench.parts import (
    adjudicate,
    append,
    audit,
    clicks,
    commands,
    dear,
    door,
    feed,
    group,
    growth,
    memory,
    projecting,
    protection,
    read_side,
    replay,
    slow_disk,
    start_up,
    terminal,
)
from tests.bench.ratios import Result, ratios
from tests.bench.setting import Setting

PARTS = {
    part.PART: part
    for part in (
        *(append, slow_disk, commands, feed, projecting, protection, read_side, replay, audit),
        *(adjudicate, start_up, memory, terminal, clicks, door, dear, growth, group),
    )
}
PROGRESS = Console(stderr=True, highlight=False)


def options(arguments: Sequence[str] | None = None) -> argparse.Namespace:
    """The options as they were typed."""
    parser = argparse.ArgumentParser(
        prog="scripts/bench",
        description="Measures Sabot and others in turn, and prints ratios.",
        epilog=f"Parts: {', '.join(PARTS)}. Without a part, all of them are measured.",
    )
    parser.add_argument("part", nargs="*", metavar="PART")
    parser.add_argument("--quick", action="store_true", help="all in four minutes, less exact")
    parser.add_argument("--json", action="store_true", help="print JSON")
    parser.add_argument("--report", type=Path, metavar="FILE", help="write a page with plots")
    parser.add_argument(
        "--ledger",
        action="append",
        default=[],
        metavar="ADDRESS",
        help="a ledger to measure instead of a simulated one; give two, a small and a large one. "
        "The part read-side also writes to the first",
    )
    typed = parser.parse_args(arguments)
    unknown = [part for part in typed.part if part not in PARTS]
    if unknown:
        parser.error(f"there is no part {unknown[0]}; the parts are {', '.join(PARTS)}")
    return typed


def main() -> None:
    """Measures, prints, and writes the page if it is asked for."""
    typed = options()
    gc.disable()
    begun = time.monotonic()

    def say(text: str) -> None:
        PROGRESS.print(f"[dim]{time.monotonic() - begun:5.0f} s[/]  {text}")

    used = used_by_others()
    if warning := noise(used):
        say(warning)
    with Setting(say, quick=typed.quick, given=typed.ledger) as setting:
        head = machine(*setting.server_events())
        figures = [
            figure
            for name, part in PARTS.items()
            if name in (typed.part or PARTS)
            for figure in part.measure(setting)
        ]
    head["quiet"] = noise(used) or f"yes: others used {used:.0f}% of the machine"
    head["took"] = f"{time.monotonic() - begun:.0f} s{', --quick' if typed.quick else ''}"
    results = ratios(figures)
    if typed.json:
        print(json.dumps(as_dict(head, figures, results), indent=2))
    else:
        print_all(Console(highlight=False), head, figures, results)
    if typed.report:
        typed.report.write_text(page(head, results, figures, descriptions()), encoding="utf-8")
        say(f"the page is {typed.report}")
    sys.stdout.flush()


def descriptions() -> dict[str, str]:
    """The description of each part."""
    return {name: part.__doc__ or "" for name, part in PARTS.items()}


def as_dict(
    head: Mapping[str, str], figures: Sequence[Figure], results: Sequence[Result]
) -> dict[str, object]:
    """All results, the ratios last; null for one that was not measured, see `why`."""
    return {
        "machine": dict(head),
        "figures": [each.as_dict() for each in figures],
        "spread": {each.ratio.name: each.spread for each in results if each.spread},
        "why": {each.ratio.name: each.why for each in results if each.why},
        "ratios": {each.ratio.name: each.value for each in results},
    }


def print_all(
    console: Console, head: Mapping[str, str], figures: Sequence[Figure], results: Sequence[Result]
) -> None:
    """Prints the machine, every figure, and the ratios of the measured parts."""
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
        for row in figure.causes:
            console.print(f"    {' | '.join(row)}", soft_wrap=True, style="dim")
    parts = {figure.part for figure in figures}
    console.print("\nratios", style="bold")
    for each in results:
        if each.ratio.part in parts:
            shown = f"null, {each.why}" if each.value is None else number(each.value)
            low, high = each.spread or (0, 0)
            single = f"   ({number(low)} to {number(high)} in single repeats)" if high else ""
            console.print(f"  {each.ratio.name:<44} {shown:<8}{single}", soft_wrap=True)


if __name__ == "__main__":
    main()
