"""The upgrade of a schema, all of it in one transaction: it is made as a whole, or nothing is.

Whoever upgrades waits for another upgrade. A table's lock does that, because any login may take an
advisory lock. Importing this imports all projections.
"""

from contextlib import suppress
from typing import TYPE_CHECKING, Any

from ops.ledger.connection import opened
from ops.ledger.fit import Made, NotUpgraded, made_in, newer, of_others
from ops.ledger.privileges import tighten
from ops.ledger.schema import ensure_version, missing_after, note, walk
from ops.ledger.schema.declared import declare
from ops.ledger.schema.inventory import Difference, Key, additions, differences

if TYPE_CHECKING:
    import psycopg

    Connection = psycopg.Connection[Any]

# The seconds that it waits for another upgrade, and after that for each lock.
_ONE_AT_A_TIME = """
    SET LOCAL lock_timeout = '60s';
    LOCK TABLE public.schema_version IN SHARE UPDATE EXCLUSIVE MODE;
    SET LOCAL lock_timeout = '5s';
"""


def make_database(maintenance_url: str) -> None:
    """Makes the embedded server's database, if it is not there."""
    import psycopg
    from psycopg.conninfo import conninfo_to_dict

    with (
        opened(conninfo_to_dict(maintenance_url)) as connection,
        suppress(psycopg.errors.DuplicateDatabase, psycopg.errors.UniqueViolation),
    ):
        if not connection.execute("SELECT FROM pg_database WHERE datname = 'sabot'").rowcount:
            connection.execute("CREATE DATABASE sabot ENCODING 'UTF8' TEMPLATE template0")


def upgrade(connection: "Connection") -> None:
    """Makes every version that is missing. Raises NotUpgraded, MadeByNewer, psycopg.Error."""
    ensure_version(connection)
    with connection.transaction():
        connection.execute(_ONE_AT_A_TIME)
        made = made_in(connection)
        require_ours(made)
        _make(connection, made)
        tighten(connection)


def _make(connection: "Connection", made: Made) -> None:
    due = missing_after(made.version)
    others = _added_by_others(connection) if due and made.version else set()
    walk(connection, made.version)
    declare(connection)
    if due:
        note(connection, made.version, others)


def require_ours(made: Made) -> None:
    """Requires that this program's versions continue what was made. Raises NotUpgraded."""
    if made.other:
        raise NotUpgraded(f"The schema cannot be upgraded: {of_others(made)}.")
    if not made.behind and made.version not in made.known:
        raise NotUpgraded(f"The schema cannot be upgraded: {newer(made)}.")


def _added_by_others(connection: "Connection") -> set[Key]:
    """What somebody added, which stays theirs. Raises NotUpgraded if anything else differs."""
    wrong = [each for each in differences(connection) if not each.harmless]
    if wrong:
        raise NotUpgraded(
            "The schema cannot be upgraded: it is not as the last upgrade made it. "
            f"{shown(wrong)}. `sabot db status` shows all of it; put it back first."
        )
    return additions(connection)


def shown(wrong: list[Difference]) -> str:
    """The first few of what differs, as one sentence."""
    named = "; ".join(map(str, wrong[:3]))
    return f"{named[:1].upper()}{named[1:]}{f'; and {len(wrong) - 3} more' if wrong[3:] else ''}"
