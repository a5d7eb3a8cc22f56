"""`sabot incident`: what happened on the floor that is no dispute about a payment (R-FLOOR-1)."""

import json
from zoneinfo import ZoneInfo

import click

from domain.rules.addresses import Incident
from ops.cli.handing_out import Handout, export_command
from ops.cli.reading import permit, read_safely
from ops.cli.session import json_option, with_database
from ops.cli.speak import noun
from ops.commands.house_events import house
from ops.ledger.database import Database
from ops.pack.incident import last_of_incident, pack_of_incident
from ops.replay.incident import read_incident
from ops.replay.inquiry_page import event_lines

incident = noun(
    "incident",
    "What happened on the floor that is no dispute about a payment.",
    without=("incident.export",),
)
incident.add_command(
    export_command(
        Handout("incident", "incident.export", Incident.parse, last_of_incident, pack_of_incident)
    )
)


@incident.command("show")
@click.argument("incident")
@json_option
@with_database
def show_incident(database: Database, incident: str, as_json: bool) -> None:
    """Show INCIDENT: everything that happened, who was in it, and by whom it was written.

    `sabot report incidents` lists them all.
    """
    address = Incident.parse(incident)
    permit(database, "incident show", {"incident": str(address)}, as_json=as_json)
    with database.session("sabot_auditor") as connection:
        of = house(connection)
        file = read_incident(connection, address)
        read_safely(connection)
    if as_json:
        click.echo(json.dumps(file.as_dict(ZoneInfo(of.zone)), ensure_ascii=False))
        return
    for line in event_lines(file.lines, of):
        click.echo(line)
