"""Dealers who overpay, and those who only err; the tray is counted each 40 coups."""

from collections.abc import Iterator
from functools import partial
from itertools import pairwise

from domain.review.protection.trays import OnShort, TrayCount
from domain.rules.protection_levels import SELDOM, TRAY_SHORT
from ops.simulation.cheats import ERRING, OVERPAYING
from ops.simulation.run import Plan

LONGEST, HONEST_COUPS = 30_000, 4_000  # of a dealer


def _offs(cheat: str, seed: int, table: int, coups: int) -> Iterator[int]:
    """By how much the tray of a table is off, when it opened and at each count."""
    plan = Plan(tables=2, coups=coups, seed=seed, cheat=cheat)
    evening = plan.evening(table, plan.day)
    yield evening.off
    for line in evening.lines():
        if line["command"] == "table.shift-count":
            yield evening.off


def _seen_after(offs: Iterator[int]) -> int | None:
    """After how many coups."""
    beside = OnShort()
    for number, (before, now) in enumerate(pairwise(offs), 1):
        each = ERRING.counts_every
        beside = beside.after(TrayCount(now - before, each, each))
        if beside.held >= SELDOM:
            return number * each
    return None


def _cheat(cheat: str, seed: int) -> int | None:
    return _seen_after(_offs(cheat, seed, 1, LONGEST))


def _as_short(seed: int) -> bool:
    cheat = next(iter(OVERPAYING))
    return _seen_after(_offs(cheat, seed, 2, HONEST_COUPS)) is not None  # table 2 is honest


CHEATS = {name: partial(_cheat, name) for name in OVERPAYING}
HONEST = {TRAY_SHORT: _as_short}
