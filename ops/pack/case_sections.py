"""A pack's tables about its dispute: complaint, evidence, decision, deadlines.

In English: only a regulator's pack has them.
"""

from collections.abc import Iterator
from datetime import datetime, timedelta

from ops.pack.content import Decision, PackCase
from ops.pack.printed import Row, Section
from ops.pack.words import NOTHING, Wording, place, with_suit
from ops.replay.case import Footage
from ops.words import coups
from ops.words.terms import status_called


def gist(wording: Wording, case: PackCase) -> list[list[str]]:
    """Complaint and last decision, for the head of the paper."""
    decided = [_decision(wording, each) for each in case.decisions]
    return [
        ["Complaint", f"{case.patron}: {case.complaint}"],
        ["Decision", decided[-1] if decided else "Nothing is decided yet."],
    ]


def sections(wording: Wording, case: PackCase) -> Iterator[Section]:
    """The case from its opening to its deadlines."""
    yield _opening(wording, case)
    if case.notes:
        yield _notes(wording, case)
    if case.decisions:
        yield _decisions(wording, case)
    yield _duties(wording, case)


def _opening(wording: Wording, case: PackCase) -> Section:
    then = "the record agrees, line by line"
    if not case.agrees_then:
        then = "; ".join(case.disagreements_then) or "the record does not agree"
    facts = {
        "Patron": case.patron,
        "Complaint": case.complaint,
        "In dispute": "" if case.amount is None else wording.money(case.amount),
        "Opened": f"{wording.dated(case.opened_at)} by {case.opened_by or NOTHING}",
        "The record then": f"up to {place(case.frozen_at)}",
        "The replay then": then,
        "Status": status_called(case.status),
    }
    rows = [Row([name, value]) for name, value in facts.items() if value]
    return Section(f"The case {case.case}", [], "ll", rows, wide=1)


def _notes(wording: Wording, case: PackCase) -> Section:
    rows = []
    for each in case.notes:
        rows.append(Row([wording.moment(each.at), each.text, each.by or NOTHING]))
        rows += [Row(["", _seen(wording, seen), ""]) for seen in each.evidence]
        if each.what_if:
            asked = ", ".join(map(with_suit, each.what_if))
            words = f"Asked: what if {asked}? The answer is under What if."
            rows.append(Row(["", words, ""]))
    return Section("Notes and evidence", ["Moment", "", "By"], "rll", rows, wide=1)


def _seen(wording: Wording, footage: Footage) -> str:
    """A camera, the time that it showed, and by how much its clock was off."""
    camera, ahead = f"Camera {footage.camera}", footage.ahead
    shown = wording.to_the_millisecond(footage.at)
    if not ahead:
        return f"{camera}, {shown}"
    which = "ahead of" if ahead > 0 else "behind"
    by_record = datetime.fromisoformat(footage.at) - timedelta(milliseconds=ahead)
    return (
        f"{camera}, {wording.to_the_millisecond(by_record.isoformat())} by the record's clock "
        f"({shown} by its own, {abs(ahead):,} ms {which} it)"
    )


def _decisions(wording: Wording, case: PackCase) -> Section:
    rows = [
        Row([wording.moment(each.at), _decision(wording, each), _people(each)])
        for each in case.decisions
    ]
    return Section("The decision", ["Moment", "", "By"], "rll", rows, wide=1)


def _people(decision: Decision) -> str:
    second = coups.proved(decision.approved_by, decision.approved_proved)
    return " with ".join(filter(None, [decision.decided_by, second]))


def _decision(wording: Wording, decision: Decision) -> str:
    if decision.effect and decision.decision != "void":  # a void has a table for what is returned
        return f"{decision.effect[:1].upper()}{decision.effect[1:]}. Reason: {decision.reason}."
    words = {"stand": "The payment is unchanged", "void": "The coup is void"}.get(decision.decision)
    if words is None:
        to = "what the cards say" if decision.to is None else wording.money(decision.to)
        words = f"Seat {decision.seat}, {coups.spot_name(decision.spot or '')}, is paid {to} in all"
    return f"{words}. Reason: {decision.reason}."


def _duties(wording: Wording, case: PackCase) -> Section:
    """The duties to the patron and to the regulator: their terms, and who did them."""
    rows = [Row(cells) for cells in (*_notice(wording, case), *_heard(wording, case))]
    rows += map(Row, _held(wording, case))
    for each in case.deadlines:
        due = wording.dated(each.due_at)
        done = f"done {wording.dated(each.done_at)}" if each.done_at else "not done"
        may = each.what.startswith("The patron may")  # a right, which nobody has to use
        words = f"until {due}" if may else f"due {due}, {done}"
        rows.append(Row([each.what, words]))
    return Section("Notice, and until when", [], "ll", rows, wide=1)


def _notice(wording: Wording, case: PackCase) -> Iterator[list[str]]:
    """The amount from which the regulator is notified, and whether this dispute reaches it."""
    begins = wording.settings.get("dispute_notice_from", 0)
    if not begins:
        yield ["The house's terms", "no regulator is notified of a dispute"]
        return
    minutes = wording.settings.get("dispute_notice_minutes", 30)
    least, amount = wording.money(begins), case.amount
    terms = f"the regulator is notified of {least} and more within {minutes} minutes"
    if amount is None:
        this = "this amount is not known, so notification is due"
    elif amount >= begins:
        this = f"this is {wording.money(amount)}, so notification is due"
    else:
        this = f"this is {wording.money(amount)}, so no notification is due"
    yield ["The house's terms", f"{terms}; {this}"]


def _heard(wording: Wording, case: PackCase) -> Iterator[list[str]]:
    """Who informed the patron, and who notified the regulator."""
    for each in case.informed:
        by = each.by or "a person not named"
        words = f". In words: {each.in_words}" if each.in_words else ""
        yield [
            "Patron informed",
            f"{wording.dated(each.at)} by {by}, decision {each.number}{words}",
        ]
    for heard in case.notified:
        reference = f", reference {heard.reference}" if heard.reference else ""
        by = heard.by or "a person not named"
        yield ["Regulator notified", f"{wording.dated(heard.at)} by {by}{reference}"]


def _held(wording: Wording, case: PackCase) -> Iterator[list[str]]:
    """The times when the table dealt no further coup."""
    for each in case.held:
        until = f"until {wording.dated(each.until)}" if each.until else "and still does"
        yield ["The table waited", f"from {wording.dated(each.since)} {until}"]
