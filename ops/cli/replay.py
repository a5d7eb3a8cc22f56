"""`sabot replay COUP`: the story of a coup, every claim with its rule and its place."""

import json
import sys
from collections.abc import Callable
from datetime import datetime
from typing import TYPE_CHECKING, Any
from zoneinfo import ZoneInfo

import click

from domain.addresses import Coup
from domain.refusals import NotFound
from ops import show
from ops.as_of import in_zone_of, moment_of, position_at
from ops.cli.session import json_option, with_database
from ops.coups_of import Coups, coups_of
from ops.database import Database
from ops.house import house
from ops.ledger.recorder import flush
from ops.replay import Found, as_dict, find

if TYPE_CHECKING:
    import psycopg


@click.command()
@click.argument("coup")
@click.option("--until", type=click.IntRange(1), help="Stop before card N, 1 to 6, or event N.")
@click.option("--as-of", metavar="MOMENT", help="Tell what the record said at that moment.")
@click.option("--for", "patron", metavar="PATRON", help="Name nobody else: a page to show them.")
@click.option("--step", is_flag=True, help="Walk through it on the keyboard.")
@json_option
@with_database
def replay(
    database: Database,
    coup: str,
    until: int | None,
    as_of: str | None,
    patron: str | None,
    step: bool,
    as_json: bool,
) -> None:
    """Tell COUP, as in B01/2026-11-21/1/17, from the ledger alone, and adjudicate it again.

    Exit status 1 when the record does not agree with the rules, or its chain is broken.
    """
    if step and (as_json or until):
        raise click.UsageError("Say --step by itself: it stops wherever you are.")
    with database.session("sabot_auditor") as connection:
        zone = ZoneInfo(house(connection).zone)
        address = Coup.parse(coup)
        moment = _moment(connection, as_of, zone) if as_of else None

        def read(coup: Coup) -> Found:
            found = find(connection, coup, moment)
            flush(connection)
            return found.shown_to(patron) if patron else found

        found = read(address)
        if patron and not found.names(patron):
            raise NotFound(what=f"wager of {patron} in {address}")
        if step:
            _step(found, coups_of(connection, address.shoe.table_day), read, zone)
            return
    _tell(found.until(until) if until else found, zone, as_json=as_json)


def _moment(
    connection: "psycopg.Connection[Any]", as_of: str, zone: ZoneInfo
) -> tuple[datetime, int]:
    """The moment asked for, and how far the record had come by then. Refuses: BadValue."""
    moment = in_zone_of(moment_of(as_of), zone)
    return moment, position_at(connection, moment)


def _step(found: Found, coups: Coups, read: Callable[[Coup], Found], zone: ZoneInfo) -> None:
    from ops.cli.keyboard import Keyboard
    from ops.cli.step import Walk, step

    if not (sys.stdin.isatty() and sys.stdout.isatty()):
        raise click.UsageError("--step needs a keyboard and a screen; say --until N instead.")
    with Keyboard() as keys:
        step(Walk(found, coups, read), zone, keys)


def _tell(found: Found, zone: ZoneInfo, *, as_json: bool) -> None:
    told = as_dict(found)
    if as_json:
        click.echo(json.dumps(told, ensure_ascii=False))
    elif found.replay and told["rules"]:
        from ops.cli.page import Page

        Page(found, found.replay, show.console(), zone).print()
    else:
        click.echo(f"The record of {found.address} makes no sense: see `sabot audit verify`.")
    sys.exit(0 if told["agrees"] and found.chain_good else 1)
