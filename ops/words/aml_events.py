"""Sentences for cases of money laundering and for reports of cash, without what people wrote."""

from collections.abc import Mapping
from datetime import datetime

from domain.rules.wording import N_, Amount, Until, Words, counted
from ops.words.event_values import Event, Values, Wording, run_on, worded_with

DECISIONS: Mapping[str, str] = {
    "report": N_("it is reported"),
    "no-report": N_("it is not reported"),
}


def due_words(due_at: str, *, late: bool = False) -> Words:
    """By when a report is due, as the regime says; `late`: that was over when it was opened."""
    if not due_at:
        return Words("The regime names no day until which a report is due.")
    if late:
        return Words(
            "A report was due until {moment}, which is over: decide and file it now.",
            moment=Until(datetime.fromisoformat(due_at)),
        )
    return Words("A report is due until {moment}.", moment=Until(datetime.fromisoformat(due_at)))


def due_soon_words(aml_case: str, due_at: datetime, now: datetime, *, over: bool) -> Words:
    """That a report about a case is due soon, or was."""
    template = (
        N_("{aml_case}: the report was due until {moment}. Decide and file it.")
        if over
        else N_("{aml_case}: the report is due until {moment}.")
    )
    return Words(template, aml_case=aml_case, moment=Until(due_at.astimezone(now.tzinfo)))


def _evidence(event: Event) -> Words | str:
    count = len(event["positions"])
    return (
        counted(count, "It has {n} event as evidence.", "It has {n} events as evidence.")
        if (count)
        else ""
    )


def _opened(event: Event, values: Values) -> Words:
    opened = worded_with(N_("{aml_case} is opened about {patron}."), values)
    return run_on(
        [opened, _evidence(event), due_words(event["due_at"], late=event.get("late", False))]
    )


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


def _report_to_amend(event: Event, values: Values) -> Words:
    templates = {
        "in": N_(
            "The report of the cash of {patron} on {day}, number {reference}, has {reported} of "
            "cash in, and it was {total}: an amended report is due."
        ),
        "out": N_(
            "The report of the cash of {patron} on {day}, number {reference}, has {reported} of "
            "cash out, and it was {total}: an amended report is due."
        ),
    }
    reported = Amount(event["reported"], str(values["currency"]))
    return worded_with(templates[event["direction"]], values, reported=reported)


def _not_shown_after_all(event: Event, values: Values) -> Words:
    templates = {
        "in": N_("That no ID of {name} was shown for {amount} of cash in is withdrawn: {reason}."),
        "out": N_(
            "That no ID of {name} was shown for {amount} of cash out is withdrawn: {reason}."
        ),
    }
    return worded_with(templates[event["direction"]], values)


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
    "AmlFiledTakenBack": N_("Report {reference} about {aml_case}, of {filed_on}, is taken back."),
    "ReportFiled": _cash_filed,
    "ReportTakenBack": N_("Report {reference} of the cash of {patron} on {day} is taken back."),
    "ReportToAmend": _report_to_amend,
    "IdentityNotShownWithdrawn": _not_shown_after_all,
    "AmlCaseExported": N_(
        "The pack of {aml_case} as of #{position}: JSON {json_sha256}, PDF {pdf_sha256}."
    ),
    "AmlCaseClosed": N_("{aml_case} is closed."),
}
