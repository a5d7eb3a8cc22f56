"""The pack of a coup: files that surveillance gives to a regulator, and a stranger can check.

One JSON file, and one PDF with the same content on paper, both in English. The file has whole
events, each with its hash and the hash of the event before it, and how a hash is computed, so that
`scripts/verify_pack` needs nothing else. One program makes the same bytes of the same record: both
files are dated by the last event in them, and leave out later events about other things. The foot
of the paper names the program.
"""

import hashlib
import json
from collections.abc import Collection, Sequence
from contextlib import suppress
from datetime import datetime
from typing import TYPE_CHECKING, Any

from msgspec import UNSET, Struct, to_builtins
from msgspec.structs import replace

from domain.review.replay import Line
from domain.rules.hands import play
from domain.rules.house_rules import HouseRules
from domain.rules.refusals import SENSELESS, CardNotDue, CoupNotFinished
from domain.rules.tableau import TABLEAU
from domain.rules.wagers import judge, verdict
from domain.rules.wording import plain
from ops.commands.house_events import house
from ops.ledger.chain import Fields, Recorded
from ops.ledger.mapper import fields_of
from ops.ledger.streams import metadata_of, proof_of
from ops.pack.content import (
    Chain,
    Head,
    Layout,
    OnDuty,
    Owner,
    PackCase,
    PackContent,
    Placard,
    Relief,
    Rules,
    Signed,
    Spoke,
)
from ops.pack.events import RELIEFS, SourceEvent, events_of, moment
from ops.pack.paper import copy_for_patron, paper
from ops.proof import on_record
from ops.proof.checkpoint import Checkpoint, opened
from ops.proof.note import NotGood, b64
from ops.proof.proving import proven
from ops.proof.tree import NotProven
from ops.replay.coup_story import CoupStory, story_of
from ops.replay.story import CoupRecord
from ops.replay.what_if_answer import WhatIfAnswer
from ops.words.language import ENGLISH, reading
from ops.words.pdf import pdf

if TYPE_CHECKING:
    import psycopg

SHAPE = "sabot-pack-1"
# For readers who have only this file: how `ops.ledger.chain` computes the hash.
CANONICAL_FORM: dict[str, str | list[str]] = {
    "hash": "SHA-256 over the byte 00, then the canonical form",
    "form": "the ASCII bytes sabot-event-1, then each field behind its length in four bytes",
    "fields": [
        "command_id: UTF-8",
        "actor: UTF-8",
        "metadata: UTF-8",
        "gaming_day: days since 2000-01-01, four bytes, signed",
        "table_code: UTF-8",
        "originator_id: the 16 bytes of the UUID",
        "originator_version: eight bytes",
        "topic: UTF-8",
        "state: the text in UTF-8; or, where it is no text, the bytes of state_hex",
        "position: eight bytes",
        "recorded_at: microseconds since 2000-01-01T00:00:00 UTC, eight bytes, signed",
        "previous: 32 bytes, the hash of the event before",
    ],
    "numbers": "the most significant byte first",
    "first": "`previous` of the event at position 1 is 32 zero bytes",
}


class Pack(Struct, frozen=True):
    """The two files; `position`: of the last event in them."""

    position: int
    json: bytes
    pdf: bytes

    @property
    def json_sha256(self) -> str:
        """The SHA-256 of the JSON file, in hex."""
        return hashlib.sha256(self.json).hexdigest()

    @property
    def pdf_sha256(self) -> str:
        """The SHA-256 of the PDF, in hex; the JSON file contains it too."""
        return hashlib.sha256(self.pdf).hexdigest()


def pack(
    connection: "psycopg.Connection[Any]",
    record: CoupRecord,
    *,
    what_if: Sequence[WhatIfAnswer] = (),
    case: PackCase | None = None,
    case_events: Sequence[Recorded] = (),
) -> Pack:
    """Makes the pack of a coup whose whole record was read.

    `what_if`: the replay's answer to each question; `case`: the dispute, and its events. Refuses:
    CoupNotFinished, while a card is face down. Raises UnreadableEvent.
    """
    with reading(ENGLISH):
        content = content_of(connection, record, what_if=what_if, case=case, events=case_events)
        printed = pdf("pack", paper(content), datetime.fromisoformat(content.recorded_at))
    return both(content.last_position, as_fields(content), printed)


