"""Sentences for the events of incidents on the floor."""

from collections.abc import Iterator, Mapping

from domain.rules.wording import N_, Words, listed
from ops.words.case_events import seen_words
from ops.words.event_values import Event, Values, Wording, run_on, separated, worded_with

_KINDS: Mapping[str, str] = {
    "conduct": N_("conduct"),
    "fight": N_("fight"),
    "medical": N_("medical"),
    "theft": N_("theft"),
    "damage": N_("damage"),
    "goodwill": N_("goodwill"),
    "chips": N_("lost chips"),
    "other": N_("other"),
}
OUTCOMES: Mapping[str, str] = {
    "resolved": N_("it is settled"),
    "warned": N_("somebody was warned"),
    "removed": N_("somebody had to leave"),
    "barred": N_("the patron is barred from playing here"),
    "reported": N_("the regulator or the police have it"),
    "unresolved": N_("nobody will find out more"),
}
CODES: Mapping[str, str] = {**_KINDS, **OUTCOMES}


def kind_called(kind: str) -> Words:
    """What kind of incident it is, in words."""
    return Words(_KINDS[kind])


def incident_words(name: str, kind: str, text: str) -> Words:
    """An incident in one line."""
    return Words(N_("{incident}, {kind}: {text}"), incident=name, kind=kind_called(kind), text=text)


def outcome_called(outcome: str) -> Words:
    """What came of an incident, in words."""
    return Words(OUTCOMES[outcome])


def _opened(event: Event, values: Values) -> Words:
    template = (
        N_("{incident} is opened at {table}, {kind}: {text}.")
        if event["table"]
        else N_("{incident} is opened, {kind}: {text}.")
    )
    kind = kind_called(event["kind"])
    opened = worded_with(template, values, kind=kind, text=_text(event))
    return run_on([opened, *_people(event)])


def _noted(event: Event, values: Values) -> Words:
    noted = worded_with(N_("Noted in {incident}: {text}."), values, text=_text(event))
    return run_on([noted, *_people(event)])


def _text(event: Event) -> Words:
    """What somebody wrote, and what cameras saw."""
    return separated([str(event["text"]), *seen_words(event["evidence"])])


def _people(event: Event) -> Iterator[Words]:
    """Who was in it."""
    people = [*event["patrons"], *event["staff"], *event["guests"]]
    if people:
        yield Words("In it: {people}.", people=listed(people))


_PLACES: Mapping[str, str] = {
    "tray": N_("the tray"),
    "cage": N_("the cage"),
    "person": N_("the person"),
    "floor": N_("the floor"),
}


def place_called(place: str) -> Words:
    """Where money is, in words."""
    return Words(_PLACES[place])


def _money_moved(event: Event, values: Values) -> Words:
    out_of, into = place_called(event["from_place"]), place_called(event["to_place"])
    template = N_("{incident}: {amount} goes from {out_of} to {into}.")
    return worded_with(template, values, out_of=out_of, into=into)


def _closed(event: Event, values: Values) -> Words:
    outcome = outcome_called(event["outcome"])
    return worded_with(N_("{incident} is closed: {outcome}."), values, outcome=outcome)


INCIDENTS: Mapping[str, Wording] = {
    "IncidentBookOpened": None,
    "IncidentNumbered": None,
    "IncidentOpened": _opened,
    "IncidentNoted": _noted,
    "MoneyMoved": _money_moved,
    "IncidentChipsMoved": None,
    "IncidentClosed": _closed,
    "IncidentReopened": N_("{incident} is open again."),
    "IncidentExported": N_(
        "The pack of {incident} as of #{position}: JSON {json_sha256}, PDF {pdf_sha256}."
    ),
}
