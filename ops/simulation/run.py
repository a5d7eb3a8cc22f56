"""Evenings for many tables from one seed, sent by one process or by several at once.

The same seed gives the same lines with any number of processes: each table has a random generator
of its own for each gaming day, and stays with one process.
"""

import heapq
import multiprocessing
import multiprocessing.connection
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping
from datetime import date, timedelta
from random import Random
from typing import Any

from msgspec import Struct, field
from msgspec.structs import replace

from domain.rules.house_rules import RULE_SETS, HouseRules
from ops.commands.casino import Casino
from ops.commands.read import Line
from ops.handlers.dispatcher import Dispatcher
from ops.ledger.database import Database, LedgerLost, NotFit
from ops.ledger.recorder import Ledger
from ops.simulation.cheats import (
    CASHES,
    COLLUDING_PAIR,
    COUNTING,
    EDGE_SORTER,
    ERRING,
    FALSE_SHUFFLE,
    HONEST,
    KNOWING,
    LAUNDERING,
    OVERPAYING,
    OVERPAYS,
    PAST_POSTER,
    POSTS,
    SHUFFLES,
    SIGNALLING,
    false_shuffle,
)
from ops.simulation.electronic import ElectronicEvening
from ops.simulation.evening import DealtShoe, Evening
from ops.simulation.habits import Habit, Hands
from ops.words.failure import Failure

CHANNEL = "simulate"
PATIENCE = 15.0  # seconds
FIRST_DAY = date(2026, 11, 21)
EXPECTED = frozenset(
    {
        *("OverMaximum", "NotAnIncrement", "SeatEmpty", "BettingClosed", "CardNotDue"),
        *("BothSides", "AccountShort"),
    }
)


