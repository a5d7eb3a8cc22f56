"""Alerts: what needs a person, until somebody with the right acknowledges it.

| Kind | It holds since | It leaves |
|---|---|---|
| every exception | the exception | when it is acknowledged |
| `cash near` | the cash that came near the reporting amount | then, or when it is over |
| `cash over` | the cash that went over it | when it is acknowledged |
| `administrator recovered` | an administrator was let in again | when two people acknowledge it |
| `number locked` | the wrong PIN that locked it | then, or when it is enrolled again |
| `commission owed` | the cut card showed | then, or when nobody owes, or the shoe has ended |
| `no coup` | the last coup was begun or settled, or the table opened | then, or when a coup is |
| `dispute deadline` | the case was opened, or decided | then, or when what was due is done |
| `dispute open` | the case was opened | then, or when it is closed |
| `ledger cut` | | by itself only, when the ledger has again what was read of it |
| `projection stopped`, `projections behind` | | by itself only, when it has caught up |

Exceptions keep their acknowledgement in their own rows. The rows here are what other events tell;
and of those that hold only as long as the table or the case stands as it does (`commission owed`,
`no coup`, `dispute deadline`, `dispute open`), those that were acknowledged. How it stands,
`tables_now` and `disputes` say; whether that is for too long, only the moment does at which
somebody asks, so that the board tells `no coup` and `dispute deadline` and the report, which is
the same whenever it is asked of the same record, does not until they are acknowledged.
"""

from collections.abc import Iterator
from datetime import date, datetime, timedelta
from typing import Any

from domain.events import alert, cash_day, staff_member
from domain.events import property as property_events
from domain.rules.permissions import OF_THE_PIT
from projections import exceptions
from projections.exceptions import Acknowledged, position_of_alert
from projections.model import Change, Event, Projection, Report, narrowed
from projections.rows import Page, Row, Rows, Table, Value

_TABLES = """
-- One row an alert: what needs a person until somebody acknowledges it.
CREATE TABLE alerts (
    position          bigint NOT NULL,
    kind              text   NOT NULL,
    at                timestamptz NOT NULL,
    table_code        text   NOT NULL,
    gaming_day        date   NOT NULL,
    shoe              text,
    coup              text,
    patron            text,
    detail            jsonb  NOT NULL,
    ended_at          timestamptz,  -- when it said nothing any more
    acknowledged_by   text,
    acknowledged_at   timestamptz,
    acknowledged_text text,
    PRIMARY KEY (position, kind)
);
CREATE INDEX alerts_by_day ON alerts (gaming_day, table_code);
CREATE INDEX alerts_of_a_patron ON alerts (patron, gaming_day);
CREATE INDEX alerts_open ON alerts (position)
    WHERE acknowledged_at IS NULL AND ended_at IS NULL;

-- At which table a patron's cash of a day moved last.
CREATE TABLE alert_places (
    patron     text NOT NULL,
    gaming_day date NOT NULL,
    table_code text NOT NULL,
    PRIMARY KEY (patron, gaming_day)
);
"""

RECOVERED = "administrator recovered"
RAISED = {
    cash_day.ReportingAmountNear.TOPIC: "cash near",
    cash_day.ReportingAmountPassed.TOPIC: "cash over",
    staff_member.Locked.TOPIC: "number locked",
    property_events.AdministratorRecovered.TOPIC: RECOVERED,
}
COMMISSION_OWED, NO_COUP = "commission owed", "no coup"
DISPUTE_DEADLINE, DISPUTE_OPEN = "dispute deadline", "dispute open"
OF_A_CASE = (DISPUTE_DEADLINE, DISPUTE_OPEN)
NEVER_PAST = (*OF_A_CASE, RECOVERED)  # they press, whatever became of the gaming day meanwhile
MISSING = ("shoe not reconciled", "closer variance")  # cards, or money
MISSED = 7  # days for which what is missing is looked for, though the gaming day is closed
PASSING = (COMMISSION_OWED, NO_COUP, *OF_A_CASE)  # hold as long as things stand as they do
# Nobody can acknowledge these.
BY_ITSELF = ("ledger cut", "projection stopped", "projections behind")


class Alert(Acknowledged):
    """What needs a person until somebody acknowledges it."""

    position: int
    kind: str
    at: datetime
    table_code: str
    gaming_day: date
    shoe: str | None = None
    coup: str | None = None
    patron: str | None = None
    detail: dict[str, Any]
    ended_at: datetime | None = None


class Place(Row):
    """At which table a patron's cash of a day moved last."""

    patron: str
    gaming_day: date
    table_code: str


ALERTS = Table("alerts", Alert, "position", "kind")
OF_A_PATRON = ALERTS.page("patron", "gaming_day")
OF_A_KIND = ALERTS.page("kind")
PLACES = Table("alert_places", Place, "patron", "gaming_day")


