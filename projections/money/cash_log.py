"""Cash log: every buy-in and cash-out by its number, and what the patron's day comes to so far."""

from collections.abc import Callable, Iterator
from datetime import date, datetime
from typing import Any

from domain.events import cash_day, regime, table_money
from domain.events import property as property_events
from domain.rules.permissions import OF_MONEY
from domain.rules.regimes import Threshold, known
from projections import no_total
from projections.model import Event, Projection, Report, View, narrowed
from projections.people.patrons import ASKED, IDENTITY, KNOWN
from projections.rows import Page, Row, Rows, Table, Value

_TABLES = """
-- Every buy-in and cash-out, under the name that the patron had at the table.
CREATE TABLE cash (
    position   bigint NOT NULL PRIMARY KEY,
    at         timestamptz NOT NULL,
    table_code text   NOT NULL,
    gaming_day date   NOT NULL,
    patron     text   NOT NULL,
    stay       text   NOT NULL,
    direction  text   NOT NULL CHECK (direction IN ('in', 'out')),
    kind       text   NOT NULL,
    amount     bigint NOT NULL   -- minor units, as last corrected; 0: it never was
);
CREATE INDEX cash_by_day ON cash (gaming_day, patron);

-- The reporting amount: a day's cash over it is reported. The last row holds.
CREATE TABLE reporting_amounts (
    position bigint NOT NULL PRIMARY KEY,
    amount   bigint NOT NULL     -- minor units
);

-- Regimes that the house chose: of those that began, the last row holds.
CREATE TABLE regime_choices (
    position bigint NOT NULL PRIMARY KEY,
    from_day date   NOT NULL
);

-- Their thresholds: from which amount of cash what is due.
CREATE TABLE regime_thresholds (
    position     bigint  NOT NULL,   -- of the choice
    place        int     NOT NULL,   -- in the regime
    threshold    text    NOT NULL,
    paper        text    NOT NULL,
    amount       bigint  NOT NULL,   -- minor units
    "over"       boolean NOT NULL,   -- more than the amount; otherwise the amount itself
    single       boolean NOT NULL,   -- one transaction; otherwise the day's cash
    cash_in      boolean NOT NULL,
    cash_out     boolean NOT NULL,
    reported     boolean NOT NULL,
    logged       boolean NOT NULL,
    within       int     NOT NULL,   -- days; 0: no term is known
    working_days boolean NOT NULL,
    first_day    date    NOT NULL,   -- from which it is the law
    last_day     date    NOT NULL,
    PRIMARY KEY (position, place)
);

-- Reports that were filed about a patron's cash of a day.
CREATE TABLE cash_filings (
    patron     text   NOT NULL,
    gaming_day date   NOT NULL,
    threshold  text   NOT NULL,
    filed_on   date   NOT NULL,  -- the first one
    late       boolean NOT NULL,  -- it
    reference  text   NOT NULL,  -- of the newest one
    filings    int    NOT NULL,  -- how many: the first, and those that amend it
    of_one     bigint NOT NULL,  -- the transaction that it is about; 0: the day's cash
    cash_in    bigint NOT NULL,  -- of the newest one, in minor units; both 0: not known
    cash_out   bigint NOT NULL,
    earlier    jsonb  NOT NULL,  -- number, reference, cash in and out of those before it
    PRIMARY KEY (patron, gaming_day, threshold, of_one)
);
"""


class Cash(Row):
    """A buy-in or a cash-out."""

    position: int
    at: datetime
    table_code: str
    gaming_day: date
    patron: str
    stay: str
    direction: str
    kind: str
    amount: int


class ReportingAmount(Row):
    """A reporting amount, in force from a position on."""

    position: int
    amount: int


class Choice(Row):
    """A regime, in force from a gaming day on."""

    position: int
    from_day: date


class RegimeThreshold(Row):
    """An amount of a regime, and what is due from it."""

    position: int
    place: int
    threshold: str
    paper: str
    amount: int
    over: bool
    single: bool
    cash_in: bool
    cash_out: bool
    reported: bool
    logged: bool
    within: int
    working_days: bool
    first_day: date
    last_day: date


class CashFiling(Row):
    """A report that was filed about a patron's cash of a day."""

    patron: str
    gaming_day: date
    threshold: str
    filed_on: date
    late: bool
    reference: str
    filings: int
    of_one: int
    cash_in: int
    cash_out: int
    earlier: list[list[Any]]


