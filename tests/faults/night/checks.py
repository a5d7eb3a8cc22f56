"""What must hold after a night, where it can be without the code that is checked."""

import hashlib
from collections.abc import Iterable, Iterator
from contextlib import closing
from datetime import UTC, date, datetime, timedelta
from typing import Any

import psycopg
from psycopg.conninfo import make_conninfo

from ops.commands.casino import Casino
from ops.handlers.dispatcher import Dispatcher
from ops.ledger.database import Database
from ops.ledger.recorder import Ledger
from ops.reports.ask import ask
from ops.verify.verification import walk
from ops.verify.whole import verify_record
from projections import REPORTS
from tests.acceptance.by_hand import TIMING
from tests.faults.harness import is_stored
from tests.faults.night.actors import CAGE, Body, World
from tests.faults.night.browser import BY_FORM
from tests.faults.night.schedule import Actor
from tests.worlds.night_by_hand import money
from tests.worlds.shared_ledger import require_agreed

EPOCH = datetime(2000, 1, 1, tzinfo=UTC)


def rows_of(database: Database, statement: str) -> list[tuple[Any, ...]]:
    """What a superuser is answered."""
    with closing(psycopg.connect(database.url)) as superuser:
        return superuser.execute(statement).fetchall()  # type: ignore[call-overload,no-any-return]


def kept(database: Database) -> dict[str, int | None]:
    """The last position of each command on record, by its id."""
    return dict(rows_of(database, "SELECT command_id, last_position FROM ledger.commands"))


def has(database: Database, position: int, hashed: bytes) -> bool:
    """Whether the event of this hash is on record at its place."""
    asked = f"SELECT hash FROM ledger.events WHERE position = {position}"
    return [(hashed,)] == rows_of(database, asked)


def is_kept(body: Body, on_record: dict[str, int | None]) -> bool:
    """Whether an answer is on record as it was given."""
    error = body.get("error")
    if error == BY_FORM or (error and not is_stored(error)):
        return True
    named = "position" in body or not body["ok"]  # a page names none
    return body["id"] in on_record and (not named or on_record[body["id"]] == body.get("position"))


def doubled(database: Database, said: set[str]) -> list[str]:
    """Commands whose events are not one row of events, once; and those at tables nobody gave."""
    torn = rows_of(
        database,
        """
        SELECT command_id FROM ledger.commands LEFT JOIN ledger.events USING (command_id)
         GROUP BY command_id, first_position, last_position
        HAVING count(position) <> coalesce(last_position - first_position + 1, 0)
            OR min(position) IS DISTINCT FROM first_position
        """,
    )
    at_tables = rows_of(
        database, "SELECT DISTINCT command_id FROM ledger.events WHERE table_code <> ''"
    )
    return [each for (each,) in torn] + sorted({each for (each,) in at_tables} - said)


def require_chained(database: Database) -> int:
    """Hashes every event again, as the manual describes it; how many there are."""
    before, count = bytes(32), 0
    for count, row in enumerate(
        rows_of(
            database,
            "SELECT position, recorded_at, hash, command_id, actor, metadata, gaming_day, "
            "table_code, originator_id, originator_version, topic, state FROM ledger.events "
            "ORDER BY position",
        ),
        1,
    ):
        position, at, said, *known, state = row
        microseconds = (at - EPOCH) // timedelta(microseconds=1)
        every = (*map(_raw, known), bytes(state), _raw(position), _raw(microseconds), before)
        form = b"sabot-event-1" + b"".join(len(each).to_bytes(4) + each for each in every)
        before = hashlib.sha256(b"\0" + form).digest()
        assert (position, bytes(said)) == (count, before), f"the chain breaks at #{position}"
    return count


def _raw(value: Any) -> bytes:
    if isinstance(value, str):
        return value.encode()
    if isinstance(value, int):
        return value.to_bytes(8, signed=True)
    if isinstance(value, date):
        return (value - EPOCH.date()).days.to_bytes(4, signed=True)
    return bytes(value.bytes)


def require_verified(database: Database, wrong_clock: set[str]) -> None:
    """What `sabot audit verify --projections` checks: seals, checkpoints, moments, and rows.

    `wrong_clock`: commands of those whose clock was set; of these it may say so.
    """
    found = verify_record(
        database, lambda leaves, since: walk(database, jobs=1, leaves=leaves, since=since)
    )
    wrong = [
        each
        for each in found.faults
        if each.fault != "moment changed" or each.words.split()[1].rstrip(",") not in wrong_clock
    ]
    assert not wrong, wrong[:2]
    require_agreed(database)


def require_money(world: World, database: Database) -> int:
    """Every wager is paid as by hand; where no cards lay no money was won. How many wagers."""
    cards = {
        row["coup"]: [each["card"] for each in row["cards"]]
        for row in ask(database, REPORTS["coup"]).rows
        if row["phase"] == "settled"
    }
    counted = 0
    for row in ask(database, REPORTS["wagers"]).rows:
        if row["rules"] in TIMING and row["coup"] in cards and not row["put_right"]:
            by_hand = money(row["rules"], row["spot"], row["stake"], cards[row["coup"]])
            assert by_hand == (row["paid"], row["commission_charged"] or 0), row
            counted += 1
    [cage] = ask(database, REPORTS["table-win"], table=CAGE).rows
    assert (cage["win"], cage["variance"]) == (0, 0), cage
    return counted


def recorded_at_tables(database: Database, tables: Iterable[str]) -> list[tuple[Any, ...]]:
    """What is on record of these tables, but for when and in which order it was recorded."""
    names = ", ".join(f"'{each}'" for each in tables)
    return rows_of(
        database,
        "SELECT originator_id, originator_version, topic, state, command_id FROM ledger.events "
        f"WHERE table_code IN ({names}) ORDER BY 1, 2",
    )


def require_as_undisturbed(world: World, database: Database, actors: Iterable[Actor]) -> int:
    """The dealt tables are on record as in a night in which nothing happens; how many events."""
    calm = Database(make_conninfo(database.url, dbname="calm"))
    with closing(psycopg.connect(database.url, autocommit=True)) as superuser:
        superuser.execute("CREATE DATABASE calm ENCODING 'UTF8' TEMPLATE template0")
    calm.upgrade()
    tables = {line["table"] for line in _said(calm, world, actors) if "table" in line}
    there = recorded_at_tables(database, tables)
    undisturbed = recorded_at_tables(calm, tables)
    assert there == undisturbed, "tables are not as in a calm night"
    return len(there)


def _said(calm: Database, world: World, actors: Iterable[Actor]) -> Iterator[dict[str, Any]]:
    from tests.faults.night.operator import begin

    with closing(Casino(Ledger(calm), made_up=True)) as casino:
        dispatcher = Dispatcher(casino, "night")
        begin(dispatcher)
        for actor in actors:
            for line in world.schedule.dealt(actor):
                dispatcher.dispatch(line)
                yield line
