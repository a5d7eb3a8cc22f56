"""`sabot box`: drop boxes from the table to the count room, and the count report of a day."""

from pathlib import Path

import click

from domain.rules.addresses import parse_day
from ops.cli.reading import permit
from ops.cli.report import write_pdf
from ops.cli.session import NEW_FILE, require_place, with_database
from ops.cli.speak import noun
from ops.ledger.database import Database
from ops.reports.ask import ask
from ops.reports.table import print_table
from projections import REPORTS

box = noun("box", "Drop boxes, from the table to the count room.")


@box.command("report")
@click.argument("day", metavar="DAY")
@click.option(
    "--pdf",
    metavar="FILE",
    type=NEW_FILE,
    callback=require_place,
    help="Write it to this file, as a PDF with three signature lines.",
)
@with_database
def count_report(database: Database, day: str, pdf: Path | None) -> None:
    """Show the count report of a gaming day: each drop box, its cash and the table's own figure.

    \b
    Example: sabot box report 2026-11-21 --pdf count.pdf
    """
    parse_day(day)
    narrowed: dict[str, str | None] = {"day": day}
    permit(database, "box report", narrowed, "pdf" if pdf else None)
    answer = ask(database, REPORTS["boxes"], or_behind=pdf is None, **narrowed)  # type: ignore[arg-type]
    if pdf:
        write_pdf(answer, narrowed, database, pdf)
    else:
        print_table(answer)
