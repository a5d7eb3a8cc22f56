"""Inquiries of surveillance, each from the suspicion to its outcome."""

from domain.aggregates.inquiry import Inquiry, Subject
from domain.aggregates.shoe import Shoe
from domain.aggregates.year_books import InquiryBook
from domain.events.inquiry import Row
from domain.rules import addresses
from domain.rules.refusals import BadValue, MissingField, NotFound, SecondPersonNeeded
from domain.rules.roles import one_of_roles
from domain.rules.wording import Words, listed
from ops.commands import inquiries as commands
from ops.handlers.desk import Desk
from ops.handlers.disputes import evidence_of
from ops.handlers.enrolled import require_staff
from ops.handlers.handlers import handles
from ops.handlers.likeness import require_known
from ops.pack.inquiry import pack_of_inquiry
from ops.reports.protection_row import open_inquiry_with, protection_rows


@handles(commands.InquiryOpen)
def open_inquiry(desk: Desk, command: commands.InquiryOpen) -> None:
    """Begins an inquiry, under the next number of the year."""
    subject = _subject(desk, command)
    _require_new(desk, subject)
    address = desk.year_book(InquiryBook).number()
    desk.casino.make(
        Inquiry.open(address, subject, command.text, by=desk.casino.actor, at=desk.casino.moment)
    )


@handles(commands.InquiryNote)
def note(desk: Desk, command: commands.InquiryNote) -> None:
    """Adds a note, with what cameras saw."""
    evidence = evidence_of(command.evidence)
    _inquiry(desk, command).note(command.text, evidence, desk.casino.actor)


@handles(commands.InquiryAttach)
def attach(desk: Desk, command: commands.InquiryAttach) -> None:
    """Adds a coup, a shoe, or a row of the report `protection` as it is now."""
    if command.about in ("patron", "dealer") and not command.question:
        raise MissingField(
            message=Words(
                "To attach a patron or a dealer, attach a row about them in `report protection`: "
                "name its question and its day, with `question` and `day`."
            )
        )
    inquiry = _inquiry(desk, command)
    inquiry.attach(_subject(desk, command), command.text, desk.casino.actor)


@handles(commands.InquiryClose)
def close(desk: Desk, command: commands.InquiryClose) -> None:
    """Closes an inquiry with its outcome. Refuses: SecondPersonNeeded."""
    inquiry = _inquiry(desk, command)
    second = desk.second(command)
    if not (desk.casino.actor and second):
        who = one_of_roles(command.permission.second)
        raise SecondPersonNeeded(act=Words("Closing an inquiry"), who=who)
    inquiry.close(command.outcome, command.reason, by=desk.casino.actor, approved_by=second)


@handles(commands.InquiryExport)
def export(desk: Desk, command: commands.InquiryExport) -> None:
    """Makes an inquiry's pack and records its checksums; the same record gives the same files."""
    inquiry = _inquiry(desk, command)
    with desk.casino.ledger.connection() as connection:
        made = pack_of_inquiry(connection, inquiry.address)
    inquiry.hand_out(made.position, made.json_sha256, made.pdf_sha256, desk.casino.actor)


@handles(commands.InquiryReopen)
def reopen(desk: Desk, command: commands.InquiryReopen) -> None:
    """Goes on with a closed inquiry."""
    _inquiry(desk, command).reopen(command.reason, desk.casino.actor)


def _subject(desk: Desk, command: commands.InquiryOpen | commands.InquiryAttach) -> Subject:
    """What a command is about, as it is on record. Refuses: NotFound, BadValue, MissingField."""
    about, name = command.about, command.subject
    if about == "coup":
        desk.coup_at(addresses.Coup.parse(name))
    elif about == "shoe" and not desk.casino.find(Shoe, Shoe.stream(addresses.Shoe.parse(name))):
        raise NotFound(what=Words("shoe {shoe}", shoe=name))
    if not command.question:
        if _names_one_of_several(command):
            raise _only_of_a_row()
        if about == "patron":
            require_known(desk, name)
        elif about == "dealer":
            require_staff(desk, name)
        return Subject(about, name, {})
    if about == "coup":
        raise BadValue(
            message=Words(
                "A row of `report protection` is about a shoe, a patron or a dealer, not about a "
                "coup. Leave `question` out, or name whom or what the row is about."
            )
        )
    return Subject(about, name, _row(desk, command))


def _row(desk: Desk, command: commands.InquiryOpen | commands.InquiryAttach) -> Row:
    """The row of the report `protection` as it is now.

    Refuses: MissingField, BadValue, NotFound.
    """
    assert command.question is not None
    of_somebody = command.about != "shoe"
    if of_somebody and not command.day:
        raise MissingField(
            message=Words(
                "A patron or a dealer has a row for each gaming day. Name the day, with `day`."
            )
        )
    if _names_one_of_several(command) and not of_somebody:
        raise _only_of_a_row()
    with desk.casino.ledger.connection() as connection:
        rows = protection_rows(
            connection,
            command.question,
            command.subject,
            day=command.day,
            beside=command.beside,
            position=command.position,
        )
    if not rows:
        raise NotFound(
            message=Words(
                "The report `protection` has no row of {subject} for the question '{question}' "
                "now. Read `report protection` again, and open it without `question` if the row "
                "has gone.",
                subject=command.subject,
                question=command.question,
            )
        )
    if len(rows) > 1:
        raise _one_of(rows)
    return rows[0]


def _require_new(desk: Desk, subject: Subject) -> None:
    """Refuses a second inquiry about a row while one that has it is open: BadValue."""
    with desk.casino.ledger.connection() as connection:
        known = subject.row and open_inquiry_with(connection, subject.row)
    if known:
        raise BadValue(
            message=Words(
                "{inquiry} is open about this row. Add what is new with `inquiry note`.",
                inquiry=known,
            )
        )


def _one_of(rows: list[Row]) -> BadValue:
    """Asks which row is meant."""
    named = [
        Words("#{position} ({people})", position=row["position"], people=listed(people))
        for row in rows
        if (people := [str(row[each]) for each in ("patron", "partner", "dealer") if row[each]])
    ]
    return BadValue(
        message=Words(
            "There are {count} such rows: {rows}. Name one, with `position`, or with `beside` and "
            "the other person in it.",
            count=len(rows),
            rows=listed(named),
        )
    )


def _names_one_of_several(command: commands.InquiryOpen | commands.InquiryAttach) -> bool:
    return bool(command.day or command.beside or command.position)


def _only_of_a_row() -> BadValue:
    return BadValue(
        message=Words(
            "Only the row of a patron or a dealer is named by `day`, `beside` or `position`, with "
            "its `question`. Leave them out."
        )
    )


def _inquiry(desk: Desk, command: commands.OnInquiry) -> Inquiry:
    """The inquiry that a command is about. Refuses: BadValue, NotFound."""
    address = addresses.Inquiry.parse(command.inquiry)
    inquiry = desk.casino.find(Inquiry, Inquiry.stream(address))
    if inquiry is None:
        raise NotFound(what=Words("inquiry {inquiry}", inquiry=address))
    return inquiry