FILINGS = Table("cash_filings", CashFiling, "patron", "gaming_day", "threshold", "of_one")
CASH_MOVED = Table("cash", Cash, "position")
REPORTING_AMOUNTS = Table("reporting_amounts", ReportingAmount, "position")
CHOICES = Table("regime_choices", Choice, "position")
THRESHOLDS = Table("regime_thresholds", RegimeThreshold, "position", "place")


# Cash, with the patron that each alias stands for.
CASH = f"""
    SELECT cash.position, cash.at, cash.table_code, cash.gaming_day, cash.direction, cash.kind,
           cash.amount, cash.stay, cash.patron AS name, {IDENTITY.format("cash")} AS patron
      FROM cash {KNOWN.format("cash")}
     WHERE cash.amount > 0
"""  # noqa: S608


def _moved(direction: str, kind: str) -> Callable[[Event, Rows], None]:
    """Returns a change that records cash that came in or went out."""

    def change(event: Event, rows: Rows) -> None:
        cash = Cash(
            position=event.position,
            at=event.at,
            table_code=event.table,
            gaming_day=event.gaming_day,
            patron=event.fields["patron"],
            stay=event.fields["stay"],
            direction=direction,
            kind=kind,
            amount=event.fields["amount"],
        )
        rows.put(CASH_MOVED, cash)

    return change


def _loads(event: Event) -> Iterator[tuple[Page[Any], Value]]:
    if event.topic == table_money.CashCorrected.TOPIC:
        yield CASH_MOVED.by_key, (event.fields["position"],)
    elif event.topic in (cash_day.ReportFiled.TOPIC, cash_day.ReportTakenBack.TOPIC):
        yield FILINGS.by_key, _key_of_filing(event)


def _key_of_filing(event: Event) -> tuple[str, date, str, int]:
    fields = event.fields
    day = date.fromisoformat(fields["day"])
    return fields["patron"], day, fields["threshold"], fields.get("transaction", 0)


def _filed(event: Event, rows: Rows) -> None:
    """Adds a report about a patron's cash, or the number of one that corrects it."""
    fields = event.fields
    patron, day, threshold, of_one = _key_of_filing(event)
    cash_in, cash_out = fields.get("cash_in", 0), fields.get("cash_out", 0)
    if known := rows.change(FILINGS, patron, day, threshold, of_one):
        before = [known.filings, known.reference, known.cash_in, known.cash_out]
        known.earlier = [*known.earlier, before]
        known.reference, known.filings = fields["reference"], fields["number"]
        known.cash_in, known.cash_out = cash_in, cash_out
        return
    filed = CashFiling(
        patron=patron,
        gaming_day=day,
        threshold=threshold,
        filed_on=date.fromisoformat(fields["filed_on"]),
        late=fields["late"],
        reference=fields["reference"],
        filings=fields["number"],
        of_one=of_one,
        cash_in=cash_in,
        cash_out=cash_out,
        earlier=[],
    )
    rows.put(FILINGS, filed)


def _taken_back(event: Event, rows: Rows) -> None:
    """Leaves the report before the one that was taken back as the newest, if there is one."""
    if known := rows.change(FILINGS, *_key_of_filing(event)):
        if not known.earlier:
            rows.drop(FILINGS, known)
            return
        *known.earlier, before = known.earlier
        known.filings, known.reference, known.cash_in, known.cash_out = before


def _corrected(event: Event, rows: Rows) -> None:
    """Makes cash another amount, another stay's, or both."""
    if cash := rows.change(CASH_MOVED, event.fields["position"]):
        cash.patron, cash.stay = event.fields["patron"], event.fields["stay"]
        cash.amount = event.fields["amount"]


def _reporting(event: Event, amount: int, rows: Rows) -> None:
    rows.put(REPORTING_AMOUNTS, ReportingAmount(position=event.position, amount=amount))


def _founded(event: Event, rows: Rows) -> None:
    _reporting(event, event.fields["reporting_amount"], rows)


def _setting_changed(event: Event, rows: Rows) -> None:
    if event.fields["name"] == "reporting_amount":
        _reporting(event, int(event.fields["value"]), rows)


