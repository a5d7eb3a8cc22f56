"""`sabot inquiry`: what surveillance looks into, which nobody else learns of."""

import json
from zoneinfo import ZoneInfo

import click

from domain.rules.addresses import Inquiry
from domain.rules.wording import Words
from ops.cli.handing_out import Handout, export_command
from ops.cli.reading import permit, read_safely
from ops.cli.session import json_option, with_database
from ops.cli.speak import noun
from ops.commands.house_events import house
from ops.ledger.database import Database
from ops.pack.inquiry import last_of_inquiry, pack_of_inquiry
from ops.replay.inquiry import read_inquiry
from ops.replay.inquiry_page import event_lines, leads
from ops.reports.protection_row import rows_gone
from ops.words.language import shown

inquiry = noun(
    "inquiry",
    "What surveillance looks into; nobody else learns of it.",
    without=("inquiry.export",),
)
inquiry.add_command(
    export_command(
        Handout("inquiry", "inquiry.export", Inquiry.parse, last_of_inquiry, pack_of_inquiry)
    )
)


@inquiry.command("show")
@click.argument("inquiry")
@json_option
@with_database
def show_inquiry(database: Database, inquiry: str, as_json: bool) -> None:
    """Show INQUIRY: everything that happened, and the commands that show its evidence.

    `sabot report inquiries` lists them all.
    """
    address = Inquiry.parse(inquiry)
    permit(database, "inquiry show", {"inquiry": str(address)}, as_json=as_json)
    with database.session("sabot_auditor") as connection:
        of = house(connection)
        file = read_inquiry(connection, address)[1]
        gone = rows_gone(connection, file.rows)
        read_safely(connection)
    if as_json:
        click.echo(json.dumps(file.as_dict(ZoneInfo(of.zone)), ensure_ascii=False))
        return
    for line in event_lines(file.lines, of, gone):
        click.echo(line)
    for command in leads(file):
        click.echo(shown(Words("Look at it: {command}", command=command)))
