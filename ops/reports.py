"""Asks a report's question: catches its projections up, then reads its rows.

Rows are plain values under the names of the contract: money in minor units, moments in ISO
8601 with the property's offset.
"""

import math
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from datetime import UTC, date, datetime
from decimal import Decimal
from fractions import Fraction
from functools import cache, partial
from typing import TYPE_CHECKING, Any
from zoneinfo import ZoneInfo

import msgspec

from domain.house_rules import HouseRules, of
from domain.money import decimal_string
from domain.odds import spot_covariances, spot_odds
from domain.property import PROPERTY_STREAM, Property
from ops import rule_book
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
    """The property as its settings are, or the defaults before anything was recorded."""
    facts = connection.execute(
        "SELECT topic, state FROM ledger.events WHERE originator_id = %s "
        "ORDER BY originator_version",
        (PROPERTY_STREAM,),
        binary=True,
    ).fetchall()
    if not facts:
        default = Property.found(datetime.now(UTC))
        return House(default.name, default.currency, default.zone)
    settings: dict[str, Any] = {}
    for topic, state in facts:
        told = msgspec.json.decode(state)
        if topic == Property.Created.TOPIC:
            settings = told
        elif topic == Property.SettingChanged.TOPIC:
            settings[told["name"]] = told["value"]
    return House(settings["name"], settings["currency"], settings["zone"])


def ask(database: Database, report: Report, **narrowed: str | None) -> Told:
    """The report, caught up to the ledger's end, and on disk before it is told.

    Raises LedgerLost, ProjectionStopped; NotFit, when whoever asks may only read and the
    projections are behind.
    """
    try:
        with database.session("sabot_projector") as connection:
            return ask_on(connection, report, narrowed)
    except RoleDenied:
        with database.session("sabot_auditor") as connection:
            return ask_on(connection, report, narrowed, _require_caught_up)


_Ready = Callable[["psycopg.Connection[Any]", list[Projection]], None]


def _catch_up_together(
    connection: "psycopg.Connection[Any]", projections: list[Projection]
) -> None:
    """The first to the ledger's end, and the others as far."""
    end = None
    for each in projections:
        end = catch_up(connection, each, until=end)


def _require_caught_up(
    connection: "psycopg.Connection[Any]", projections: list[Projection]
) -> None:
    for each in projections:
        behind = head_of(connection) - position_of(connection, each)
        if behind:
            raise NotFit(
                f"The projection {each.name} is {behind:,} events behind, and this login may not "
                "catch it up: keep `sabot projections run` at work, or ask again when it has "
                "caught up."
            )


def ask_on(
    connection: "psycopg.Connection[Any]",
    report: Report,
    narrowed: Mapping[str, str | None],
    ready: _Ready = _catch_up_together,
) -> Told:
    """The rows, once all projections of the report stand at one position."""
    told = None
    while told is None:  # whoever follows the ledger may lead one of them on meanwhile
        ready(connection, [PROJECTIONS[name] for name in report.projections])
        told = _read_at_one(connection, report, narrowed)
    flush(connection)
    return told


def _read_at_one(
    connection: "psycopg.Connection[Any]", report: Report, narrowed: Mapping[str, str | None]
) -> Told | None:
    with connection.transaction():  # rows and position of one moment
        connection.execute("SET TRANSACTION ISOLATION LEVEL REPEATABLE READ READ ONLY")
        positions = {position_of(connection, PROJECTIONS[name]) for name in report.projections}
        if len(positions) > 1:
            return None
        found = connection.execute(report.sql, _asked(narrowed))
        owner = house(connection)
        zone = ZoneInfo(owner.zone)
        dealt_by = cache(partial(rule_book.dealt_by, connection))
        rows = [
            {
                name: _plain(name, _made(name, value, dealt_by), zone)
                for name, value in zip(report.columns, row, strict=True)
            }
            for row in found
        ]
    return Told(report, owner, positions.pop(), narrowed.get("day"), rows)


def _asked(narrowed: Mapping[str, str | None]) -> dict[str, str | None]:
    """Every narrowing that a report's SQL may name; a day is a range of one."""
    asked = dict.fromkeys(("table", "shoe", "patron", "from", "to")) | dict(narrowed)
    day = asked.pop("day", None)
    return asked | {"from": day, "to": day} if day else asked


