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
from ops.database import Database, NotFit, RoleDenied
from ops.ledger.recorder import flush
from ops.runner import catch_up, head_of, position_of
from projections import PROJECTIONS, Projection, Report

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
    """The report, caught up to the ledger's end, and on disk before it is told.

    Raises LedgerLost, ProjectionStopped; NotFit, when whoever asks may only read and the
    projections are behind.
    """
    try:
        with database.session("sabot_projector") as connection:
            for name in report.projections:
                catch_up(connection, PROJECTIONS[name])
            return _read(connection, report, narrowed)
    except RoleDenied:
        with database.session("sabot_auditor") as connection:
            for name in report.projections:
                _require_caught_up(connection, PROJECTIONS[name])
            return _read(connection, report, narrowed)


def _require_caught_up(connection: "psycopg.Connection[Any]", projection: Projection) -> None:
    behind = head_of(connection) - position_of(connection, projection)
    if behind:
        raise NotFit(
            f"The projection {projection.name} is {behind:,} events behind, and this login may not "
            "catch it up: keep `sabot projections run` at work, or ask again when it has caught up."
        )


def _read(
    connection: "psycopg.Connection[Any]", report: Report, narrowed: dict[str, str | None]
) -> Told:
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
    flush(connection)
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
