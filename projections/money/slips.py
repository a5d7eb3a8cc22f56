"""Slips: every fill and credit by its number, its status, and the people who signed."""

from collections.abc import Callable, Iterator
from datetime import date, datetime
from typing import Any

from domain.events import slip_book
from domain.rules.permissions import BOSSES, WATCH, Reading
from projections import no_total
from projections.model import Event, Projection, Report, View, narrowed
from projections.proofs import proof_in
from projections.rows import Page, Row, Rows, Table, Value

_TABLES = """
-- One row a fill or credit.
CREATE TABLE slips (
    slip           text   NOT NULL PRIMARY KEY,  -- its number, without a gap in its year
    kind           text   NOT NULL,              -- fill or credit
    requested_at   timestamptz NOT NULL,
    table_code     text   NOT NULL,
    chips          jsonb  NOT NULL,              -- denomination to how many
    total          bigint NOT NULL,              -- minor units
    asked_by       text,                         -- of whom a supervisor signed the request
    requested_by   text   NOT NULL,
    cashier        text,
    runner         text,
    dealer         text,
    supervisor     text,
    status         text   NOT NULL,              -- requested, issued, carried, received or voided
    reason         text,                         -- why it was voided
    first_position bigint NOT NULL,
    gaming_day     date   NOT NULL,
    proved         jsonb  NOT NULL DEFAULT '{}'  -- how each of those who signed was known
);
"""


class Slip(Row):
    """A fill or a credit."""

    slip: str
    kind: str
    requested_at: datetime
    table_code: str
    chips: dict[str, int]
    total: int
    asked_by: str | None = None
    requested_by: str
    cashier: str | None = None
    runner: str | None = None
    dealer: str | None = None
    supervisor: str | None = None
    status: str
    reason: str | None = None
    first_position: int
    gaming_day: date
    proved: dict[str, str]


SLIPS = Table("slips", Slip, "slip")


def _loads(event: Event) -> Iterator[tuple[Page[Any], Value]]:
    yield SLIPS.by_key, (event.fields["slip"],)


def _requested(event: Event, rows: Rows) -> None:
    fields = event.fields
    table, _, day = fields["table_day"].partition("/")  # the stream is the house's
    slip = Slip(
        slip=fields["slip"],
        kind=fields["kind"],
        requested_at=event.at,
        table_code=table,
        chips=fields["chips"],
        total=fields["total"],
        asked_by=_asked_by(event),
        requested_by=fields["requested_by"],
        status="requested",
        first_position=event.position,
        gaming_day=date.fromisoformat(day),
        proved=_proved(event, "requested_by"),
    )
    rows.put(SLIPS, slip)


def _asked_by(event: Event) -> str | None:
    """Who asked for it, where a supervisor signed the request; None: the same person did both."""
    signed = event.metadata.get("with", "") == event.fields["requested_by"]
    return event.actor if signed and event.actor != event.fields["requested_by"] else None


def _proved(event: Event, *people: str) -> dict[str, str]:
    """How the signature of each of these people is known; everyone named is included."""
    proofs = {name: proof_in(event, event.fields[name]) for name in people}
    return {name: proof for name, proof in proofs.items() if proof}


def _step(status: str, *people: str) -> Callable[[Event, Rows], None]:
    """Returns a change that sets a slip's status and the people of that step."""

    def change(event: Event, rows: Rows) -> None:
        if slip := rows.change(SLIPS, event.fields["slip"]):
            slip.status = status
            for name in people:
                setattr(slip, name, event.fields[name])
            slip.proved |= _proved(event, *people)

    return change


def _issued(event: Event, rows: Rows) -> None:
    """The cage issued it; whoever recorded the whole slip for the cage asked nobody for it."""
    _step("issued", "cashier")(event, rows)
    slip = rows.change(SLIPS, event.fields["slip"])
    if slip and event.actor != event.fields["cashier"]:
        slip.asked_by = None


def _voided(event: Event, rows: Rows) -> None:
    if slip := rows.change(SLIPS, event.fields["slip"]):
        slip.status, slip.reason = "voided", event.fields["reason"]


def _corrected(event: Event, rows: Rows) -> None:
    if slip := rows.change(SLIPS, event.fields["slip"]):
        slip.chips, slip.total = event.fields["chips"], event.fields["total"]
        slip.reason = event.fields["reason"]


_VIEWS = (
    View(
        name="slips",
        what="Every fill and credit, by its number. One row a slip.",
        sql="""
SELECT slip, kind, requested_at, table_code, gaming_day, chips, total, requested_by, cashier,
       runner, dealer, supervisor, status, reason, first_position AS position, asked_by
  FROM projections.slips
""",
        columns={
            "slip": "Its number, without a gap in its year.",
            "kind": "fill, from the cage to the tray, or credit, back.",
            "requested_at": "When it was asked for.",
            "table_code": "The table.",
            "gaming_day": "The gaming day.",
            "chips": "Denomination in minor units to how many.",
            "total": "What they come to, in minor units.",
            "requested_by": "The number of who asked for it.",
            "cashier": "The staff number of the person who issued it.",
            "runner": "The staff number of the person who carried it.",
            "dealer": "The number of the dealer who received it.",
            "supervisor": "The number of the supervisor who did.",
            "status": "requested, issued, carried, received or voided.",
            "reason": "Why it was voided or corrected.",
            "position": "The position of its first event in the ledger.",
            "asked_by": "The number of who asked for it, where a supervisor signed; else null.",
        },
    ),
)

PROJECTION = Projection(
    name="slips",
    schema=_TABLES,
    views=_VIEWS,
    changes={
        slip_book.SlipRequested.TOPIC: _requested,
        slip_book.SlipIssued.TOPIC: _issued,
        slip_book.SlipCarried.TOPIC: _step("carried", "runner"),
        slip_book.SlipReceived.TOPIC: _step("received", "dealer", "supervisor"),
        slip_book.SlipVoided.TOPIC: _voided,
        slip_book.SlipCorrected.TOPIC: _corrected,
    },
    loads=_loads,
)

REPORT = Report(
    name="slips",
    title="Slips",
    about="fills and credits by number, without a gap",
    read_by=Reading((*BOSSES, "cage", "security", *WATCH)),
    projections=("slips",),
    columns=(
        *("slip", "kind", "at", "table", "chips", "total", "requested_by", "cashier", "runner"),
        *("dealer", "supervisor", "status", "reason", "proved", "asked_by"),
    ),
    sql=f"""
SELECT slip, kind, requested_at AS at, table_code AS "table", chips, total, requested_by,
       cashier, runner, dealer, supervisor, status, reason, proved, asked_by
  FROM slips
 WHERE {narrowed(at=["requested_at"])}
 ORDER BY first_position
""",  # noqa: S608
    money=("total",),
    narrowings=("table", "day", "span"),
    shown=("slip", "kind", "at", "table", "total", "status", "reason"),
    no_total=no_total.BOTH_WAYS,
    words={
        "slip": ("slip", "the number of the slip"),
        "asked_by": ("asked by", "who asked for it, where a supervisor signed the request"),
        "cashier": ("cashier", "who issued the slip"),
        "runner": ("runner", "who carried the chips"),
        "dealer": ("dealer", "the dealer who received the chips"),
        "supervisor": ("supervisor", "the supervisor who received the chips"),
        "proved": ("proved", "how each person signed, as under approved proved"),
    },
)
