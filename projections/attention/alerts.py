"""Alerts: what needs a person, until somebody with the right acknowledges it.

| Kind | It holds since | It leaves |
|---|---|---|
| every exception | the exception | when it is acknowledged |
| `cash near` | the cash that came near the reporting amount | then, or when it is over |
| `cash over` | the cash that went over it | then, or when the day's cash is reported |
| `administrator recovered` | an administrator was let in again | when two people acknowledge it |
| `number locked` | the wrong PIN that locked it | then, or when it is enrolled again |
| `verification failed` | the round that found the record changed | when two people acknowledge it |
| `house distrusted` | another house changed its past, or its signature | when it is acknowledged |
| `record restored` | events were found to be missing | when two people go on without them |
| `device gap` | a line of a device that came without those before it | when it is acknowledged |
| `commission owed` | the cut card showed | then, or when nobody owes, or the shoe has ended |
| `no coup` | the last coup was begun or settled, or the table opened | then, or when a coup is |
| `fill needed` | the tray held less than the house's floor | then, or when it holds more |
| `tray below zero` | the tray held less than nothing | then, or when it does not |
| `barred at seat` | they were barred, or sat down | then, or when they leave or may play |
| `box not counted` | a box was taken off, and the house's hours are over | then, or once counted |
| `little play` | cash went in and out again, with little play | when it is acknowledged |
| `cash split` | transactions just under what is reported of one | when it is acknowledged |
| `uncarded play` | a bet or cash above what is played without a card | then, or with the next |
| `report to amend` | other cash than was reported | then, or when an amended one is filed |
| `dispute deadline` | the case was opened, or decided | then, or when what was due is done |
| `dispute open` | the case was opened | then, or when it is closed |
| `ledger cut` | | by itself only, when the ledger has again what was read of it |
| `standby away` | | by itself only, when the synchronous standby answers again |
| `backup failing` | | by itself only, when everything comes into the backup again |
| `backup overdue` | | by itself only, when the backup is checked |
| `checkpoint overdue` | | by itself only, when a checkpoint is made |
| `verification overdue` | | by itself only, when a whole round was made again |
| `too slow`, `too fast` | | by itself only, when the table has the pace that its rules want |
| `projection stopped`, `projections behind` | | by itself only, when it has caught up |

What is about an alias is about the patron as whom it is identified. Then an alert of its cash is
not shown beside the same one of the patron's.

Exceptions keep their acknowledgement in their own rows. The rows here are alerts that other events
raise, and those of `passing` once they are acknowledged.

Whether an idle table, a box that waits or a missed deadline is an alert depends on the time of the
question. So the board shows them at once. The report shows them only when acknowledged, because it
must be the same whenever it is asked of the same record. Both leave out what its reader may not
learn of (`of_alert` in `domain/rules/permissions.py`).
"""

from collections.abc import Iterator
from datetime import datetime, timedelta
from typing import Any

from domain.events import (
    alert,
    cash_day,
    checkpoint,
    other_house,
    patron,
    signing_keys,
    staff_member,
)
from domain.events import property as property_events
from domain.events.verification import Failed as VerificationFailed
from domain.rules.permissions import LITTLE_PLAY, OF_THE_PIT, SPLIT, TO_AMEND
from projections.attention import exceptions
from projections.attention.alert_rows import (
    ALERTS,
    OF_A_KIND,
    OF_A_PATRON,
    PLACES,
    TABLES,
    Alert,
)
from projections.attention.alerts_of_cash import (
    NEAR,
    OVER,
    changed,
    counted_with,
    end_near,
    end_of_patron,
    filed,
    remember_place,
    taken_back,
)
from projections.attention.exception_kinds import ACCOUNT_SHORT, OPENER_DIFFERS, OWED_STILL
from projections.attention.exception_rows import position_of_alert
from projections.attention.passing import (
    BOX_NOT_COUNTED,
    NO_COUP,
    OF_A_CASE,
    PASSING,
)
from projections.attention.recorded_alerts import LEARNT, RECORDED, SHOWN
from projections.model import Change, Event, Projection, Report, narrowed
from projections.ranks import RANKS
from projections.rows import Page, Rows, Value

