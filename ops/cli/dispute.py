"""`sabot dispute`: complaints about a coup, their decisions, and what followed."""

import json
from typing import TYPE_CHECKING, Any
from zoneinfo import ZoneInfo

import click
from msgspec import convert

from domain.aggregates.dispute import Dispute
from domain.rules.addresses import Case, Coup
from domain.rules.refusals import NotFound
from ops.cli.handing_out import Handout, export_command
from ops.cli.reading import permit, read_safely
from ops.cli.session import json_option, with_database
from ops.cli.speak import noun
from ops.commands.house_events import house
from ops.ledger.database import Database
from ops.ledger.reading import read_stream
from ops.pack.case import pack_of_case
from ops.replay.case import read_case
from ops.replay.case_page import CasePage, CaseRow, print_cases
from ops.reports.ask import ask
from ops.typed.shell import require_utf8
from ops.words import show
from projections import REPORTS

if TYPE_CHECKING:
    import psycopg

dispute = noun(
    "dispute",
    "A patron's complaint about a coup, until it is settled (R-IRR-5).",
    without=("dispute.export",),
)


def _last(connection: "psycopg.Connection[Any]", case: Case) -> int:
    """The case's last position. Refuses: NotFound."""
    recorded = read_stream(connection, Dispute.stream(case))
    if not recorded:
        raise NotFound(what=f"case {case}")
    return recorded[-1].position


dispute.add_command(
    export_command(Handout("case", "dispute.export", Case.parse, _last, pack_of_case))
)


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
