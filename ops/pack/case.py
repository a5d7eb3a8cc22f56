"""The pack of a dispute: that of its coup, with the case from complaint to last deadline."""

from collections.abc import Iterator
from contextlib import suppress
from typing import TYPE_CHECKING, Any, TypeVar

from msgspec import convert

from domain.rules import addresses
from domain.rules.refusals import SENSELESS
from ops.ledger.mapper import fields_of
from ops.ledger.reading import head_of
from ops.pack.content import Deadline, Decision, Held, Note, Notified, PackCase, PatronTold
from ops.pack.events import moment
from ops.pack.pack import Pack, pack
from ops.replay.case import CaseFile, read_case
from ops.replay.story import CoupRecord, find
from ops.replay.what_if import ask
from ops.replay.what_if_answer import WhatIfAnswer, answer_of

if TYPE_CHECKING:
    import psycopg

    from domain.review.replay import Line

Step = TypeVar("Step")  # a step of a case, as in a pack


def pack_of_case(
    connection: "psycopg.Connection[Any]", address: addresses.Case, until: int | None = None
) -> Pack:
    """Makes the pack as of now, or as of a position; one program makes the same bytes of it.

    Refuses: NotFound. Raises UnreadableEvent.
    """
    end = head_of(connection) if until is None else until
    recorded, case = read_case(connection, address, end)
    coup = addresses.Coup.parse(case.opened.coup)
    record = find(connection, coup, end).with_cases([str(address)])
    return pack(
        connection,
        record,
        what_if=list(_answers(connection, record, case)),
        case=for_pack(case),
        case_events=recorded,
    )


def _answers(
    connection: "psycopg.Connection[Any]", record: CoupRecord, case: CaseFile
) -> Iterator[WhatIfAnswer]:
    """The answers to the questions of the notes, without those that cannot be answered now."""
    if record.whole is None:
        return
    for line in case.notes:
        with suppress(*SENSELESS):
            if line.event.what_if:
                yield answer_of(ask(connection, record, line.event.what_if))


def for_pack(case: CaseFile) -> PackCase:
    """The case as in a pack."""
    opened = case.opened
    references = [line.event.reference for line in case.notified if line.event.reference]
    return PackCase(
        case=opened.case,
        coup=opened.coup,
        patron=opened.patron,
        complaint=opened.complaint,
        amount=opened.amount,
        opened_at=moment(case.opened_at),
        opened_by=opened.opened_by,
        frozen_at=opened.frozen_at,
        agrees_then=opened.agrees,
        disagreements_then=opened.disagreements,
        notes=[_of(line, Note) for line in case.notes],
        decisions=[_of(line, Decision) for line in case.decisions],
        informed=[_of(line, PatronTold) for line in case.patron_informed],
        notified=[_of(line, Notified) for line in case.notified],
        held=list(_held(case)),
        patron_told_at=_first(case.informed_of_last),
        regulator_notified_at=_first(case.notified),
        reference=references[-1] if references else None,
        deadlines=list(_deadlines(case)),
        status=case.status,
    )


def _of(line: "Line", kind: type[Step]) -> Step:
    """The fields of an event as in a pack, with its moment and how its approval was proved."""
    fields = {**fields_of(line.event), "at": moment(line.at), "approved_proved": line.proved}
    return convert(fields, kind)


def _first(done: list["Line"]) -> str | None:
    """The moment of the first of these, or None if there is none."""
    return moment(done[0].at) if done else None


def _deadlines(case: CaseFile) -> Iterator[Deadline]:
    if case.notify_by:
        yield Deadline("The regulator is notified", case.notify_by, _first(case.notified))
    for line in case.decisions[-1:]:
        if line.event.tell_by:
            yield Deadline("The patron is told", line.event.tell_by, _first(case.informed_of_last))
    for line in case.informed_of_last[-1:]:
        if line.event.until:
            yield Deadline("The patron may turn to the regulator", line.event.until, None)


def _held(case: CaseFile) -> Iterator[Held]:
    """The times in which the table was held for the case."""
    begun: Held | None = None
    for each in case.holds:
        if each.step == "placed":
            begun = Held(moment(each.at), each.by)
        elif begun:
            yield Held(begun.since, begun.by, moment(each.at), each.step)
            begun = None
    if begun:
        yield begun
