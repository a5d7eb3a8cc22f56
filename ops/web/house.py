"""What the server's parts share: the database, the sign-ons, the processes, the news."""

import threading

from domain.aggregates.terminal import Terminal
from domain.events import terminal as terminal_events
from ops.commands.authority import NOBODY, Authority
from ops.commands.casino import Casino
from ops.commands.reader import Asked as AskedToRead
from ops.commands.reader import require_reader
from ops.ledger import machine
from ops.ledger.database import Database
from ops.ledger.reading import last_topic
from ops.ledger.recorder import Ledger
from ops.web.callers import Caller, Callers, NotTrusted
from ops.web.lines import Lines
from ops.web.meters import Meters
from ops.web.shells import Answered, Asked, Run, Runner, Shells

_OPEN = (
    "Nobody is enrolled in this house yet, so it answers its own machine only. Enrol the first "
    "administrator there, with `sabot staff enrol`."
)
_NOT_APPROVED = (
    "This terminal is not approved in this house. An administrator types "
    "`sabot staff approve-terminal {terminal} NAME` on the server's machine, or at a terminal that "
    "is approved."
)
_RETIRED = "This terminal was retired: {terminal}. An administrator can approve a new key of it."


class House:
    """The house behind the door."""

    def __init__(self, database: Database, runner: Runner, preload: list[str]) -> None:
        """`runner`: runs a command of the shell in a process that has imported `preload`."""
        self.database = database
        self.callers = Callers()
        self.lines = Lines(database)
        self.meters = Meters()
        self._shells = Shells(runner, preload)
        self._closed = False  # whether people sign on; once they do, it stays so
        self._ledger = Ledger(database, "sabot_auditor")
        self._casino = Casino(self._ledger)
        self._asking = threading.Lock()  # one request at a time uses that connection

    def require_admitted(self, caller: Caller) -> None:
        """Refuses strangers. Raises NotTrusted, LedgerLost.

        While the house is open to everybody, only its own machine comes in; in a closed house a
        terminal whose key was approved, or a device by its own key.
        """
        with self._asking:
            if not self._is_closed():
                if not caller.is_here:
                    raise NotTrusted(_OPEN, 403)
                return
            if not caller.terminal and not self._is_device(caller):
                raise NotTrusted("A terminal or a device comes in by its key only.")
            if caller.terminal:
                with self._ledger.connection() as connection:
                    topic = last_topic(connection, Terminal.stream(caller.terminal))
                if topic != terminal_events.Approved.TOPIC:
                    words = _RETIRED if topic else _NOT_APPROVED
                    raise NotTrusted(words.format(terminal=caller.terminal), 403)

    def _is_device(self, caller: Caller) -> bool:
        """Whether the token is the key of a device that is enrolled."""
        holder = Authority(self._casino, caller.token).holder()
        return holder is not None and holder.role == "device"

    def _is_closed(self) -> bool:
        if not self._closed:
            self._closed = Authority(self._casino, NOBODY).house_is_closed()
        return self._closed

    def shell(self, caller: Caller, asked: Asked) -> Answered:
        """Runs a command of the shell for a terminal. Raises TooLong."""
        token = f"{caller.token.staff}:{caller.token.secret}" if caller.token.staff else ""
        run = Run(asked, token, caller.place, caller.terminal, self.database.given)
        return self._shells.answer(run)

    def require_reader(self, caller: Caller, what: str, about: dict[str, str | None]) -> None:
        """Checks and records who reads. Refuses: NotSignedOn, NotPermitted."""
        machine.act_at(caller.place, caller.terminal)
        require_reader(self.database, AskedToRead(what, "json", about), caller.token)

    def close(self) -> None:
        """Closes every connection."""
        self._shells.close()
        self.lines.close()
        self._ledger.close()
