"""When each sign-on through the house server was used last, beside the record.

Times are the database's, so that several servers agree. Only a digest of a token is here.
"""

from datetime import timedelta

from ops.ledger.appending import Statement
from ops.ledger.recorder import Ledger
from ops.ledger.row_seals import SESSION, seal_of

FORGOTTEN = timedelta(days=2)  # longer than any sign-on lasts

_OF_IT = """
 WHERE session = %s AND place = %s
   AND (%s = 0 OR used > clock_timestamp() - make_interval(mins => %s))
"""
_USED = f"UPDATE people.sessions SET used = clock_timestamp() {_OF_IT}"  # noqa: S608
_USABLE = f"SELECT FROM people.sessions {_OF_IT}"
_IDLE = """
SELECT FROM people.sessions
 WHERE session = %s AND used <= clock_timestamp() - make_interval(mins => %s)
"""
_OLD = "DELETE FROM people.sessions WHERE used < clock_timestamp() - %s"


def begin(session: str, place: str) -> Statement:
    """The statement that notes a new sign-on at a place."""
    return (
        "INSERT INTO people.sessions (session, place, seal) VALUES (%s, %s, %s)",
        (session, place, seal_of(SESSION, session, place)),
    )


def use(ledger: Ledger, session: str, place: str, minutes: int) -> bool:
    """Notes that a sign-on is used at its place; False if it is not its, or it was idle so long.

    0 minutes: a sign-on never ends by being idle. A standby notes nothing, so that a sign-on that
    is used there only ends when it was not used at the leader for so long. Raises LedgerLost.
    """
    if ledger.only_reads:
        return _is_usable(ledger, session, place, minutes)
    with ledger.connection() as connection:
        return connection.execute(_USED, (session, place, minutes, minutes)).rowcount == 1


def _is_usable(ledger: Ledger, session: str, place: str, minutes: int) -> bool:
    with ledger.connection() as connection:
        return connection.execute(_USABLE, (session, place, minutes, minutes)).rowcount == 1


def is_idle(ledger: Ledger, session: str, minutes: int) -> bool:
    """Whether a sign-on was idle for so many minutes; 0: never. Raises LedgerLost."""
    if not minutes:
        return False
    with ledger.connection() as connection:
        return connection.execute(_IDLE, (session, minutes)).rowcount == 1


def forget_old(ledger: Ledger) -> None:
    """Deletes sign-ons that were not used for days; not on a standby. Raises LedgerLost."""
    if ledger.only_reads:
        return
    with ledger.connection() as connection:
        connection.execute(_OLD, (FORGOTTEN,))
