"""`sabot audit shoe`: the cards of a shoe, checked."""

import json
import sys

import click
from msgspec import to_builtins

from domain.rules import addresses
from domain.rules.wording import plain
from ops.cli.session import json_option, with_database
from ops.ledger.database import Database
from ops.ledger.recorder import flush
from ops.replay.shoe_audit import audited


@click.command()
@click.argument("shoe")
@json_option
@with_database
def shoe(database: Database, shoe: str, as_json: bool) -> None:
    """Check the record of SHOE: no card too often, every card counted, dealt in its order.

    The cards are looked at beside the order of new decks and beside the shoes before it at this
    table, for cards that clump and for cards that are missing, in play too. A check that fails
    accuses nobody: it says how seldom chance does as much.

    SHOE is an address as in B01/2026-11-21/1. Exit status 1 if a check fails.
    """
    with database.session("sabot_auditor") as connection:
        audit = audited(connection, addresses.Shoe.parse(shoe))
        flush(connection)
    if as_json:
        click.echo(json.dumps(to_builtins(audit, enc_hook=plain)))
    else:
        for check in audit.checks:
            click.echo(f"{'good' if check.ok else 'BAD '}  {check.check}: {check.result}")
    sys.exit(0 if audit.ok else 1)
