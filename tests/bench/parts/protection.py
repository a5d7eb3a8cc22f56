"""What game protection costs a coup, compared with reading and decoding the same events alone.

Some tables of four, and some of seven patrons who bet on a side and on side bets, with cards and
stakes of their own. From nothing, as a rebuild does it, and coup by coup, as the follower does
while they are dealt. The questions have answered once before, so that what they reckon once in a
process does not count; but what they remember of a coup, a shoe or a pair is forgotten before each
turn, as no coup of a year comes twice. All rows are in temporary tables.

Counted is processor time, of this process and of its PostgreSQL session: others who use the machine
make it longer by less than the clock on the wall.
"""

import heapq
import os
import time
from collections.abc import Callable, Iterator
from contextlib import closing
from pathlib import Path
from random import Random
from typing import TYPE_CHECKING, Any

from msgspec.structs import replace

from domain.events.coup import Settled
from domain.rules.house_rules import named
from ops.commands.casino import Casino
from ops.handlers.dispatcher import Dispatcher
from ops.ledger.database import Database
from ops.ledger.narrow import read_narrow
from ops.ledger.reading import head_of
from ops.ledger.recorder import Ledger
from ops.reports.batch import TOGETHER, event_of, wanted
from ops.reports.rebuild import PIECE, temporary_rows
from ops.reports.runner import catch_up
from ops.simulation.evening import Evening
from ops.simulation.habits import Habit
from ops.simulation.run import FIRST_DAY
from projections import PROJECTIONS
from projections.attention.questions import cards, together
from tests.bench.figures import OURS, Figure, in_turn
from tests.bench.setting import Setting
from tests.figures.evenings import fair

if TYPE_CHECKING:
    import psycopg

PART = "protection"
PATRONS = (4, 7)
TABLES = 6
READ, LIVE = "events read and decoded alone", "Sabot, coup by coup"
PROJECTION = PROJECTIONS["protection"]
WANTED = wanted([PROJECTION])


def name_of(patrons: int) -> str:
    """The figure of so many patrons."""
    return f"a coup of {patrons} patrons"


def measure(setting: Setting) -> Iterator[Figure]:
    """Milliseconds of the processors, a coup."""
    for patrons in PATRONS:
        setting.say(f"game protection: {name_of(patrons)}")
        database = setting.new_database()
        deal(database, patrons, coups=20 if setting.quick else 80)
        with database.session("sabot_projector") as connection:
            connection.prepared_max = None
            yield Figure(PART, name_of(patrons), "ms", _runs(connection, setting.repeats))


def deal(database: Database, patrons: int, coups: int) -> None:
    """So many coups at each table, at which all of them bet on a side and on two more spots."""
    evenings = (_evening(f"B{number:02}", patrons, coups).lines() for number in range(TABLES))
    with closing(Casino(Ledger(database), made_up=True)) as casino:
        dispatcher = Dispatcher(casino, "bench")
        for line in heapq.merge(*evenings, key=lambda line: (line["at"], line["table"])):
            answer = dispatcher.dispatch(line)
            assert answer.ok, answer


def _evening(table: str, patrons: int, coups: int) -> Evening:
    rules, random = named("dragon-bonus@1"), Random(f"{table}/{patrons}")
    habits = (
        Habit(
            seat=seat,
            patron=f"P-{table}{seat}",
            banker=random.random(),
            stakes=(100_00, 200_00, 500_00),
            tie=25_00,
            dragon=25_00,
        )
        for seat in rules.seats[:patrons]
    )
    shoes = (replace(each, serial=f"{table}-{each.serial}") for each in fair(random))
    return Evening(
        table=table,
        day=FIRST_DAY,
        rules=rules,
        patrons=tuple(habits),
        shoes=shoes,
        random=random,
        most_coups=coups,
    )


def _runs(connection: "psycopg.Connection[Any]", repeats: int) -> dict[str, list[float]]:
    ends = [
        position
        for (position,) in connection.execute(
            "SELECT position FROM ledger.events WHERE topic = %s ORDER BY 1", (Settled.TOPIC,)
        )
    ]

    def fed(positions: list[int], **how: Any) -> float:
        _forget_coups()
        with temporary_rows(connection, [PROJECTION], 0):
            return _milliseconds(
                connection,
                lambda: [catch_up(connection, PROJECTION, until=each, **how) for each in positions],
                len(ends),
            )

    def from_nothing() -> float:
        return fed([head_of(connection)], batch=PIECE, alone=True)

    from_nothing()
    ways = {
        OURS: from_nothing,
        LIVE: lambda: fed(ends),
        READ: lambda: _milliseconds(connection, lambda: _read(connection), len(ends)),
    }
    return in_turn(ways, repeats)


def _forget_coups() -> None:
    cards._LOOKOUT.forget()
    together._REMEMBERED.forget()


def _read(connection: "psycopg.Connection[Any]") -> None:
    """Reads and decodes every event of which a question wants to know."""
    after, head = 0, head_of(connection)
    while events := read_narrow(connection, after, TOGETHER, head, WANTED.topics):
        for each in events:
            event_of(each)
        after = events[-1].position


def _milliseconds(
    connection: "psycopg.Connection[Any]", work: Callable[[], object], coups: int
) -> float:
    begun = _used(connection)
    work()
    return (_used(connection) - begun) * 1000 / coups


def _used(connection: "psycopg.Connection[Any]") -> float:
    """Seconds of the processors, that this process and its session of the server used so far."""
    stat = Path(f"/proc/{connection.info.backend_pid}/stat").read_text(encoding="utf-8")
    of_user, of_kernel = map(int, stat.rpartition(")")[2].split()[11:13])
    return time.process_time() + (of_user + of_kernel) / os.sysconf("SC_CLK_TCK")
