"""Progressives: what each meter began a day with, took in and paid, and what it stands at."""

from collections.abc import Iterator
from datetime import date
from decimal import Decimal
from typing import Any

from domain.events import meter_day
from domain.rules.permissions import OF_MONEY
from projections import no_total
from projections.model import Event, Projection, Report, View, narrowed
from projections.rows import Page, Row, Rows, Table, Value

_TABLES = """
-- One row a meter and gaming day. Exact minor units: what no unit makes stays in the meter.
CREATE TABLE progressives (
    meter           text    NOT NULL,            -- its spot, whose it is, its currency
    gaming_day      date    NOT NULL,
    first_position  bigint  NOT NULL,
    opening         numeric NOT NULL,            -- carried from the day before
    opening_reserve numeric NOT NULL,
    seeded          bigint  NOT NULL,            -- by the house, net of what went back to it
    wagers          bigint  NOT NULL DEFAULT 0,  -- those that fed it
    contributed     numeric NOT NULL DEFAULT 0,
    to_reserve      numeric NOT NULL DEFAULT 0,
    from_reserve    numeric NOT NULL DEFAULT 0,  -- into the meter, after a win
    paid            bigint  NOT NULL DEFAULT 0,
    closing         numeric NOT NULL,            -- as the last movement recorded it
    reserve         numeric NOT NULL,
    off             numeric NOT NULL,            -- by how much what followed began elsewhere
    PRIMARY KEY (meter, gaming_day)
);

-- One row a meter: its last gaming day, from which the next one begins.
CREATE TABLE progressives_last (
    meter       text  PRIMARY KEY,
    gaming_day  date  NOT NULL
);
"""


class Progressive(Row):
    """A meter on one gaming day."""

    meter: str
    gaming_day: date
    first_position: int
    opening: Decimal
    opening_reserve: Decimal
    seeded: int
    wagers: int = 0
    contributed: Decimal = Decimal(0)
    to_reserve: Decimal = Decimal(0)
    from_reserve: Decimal = Decimal(0)
    paid: int = 0
    closing: Decimal
    reserve: Decimal
    off: Decimal


class LastDay(Row):
    """The last gaming day of a meter."""

    meter: str
    gaming_day: date


PROGRESSIVES = Table("progressives", Progressive, "meter", "gaming_day")
LAST_DAYS = Table("progressives_last", LastDay, "meter")


def _loads(event: Event) -> Iterator[tuple[Page[Any], Value]]:
    yield PROGRESSIVES.by_key, (event.fields["meter"], event.gaming_day)
    yield LAST_DAYS.by_key, (event.fields["meter"],)


def _opened(event: Event, rows: Rows) -> None:
    seeded = event.fields["seeded"]
    opening, reserve = Decimal(event.fields["standing"]), Decimal(event.fields["reserve"])
    left, left_reserve = _left_before(event, rows)
    row = Progressive(
        meter=event.fields["meter"],
        gaming_day=event.gaming_day,
        first_position=event.position,
        opening=opening,
        opening_reserve=reserve,
        seeded=seeded,
        closing=opening + seeded,
        reserve=reserve,
        off=abs(opening - left) + abs(reserve - left_reserve),
    )
    rows.put(PROGRESSIVES, row)


def _left_before(event: Event, rows: Rows) -> tuple[Decimal, Decimal]:
    """What the day before left in the meter and in its reserve; the day that opens follows it."""
    meter, left = event.fields["meter"], (Decimal(0), Decimal(0))
    if last := rows.change(LAST_DAYS, meter):
        if before := rows.get(PROGRESSIVES, meter, last.gaming_day):
            left = before.closing, before.reserve
        last.gaming_day = event.gaming_day
    else:
        rows.put(LAST_DAYS, LastDay(meter=meter, gaming_day=event.gaming_day))
    return left


