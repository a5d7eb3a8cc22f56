"""`sabot replay COUP`: the story of a coup, every claim with its rule and its place."""

import json
import sys
from zoneinfo import ZoneInfo

import click

from domain.addresses import Coup
from ops import show
from ops.cli.session import json_option, require_utf8, with_database
from ops.database import Database
from ops.ledger.recorder import flush
from ops.replay import as_dict, find
from ops.reports import house
from ops.what_if import ask
from ops.what_if_json import as_dict as what_if_as_dict


@click.command()
@click.argument("coup")
@click.option(
    "--what-if",
    "changes",
    multiple=True,
    metavar="CHANGE",
    help="What if this had been otherwise; repeat it for several at once.",
)
@json_option
@with_database
def replay(database: Database, coup: str, changes: tuple[str, ...], as_json: bool) -> None:
    """Tell COUP, as in B01/2026-11-21/1/17, from the ledger alone, and adjudicate it again.

    \b
    A CHANGE is one of these; it is told beside the record, and records nothing:
      'card 5 = KH'              another card at that place
      'draw player'              a third card given, or with no-draw missed,
      'no-draw banker'           against the tableau
      'bet 3 banker 200'         another wager of seat 3; also 'no-bet 3 banker',
      'move 3 banker to player'  'move 3 banker to 5 banker'
      'rules classic@1'          another rule set
      'rounding up 1 min 0.25'   another rounding of the commission: exact,
                                 nearest or up; per-win or on-collection
      'void'                     every stake returned
      'then burn'                of cards left over: carry, burn or dummy

    Exit status 1 when the record does not agree with the rules, or its chain is broken.
    """
    require_utf8("what-if", changes)
    address = Coup.parse(coup)
    with database.session("sabot_auditor") as connection:
        found = find(connection, address)
        zone = ZoneInfo(house(connection).zone)
        told = as_dict(found)
        asked = None
        if changes and found.replay and told["rules"]:
            asked = ask(connection, address, found.replay, changes)
        flush(connection)
    if changes:
        told["what_if"] = what_if_as_dict(asked) if asked else None
    if as_json:
        click.echo(json.dumps(told, ensure_ascii=False))
    elif found.replay and told["rules"]:
        from ops.cli.page import Page

        Page(found, found.replay, show.console(), zone).print()
        if asked:
            from ops.cli.what_if_page import WhatIfPage

            WhatIfPage(asked, show.console()).print()
    else:
        click.echo(f"The record of {address} makes no sense any more: see `sabot audit verify`.")
    sys.exit(0 if told["agrees"] and found.chain_good else 1)
