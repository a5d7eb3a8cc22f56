"""Whether the newest line that a feed or a terminal has acknowledged is on record.

If it is not, the record was restored. That is recorded, and the board rings until two people
decide.
"""

from contextlib import closing
from typing import TYPE_CHECKING, Any

from msgspec.structs import replace

from ops.commands.casino import Casino
from ops.door.acknowledged import Acknowledged, Compared, LinesHere
from ops.handlers.continued import note_missing
from ops.handlers.dispatcher import Dispatcher
from ops.ledger import machine
from ops.ledger.database import Database, NewestMissing
from ops.ledger.recorder import Ledger
from ops.ledger.standby import is_standby
from ops.proof import epochs, seen
from ops.proof.epochs import Known

if TYPE_CHECKING:
    import psycopg


def compare(
    dispatcher: Dispatcher, connection: "psycopg.Connection[Any]", newest: Acknowledged | None
) -> Compared:
    """What the record is called, and whether the line is missing from it. Raises LedgerLost."""
    if is_standby(connection):
        return Compared("", 1, can_tell=False)
    epoch = epochs.epoch_now(epochs.restores(connection))
    compared = Compared(seen.record_of(connection), epoch)
    if not newest or newest.record != compared.record or _has(connection, newest.id):
        return compared
    where = dispatcher.authority.token.staff if dispatcher.authority.token.key else ""
    where = where or machine.here().machine
    known = Known(f"at {where}", newest.epoch, newest.position, "", False, newest.at)
    with dispatcher.casino.ledger.database.session("sabot_auditor") as auditor:
        return replace(compared, missing=bool(note_missing(dispatcher, auditor, [known])))


def _has(connection: "psycopg.Connection[Any]", command_id: str) -> bool:
    """Whether a line is on record."""
    row = connection.execute(
        "SELECT FROM ledger.commands WHERE command_id = %s", (command_id,)
    ).fetchone()
    return row is not None


def lines_of(database: Database) -> LinesHere:
    """What was acknowledged here by the house with this database."""
    embedded = database.embedded
    return LinesHere(str(embedded.data) if embedded else database.given or "")


def compare_with(acknowledged: LinesHere, dispatcher: Dispatcher) -> None:
    """From now on each new connection of a dispatcher is compared with what was acknowledged here.

    Where it lacks the newest line, no use of it does anything: that raises NewestMissing.
    """
    database = dispatcher.casino.ledger.database

    def check(connection: "psycopg.Connection[Any]") -> None:
        with closing(Casino(Ledger(database))) as casino:
            alone = Dispatcher(casino, "program", token=dispatcher.authority.token)
            compared = compare(alone, connection, acknowledged.newest)
        if why := acknowledged.learn(compared):
            raise NewestMissing(why)

    dispatcher.casino.ledger.opened = check