def _looks(event: Event) -> Iterator[tuple[Page[Any], Value]]:
    patron = event.fields.get("patron")
    if patron:
        yield PLACES.by_key, (patron, event.gaming_day)
    if event.topic == cash_day.ReportingAmountPassed.TOPIC:
        yield OF_A_PATRON, (patron, event.gaming_day)
    elif event.topic == alert.Acknowledged.TOPIC:
        yield ALERTS.by_key, (position_of_alert(event), event.fields["kind"])


def kinds_of(event: Event) -> Iterator[str]:
    """Every kind of alert that the event raises by itself, whatever else the record says."""
    yield from exceptions.kinds_of(event)
    if event.topic in RAISED:
        yield RAISED[event.topic]


def _raised(event: Event, rows: Rows) -> None:
    """An alert about a patron's cash is told at the table where it last moved."""
    fields = event.fields
    patron = fields.get("patron")
    place = rows.get(PLACES, patron, event.gaming_day) if patron else None
    raised = Alert(
        position=event.position,
        kind=RAISED[event.topic],
        at=event.at,
        # A number is nobody's at a table.
        table_code=place.table_code if place else event.table or fields.get("table", ""),
        gaming_day=event.gaming_day,
        shoe=fields.get("shoe"),
        patron=patron,
        detail={"type": event.name, **fields},
    )
    rows.put(ALERTS, raised)


def _counted(event: Event, rows: Rows) -> None:
    """An alias's cash that was carried over came at no table."""
    fields = event.fields
    if not fields["table"]:
        return
    if place := rows.change(PLACES, fields["patron"], event.gaming_day):
        place.table_code = fields["table"]
    else:
        table, day = fields["table"], event.gaming_day
        place = Place(patron=fields["patron"], gaming_day=day, table_code=table)
        rows.put(PLACES, place)


def _over(event: Event, rows: Rows) -> None:
    """That it was near says nothing any more."""
    for each in rows.find(OF_A_PATRON, event.fields["patron"], event.gaming_day):
        if each.kind == "cash near" and each.detail["direction"] == event.fields["direction"]:
            rows.mark(ALERTS, each).ended_at = event.at
    _raised(event, rows)


def _unlocked(event: Event, rows: Rows) -> None:
    """With a new code they can sign on again."""
    for each in rows.find(OF_A_KIND, "number locked"):
        open_still = each.acknowledged_at is None and each.ended_at is None
        if open_still and each.detail["staff"] == event.fields["staff"]:
            rows.mark(ALERTS, each).ended_at = event.at


def _acknowledged(event: Event, rows: Rows) -> None:
    """Of what holds only as things stand there is a row now; an exception's is elsewhere."""
    fields = event.fields
    position = position_of_alert(event)
    if fields["kind"] in PASSING:
        passing = Alert(
            position=position,
            kind=fields["kind"],
            at=datetime.fromisoformat(fields["since"]),
            table_code=fields["table"],
            gaming_day=event.gaming_day,
            coup=fields["coup"],
            detail={"type": event.name, **fields, **_how_long(event)},
        )
        passing.acknowledge(event)
        rows.put(ALERTS, passing)
    elif row := rows.change(ALERTS, position, fields["kind"]):
        row.acknowledge(event)


