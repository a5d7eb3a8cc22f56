"""Exceptions: what somebody should look at, one row each.

The same slip of the keys, made again by the same person at the same coup, is one row; its detail
has how many `times`. A command entered late or with a wrong clock is one row, however many events
it has. Commands that somebody enters late one after the other at a table are one row together, a
stretch of late entry.
"""

from collections.abc import Callable, Iterable, Iterator, Mapping
from datetime import date, datetime, timedelta
from typing import Any

from domain.events import (
    adjudication,
    alert,
    commission_account,
    coup_wagers,
    deck,
    events_of,
    game_account,
    open_money,
    patron,
    slip_book,
    table_counts,
    table_day,
    table_money,
    ticket,
)
from domain.events import coup as coup_events
from domain.events import shoe as shoe_events
from domain.rules.permissions import OF_THE_PIT
from projections.commission_owed import OWES, owes_more
from projections.model import Change, Event, Projection, Report, View, narrowed
from projections.patrons import ASKED, IDENTITY, KNOWN
from projections.proofs import proof_in, with_proof
from projections.ranks import RANKS, SLIP
from projections.rows import Page, Row, Rows, Table, Value

_TABLES = """
-- One row an exception: what somebody should look at.
CREATE TABLE exceptions (
    position          bigint NOT NULL,
    kind              text   NOT NULL,  -- late bet, undue card, coup voided, …
    at                timestamptz NOT NULL,
    table_code        text   NOT NULL,  -- '' for the house's own
    gaming_day        date   NOT NULL,
    shoe              text,
    coup              text,
    patron            text,             -- under the name that they had at the table
    "by"              text   NOT NULL,  -- who did it, and the second person
    detail            jsonb  NOT NULL,  -- the fields of the event
    command_id        text   NOT NULL,
    acknowledged_by   text,
    acknowledged_at   timestamptz,
    acknowledged_text text,
    rank              int    NOT NULL,  -- 1 rings, 2 asks for a decision, 3 was a slip of the keys
    unfinished        text,             -- what may change it yet: a shoe, a stay, a person
    last_command      text,             -- of a stretch of late entry
    PRIMARY KEY (position, kind)
);
CREATE INDEX exceptions_by_day ON exceptions (gaming_day);
CREATE INDEX exceptions_by_table ON exceptions (table_code, gaming_day);
-- A command with several events is late once.
CREATE UNIQUE INDEX exceptions_of_a_command ON exceptions (command_id, kind)
    WHERE kind IN ('late entry', 'clock behind', 'clock ahead');
CREATE INDEX exceptions_by_command ON exceptions (command_id);
CREATE INDEX exceptions_by_coup ON exceptions (coup, kind) WHERE coup IS NOT NULL;
CREATE INDEX exceptions_open ON exceptions (position) WHERE acknowledged_at IS NULL;
CREATE INDEX exceptions_unfinished ON exceptions (unfinished) WHERE unfinished IS NOT NULL;
CREATE INDEX exceptions_by_last_command ON exceptions (last_command)
    WHERE last_command IS NOT NULL;
"""

