"""Sentences for the events of cases of money laundering; what people wrote is not in them."""

from collections.abc import Mapping
from datetime import datetime

from domain.rules.wording import N_, Moment, Words, counted
from ops.words.event_values import Event, Values, Wording, run_on, worded_with

DECISIONS: Mapping[str, str] = {
    "report": N_("it is reported"),
    "no-report": N_("it is not reported"),
}


def due_words(due_at: str) -> Words:
    """By when a report is due, as the regime says."""
    if not due_at:
        return Words("The regime names no day until which a report is due.")
    return Words("A report is due until {moment}.", moment=Moment(datetime.fromisoformat(due_at)))


def due_soon_words(aml_case: str, due_at: datetime, now: datetime, *, over: bool) -> Words:
    """That a report about a case is due soon, or was."""
    template = (
        N_("{aml_case}: the report was due until {moment}. Decide and file it.")
        if over
        else N_("{aml_case}: the report is due until {moment}.")
    )
    return Words(template, aml_case=aml_case, moment=Moment(due_at.astimezone(now.tzinfo)))


def _evidence(event: Event) -> Words | str:
    count = len(event["positions"])
    return (
        counted(count, "It has {n} event as evidence.", "It has {n} events as evidence.")
        if (count)
        else ""
    )


def _opened(event: Event, values: Values) -> Words:
    opened = worded_with(N_("{aml_case} is opened about {patron}."), values)
    return run_on([opened, _evidence(event), due_words(event["due_at"])])


def _noted(event: Event, values: Values) -> Words:
    template = (
        N_("{aml_case} has a note, which goes into a report.")
        if event["narrative"]
        else N_("{aml_case} has a note.")
    )
    return run_on([worded_with(template, values), _evidence(event)])


def _decided(event: Event, values: Values) -> Words:
    decision = Words(DECISIONS[event["decision"]])
    return worded_with(N_("{aml_case} is decided: {decision}."), values, decision=decision)


def _filed(event: Event, values: Values) -> Words:
    template = (
        N_("A report about {aml_case} was filed on {filed_on}, number {reference}.")
        if event["filing"] == "initial"
        else N_("An amended report about {aml_case} was filed on {filed_on}, number {reference}.")
    )
    late = Words("It was late.") if event["late"] else ""
    return run_on([worded_with(template, values), late])


def _cash_filed(event: Event, values: Values) -> Words:
    template = (
        N_("The cash of {patron} on {day} was reported on {filed_on}, number {reference}.")
        if event["filing"] == "initial"
        else N_("An amended report about the cash of {patron} on {day}: number {reference}.")
    )
    late = Words("It was late.") if event["late"] else ""
    return run_on([worded_with(template, values), late])


AML: Mapping[str, Wording] = {
    "AmlBookOpened": None,
    "AmlCaseNumbered": None,
    "AmlCaseOpened": _opened,
    "TextWritten": None,
    "AmlNoteAdded": _noted,
    "AmlSubjectNamed": N_("{aml_case} is about {patron}, too."),
    "AmlSubjectWithdrawn": N_("{aml_case} is no longer about {patron}."),
    "AmlDecided": _decided,
    "AmlFiled": _filed,
    "ReportFiled": _cash_filed,
    "AmlCaseExported": N_(
        "The pack of {aml_case} as of #{position}: JSON {json_sha256}, PDF {pdf_sha256}."
    ),
    "AmlCaseClosed": N_("{aml_case} is closed."),
}
