"""Promotions: every coupon by its number, what became of it, and the chips that it was paid.

Coupons are no money: they are in no drop, no handle and no win by wagers. What they were paid is
in chips, which the tray lacks.
"""

from collections.abc import Iterator
from datetime import date, datetime

from domain.events import coup_coupons, coupon
from domain.rules.permissions import OF_MONEY
from projections.model import Change, Event, Projection, Report, View, narrowed
from projections.people.patrons import ASKED, IDENTITY, KNOWN
from projections.rows import Page, Row, Rows, Table, Value

_TABLES = """
-- One row a coupon that was issued, or that a table took without that.
CREATE TABLE promotions (
    coupon         text   NOT NULL PRIMARY KEY,
    kind           text   NOT NULL,   -- match-play or free-bet
    worth          bigint NOT NULL,   -- minor units; it is no money
    currency       text   NOT NULL,
    issued_at      timestamptz NOT NULL,
    last_day       text   NOT NULL,   -- the last gaming day on which it is taken; '': any
    taken_at       text   NOT NULL,   -- the table day that took it without its being issued; ''
    status         text   NOT NULL,   -- issued, laid, used or void
    table_code     text,              -- of the coup on which it lay last; NULL: on none
    gaming_day     date,
    coup           text,
    seat           int,
    patron         text,
    spot           text,
    ended          text,              -- win, lose, push or withdrawn; NULL: it did not
    taken_off      bigint NOT NULL DEFAULT 0,  -- commission on what it won
    paid           bigint NOT NULL DEFAULT 0,  -- chips, minor units
    refused        int    NOT NULL DEFAULT 0,  -- how often a table did not take it
    reason         text,              -- why it is void
    first_position bigint NOT NULL
);
"""


class Coupon(Row):
    """A coupon, and the coup on which it lay last."""

    coupon: str
    kind: str
    worth: int
    currency: str
    issued_at: datetime
    last_day: str
    taken_at: str
    status: str = "issued"
    table_code: str | None = None
    gaming_day: date | None = None
    coup: str | None = None
    seat: int | None = None
    patron: str | None = None
    spot: str | None = None
    ended: str | None = None
    taken_off: int = 0
    paid: int = 0
    refused: int = 0
    reason: str | None = None
    first_position: int


COUPONS = Table("promotions", Coupon, "coupon")


def _loads(event: Event) -> Iterator[tuple[Page[Coupon], Value]]:
    yield COUPONS.by_key, (event.fields["coupon"],)


def _issued(event: Event, rows: Rows) -> None:
    fields = event.fields
    own = ("coupon", "kind", "worth", "currency", "last_day", "taken_at")
    stated = {name: fields[name] for name in own}
    row = Coupon(**stated, issued_at=event.at, first_position=event.position)
    rows.put(COUPONS, row)


def _laid(event: Event, rows: Rows) -> None:
    if row := rows.change(COUPONS, event.fields["coupon"]):
        row.status, row.ended = "laid", None
        row.table_code, row.gaming_day = event.table, event.gaming_day
        for name in ("coup", "seat", "patron", "spot"):
            setattr(row, name, event.fields[name])


def _withdrawn(event: Event, rows: Rows) -> None:
    if row := rows.change(COUPONS, event.fields["coupon"]):
        row.table_code = row.gaming_day = row.coup = row.seat = row.patron = row.spot = None


def _settled(event: Event, rows: Rows) -> None:
    """Notes the payment; a correction of an earlier coup than the last one changes that only."""
    fields = event.fields
    row = rows.change(COUPONS, fields["coupon"])
    if row is None:
        return
    row.paid += fields.get("changes_hands", fields["paid"])
    if row.coup == fields["coup"]:
        row.ended, row.spot, row.taken_off = fields["ended"], fields["spot"], fields["taken_off"]


def _returned(event: Event, rows: Rows) -> None:
    if row := rows.change(COUPONS, event.fields["coupon"]):
        row.paid += event.fields["changes_hands"]
        if row.coup == event.fields["coup"]:
            row.ended, row.taken_off = None, 0


def _is(status: str) -> Change:
    """A change for what became of the coupon."""

    def change(event: Event, rows: Rows) -> None:
        if row := rows.change(COUPONS, event.fields["coupon"]):
            row.status = status

    return change


def _refused(event: Event, rows: Rows) -> None:
    if row := rows.change(COUPONS, event.fields["coupon"]):
        row.refused += 1