LEFT_ON_ACCOUNT = "money left on account"
COUNTED_AGAIN, OPENER_DIFFERS = "counted again", "opener differs"
ACCOUNT_SHORT = "account short"
LEFT_OPEN, BET_LEFT_OPEN = "commission left open", "bet left open"
# The kind of exception that an event is. Those of a coup are in the coup's row as well.
AT_A_COUP = {
    coup_wagers.LateBetRefused.TOPIC: "late bet",
    coup_wagers.WagerFound.TOPIC: "wager found late",
    coup_wagers.LimitFoundBroken.TOPIC: "over or under limit",
    coup_wagers.WagerReduced.TOPIC: "wager reduced",
    shoe_events.UndueCardRefused.TOPIC: "undue card",
    shoe_events.CardMisdrawn.TOPIC: "undue card",
    shoe_events.CardDiscarded.TOPIC: "exposed or foreign card",
    coup_events.CardMoved.TOPIC: "card moved",
    shoe_events.CutCardPassed.TOPIC: "cut card passed",
    coup_wagers.PaymentDisagreed.TOPIC: "payment disagrees",
    coup_wagers.PaymentCorrected.TOPIC: "payment corrected",
    coup_wagers.StakeCorrected.TOPIC: "stake corrected",
    coup_events.CardCorrected.TOPIC: "card corrected",
    coup_wagers.WagerMoved.TOPIC: "wager moved",
    coup_events.Voided.TOPIC: "coup voided",
    game_account.FoundShort.TOPIC: ACCOUNT_SHORT,
    commission_account.CommissionLeftOpen.TOPIC: LEFT_OPEN,
    open_money.BetLeftOpen.TOPIC: BET_LEFT_OPEN,
    adjudication.Disagreed.TOPIC: "disagreement on re-adjudication",
}
ELSEWHERE = {
    commission_account.CommissionWaived.TOPIC: "commission walked or waived",
    commission_account.CommissionWalked.TOPIC: "commission walked or waived",
    slip_book.SlipReuseRefused.TOPIC: "slip or serial reused",
    deck.ReuseRefused.TOPIC: "slip or serial reused",
    shoe_events.OrderUntold.TOPIC: "order untold",
    table_counts.TableClosed.TOPIC: "closer variance",
    table_counts.VarianceChanged.TOPIC: "closer variance",
    table_counts.CloserRecounted.TOPIC: COUNTED_AGAIN,
    table_counts.DropCounted.TOPIC: COUNTED_AGAIN,
    table_day.Reopened.TOPIC: "table reopened",
    table_counts.OpenerDiffered.TOPIC: OPENER_DIFFERS,
    ticket.TicketRefused.TOPIC: "ticket refused",
    table_money.EarlierCoupPutRight.TOPIC: "earlier coup put right",
    table_money.TrayExceeded.TOPIC: "tray exceeded",
    game_account.LeftOnAccount.TOPIC: LEFT_ON_ACCOUNT,
    table_money.CashCorrected.TOPIC: "money corrected",
    table_money.ChipsCorrected.TOPIC: "money corrected",
    commission_account.CollectionCorrected.TOPIC: "money corrected",
    open_money.SettlementTakenBack.TOPIC: "money corrected",
    patron.Separated.TOPIC: "alias separated",
    patron.ToldApart.TOPIC: "names told apart",
    table_counts.ShiftCounted.TOPIC: "shift variance",
    table_counts.ShiftVarianceChanged.TOPIC: "shift variance",
    table_counts.BoxesCounted.TOPIC: "box difference",
    shoe_events.Reconciled.TOPIC: "shoe not reconciled",
    shoe_events.Recounted.TOPIC: COUNTED_AGAIN,
}
# What the same person may do twice by the same slip of the keys: one row, with how many times.
MADE_AGAIN = (
    coup_wagers.LateBetRefused.TOPIC,
    shoe_events.UndueCardRefused.TOPIC,
    coup_wagers.PaymentDisagreed.TOPIC,
)
# Kinds that apply to a whole command; the row has the position of its first event.
LATE_ENTRY = "late entry"
LONGEST_PAUSE = timedelta(minutes=10)  # between two commands of a stretch of late entry
OF_A_COMMAND = (LATE_ENTRY, "clock behind", "clock ahead")
# A late command with no other events only mends bets.
_MENDS_BETS = {
    coup_wagers.WagerPlaced.TOPIC,
    coup_wagers.WagerWithdrawn.TOPIC,
    coup_wagers.WagerFound.TOPIC,
    coup_wagers.StakeCorrected.TOPIC,
    coup_wagers.WagerReduced.TOPIC,
}
# What may take money off the game account of a patron who has left.
_TAKES_OFF = (
    *(game_account.PaidOut.TOPIC, game_account.HandPaid.TOPIC),
    *(game_account.PaymentFollowed.TOPIC, game_account.CashPutRight.TOPIC),
    game_account.SettledAtCage.TOPIC,
)
# What may change the bets that are open with somebody who has left.
_SETTLES = (
    *(open_money.BetLeftOpen.TOPIC, open_money.LeftOpenSettled.TOPIC),
    open_money.SettlementTakenBack.TOPIC,
)
# The shoe goes on after these; a refused card was not one of its cards, if nothing else is known.
_GOES_ON = (shoe_events.CoupBegun.TOPIC, shoe_events.Ended.TOPIC)


class Acknowledged(Row):
    """A row that somebody may acknowledge."""

    acknowledged_by: str | None = None
    acknowledged_at: datetime | None = None
    acknowledged_text: str | None = None

    def acknowledge(self, event: Event) -> None:
        """Records who acknowledged the row, when and with which words."""
        self.acknowledged_by = acknowledged_by(event) or None
        self.acknowledged_at = event.at
        self.acknowledged_text = event.fields["text"] or None


