"""Whether the newest line that a feed or a terminal has acknowledged is on record.

If it is not, the record was restored. That is recorded, and the board rings until two people
decide.
"""

from collections.abc import Sequence
from contextlib import closing
from typing import TYPE_CHECKING, Any

from msgspec.structs import replace

from ops.commands.casino import Casino
from ops.door.acknowledged import Acknowledged, Compared, LinesHere
from ops.handlers import lost_lines
from ops.handlers.continued import note_missing
from ops.handlers.dispatcher import Dispatcher
from ops.ledger import machine
from ops.ledger.cluster import server_of
from ops.ledger.database import Database, NewestMissing
from ops.ledger.recorder import Ledger
from ops.ledger.standby import only_reads
from ops.proof import epochs, seen
from ops.proof.epochs import Known

if TYPE_CHECKING:
    import psycopg


def compare(
    dispatcher: Dispatcher, connection: "psycopg.Connection[Any]", newest: Acknowledged | None
) -> Compared:
    """What the record is called, and whether the line is missing from it. Raises LedgerLost."""
    if only_reads(connection):
        return Compared("", 1, can_tell=False)
    epoch = epochs.epoch_now(epochs.restores(connection))
    compared = Compared(seen.record_of(connection), epoch)
    if not newest or newest.record != compared.record or _has(connection, newest.id):
        return compared
    known = Known(_where(dispatcher), newest.epoch, newest.position, "", False, newest.at)
    with dispatcher.casino.ledger.database.session("sabot_auditor") as auditor:
        missing = bool(note_missing(dispatcher, auditor, [known]))
        return replace(compared, missing=missing, lost_after=_lost_after(auditor, newest))


def _where(dispatcher: Dispatcher) -> str:
    """Who had the answers: a device, or the machine that asks."""
    token = dispatcher.authority.token
    return f"at {token.staff if token.key else machine.here().machine}"


def _lost_after(connection: "psycopg.Connection[Any]", newest: Acknowledged) -> int:
    """Up to which event the record is as it was when it had this line."""
    restores = epochs.restores(connection)
    if accepted := epochs.accepted_loss(restores, newest.epoch, newest.position):
        return accepted.continues
    known = [int(each["continues"]) for each in epochs.undecided(connection)]
    return min([newest.position - 1, *known])


def take_offer(dispatcher: Dispatcher, lines: Sequence[Acknowledged], lost_after: int) -> None:
    """Records which of these lines are missing; two people decide about each. Raises LedgerLost."""
    with dispatcher.casino.ledger.connection() as connection:
        if only_reads(connection):
            return
        record, server = seen.record_of(connection), server_of(connection)
    ours = [each for each in lines if each.record == record]
    lost = {"continues": lost_after, "known": _where(dispatcher), "server": server}
    lost_lines.offer(dispatcher, ours, lost)


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
            why = acknowledged.learn(compared)
            for lines in acknowledged.lost():
                take_offer(alone, lines, compared.lost_after or 0)
        if why:
            raise NewestMissing(why)

    dispatcher.casino.ledger.opened = check
