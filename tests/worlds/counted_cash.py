"""What `aml-patterns` counts, counted from the cash itself: for tests, and for its figures."""

from collections import Counter, defaultdict
from collections.abc import Iterable, Mapping
from datetime import datetime, timedelta
from itertools import combinations
from typing import NamedTuple

from domain.rules.protection_levels import ONE_OF_THE_NAMED
from ops.reports.beside import unlike

LIMIT = 10_000_00  # more than it is reported
LEAST = LIMIT // 10
NEAR = timedelta(minutes=30)
Who = tuple[str, str, str | None]  # pattern, patron, and the other one of two


class Moved(NamedTuple):
    """A buy-in or a cash-out."""

    day: str
    table: str
    patron: str
    direction: str
    amount: int
    at: datetime


class Played(NamedTuple):
    """What a patron staked and won on a day."""

    staked: int = 0
    won: int = 0


class CountedCash:
    """How often each pattern held, of how many occasions, with how much cash."""

    def __init__(
        self, moved: Iterable[Moved], played: Mapping[tuple[str, str], Played] | None = None
    ) -> None:
        self.times: Counter[Who] = Counter()
        self.of: Counter[Who] = Counter()
        self.cash: Counter[Who] = Counter()
        by_day, bought = defaultdict(list), defaultdict(list)
        for each in moved:
            by_day[each.day, each.patron, each.direction].append(each)
            if each.direction == "in":
                bought[each.day].append(each)
        for (day, patron, direction), pieces in by_day.items():
            out = sum(each.amount for each in by_day.get((day, patron, "out"), ()))
            self._of_a_day(pieces, direction, out, (played or {}).get((patron, day), Played()))
        for every in bought.values():
            self._of_two(every)

    def _of_a_day(self, pieces: list[Moved], direction: str, out: int, played: Played) -> None:
        patron, total = pieces[0].patron, sum(each.amount for each in pieces)
        if LIMIT * 0.7 <= total <= LIMIT * 1.3:
            self._one("just-under", patron, total, held=LIMIT * 0.9 <= total <= LIMIT)
        if total > LIMIT:
            split = len({each.table for each in pieces}) > 1
            split &= all(each.amount <= LIMIT for each in pieces)
            self._one("in-pieces", patron, total, held=split)
        if direction == "in" and total >= LEAST:
            self._one("little-play", patron, total, held=played.staked < total)
            taken = total - out + played.won
            self._one("chips-taken", patron, total, held=taken * 2 >= total)

    def _one(
        self, pattern: str, patron: str, total: int, *, held: bool, beside: str | None = None
    ) -> None:
        who = pattern, patron, beside
        self.of[who] += 1
        if held:
            self.times[who] += 1
            self.cash[who] += total

    def _of_two(self, every: list[Moved]) -> None:
        best: dict[Who, int] = {}  # 0: near one another, and nothing is shared
        for one, other in combinations(every, 2):
            near = one.table == other.table and abs(one.at - other.at) <= NEAR
            if near and one.patron != other.patron:
                a, b = sorted((one.patron, other.patron))
                total, largest = one.amount + other.amount, max(one.amount, other.amount)
                shared = total if largest < LIMIT < total else 0
                who = "two-together", a, b
                best[who] = max(best.get(who, 0), shared)
        for (pattern, a, b), total in best.items():
            self._one(pattern, a, total, held=total > 0, beside=b)

    @property
    def rows(self) -> dict[Who, tuple[int, int, int]]:
        """Times, occasions and cash of all who have a row."""
        return {
            who: (times, self.of[who], self.cash[who])
            for who, times in self.times.items()
            if times > 1
        }

    @property
    def named(self) -> set[Who]:
        """Whom the report names."""
        times, of = Counter[str](), Counter[str]()
        for (pattern, *_), n in self.of.items():
            of[pattern] += n
        for (pattern, *_), n in self.times.items():
            times[pattern] += n
        asked = [
            {
                "times": n,
                "of": occasions,
                "others_times": times[who[0]] - n,
                "others_of": of[who[0]] - occasions,
                "tests": len(self.of),
                "one_in": ONE_OF_THE_NAMED,
            }
            for who, (n, occasions, _) in self.rows.items()
        ]
        return {who for who, row in zip(self.rows, unlike(asked), strict=True) if row["named"]}
