"""Prints the tables of `ops/manual/protection.md`, or of the cheats and questions that are named.

Cheats: 100 evenings each. Honest: 1,000 shoes or patrons for each question. `worth`: what a perfect
counter makes.
"""

import os
import sys
from concurrent.futures import ProcessPoolExecutor

from tests.figures import cards, counting, late, pairs, results, sides, trays

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
    if not asked or "worth" in asked:
        print("\n| Spot | Coups of a shoe with an edge | Stakes made in a shoe |\n|---|---|---|")
        for each in counting.worth_of("ez@1"):
            print(each)


if __name__ == "__main__":
    main(sys.argv[1:])
