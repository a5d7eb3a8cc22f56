"""`sabot shift slip`: the inventory slip of a shift, on the screen or on paper."""

from pathlib import Path

import click

from domain.rules.addresses import TableDay
from ops.cli.reading import permit, read_safely
from ops.cli.session import NEW_FILE, require_place, say, with_database, write_whole
from ops.ledger.database import Database
from ops.reports.inventory_slip import find
from ops.typed.shell import require_utf8


@click.group()
def shift() -> None:
    """The shifts of a gaming day; `sabot property set shifts` names them."""


@shift.command("slip")
@click.argument("table_day", metavar="TABLE/DAY")
@click.argument("shift", metavar="SHIFT")
@click.option(
    "--pdf",
    metavar="FILE",
    type=NEW_FILE,
    callback=require_place,
    help="Write it to this file, as a PDF.",
)
@with_database
def slip(database: Database, table_day: str, shift: str, pdf: Path | None) -> None:
    """Print the inventory slip of a shift: the chips as counted, and two signature lines.

    \b
    Example: sabot shift slip B01/2026-11-21 swing --pdf slip.pdf
    """
    require_utf8("SHIFT", shift)
    address = TableDay.parse(table_day)
    about = {"table": address.table, "day": address.day.isoformat()}
    permit(database, "shift slip", about, "pdf" if pdf else None)
    with database.session("sabot_auditor") as connection:
        counted = find(connection, address, shift)
        read_safely(connection)
    if pdf is None:
        click.echo(counted.text(), nl=False)
        return
    write_whole(pdf, counted.pdf())
    say(f"The inventory slip of {address}, {shift} shift, is in {pdf}.")
