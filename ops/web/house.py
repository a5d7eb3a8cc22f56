"""What the server's parts share: the database, the sign-ons, the processes, the news."""

import threading
from contextlib import suppress
from typing import TYPE_CHECKING

import anyio
import anyio.to_thread

from domain.aggregates.property import Property
from domain.rules.refusals import Refusal
from ops.commands.casino import Casino
from ops.commands.reader import Asked as AskedToRead
from ops.commands.reader import Reader, require_reader, require_still_reader
from ops.commands.rights import Rights
from ops.ledger.database import Database
from ops.ledger.recorder import Ledger
from ops.web.admission import Admission
from ops.web.budget import Budget
from ops.web.callers import Caller, Callers
from ops.web.connections import Taken
from ops.web.figures import Figures, read_figures
from ops.web.lines import Lines
from ops.web.log import log
from ops.web.meters import Meters
from ops.web.rooms import Rooms
from ops.web.shells import Answered, Asked, Run, Runner, Shells
from ops.web.turned_away import Busy, NotTrusted
from ops.web.turns import Turns
from ops.words.failure import REFUSED, Failure

if TYPE_CHECKING:
    from ops.web.news import News

PROCESSES = 16  # for commands of the shell, at once
MOST_WAITING = 256  # of those; further ones are refused


class House:
    """The house behind the door."""

    def __init__(
        self, database: Database, runner: Runner, budget: Budget, play_money: int = 0
    ) -> None:
        """`runner` runs a command of the shell; `budget`: of refused lines.

        `play_money`: what a patron takes again who has lost it, minor units; 0: it is no game.
        """
        self.database = database
        self.play_money = play_money
        self.news: News | None = None  # while the server runs
        self.callers = Callers()
        self.budget = budget
        self._admission = Admission(database, lambda: self.news.of_the_house if self.news else None)
        changed = self._admission.forget
        self.lines = Lines(database, self.budget, changed)
        self.at_tables = Lines(database, self.budget, changed, "terminal", in_person=True)
        self.meters = Meters()
        self.rooms = Rooms()
        self._shells = Shells(runner)
        self._still = Casino(Ledger(database, "sabot_auditor"))  # for whoever has a stream
        self._asking = threading.Lock()  # one at a time uses it
        self._processes = anyio.CapacityLimiter(PROCESSES)
        self._turns = Turns()  # of each terminal at those

    def admitted(self, caller: Caller, *, uses: bool = True) -> Caller:
        """Whoever may come in, and how long they were idle. Raises NotTrusted, LedgerLost.

        `uses`: somebody asks for something now, so that their sign-on is not idle.
        """
        return self._admission.admitted(caller, uses=uses)

    def knows(self, caller: Caller) -> bool:
        """Whether a caller was admitted a moment ago and still is; waits for nothing."""
        return self._admission.knows(caller)

    def shell(self, caller: Caller, asked: Asked) -> Answered:
        """Runs a command of the shell for a terminal. Raises TooLong."""
        return self._shells.answer(self._run(caller, asked))

    async def run(self, caller: Caller, asked: Asked) -> Answered:
        """Runs a command in its own process; few at once, and fewer of one terminal.

        Raises TooManyRefused, Busy, TooLong.
        """
        self.budget.require(caller)
        if self._processes.statistics().tasks_waiting >= MOST_WAITING:
            raise Busy
        async with self._turns.of(caller):
            answer = await anyio.to_thread.run_sync(
                lambda: self.shell(caller, asked), limiter=self._processes
            )
        self._admission.forget()
        self.budget.note(caller, answer.status == REFUSED and answer.asks is None)
        return answer

    def language_of(self, caller: Caller) -> str:
        """The language of whoever is signed on, '' if they chose none. Raises LedgerLost."""
        return self._admission.language_of(caller)

    def rights_of(self, caller: Caller) -> Rights:
        """What a caller may read and do in a closed house; not recorded. Raises LedgerLost."""
        return self._admission.rights_of(caller)

    def is_open(self) -> bool:
        """Whether nobody is enrolled yet, so that everybody on this machine may come in."""
        return self._admission.is_open()

    @property
    def settings(self) -> Property | None:
        """The house's name, time zone and so on, as they were read last; waits for nothing."""
        return self._admission.house

    def name_of(self, caller: Caller) -> str:
        """The name under which a caller's terminal was approved. Raises LedgerLost."""
        return self._admission.name_of(caller)

    def _run(self, caller: Caller, asked: Asked) -> Run:
        if caller.token.key:
            raise NotTrusted("A device sends lines of commands, and nothing else.", 403)
        token = caller.token.text if caller.token.staff else ""
        return Run(asked, token, caller.place, caller.terminal, caller.idle, self.database.given)

    def require_reader(
        self, caller: Caller, asked: AskedToRead, *, goes_on: bool = False
    ) -> Reader:
        """The reader, checked and recorded. Refuses: NotSignedOn, NotPermitted. Raises TurnedAway.

        `goes_on`: they have a stream already, and may have lost the right to it.
        """
        if goes_on:
            caller = self.admitted(caller, uses=False)
            caller.acts()
            with self._asking:
                return require_still_reader(self._still, asked, caller.token)
        caller.acts()
        self.budget.require(caller)
        try:
            reader = require_reader(self.database, asked, caller.token)
        except Refusal:
            self.budget.note(caller)
            raise
        if self.news and self.news.only_reads:  # a standby notes no reading on record
            log().info("read", command=asked.what, how=asked.how, table=asked.table, by=reader.who)
        return reader

    def figures(self) -> Figures | None:
        """The figures of the ledger; None while it cannot be reached."""
        with suppress(Failure), self.database.session("sabot_auditor") as connection:
            return read_figures(self.database, connection)
        return None

    @property
    def counted(self) -> dict[str, int]:
        """What waits here, and what is open."""
        return {
            "lines_waiting": self.lines.waiting + self.at_tables.waiting,
            "shells_waiting": self._processes.statistics().tasks_waiting + self._turns.waiting,
            "connections": Taken.open_now,
            "threads": threading.active_count(),
        }

    def close(self) -> None:
        """Closes every connection."""
        self._shells.close()
        self.lines.close()
        self.at_tables.close()
        self._admission.close()
        self._still.close()
