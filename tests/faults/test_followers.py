"""Followers miss nothing and see nothing twice, whatever breaks while six processes write."""

import threading
import time
from pathlib import Path

import psycopg
from psycopg import sql

from domain.events import STREAMS, events_of
from ops.ledger.database import Database
from ops.reports.follow import follow
from projections import Event, Projection, Row, Rows, Table
from tests.faults import SEED, times
from tests.faults.harness import Stand


def all_topics() -> list[str]:
    """Every event there is."""
    return [topic for noun in STREAMS for topic in events_of(noun)]


class Seen(Row):
    """An event that a follower saw."""

    follower: int
    position: int


SEEN = Table("projections.seen", Seen, "follower", "position")


def saw(number: int) -> Projection:
    """A projection that only notes what it saw; nothing in its table forbids twice."""

    def note(event: Event, rows: Rows) -> None:
        rows.put(SEEN, Seen(follower=number, position=event.position))

    return Projection(f"seen-{number}", "", dict.fromkeys(all_topics(), note))


def make_table(database: Database) -> None:
    with database.connect_as_is() as connection:
        connection.execute("CREATE TABLE projections.seen (follower int, position bigint)")
        connection.execute("GRANT SELECT, INSERT ON projections.seen TO sabot_projector")


def cut_followers_off(database: Database) -> None:
    """Their connections, in the middle of whatever they do."""
    with database.connect_as_is() as connection:
        connection.execute(
            "SELECT pg_terminate_backend(pid) FROM pg_stat_activity "
            "WHERE query ILIKE 'LISTEN%' OR query ILIKE '%progress%' OR query ILIKE '%seen%'"
        )


def seen_by(database: Database, number: int) -> list[int]:
    with database.connect_as_is() as connection:
        rows = connection.execute(
            sql.SQL("SELECT position FROM projections.seen WHERE follower = {} ORDER BY 1").format(
                number
            )
        )
        return [row[0] for row in rows]


def last_position(database: Database) -> int:
    with database.connect_as_is() as connection:
        row = connection.execute("SELECT max(position) FROM ledger.events").fetchone()
        assert row
        return int(row[0])


def test_followers_see_every_event_once(tmp_path: Path) -> None:
    stand = Stand(tmp_path, tables=6, coups=times(8, 140), seed=SEED)
    stops = [threading.Event() for _ in range(2)]
    try:
        make_table(stand.database)
        followers = [
            threading.Thread(target=follow, args=(stand.database, [saw(n)], stop))
            for n, stop in enumerate(stops)
        ]
        for follower in followers:
            follower.start()
        for table in range(1, 7):
            stand.start(table)
        disturb(stand, times(4, 30))
        stand.finish()
        last = last_position(stand.database)
        deadline = time.monotonic() + 60
        while any(len(seen_by(stand.database, n)) < last for n in range(2)):
            assert time.monotonic() < deadline
            time.sleep(0.05)
        for stop in stops:
            stop.set()
        for follower in followers:
            follower.join()
        print(f"seed {SEED}: {last} events, {stand.kills} server kills")

        everything = list(range(1, last + 1))
        assert [everything, everything] == [seen_by(stand.database, n) for n in range(2)]
    finally:
        for stop in stops:
            stop.set()
        stand.close()


def disturb(stand: Stand, often: int) -> None:
    """Cuts the followers off, and once in a while the server goes down with everybody."""
    for turn in range(often):
        stand.wait_for_lines(stand.noted() + times(70, 150))
        if turn % 4 == 3:
            stand.kill_server()
        else:
            try:
                cut_followers_off(stand.database)
            except psycopg.OperationalError:  # the server was just killed
                continue