class Noted(Acknowledged):
    """An exception: what somebody should look at."""

    position: int
    kind: str
    at: datetime
    table_code: str
    gaming_day: date
    shoe: str | None
    coup: str | None
    patron: str | None
    by: str
    detail: dict[str, Any]
    command_id: str
    rank: int
    unfinished: str | None = None
    last_command: str | None = None


EXCEPTIONS = Table("exceptions", Noted, "position", "kind")
OF_ONE_COMMAND = EXCEPTIONS.page("command_id")
AT_ONE_COUP = EXCEPTIONS.page("coup", "kind")
UNFINISHED = EXCEPTIONS.page("unfinished")
WITH_LAST_COMMAND = EXCEPTIONS.page("last_command")


def _loads(event: Event) -> Iterator[tuple[Page[Any], Value]]:
    if event.topic in MADE_AGAIN:
        yield AT_ONE_COUP, (coup_of(event), kind_of(event))
    if event.topic == alert.Acknowledged.TOPIC:
        yield EXCEPTIONS.by_key, _acknowledged_alert(event)
    if any(mark in event.metadata for mark in PROJECTION.marks):
        yield OF_ONE_COMMAND, (event.command_id,)
        yield WITH_LAST_COMMAND, (event.command_id,)
    if event.topic in _TAKES_OFF:
        yield UNFINISHED, (_account(event),)
    if event.topic in _SETTLES:
        yield UNFINISHED, (_bets(event),)
    if event.topic in OWES or event.topic == commission_account.CommissionLeftOpen.TOPIC:
        yield UNFINISHED, (event.fields["stay"],)
    if event.topic in (*_GOES_ON, shoe_events.CardMisdrawn.TOPIC):
        yield UNFINISHED, (event.fields["shoe"],)
    if table := _table_of(event):
        yield UNFINISHED, (_who_enters(table, event),)


def kind_of(event: Event) -> str:
    """The kind of exception that the event is."""
    fields = event.fields
    if fields.get("refusal") == "DifferentialExceeded":
        return "differential"
    if another_stake(event):
        return AT_A_COUP[coup_wagers.StakeCorrected.TOPIC]
    if event.topic == table_counts.CloserRecounted.TOPIC and fields["level"] != "none":
        return ELSEWHERE[table_counts.TableClosed.TOPIC]
    if event.topic == shoe_events.Recounted.TOPIC and (fields["difference"] or fields["over"]):
        return ELSEWHERE[shoe_events.Reconciled.TOPIC]
    return AT_A_COUP.get(event.topic) or ELSEWHERE[event.topic]


def another_stake(event: Event) -> bool:
    """Whether the event puts right how much lay there, paid already or not."""
    fields = event.fields
    return "stake_before" in fields and bool(fields["stake"] != fields["stake_before"])


def coup_of(event: Event) -> str | None:
    """The event's coup, or None; a shoe counts its coups, from 0 before the first."""
    coup = event.fields.get("coup")
    return f"{event.fields['shoe']}/{coup}" if coup and "/" not in str(coup) else coup or None


def _noted(event: Event, rows: Rows) -> None:
    rows.put(EXCEPTIONS, _row(event, kind_of(event), _as_answered(event)))


def made_again(before: dict[str, Any], now: dict[str, Any]) -> bool:
    """Whether a slip of the keys is one that was made before; counts it there if it is."""
    apart = ("times", "at")
    same = {name: value for name, value in before.items() if name not in apart}
    if same != {name: value for name, value in now.items() if name not in apart}:
        return False
    before["times"] = before.get("times", 1) + 1
    return True


def _slipped(event: Event, rows: Rows) -> None:
    """Notes a refusal, or counts it with the same one of the same person at the same coup."""
    row = _row(event, kind_of(event), _as_answered(event))
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


def _misdrawn(event: Event, rows: Rows) -> None:
    """Notes a misdrawn card: it was in the shoe, so that refusing it was no slip of the keys."""
    _noted(event, rows)
    for each in rows.find(UNFINISHED, event.fields["shoe"]):
        if each.detail["card"] == event.fields["card"]:
            _finish(each, rows)


def _gone_on(event: Event, rows: Rows) -> None:
    """Makes slips of the keys of the refused cards that were not in the shoe."""
    for each in rows.find(UNFINISHED, event.fields["shoe"]):
        _finish(each, rows).rank = SLIP


