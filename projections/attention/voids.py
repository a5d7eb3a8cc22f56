"""Voids: what two people voided, corrected or waived, and its effect (R-IRR-5, R-COM-4).

`before` and `after` are minor units: the payments of a coup's wagers, the payment of one wager, its
stake where that was wrong, the debt of a stay, or the total of a slip.
"""

from collections.abc import Callable, Iterator, Mapping
from datetime import date, datetime
from typing import Any

from domain.events import (
    cash_day,
    commission_account,
    coup_wagers,
    patron,
    slip_book,
    table_counts,
    table_money,
)
from domain.events import coup as coup_events
from domain.events import shoe as shoe_events
from domain.rules.permissions import OF_THE_PIT
from projections import no_total
from projections.attention.exception_kinds import another_stake
from projections.commission.owed import OWES, owes_more
from projections.model import Event, Projection, Report, View, narrowed
from projections.proofs import proof_in
from projections.rows import Page, Row, Rows, Table, Value

_TABLES = """
-- One row an act of two people. Sums are numeric, so that nothing overflows; minor units.
CREATE TABLE voids (
    position        bigint NOT NULL PRIMARY KEY,
    kind            text   NOT NULL,  -- coup voided, payment corrected, slip voided, …
    original        text   NOT NULL,  -- the coup, the wager, the stay, the slip
    reason          text   NOT NULL,
    requested_by    text   NOT NULL,
    approved_by     text   NOT NULL,
    table_code      text   NOT NULL,
    gaming_day      date   NOT NULL,
    shoe            text,
    before          numeric,          -- NULL: see the wagers or the slip
    after           numeric,
    approved_proved text,             -- how who approved was known
    at              timestamptz NOT NULL
);

-- What each stay owes now, because a waiver records only the amount waived.
CREATE TABLE stays_owing (
    stay text    NOT NULL PRIMARY KEY,
    owed numeric NOT NULL
);
"""


class Void(Row):
    """An act of two people: a void, a correction or a waiver."""

    position: int
    kind: str
    original: str
    reason: str
    requested_by: str
    approved_by: str
    table_code: str
    gaming_day: date
    shoe: str | None = None
    before: int | None = None
    after: int | None = None
    approved_proved: str | None
    at: datetime


class Owing(Row):
    """What a stay owes now."""

    stay: str
    owed: int


VOIDS = Table("voids", Void, "position")
STAYS_OWING = Table("stays_owing", Owing, "stay")


def _loads(event: Event) -> Iterator[tuple[Page[Any], Value]]:
    if event.topic.startswith("commission-account."):
        yield STAYS_OWING.by_key, (event.fields["stay"],)


def _done(event: Event, kind: str, original: str) -> Void:
    """Makes a row from the event; the requester's field has two names in the record."""
    fields = event.fields
    return Void(
        position=event.position,
        kind=kind,
        original=original,
        reason=fields["reason"],
        requested_by=_named(fields, "requested_by", "by", "counted_by"),
        approved_by=_named(fields, "approved_by", "signed_by"),
        approved_proved=proof_in(event, _named(fields, "approved_by", "signed_by")),
        table_code=event.table,
        gaming_day=event.gaming_day,
        at=event.at,
    )


def _named(fields: Mapping[str, Any], *names: str) -> str:
    """The first of these fields that the event has."""
    return str(next(fields[name] for name in names if name in fields))


def _coup_voided(event: Event, rows: Rows) -> None:
    void = _done(event, "coup voided", event.fields["coup"])
    void.shoe = event.fields["coup"].rpartition("/")[0]
    rows.put(VOIDS, void)


def _payment_corrected(event: Event, rows: Rows) -> None:
    fields = event.fields
    paid_as = f" as {fields['as_spot']}" if fields["as_spot"] else ""
    wager = f"{fields['coup']} {fields['seat']} {fields['spot']}{paid_as}"
    void = _done(event, "payment corrected", wager)
    void.shoe = fields["coup"].rpartition("/")[0]
    void.before, void.after = fields["paid_before"], fields["paid"]
    if another_stake(event):
        void.kind = "stake corrected"
        void.before, void.after = fields["stake_before"], fields["stake"]
    rows.put(VOIDS, void)