class Plan(Struct, frozen=True):
    """The simulation's size and seed; `coups` is per table and gaming day.

    `electronic`: patrons bet from game accounts. `cheat`: what is wrong at the first table, by
    its name in `CHEATS`; '': nothing. `cheat_at`: how many cards come before those that a false
    shuffle keeps, or in one of how many wins a dealer overpays; 0: as `cheats` has it.
    """

    tables: int
    coups: int
    seed: int
    day: date = FIRST_DAY
    days: int = 1
    trouble: float = 0.05
    electronic: bool = False
    cheat: str = ""
    cheat_at: int = 0

    def evening(self, number: int, day: date, left: Mapping[str, int] | None = None) -> Evening:
        """One gaming day of one table, numbered from 1; a table keeps its rules and patrons.

        `left`: the chips in its tray after the evening before.
        """
        whose = Random(f"{self.seed}/{number}")  # noqa: S311  (made up, not shuffled for money)
        made, letter, serial = (
            (ElectronicEvening, "E", "KE") if self.electronic else (Evening, "S", "K")
        )
        every = sorted(RULE_SETS.values(), key=lambda each: each.name)
        rules = whose.choice([each for each in every if each.accounts or not self.electronic])
        cheat = self.cheat if number == 1 else ""
        dealt_by, _ = {**COUNTING, **SIGNALLING}.get(cheat, (rules.name, None))
        if self.cheat in LAUNDERING:
            dealt_by = "big-table@1"  # whose tray is large enough for so much cash
        rules = RULE_SETS[dealt_by]
        patrons = tuple(_patrons(rules, whose, number, crowded=cheat == PAST_POSTER))
        random = Random(f"{self.seed}/{number}/{day}")  # noqa: S311
        shoes = _shoes(rules, random, f"{serial}-{day:%Y%m%d}-{number}")
        if cheat == FALSE_SHUFFLE:
            shoes = false_shuffle(shoes, random, self.cheat_at)
        elif cheat in SHUFFLES:
            shoes = SHUFFLES[cheat](shoes, random)
        elif cheat == COLLUDING_PAIR:
            patrons = _with_a_pair(*patrons)
        elif self.cheat in LAUNDERING:
            patrons = self._laundering(number, patrons, random)
        else:
            patrons = (_cheating(patrons[0], cheat), *patrons[1:])
        return made(
            table=f"{letter}{number:02}",
            day=day,
            rules=rules,
            patrons=patrons,
            shoes=shoes,
            random=random,
            most_coups=self.coups,
            trouble=self.trouble,
            dealer=f"D-{200 + number}",
            name=f"seed-{self.seed}",
            hands=self._hands(cheat),
            left=dict(left or {}),
        )

    def _laundering(
        self, number: int, patrons: tuple[Habit, ...], random: Random
    ) -> tuple[Habit, ...]:
        """Everybody brings what they have that evening; those who launder, what is to be clean.

        Over several tables it is the first patron of the first one, who goes from one to the next.
        """
        how = LAUNDERING[self.cheat]
        every = [_honest(each, random, cashes=how.keeps) for each in patrons]
        if number > how.tables:
            return tuple(every)
        until = None if number == how.tables else self.coups * number // how.tables
        here = (self.coups * (number - 1) // how.tables, until)
        dirty = {"brings": how.brings, "passes": how.passes, "cashes": False, "here": here}
        every[: how.several] = [replace(each, **dirty) for each in every[: how.several]]
        if how.offset:
            every[1] = replace(every[1], stakes=every[0].stakes, offsets=every[0].seat)
        if number > 1:
            first = self.evening(1, self.day).patrons[0].patron
            every = [*every[1:], replace(every[0], patron=first)]
        return tuple(every)

    def _hands(self, cheat: str) -> Hands:
        """How exactly a dealer pays; `cheat`: at their table."""
        often = OVERPAYING.get(cheat, 0.0)
        if cheat == OVERPAYS and self.cheat_at:
            often = 1 / self.cheat_at
        return replace(ERRING if self.cheat in OVERPAYING else Hands(), overpays=often)

    def lines(self, tables: Iterable[int]) -> Iterator[Line]:
        """The lines of these tables, merged in the order in which they happened."""
        numbers = tuple(tables)
        left: dict[int, dict[str, int]] = {}
        for night in range(self.days):
            day = self.day + timedelta(days=night)
            evenings = [self.evening(number, day, left.get(number)) for number in numbers]
            lines = (each.lines() for each in evenings)
            yield from heapq.merge(*lines, key=lambda line: (line["at"], line["table"]))
            left = {n: each.left for n, each in zip(numbers, evenings, strict=True)}


def _patrons(rules: HouseRules, random: Random, number: int, *, crowded: bool) -> Iterator[Habit]:
    least, step = rules.main.minimum, rules.increment
    most = min(6, len(rules.seats) - 2)
    seats = random.sample(rules.seats[1:], k=most if crowded else random.randint(2, most))
    for seat in sorted(seats):
        bets = tuple(
            least + step * random.randrange(0, 40) * max(least // step // 4, 1) for _ in range(3)
        )
        yield Habit(
            seat=seat,
            patron=f"P-{number}{seat:02}",
            banker=random.random(),
            stakes=tuple(min(bet, rules.main.maximum) // step * step for bet in bets),
            tie=step * random.choice((0, 1, 5)),
            dragon=step * random.choice((0, 1, 10)),
            pays_often=random.random() < 0.4,
        )


def _cheating(first: Habit, cheat: str) -> Habit:
    """A table's first patron, who cheats so."""
    if cheat in KNOWING:
        return replace(first, knows=KNOWING[cheat])
    if cheat in COUNTING:
        return replace(first, counts=COUNTING[cheat][1], tie=0)
    if cheat in SIGNALLING:
        return replace(first, learns_ties=SIGNALLING[cheat][1])
    posts = POSTS if cheat == PAST_POSTER else 0.0
    return replace(first, sorts=cheat == EDGE_SORTER, posts=posts)


def _honest(habit: Habit, random: Random, *, cashes: bool) -> Habit:
    """A patron of a house where some launder, as they come that evening.

    `cashes`: most evenings they cash out at the table; else all chips go to the cage.
    """
    brings = random.randrange(*HONEST) * 100_00
    return replace(habit, brings=brings, cashes=cashes and random.random() < CASHES)


def _with_a_pair(first: Habit, second: Habit, *others: Habit) -> tuple[Habit, ...]:
    """The second one offsets what the first one bets; the others come and go by themselves."""
    offsets = replace(second, stakes=first.stakes, offsets=first.seat)
    return (first, offsets, *(replace(each, apart=420.0) for each in others))


def _shoes(rules: HouseRules, random: Random, serial: str) -> Iterator[DealtShoe]:
    shoe = 0
    while True:
        shoe += 1
        yield DealtShoe.shuffled(f"{serial}-{shoe}", rules.decks, random)


class Summary(Struct):
    """The result: lines sent, coups settled, refusals by error, and unexpected answers."""

    lines: int = 0
    settled: int = 0
    refused: Counter[str] = field(default_factory=Counter)
    unexpected: list[str] = field(default_factory=list)

    def add(self, other: "Summary") -> None:
        """Adds the result of another process."""
        self.lines += other.lines
        self.settled += other.settled
        self.refused += other.refused
        self.unexpected += other.unexpected


def dispatch_all(
    dispatch: Callable[[Line], Any], lines: Iterable[Line], progress: Callable[[int], None]
) -> Summary:
    """Sends lines in order; `progress` is called with each hundred.

    A table whose opening is refused, as before what was recorded later, is left out.
    """
    summary, not_open = Summary(), set[str]()
    for line in lines:
        if line["table"] in not_open:
            continue
        answer = dispatch(line)
        summary.lines += 1
        if answer.ok:
            summary.settled += line["command"] == "settle"
        else:
            error = answer.error
            summary.refused[error] += 1
            if error not in EXPECTED:
                summary.unexpected.append(str(answer))
                if line["command"] == "table.open":
                    not_open.add(line["table"])
        if summary.lines % 100 == 0:
            progress(100)
    progress(summary.lines % 100)
    return summary


def dispatch_in_processes(
    url: str | None,
    plan: Plan,
    processes: int,
    progress: Callable[[int], None],
    patience: float = PATIENCE,
) -> Summary:
    """Gives each process some of the tables; all of them write to one ledger at once.

    Each waits `patience` seconds for a lost ledger. Raises LedgerLost from a process, and
    WorkerLost if one was killed.
    """
    spawn = multiprocessing.get_context("spawn")
    shares = [range(first, plan.tables + 1, processes) for first in range(1, processes + 1)]
    workers: dict[Any, Any] = {}
    try:
        for share in filter(None, shares):
            reader, writer = spawn.Pipe(duplex=False)
            worker = spawn.Process(target=_worker, args=(url, plan, tuple(share), patience, writer))
            worker.start()
            writer.close()  # the worker has its own end, so its death closes the pipe
            workers[reader] = worker
        return _collected(dict(workers), progress)
    finally:
        for worker in workers.values():
            worker.terminate()
            worker.join()


def _collected(workers: dict[Any, Any], progress: Callable[[int], None]) -> Summary:
    total = Summary()
    while workers:
        ready: Any
        for ready in multiprocessing.connection.wait(list(workers)):
            try:
                message = ready.recv()
            except EOFError:
                raise WorkerLost from None
            if isinstance(message, Exception):
                raise message
            if isinstance(message, Summary):
                total.add(message)
                workers.pop(ready).join()
            else:
                progress(message)
    return total


class WorkerLost(Failure):
    """A process of the simulation ended too early. What it recorded stays in the ledger."""

    def __init__(self) -> None:
        super().__init__(type(self).__doc__)


def _worker(
    url: str | None, plan: Plan, tables: tuple[int, ...], patience: float, writer: Any
) -> None:
    try:
        casino = Casino(Ledger(Database(url)), made_up=True)
        dispatcher = Dispatcher(casino, CHANNEL, patience)
        writer.send(dispatch_all(dispatcher.dispatch, plan.lines(tables), writer.send))
    except LedgerLost as error:
        writer.send(LedgerLost(error.why))
    except NotFit as error:
        writer.send(NotFit(str(error)))
