"""Limits of patrons and breaks: each as it was stated, and where somebody played on (R-PLAY-1)."""

from collections.abc import Callable, Iterator
from datetime import date, datetime, timedelta
from typing import Any

from domain.events import cash_day, patron
from domain.rules.permissions import OF_MONEY
from projections import no_total
from projections.model import Event, Projection, Report, narrowed
from projections.people.patrons import ASKED, IDENTITY, KNOWN
from projections.rows import Page, Row, Rows, Table, Value

_TABLES = """
-- One row a limit that was stated or lifted, a break, a rest that was announced, a limit that was
-- nearly used, and a pause in which somebody played on.
CREATE TABLE play_limits (
    position    bigint      NOT NULL PRIMARY KEY,
    gaming_day  date        NOT NULL,
    at          timestamptz NOT NULL,
    patron      text        NOT NULL,
    item        text        NOT NULL,  -- deposit, loss, time, break, rest-announced, limit-near,
                                       -- uncarded, or played-on
    whose       text,                  -- patron or house; NULL where somebody played on
    period      text,                  -- day, week or month; NULL for no limit of an amount
    amount      bigint,                -- NULL: no limit
    before      bigint,                -- which held until then; NULL: no limit
    minutes     bigint,                -- of time; NULL: no limit of time
    holds_from  timestamptz,
    until       timestamptz,           -- the end of a break; when an announced rest is due
    by          text        NOT NULL
);
CREATE INDEX play_limits_by_patron ON play_limits (patron);

-- The cash of each patron's gaming day as it decides at the seat: of all their names, as corrected.
CREATE TABLE play_cash (
    patron     text   NOT NULL,
    gaming_day date   NOT NULL,
    direction  text   NOT NULL,  -- in or out
    total      bigint NOT NULL,  -- minor units
    PRIMARY KEY (patron, gaming_day, direction)
);
"""


class Stated(Row):
    """A limit, a break, what was shown of one, or a pause in which somebody played on."""

    position: int
    gaming_day: date
    at: datetime
    patron: str
    item: str
    whose: str | None = None
    period: str | None = None
    amount: int | None = None
    before: int | None = None
    minutes: int | None = None
    holds_from: datetime | None = None
    until: datetime | None = None
    by: str


class PlayCash(Row):
    """The cash of a patron's gaming day in one direction."""

    patron: str
    gaming_day: date
    direction: str
    total: int


STATED = Table("play_limits", Stated, "position")
PLAY_CASH = Table("play_cash", PlayCash, "patron", "gaming_day", "direction")
_CASH = (cash_day.CashCounted.TOPIC, cash_day.CashChanged.TOPIC)


def _loads(event: Event) -> Iterator[tuple[Page[Any], Value]]:
    if event.topic in _CASH:
        yield PLAY_CASH.by_key, _key_of_cash(event)


def _key_of_cash(event: Event) -> tuple[str, date, str]:
    fields = event.fields
    return fields["patron"], date.fromisoformat(fields["day"]), fields["direction"]


def _counted(event: Event, rows: Rows) -> None:
    """Takes over the day's total, which the event has."""
    patron, day, direction = key = _key_of_cash(event)
    total = event.fields["total"]
    if known := rows.change(PLAY_CASH, *key):
        known.total = total
    else:
        rows.put(
            PLAY_CASH, PlayCash(patron=patron, gaming_day=day, direction=direction, total=total)
        )


def _adds(fields_of: Callable[[Event], dict[str, Any]]) -> Callable[[Event, Rows], None]:
    """A change that adds a row of an event."""

    def apply(event: Event, rows: Rows) -> None:
        row = Stated(
            position=event.position,
            gaming_day=event.gaming_day,
            at=event.at,
            patron=event.fields["patron"],
            by=event.actor,
            **fields_of(event),
        )
        rows.put(STATED, row)

    return apply


def _limit(event: Event) -> dict[str, Any]:
    fields = event.fields
    return {
        "item": fields["kind"],
        "whose": fields["whose"],
        "period": fields["period"],
        "amount": fields["amount"],
        "before": fields["amount_before"],
        "minutes": fields.get("minutes"),
        "holds_from": datetime.fromisoformat(fields["holds_from"]),
    }


def _break(event: Event) -> dict[str, Any]:
    until = datetime.fromisoformat(event.fields["until"])
    return {"item": "break", "whose": event.fields["whose"], "until": until}


def _rest_announced(event: Event) -> dict[str, Any]:
    due = event.at + timedelta(minutes=event.fields["minutes"])
    return {"item": "rest-announced", "until": due}


PROJECTION = Projection(
    name="play_limits",
    schema=_TABLES,
    changes={
        patron.LimitStated.TOPIC: _adds(_limit),
        patron.BreakBegun.TOPIC: _adds(_break),
        patron.PlayedOn.TOPIC: _adds(lambda _: {"item": "played-on"}),
        patron.RestAnnounced.TOPIC: _adds(_rest_announced),
        patron.LimitNear.TOPIC: _adds(
            lambda event: {"item": "limit-near", "period": event.fields["period"]}
        ),
        patron.PlayedUncarded.TOPIC: _adds(
            lambda event: {"item": "uncarded", "amount": event.fields["amount"]}
        ),
        **dict.fromkeys(_CASH, _counted),
    },
    loads=_loads,
)

REPORT = Report(
    name="limits",
    title="Limits and breaks",
    about="how much patrons may deposit and lose, how long they may play, and their breaks",
    read_by=OF_MONEY,
    projections=("play_limits", "patrons"),
    columns=(
        *(
            "at",
            "patron",
            "item",
            "whose",
            "counts_over",
            "amount",
            "before",
            "minutes",
            "holds_from",
            "until",
        ),
        "by",
    ),
    sql=f"""
SELECT at, {IDENTITY.format("play_limits")} AS patron, item, whose,
       period AS counts_over, amount, before, minutes, holds_from, until, by
  FROM play_limits {KNOWN.format("play_limits")}
 WHERE {narrowed(table=None, at=["at"])}
   AND {ASKED.format(IDENTITY.format("play_limits"))}
 ORDER BY position
""",  # noqa: S608
    money=("amount", "before"),
    narrowings=("day", "patron", "span"),
    terms=("until",),
    shown=(
        *("at", "patron", "item", "counts_over"),
        *("amount", "minutes", "holds_from", "until"),
    ),
    no_total=no_total.MIXED,
    words={
        "item": (
            "item",
            "a limit of deposits, of losses or of time, a break, that the dealer was shown when a "
            "rest will be due or that a limit is near, that somebody played on when a pause was "
            "due, or played without a card what is played by card",
        ),
        "whose": ("whose", "who wanted it: the patron or the house"),
        "counts_over": ("counts over", "over which the limit counts: day, week or month"),
        "amount": ("amount", "the limit, empty where there is none any longer; or what was played"),
        "before": ("before", "the limit until then"),
        "minutes": ("minutes", "the limit of time at tables"),
        "holds_from": ("holds from", "from when it holds; later for a patron's own higher limit"),
        "until": ("until", "the end of the break, or when the rest is due"),
        "by": ("by", "who entered it"),
    },
    codes={
        "item": {each: each for each in ("deposit", "loss", "time", "break")}
        | {"played-on": "played on", "rest-announced": "rest announced"}
        | {"limit-near": "limit near", "uncarded": "without a card"},
        "whose": {each: each for each in ("patron", "house")},
        "counts_over": {each: each for each in ("day", "week", "month")},
    },
)
