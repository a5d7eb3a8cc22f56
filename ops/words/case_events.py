"""Sentences for the events of disputes, of adjudications, and of alerts that were acknowledged."""

from collections.abc import Iterable, Iterator, Mapping
from datetime import datetime, timedelta

from domain.rules.wording import N_, Amount, Figure, Words, listed
from ops.words.durations import duration
from ops.words.effects import effect_words
from ops.words.event_values import Event, Values, Wording, run_on, separated, worded_with
from ops.words.show import disagreement_words
from ops.words.terms import decision_called, moment_called, status_called


def _opened(event: Event, values: Values) -> Words:
    template = (
        N_("{case} is opened: {patron} about {coup}: {complaint}.")
        if event["coup"]
        else N_("{case} is opened: {patron}: {complaint}.")
    )
    return worded_with(template, values)


def _noted(event: Event, values: Values) -> Words:
    text = separated([str(event["text"]), *seen_words(event["evidence"])])
    noted = worded_with(N_("Noted in {case}: {text}."), values, text=text)
    if not event["what_if"]:
        return noted
    return run_on([noted, Words("What if: {changes}.", changes=", ".join(event["what_if"]))])


def seen_words(evidence: Iterable[Mapping[str, str]]) -> list[Words]:
    """What cameras saw, by the record's clock."""
    return [
        Words("{camera} at {at}", camera=each["camera"], at=_with_offset(each["by_record"]))
        for each in evidence
    ]


def _with_offset(moment: str) -> Words:
    """A moment as people write it, in the time zone in which it was stated."""
    at = datetime.fromisoformat(moment)
    time = at.replace(tzinfo=None).time().isoformat("milliseconds" if at.microsecond else "seconds")
    return Words(
        "{day} {time} {offset}", day=at.date(), time=Figure(time), offset=at.isoformat()[-6:]
    )


def _decided(event: Event, values: Values) -> Words:
    decision = decision_called(event["decision"])
    effect = effect_words(event["effect"], str(values["currency"]))
    template = N_("{case} is decided, {decision}: {effect}.")
    return worded_with(template, values, decision=decision, effect=effect)


def _patron_informed(event: Event, values: Values) -> Words:
    template, more = N_("{case}: the patron is informed."), {}
    if event["until"]:
        template = N_(
            "{case}: the patron is informed, and may appeal to the regulator until {until}."
        )
        more = {"until": moment_called(event["until"])}
    return with_its_words(worded_with(template, values, **more), event.get("in_words", ""))


def with_its_words(informed: Words, in_words: str) -> Words:
    """A sentence on how a patron was informed, with the words in which, if they are known."""
    return (
        Words("{informed} In words: {words}", informed=informed, words=in_words)
        if in_words
        else informed
    )


def _notified(event: Event, values: Values) -> Words:
    template = (
        N_("{case}: the regulator is notified, {reference}.")
        if event["reference"]
        else N_("{case}: the regulator is notified.")
    )
    return worded_with(template, values)


def _disagreed(event: Event, values: Values) -> Words:
    lines = disagreement_words(event["disagreements"])
    return Words("The record does not agree: {lines}.", lines=lines)


def _acknowledged(event: Event, values: Values) -> Words:
    if "minutes" not in event:
        return worded_with(N_("{alert} is acknowledged."), values)
    time = duration(
        timedelta(minutes=event["minutes"])
    )  # a report has a row for each, with its kind
    return Words("No coup for {time}, then acknowledged.", time=time)


CASES: Mapping[str, Wording] = {
    "DocketOpened": None,
    "ProtectionBegun": None,
    "LevelChanged": N_("The level of {question} is now {level}; it was {level_before}."),
    "CaseEntered": None,
    "DisputeOpened": _opened,
    "Noted": _noted,
    "Decided": _decided,
    "PatronTold": _patron_informed,
    "RegulatorNotified": _notified,
    "HoldPlaced": None,
    "HoldReleased": None,
    "PackMade": N_("The pack of {case} as of #{position}: JSON {json_sha256}, PDF {pdf_sha256}."),
    "Closed": N_("{case} is closed."),
    "AdjudicationDisagreed": _disagreed,
    "AlertAcknowledged": _acknowledged,
    "Unreadable": N_("An event can no longer be read: {topic}."),
}


def what_follows(event: Event, currency: str) -> Iterator[Words]:
    """The further sentences for the person who opens or decides a case."""
    if event["type"] == "DisputeOpened":
        yield from _opening(event, currency)
    if event["type"] == "Decided":
        if event["notify_by"]:
            yield Words("Notify the regulator by {by}.", by=moment_called(event["notify_by"]))
        yield Words("Inform the patron by {by}.", by=moment_called(event["tell_by"]))


def _opening(event: Event, currency: str) -> Iterator[Words]:
    """The sentences for the amount, the record's agreement, the notices and earlier cases."""
    if event["amount"] is None:
        yield Words("The amount in dispute is not known.")
    else:
        template = (
            N_("{amount} is in dispute.")
            if event["amount_named"]
            else N_("Up to {amount} is in dispute.")
        )
        yield Words(template, amount=Amount(event["amount"], currency))
    position = event["frozen_at"]
    if event["agrees"]:
        yield Words(
            "The record of the coup is saved as of #{position}. It agrees with the rules.",
            position=position,
        )
    else:
        lines = "; ".join(event["disagreements"])
        yield Words(
            "! The record of the coup, saved as of #{position}, differs from the rules: {lines}.",
            position=position,
            lines=lines,
        )
    if event["notify_by"]:
        yield Words("Notify the regulator by {by}.", by=moment_called(event["notify_by"]))
    if others := event["others"]:
        cases = listed(
            [
                Words("{case} ({status})", case=each["case"], status=status_called(each["status"]))
                for each in others
            ],
            N_("{some}, {last}"),
        )
        yield Words("The coup was disputed before: {cases}.", cases=cases)
