"""Cases of money laundering, each from the suspicion to what two people decided, and its report.

What people write is stored beside the record, in the transaction of the event.
"""

from collections.abc import Iterator, Mapping, Sequence
from datetime import date, datetime, time
from uuid import UUID
from zoneinfo import ZoneInfo

from domain.aggregates.aml_case import AmlCase, Suspected
from domain.aggregates.year_books import AmlBook
from domain.events.aml_case import AmlNoteAdded, Opened
from domain.rules import addresses
from domain.rules.aml import Filing
from domain.rules.refusals import BadValue, MissingField, NotFound, SecondPersonNeeded
from domain.rules.roles import one_of_roles
from domain.rules.wording import Words
from ops.commands import aml as commands
from ops.commands.filing import FilingRecord
from ops.handlers.alerts import AT_ONCE, event_of_alert
from ops.handlers.desk import Desk
from ops.handlers.handlers import handles
from ops.handlers.likeness import require_known
from ops.handlers.regimes import regime_of
from ops.ledger.aml_texts import named, save_text
from ops.ledger.reading import Wanted, read_events, read_spans
from ops.ledger.secrets import People
from ops.pack.aml import pack_of_aml_case
from ops.reports.batch import event_of


@handles(commands.AmlOpen)
def open_case(desk: Desk, command: commands.AmlOpen) -> None:
    """Opens a case, under the next number of the year. Refuses: NotFound, BadValue."""
    require_known(desk, command.patron)
    address = desk.year_book(AmlBook).number()  # before the cases are read: so one of two is first
    positions = list(dict.fromkeys(command.positions))
    if command.alert:
        alert = addresses.Alert.parse(command.alert)
        event_of_alert(desk, alert)
        _require_no_open_case(desk, alert)
        positions = [alert.position, *(each for each in positions if each != alert.position)]
    happened = _require_there(desk, positions)
    suspected = _suspected(desk, command, positions)
    _require_noticed_after(desk, suspected.detected, happened, command)
    opened = AmlCase.open(address, suspected, by=desk.casino.actor, at=desk.casino.moment)
    case = desk.casino.make(opened)
    _write(desk, case, command.text)


@handles(commands.AmlNote)
def note(desk: Desk, command: commands.AmlNote) -> None:
    """Adds a note, with events that are evidence. Refuses: BadValue, NotFound."""
    case = _case(desk, command)
    positions = list(dict.fromkeys(command.positions))
    _require_there(desk, positions)
    case.note(positions, desk.casino.actor, narrative=command.narrative)
    _write(desk, case, command.text)


@handles(commands.AmlSubject)
def name_subject(desk: Desk, command: commands.AmlSubject) -> None:
    """Names one more patron in it, or takes one out again. Refuses: BadValue, NotFound."""
    case = _case(desk, command)
    require_known(desk, command.patron)
    same = (each for each in case.subjects if desk.names.same(each, command.patron))
    patron = next(same, command.patron)  # as the case names them
    if command.withdrawn:
        case.withdraw_subject(patron, desk.casino.actor)
    else:
        case.name_subject(patron, desk.casino.actor)
    _write(desk, case, command.text)


@handles(commands.AmlDecide)
def decide(desk: Desk, command: commands.AmlDecide) -> None:
    """Decides whether it is reported. Refuses: BadValue, SecondPersonNeeded."""
    case = _case(desk, command)
    second = desk.second(command)
    if not (desk.casino.actor and second):
        who = one_of_roles(command.permission.second)
        raise SecondPersonNeeded(act=Words("Deciding a case of money laundering"), who=who)
    case.decide(command.decision, by=desk.casino.actor, approved_by=second)
    _write(desk, case, command.text)


@handles(commands.AmlFiled)
def file(desk: Desk, command: commands.AmlFiled) -> None:
    """Records that a report was filed, or takes the newest one back.

    Refuses: BadValue, MissingField.
    """
    case = _case(desk, command)
    if why := why_taken_back(command):
        case.take_back(command.reference, desk.casino.actor)
        _write(desk, case, why)
        return
    filed_on, filed_at = day_given(desk, command.filed_on)
    filing = Filing(
        filing=command.filing,
        reference=command.reference,
        filed_on=filed_on.isoformat(),
        late=bool(case.due_at) and filed_at >= datetime.fromisoformat(case.due_at),
        sha256=command.sha256 or "",
    )
    case.file(filing, desk.casino.actor)


@handles(commands.AmlClose)
def close(desk: Desk, command: commands.AmlClose) -> None:
    """Closes a case. Refuses: BadValue."""
    case = _case(desk, command)
    case.close(desk.casino.actor)
    _write(desk, case, command.text)


@handles(commands.AmlExport)
def export(desk: Desk, command: commands.AmlExport) -> None:
    """Makes a case's pack and records its checksums; the same record gives the same files."""
    case = _case(desk, command)
    with desk.casino.ledger.connection() as connection:
        made = pack_of_aml_case(connection, case.address)
    case.hand_out(made.position, made.json_sha256, made.pdf_sha256, desk.casino.actor)


