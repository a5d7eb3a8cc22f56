"""`sabot dispute`: complaints about a coup, their decisions, and what followed."""

import json
from pathlib import Path
from typing import Any
from zoneinfo import ZoneInfo

import click
from msgspec import convert

from domain.aggregates.dispute import Dispute
from domain.rules.addresses import Case, Coup
from domain.rules.refusals import NotFound
from ops.cli.pack import Pair, require_pair
from ops.cli.reading import permit, read_safely
from ops.cli.session import database_of, dispatcher_on, json_option, say, with_database
from ops.cli.speak import answer_to, command_for, noun, tell
from ops.commands.disputes import DisputeExport
from ops.commands.house_events import house
from ops.handlers.answer import Answer
from ops.handlers.checkpoints import cover
from ops.handlers.dispatcher import Dispatcher
from ops.ledger.database import Database
from ops.ledger.reading import read_stream
from ops.ledger.recorder import flush
from ops.pack.case import pack_of_case
from ops.replay.case import read_case
from ops.replay.case_page import CasePage, CaseRow, print_cases
from ops.reports.ask import ask
from ops.typed.shell import require_utf8
from ops.words import show
from projections import REPORTS

dispute = noun(
    "dispute",
    "A patron's complaint about a coup, until it is settled (R-IRR-5).",
    without=("dispute.export",),
)


@click.pass_context
def export(ctx: click.Context, /, as_json: bool, into: Path, **spoken: Any) -> None:
    """Records the pack, then writes it, so that the record has every pack.

    If no checkpoint covers the case yet, one is made first, where the house's key is.
    """
    pair, dispatcher = None, dispatcher_on(database_of(ctx), channel="shell")
    if dispatcher.authority.may_give(DisputeExport):
        pair, last = _pair(ctx, into, spoken["case"])
        cover(dispatcher, database_of(ctx), last)
    answer, currency = answer_to(dispatcher, "dispute.export", spoken)
    if answer.ok and pair:
        _write(pair, dispatcher, answer)
    tell(ctx, answer, currency, as_json=as_json)


def _pair(ctx: click.Context, into: Path, case: str) -> tuple[Pair, int]:
    """The paths of the two files, and the case's last position; makes a missing directory.

    Refuses: BadValue, NotFound.
    """
    address = Case.parse(case)
    with database_of(ctx).session("sabot_auditor") as connection:
        recorded = read_stream(connection, Dispute.stream(address))
        if not recorded:
            raise NotFound(what=f"case {address}")
    try:
        into.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise click.UsageError(f"{into} cannot be made: {error.strerror}.") from None
    pair = require_pair(ctx, _INTO, into / str(address))
    assert pair is not None
    return pair, recorded[-1].position


def _write(pair: Pair, dispatcher: Dispatcher, answer: Answer) -> None:
    """Makes the pack of the answer's event from the record, and writes it."""
    (event,) = answer.events
    with dispatcher.casino.ledger.connection() as connection:
        made = pack_of_case(connection, Case.parse(event["case"]), event["position"])
        flush(connection)
    if made.json_sha256 != event["json_sha256"]:
        raise click.ClickException(
            f"Another version of this program made the pack of {event['case']} that is on record, "
            "and this one makes other bytes. Export it again, with another id."
        )
    try:
        pair.write(made)
    except click.ClickException as error:
        words = f"{error.message} The record has its hashes: ask again for the same files."
        raise click.ClickException(words) from error
    say(f"The pack of {event['case']} is in {pair.json} and {pair.pdf}.")


_INTO = click.Option(
    ["--into"],
    metavar="DIR",
    required=True,
    type=click.Path(file_okay=False, path_type=Path),
    help="Where CASE.json and CASE.pdf are written.",
)
dispute.add_command(command_for("dispute.export", export, _INTO))


@dispute.command("show")
@click.argument("case")
@json_option
@with_database
def show_case(database: Database, case: str, as_json: bool) -> None:
    """Show CASE from the complaint to its end: the replay, notes, decisions, and by whom.

    Every moment is by the property's clock, those of cameras too.
    """
    address = Case.parse(case)
    permit(database, "dispute show", {"case": str(address)}, as_json=as_json)
    with database.session("sabot_auditor") as connection:
        of = house(connection)
        zone = ZoneInfo(of.zone)
        _events, case_file = read_case(connection, address)
        read_safely(connection)
    if as_json:
        click.echo(
            json.dumps({**case_file.as_dict(zone), "currency": of.currency}, ensure_ascii=False)
        )
    else:
        CasePage(case_file, of.currency, zone).print(show.console())


_STATUS = {"open": ("open",), "decided": ("decided", "told"), "closed": ("closed",)}


@dispute.command("list")
@click.option("--status", type=click.Choice(list(_STATUS)), help="Only cases with this status.")
@click.option("--coup", help="Only about this coup, as in B01/2026-11-21/1/17.")
@click.option("--patron", help="Only of this patron, under every name.")
@json_option
@with_database
def list_cases(
    database: Database, status: str | None, coup: str | None, patron: str | None, as_json: bool
) -> None:
    """List the cases, the newest first, each with what is due and until when.

    A case is open until it is decided, and decided until it is closed. `sabot report disputes`
    shows more of each.
    """
    require_utf8("patron", patron or "")
    about = str(Coup.parse(coup)) if coup else None
    permit(database, "dispute list", {"coup": about, "patron": patron}, as_json=as_json)
    answer = ask(database, REPORTS["disputes"], patron=patron)
    rows = [
        row
        for row in reversed(answer.rows)
        if (status is None or row["status"] in _STATUS[status]) and about in (None, row["coup"])
    ]
    if as_json:
        click.echo(json.dumps({**answer.as_dict(), "rows": rows}, ensure_ascii=False))
    else:
        print_cases(convert(rows, list[CaseRow]), answer.house, show.console())
