"""Alerts: each is acknowledged once, after checking in the ledger that it still holds.

`projections.attention.alerts` defines the alerts, and which of them leave the board by themselves.
With a plus, as in `undue-card/48213+`, older alerts of the same kind at the same coup are
acknowledged too. Late bets and late withdrawals have one kind, but are acknowledged separately.
"""

from collections.abc import Callable, Iterator, Mapping
from datetime import datetime, timedelta
from functools import partial

from domain.aggregates.alert import Alert
from domain.aggregates.drop_box import DropBox
from domain.aggregates.property import PROPERTY_STREAM, Property
from domain.events import dispute, drop_box, shoe, table_day
from domain.rules import addresses
from domain.rules.permissions import BARRED_AT_SEAT, BOSSES
from domain.rules.refusals import BadValue, MissingField, NotFound, SecondPersonNeeded
from domain.rules.roles import one_of_roles
from domain.rules.wording import Amount, Moment, Words, counted
from ops.commands import alerts as commands
from ops.handlers.desk import Desk
from ops.handlers.handlers import handles
from ops.handlers.trays import tray_now
from ops.ledger.growth import has_happened, position_at
from ops.ledger.reading import Wanted, read_events
from ops.ledger.recorder import Ledger
from ops.reports.batch import event_of
from projections import Event
from projections.attention.alerts import (
    BY_ITSELF,
    BY_TWO,
    FAILED,
    LINE_MISSING,
    RECOVERED,
    RESTORED,
    TOO_FAST,
    TOO_SLOW,
    kinds_of,
)
from projections.attention.exception_kinds import LATE_ENTRY, OF_A_COMMAND, OPENER_DIFFERS, coup_of
from projections.attention.exceptions import PROJECTION as EXCEPTIONS
from projections.attention.exceptions import begins_late_entry
from projections.attention.late_entry import LONGEST_PAUSE
from projections.attention.passing import (
    BELOW_ZERO,
    BOX_NOT_COUNTED,
    COMMISSION_OWED,
    DISPUTE_DEADLINE,
    DISPUTE_OPEN,
    NO_COUP,
    OF_A_TRAY,
    PASSING,
)
from projections.game.tables_now import COUP_GOES_ON
from projections.money.trays_now import MOVES

_ACT_OF_TWO = {
    RECOVERED: Words("Acknowledging that an administrator was let in again"),
    FAILED: Words("Acknowledging that the record was changed"),
    LINE_MISSING: Words("Leaving an acknowledged line out of the record"),
}
AND_OLDER = "+"  # at the end of an alert's address
AT_ONCE = 10_000  # events; a whole gaming day has fewer of one kind


@handles(commands.AlertAcknowledge)
def acknowledge(desk: Desk, command: commands.AlertAcknowledge) -> None:
    """Acknowledges an alert, after checking in the ledger that it still holds.

    Refuses: MissingField, BadValue, NotFound, AlreadyAcknowledged, SecondPersonNeeded.
    """
    if not desk.casino.actor:
        raise MissingField(
            message=Words("Say who acknowledges the alert: give their staff number as `by`.")
        )
    if addresses.kind_of_alert(command.alert) in (TOO_SLOW, TOO_FAST):
        raise BadValue(
            message=Words(
                "Alert {alert} cannot be acknowledged. It leaves the board once the table keeps "
                "the pace that its rules want.",
                alert=command.alert,
            )
        )
    address = addresses.Alert.parse(command.alert.removesuffix(AND_OLDER))
    if address.kind in BY_ITSELF:
        raise BadValue(
            message=Words(
                "Alert {alert} cannot be acknowledged. It leaves the board once the reports have "
                "caught up.",
                alert=address,
            )
        )
    if address.kind == RESTORED:
        raise BadValue(
            message=Words(
                "Alert {alert} cannot be acknowledged. Two people decide about it: `audit "
                "restored`.",
                alert=address,
            )
        )
    cause = open_cause(desk, address)
    _require_explained(desk, command, address)
    acknowledge_one(desk, address, cause, command.text or "")
    if command.alert.endswith(AND_OLDER):
        _acknowledge_older(desk, address, cause, command.text or "")


def open_cause(desk: Desk, address: addresses.Alert) -> Event:
    """The event that raised an alert which holds still. Refuses: AlreadyAcknowledged, NotFound."""
    known = desk.casino.find(Alert, Alert.stream(address))
    if known:
        raise known.refuse_again()
    return _cause(desk, address)


def event_of_alert(desk: Desk, address: addresses.Alert) -> Event:
    """The event that raised an alert, also if it is acknowledged. Refuses: NotFound."""
    if desk.casino.find(Alert, Alert.stream(address)):
        event, _ = _event_at(desk.casino.ledger, address.position)
        if event is not None:
            return event
    return _cause(desk, address)


