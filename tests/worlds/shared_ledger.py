"""One ledger for all tests of a file: each brings tables of its own, and reads what is theirs."""

from collections.abc import Callable
from itertools import count
from typing import TypeVar

from ops.commands.casino import Casino
from ops.handlers.dispatcher import Dispatcher
from ops.ledger.database import Database
from ops.ledger.recorder import Ledger
from ops.reports.ask import ask
from ops.reports.rebuild import check_together
from ops.reports.runner import catch_up
from projections import PROJECTIONS, REPORTS

T = TypeVar("T")


class SharedLedger:
    """Lines in, answers out, and tables that no test had yet."""

    def __init__(self, database: Database) -> None:
        self.database = database
        self.casino = Casino(Ledger(database))
        self.dispatcher = Dispatcher(self.casino, "test")
        self._numbers = count(1)

    def new_table(self) -> str:
        return f"T{next(self._numbers):03}"

    def bring(self, kind: Callable[[Dispatcher, str], T]) -> T:
        """A table of its own, of that kind."""
        return kind(self.dispatcher, self.new_table())

    def require_agreed(self) -> None:
        require_agreed(self.database)

    def close(self) -> None:
        self.casino.close()


def require_explained(database: Database, **narrowed: str) -> None:
    """The proof of commission is zero, and no win is unexplained."""
    proof = ask(database, REPORTS["commission-proof"], **narrowed).rows
    wins = ask(database, REPORTS["table-win"], **narrowed).rows
    assert {row["difference"] for row in proof} <= {0}
    assert {row["unreconciled"] or 0 for row in wins} <= {0}


def require_agreed(database: Database) -> None:
    """Everything is explained, and a rebuild makes the same rows."""
    require_explained(database)
    with database.session("sabot_projector") as connection:
        catch_up(connection, *PROJECTIONS.values())
        checked = check_together(connection, list(PROJECTIONS.values()), lambda _: None)
    assert [each for each in checked if each.differing] == []