def _chosen(event: Event, rows: Rows) -> None:
    """Adds a regime that the house chose, with its thresholds."""
    first = date.fromisoformat(event.fields["from_day"])
    rows.put(CHOICES, Choice(position=event.position, from_day=first))
    for place, each in enumerate(known(event.fields["content"]).thresholds, 1):
        rows.put(THRESHOLDS, _row(event.position, place, each))


def _row(position: int, place: int, threshold: Threshold) -> RegimeThreshold:
    days, working = threshold.term
    return RegimeThreshold(
        position=position,
        place=place,
        threshold=threshold.name,
        paper=threshold.paper,
        amount=threshold.amount,
        over=threshold.over,
        single=threshold.counts == "one",
        cash_in="in" in threshold.directions,
        cash_out="out" in threshold.directions,
        reported="report" in threshold.due,
        logged="log" in threshold.due,
        within=days,
        working_days=working,
        first_day=threshold.first_day,
        last_day=threshold.last_day,
    )


_VIEWS = (
    View(
        name="cash",
        what="Cash in and out, never netted. One row a buy-in or cash-out.",
        sql="""
SELECT cash.position, cash.at, cash.table_code, cash.gaming_day,
       coalesce(known.patron, cash.patron) AS patron, cash.patron AS patron_at_table,
       cash.direction, cash.kind, cash.amount
  FROM projections.cash
  LEFT JOIN projections.patron_identities AS known ON known.alias = cash.patron
 WHERE cash.amount > 0
""",
        columns={
            "position": "Its position in the ledger.",
            "at": "When it changed hands.",
            "table_code": "The table.",
            "gaming_day": "The gaming day.",
            "patron": "Who brought or took it, under the name known today.",
            "patron_at_table": "The name used at the table.",
            "direction": "in or out, as the house sees it.",
            "kind": "buy-in or cash-out.",
            "amount": "How much, in minor units.",
        },
    ),
)

PROJECTION = Projection(
    name="cash",
    schema=_TABLES,
    views=_VIEWS,
    changes={
        table_money.BoughtIn.TOPIC: _moved("in", "buy-in"),
        table_money.CashedOut.TOPIC: _moved("out", "cash-out"),
        table_money.CashCorrected.TOPIC: _corrected,
        cash_day.ReportFiled.TOPIC: _filed,
        cash_day.ReportTakenBack.TOPIC: _taken_back,
        property_events.Founded.TOPIC: _founded,
        property_events.SettingChanged.TOPIC: _setting_changed,
        regime.RegimeChosen.TOPIC: _chosen,
    },
    loads=_loads,
)

# Totals are over all tables, so the narrowing to one table comes after them.
REPORT = Report(
    name="cash-log",
    title="Cash log",
    about="every cash movement with its patron",
    read_by=OF_MONEY,
    projections=("cash", "patrons"),
    columns=(
        *("position", "day", "at", "table", "patron", "direction", "amount", "kind"),
        *("total_in", "total_out", "stay"),
    ),
    sql=f"""
SELECT position, gaming_day AS day, at, table_code AS "table", patron, direction, amount, kind,
       total_in, total_out, stay
  FROM (SELECT cash.*,
               coalesce(sum(amount) FILTER (WHERE direction = 'in') OVER so_far, 0) AS total_in,
               coalesce(sum(amount) FILTER (WHERE direction = 'out') OVER so_far, 0) AS total_out
          FROM ({CASH}) AS cash
        WINDOW so_far AS (PARTITION BY gaming_day, patron ORDER BY position)) AS cash
 WHERE {narrowed(at=["at"])}
   AND {ASKED.format("patron")}
 ORDER BY position
""",  # noqa: S608
    rows=f"""
  FROM cash {KNOWN.format("cash")}
 WHERE amount > 0
   AND {narrowed(at=["at"])}
   AND {ASKED.format(IDENTITY.format("cash"))}
""",
    money=("amount", "total_in", "total_out"),
    narrowings=("table", "day", "patron", "span"),
    shown=("position", "at", "table", "patron", "kind", "amount", "total_in", "total_out"),
    no_total=no_total.BOTH_WAYS,
    words={
        "total_in": ("total in", "cash in from this patron on this day up to here"),
        "total_out": ("total out", "cash out to this patron on this day up to here"),
    },
)
