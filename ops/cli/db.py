"""`sabot db`: the database, embedded or remote."""

import json
import sys
from contextlib import closing, suppress

import click

from ops.cli.session import json_option, say, with_database
from ops.ledger.database import Database, NotFit, RoleDenied

_VIEWS = """
SELECT relname, obj_description(pg_class.oid, 'pg_class'),
       jsonb_agg(jsonb_build_object(
           'name', attname,
           'type', replace(format_type(atttypid, NULL), 'timestamp with time zone', 'timestamptz'),
           'comment', col_description(pg_class.oid, attnum)) ORDER BY attnum)
  FROM pg_class JOIN pg_attribute ON attrelid = pg_class.oid AND attnum > 0 AND NOT attisdropped
 WHERE relnamespace = 'analysis'::regnamespace AND relkind = 'v'
 GROUP BY pg_class.oid, relname ORDER BY relname
"""


@click.group()
def db() -> None:
    """The database that holds the ledger."""


@db.command()
@with_database
def up(database: Database) -> None:
    """Start the embedded database, making and upgrading it when need be."""
    _embedded(database, "started")
    with database.session("sabot_app", say):
        say(f"The embedded database is up: {database.url}")


@db.command()
@with_database
def down(database: Database) -> None:
    """Stop the embedded database; nothing is lost."""
    _embedded(database, "stopped")
    assert database.embedded is not None
    stopped = database.embedded.stop()
    say("The embedded database is down." if stopped else "The embedded database was not up.")


@db.command()
@json_option
@with_database
def status(database: Database, as_json: bool) -> None:
    """Show how the database stands; exit status 1 when it is not fit for money."""
    found = database.status()
    if as_json:
        told = {
            "url": found.url,
            "embedded": found.embedded,
            "server": found.server,
            "schema": found.schema,
            "ok": found.ok,
            "settings": found.settings,
            "advice": found.advice,
        }
        click.echo(json.dumps(told))
    else:
        kind = "embedded" if found.embedded else "remote"
        click.echo(f"PostgreSQL {found.server}, {kind}; schema {found.schema or 'not there'}")
        for name, value in found.settings.items():
            click.echo(f"  {name} = {value}")
        for each in found.advice:
            click.echo(f"! {each}")
        click.echo("Fit for the ledger." if found.ok else "Not fit for the ledger.")
    sys.exit(0 if found.ok else 1)


@db.command()
@with_database
def upgrade(database: Database) -> None:
    """Bring the schema to the newest version, under a lock; needs a login that may create."""
    say(f"The schema is {database.upgrade()}.")


@db.command()
@json_option
@with_database
def views(database: Database, as_json: bool) -> None:
    """List what analysts may read: every view of the schema analysis, and what it tells."""
    with suppress(RoleDenied):  # an analyst's login may see what it reads, under no role of ours
        database.connect("sabot_auditor").close()
    with closing(database.connect_as_is()) as connection:
        found = connection.execute(_VIEWS).fetchall()
    rows = [{"view": view, "comment": told, "columns": columns} for view, told, columns in found]
    if as_json:
        click.echo(json.dumps({"rows": rows}, ensure_ascii=False))
        return
    for row in rows:
        click.echo(f"analysis.{row['view']}: {row['comment']}")
        for column in row["columns"]:
            click.echo(f"  {column['name']:<22} {column['type']:<12} {column['comment']}")


def _embedded(database: Database, act: str) -> None:
    if not database.embedded:
        raise NotFit(f"A remote server is {act} where it runs, not from here.")
