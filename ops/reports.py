"""Asks a report's question: catches its projections up, then reads its rows.

Rows are plain values under the names of the contract: money in minor units, moments in ISO
8601 with the property's offset.
"""

from dataclasses import dataclass
from datetime import UTC, date, datetime
from decimal import Decimal
from fractions import Fraction
from typing import TYPE_CHECKING, Any
from zoneinfo import ZoneInfo

import msgspec

from domain.money import decimal_string
from domain.property import Property
from ops.database import Database
from ops.runner import catch_up
from projections import PROJECTIONS, Report

if TYPE_CHECKING:
    import psycopg


@dataclass(frozen=True)
class House:
    """What a report's head says of the property."""

    name: str
    currency: str
    zone: str


@dataclass(frozen=True)
class Told:
    """A report's answer: true at `position`, and at no other."""

    report: Report
    house: House
    position: int
    day: str | None
    rows: list[dict[str, Any]]

    def as_dict(self) -> dict[str, Any]:
        """As `--json` prints it."""
        return {
            "report": self.report.name,
            "property": self.house.name,
            "gaming_day": self.day,
            "as_of": None,
            "position": self.position,
            "currency": self.house.currency,
            "rows": self.rows,
        }


def house(connection: "psycopg.Connection[Any]") -> House:
    """The property as it was founded, or the defaults before anything was recorded."""
    row = connection.execute(
        "SELECT state FROM ledger.events WHERE topic = %s ORDER BY position LIMIT 1",
        (Property.Created.TOPIC,),
        binary=True,
    ).fetchone()
    if row is None:
        default = Property.found(datetime.now(UTC))
        return House(default.name, default.currency, default.zone)
    state = msgspec.json.decode(row[0])
    return House(state["name"], state["currency"], state["zone"])


def ask(database: Database, report: Report, **narrowed: str | None) -> Told:
    """The report, caught up to the ledger's end. Raises LedgerLost, ProjectionStopped."""
    with database.connect("sabot_projector") as connection:
        for name in report.projections:
            catch_up(connection, PROJECTIONS[name])
        with connection.transaction():  # rows and position of one moment
            connection.execute("SET TRANSACTION ISOLATION LEVEL REPEATABLE READ READ ONLY")
            position = connection.execute(
                "SELECT coalesce(min(position), 0) FROM projections.progress "
                "WHERE projection = ANY(%s)",
                (list(report.projections),),
            ).fetchone()
            asked = {"table": None, "day": None, "shoe": None, "patron": None} | narrowed
            found = connection.execute(report.sql, asked)
            owner = house(connection)
            zone = ZoneInfo(owner.zone)
            rows = [
                {
                    name: _plain(name, value, zone)
                    for name, value in zip(report.columns, row, strict=True)
                }
                for row in found
            ]
    assert position is not None
    return Told(report, owner, position[0], narrowed.get("day"), rows)


def _plain(name: str, value: object, zone: ZoneInfo) -> object:
    """A value as JSON and CSV carry it."""
    if isinstance(value, Decimal):
        exact = decimal_string(Fraction(value))
        return int(exact) if name != "accrued" and "." not in exact else exact
    if isinstance(value, datetime):
        return value.astimezone(zone).isoformat()
    if name == "exceptions" and isinstance(value, list):
        return [
            each | {"at": datetime.fromisoformat(each["at"]).astimezone(zone).isoformat()}
            for each in value
        ]
    return value.isoformat() if isinstance(value, date) else value
