"""Progressives: what each meter began a day with, took in and paid, and what it stands at."""

from collections.abc import Iterator
from datetime import date
from decimal import Decimal
from typing import Any

from domain.events import meter_day
from domain.rules.permissions import OF_MONEY
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
    PRIMARY KEY (meter, gaming_day)
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


PROGRESSIVES = Table("progressives", Progressive, "meter", "gaming_day")


def _loads(event: Event) -> Iterator[tuple[Page[Any], Value]]:
    yield PROGRESSIVES.by_key, (event.fields["meter"], event.gaming_day)


def _opened(event: Event, rows: Rows) -> None:
    row = Progressive(
        meter=event.fields["meter"],
        gaming_day=event.gaming_day,
        first_position=event.position,
        opening=Decimal(event.fields["standing"]),
        opening_reserve=Decimal(event.fields["reserve"]),
        seeded=event.fields["seeded"],
    )
    rows.put(PROGRESSIVES, row)


def _moved(event: Event, rows: Rows) -> None:
    fields = event.fields
    if row := rows.change(PROGRESSIVES, fields["meter"], event.gaming_day):
        row.wagers += fields["staked"]
        row.contributed += Decimal(fields["share"])
        row.to_reserve += Decimal(fields["to_reserve"])
        row.from_reserve += Decimal(fields["from_reserve"])
        row.seeded += fields["seeded"]
        row.paid += fields["paid"]


_CLOSING = "opening + seeded + contributed + from_reserve - paid"
_RESERVE = "opening_reserve + to_reserve - from_reserve"

_VIEWS = (
    View(
        name="progressives",
        what="Meters of progressive bets. One row a meter and gaming day; exact minor units.",
        sql=f"""
SELECT meter, gaming_day, opening, opening_reserve, seeded, wagers, contributed, to_reserve,
       from_reserve, paid, {_CLOSING} AS closing, {_RESERVE} AS reserve
  FROM projections.progressives
""",  # noqa: S608
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
    # Off: both openings, the seed and all that was contributed, less payments and both closings
    sql=f"""
SELECT meter, gaming_day AS day, opening, opening_reserve, seeded, wagers, contributed, to_reserve,
       from_reserve, paid, closing, reserve,
       opening + opening_reserve + seeded + contributed + to_reserve - paid - closing - reserve
           AS off
  FROM (SELECT *, {_CLOSING} AS closing, {_RESERVE} AS reserve FROM progressives) AS moved
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
    has_total=False,
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
        "off": ("off", "0, unless the columns do not come to the closing and the reserve"),
    },
)