def _moved(event: Event, rows: Rows) -> None:
    fields = event.fields
    if row := rows.change(PROGRESSIVES, fields["meter"], event.gaming_day):
        stood, share = Decimal(fields["stood"]), Decimal(fields["share"])
        to_reserve, from_reserve = Decimal(fields["to_reserve"]), Decimal(fields["from_reserve"])
        row.off += abs(stood - row.closing - share)
        row.closing = stood - fields["paid"] + from_reserve + fields["seeded"]
        row.reserve += to_reserve - from_reserve
        row.wagers += fields["staked"]
        row.contributed += share
        row.to_reserve += to_reserve
        row.from_reserve += from_reserve
        row.seeded += fields["seeded"]
        row.paid += fields["paid"]


_VIEWS = (
    View(
        name="progressives",
        what="Meters of progressive bets. One row a meter and gaming day; exact minor units.",
        sql="""
SELECT meter, gaming_day, opening, opening_reserve, seeded, wagers, contributed, to_reserve,
       from_reserve, paid, closing, reserve
  FROM projections.progressives
""",
        columns={
            "meter": "The spot, whose meter it is, and the currency.",
            "gaming_day": "The gaming day.",
            "opening": "What was in it when the day began.",
            "opening_reserve": "Its reserve when the day began.",
            "seeded": "What the house put in, less what it took out again.",
            "wagers": "The wagers that fed it.",
            "contributed": "Their share.",
            "to_reserve": "Their share for the reserve.",
            "from_reserve": "What the reserve put into the meter.",
            "paid": "What it paid.",
            "closing": "What is in it.",
            "reserve": "Its reserve.",
        },
    ),
)

PROJECTION = Projection(
    name="progressives",
    schema=_TABLES,
    views=_VIEWS,
    changes={meter_day.Opened.TOPIC: _opened, meter_day.MeterMoved.TOPIC: _moved},
    loads=_loads,
)

REPORT = Report(
    name="progressives",
    title="Progressives",
    about="each meter: opening, seed, contributed, paid, closing and its reserve",
    read_by=OF_MONEY,
    projections=("progressives",),
    columns=(
        *("meter", "day", "opening", "opening_reserve", "seeded", "wagers", "contributed"),
        *("to_reserve", "from_reserve", "paid", "closing", "reserve", "off"),
    ),
    sql=f"""
SELECT meter, gaming_day AS day, opening, opening_reserve, seeded, wagers, contributed, to_reserve,
       from_reserve, paid, closing, reserve, off
  FROM progressives
 WHERE {narrowed(table=None)}
 ORDER BY gaming_day, meter COLLATE "C"
""",  # noqa: S608
    money=(
        *("opening", "opening_reserve", "seeded", "wagers", "contributed", "to_reserve"),
        *("from_reserve", "paid", "closing", "reserve", "off"),
    ),
    exact=(
        *("opening", "opening_reserve", "contributed", "to_reserve", "from_reserve"),
        *("closing", "reserve", "off"),
    ),
    narrowings=("day",),
    shown=("meter", "day", "opening", "seeded", "contributed", "paid", "closing", "reserve"),
    dropped_first=("opening",),
    no_total=no_total.AGAIN,
    words={
        "meter": ("meter", "the spot, whose meter it is, and the currency"),
        "opening": ("opening", "what was in the meter when the day began"),
        "opening_reserve": ("opening reserve", "the reserve when the day began"),
        "seeded": ("seeded", "what the house put in, less what it took out again"),
        "wagers": ("wagers", "the wagers that fed the meter"),
        "contributed": ("contributed", "the share of these wagers, exact"),
        "to_reserve": ("to reserve", "the share of these wagers for the reserve, exact"),
        "from_reserve": ("from reserve", "what the reserve put into the meter after a win"),
        "paid": ("paid", "what the meter paid"),
        "closing": ("closing", "what is in the meter"),
        "reserve": ("reserve", "what is in the reserve, which seeds the meter after a win"),
        "off": ("off", "0, unless a movement or the day began with another amount than was left"),
    },
)
