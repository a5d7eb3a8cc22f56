"""`sabot patron`: the patrons. Names are stored beside the record, and can be erased."""

import click

from domain.rules.refusals import NotFound
from ops.cli.reading import permit
from ops.cli.session import dispatcher_on, with_database
from ops.cli.speak import noun
from ops.ledger.database import Database
from ops.ledger.secrets import People
from ops.typed.shell import require_utf8

patron = noun("patron", "Who plays here, by house number or alias.")


def _people(database: Database, what: str, patron: str) -> People:
    """The patrons' names. Refuses: NotPermitted, to anybody who may not read them."""
    require_utf8("patron", patron)
    permit(database, what, {"patron": patron})
    return People(dispatcher_on(database, "shell").casino.ledger)


@patron.command()
@click.argument("patron")
@click.argument("name", required=False)
@with_database
def name(database: Database, patron: str, name: str | None) -> None:
    """Show PATRON's name, or store NAME. Names are in no event."""
    people = _people(database, "patron name", patron)
    if name:
        people.name_patron(patron, name)
    stored = people.patron_name(patron)
    if stored is None:
        raise NotFound(what=f"name of {patron}")
    click.echo(stored)


@patron.command()
@click.argument("patron")
@with_database
def erase(database: Database, patron: str) -> None:
    """Delete PATRON's name. The record does not change: names are not in it."""
    gone = _people(database, "patron erase", patron).erase_patron(patron)
    if not gone:
        raise NotFound(what=f"name of {patron}")
    click.echo(f"The name of {patron} is erased.")
