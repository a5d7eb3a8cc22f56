"""What the server's parts share: the database, the sign-ons, the processes, the news."""

from ops.commands.authority import Authority
from ops.commands.casino import Casino
from ops.commands.reader import Asked as AskedToRead
from ops.commands.reader import require_reader
from ops.ledger import machine
from ops.ledger.database import Database
from ops.ledger.recorder import Ledger
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
        self._closed = False  # whether people sign on; once they do, it stays so

    def require_admitted(self, caller: Caller) -> None:
        """Refuses another machine while the house is open to everybody. Raises NotTrusted."""
        if not caller.is_here and not self._is_closed():
            raise NotTrusted(
                "Nobody is enrolled in this house yet, so it answers its own machine only. Enrol "
                "the first administrator there, with `sabot staff enrol`.",
                403,
            )

    def _is_closed(self) -> bool:
        if not self._closed:
            casino = Casino(Ledger(self.database))
            try:
                self._closed = Authority(casino, Caller().token).house_is_closed()
            finally:
                casino.close()
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
        self.lines.close()
