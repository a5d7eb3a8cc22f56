"""`sabot patron`: who plays here. Names are kept beside the record, and can be erased."""

from collections.abc import Iterator
from contextlib import contextmanager

import click

from domain.refusals import NotFound
from ops.cli.session import dispatcher_on, with_database
from ops.cli.speak import noun
from ops.database import Database
from ops.people import People

MAY_KNOW = ("supervisor", "pit-boss", "surveillance", "administrator")

patron = noun("patron", "Who plays here, by house number or alias.")


@contextmanager
def _people(database: Database) -> Iterator[People]:
    """The names, for whoever may know them."""
    dispatcher = dispatcher_on(database, "shell")
    dispatcher.authority.require_one_of(MAY_KNOW, "see names")
    yield People(dispatcher.casino.ledger)


@patron.command()
@click.argument("patron")
@click.argument("name", required=False)
@with_database
def name(database: Database, patron: str, name: str | None) -> None:
    """Show what PATRON is called, or keep NAME. It stands in no event."""
    with _people(database) as people:
        if name:
            people.name_patron(patron, name)
        kept = people.patron_name(patron)
    if kept is None:
        raise NotFound(what=f"name of {patron}")
    click.echo(kept)


@patron.command()
@click.argument("patron")
@with_database
def erase(database: Database, patron: str) -> None:
    """Forget what PATRON is called. The record stays whole: it never had the name."""
    with _people(database) as people:
        gone = people.erase_patron(patron)
    if not gone:
        raise NotFound(what=f"name of {patron}")
    click.echo(f"The name of {patron} is erased.")