def _require_explained(
    desk: Desk, command: commands.AlertAcknowledge, address: addresses.Alert
) -> None:
    """Refuses without the second person or the words that its kind asks for.

    Raises SecondPersonNeeded, MissingField.
    """
    if address.kind in BY_TWO and not desk.second(command):
        raise SecondPersonNeeded(
            act=_ACT_OF_TWO[address.kind],
            who=one_of_roles(BOSSES),
        )
    if address.kind == LINE_MISSING and not command.text:
        raise MissingField(
            message=Words(
                "Say why the line is left out of the record, as `text`. To take it again: `audit "
                "again {alert}`.",
                alert=address,
            )
        )
    if address.kind == OPENER_DIFFERS and not command.text:
        raise MissingField(
            message=Words(
                "Say where the chips came from or went, as `text`: an opener that is not the "
                "last closer has to be explained."
            )
        )


def _acknowledge_older(desk: Desk, address: addresses.Alert, cause: Event, text: str) -> None:
    """Acknowledges the alerts of the same kind at the same coup. Refuses: BadValue."""
    if not with_older(address.kind, coup_of(cause)):
        raise BadValue(
            message=Words(
                "Alert {alert} is not about a coup, so there are no older ones. Omit the plus.",
                alert=address,
            )
        )
    for event in _older(desk.casino.ledger, address.kind, cause):
        older = addresses.Alert(address.kind, event.position)
        if not desk.casino.find(Alert, Alert.stream(older)):
            acknowledge_one(desk, older, event, text)


def with_older(kind: str, coup: str | None) -> bool:
    """Whether older alerts of this kind may be acknowledged with one."""
    return coup is not None and kind not in (*OF_A_COMMAND, *PASSING)


def acknowledge_one(desk: Desk, address: addresses.Alert, cause: Event, text: str) -> None:
    """Records that an alert is acknowledged."""
    casino = desk.casino
    casino.make(
        Alert.acknowledge(
            address,
            at=casino.moment,
            table=cause.table,
            day=cause.gaming_day,
            coup=coup_of(cause),
            since=cause.at,
            text=text,
            by=casino.actor,
        )
    )


def _older(ledger: Ledger, kind: str, cause: Event) -> Iterator[Event]:
    """Earlier events that raised the same kind of alert at the same coup, newest first."""
    day = cause.gaming_day
    wanted = Wanted((cause.topic,), days=(day, day))
    with ledger.connection() as connection:
        recorded = read_events(connection, 0, AT_ONCE, cause.position - 1, wanted)
    for each in reversed(recorded):
        event = event_of(each)
        alike = event.fields.get("act") == cause.fields.get("act")  # late bets, or late withdrawals
        if alike and coup_of(event) == coup_of(cause) and kind in kinds_of(event):
            yield event


def _cause(desk: Desk, address: addresses.Alert) -> Event:
    """The event that raised the alert, if it still holds. Refuses: NotFound."""
    event, first = _event_at(desk.casino.ledger, address.position)
    why: str
    if event is None:
        why = Words("there is no #{position} in the record", position=address.position)
    elif why_over := _WHY_OVER.get(address.kind):
        why = why_over(desk, event)
    else:
        raises = address.kind in kinds_of(event) and (first or address.kind not in OF_A_COMMAND)
        if raises and address.kind == LATE_ENTRY:
            raises = _begins_late_entry(desk.casino.ledger, event)
        why = "" if raises else _none(address.position)
    if why or event is None:
        raise NotFound(
            message=Words("There is no alert {alert} now: {why}.", alert=address, why=why)
        )
    return event


def _event_at(ledger: Ledger, position: int) -> tuple[Event | None, bool]:
    """The event at a position, or None, and whether it is the first of its command."""
    with ledger.connection() as connection:
        events = read_events(connection, after=position - 2, limit=2, until=position)
    if not events or events[-1].position != position:
        return None, False
    *before, event = events
    return event_of(event), not before or before[0].command_id != event.command_id


def _begins_late_entry(ledger: Ledger, event: Event) -> bool:
    """Whether a stretch of late entry begins with the event: its alert is named by its first."""
    wanted = Wanted(sorted(EXCEPTIONS.changes), sorted(EXCEPTIONS.marks))
    with ledger.connection() as connection:
        since = position_at(connection, event.recorded_at - LONGEST_PAUSE)
        recorded = read_events(connection, since, AT_ONCE, event.position, wanted)
    return begins_late_entry(map(event_of, recorded))


def _none(position: int) -> Words:
    return Words("#{position} raised no such alert", position=position)


