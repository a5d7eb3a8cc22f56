"""Exceptions: what somebody should look at, one row each.

`exception_kinds.py` has which events are one, `exception_rows.py` the table, `late_entry.py` and
`exceptions_left_open.py` the two kinds that later events change.
"""

from collections.abc import Iterable, Iterator, Mapping
from typing import Any

from domain.events import (
    alert,
    commission_account,
    events_of,
    game_account,
    open_money,
    table_counts,
)
from domain.events import shoe as shoe_events
from domain.rules.permissions import OF_THE_PIT
from projections.attention.exception_kinds import (
    AT_A_COUP,
    ELSEWHERE,
    LATE_ENTRY,
    MADE_AGAIN,
    coup_of,
    kind_of,
    made_again,
)
from projections.attention.exception_rows import (
    AT_ONE_COUP,
    EXCEPTIONS,
    OF_ONE_COMMAND,
    TABLES,
    UNFINISHED,
    WITH_LAST_COMMAND,
    as_answered,
    finish,
    position_of_alert,
    row_of,
    table_of,
)
from projections.attention.exceptions_left_open import (
    SETTLES,
    TAKES_OFF,
    account_of,
    bets_of,
    bets_settled,
    left_open,
    owes,
    stay_of,
    taken_off,
)
from projections.attention.late_entry import clock, entered, entered_late, in_time, who_enters
from projections.commission.owed import OWES
from projections.model import Change, Event, Projection, Report, View, narrowed
from projections.people.patrons import ASKED, IDENTITY, KNOWN
from projections.proofs import PEOPLE_IN
from projections.ranks import SLIP
from projections.rows import Page, Rows, Value

# The shoe goes on after these; a refused card was not one of its cards, if nothing else is known.
_GOES_ON = (shoe_events.CoupBegun.TOPIC, shoe_events.Ended.TOPIC)


def _loads(event: Event) -> Iterator[tuple[Page[Any], Value]]:
    if event.topic in MADE_AGAIN:
        yield AT_ONE_COUP, (coup_of(event), kind_of(event))
    if event.topic == alert.Acknowledged.TOPIC:
        yield EXCEPTIONS.by_key, _acknowledged_alert(event)
    if any(mark in event.metadata for mark in PROJECTION.marks):
        yield OF_ONE_COMMAND, (event.command_id,)
        yield WITH_LAST_COMMAND, (event.command_id,)
    if event.topic in TAKES_OFF:
        yield UNFINISHED, (account_of(event),)
    if event.topic in SETTLES:
        yield UNFINISHED, (bets_of(event),)
    if event.topic in OWES or event.topic == commission_account.CommissionLeftOpen.TOPIC:
        yield UNFINISHED, (event.fields["stay"],)
    if event.topic in (*_GOES_ON, shoe_events.CardMisdrawn.TOPIC):
        yield UNFINISHED, (event.fields["shoe"],)
    if table := table_of(event):
        yield UNFINISHED, (who_enters(table, event),)


def _noted(event: Event, rows: Rows) -> None:
    rows.put(EXCEPTIONS, row_of(event, kind_of(event), as_answered(event)))


def _slipped(event: Event, rows: Rows) -> None:
    """Notes a refusal, or counts it with the same one of the same person at the same coup."""
    row = row_of(event, kind_of(event), as_answered(event))
    for each in rows.find(AT_ONE_COUP, row.coup, row.kind) if row.coup else ():
        open_yet = each.by == row.by and each.acknowledged_at is None
        if open_yet and made_again(each.detail, row.detail):
            rows.mark(EXCEPTIONS, each)
            return
    if event.topic == shoe_events.UndueCardRefused.TOPIC:
        row.unfinished = event.fields["shoe"]  # whether it was a slip is seen when the shoe goes on
    rows.put(EXCEPTIONS, row)


def _tray_counted(event: Event, rows: Rows) -> None:
    same = event.fields.get("variance_before") == event.fields["variance"]
    if event.fields["level"] != "none" and not same:
        _noted(event, rows)