def _suspected(desk: Desk, command: commands.AmlOpen, positions: Sequence[int]) -> Suspected:
    """Whom a case is about, and by when the regime wants a report. Refuses: BadValue."""
    detected, noticed = day_given(desk, command.detected)
    clock = desk.house().clock
    due = regime_of(desk, clock.day_of(desk.casino.moment)).suspected
    zone = ZoneInfo(clock.zone)
    return Suspected(
        patron=command.patron,
        alert=command.alert or "",
        positions=positions,
        detected=detected.isoformat(),
        paper=due.paper if due else "",
        due_at=due.due_at(detected, noticed, zone, urgent=command.urgent) if due else "",
    )


def why_taken_back(command: commands.AmlFiled | FilingRecord) -> str:
    """Why a report is taken back that was typed wrong; '' if none is.

    Refuses: MissingField without a reason, BadValue for one of a report that is not taken back.
    """
    if command.withdrawn and not command.text:
        raise MissingField(message=Words("Say why the report is taken back, as `text`."))
    if command.text and not command.withdrawn:
        words = Words("`text` is why a report is taken back. Leave it out, or add `withdrawn`.")
        raise BadValue(message=words)
    return command.text or ""


def day_given(desk: Desk, typed: str | None) -> tuple[date, datetime]:
    """The date that was typed, with its first moment; or today, and now. Refuses: BadValue.

    A term of the law counts calendar days at the house, not gaming days.
    """
    local = desk.house().clock.local(desk.casino.moment)
    if typed is None or (day := addresses.parse_day(typed)) == local.date():
        return local.date(), desk.casino.moment
    if day > local.date():
        raise BadValue(
            message=Words(
                "{day} is still to come. Record it once it has happened.", day=day.isoformat()
            )
        )
    return day, datetime.combine(day, time(), ZoneInfo(desk.house().clock.zone))


def _require_no_open_case(desk: Desk, alert: addresses.Alert) -> None:
    """Refuses an alert whose event is evidence of an open case, by the record: BadValue."""
    for stream in _cases_with(desk, alert.position):
        case = desk.casino.find(AmlCase, stream)
        if case and not case.closed:
            raise BadValue(
                message=Words(
                    "{case} is open, and the event of {alert} is its evidence. Add what is new "
                    "with `aml note`.",
                    case=case.address,
                    alert=str(alert),
                )
            )


def _cases_with(desk: Desk, position: int) -> Iterator[UUID]:
    """The streams of the cases of which an event is evidence."""
    wanted = Wanted((Opened.TOPIC, AmlNoteAdded.TOPIC))
    after = 0
    with desk.casino.ledger.connection() as connection:
        while recorded := read_events(connection, after, AT_ONCE, wanted=wanted):
            events = [each.fields for each in map(event_of, recorded)]
            yield from (
                AmlCase.stream(addresses.AmlCase.parse(each["aml_case"]))
                for each in events
                if position in each["positions"]
            )
            after = recorded[-1].position


def _require_noticed_after(
    desk: Desk, detected: str, happened: Mapping[int, datetime], command: commands.AmlOpen
) -> None:
    """Refuses a day before the alert, or before all that is evidence, on which it was noticed.

    Refuses: BadValue.
    """
    began = [addresses.Alert.parse(command.alert).position] if command.alert else [*happened]
    for position in sorted(began, key=lambda each: happened[each])[:1]:
        day = desk.local(happened[position]).date().isoformat()
        if detected < day:
            raise BadValue(
                message=Words(
                    "#{position} happened on {day}, and was not noticed before, on {detected}. "
                    "Write `detected` anew.",
                    position=position,
                    day=day,
                    detected=detected,
                )
            )


def _require_there(desk: Desk, positions: Sequence[int]) -> Mapping[int, datetime]:
    """When each piece of evidence happened. Refuses what is not on record: NotFound."""
    with desk.casino.ledger.connection() as connection:
        events = read_spans(connection, [range(each, each + 1) for each in positions])
    there = {each.position: each.at for each in map(event_of, events)}
    for position in positions:
        if position not in there:
            raise NotFound(what=Words("event #{position}", position=position))
    return there


def _write(desk: Desk, case: AmlCase, text: str) -> None:
    """Stores a text beside the record, and its digest in it."""
    People(desk.casino.ledger).require_pepper()
    statement, digest = save_text(named(str(case.address), case.texts + 1), text)
    case.write(digest)
    desk.casino.beside.append(statement)


def _case(desk: Desk, command: commands.OnAmlCase) -> AmlCase:
    """The case that a command is about. Refuses: BadValue, NotFound."""
    address = addresses.AmlCase.parse(command.aml_case)
    case = desk.casino.find(AmlCase, AmlCase.stream(address))
    if case is None:
        raise NotFound(what=Words("case {case}", case=address))
    return case