def _why_no_longer_idle(desk: Desk, event: Event) -> str:
    """Why an alert about an idle table does not hold any more, or never did; '' if it holds."""
    casino = desk.casino
    if event.topic not in COUP_GOES_ON:
        return _none(event.position)
    if desk.last_table_day(event.table).closed:
        return Words("{table} is closed", table=event.table)
    with casino.ledger.connection() as connection:
        dealt_since = has_happened(connection, event.table, COUP_GOES_ON, event.position)
    if dealt_since:
        return Words("{table} has dealt since", table=event.table)
    house = casino.find(Property, PROPERTY_STREAM, rely=False)
    assert house is not None
    if casino.moment - event.at < timedelta(minutes=house.idle_minutes):
        return counted(
            house.idle_minutes, "it is less than {n} minute ago", "it is less than {n} minutes ago"
        )
    return ""


def _why_nothing_is_owed(desk: Desk, event: Event) -> str:
    """Why an alert about commission owed at the cut card does not hold; '' if it holds."""
    if event.topic != shoe.CutCardShown.TOPIC:
        return _none(event.position)
    day = desk.last_table_day(event.table)
    if str(day.shoe) != event.fields["shoe"]:
        return Words("shoe {shoe} has ended", shoe=event.fields["shoe"])
    owed = any(account.owed for account in desk.stays.accounts(day))
    return "" if owed else Words("no patron owes commission now")


def _why_the_tray_is_full(kind: str, desk: Desk, event: Event) -> str:
    """Why an alert about a tray that holds too little does not hold; '' if it holds."""
    if event.topic not in MOVES:
        return _none(event.position)
    day = desk.last_table_day(event.table)
    if day.closed or day.address.day != event.gaming_day:
        return Words("{table} is closed", table=event.table)
    holds = tray_now(desk, day)
    if holds < 0 if kind == BELOW_ZERO else day.needs_fill(holds, desk.house()):
        return ""
    return Words("the tray holds {tray}", tray=Amount(holds, day.rules.currency))


def _why_no_box_waits(desk: Desk, event: Event) -> str:
    """Why an alert about a box that was not counted does not hold; '' if it holds."""
    if event.topic != drop_box.BoxRemoved.TOPIC:
        return _none(event.position)
    box = desk.casino.find(DropBox, DropBox.stream(event.fields["box"]))
    assert box is not None
    if box.table_day != event.fields["table_day"] or box.step not in ("removed", "carried"):
        return Words("box {box} is counted", box=box.box)
    due = event.at + timedelta(hours=desk.house().box_hours)
    return (
        ""
        if due <= desk.casino.moment
        else Words("there is time until {moment}", moment=Moment(due))
    )


def _why_they_may_sit(desk: Desk, event: Event) -> str:
    """Why an alert about who may not play, and sits, does not hold any more; '' if it holds."""
    if event.topic != table_day.PatronSeated.TOPIC:
        return _none(event.position)
    day, patron = desk.last_table_day(event.table), event.fields["patron"]
    if not any(stay.address == event.fields["stay"] for stay in day.seats.values()):
        return Words("{patron} has left", patron=patron)
    known = desk.names.record(patron)
    whom = desk.names.record(known.principal_on(event.gaming_day)) if known else None
    if not any(each and each.barred for each in (known, whom)):
        return Words("{patron} may play", patron=patron)
    return ""


def _why_no_case_is_open(desk: Desk, event: Event) -> str:
    """Why an alert about an open case does not hold; '' if it holds."""
    if event.topic != dispute.Opened.TOPIC:
        return _none(event.position)
    case = event.fields["case"]
    return Words("case {case} is closed", case=case) if desk.case(case).closed else ""


def _why_no_deadline_is_over(desk: Desk, event: Event) -> str:
    """Why an alert about a case's missed deadline does not hold; '' if it holds."""
    if event.topic not in (dispute.Opened.TOPIC, dispute.Decided.TOPIC):
        return _none(event.position)
    case = desk.case(event.fields["case"])
    if event.topic == dispute.Opened.TOPIC:
        by = case.notify_by
        done = Words("the regulator was notified") if case.notified else ""
    else:
        by = event.fields["tell_by"]
        done = Words("the patron was informed of the decision") if case.patron_informed else ""
        if event.fields["number"] != case.decisions:
            return Words("the case was decided again since")
    if by is None:
        return Words("the regulator need not be notified")
    if done:
        return done
    if datetime.fromisoformat(by) <= desk.casino.moment:
        return ""
    return Words("there is time until {moment}", moment=Moment(datetime.fromisoformat(by)))


# Of each kind that holds only for a while: why one does not any more, or never did; '' if it does.
_WHY_OVER: Mapping[str, Callable[[Desk, Event], str]] = {
    NO_COUP: _why_no_longer_idle,
    COMMISSION_OWED: _why_nothing_is_owed,
    **{kind: partial(_why_the_tray_is_full, kind) for kind in OF_A_TRAY},
    BOX_NOT_COUNTED: _why_no_box_waits,
    DISPUTE_DEADLINE: _why_no_deadline_is_over,
    DISPUTE_OPEN: _why_no_case_is_open,
    BARRED_AT_SEAT: _why_they_may_sit,
}
