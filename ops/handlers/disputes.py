"""Disputes: a case from the patron's complaint to the decision and its consequences."""

from collections.abc import Iterator, Sequence

from domain.aggregates.corrections import Change, Rightly
from domain.aggregates.coup import Coup
from domain.aggregates.dispute import Dispute, Frozen
from domain.aggregates.table_day import TableDay
from domain.aggregates.year_books import Docket
from domain.events import commission_account
from domain.review.adjudication import as_texts
from domain.rules import addresses
from domain.rules.evidence import Evidence
from domain.rules.refusals import BadValue
from domain.rules.wording import Words
from ops.commands import disputes as commands
from ops.commands.command import EARLIEST, LATEST
from ops.handlers.corrections import correct_payment, void_coup
from ops.handlers.desk import Desk
from ops.handlers.handlers import handles
from ops.handlers.known_names import not_here
from ops.ledger.reading import head_of
from ops.pack.case import pack_of_case
from ops.replay.story import find
from ops.replay.what_if import ask


@handles(commands.DisputeOpen)
def open_case(desk: Desk, command: commands.DisputeOpen) -> None:
    """Opens a case about a coup, and notes the coup's record as it is now.

    A coup may have several cases.
    """
    coup = desk.coup_at(addresses.Coup.parse(command.coup))
    day = desk.day_of(coup, rely=False)
    names = _names_of(desk, command.patron, day)
    house = desk.house()
    held = _to_hold(desk, coup.address) if command.hold else None
    frozen = _frozen(desk, coup)
    others = list(_others(desk, coup.address))
    address = desk.year_book(Docket).enter(str(coup.address))
    desk.casino.make(
        Dispute.open(
            address,
            coup,
            command.patron,
            names,
            command.complaint,
            frozen=frozen,
            house=house,
            at=desk.casino.moment,
            amount=command.amount,
            hold=command.hold,
            others=others,
            opened_by=desk.casino.actor,
        )
    )
    if held:
        held.hold(str(address), desk.casino.actor)


@handles(commands.DisputeNote)
def note(desk: Desk, command: commands.DisputeNote) -> None:
    """Adds a note to a case: a text, camera evidence, a what-if question about the coup."""
    evidence = evidence_of(command.evidence)
    case = desk.case(command.case)
    if command.what_if:
        _require_sense(desk, case.coup, command.what_if)
    case.note(command.text, evidence, desk.casino.actor, command.what_if)


def evidence_of(typed: Sequence[commands.Seen]) -> list[Evidence]:
    """What cameras saw, as it is typed. Refuses: BadValue."""
    for seen in typed:
        if not EARLIEST <= seen.at <= LATEST:
            why = Words("that is no moment of play, so check the date")
            raise BadValue(field="evidence", value=seen.at.isoformat(), why=why)
    return [Evidence(seen.camera, seen.at, seen.ahead) for seen in typed]


@handles(commands.DisputeDecide)
def decide_case(desk: Desk, command: commands.DisputeDecide) -> None:
    """Decides a case, and carries the decision out in the same command."""
    case = desk.case(command.case)
    by, second = desk.casino.actor, command.second or ""
    house, coup = desk.house(), desk.coup_at(case.coup)
    rightly = Rightly(command.seat, command.spot, command.to, command.as_spot, command.stake)
    case.require_decidable(command.decision, rightly, coup, by=by, approved_by=second)
    held = case.holds
    changes = _carry_out(desk, command, rightly, coup)
    case.decide(
        command.decision,
        command.reason,
        changes,
        coup,
        house,
        rightly=rightly,
        commission=_commission_put_right(desk),
        by=by,
        approved_by=second,
    )
    if held:
        _let_go(desk, case)


def _commission_put_right(desk: Desk) -> int:
    """The commission that this command charged in corrections, in minor units; may be negative."""
    return sum(
        event.charged
        for event in desk.casino.act.events
        if isinstance(event, commission_account.CommissionCorrected)
    )


def _carry_out(
    desk: Desk, command: commands.DisputeDecide, rightly: Rightly, coup: Coup
) -> list[Change]:
    """Voids or corrects the coup, with the case in the reason; what changed."""
    reason, second = f"{command.case}: {command.reason}", command.second or ""
    if command.decision == "void":
        return void_coup(desk, coup, reason, second)
    if command.decision == "correct":
        return correct_payment(desk, coup, rightly, reason, second)
    return []