def _boxes_counted(event: Event, rows: Rows) -> None:
    """Records boxes that hold more or less than the table's record, or than the drop entered."""
    fields = event.fields
    if fields["difference"] or fields["drop_before"] not in (None, fields["total"]):
        _noted(event, rows)


def _reconciled(event: Event, rows: Rows) -> None:
    if event.fields["difference"] or event.fields["over"]:
        _noted(event, rows)


def _counted(event: Event, rows: Rows) -> None:
    """Notes a drop that two people counted again; a first count has no reason."""
    if event.fields["reason"]:
        _noted(event, rows)


def _was_there(event: Event, rows: Rows) -> None:
    """Notes a misdrawn or discarded card: it was there, so that refusing it was no slip."""
    _noted(event, rows)
    for each in rows.find(UNFINISHED, event.fields["shoe"]):
        if each.detail["card"] == event.fields["card"]:
            finish(each, rows)


def _gone_on(event: Event, rows: Rows) -> None:
    """Makes slips of the keys of the refused cards that were not in the shoe."""
    for each in rows.find(UNFINISHED, event.fields["shoe"]):
        finish(each, rows).rank = SLIP


def kinds_of(event: Event) -> Iterator[str]:
    """Every kind of exception that the event is, by itself or by how its command came."""
    rows = Rows()
    if event.topic in AT_A_COUP or event.topic in ELSEWHERE:
        PROJECTION.changes[event.topic](event, rows)
    for mark, change in PROJECTION.marks.items():
        if mark in event.metadata:
            change(event, rows)
    noted = (changed for changed in rows.changed() if changed.table is EXCEPTIONS)
    yield from (row.kind for changed in noted for row in changed.new)


def _acknowledged(event: Event, rows: Rows) -> None:
    """Marks an exception as acknowledged; other alerts have no row here."""
    if row := rows.change(EXCEPTIONS, *_acknowledged_alert(event)):
        row.acknowledge(event)


def _acknowledged_alert(event: Event) -> tuple[int, str]:
    return position_of_alert(event), event.fields["kind"]


def begins_late_entry(events: Iterable[Event]) -> bool:
    """Whether the last of these events begins a row of late entry.

    They are the events of `LONGEST_PAUSE` up to it, as far as the projection reads them.
    """
    rows, last = Rows(), 0
    for event in events:
        for change in _changes_of(event):
            change(event, rows)
        last = event.position
    return rows.get(EXCEPTIONS, last, LATE_ENTRY) is not None


def _changes_of(event: Event) -> Iterator[Change]:
    if event.topic in PROJECTION.changes:
        yield PROJECTION.changes[event.topic]
    yield from (change for mark, change in PROJECTION.marks.items() if mark in event.metadata)


def _ending_stretches(changes: Mapping[str, Change]) -> Mapping[str, Change]:
    """The changes, with one for each event at a table, which may end a stretch of late entry."""
    ends = dict.fromkeys(_at_a_table(), in_time)
    own = {topic: _first_ending(each) if topic in ends else each for topic, each in changes.items()}
    return {**ends, **own}


def _first_ending(change: Change) -> Change:
    return _both(in_time, change)


def _both(first: Change, then: Change) -> Change:
    def both(event: Event, rows: Rows) -> None:
        first(event, rows)
        then(event, rows)

    return both


def _at_a_table() -> Iterator[str]:
    """The topics of the streams of a table."""
    for stream in ("table", "table-day", "shoe", "coup", "commission-account", "open-money"):
        yield from events_of(stream)


