"""Projections as they grew: their rows, their shape, those that break, and single facts."""

from datetime import timedelta

from msgspec.structs import replace

from domain.events import coup
from projections import PROJECTIONS, Fact
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

    def change(fact):
        how()
        yield from projection.changes[topic](fact)

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


def settled(fact):
    """A change that no coup had before."""
    yield from COUPS.changes[coup.Settled.TOPIC](fact)
    yield "UPDATE coups SET verdict = 'settled' WHERE coup = %(coup)s", fact.told


VERDICT = replace(
    COUPS,
    schema=COUPS.schema.replace("number  ", "verdict text,\n    number  "),
    changes={**COUPS.changes, coup.Settled.TOPIC: settled},
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


def fact(topic: str, **told: object) -> Fact:
    """A fact of the house's own, as projections read it."""
    return Fact(
        position=7,
        topic=topic,
        name="",
        at=BEGINS,
        recorded_at=BEGINS,
        gaming_day=BEGINS.date() - timedelta(days=1),
        table="",
        actor="D-204",
        told=told,
        command_id="k-7",
        metadata={},
    )
