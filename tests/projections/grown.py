"""Projections as they grew: their rows, their shape, those that break, and single events."""

from datetime import timedelta

from msgspec.structs import asdict, replace

from domain.events import coup
from ops.reports.batch import load, write
from projections import PROJECTIONS, Event, Rows, Table
from projections.game.coups import Coup
from tests.worlds.gaming_table import BEGINS

COUPS, OWED = PROJECTIONS["coups"], PROJECTIONS["commission_owed"]
POISON = """
    INSERT INTO ledger.events
    SELECT gen_random_uuid(), 1, 'coup.opened', '{"at": "2026-11-21T20:00:00+00:00"}', position + 1,
           recorded_at, gaming_day, table_code, actor, command_id, metadata, hash
      FROM ledger.events ORDER BY position DESC LIMIT 1
"""


def rows(connection, projection):
    """Everything that a projection has, in one order."""
    return {
        table: connection.execute(f"SELECT r::text FROM {table} r ORDER BY 1").fetchall()
        for table in projection.tables
    }


def last(connection):
    return connection.execute("SELECT max(position) FROM ledger.events").fetchone()[0]


def breaking(projection, topic, how):
    """The projection, of which one change breaks."""

    def change(event, rows):
        how()
        projection.changes[topic](event, rows)

    return replace(projection, changes={**projection.changes, topic: change})


def shape(connection, table):
    """What later versions of the schema rely on, and who may do what."""
    return connection.execute(
        """
        SELECT (SELECT array_agg((attname, atttypid, attnotnull, atthasdef)::text ORDER BY attnum)
                  FROM pg_attribute WHERE attrelid = c.oid AND attnum > 0 AND NOT attisdropped),
               (SELECT array_agg(pg_get_indexdef(indexrelid) ORDER BY indexrelid::regclass::text)
                  FROM pg_index WHERE indrelid = c.oid),
               (SELECT array_agg(conname::text || pg_get_constraintdef(oid) ORDER BY conname)
                  FROM pg_constraint WHERE conrelid = c.oid AND contype <> 'n'),
               (SELECT array_agg((grantee, privilege_type)::text ORDER BY grantee, privilege_type)
                  FROM information_schema.role_table_grants
                 WHERE table_schema = 'projections' AND table_name = relname),
               relowner::regrole::text, reloptions
          FROM pg_class c WHERE oid = ('projections.' || %s)::regclass
        """,
        (table,),
    ).fetchone()


class WithVerdict(Coup):
    """A coup with a column that none had before."""

    verdict: str | None = None


COUPS_WITH_VERDICT = Table("coups", WithVerdict, "coup")


class AsCoups:
    """Rows in which the changes of coups find those with a verdict."""

    def __init__(self, rows):
        self.rows = rows

    def change(self, _, *key):
        return self.rows.change(COUPS_WITH_VERDICT, *key)

    def put(self, _, row):
        self.rows.put(COUPS_WITH_VERDICT, WithVerdict(**asdict(row)))


def with_verdict(change):
    """The same change of coups that have a verdict."""

    def changes(event, rows):
        change(event, AsCoups(rows))
        if event.topic == coup.Settled.TOPIC:
            rows.change(COUPS_WITH_VERDICT, event.fields["coup"]).verdict = "settled"

    return changes


VERDICT = replace(
    COUPS,
    schema=COUPS.schema.replace("number  ", "verdict text,\n    number  "),
    changes={topic: with_verdict(change) for topic, change in COUPS.changes.items()},
    loads=lambda _: (),
    views=tuple(
        replace(
            view,
            sql=view.sql.replace("number,", "number, verdict,"),
            columns={**view.columns, "verdict": "What it came to."},
        )
        for view in COUPS.views
        if view.name == "coups"
    ),
)


def happen(database, change, *events):
    """The events change rows, one after the other, as they would if the ledger had them."""
    with database.connect("sabot_projector") as connection:
        for each in events:
            rows = Rows(lambda wanted: load(connection, wanted))
            change(each, rows)
            write(connection, rows)


def event(topic: str, **fields: object) -> Event:
    """An event of the house's own, as projections read it."""
    return Event(
        position=7,
        topic=topic,
        name="",
        at=BEGINS,
        recorded_at=BEGINS,
        gaming_day=BEGINS.date() - timedelta(days=1),
        table="",
        actor="D-204",
        fields=fields,
        command_id="k-7",
        metadata={},
    )
