"""Sentences for what proves the record: its signing keys and its checkpoints."""

import json
from collections.abc import Mapping
from datetime import datetime

from domain.rules.wording import N_, Number, Words, counted
from ops.words.event_values import Event, Values, Wording, run_on, worded_with
from ops.words.feed_lines import in_few_words


def key_id(key: str) -> str:
    """What people compare of a verifier key: its name and its eight hex digits."""
    return "+".join(key.split("+")[:2])  # the rest may have more of them


def _introduced(event: Event, values: Values) -> Words:
    return worded_with(N_("The record is signed by {key} from now on."), _called(event, values))


def _replaced(event: Event, values: Values) -> Words:
    words = N_("The signing key is {key} from now on; {before} signed that it follows.")
    if event["lost"]:
        words = N_(
            "The signing key is {key} from now on; {before} is lost and did not sign the new key."
        )
    return worded_with(words, _called(event, values))


def missing_words(event: Event) -> Words:
    """What is missing from the record, where that is known, and what to do."""
    many = event["until"] - event["continues"]
    fields = {"continues": Number(event["continues"]), "until": Number(event["until"])}
    if event["signed"]:
        words = counted(
            many,
            "The record was restored to #{continues}: {n} event up to #{until} that was signed is "
            "missing. A checkpoint of it is {known}.",
            "The record was restored to #{continues}: {n} events up to #{until} that were signed "
            "are missing. A checkpoint of them is {known}.",
            **fields,
            known=event["known"],
        )
    else:
        words = counted(
            many,
            "The record was restored to #{continues}: {n} event up to #{until} that was "
            "acknowledged is missing. It is known {known}.",
            "The record was restored to #{continues}: {n} events up to #{until} that were "
            "acknowledged are missing. They are known {known}.",
            **fields,
            known=event["known"],
        )
    return run_on([words, Words("Find the database that has them, or decide: `audit restored`.")])


def _missing(event: Event, _values: Values) -> Words:
    return line_words(event) if event.get("line_id") else missing_words(event)


def line_words(event: Event) -> Words:
    """One line that was acknowledged and is missing, and what to do."""
    moment = datetime.fromisoformat(event["acknowledged_at"])
    return run_on(
        [
            Words(
                "Lost by the restore: {line}. It was acknowledged {known} as #{until}, on {at}.",
                known=event["known"],
                until=Number(event["until"]),
                at=Words("{day} {time} UTC", day=moment.date(), time=f"{moment:%H:%M:%S}"),
                line=in_few_words(json.loads(event["line"])),
            ),
            Words(
                "Two people decide: take it again, `audit again`, or leave it out with a reason, "
                "`alert acknowledge`."
            ),
        ]
    )


def _restored(event: Event, values: Values) -> Words:
    many = event["until"] - event["continues"]
    return counted(
        many,
        "Epoch {epoch} of the record begins: it goes on after #{continues}, without {n} event up "
        "to #{until}.",
        "Epoch {epoch} of the record begins: it goes on after #{continues}, without {n} events up "
        "to #{until}.",
        epoch=Number(event["epoch"]),
        continues=Number(event["continues"]),
        until=Number(event["until"]),
    )


def _called(event: Event, values: Values) -> Values:
    keys = {name: key_id(event[name]) for name in ("key", "before") if name in event}
    return {**values, **keys}


RECORD: Mapping[str, Wording] = {
    "SigningKeysIntroduced": _introduced,
    "KeyReplaced": _replaced,
    "CheckpointSigned": N_("Checkpoint: {size} events are signed. Their root is {root}."),
    "CheckpointSent": N_("The checkpoint of {size} events is at {place}."),
    "CheckpointCosigned": N_("{witness} cosigned the checkpoint of {size} events."),
    "EventsMissing": _missing,
    "ArchivingCoupsLeft": N_(
        "Coups and shoes up to #{events} leave the database. They are in the archive {directory}; "
        "the root over these events is {root}."
    ),
    "CoupsBroughtBack": N_(
        "The coups and shoes that left are in the database again, from {directory}."
    ),
    "RecordRestored": _restored,
    "VerificationFailed": N_(
        "The record is NOT as it was written ({fault}, at event #{at_event}): {words} Run `audit "
        "verify`, and call the regulator."
    ),
    "OtherHouseDistrusted": N_(
        "The record of {house} ({origin}) is NOT to be trusted: {words} Call that house and the "
        "regulator, then go on with it by `group accept`."
    ),
    "WitnessRefused": N_(
        "{witness} REFUSES the checkpoint of {size} events ({status}): the record does not "
        "continue what it saw. Run `audit verify`, and call the regulator."
    ),
}