RECOVERED = "administrator recovered"
REFUSED, KEY_LOST = "witness refused", "signing key lost"
FAILED, DISTRUSTED = "verification failed", "house distrusted"
RESTORED, LINE_MISSING = "record restored", "line missing"
UNCARDED = "uncarded play"
DEVICE_GAP = "device gap"
RAISED = {
    cash_day.ReportingAmountNear.TOPIC: NEAR,
    cash_day.ReportingAmountPassed.TOPIC: OVER,
    cash_day.LittlePlayNoted.TOPIC: LITTLE_PLAY,
    cash_day.CashSplit.TOPIC: SPLIT,
    cash_day.ReportToAmend.TOPIC: TO_AMEND,
    patron.PlayedUncarded.TOPIC: UNCARDED,
    staff_member.Locked.TOPIC: "number locked",
    staff_member.LinesMissing.TOPIC: DEVICE_GAP,
    property_events.AdministratorRecovered.TOPIC: RECOVERED,
    checkpoint.WitnessRefused.TOPIC: REFUSED,
    signing_keys.KeyReplaced.TOPIC: KEY_LOST,
    VerificationFailed.TOPIC: FAILED,
    other_house.Distrusted.TOPIC: DISTRUSTED,
    property_events.EventsMissing.TOPIC: RESTORED,  # or LINE_MISSING
}
# Still urgent when their gaming day is over.
NEVER_PAST = (
    *(*OF_A_CASE, BOX_NOT_COUNTED, RECOVERED, REFUSED, KEY_LOST, FAILED),
    *(RESTORED, LINE_MISSING, DISTRUSTED, TO_AMEND, *OWED_STILL),
)
OF_A_RESTORE = ("rolled back", "not as verified")  # faults that a restored record has
BY_TWO = (RECOVERED, FAILED, LINE_MISSING)  # nobody acknowledges these alone
MISSING = (  # cards, or money
    *("shoe not reconciled", "closer variance", "shift variance", "box difference"),
    *(OPENER_DIFFERS, ACCOUNT_SHORT),
)
MISSED = 7  # days for which a missing count stays on the board after its gaming day is closed
TOO_SLOW, TOO_FAST = "too slow", "too fast"
# These end by themselves; nobody can acknowledge them.
BY_ITSELF = (
    *("ledger cut", "standby away", "projection stopped", "projections behind"),
    *("checkpoint overdue", "verification overdue"),
    *("backup failing", "backup overdue"),
    *(TOO_SLOW, TOO_FAST),
)


def _loads(event: Event) -> Iterator[tuple[Page[Any], Value]]:
    whose = event.fields.get("patron")
    if whose:
        yield PLACES.by_key, (whose, event.gaming_day)
    if event.topic in _OF_A_DAY:
        for each in (whose, *counted_with(event)):
            yield OF_A_PATRON, (each, event.gaming_day)
    elif event.topic == alert.Acknowledged.TOPIC:
        yield ALERTS.by_key, (position_of_alert(event), event.fields["kind"])


def kinds_of(event: Event) -> Iterator[str]:
    """Every kind of alert that the event raises by itself, whatever else is recorded."""
    yield from exceptions.kinds_of(event)
    if event.topic in RAISED and _raises(event):
        yield _kind_of(event)


def _kind_of(event: Event) -> str:
    """The kind of alert that the event raises: one line that is missing has its own."""
    return LINE_MISSING if event.fields.get("line_id") else RAISED[event.topic]


def _raises(event: Event) -> bool:
    """Whether the event raises its alert: a key that is replaced does so only if it was lost."""
    return bool(event.fields.get("lost", True))


def _raised(event: Event, rows: Rows) -> None:
    """Adds an alert; one about a patron's cash belongs to the table where it last moved."""
    fields = event.fields
    if not _raises(event):
        return
    whose, kind = fields.get("patron"), _kind_of(event)
    place = rows.get(PLACES, whose, event.gaming_day) if whose else None
    raised = Alert(
        position=event.position,
        kind=kind,
        at=event.at,
        # A staff number belongs to no table.
        table_code=fields.get("table") or (place.table_code if place else event.table),
        gaming_day=event.gaming_day,
        shoe=fields.get("shoe"),
        patron=whose,
        detail={"type": event.name, **fields},
        rank=RANKS[kind],
    )
    rows.put(ALERTS, raised)


def _over(event: Event, rows: Rows) -> None:
    """Raises `cash over`, and ends the `cash near` before it."""
    end_near(event, rows)
    _raised(event, rows)


def _uncarded(event: Event, rows: Rows) -> None:
    """Raises `uncarded play`, in place of an earlier one of the patron's day."""
    end_of_patron(event, rows, UNCARDED, "what")
    _raised(event, rows)