def _left_open(which: Callable[[Event], str]) -> Change:
    """A change that notes what is left open; a stay has one row of each kind while it is."""

    def change(event: Event, rows: Rows) -> None:
        open_yet = rows.find(UNFINISHED, which(event))
        for each in open_yet:
            _settle(each, event.fields["balance"], event, rows)
        if not open_yet and event.fields["balance"]:
            row = _row(event, kind_of(event), _as_answered(event))
            row.unfinished = which(event)
            rows.put(EXCEPTIONS, row)

    return change


def _stay(event: Event) -> str:
    return str(event.fields["stay"])


def _bets(event: Event) -> str:
    """The bets of the event's stay, apart from its commission."""
    return f"{event.fields['stay']} bets"


def _bets_settled(event: Event, rows: Rows) -> None:
    for each in rows.find(UNFINISHED, _bets(event)):
        _settle(each, event.fields["balance"], event, rows)


def _account(event: Event) -> str:
    """The game account of the event's stay, apart from its commission."""
    return f"{event.fields['stay']} account"


def _owes(event: Event, rows: Rows) -> None:
    """Changes what is left open with a stay; whoever settles the last of it acknowledges it."""
    for each in rows.find(UNFINISHED, event.fields["stay"]):
        _settle(each, each.detail["balance"] + owes_more(event), event, rows)


def _taken_off(event: Event, rows: Rows) -> None:
    """Changes what is left on a game account."""
    for each in rows.find(UNFINISHED, _account(event)):
        _settle(each, event.fields["balance"], event, rows)


def _settle(row: Noted, balance: int, event: Event, rows: Rows) -> None:
    rows.mark(EXCEPTIONS, row).detail["balance"] = balance
    if balance == 0:
        settled = _finish(row, rows)
        settled.acknowledged_by = settled.acknowledged_by or event.actor or None
        settled.acknowledged_at = settled.acknowledged_at or event.at


def _finish(row: Noted, rows: Rows) -> Noted:
    """The row, which nothing that follows changes any more."""
    rows.drop(EXCEPTIONS, row)
    row.unfinished = None
    rows.put(EXCEPTIONS, row)
    return row


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


def position_of_alert(event: Event) -> int:
    """The ledger position of the event that the acknowledged alert is about."""
    return int(event.fields["alert"].rpartition("/")[2])


def acknowledged_by(event: Event) -> str:
    """Who acknowledged the alert, and the second person with how their signature is known."""
    second = event.metadata.get("with", "")
    people = event.fields["by"], with_proof(second, proof_in(event, second))
    return ", ".join(filter(None, people))


# Late entry.
def _table_of(event: Event) -> str:
    """The event's table; one of the house has it in its table day or its shoe, or nowhere: ''."""
    return _table_day_of(event, event.fields.get("shoe"))[0]


def _who_enters(table: str, event: Event) -> str:
    """Who enters it, and at which table."""
    return f"{table} {event.actor}"


def _entered_late(event: Event, rows: Rows) -> None:
    """Records a late command, or adds it to the stretch that its person enters at the table.

    A stretch ends with a pause of ten minutes, a command in time, one from another channel, or when
    it is acknowledged. A command that begins with an event of no table is a row of its own.
    """
    row = _row(event, LATE_ENTRY, _late_detail(event))
    for each in rows.find(WITH_LAST_COMMAND, event.command_id):
        _lengthen(rows.mark(EXCEPTIONS, each), row, event)
        return
    where = _who_enters(row.table_code, event) if row.table_code else None
    for each in rows.find(UNFINISHED, where) if where else ():
        if _goes_on(each, row, event):
            rows.drop(EXCEPTIONS, each)
            each.last_command = event.command_id
            each.detail["commands"] += 1
            _lengthen(each, row, event)
            rows.put(EXCEPTIONS, each)
            return
        _finish(each, rows)
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
        "facts": [_as_answered(event)],
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


def _in_time(event: Event, rows: Rows) -> None:
    """Ends a stretch of late entry with a command of its person that is not late."""
    if "late" not in event.metadata:
        for each in rows.find(UNFINISHED, _who_enters(event.table, event)):
            _finish(each, rows)


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


def _device(event: Event) -> dict[str, Any]:
    return {name: event.metadata[name] for name in ("device",) if name in event.metadata}


def _fill_in(first: Noted, row: Noted) -> None:
    """Adds what the first event of a command did not name."""
    if not first.table_code:
        first.table_code, first.gaming_day = row.table_code, row.gaming_day
    first.shoe = row.shoe if first.shoe is None else first.shoe
    first.coup = row.coup if first.coup is None else first.coup
    first.patron = row.patron if first.patron is None else first.patron


