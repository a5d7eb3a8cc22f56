"""Sentences for the events of inquiries, which surveillance keeps to itself."""

from collections.abc import Mapping

from domain.rules.wording import N_, Words
from ops.words.case_events import seen_words
from ops.words.event_values import Event, Values, Wording, run_on, separated, worded_with
from ops.words.unlikely import unlikely_words

OUTCOMES: Mapping[str, str] = {
    "unfounded": N_("there was nothing"),
    "unproven": N_("it stays a suspicion"),
    "corrected": N_("the house changed what made it possible"),
    "barred": N_("the patron is barred from playing here"),
    "reported": N_("the regulator or the police have it"),
}
_OPENED: Mapping[str, str] = {
    "coup": N_("{inquiry} is opened about coup {subject}: {text}"),
    "shoe": N_("{inquiry} is opened about shoe {subject}: {text}"),
    "patron": N_("{inquiry} is opened about patron {subject}: {text}"),
    "dealer": N_("{inquiry} is opened about dealer {subject}: {text}"),
}
_ATTACHED: Mapping[str, str] = {
    "coup": N_("{inquiry} has coup {subject} as evidence: {text}"),
    "shoe": N_("{inquiry} has shoe {subject} as evidence: {text}"),
    "dealer": N_("{inquiry} has a row about dealer {subject} as evidence: {text}"),
    "patron": N_("{inquiry} has a row about patron {subject} as evidence: {text}"),
}


def outcome_called(outcome: str) -> Words:
    """What came of an inquiry, in words."""
    return Words(OUTCOMES[outcome])


def _opened(event: Event, values: Values) -> Words:
    return run_on([worded_with(_OPENED[event["about"]], values), *_row(event)])


def _attached(event: Event, values: Values) -> Words:
    return run_on([worded_with(_ATTACHED[event["about"]], values), *_row(event)])


def _row(event: Event) -> list[Words]:
    """The row of the report `protection`, as it was stored."""
    return [unlikely_words(event["row"])] if event["row"] else []


def _noted(event: Event, values: Values) -> Words:
    text = separated([str(event["text"]), *seen_words(event["evidence"])])
    return worded_with(N_("Noted in {inquiry}: {text}."), values, text=text)


def _closed(event: Event, values: Values) -> Words:
    outcome = outcome_called(event["outcome"])
    return worded_with(N_("{inquiry} is closed: {outcome}."), values, outcome=outcome)


INQUIRIES: Mapping[str, Wording] = {
    "InquiryBookOpened": None,
    "InquiryNumbered": None,
    "InquiryOpened": _opened,
    "NoteAdded": _noted,
    "EvidenceAttached": _attached,
    "InquiryClosed": _closed,
    "InquiryExported": N_(
        "The pack of {inquiry} as of #{position}: JSON {json_sha256}, PDF {pdf_sha256}."
    ),
    "InquiryReopened": N_("{inquiry} is open again."),
}
