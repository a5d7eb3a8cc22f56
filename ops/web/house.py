"""What the server's parts share: the database, the sign-ons, the processes, the news."""

from ops.commands.reader import Asked as AskedToRead
from ops.commands.reader import require_reader
from ops.ledger.database import Database
from ops.web.admission import Admission
from ops.web.callers import Caller, Callers, NotTrusted
from ops.web.lines import Lines
from ops.web.meters import Meters
from ops.web.shells import Answered, Asked, Run, Runner, Shells


class House:
    """The house behind the door."""

    def __init__(self, database: Database, runner: Runner, preload: list[str]) -> None:
        """`runner`: runs a command of the shell in a process that has imported `preload`."""
        self.database = database
        self.callers = Callers()
        self.lines = Lines(database)
        self.meters = Meters()
        self._shells = Shells(runner, preload)
        self._admission = Admission(database)

    def admitted(self, caller: Caller) -> Caller:
        """Whoever may come in, and how long they were idle. Raises NotTrusted, LedgerLost."""
        return self._admission.admitted(caller)

    def shell(self, caller: Caller, asked: Asked) -> Answered:
        """Runs a command of the shell for a terminal. Raises TooLong."""
        if caller.token.key:
            raise NotTrusted("A device sends lines of commands, and nothing else.", 403)
        token = f"{caller.token.staff}:{caller.token.secret}" if caller.token.staff else ""
        run = Run(asked, token, caller.place, caller.terminal, caller.idle, self.database.given)
        return self._shells.answer(run)

    def require_reader(self, caller: Caller, what: str, about: dict[str, str | None]) -> None:
        """Checks and records who reads. Refuses: NotSignedOn, NotPermitted."""
        caller.acts()
        require_reader(self.database, AskedToRead(what, "json", about), caller.token)

    def close(self) -> None:
        """Closes every connection."""
        self._shells.close()
        self.lines.close()
        self._admission.close()