_VIEWS = (
    View(
        name="exceptions",
        what="What somebody should look at. One row an exception.",
        sql="""
SELECT noted.position, noted.kind, noted.at, noted.table_code, noted.gaming_day, noted.shoe,
       noted.coup, coalesce(known.patron, noted.patron) AS patron,
       noted.patron AS patron_at_table, noted."by" AS done_by, noted.detail, noted.command_id,
       noted.rank
  FROM projections.exceptions AS noted
  LEFT JOIN projections.patron_identities AS known ON known.alias = noted.patron
""",
        columns={
            "position": "Its position in the ledger.",
            "kind": "What it is: late bet, undue card, coup voided, …",
            "at": "When it happened.",
            "table_code": "The table; empty for the house's own.",
            "gaming_day": "The gaming day.",
            "shoe": "The shoe; null for none.",
            "coup": "The coup; null for none.",
            "patron": "The patron, under the name known today; null for none.",
            "patron_at_table": "The name used at the table.",
            "done_by": "The staff numbers of the person who did it and of the second person.",
            "detail": "The fields of the event; amounts are minor units.",
            "command_id": "The command that recorded it.",
            "rank": "1: rings; 2: somebody has to decide; 3: a slip of the keys.",
        },
    ),
)

PROJECTION = Projection(
    name="exceptions",
    schema=TABLES,
    views=_VIEWS,
    changes=_ending_stretches(
        {
            **dict.fromkeys((*AT_A_COUP, *ELSEWHERE), _noted),
            table_counts.TableClosed.TOPIC: _tray_counted,
            table_counts.ShiftCounted.TOPIC: _tray_counted,
            table_counts.ShiftVarianceChanged.TOPIC: _tray_counted,
            table_counts.VarianceChanged.TOPIC: _tray_counted,
            table_counts.BoxesCounted.TOPIC: _boxes_counted,
            table_counts.DropCounted.TOPIC: _counted,
            shoe_events.Reconciled.TOPIC: _reconciled,
            **dict.fromkeys(MADE_AGAIN, _slipped),
            shoe_events.CardMisdrawn.TOPIC: _was_there,
            shoe_events.CardDiscarded.TOPIC: _was_there,
            **dict.fromkeys(_GOES_ON, _gone_on),
            alert.Acknowledged.TOPIC: _acknowledged,
            **dict.fromkeys(TAKES_OFF, taken_off),
            open_money.LeftOpenSettled.TOPIC: bets_settled,
            open_money.SettlementTakenBack.TOPIC: _both(_noted, bets_settled),
            open_money.BetLeftOpen.TOPIC: left_open(bets_of),
            game_account.LeftOnAccount.TOPIC: left_open(account_of),
            commission_account.CommissionLeftOpen.TOPIC: left_open(stay_of),
            **dict.fromkeys(OWES, owes),
            **{topic: _both(_noted, owes) for topic in OWES if topic in ELSEWHERE},
        }
    ),
    marks={
        "late": entered_late,
        "clock_behind": entered("clock behind", lambda event: clock(event, "clock_behind")),
        "clock_ahead": entered(
            "clock ahead", lambda event: clock(event, "clock_ahead") | {"which": "ahead"}
        ),
    },
    loads=_loads,
    version=3,
)

REPORT = Report(
    name="exceptions",
    title="Exceptions",
    about="what went against the rules, or was put right",
    read_by=OF_THE_PIT,
    projections=("exceptions", "patrons"),
    columns=(
        *("at", "table", "coup", "kind", "by", "detail"),
        *("acknowledged_by", "acknowledged_at", "rank"),
    ),
    sql=f"""
SELECT at, table_code AS "table", coup, kind, "by", detail,
       acknowledged_by, acknowledged_at, rank
  FROM exceptions AS noted {KNOWN.format("noted")}
 WHERE {narrowed(shoe="shoe", at=["at"], staff=PEOPLE_IN.format('"by"'))}
   AND {ASKED.format(IDENTITY.format("noted"))}
   AND (%(kind)s::text IS NULL OR kind = %(kind)s)
 ORDER BY position, kind
""",  # noqa: S608
    money=(),
    narrowings=("table", "day", "shoe", "patron", "staff", "kind", "span"),
    shown=("at", "coup", "kind", "by", "detail"),
    days_independent=False,  # a command may have events of two days
)
