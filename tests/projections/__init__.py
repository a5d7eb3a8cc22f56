"""The read side, grown on a real PostgreSQL from what is said at a table, line by line."""

from datetime import timedelta
from typing import Any

from ops.ledger.database import Database
from ops.reports.ask import ask
from projections import Fact, Report
from tests.worlds.gaming_table import BEGINS


def rows_of(database: Database, *names: str, report: Report, **narrowed: str) -> list[Any]:
    """These fields of every row."""
    found = ask(database, report, **narrowed).rows
    return [tuple(row[name] for name in names) for row in found]


def fact(topic: str, **told: object) -> Fact:
    """A fact of the house's own, as projections read it."""
    return Fact(
        position=7,
        topic=topic,
        name="",
        at=BEGINS,
        recorded_at=BEGINS,
        gaming_day=BEGINS.date() - timedelta(days=1),
        table="",
        actor="D-204",
        told=told,
        command_id="k-7",
        metadata={},
    )
