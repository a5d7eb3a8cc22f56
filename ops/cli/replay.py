"""`sabot replay COUP`: the story of a coup, every claim with its rule and its place."""

import json
import sys
from zoneinfo import ZoneInfo

import click

from domain.addresses import Coup
from ops import show
from ops.cli.session import json_option, say, with_database
from ops.database import Database
from ops.ledger.recorder import flush
from ops.replay import as_dict, find
from ops.reports import house


@click.command()
@click.argument("coup")
@json_option
@with_database
def replay(database: Database, coup: str, as_json: bool) -> None:
    """Tell COUP, as in B01/2026-11-21/1/17, from the ledger alone, and adjudicate it again.

    Exit status 1 when the record does not agree with the rules, or its chain is broken.
    """
    address = Coup.parse(coup)
    with database.session("sabot_auditor") as connection:
        found = find(connection, address)
        zone = ZoneInfo(house(connection).zone)
        flush(connection)
    told = as_dict(found)
    if as_json:
        click.echo(json.dumps(told, ensure_ascii=False))
    elif found.replay and told["rules"]:
        from ops.cli.page import Page

        Page(found, found.replay, show.console(), zone).print()
    else:
        click.echo(f"The record of {address} makes no sense any more: see `sabot audit verify`.")
    if not told["agrees"]:
        say(f"It does not agree: `sabot readjudicate {address}` makes that an exception.")
    sys.exit(0 if told["agrees"] and found.chain_good else 1)
