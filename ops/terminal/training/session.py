"""A course before a terminal's session, on a ledger of its own and at a new table.

The screens, keys and rules are those of a real table. The course judges each line first. The
session sends what passes, and it is recorded in the training ledger like any coup.
"""

from collections.abc import Iterator
from itertools import count
from threading import RLock
from typing import Any
from uuid import uuid4

from msgspec.structs import replace

from domain.aggregates.table import Table
from domain.rules.refusals import AlreadyOpen, BadValue
from ops.commands.casino import Casino
from ops.commands.read import Line
from ops.handlers.answer import Answer
from ops.handlers.dispatcher import Dispatcher
from ops.kit.outcome import Outcome, Second
from ops.ledger.database import Database
from ops.ledger.embedded import Embedded
from ops.ledger.files import data_home
from ops.ledger.recorder import Ledger
from ops.now.table_now import TableNow
from ops.terminal.dealer.house import HouseHere
from ops.terminal.dealer.session import Session
from ops.terminal.training.course import Course
from ops.terminal.training.plan import Plan
from ops.typed.acts import NotUnderstood, Objection
from ops.typed.grammar import parse

CHANNEL = "training"
TRAINEE, SUPERVISOR = "TRAINEE", "TRAINER"
OPENER = 200  # chips of each kind


def training_database() -> Database:
    """The training PostgreSQL, apart from the casino's and from any database in the settings."""
    return Database(home=Embedded(data_home() / "training"))


class TrainingSession(Session):
    """A terminal's session with a course in front of it."""

    def __init__(
        self,
        database: Database,
        course: Course,
        *,
        table: str = "",
        by: str = "",
        with_shoe: bool = False,
    ) -> None:
        """Opens `table`, or the first new one of T1, T2, …. Raises LedgerLost, NotFit.

        Refuses: AlreadyOpen, BadValue.
        """
        self.course = course
        trainee = by or TRAINEE
        self._floor = _Floor(database, course.plan, trainee)
        opened = self._floor.open(table, with_shoe=with_shoe)
        super().__init__(HouseHere(database), opened, by=trainee, training=True)
        self._judging = RLock()

    @property
    def now(self) -> TableNow:
        """The table's state, without the answer."""
        return self.course.as_shown(self.followed.table)

    @property
    def task(self) -> tuple[str, ...]:
        """What to do now."""
        return self.course.task

    @property
    def over(self) -> bool:
        """Whether the course is over."""
        return self.course.over

    def open(self, patience: float = 5.0) -> Outcome:
        """Opens the session, and shows the first moment."""
        super().open(patience)
        return Outcome("done", self.course.begin(self.followed.table))

    def close(self) -> None:
        """Closes the session; the table stays open as it is."""
        super().close()
        self._floor.close()

    def say(self, typed: str, second: Second | None = None) -> Outcome:
        """Judges a line and sends it; the last words are what to do next.

        An empty line shows those again.
        """
        with self._judging:
            if not typed.strip():
                return Outcome("answered", self.course.asked)
            moved_on = self.course.moved_on(self.followed.table)
            if moved_on:
                return Outcome("answered", moved_on, left=typed)
            try:
                return self._judged(typed, second)
            except NotUnderstood as error:
                self.course.unreadable()
                return Outcome("refused", (str(error),), left=typed)

    def _judged(self, typed: str, second: Second | None) -> Outcome:
        act = parse(typed)
        verdict = self.course.judge(act, self.followed.table)
        if verdict.went_well:
            return Outcome("done", verdict.words)
        if not verdict.passes:
            left = "" if isinstance(act, Objection) else typed  # an objection needs no correction
            return Outcome("refused", verdict.words, verdict.rule, left)
        outcome = super().say(typed, second)
        words = self.course.answered(typed, act, outcome, self.followed.table)
        for seat, patron in self.course.arrivals():
            self._seat(seat, patron)
        return replace(outcome, words=(*outcome.words, *words))

    def _seat(self, seat: int, patron: str) -> None:
        """Seats a patron in this terminal's name; the course has announced the patron."""
        line = self._floor.line("table.seat", seat=seat, patron=patron)
        self._sender.own.add(line["id"])
        self.followed.see(self._floor.send(line).position or 0)


class _Floor:
    """Opens the table and seats the patrons."""

    def __init__(self, database: Database, plan: Plan, trainee: str) -> None:
        self._trainee = trainee
        self._dispatcher = Dispatcher(Casino(Ledger(database)), CHANNEL)
        self._plan = plan
        self._table = ""

    def close(self) -> None:
        """Closes the connection."""
        self._dispatcher.casino.close()

    def line(self, command: str, **fields: Any) -> Line:
        """A line about the table, with an id of its own."""
        who = {"by": self._trainee, "with": SUPERVISOR, "id": f"{CHANNEL}:{uuid4()}"}
        return {"command": command, "table": self._table, **fields, **who}

    def send(self, line: Line) -> Answer:
        """Sends a line that the plan needs, which is never refused."""
        answer = self._dispatcher.dispatch(line)
        if not answer.ok:
            msg = f"training was refused: {answer}"
            raise RuntimeError(msg)
        return answer

    def open(self, table: str, *, with_shoe: bool) -> str:
        """Opens the table, seats the first patrons and prepares the shoe.

        `with_shoe`: the trainee prepares the shoe.
        """
        self._table = self._opened(table) if table else self._first_free()
        for seat, patron in self._plan.first_patrons.items():
            self.send(self.line("table.seat", seat=seat, patron=patron))
        for line in () if with_shoe else self._shoe():
            self.send(line)
        return self._table

    def _opened(self, table: str) -> str:
        """Opens the named table and returns its name. Refuses: AlreadyOpen, BadValue."""
        if not self._try(table):
            raise AlreadyOpen(what=table, then="name another table, or none")
        return table

    def _first_free(self) -> str:
        names = (f"T{number}" for number in count(1))
        return next(name for name in names if not self._placed(name) and self._try(name))

    def _placed(self, table: str) -> bool:
        casino = self._dispatcher.casino
        return casino.find(Table, Table.stream(table), rely=False) is not None

    def _try(self, table: str) -> bool:
        """Opens the table; returns False if it is open already. Refuses: BadValue."""
        rules = self._plan.rules
        self._table = table
        opener = {str(chip): OPENER for chip in rules.chips}
        answer = self._dispatcher.dispatch(self.line("table.open", rules=rules.name, opener=opener))
        if not answer.ok and answer.error != AlreadyOpen.__name__:
            _, _, why = str(answer.words).rstrip(".").partition(": ")
            raise BadValue(field="table", value=repr(table), why=why)
        return answer.ok

    def _shoe(self) -> Iterator[Line]:
        yield self.line("shoe.load", decks=self._plan.rules.decks)
        yield self.line("shoe.inspect")
        yield self.line("shoe.shuffle", method="machine", device="TRAINING")
        yield self.line("shoe.cut")
        if self._plan.burned:
            yield self.line("shoe.burn", card=self._plan.burned)