def _void(event: Event, rows: Rows) -> None:
    if row := rows.change(COUPONS, event.fields["coupon"]):
        row.status, row.reason = "void", event.fields["reason"]


_VIEWS = (
    View(
        name="promotions",
        what="Coupons: match plays and free bets. They are no money. One row a coupon.",
        sql="""
SELECT coupon, kind, worth, currency, issued_at, last_day, taken_at, status, table_code, gaming_day,
       coup, seat, patron, spot, ended, taken_off, paid, refused, reason,
       first_position AS position
  FROM projections.promotions
""",
        columns={
            "coupon": "Its number.",
            "kind": "match-play or free-bet.",
            "worth": "What it is worth, in minor units; no money.",
            "currency": "Its currency.",
            "issued_at": "When it was issued, or taken without that.",
            "last_day": "The last gaming day on which it is taken; empty for any.",
            "taken_at": "The table day that took it without its being issued; empty if it was.",
            "status": "issued, laid, used or void.",
            "table_code": "The table where it lay last; null if nowhere.",
            "gaming_day": "The gaming day of that.",
            "coup": "The coup.",
            "seat": "The seat.",
            "patron": "The patron.",
            "spot": "The spot.",
            "ended": "win, lose, push or withdrawn; null if it did not end.",
            "taken_off": "Commission on what it won, in minor units; on no account.",
            "paid": "The chips that it was paid, in minor units.",
            "refused": "How often a table did not take it.",
            "reason": "Why it is void.",
            "position": "The position of its first event in the ledger.",
        },
    ),
)

PROJECTION = Projection(
    name="promotions",
    schema=_TABLES,
    views=_VIEWS,
    changes={
        coupon.Issued.TOPIC: _issued,
        coup_coupons.CouponLaid.TOPIC: _laid,
        coup_coupons.CouponWithdrawn.TOPIC: _withdrawn,
        coup_coupons.CouponSettled.TOPIC: _settled,
        coup_coupons.CouponCorrected.TOPIC: _settled,
        coup_coupons.CouponReturned.TOPIC: _returned,
        coupon.WentBack.TOPIC: _is("issued"),
        coupon.Collected.TOPIC: _is("used"),
        coupon.RefusedAt.TOPIC: _refused,
        coupon.MadeVoid.TOPIC: _void,
    },
    loads=_loads,
)

REPORT = Report(
    name="promotions",
    title="Promotions",
    about="coupons: issued, laid, used, and the chips that they were paid; no money of the table",
    read_by=OF_MONEY,
    projections=("promotions", "patrons"),
    columns=(
        *("coupon", "kind", "worth", "currency", "at", "last_day", "taken_at", "status", "table"),
        *("day", "coup", "seat", "patron", "spot", "ended", "taken_off", "paid", "refused"),
        "reason",
    ),
    sql=f"""
SELECT coupon, kind, worth, currency, issued_at AS at, last_day, taken_at, status,
       table_code AS "table", gaming_day AS day, coup, seat,
       {IDENTITY.format("noted")} AS patron, spot, ended, taken_off, paid, refused, reason
  FROM promotions AS noted {KNOWN.format("noted")}
 WHERE {narrowed(at=["issued_at"])}
   AND {ASKED.format(IDENTITY.format("noted"))}
 ORDER BY first_position
""",  # noqa: S608
    money=("worth", "taken_off", "paid"),
    narrowings=("table", "day", "patron", "span"),
    shown=("coupon", "kind", "worth", "status", "table", "coup", "seat", "ended", "paid"),
    days_independent=False,
    words={
        "coupon": ("coupon", "the number of the coupon"),
        "currency": ("currency", "the currency of the coupon"),
        "worth": ("worth", "what the coupon is worth; it is no money"),
        "last_day": ("last day", "the last gaming day on which it is taken; empty for any"),
        "taken_at": (
            "taken at",
            "the table and day that took it without its being issued; empty if it was issued",
        ),
        "status": ("status", "issued, laid, used or void; issued also after it went back"),
        "spot": ("spot", "the spot where it was laid"),
        "ended": ("ended", "how its spot ended: win, lose, push; withdrawn: it never lay there"),
        "taken_off": ("taken off", "commission on what it won, which is on no account"),
        "paid": ("paid", "the chips that it was paid, which the tray lacks"),
        "refused": ("refused", "how often a table did not take it"),
    },
)
