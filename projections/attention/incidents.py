"""Incidents: what happened on the floor that is no dispute about a payment (R-FLOOR-1)."""

from collections.abc import Iterator
from datetime import date, datetime
from typing import Any

from domain.events import incident
from domain.rules.permissions import OF_INCIDENTS
from projections import no_total
from projections.model import Event, Projection, Report, narrowed
from projections.people.patrons import ASKED_AMONG
from projections.rows import Page, Row, Rows, Table, Value

_TABLES = """
-- One row an incident.
CREATE TABLE incidents (
    incident    text        NOT NULL PRIMARY KEY,
    position    bigint      NOT NULL,  -- of the opening
    gaming_day  date        NOT NULL,  -- on which it happened
    table_code  text        NOT NULL,  -- '': at none
    shift       text        NOT NULL,
    kind        text        NOT NULL,
    opened_at   timestamptz NOT NULL,
    opened_by   text        NOT NULL,
    text        text        NOT NULL,
    patrons     jsonb       NOT NULL,  -- whoever was in it, as they were named
    staff       jsonb       NOT NULL,
    guests      jsonb       NOT NULL,
    notes       int         NOT NULL DEFAULT 0,
    balance     bigint      NOT NULL DEFAULT 0,  -- kept for somebody; less than 0: given
    outcome     text,                  -- NULL: it is open
    reason      text,
    closed_at   timestamptz,
    closed_by   text
);
"""
_PEOPLE = ("patrons", "staff", "guests")


class Incident(Row):
    """What happened on the floor."""

    incident: str
    position: int
    gaming_day: date
    table_code: str
    shift: str
    kind: str
    opened_at: datetime
    opened_by: str
    text: str
    patrons: list[str]
    staff: list[str]
    guests: list[str]
    notes: int = 0
    balance: int = 0
    outcome: str | None = None
    reason: str | None = None
    closed_at: datetime | None = None
    closed_by: str | None = None


INCIDENTS = Table("incidents", Incident, "incident")


def _loads(event: Event) -> Iterator[tuple[Page[Any], Value]]:
    yield INCIDENTS.by_key, (event.fields["incident"],)


def _opened(event: Event, rows: Rows) -> None:
    fields = event.fields
    same = ("incident", "shift", "kind", "opened_by", "text")
    people: dict[str, Any] = {name: _each_once(fields[name]) for name in _PEOPLE}
    begun = Incident(
        **{name: fields[name] for name in same},
        **people,
        position=event.position,
        gaming_day=event.gaming_day,
        table_code=fields["table"],
        opened_at=event.at,
    )
    rows.put(INCIDENTS, begun)


def _noted(event: Event, rows: Rows) -> None:
    if known := rows.change(INCIDENTS, event.fields["incident"]):
        known.notes += 1
        for name in _PEOPLE:
            setattr(known, name, _each_once([*getattr(known, name), *event.fields[name]]))


def _each_once(people: list[str]) -> list[str]:
    return list(dict.fromkeys(people))


def _money_moved(event: Event, rows: Rows) -> None:
    if known := rows.change(INCIDENTS, event.fields["incident"]):
        known.balance = event.fields["balance"]


def _closed(event: Event, rows: Rows) -> None:
    fields = event.fields
    if known := rows.change(INCIDENTS, fields["incident"]):
        known.outcome, known.reason = fields["outcome"], fields["reason"]
        known.closed_at, known.closed_by = event.at, fields["by"]


def _reopened(event: Event, rows: Rows) -> None:
    """Goes on; who closed it, and why, is in its events."""
    if known := rows.change(INCIDENTS, event.fields["incident"]):
        known.outcome = known.reason = known.closed_at = known.closed_by = None


def _listed(name: str) -> str:
    return (
        f"(SELECT string_agg(each, ', ' ORDER BY n) "  # noqa: S608
        f"FROM jsonb_array_elements_text({name}) WITH ORDINALITY AS one (each, n)) AS {name}"
    )


PROJECTION = Projection(
    name="incidents",
    schema=_TABLES,
    changes={
        incident.Opened.TOPIC: _opened,
        incident.IncidentNoted.TOPIC: _noted,
        incident.MoneyMoved.TOPIC: _money_moved,
        incident.IncidentClosed.TOPIC: _closed,
        incident.IncidentReopened.TOPIC: _reopened,
    },
    loads=_loads,
)

REPORT = Report(
    name="incidents",
    title="Incidents",
    about="what happened on the floor that is no dispute about a payment",
    read_by=OF_INCIDENTS,
    projections=("incidents", "patrons"),
    columns=(
        *("incident", "status", "kind", "opened_at", "day", "shift", "table", "text"),
        *("patrons", "staff", "guests", "opened_by", "notes", "given", "keeps"),
        *("conclusion", "reason", "closed_at", "closed_by"),
    ),
    sql=f"""
SELECT incident, CASE WHEN outcome IS NULL THEN 'open' ELSE 'closed' END AS status, kind,
       opened_at, gaming_day AS day, shift, nullif(table_code, '') AS "table", text,
       {_listed("patrons")}, {_listed("staff")}, {_listed("guests")}, opened_by, notes,
       greatest(-balance, 0) AS given, greatest(balance, 0) AS keeps,
       outcome AS conclusion, reason, closed_at, closed_by
  FROM incidents
 WHERE {narrowed(at=["opened_at", "closed_at"])} AND {ASKED_AMONG.format("patrons")}
 ORDER BY position
""",  # noqa: S608
    money=("given", "keeps"),
    narrowings=("table", "day", "patron", "span"),
    shown=("incident", "status", "kind", "opened_at", "table", "text", "patrons", "conclusion"),
    no_total=no_total.MIXED,
    words={
        "incident": ("incident", "its number"),
        "patrons": ("patrons", "the patrons who were in it"),
        "guests": ("guests", "references of people without a number who were in it"),
        "notes": ("notes", "how many notes it has"),
        "given": ("given", "what the house gave somebody because of it"),
        "keeps": ("keeps", "what somebody lost and the house keeps for them"),
        "opened_by": ("opened by", "who reported it"),
        "closed_at": ("closed at", "when it was closed"),
        "closed_by": ("closed by", "who closed it"),
        "text": ("text", "what happened, as it was reported"),
        "shift": ("shift", "the shift in which it happened"),
        "staff": ("staff", "the staff numbers of those who were in it"),
        "conclusion": ("conclusion", "what came of it; empty while it is open"),
    },
)
