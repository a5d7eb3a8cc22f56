"""What the seed of a night makes before it begins: who sends what, and what happens when."""

from collections.abc import Iterator, Sequence
from datetime import date, datetime, timedelta
from random import Random

from msgspec import Struct
from msgspec.structs import replace

from ops.commands.read import Line
from ops.simulation.run import Plan

# The days of a night: one is like another; in two of them clocks change, where the house is.
CALM, AUTUMN, SPRING = date(2026, 11, 21), date(2026, 10, 24), date(2026, 3, 28)
NIGHTS = {CALM: "an ordinary night", AUTUMN: "clocks go back", SPRING: "clocks go forward"}
ZONE = "Europe/London"
KINDS = (
    *("cut before", "cut after", "kill a writer", "kill the server", "kill the standby"),
    *("cancel the wait", "end the wait", "promote", "restore", "step a clock", "fill the disk"),
    *("slow the disk", "kill the house server", "rebuild", "hold the ledger"),
    *("sign", "a witness is away", "restore a backup", "kill the follower"),
)
HANDS = 2  # at one table
ONLY_LONG = (  # which take seconds
    *("fill the disk", "hold the ledger", "restore a backup", "kill the follower"),
)
BEFORE = {"restore": "copy the disk", "restore a backup": "back up"}  # what a restore begins with
SHORT = 6  # kinds in a short night


class Size(Struct, frozen=True):
    """How long a night is."""

    dealers: int
    coups: int
    rounds: int  # at the cage, and of each hand at the table that several share
    acts: int


FULL, QUICK = Size(5, 30, 60, 24), Size(2, 5, 12, SHORT)


class Act(Struct, frozen=True):
    """One thing that happens, as soon as `after` lines in all are acknowledged."""

    after: int
    kind: str
    who: int = 0  # whom it concerns: any number, of whoever there is
    amount: float = 0.0  # between 0 and 1: how much, how long

    def __str__(self) -> str:
        return f"after {self.after} lines: {self.kind} ({self.who}, {self.amount:.3f})"


class Actor(Struct, frozen=True):
    """One who sends: a dealer, one at an account table, a hand, a cage, one at a browser.

    `number` is of its kind.
    """

    kind: str
    number: int

    @property
    def name(self) -> str:
        """As in the names of its lines and notes."""
        return f"{self.kind}-{self.number}"


class Schedule(Struct, frozen=True):
    """A whole night, as its seed has it."""

    seed: int
    size: Size
    day: date
    acts: tuple[Act, ...]

    @property
    def plan(self) -> Plan:
        """The tables at which cards are dealt."""
        size = self.size
        return Plan(size.dealers, size.coups, seed=self.seed, day=self.day, trouble=0.2)

    @property
    def disputed(self) -> Plan:
        """The table whose coups are disputed at a browser: the one after the others."""
        size = self.size
        return Plan(size.dealers + 1, size.coups // 2, seed=self.seed, day=self.day, trouble=0.2)

    @property
    def accounts(self) -> Plan:
        """The electronic table, where patrons bet from accounts."""
        return Plan(1, self.size.coups // 2, seed=self.seed, day=self.day, electronic=True)

    @property
    def actors(self) -> list[Actor]:
        """All who send; the last dealer is behind a house server."""
        dealers = [Actor("dealer", n) for n in range(1, self.size.dealers + 1)]
        hands = [Actor("hand", n) for n in range(1, HANDS + 1)]
        browser = Actor("browser", self.size.dealers + 1)
        return [*dealers, Actor("accounts", 1), *hands, Actor("cage", 1), browser]

    def dealt(self, actor: Actor) -> Iterator[Line]:
        """The lines of a table that the seed alone makes."""
        plan = {"accounts": self.accounts, "browser": self.disputed}.get(actor.kind, self.plan)
        return (moved_to(self.day, line) for line in plan.lines([actor.number]))

    def expected(self, actor: Actor) -> int:
        """How many lines an actor has, at least."""
        match actor.kind:
            case "hand":
                return self.size.rounds
            case "cage":
                return self.size.rounds // 4 + 5
            case _:
                return sum(1 for _ in self.dealt(actor))

    @property
    def lines(self) -> int:
        """How many lines are expected of all."""
        return sum(map(self.expected, self.actors))

    def __str__(self) -> str:
        acts = "\n".join(f"  {number}. {act}" for number, act in enumerate(self.acts, 1))
        return f"seed {self.seed}, {NIGHTS[self.day]} ({self.day})\n{acts}"


def schedule_of(seed: int, size: Size) -> Schedule:
    """The night of a seed."""
    random = Random(f"night/{seed}")
    empty = Schedule(seed, size, random.choice(tuple(NIGHTS)), ())
    lines, kinds = empty.lines, _kinds(random, size.acts)
    moments = sorted(random.randrange(lines // 20, lines * 4 // 5) for _ in kinds)
    acts = [
        Act(after, kind, random.randrange(1000), random.random())
        for after, kind in zip(moments, kinds, strict=True)
    ]
    return replace(empty, acts=tuple(_with_copies(acts, lines // 20)))


def _kinds(random: Random, count: int) -> Sequence[str]:
    """So many kinds of acts, each at most once more than any other."""
    kinds = [kind for kind in KINDS if count > SHORT or kind not in ONLY_LONG]
    chosen: list[str] = []
    while len(chosen) < count:
        chosen += random.sample(kinds, min(len(kinds), count - len(chosen)))
    random.shuffle(chosen)
    return chosen


def _with_copies(acts: Sequence[Act], lines: int) -> Iterator[Act]:
    """Before each restore what it begins with, and so many lines after it."""
    for act in acts:
        if act.kind in BEFORE:
            yield Act(act.after, BEFORE[act.kind])
            yield replace(act, after=act.after + lines)
        else:
            yield act


def moved_to(day: date, line: Line) -> Line:
    """A line at the moment of its night: where clocks change, it begins half an hour before."""
    if day == CALM or "at" not in line:
        return line
    moved = datetime.fromisoformat(line["at"]) + timedelta(hours=4, minutes=30)
    return {**line, "at": moved.isoformat()}