def content_of(
    connection: "psycopg.Connection[Any]",
    record: CoupRecord,
    *,
    what_if: Sequence[WhatIfAnswer] = (),
    case: PackCase | None = None,
    events: Sequence[Recorded] = (),
) -> PackContent:
    """The content of a coup's pack, with its signed checkpoint; `events`: of the case.

    Refuses: CoupNotFinished. Raises UnreadableEvent.
    """
    require_turned(record)
    every = events_of(connection, record, events)
    return replace(
        _content(connection, record, every),
        what_if=list(what_if),
        case=case,
        checkpoint=signed_with(connection, [each.recorded for each in every]),
    )


def as_fields(content: PackContent) -> Fields:
    """The content as the fields of the file."""
    return {**to_builtins(content, enc_hook=plain), "replay": content.replay.as_dict()}


def both(position: int, fields: Fields, printed: bytes) -> Pack:
    """The two files, the hash of the paper in the other one."""
    whole = {**fields, "pdf_sha256": hashlib.sha256(printed).hexdigest()}
    written = json.dumps(whole, ensure_ascii=False, indent=1) + "\n"
    return Pack(position, written.encode(), printed)


def signed_with(connection: "psycopg.Connection[Any]", events: list[Recorded]) -> Signed | None:
    """The first checkpoint that covers all of the events, with their proofs; None without one.

    None too where the record is not what was signed: the pack says of its hashes whether they are
    good, and `sabot audit verify` says what happened.
    """
    signed = on_record.covering(connection, events[-1].position)
    if not signed:
        return None
    try:
        proofs = proven(connection, events, signed)
    except NotProven:
        return None
    checkpoint = proofs[0].checkpoint
    return Signed(
        note=signed.whole,
        key=_key_of(connection, signed),
        size=checkpoint.size,
        root=checkpoint.root.hex(),
        inclusion={str(each.event.position): [b64(h) for h in each.hashes] for each in proofs},
    )


def _key_of(connection: "psycopg.Connection[Any]", signed: on_record.SignedOnRecord) -> str:
    """The key of the house that signed a checkpoint."""
    for each in reversed(on_record.keys(connection)):
        with suppress(NotGood):
            opened(signed.note, Checkpoint.of(signed.note).origin, each.key)
            return each.key
    return ""


def patron_copy(
    connection: "psycopg.Connection[Any]", record: CoupRecord, names: Collection[str]
) -> bytes:
    """The paper of a coup for one patron, who has these names, in the reader's language.

    Refuses: CoupNotFinished. Raises UnreadableEvent.
    """
    require_turned(record)
    shown, whole = record.shown_to(names), events_of(connection, record)
    copy = record.copy_for(names).also_of(
        [Line(each.position, each.event) for each in whole if each.about == "coup"]
    )
    events = [
        replace(each, event=event)
        for each in whole
        if each.about != "meter"  # it has what others bet
        and (event := copy.event(copy.as_owned(Line(each.position, each.event)))) is not None
    ]
    content = _content(connection, shown, events)
    rows = [
        replace(row, state=_stated(each.event), state_hex=UNSET)
        for row, each in zip(content.events, events, strict=True)
    ]
    layout = content.layout and replace(content.layout, seats=[])
    content = replace(content, events=rows, layout=layout)
    return pdf("pack", copy_for_patron(content), events[-1].recorded.recorded_at)


def _stated(event: Any) -> str:
    """The fields of an event as text, as they are in a patron's copy."""
    return json.dumps(to_builtins(fields_of(event), enc_hook=plain))


