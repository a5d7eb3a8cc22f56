"""Adjudicating every coup of a ledger again, compared with only reading the same events.

Both run in one process, in turn. Reading the events is the least that any adjudication needs.
"""

from collections.abc import Iterator
from functools import partial

from ops.ledger.database import Database
from ops.ledger.reading import head_of
from ops.replay.readjudicate import walk
from ops.replay.shoes_of_range import Range
from tests.bench.figures import OURS, Figure, in_turn, timed
from tests.bench.setting import Setting

PART = "adjudicate"
NAME = "every coup adjudicated again"
READ = "events read alone"
PIECE = 5_000


def measure(setting: Setting) -> Iterator[Figure]:
    """Milliseconds for the whole small ledger."""
    _, database = setting.ledgers[0]
    setting.say(NAME)
    ways = {
        OURS: timed(partial(walk, database, Range(), processes=1)),
        READ: timed(partial(read, database)),
    }
    yield Figure(PART, NAME, "ms", in_turn(ways, 3 if setting.quick else 5))


def read(database: Database) -> None:
    """Reads every event in order and does nothing with it."""
    with database.session("sabot_auditor") as connection:
        head = head_of(connection)
        for after in range(0, head, PIECE):
            connection.execute(
                "SELECT originator_id, originator_version, topic, state, position"
                " FROM ledger.events WHERE position > %s AND position <= %s ORDER BY position",
                (after, min(after + PIECE, head)),
                binary=True,
            ).fetchall()
