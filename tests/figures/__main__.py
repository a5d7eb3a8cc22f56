"""Prints the tables of `ops/manual/protection.md` and `aml.md`, or what is named of them.

Cheats: 100 evenings each. Honest: 1,000 shoes or patrons for each question. `worth`: what a perfect
counter makes. Launderers: 100 houses each, and 100 in which all are honest.
"""

import os
import sys
from collections import Counter
from concurrent.futures import ProcessPoolExecutor

from tests.figures import cards, counting, late, laundering, pairs, results, sides, trays

EVENINGS, HONEST = 100, 1_000
FILES = (cards, sides, counting, late, pairs, trays, results)


def coups_of(cheat: str, seed: int) -> int | None:
    """After how many coups it is seen in that evening; None: never."""
    [file] = [each for each in FILES if cheat in each.CHEATS]
    return file.CHEATS[cheat](seed)


def has_row(question: str, seed: int) -> bool:
    """Whether the honest one of that seed has a row."""
    [file] = [each for each in FILES if question in each.HONEST]
    return file.HONEST[question](seed)


def line(cheat: str, seen: list[int | None]) -> str:
    """A line of the table."""
    coups = sorted(each for each in seen if each is not None)
    power = f"{len(coups)} of {len(seen)}"
    if not coups:
        return f"| {cheat} | {power} | · | · |"
    return f"| {cheat} | {power} | {coups[len(coups) // 2]} | {coups[len(coups) * 9 // 10]} |"


def laundered(processes: ProcessPoolExecutor, asked: list[str]) -> None:
    """Prints the tables of `ops/manual/aml.md`."""
    print("\n| Pattern | Named | Visits, half of them | Visits, nine in ten |\n|---|---|---|---|")
    for pattern in laundering.LAUNDERERS:
        if not asked or pattern in asked:
            seeds = [pattern] * EVENINGS, range(EVENINGS)
            seen = processes.map(laundering.visits_until_named, *seeds)
            print(line(pattern, list(seen)), flush=True)
    if not asked or "honest" in asked:
        named = [*processes.map(laundering.honest_named, range(EVENINGS))]
        people, days = laundering.PATRONS, laundering.DAYS
        print(f"\nHonest patrons named in {days} days, of {people * EVENINGS:,}:", end=" ")
        print(len([who for every in named for _, who, _ in every]))
        by_pattern = Counter(pattern for every in named for pattern, *_ in every)
        print(", ".join(f"{pattern} {times}" for pattern, times in by_pattern.most_common()))
    for alert, honest in laundering.ALERTS.items():
        if not asked or alert in asked:
            every = [*processes.map(honest, range(EVENINGS))]
            alerts, days = (sum(each) for each in zip(*every, strict=True))
            print(f"\nAlerts `{alert}` on honest patrons' days: {alerts:,} of {days:,}")


def main(asked: list[str]) -> None:
    """Prints the tables."""
    with ProcessPoolExecutor(os.cpu_count()) as processes:
        print("| Cheat | Seen | Coups, half of them | Coups, nine in ten |\n|---|---|---|---|")
        for cheat in (name for file in FILES for name in file.CHEATS):
            if not asked or cheat in asked:
                seen = processes.map(coups_of, [cheat] * EVENINGS, range(EVENINGS))
                print(line(cheat, list(seen)), flush=True)
        print("\n| Question | Honest ones with a row |\n|---|---|")
        for question in (name for file in FILES for name in file.HONEST):
            if not asked or question in asked:
                rows = processes.map(has_row, [question] * HONEST, range(HONEST), chunksize=10)
                print(f"| {question} | {sum(rows)} of {HONEST:,} |", flush=True)
        laundered(processes, asked)
    if not asked or "worth" in asked:
        print("\n| Spot | Coups of a shoe with an edge | Stakes made in a shoe |\n|---|---|---|")
        for each in counting.worth_of("ez@1"):
            print(each)


if __name__ == "__main__":
    main(sys.argv[1:])
