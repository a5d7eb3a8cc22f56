"""What a pack tells of its dispute: the complaint, the evidence, the decision, the deadlines."""

from collections.abc import Iterator
from typing import Any

from ops.pack_words import NOTHING, Said, Section, Told, place, plain, section
from ops.show import spot_called


def gist(said: Said, case: Told) -> list[list[str]]:
    """The case in two lines, for the head of the paper."""
    decided = [_decision(said, each) for each in case["decisions"]]
    return [
        ["Complaint", f"{case['patron']}: {case['complaint']}"],
        ["Decision", decided[-1] if decided else "Nothing is decided yet."],
    ]


def sections(said: Said, case: Told) -> Iterator[Section]:
    """The case from its opening to its deadlines."""
    yield _opening(said, case)
    if case["notes"]:
        yield _notes(said, case)
    if case["decisions"]:
        yield _decisions(said, case)
    if case["deadlines"]:
        yield _deadlines(said, case)


def _opening(said: Said, case: Told) -> Section:
    then = "the record agrees, line by line"
    if not case["agrees_then"]:
        then = "; ".join(map(plain, case["disagreements_then"])) or "the record does not agree"
    told = {
        "Patron": case["patron"],
        "Complaint": case["complaint"],
        "In dispute": "" if case["amount"] is None else said.money(case["amount"]),
        "Opened": f"{said.moment(case['opened_at'])} by {case['opened_by'] or NOTHING}",
        "Facts frozen at": place(case["frozen_at"]),
        "The replay said then": then,
        "Patron told": said.moment(case["patron_told_at"]),
        "Regulator notified": said.moment(case["regulator_notified_at"]),
        "Its reference": case["reference"],
        "Status": case["status"],
    }
    rows = [{"cells": [name, value]} for name, value in told.items() if value]
    return section(f"The case {case['case']}", [], "ll", rows, wide=1)


def _notes(said: Said, case: Told) -> Section:
    rows = []
    for each in case["notes"]:
        rows.append({"cells": [said.moment(each["at"]), each["text"], each["by"] or NOTHING]})
        rows += [{"cells": ["", _seen(seen), ""]} for seen in each["evidence"]]
    return section("Notes and evidence", ["Moment", "", "By"], "rll", rows, wide=1)


def _seen(evidence: Told) -> str:
    """A camera, what its clock showed, and by how much that clock was off."""
    words = f"Camera {evidence['camera']}, {evidence['at']} by its clock"
    ahead = evidence.get("ahead")
    if not ahead:
        return words
    which = "ahead of" if ahead > 0 else "behind"
    return f"{words}, which is {abs(ahead):,} ms {which} the record's"


def _decisions(said: Said, case: Told) -> Section:
    rows: list[dict[str, Any]] = [
        {"cells": [said.moment(each["at"]), _decision(said, each), _people(each)]}
        for each in case["decisions"]
    ]
    return section("The decision", ["Moment", "", "By"], "rll", rows, wide=1)


def _people(told: Told) -> str:
    return " with ".join(filter(None, [told["decided_by"], told["approved_by"]]))


def _decision(said: Said, told: Told) -> str:
    if told.get("effect"):
        return f"{told['effect'][:1].upper()}{told['effect'][1:]}. Reason: {told['reason']}."
    words = {"stand": "The payment stands", "void": "The coup is void"}.get(told["decision"])
    if words is None:
        to = "what the cards say" if told["to"] is None else said.money(told["to"])
        words = f"Seat {told['seat']}, {spot_called(told['spot'])}, is paid {to} in all"
    return f"{words}. Reason: {told['reason']}."


def _deadlines(said: Said, case: Told) -> Section:
    rows = [
        {"cells": [each["what"], said.moment(each["due_at"]), said.moment(each["done_at"])]}
        for each in case["deadlines"]
    ]
    return section("Deadlines", ["", "Due", "Done"], "lrr", rows, wide=0)
