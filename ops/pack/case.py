"""The pack of a dispute: its coup's, with the case from the complaint to the last deadline."""

from collections.abc import Iterator, Sequence
from contextlib import suppress
from typing import TYPE_CHECKING, Any

from domain.events import dispute
from domain.review.replay import Line
from domain.rules import addresses
from domain.rules.refusals import SENSELESS
from ops.ledger.recorder import head_of
from ops.pack.events import moment
from ops.pack.pack import Pack, pack
from ops.replay.case import read_case, status_of
from ops.replay.story import Found, find
from ops.replay.what_if import ask
from ops.replay.what_if_json import as_dict

if TYPE_CHECKING:
    import psycopg


def pack_of_case(
    connection: "psycopg.Connection[Any]", address: addresses.Case, until: int | None = None
) -> Pack:
    """As the record stands, or stood at a position: the same bytes whenever it is asked for.

    Refuses: NotFound. Raises UnreadableEvent.
    """
    end = head_of(connection) if until is None else until
    recorded, facts = read_case(connection, address, end)
    coup = addresses.Coup.parse(facts[0].fact.coup)
    found = find(connection, coup, end).with_cases([str(address)])
    return pack(
        connection,
        found,
        what_if=list(_answers(connection, found, facts)),
        case=case_told(facts),
        case_events=recorded,
    )


def _answers(
    connection: "psycopg.Connection[Any]", found: Found, facts: Sequence[Line]
) -> Iterator[dict[str, Any]]:
    """What comes of each question that a note asked; nothing of one that makes no sense now."""
    if found.whole is None:
        return
    for line in _of(facts, dispute.Noted):
        with suppress(*SENSELESS):
            if line.fact.what_if:
                yield as_dict(ask(connection, found, line.fact.what_if))


def case_told(facts: Sequence[Line]) -> dict[str, Any]:
    """A case as its facts tell it, its opening first."""
    opened = facts[0]
    decided = _of(facts, dispute.Decided)
    told = _of(facts, dispute.PatronTold)
    notified = _of(facts, dispute.RegulatorNotified)
    told_last = [line for line in told if line.fact.number == len(decided)]
    references = [line.fact.reference for line in notified if line.fact.reference]
    return {
        **{name: getattr(opened.fact, name) for name in ("case", "coup", "patron", "complaint")},
        "amount": opened.fact.amount,
        "opened_at": moment(opened.at),
        "opened_by": opened.fact.opened_by,
        "frozen_at": opened.fact.frozen_at,
        "agrees_then": opened.fact.agrees,
        "disagreements_then": opened.fact.disagreements,
        "notes": [_note(line) for line in _of(facts, dispute.Noted)],
        "decisions": [_decision(line) for line in decided],
        "told": [_told(line, "number", "until", "by") for line in told],
        "notified": [_told(line, "reference", "by") for line in notified],
        "held": list(_held(facts)),
        "patron_told_at": _at(told_last[-1:]),
        "regulator_notified_at": _at(notified),
        "reference": references[-1] if references else None,
        "deadlines": [
            {"what": what, "due_at": due, "done_at": done}
            for what, due, done in (
                ("The regulator is notified", [opened, *decided][-1].fact.notify_by, _at(notified)),
                *(
                    ("The patron is told", line.fact.tell_by, _at(told_last[-1:]))
                    for line in decided[-1:]
                ),
                *(
                    ("The patron may turn to the regulator", line.fact.until, None)
                    for line in told_last[-1:]
                ),
            )
            if due
        ],
        "status": status_of(facts),
    }


def _of(facts: Sequence[Line], kind: type) -> list[Line]:
    return [line for line in facts if isinstance(line.fact, kind)]


def _at(found: Sequence[Line]) -> str | None:
    """When it was done first."""
    return moment(found[0].at) if found else None


def _told(line: Line, *names: str) -> dict[str, Any]:
    return {"at": moment(line.at), **{name: getattr(line.fact, name) for name in names}}


def _note(line: Line) -> dict[str, Any]:
    return _told(line, "by", "text", "evidence", "what_if")


def _decision(line: Line) -> dict[str, Any]:
    names = ("number", "decision", "reason", "seat", "spot", "to", "as_spot", "effect")
    came_to = ("changes_hands", "commission_changes", "decided_by", "approved_by")
    return {**_told(line, *names, *came_to), "approved_proved": line.proved}


def _held(facts: Sequence[Line]) -> Iterator[dict[str, Any]]:
    """From when to when the table waited for it."""
    begun: dict[str, Any] | None = None
    for line in facts:
        fact = line.fact
        if isinstance(fact, dispute.HoldPlaced) or getattr(fact, "hold", False):
            by = fact.by if isinstance(fact, dispute.HoldPlaced) else fact.opened_by
            begun = {"from": moment(line.at), "by": by, "until": None, "why": None}
        elif isinstance(fact, dispute.HoldReleased) and begun:
            yield {**begun, "until": moment(line.at), "why": fact.why}
            begun = None
    if begun:
        yield begun