@handles(commands.DisputeTell)
def tell(desk: Desk, command: commands.DisputeTell) -> None:
    """Records that the patron was informed of the decision, and of whom they may appeal to."""
    desk.case(command.case).tell(desk.house(), desk.casino.actor, command.in_words or "")


@handles(commands.DisputeNotify)
def notify(desk: Desk, command: commands.DisputeNotify) -> None:
    """Records that the regulator was notified, whether that was required or not."""
    desk.case(command.case).notify(command.reference or "", desk.casino.actor)


@handles(commands.DisputeHold)
def hold(desk: Desk, command: commands.DisputeHold) -> None:
    """Puts the coup's table on hold: it deals no further coup until the case releases it."""
    case = desk.case(command.case)
    day = _to_hold(desk, case.coup)
    case.hold(desk.casino.actor)
    day.hold(str(case.address), desk.casino.actor)


def _to_hold(desk: Desk, coup: addresses.Coup) -> TableDay:
    """The day that is open at the table, maybe the one after the coup's. Refuses: BadValue."""
    day = desk.last_table_day(coup.shoe.table_day.table)
    if day.closed:
        raise BadValue(
            message=Words("{day} is closed, so there is nothing to hold.", day=day.address)
        )
    return day


@handles(commands.DisputeRelease)
def release(desk: Desk, command: commands.DisputeRelease) -> None:
    """Ends this case's hold on the table; other cases may still hold it."""
    case = desk.case(command.case)
    case.release(desk.casino.actor)
    _let_go(desk, case)


@handles(commands.DisputeExport)
def export(desk: Desk, command: commands.DisputeExport) -> None:
    """Makes a case's pack and records its checksums; the same record gives the same files."""
    case = desk.case(command.case)
    with desk.casino.ledger.connection() as connection:
        made = pack_of_case(connection, case.address)
    case.hand_out(made.position, made.json_sha256, made.pdf_sha256, desk.casino.actor)


@handles(commands.DisputeClose)
def close(desk: Desk, command: commands.DisputeClose) -> None:
    """Closes a case; nothing can be added to it afterwards."""
    desk.case(command.case).close(desk.casino.actor)


def _let_go(desk: Desk, case: Dispute) -> None:
    """Ends the case's hold on the open day of the coup's table."""
    day = desk.last_table_day(case.coup.shoe.table_day.table)
    day.release(str(case.address), desk.casino.actor)


def _frozen(desk: Desk, coup: Coup) -> Frozen:
    """The record of a coup as it is now; saving fails if anybody writes to the coup meanwhile."""
    with desk.casino.ledger.connection() as connection:
        position = head_of(connection)
        story = find(connection, coup.address)
    differing = [
        f"{each['what']}: {each['recorded']} on record, {each['adjudicated']} by today's rules"
        for each in as_texts(story.disagreements)
    ]
    return Frozen(position, coup.version, coup.phase, not differing, differing)


def _require_sense(desk: Desk, coup: addresses.Coup, changes: Sequence[str]) -> None:
    """Refuses a what-if that cannot be answered: BadValue, UnknownRules."""
    with desk.casino.ledger.connection() as connection:
        story = find(connection, coup)
        if story.whole is None:
            raise BadValue(
                message=Words(
                    "The record of {coup} is damaged, so nothing can be asked about it.", coup=coup
                )
            )
        ask(connection, story, changes)


def _others(desk: Desk, coup: addresses.Coup) -> Iterator[Dispute]:
    """The other cases about a coup, from every year since it was dealt."""
    year = desk.house().clock.day_of(desk.casino.moment).year
    for each in range(coup.shoe.table_day.day.year, year + 1):
        docket = desk.casino.find(Docket, Docket.stream(each), rely=False)
        for case in docket.about.get(str(coup), []) if docket else []:
            yield desk.case(case)


def _names_of(desk: Desk, patron: str, day: TableDay) -> list[str]:
    """The names under which a patron sat at the table that day. Refuses: NotFound.

    A stay is enough: the patron may claim a bet that was never entered.
    """
    seated = {each.patron for each in desk.stays.accounts(day, rely=False)}
    names = {each for each in seated if desk.names.same(each, patron)}
    if not names:
        message = Words(
            "{patron} did not sit at {day}. Name who did and makes the complaint.",
            patron=patron,
            day=day.address,
        )
        raise not_here(patron, seated, message)
    return sorted(names)