def _plain(name: str, value: object, zone: ZoneInfo) -> object:
    """A value as JSON and CSV carry it."""
    if isinstance(value, Decimal):
        exact = decimal_string(Fraction(value))
        return int(exact) if name != "accrued" and "." not in exact else exact
    if isinstance(value, datetime):
        return value.astimezone(zone).isoformat()
    if name in ("exceptions", "components") and isinstance(value, list):
        return [_in_zone(each, zone) for each in value]
    if name == "detail" and isinstance(value, dict):
        return _in_zone(value, zone)
    return value.isoformat() if isinstance(value, date) else value


def _in_zone(told: dict[str, Any], zone: ZoneInfo) -> dict[str, Any]:
    """The moments that rows keep as text among other things."""
    moments = {name: told[name] for name in ("at", "recorded_at") if name in told}
    return told | {
        name: datetime.fromisoformat(each).astimezone(zone).isoformat()
        for name, each in moments.items()
    }


_DealtBy = Callable[[str], HouseRules | None]  # the rule set of that name, as recorded


def _made(name: str, value: object, dealt_by: _DealtBy) -> object:
    """The value itself, or what is made of it."""
    return value if value is None or name not in _MADE else _MADE[name](value, dealt_by)


def _theoretical_win(handles: Any, dealt_by: _DealtBy) -> Any:
    """What the house's edge over all that was staked comes to; None: a rule set is not known.

    Of an object of such stakes, by spot, an object.
    """
    if isinstance(handles, dict):
        return {spot: _theoretical_win(each, dealt_by) for spot, each in handles.items()}
    won = _expected(handles, dealt_by)
    return None if won is None else math.floor(won + Fraction(1, 2))


def _expected(handles: Any, dealt_by: _DealtBy) -> Fraction | None:
    won = Fraction(0)
    for each in handles:
        rules = dealt_by(each["rules"])
        if rules is None or each["spot"] not in rules.spots:
            return None
        won -= each["handle"] * _edge(rules.name, rules.digest, each["spot"], each["decks"])
    return won


def _outside_95(told: Any, dealt_by: _DealtBy) -> bool | None:
    """Whether the win is further from the expected than 1.96 standard deviations, exactly."""
    expected = _expected(told["handles"], dealt_by)
    if expected is None:
        return None
    variance = Fraction(0)
    for each in told["products"]:
        rules = dealt_by(each["rules"])
        assert rules is not None, "the handles told of it"
        pair = each["spot"], each["other"]
        covariance = _covariances(rules.name, rules.digest, each["decks"])[pair]
        variance += (1 + (pair[0] != pair[1])) * each["product"] * covariance
    return bool((told["win"] - expected) ** 2 > Fraction(196, 100) ** 2 * variance)


def _seats(name: str, dealt_by: _DealtBy) -> int | None:
    rules = dealt_by(name)
    return len(rules.seats) if rules else None


def _occupancy(told: Any, dealt_by: _DealtBy) -> str | None:
    """Which part of the time that all seats were there somebody had them, to four places."""
    seats = _seats(told["rules"], dealt_by)
    if seats is None:
        return None
    part = Fraction(told["taken"]) / (seats * Fraction(told["open"]))
    whole, places = divmod(math.floor(part * 10_000 + Fraction(1, 2)), 10_000)
    return f"{whole}.{places:04}"


@cache
def _edge(rules: str, digest: str, spot: str, decks: int) -> Fraction:
    """What the patron may expect of 1 staked; the digest tells rule sets of one name apart."""
    return spot_odds(of(rules, digest), spot, decks).edge


@cache
def _covariances(rules: str, digest: str, decks: int) -> dict[tuple[str, str], Fraction]:
    return spot_covariances(of(rules, digest), decks)


# Columns that the rows have only the makings of: what no projection may ask the domain.
_MADE: Mapping[str, Callable[[Any, _DealtBy], object]] = {
    "theoretical_win": _theoretical_win,
    "outside_95": _outside_95,
    "seats": _seats,
    "occupancy": _occupancy,
}