def require_turned(record: CoupRecord) -> None:
    """Refuses the pack of a coup while a card is face down. Refuses: CoupNotFinished.

    The events name every card, and have to be whole to be checked, so no card can be left out.
    """
    if record.face_down:
        why = "cards of it lie face down; export it when they are turned, or when it is over"
        raise CoupNotFinished(rule="R-DEAL-3", coup=record.address, why=why)


def _content(
    connection: "psycopg.Connection[Any]", record: CoupRecord, events: list[SourceEvent]
) -> PackContent:
    """The whole content of the file."""
    story, rules, last = story_of(record), _rules(record), events[-1]
    owner = house(connection, last.position)
    currency = rules.currency if rules else owner.currency
    return PackContent(
        pack=SHAPE,
        coup=str(record.address),
        property=Owner(owner.name, owner.zone),
        currency=currency,
        last_position=last.position,
        recorded_at=moment(last.recorded.recorded_at),
        replay=story,
        layout=_layout(rules, story),
        on_duty=_on_duty([each for each in events if each.about == "coup"], events),
        rules=_rules_stated(rules),
        tableau=Placard(TABLEAU.player, list(TABLEAU.banker)),
        events=[each.row(currency) for each in events],
        chain=chain_of(
            events, (record.first_position, record.last_position), good=record.chain_good
        ),
        canonical_form=CANONICAL_FORM,
    )


def chain_of(events: Sequence[SourceEvent], walked: tuple[int, int], *, good: bool = True) -> Chain:
    """Whether the hashes of these events fit; `good`: those of all between `walked`."""
    broken, last = [each.position for each in events if not each.chained], events[-1]
    return Chain(
        good=good and not broken,
        walked=list(walked),
        broken=broken,
        head=Head(last.position, last.recorded.hash.hex()),
    )


def _rules(record: CoupRecord) -> HouseRules | None:
    """The coup's rule set, or None if its record does not name it."""
    try:
        return record.replay.rules if record.replay else None
    except SENSELESS:
        return None


def _rules_stated(rules: HouseRules | None) -> Rules | None:
    """The rule set with every term, or None if it is unknown."""
    if rules is None:
        return None
    terms = json.loads(rules.stated)
    return Rules(rules.name, rules.source, rules.digest, rules.stated, terms)


def _layout(rules: HouseRules | None, story: CoupStory) -> Layout | None:
    """The layout, or None if the rule set is unknown."""
    if rules is None:
        return None
    try:
        result = play([each.card or "" for each in story.cards]).result
    except (CardNotDue, *SENSELESS):
        result = None
    return Layout(
        seats=list(rules.seats),
        spots={
            spot: verdict(judge(each.pays, result))
            if result and spot not in rules.over_coups
            else None
            for spot, each in rules.spots.items()
        },
    )


def _on_duty(coup: list[SourceEvent], events: list[SourceEvent]) -> OnDuty:
    opened = coup[0].event
    return OnDuty(
        dealer=getattr(opened, "dealer", None),
        supervisor=getattr(opened, "supervisor", None),
        shoe_holder=getattr(opened, "shoe_holder", None),
        reliefs=[
            Relief(
                position=each.position,
                at=moment(each.event.timestamp),
                role=RELIEFS[type(each.event)],
                staff=each.event.staff,
                before=each.event.before,
            )
            for each in events
            if type(each.event) in RELIEFS
        ],
        spoke=[Spoke(*who, positions) for who, positions in _spoke(coup).items()],
    )


def _spoke(coup: list[SourceEvent]) -> dict[tuple[str, str, str | None], list[int]]:
    """The positions of the coup's events by person, role (`by` or `with`) and proof."""
    spoke: dict[tuple[str, str, str | None], list[int]] = {}
    for each in coup:
        actor, second = each.recorded.actor, str(metadata_of(each.recorded).get("with", ""))
        for staff, role in ((actor, "by"), *([(second, "with")] if second else [])):
            key = staff, role, proof_of(each.recorded, staff)
            spoke.setdefault(key, []).append(each.position)
    return spoke