def _how_long(event: Event) -> dict[str, int]:
    """For how many minutes there had been no coup when somebody acknowledged it."""
    if event.fields["kind"] != NO_COUP:
        return {}
    since = datetime.fromisoformat(event.fields["since"])
    return {"minutes": (event.at - since) // timedelta(minutes=1)}


_CHANGES: dict[str, Change] = {
    cash_day.CashCounted.TOPIC: _counted,
    cash_day.ReportingAmountNear.TOPIC: _raised,
    cash_day.ReportingAmountPassed.TOPIC: _over,
    staff_member.Locked.TOPIC: _raised,
    property_events.AdministratorRecovered.TOPIC: _raised,
    staff_member.CodeIssued.TOPIC: _unlocked,
    alert.Acknowledged.TOPIC: _acknowledged,
}
PROJECTION = Projection(name="alerts", schema=_TABLES, changes=_CHANGES, looks=_looks)


def _known(rows: str, *conditions: str) -> str:
    """Alerts that have rows of their own, under the names that both have."""
    where = f"WHERE {' AND '.join(conditions)}" if conditions else ""
    return f"""
    SELECT position, kind, at, table_code, gaming_day, shoe, coup, detail,
           acknowledged_by, acknowledged_at, acknowledged_text
      FROM {rows} {where}"""  # noqa: S608


def _standing(position: str, kind: str, at: str, detail: str, *conditions: str) -> str:
    """Alerts that hold as long as a table stands as it does, but those acknowledged."""
    return f"""
    SELECT {position}, '{kind}', {at}, table_code, gaming_day, shoe, coup, {detail},
           NULL::text, NULL::timestamptz, NULL::text
      FROM tables_now
     WHERE closed_at IS NULL AND {" AND ".join(conditions)}
       AND NOT EXISTS (SELECT FROM alerts
                        WHERE (alerts.position, alerts.kind) = ({position}, '{kind}'))"""  # noqa: S608


_OWING = """(SELECT jsonb_agg(jsonb_build_object('patron', patron, 'owed', owed)
                          ORDER BY patron, stay)
               FROM stays_now
              WHERE stays_now.table_code = tables_now.table_code AND owed > 0)"""
_COMMISSION_OWED = _standing(
    "cut_card_position",
    COMMISSION_OWED,
    "cut_card_at",
    "jsonb_build_object('type', 'CutCardShown', 'last_coup', last_coup, "
    f"'cards_left', cards_left, 'owing', {_OWING})",
    "cut_card_position IS NOT NULL",
    f"{_OWING} IS NOT NULL",
)
_NO_COUP = _standing(
    "idle_position",
    NO_COUP,
    "idle_at",
    "jsonb_build_object('minutes', "
    "floor(extract(epoch FROM %(now)s::timestamptz - idle_at) / 60)::int)",
    "idle_at <= %(now)s::timestamptz - make_interval(mins => %(idle_minutes)s)",
)


def _overdue(position: str, by: str, done: str, notify: str) -> str:
    """Cases of which the regulator, or the patron, should have been notified by now.

    But for those that are acknowledged.
    """
    return f"""
    SELECT {position}, '{DISPUTE_DEADLINE}', {by}, table_code, gaming_day, NULL::text, coup,
           jsonb_build_object('case', case_number, 'notify', '{notify}', 'by', {by}),
           NULL::text, NULL::timestamptz, NULL::text
      FROM disputes
     WHERE {by} <= %(now)s::timestamptz AND {done} IS NULL AND closed_at IS NULL
       AND NOT EXISTS (SELECT FROM alerts
                        WHERE (alerts.position, alerts.kind)
                            = (disputes.{position}, '{DISPUTE_DEADLINE}'))"""  # noqa: S608


_NOT_NOTIFIED = _overdue(
    "position",
    "notify_by",
    "regulator_notified_at",
    "regulator",
)
_NOT_INFORMED = _overdue(
    "decided_position",
    "tell_by",
    "patron_told_at",
    "patron",
)
# Until it is closed, with what is due and not done.
_DISPUTE_OPEN = f"""
    SELECT position, '{DISPUTE_OPEN}', opened_at, table_code, gaming_day, NULL::text, coup,
           jsonb_build_object('case', case_number, 'patron', patron, 'decision', decision,
               'notify_by', CASE WHEN regulator_notified_at IS NULL THEN notify_by END,
               'tell_by', CASE WHEN patron_told_at IS NULL THEN tell_by END),
           NULL::text, NULL::timestamptz, NULL::text
      FROM disputes
     WHERE closed_at IS NULL
       AND NOT EXISTS (SELECT FROM alerts
                        WHERE (alerts.position, alerts.kind)
                            = (disputes.position, '{DISPUTE_OPEN}'))"""  # noqa: S608
_NAME = "replace(kind, ' ', '-') || '/' || position"

# What stands on the board at one moment, the newest first.
# Of days that are closed there may be thousands, which the board only counts.
OPEN_ALERTS = f"""
WITH played AS (
    SELECT least(%(today)s::date, min(gaming_day)) AS since FROM tables_now WHERE closed_at IS NULL
)
SELECT at, gaming_day AS day, table_code AS "table", coup, kind, {_NAME} AS alert,
       CASE WHEN gaming_day >= (SELECT since FROM played) OR kind IN {NEVER_PAST}
              OR kind IN {MISSING} AND gaming_day >= (SELECT since FROM played) - {MISSED}
            THEN detail END AS detail
  FROM ({_known("exceptions", "acknowledged_at IS NULL")}
        UNION ALL
        {_known("alerts", "acknowledged_at IS NULL", "ended_at IS NULL")}
        UNION ALL
        {_COMMISSION_OWED}
        UNION ALL
        {_NO_COUP}
        UNION ALL
        {_NOT_NOTIFIED}
        UNION ALL
        {_NOT_INFORMED}
        UNION ALL
        {_DISPUTE_OPEN}) AS alerts
 ORDER BY position DESC, kind
"""  # noqa: S608

REPORT = Report(
    name="alerts",
    title="Alerts",
    read_by=OF_THE_PIT,
    projections=("alerts", "exceptions", "tables_now", "disputes"),
    columns=(
        *("at", "table", "coup", "kind", "alert", "detail"),
        *("acknowledged_by", "acknowledged_at", "text"),
    ),
    sql=f"""
SELECT at, table_code AS "table", coup, kind, {_NAME} AS alert, detail, acknowledged_by,
       acknowledged_at, acknowledged_text AS text
  FROM ({_known("exceptions")}
        UNION ALL
        {_known("alerts")}
        UNION ALL
        {_COMMISSION_OWED}
        UNION ALL
        {_DISPUTE_OPEN}) AS alerts
 WHERE {narrowed(shoe="shoe")}
 ORDER BY position, kind
""",  # noqa: S608
    money=(),
    narrowings=("table", "day", "shoe"),
    shown=("alert", "at", "table", "detail"),
    days_alone=False,  # a command may have events of two days
)
