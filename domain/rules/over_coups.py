"""A bet on the next coups of its shoe: what its lines pay, and when it is decided (R-BET-9).

>>> bet, table = OverCoups(coups=3, wins="banker wins"), (PayLine("won 3", (8, 1)),)
>>> judge_coups(bet, table, Score(counted=1))
Decided(line=None)
>>> judge_coups(bet, table, Score(counted=2, won=2, in_a_row=2)) is None
True
"""

import re
from collections.abc import Iterable
from typing import Literal

from msgspec import Struct

from domain.rules.conditions import condition
from domain.rules.hands import Result
from domain.rules.wagers import PUSH, PayLine, PayTable

_LINE = re.compile(r"(?P<what>won|in a row) (?P<n>[0-9]{1,2})(?P<or_more> or more)?", re.ASCII)
RETURNED = PayLine("not decided", PUSH)


class OverCoups(Struct, frozen=True, kw_only=True, omit_defaults=True):
    """The terms of a bet on the next coups; its pay table is read from the top.

    The stake wins by `won 3`, `won 2 or more`: of all its coups; by `in a row 4`, `in a row 4 or
    more`: from its first coup on, until one is not won. A void coup is not one of its coups.
    """

    coups: int
    wins: str  # the condition by which it wins a coup
    skips: str = ""  # that of coups which are not counted; empty: all are
    at_end: Literal["returned", "lost"] = "returned"  # what is not decided then


class Score(Struct, frozen=True):
    """How such a bet is doing: the coups counted so far, those won, and those won in a row."""

    counted: int = 0
    won: int = 0
    in_a_row: int = 0  # from its first coup on

    def after(self, *, won: bool) -> "Score":
        """How it is doing after one more counted coup."""
        unbroken = self.in_a_row == self.counted
        return Score(
            self.counted + 1,
            self.won + won,
            self.in_a_row + 1 if won and unbroken else self.in_a_row,
        )


class Run(Struct, frozen=True):
    """What a bet brings along from the coups before, or by which it was counted anew.

    `recounted`: all coups that decide it, after one of them was put right; None: it never was.
    `until`: the number of the last coup that had been dealt then. Later ones never count.
    """

    placed_in: int  # the number of the coup
    before: Score
    recounted: Score | None = None
    until: int = 0  # 0: it was never counted anew


class Decided(Struct, frozen=True):
    """The line that decided a bet; None: it loses."""

    line: PayLine | None


def score(bet: OverCoups, results: Iterable[Result], now: Score = Score()) -> Score:  # noqa: B008
    """How a bet is doing after these coups; void ones are not among them."""
    for result in results:
        skipped = bool(bet.skips) and condition(bet.skips).holds(result)
        if not skipped and now.counted < bet.coups:
            now = now.after(won=condition(bet.wins).holds(result))
    return now


def score_with(bet: OverCoups, result: Result, run: Run | None) -> Score:
    """How a bet is doing with the coup in which it lies; `run`: None if it was placed there."""
    if run and run.recounted:
        return run.recounted
    return score(bet, [result], run.before if run else Score())


def judge_coups(bet: OverCoups, table: PayTable, now: Score) -> Decided | None:
    """The line that decides a bet, as soon as no coup to come can change it; None: it goes on."""
    ends = {now}
    for _ in range(bet.coups - now.counted):
        ends = {each.after(won=won) for each in ends for won in (True, False)}
    lines = {_line_of(table, each) for each in ends}
    return Decided(lines.pop()) if len(lines) == 1 else None


def line_at_end(bet: OverCoups, table: PayTable, now: Score) -> PayLine | None:
    """The line that pays a bet of which no coup comes any more; None: it loses."""
    if decided := judge_coups(bet, table, now):
        return decided.line
    return RETURNED if bet.at_end == "returned" else None


def is_line(when: str) -> bool:
    """Whether a line of a pay table can be read, as `won 3` or `in a row 4 or more`."""
    return _LINE.fullmatch(when) is not None


def _line_of(table: PayTable, end: Score) -> PayLine | None:
    return next((line for line in table if _fits(line.when, end)), None)


def _fits(when: str, end: Score) -> bool:
    read = _LINE.fullmatch(when)
    if read is None:
        msg = f"a line over several coups is like `won 3` or `in a row 4 or more`, not {when!r}"
        raise ValueError(msg)
    count, n = end.won if read["what"] == "won" else end.in_a_row, int(read["n"])
    return count >= n if read["or_more"] else count == n