def _slip_voided(event: Event, rows: Rows) -> None:
    void = _done(event, "slip voided", event.fields["slip"])
    table, _, day = event.fields["table_day"].partition("/")  # the stream is the house's
    void.table_code, void.gaming_day = table, date.fromisoformat(day)
    void.after = 0
    rows.put(VOIDS, void)


def _changed(
    kind: str, original: Callable[[Event], str], amounts: tuple[str, str] | None = None
) -> Callable[[Event, Rows], None]:
    """Returns a change for something put right; `amounts`: the fields of before and after."""

    def change(event: Event, rows: Rows) -> None:
        void = _done(event, kind, original(event))
        void.shoe = _shoe_of(event)
        if not void.table_code and "table_day" in event.fields:
            table, _, day = event.fields["table_day"].partition("/")
            void.table_code, void.gaming_day = table, date.fromisoformat(day)
        if amounts:
            before, after = amounts
            void.before, void.after = event.fields[before], event.fields[after]
        rows.put(VOIDS, void)

    return change


def _shoe_of(event: Event) -> str | None:
    coup = event.fields.get("coup")
    shoe: str | None = event.fields.get("shoe")
    return shoe or (str(coup).rpartition("/")[0] if coup else None)


def _table_day(event: Event) -> str:
    return f"{event.table}/{event.gaming_day.isoformat()}"


def _card(event: Event) -> str:
    fields = event.fields
    return f"{fields['coup']} card {fields['n']} {fields['was']} {fields['card']}"


def _wager(event: Event) -> str:
    fields = event.fields
    return f"{fields['coup']} {fields['seat']} {fields['spot']} {fields['to_seat']}"


def _of_wager(event: Event) -> str:
    fields = event.fields
    return f"{fields['coup']} {fields['seat']} {fields['spot']}"


def _at_position(event: Event) -> str:
    return f"{event.fields['kind']} #{event.fields['position']}"


def _recounted(event: Event, rows: Rows) -> None:
    """Adds a second count of the drop; a first one is no correction."""
    if event.fields["reason"]:
        _changed("drop counted again", _table_day, ("before", "amount"))(event, rows)


def _collection_corrected(event: Event, rows: Rows) -> None:
    _changed("collection corrected", _receipt, ("amount_before", "amount"))(event, rows)
    _owes(event, rows)


def _receipt(event: Event) -> str:
    return str(event.fields["wrong_receipt"])


def _owes(event: Event, rows: Rows) -> None:
    if owing := rows.change(STAYS_OWING, event.fields["stay"]):
        owing.owed += owes_more(event)
    else:
        rows.put(STAYS_OWING, Owing(stay=event.fields["stay"], owed=owes_more(event)))


def _let_go(kind: str) -> Callable[[Event, Rows], None]:
    """Returns a change for commission waived or walked: what the stay owed before and after."""

    def change(event: Event, rows: Rows) -> None:
        if owing := rows.get(STAYS_OWING, event.fields["stay"]):
            void = _done(event, kind, event.fields["stay"])
            void.before, void.after = owing.owed, owing.owed - event.fields["amount"]
            rows.put(VOIDS, void)
        _owes(event, rows)

    return change


_VIEWS = (
    View(
        name="voids",
        what="Voids, corrections and waivers that two people approved. One row an act.",
        sql="""
SELECT voids.position, voids.kind, voids.original, voids.reason, voids.requested_by,
       voids.approved_by, voids.table_code, voids.gaming_day, voids.shoe,
       (CASE voids.kind WHEN 'coup voided' THEN returned.before
                        WHEN 'slip voided' THEN slips.total ELSE voids.before END)::bigint
           AS before,
       (CASE voids.kind WHEN 'coup voided' THEN returned.after ELSE voids.after END)::bigint
           AS after, voids.at
  FROM projections.voids
  LEFT JOIN projections.slips ON slips.slip = voids.original
 CROSS JOIN LATERAL (SELECT sum(wagers.paid_before) AS before,
                            coalesce(sum(wagers.paid), 0) AS after
                       FROM projections.wagers WHERE wagers.coup = voids.original) AS returned
""",
        columns={
            "position": "Its position in the ledger.",
            "kind": (
                "coup voided, payment, stake or card corrected, wager moved, money corrected, "
                "counted again, commission waived or walked, slip voided, …"
            ),
            "original": "The coup, the wager (and as what it was paid), the stay or the slip.",
            "reason": "Why, in the words of who asked for it.",
            "requested_by": "The number of who asked for it.",
            "approved_by": "The staff number of the person who approved it.",
            "table_code": "The table.",
            "gaming_day": "The gaming day.",
            "shoe": "The shoe; null for none.",
            "before": "What was paid, staked or owed, or what the slip came to, in minor units.",
            "after": "The same afterwards, in minor units.",
            "at": "When it was approved.",
        },
    ),
)