def _to_amend(event: Event, rows: Rows) -> None:
    """Raises `report to amend`, in place of an earlier one of the same cash."""
    end_of_patron(event, rows, TO_AMEND, "threshold", "transaction", "direction")
    _raised(event, rows)


def _unlocked(event: Event, rows: Rows) -> None:
    """Ends the lock of a staff number that was enrolled again."""
    for each in rows.find(OF_A_KIND, "number locked"):
        if each.waits and each.detail["staff"] == event.fields["staff"]:
            rows.mark(ALERTS, each).ended_at = event.at


def _missing(event: Event, rows: Rows) -> None:
    """Raises `record restored`, in place of an earlier one that knew less; or that of a line."""
    if not event.fields.get("line_id"):
        _end(event, rows, RESTORED)
    _raised(event, rows)


def _restored(event: Event, rows: Rows) -> None:
    """Ends what two people decided about, and the faults that were the same."""
    _end(event, rows, RESTORED)
    _end(event, rows, FAILED, *OF_A_RESTORE)


def _end(event: Event, rows: Rows, kind: str, *faults: str) -> None:
    """Ends the open alerts of a kind; `faults`: only those of these."""
    for each in rows.find(OF_A_KIND, kind):
        if each.waits and (not faults or each.detail["fault"] in faults):
            rows.mark(ALERTS, each).ended_at = event.at


def _acknowledged(event: Event, rows: Rows) -> None:
    """Marks an alert as acknowledged; a passing one gets its row only now.

    Exceptions keep their acknowledgement in their own table.
    """
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
            rank=RANKS[fields["kind"]],
        )
        passing.acknowledge(event)
        rows.put(ALERTS, passing)
    elif row := rows.change(ALERTS, position, fields["kind"]):
        row.acknowledge(event)


def _how_long(event: Event) -> dict[str, int]:
    """The minutes without a coup when `no coup` was acknowledged; nothing for other kinds."""
    if event.fields["kind"] != NO_COUP:
        return {}
    since = datetime.fromisoformat(event.fields["since"])
    return {"minutes": (event.at - since) // timedelta(minutes=1)}


# Events that end alerts of a patron's day.
_OF_A_DAY = (
    *(cash_day.ReportingAmountPassed.TOPIC, cash_day.CashChanged.TOPIC),
    *(cash_day.ReportFiled.TOPIC, cash_day.ReportTakenBack.TOPIC, cash_day.ReportToAmend.TOPIC),
    patron.PlayedUncarded.TOPIC,
)
_CHANGES: dict[str, Change] = {
    **dict.fromkeys(RAISED, _raised),
    patron.PlayedUncarded.TOPIC: _uncarded,
    cash_day.ReportFiled.TOPIC: filed,
    cash_day.ReportTakenBack.TOPIC: taken_back,
    cash_day.ReportToAmend.TOPIC: _to_amend,
    cash_day.CashCounted.TOPIC: remember_place,
    cash_day.CashChanged.TOPIC: changed,
    cash_day.ReportingAmountPassed.TOPIC: _over,
    property_events.EventsMissing.TOPIC: _missing,
    property_events.RecordRestored.TOPIC: _restored,
    staff_member.CodeIssued.TOPIC: _unlocked,
    alert.Acknowledged.TOPIC: _acknowledged,
}
PROJECTION = Projection(name="alerts", schema=TABLES, changes=_CHANGES, loads=_loads, version=2)

REPORT = Report(
    name="alerts",
    title="Alerts",
    about="what needs a person, and who acknowledged it",
    read_by=OF_THE_PIT,
    projections=("alerts", "exceptions", "patrons", "tables_now", "trays_now", "disputes"),
    columns=(
        *("at", "table", "coup", "kind", "alert", "detail"),
        *("acknowledged_by", "acknowledged_at", "text", "rank"),
    ),
    sql=f"""
{SHOWN}
  FROM {RECORDED}
 WHERE {narrowed(shoe="shoe", at=["at"])}
   AND {LEARNT}
 ORDER BY position, kind
""",
    money=(),
    narrowings=("table", "day", "shoe", "span"),
    shown=("alert", "at", "table", "detail"),
    days_independent=False,  # a command may have events of two days
    words={
        "alert": ("alert", "what kind it is; with its number it is acknowledged"),
    },
)
