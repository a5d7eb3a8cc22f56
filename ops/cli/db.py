"""`sabot db`: the database, embedded or remote."""

import json
import sys

import click

from ops.cli.session import json_option, say, with_database
from ops.database import Database, NotFit


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


def _embedded(database: Database, act: str) -> None:
    if not database.embedded:
        raise NotFit(f"A remote server is {act} where it runs, not from here.")
