"""The pack of a case of money laundering on paper: what happened, what was written, its evidence.

In English, as the paper of an inquiry. It has nothing but what is in the file.
"""

from collections.abc import Iterator
from datetime import datetime
from zoneinfo import ZoneInfo

from msgspec import convert

from ops.pack.content import AmlContent
from ops.pack.inquiry_paper import Front, aliases, moment_words, pack_paper, story
from ops.pack.printed import PackPaper, Row, Section
from ops.pack.words import NOTHING, place, places, stated
from ops.replay.aml_case import Filed, Summary
from ops.words import language

_ONE_REPORT = ("patron", "day", "threshold", "transaction", "number")
UNDISCLOSED = "Neither the patron nor anybody at the tables may learn that there is a case."


def paper(content: AmlContent) -> PackPaper:
    """The template's values."""
    summary = convert(content.aml_case["summary"], Summary)
    name, zone = str(content.aml_case["aml_case"]), content.property.zone
    own = [each for each in content.events if each.about == "aml case"]
    return pack_paper(
        content,
        Front("Case", name, summary.status, "Compliance", "of money laundering"),
        own,
        summary=_summary(content, summary),
        sections=[
            story((each for each in own if each.event != "TextWritten"), zone, _texts(content)),
            *_reports(content, summary),
            *_evidence(content, zone),
        ],
        notes=[UNDISCLOSED],
    )


def _summary(content: AmlContent, summary: Summary) -> Iterator[list[str]]:
    zone = content.property.zone
    due = "no term is known"
    if summary.due_at:
        due = language.term(datetime.fromisoformat(summary.due_at).astimezone(ZoneInfo(zone)))
    yield ["Patron", summary.patron]
    yield from aliases(content.known_as)
    if summary.with_others:
        yield ["With", ", ".join(summary.with_others)]
    yield ["Noticed on", summary.detected]
    yield ["Report due", f"{summary.paper} {due}" if summary.paper else due]
    yield ["Decision", summary.decision or NOTHING]
    yield ["Decided by", " with ".join(filter(None, [summary.decided_by, summary.approved_by]))]
    yield ["Evidence", places(summary.evidence) if summary.evidence else NOTHING]


def _texts(content: AmlContent) -> dict[int, str]:
    every = content.aml_case["events"]
    assert isinstance(every, list)
    return {each["position"]: each.get("text", "") for each in every}


def _reports(content: AmlContent, summary: Summary) -> Iterator[Section]:
    """What was filed, of the case and of the cash that is evidence, with the file's digest."""
    rows = [_filed("the case", each) for each in summary.filed]
    of_cash: dict[tuple[object, ...], Row] = {}
    for each in content.events:
        if each.about == "cash day" and each.event in ("ReportFiled", "ReportTakenBack"):
            fields = stated(each)
            key = tuple(fields.get(name) for name in _ONE_REPORT)
            if each.event == "ReportFiled":
                of_cash[key] = _filed(f"cash of {fields['day']}", convert(fields, Filed))
            else:
                of_cash.pop(key, None)
    rows += of_cash.values()
    if rows:
        head = ["Report about", "Filed on", "Number", "SHA-256 of the file"]
        yield Section("Reports filed", head, "lllr", rows, wide=0)


def _filed(about: str, filed: Filed) -> Row:
    late = ", late" if filed.late else ""
    return Row([about, f"{filed.filed_on}{late}", filed.reference, filed.sha256 or NOTHING])


def _evidence(content: AmlContent, zone: str) -> Iterator[Section]:
    """The events that are evidence."""
    rows = [
        Row([moment_words(each.at, zone), each.words or each.event, place(each.position)])
        for each in content.events
        if each.position in content.evidence
    ]
    if rows:
        yield Section("Evidence", ["Moment", "", "Record"], "rlr", rows, wide=1)
