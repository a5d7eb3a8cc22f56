"""`sabot db`: the database, embedded or remote."""

import json
import sys
from contextlib import closing, suppress

import click
from msgspec import to_builtins

from ops.cli.backup import backup, backup_key, restore
from ops.cli.restores import missing_from
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


for _each in (backup, backup_key, restore):
    db.add_command(_each)


@db.command()
@with_database
def up(database: Database) -> None:
    """Start the embedded database; create or upgrade it first if needed."""
    _embedded(database, "started")
    with database.session("sabot_app", say):
        say(f"The embedded database is up: {database.url}")


@db.command()
@with_database
def down(database: Database) -> None:
    """Stop the embedded database; the data stays."""
    _embedded(database, "stopped")
    assert database.embedded is not None
    stopped = database.embedded.stop()
    say("The embedded database is down." if stopped else "The embedded database was not running.")


@db.command()
@json_option
@with_database
def status(database: Database, as_json: bool) -> None:
    """Show the version, the settings, and what differs from the schema that the upgrade made.

    Exit status 1 if it is not safe to use.
    """
    state = database.status()
    missing = missing_from(database) if state.ok else None
    if as_json:
        body = {
            "url": state.url,
            "embedded": state.embedded,
            "server": state.server,
            "schema": state.schema,
            "ok": state.ok and not missing,
            "settings": state.settings,
            "advice": [*([missing] if missing else []), *state.advice],
            "missing": missing,
            "differences": [to_builtins(each) for each in state.differences],
            "standby": state.only_reads or None,
            "replayed_at": state.replayed_at and state.replayed_at.isoformat(),
        }
        click.echo(json.dumps(body))
    else:
        kind = "embedded" if state.embedded else "remote"
        click.echo(f"PostgreSQL {state.server}, {kind}; schema {state.schema or 'missing'}")
        for name, value in state.settings.items():
            click.echo(f"  {name} = {value}")
        if state.only_reads:
            has = f"{state.replayed_at:%Y-%m-%d %H:%M:%S} UTC" if state.replayed_at else "its start"
            click.echo(f"It only reads: {state.only_reads}. It has what was committed up to {has}.")
        for each in (*([missing] if missing else []), *state.advice):
            click.echo(f"! {each}")
        fine = state.ok and not missing
        click.echo("Safe to use." if fine else "Not safe to use: see the lines with !.")
    sys.exit(0 if state.ok and not missing else 1)


@db.command()
@with_database
def upgrade(database: Database) -> None:
    """Upgrade the schema to the newest version; needs a login that may create tables."""
    say(f"The schema is {database.upgrade()}.")


@db.command()
@json_option
@with_database
def views(database: Database, as_json: bool) -> None:
    """List the views that analysts may read, with every column."""
    with suppress(RoleDenied):  # an analyst's login has no role of Sabot's, but may list views
        database.connect("sabot_auditor").close()
    with closing(database.connect_as_is()) as connection:
        records = connection.execute(_VIEWS).fetchall()
    rows = [
        {"view": view, "comment": words, "columns": columns} for view, words, columns in records
    ]
    if as_json:
        click.echo(json.dumps({"rows": rows}, ensure_ascii=False))
        return
    for row in rows:
        click.echo(f"analysis.{row['view']}: {row['comment']}")
        for column in row["columns"]:
            click.echo(f"  {column['name']:<22} {column['type']:<12} {column['comment']}")


def _embedded(database: Database, act: str) -> None:
    """Raises NotFit for a remote server."""
    if not database.embedded:
        raise NotFit(f"This server is remote: it is {act} on its own machine.")
