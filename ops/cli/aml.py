"""`sabot aml`: cases of money laundering, of which nobody at the tables learns."""

import json
from zoneinfo import ZoneInfo

import click

from domain.rules.addresses import AmlCase
from ops.cli.handing_out import Handout, export_command
from ops.cli.reading import permit, read_safely
from ops.cli.session import json_option, with_database
from ops.cli.speak import noun
from ops.commands.house_events import house
from ops.ledger.database import Database
from ops.pack.aml import last_of_aml_case, pack_of_aml_case
from ops.replay.aml_case import read_aml_case
from ops.replay.inquiry_page import event_lines

aml = noun(
    "aml",
    "Cases of money laundering; nobody at the tables learns of them.",
    without=("aml.export",),
)
aml.add_command(
    export_command(
        Handout("aml_case", "aml.export", AmlCase.parse, last_of_aml_case, pack_of_aml_case)
    )
)


@aml.command("show")
@click.argument("aml_case", metavar="AML-CASE")
@json_option
@with_database
def show_case(database: Database, aml_case: str, as_json: bool) -> None:
    """Show AML-CASE: everything that happened, what people wrote, and its evidence.

    `sabot report aml-cases` lists them all.
    """
    address = AmlCase.parse(aml_case)
    permit(database, "aml show", {"case": str(address)}, as_json=as_json)
    with database.session("sabot_app") as connection:
        of = house(connection)
        file = read_aml_case(connection, address)
        read_safely(connection)
    if as_json:
        click.echo(json.dumps(file.as_dict(ZoneInfo(of.zone)), ensure_ascii=False))
        return
    for line in file.lines:
        for words in event_lines([line], of):
            click.echo(words)
        if text := file.text_of(line):
            click.echo(f"    {text}")
    for position in file.positions:
        click.echo(f"Look at it: sabot find '#{position}'")
