"""Commands entered late, or with a wrong clock: one row each, however many events they have.

Commands that somebody enters late one after the other at a table are one row together, a stretch
of late entry.
"""

from collections.abc import Callable
from datetime import datetime, timedelta
from typing import Any

from domain.rules.inquiries import is_secret
from projections.attention.exception_kinds import LATE_ENTRY
from projections.attention.exception_rows import (
    EXCEPTIONS,
    OF_ONE_COMMAND,
    UNFINISHED,
    WITH_LAST_COMMAND,
    Noted,
    as_answered,
    finish,
    row_of,
)
from projections.model import Event
from projections.rows import Rows

LONGEST_PAUSE = timedelta(minutes=10)  # between two commands of a stretch of late entry


def who_enters(table: str, event: Event) -> str:
    """Who enters it, and at which table."""
    return f"{table} {event.actor}"


def entered_late(event: Event, rows: Rows) -> None:
    """Records a late command, or adds it to the stretch that its person enters at the table.

    A stretch ends with a pause of ten minutes, a command in time, one from another channel, or when
    it is acknowledged. A command that begins with an event of no table is a row of its own.
    """
    if _is_secret(event):
        return
    row = row_of(event, LATE_ENTRY, _late_detail(event))
    for each in rows.find(WITH_LAST_COMMAND, event.command_id):
        _lengthen(rows.mark(EXCEPTIONS, each), row, event)
        return
    where = who_enters(row.table_code, event) if row.table_code else None
    for each in rows.find(UNFINISHED, where) if where else ():
        if _goes_on(each, row, event):
            rows.drop(EXCEPTIONS, each)
            each.last_command = event.command_id
            each.detail["commands"] += 1
            _lengthen(each, row, event)
            rows.put(EXCEPTIONS, each)
            return
        finish(each, rows)
    row.unfinished, row.last_command = where, event.command_id
    rows.put(EXCEPTIONS, row)


def _late_detail(event: Event) -> dict[str, Any]:
    """What is known of a stretch of late entry after its first event; moments are ISO texts."""
    recorded, happened = event.recorded_at.isoformat(), event.at.isoformat()
    return {
        "recorded_at": recorded,
        "recorded_until": recorded,
        "from": happened,
        "to": happened,
        "channel": event.metadata.get("mouth", ""),
        "commands": 1,
        "first_position": event.position,
        "last_position": event.position,
        **_device(event),
        "facts": [as_answered(event)],
    }


def _goes_on(stretch: Noted, row: Noted, event: Event) -> bool:
    """Whether another late command belongs to the stretch."""
    pause = event.recorded_at - datetime.fromisoformat(stretch.detail["recorded_until"])
    same = stretch.detail["channel"] == row.detail["channel"]
    return same and pause < LONGEST_PAUSE and stretch.acknowledged_at is None


def _lengthen(stretch: Noted, row: Noted, event: Event) -> None:
    """Adds an event to a stretch; only the events of its first command are kept whole."""
    detail = stretch.detail
    if stretch.command_id == event.command_id:
        _fill_in(stretch, row)
        detail["facts"] += row.detail["facts"]
    elif row.patron not in (None, stretch.patron):
        stretch.patron = None
    detail["recorded_until"] = row.detail["recorded_until"]
    detail["from"] = min(detail["from"], row.detail["from"], key=datetime.fromisoformat)
    detail["to"] = max(detail["to"], row.detail["to"], key=datetime.fromisoformat)
    detail["last_position"] = event.position
    stretch.by = ", ".join(dict.fromkeys((*stretch.by.split(", "), *row.by.split(", "))))
    stretch.rank = min(stretch.rank, row.rank)


def in_time(event: Event, rows: Rows) -> None:
    """Ends a stretch of late entry with a command of its person that is not late."""
    if "late" not in event.metadata:
        for each in rows.find(UNFINISHED, who_enters(event.table, event)):
            finish(each, rows)


def _is_secret(event: Event) -> bool:
    """Whether those who read exceptions may not learn of the event."""
    return is_secret(event.topic, event.fields.get("kind", ""))


def _device(event: Event) -> dict[str, Any]:
    return {name: event.metadata[name] for name in ("device",) if name in event.metadata}


def _fill_in(first: Noted, row: Noted) -> None:
    """Adds what the first event of a command did not name."""
    if not first.table_code:
        first.table_code, first.gaming_day = row.table_code, row.gaming_day
    first.shoe = row.shoe if first.shoe is None else first.shoe
    first.coup = row.coup if first.coup is None else first.coup
    first.patron = row.patron if first.patron is None else first.patron


def entered(kind: str, details: Callable[[Event], dict[str, Any]]) -> Callable[[Event, Rows], None]:
    """Returns a change that records a wrongly timed command under its first event.

    Later events of the command add what the first did not name.
    """

    def change(event: Event, rows: Rows) -> None:
        if _is_secret(event):
            return
        facts = [as_answered(event)]
        row = row_of(event, kind, {**details(event), **_device(event), "facts": facts})
        known = [each for each in rows.find(OF_ONE_COMMAND, event.command_id) if each.kind == kind]
        if not known:
            rows.put(EXCEPTIONS, row)
            return
        [first] = known
        _fill_in(rows.mark(EXCEPTIONS, first), row)
        first.detail["facts"] += row.detail["facts"]

    return change


def clock(event: Event, mark: str) -> dict[str, Any]:
    """How many seconds the clock is wrong, and which machine's clock it is."""
    machine = {name: event.metadata[name] for name in ("machine",) if name in event.metadata}
    return {"seconds": event.metadata[mark], **machine}