def _entered(
    kind: str, details: Callable[[Event], dict[str, Any]]
) -> Callable[[Event, Rows], None]:
    """Returns a change that records a wrongly timed command under its first event.

    Later events of the command add what the first did not name.
    """

    def change(event: Event, rows: Rows) -> None:
        facts = [_as_answered(event)]
        row = _row(event, kind, {**details(event), **_device(event), "facts": facts})
        known = [each for each in rows.find(OF_ONE_COMMAND, event.command_id) if each.kind == kind]
        if not known:
            rows.put(EXCEPTIONS, row)
            return
        [first] = known
        _fill_in(rows.mark(EXCEPTIONS, first), row)
        first.detail["facts"] += row.detail["facts"]

    return change


def _clock(event: Event, mark: str) -> dict[str, Any]:
    """How many seconds the clock is wrong, and which machine's clock it is."""
    machine = {name: event.metadata[name] for name in ("machine",) if name in event.metadata}
    return {"seconds": event.metadata[mark], **machine}


def _as_answered(event: Event) -> dict[str, Any]:
    """The event as it is in the answer of its command."""
    return {"type": event.name, **event.fields}


def _row(event: Event, kind: str, detail: dict[str, Any]) -> Noted:
    second = event.metadata.get("with", "")
    people = event.actor, with_proof(second, proof_in(event, second))
    coup = coup_of(event)
    shoe = event.fields.get("shoe") or (coup.rpartition("/")[0] if coup else None)
    table, day = _table_day_of(event, shoe)
    return Noted(
        position=event.position,
        kind=kind,
        at=event.at,
        table_code=table,
        gaming_day=day,
        shoe=shoe,
        coup=coup,
        patron=event.fields.get("patron"),
        by=", ".join(filter(None, people)),
        detail=detail,
        command_id=event.command_id,
        rank=SLIP if kind == LATE_ENTRY and event.topic in _MENDS_BETS else RANKS[kind],
    )


def _table_day_of(event: Event, shoe: str | None) -> tuple[str, date]:
    """The table and day; an event of the house has them in its table day or its shoe."""
    if event.table:
        return event.table, event.gaming_day
    table, _, rest = (event.fields.get("table_day") or shoe or "").partition("/")
    day = rest.partition("/")[0]
    return table, date.fromisoformat(day) if day else event.gaming_day


def _ending_stretches(changes: Mapping[str, Change]) -> Mapping[str, Change]:
    """The changes, with one for each event at a table, which may end a stretch of late entry."""
    ends = dict.fromkeys(_at_a_table(), _in_time)
    own = {topic: _first_ending(each) if topic in ends else each for topic, each in changes.items()}
    return {**ends, **own}


def _first_ending(change: Change) -> Change:
    return _both(_in_time, change)


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
    schema=_TABLES,
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
            shoe_events.CardMisdrawn.TOPIC: _misdrawn,
            **dict.fromkeys(_GOES_ON, _gone_on),
            alert.Acknowledged.TOPIC: _acknowledged,
            **dict.fromkeys(_TAKES_OFF, _taken_off),
            open_money.LeftOpenSettled.TOPIC: _bets_settled,
            open_money.SettlementTakenBack.TOPIC: _both(_noted, _bets_settled),
            open_money.BetLeftOpen.TOPIC: _left_open(_bets),
            game_account.LeftOnAccount.TOPIC: _left_open(_account),
            commission_account.CommissionLeftOpen.TOPIC: _left_open(_stay),
            **dict.fromkeys(OWES, _owes),
            **{topic: _both(_noted, _owes) for topic in OWES if topic in ELSEWHERE},
        }
    ),
    marks={
        "late": _entered_late,
        "clock_behind": _entered("clock behind", lambda event: _clock(event, "clock_behind")),
        "clock_ahead": _entered(
            "clock ahead", lambda event: _clock(event, "clock_ahead") | {"which": "ahead"}
        ),
    },
    loads=_loads,
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
 WHERE {narrowed(shoe="shoe")}
   AND {ASKED.format(IDENTITY.format("noted"))}
 ORDER BY position, kind
""",  # noqa: S608
    money=(),
    narrowings=("table", "day", "shoe", "patron"),
    shown=("at", "coup", "kind", "by", "detail"),
    days_independent=False,  # a command may have events of two days
)