PROJECTION = Projection(
    name="voids",
    schema=_TABLES,
    views=_VIEWS,
    changes={
        coup_events.Voided.TOPIC: _coup_voided,
        coup_wagers.PaymentCorrected.TOPIC: _payment_corrected,
        coup_wagers.StakeCorrected.TOPIC: _changed(
            "stake corrected", _of_wager, ("stake_before", "stake")
        ),
        coup_events.CardCorrected.TOPIC: _changed("card corrected", _card),
        coup_wagers.WagerMoved.TOPIC: _changed("wager moved", _wager, ("paid", "paid")),
        table_money.CashCorrected.TOPIC: _changed(
            "money corrected", _at_position, ("amount_before", "amount")
        ),
        table_money.ChipsCorrected.TOPIC: _changed(
            "money corrected", _at_position, ("total_before", "total")
        ),
        table_counts.CloserRecounted.TOPIC: _changed(
            "tray counted again", _table_day, ("before", "closer_total")
        ),
        table_counts.DropCounted.TOPIC: _recounted,
        shoe_events.Recounted.TOPIC: _changed(
            "shoe counted again", lambda event: str(event.fields["shoe"])
        ),
        patron.Separated.TOPIC: _changed(
            "alias separated", lambda event: str(event.fields["patron"])
        ),
        cash_day.IdentityNotShownWithdrawn.TOPIC: _changed(
            "missing id withdrawn", lambda event: f"no-id #{event.fields['position']}"
        ),
        **dict.fromkeys(OWES, _owes),
        commission_account.CollectionCorrected.TOPIC: _collection_corrected,
        slip_book.SlipVoided.TOPIC: _slip_voided,
        commission_account.CommissionWaived.TOPIC: _let_go("commission waived"),
        commission_account.CommissionWalked.TOPIC: _let_go("commission walked"),
    },
    loads=_loads,
)

# The payments of a voided coup and the total of its slip are in other projections.
REPORT = Report(
    name="voids",
    title="Voids",
    about="wagers, coups and slips that were voided or corrected",
    read_by=OF_THE_PIT,
    projections=("voids", "wagers", "slips"),
    columns=(
        *("kind", "original", "reason", "requested_by", "approved_by", "before", "after"),
        *("approved_proved", "at"),
    ),
    sql=f"""
SELECT voids.kind, original, voids.reason, voids.requested_by, approved_by,
       CASE voids.kind WHEN 'coup voided' THEN returned.before
                       WHEN 'slip voided' THEN slips.total ELSE voids.before END AS before,
       CASE voids.kind WHEN 'coup voided' THEN returned.after ELSE voids.after END AS after,
       approved_proved, at
  FROM voids
  LEFT JOIN slips ON slips.slip = original
  CROSS JOIN LATERAL (SELECT sum(paid_before) AS before, coalesce(sum(paid), 0) AS after
                        FROM wagers WHERE wagers.coup = original) AS returned
 WHERE {
        narrowed(
            table="voids.table_code",
            day="voids.gaming_day",
            shoe="shoe",
            at=["at"],
            staff="ARRAY[voids.requested_by, approved_by]",
        )
    }
 ORDER BY position
""",  # noqa: S608
    money=("before", "after"),
    narrowings=("table", "day", "shoe", "staff", "span"),
    shown=("at", "kind", "original", "reason", "requested_by", "approved_by", "before", "after"),
    dropped_first=("at",),
    no_total=no_total.MIXED,
)
