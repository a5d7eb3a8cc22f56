"""The pack of a dispute: its coup's, with the case from the complaint to the last deadline."""

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from domain import addresses
from domain.dispute import Dispute
from domain.refusals import NotFound
from domain.replay import Line
from ops.ledger.recorder import read_stream
from ops.lines import lines
from ops.pack import Pack, pack
from ops.pack_events import moment
from ops.replay import find

if TYPE_CHECKING:
    import psycopg


def pack_of_case(connection: "psycopg.Connection[Any]", address: addresses.Case) -> Pack:
    """The same bytes as long as nothing more is recorded of it. Refuses: NotFound."""
    recorded = read_stream(connection, Dispute.stream(address))
    facts = lines(recorded)
    if not facts or not isinstance(facts[0].fact, Dispute.Created):
        raise NotFound(what=f"case {address}")
    found = find(connection, addresses.Coup.parse(facts[0].fact.coup)).with_cases([str(address)])
    return pack(connection, found, case=case_told(facts), case_events=recorded)


def case_told(facts: Sequence[Line]) -> dict[str, Any]:
    """A case as its facts tell it, its opening first."""
    opened = facts[0]
    decided = _of(facts, Dispute.Decided)
    told = _of(facts, Dispute.PatronTold)
    notified = _of(facts, Dispute.RegulatorNotified)
    closed = _of(facts, Dispute.Closed)
    told_last = [line for line in told if line.fact.number == len(decided)]
    references = [line.fact.reference for line in notified if line.fact.reference]
    status = next(
        name
        for name, lines in (
            ("closed", closed),
            ("told", told_last),
            ("decided", decided),
            ("open", [opened]),
        )
        if lines
    )
    return {
        **{name: getattr(opened.fact, name) for name in ("case", "coup", "patron", "complaint")},
        "amount": opened.fact.amount,
        "opened_at": moment(opened.at),
        "opened_by": opened.fact.opened_by,
        "frozen_at": opened.fact.frozen_at,
        "agrees_then": opened.fact.agrees,
        "disagreements_then": opened.fact.disagreements,
        "notes": [_note(line) for line in _of(facts, Dispute.Noted)],
        "decisions": [_decision(line) for line in decided],
        "patron_told_at": _at(told_last),
        "regulator_notified_at": _at(notified),
        "reference": references[-1] if references else None,
        "deadlines": [
            {"what": what, "due_at": due, "done_at": done}
            for what, due, done in (
                ("The regulator is notified", opened.fact.notify_by, _at(notified)),
                *(
                    ("The patron is told", line.fact.tell_by, _at(told_last))
                    for line in decided[-1:]
                ),
                *(
                    ("The patron may turn to the regulator", line.fact.until, None)
                    for line in told_last[-1:]
                ),
            )
            if due
        ],
        "status": status,
    }


def _of(facts: Sequence[Line], kind: type) -> list[Line]:
    return [line for line in facts if isinstance(line.fact, kind)]


def _at(found: Sequence[Line]) -> str | None:
    """When it was done first."""
    return moment(found[0].at) if found else None


def _note(line: Line) -> dict[str, Any]:
    fact = line.fact
    return {"at": moment(line.at), "by": fact.by, "text": fact.text, "evidence": fact.evidence}


def _decision(line: Line) -> dict[str, Any]:
    names = (
        *("decision", "reason", "seat", "spot", "to", "as_spot", "effect", "decided_by"),
        "approved_by",
    )
    return {"at": moment(line.at), **{name: getattr(line.fact, name) for name in names}}
