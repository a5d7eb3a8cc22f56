"""What a pack tells of its dispute: the complaint, the evidence, the decision, the deadlines."""

from collections.abc import Iterator
from datetime import datetime, timedelta
from typing import Any

from ops.pack.content import Decision, PackCase
from ops.pack.words import NOTHING, Said, Section, as_said, place, section
from ops.words.show import spot_called
from projections.proofs import with_proof


def gist(said: Said, case: PackCase) -> list[list[str]]:
    """The case in two lines, for the head of the paper."""
    decided = [_decision(said, each) for each in case.decisions]
    return [
        ["Complaint", f"{case.patron}: {case.complaint}"],
        ["Decision", decided[-1] if decided else "Nothing is decided yet."],
    ]


def sections(said: Said, case: PackCase) -> Iterator[Section]:
    """The case from its opening to its deadlines."""
    yield _opening(said, case)
    if case.notes:
        yield _notes(said, case)
    if case.decisions:
        yield _decisions(said, case)
    yield _duties(said, case)


def _opening(said: Said, case: PackCase) -> Section:
    then = "the record agrees, line by line"
    if not case.agrees_then:
        then = "; ".join(case.disagreements_then) or "the record does not agree"
    told = {
        "Patron": case.patron,
        "Complaint": case.complaint,
        "In dispute": "" if case.amount is None else said.money(case.amount),
        "Opened": f"{said.dated(case.opened_at)} by {case.opened_by or NOTHING}",
        "The record then": f"read up to {place(case.frozen_at)}",
        "The replay said then": then,
        "Status": case.status,
    }
    rows = [{"cells": [name, value]} for name, value in told.items() if value]
    return section(f"The case {case.case}", [], "ll", rows, wide=1)


def _notes(said: Said, case: PackCase) -> Section:
    rows = []
    for each in case.notes:
        rows.append({"cells": [said.moment(each.at), each.text, each.by or NOTHING]})
        rows += [{"cells": ["", _seen(said, seen), ""]} for seen in each.evidence]
        if each.what_if:
            asked = ", ".join(map(as_said, each.what_if))
            words = f"Asked: what if {asked}? The answer is under What if."
            rows.append({"cells": ["", words, ""]})
    return section("Notes and evidence", ["Moment", "", "By"], "rll", rows, wide=1)


def _seen(said: Said, evidence: dict[str, Any]) -> str:
    """A camera, what its clock showed, and by how much that clock was off."""
    camera, ahead = f"Camera {evidence['camera']}", evidence.get("ahead")
    shown = said.to_the_millisecond(evidence["at"])
    if not ahead:
        return f"{camera}, {shown}"
    which = "ahead of" if ahead > 0 else "behind"
    by_record = datetime.fromisoformat(evidence["at"]) - timedelta(milliseconds=ahead)
    return (
        f"{camera}, {said.to_the_millisecond(by_record.isoformat())} by the record's clock "
        f"({shown} by its own, {abs(ahead):,} ms {which} it)"
    )


def _decisions(said: Said, case: PackCase) -> Section:
    rows: list[dict[str, Any]] = [
        {"cells": [said.moment(each.at), _decision(said, each), _people(each)]}
        for each in case.decisions
    ]
    return section("The decision", ["Moment", "", "By"], "rll", rows, wide=1)


def _people(told: Decision) -> str:
    second = with_proof(told.approved_by, told.approved_proved)
    return " with ".join(filter(None, [told.decided_by, second]))


def _decision(said: Said, told: Decision) -> str:
    if told.effect and told.decision != "void":  # what is returned is a table of its own
        return f"{told.effect[:1].upper()}{told.effect[1:]}. Reason: {told.reason}."
    words = {"stand": "The payment stands", "void": "The coup is void"}.get(told.decision)
    if words is None:
        to = "what the cards say" if told.to is None else said.money(told.to)
        words = f"Seat {told.seat}, {spot_called(told.spot or '')}, is paid {to} in all"
    return f"{words}. Reason: {told.reason}."


def _duties(said: Said, case: PackCase) -> Section:
    """What is owed to the patron and to the regulator, by whose terms, and who did it."""
    rows = [{"cells": cells} for cells in (*_notice(said, case), *_heard(said, case))]
    rows += [{"cells": cells} for cells in _held(said, case)]
    for each in case.deadlines:
        due = said.dated(each.due_at)
        done = f"done {said.dated(each.done_at)}" if each.done_at else "not done"
        may = each.what.startswith("The patron may")  # a right; nobody has to do it
        words = f"until {due}" if may else f"due {due}, {done}"
        rows.append({"cells": [each.what, words]})
    return section("Notice, and until when", [], "ll", rows, wide=1)


def _notice(said: Said, case: PackCase) -> Iterator[list[str]]:
    """From which amount on the regulator hears of a dispute, and whether it does of this."""
    begins = said.settings.get("dispute_notice_from", 0)
    if not begins:
        yield ["The house's terms", "no regulator is notified of a dispute"]
        return
    minutes = said.settings.get("dispute_notice_minutes", 30)
    terms = f"the regulator hears of {said.money(begins)} and more within {minutes} minutes"
    amount = case.amount
    worth = "nobody knows how much this is" if amount is None else f"this is {said.money(amount)}"
    due = amount is None or amount >= begins
    yield ["The house's terms", f"{terms}; {worth}, so {'it must' if due else 'it need not'}"]


def _heard(said: Said, case: PackCase) -> Iterator[list[str]]:
    """Who told the patron, and who the regulator."""
    for each in case.told:
        by = each.by or "somebody not named"
        yield ["Patron told", f"{said.dated(each.at)} by {by}, decision {each.number}"]
    for heard in case.notified:
        reference = f", reference {heard.reference}" if heard.reference else ""
        by = heard.by or "somebody not named"
        yield ["Regulator notified", f"{said.dated(heard.at)} by {by}{reference}"]


def _held(said: Said, case: PackCase) -> Iterator[list[str]]:
    """From when to when the table dealt no further coup."""
    for each in case.held:
        until = f"until {said.dated(each.until)}" if each.until else "and still does"
        yield ["The table waited", f"from {said.dated(each.since)} {until}"]
