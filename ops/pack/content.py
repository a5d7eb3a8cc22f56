"""The fields of a pack's file, from which alone the paper is made.

Amounts are minor units; moments are in UTC.
"""

from msgspec import UNSET, Struct, UnsetType

from ops.replay.case import Footage
from ops.replay.coup_story import CoupStory
from ops.replay.what_if_answer import WhatIfAnswer


class Note(Struct, frozen=True):
    """A note, with its evidence and questions."""

    at: str
    by: str
    text: str
    evidence: list[Footage]
    what_if: list[str]


class Decision(Struct, frozen=True):
    """A decision of two people, with its effect."""

    at: str
    number: int
    decision: str
    reason: str
    seat: int | None
    spot: str | None
    to: int | None
    as_spot: str | None
    effect: str
    changes_hands: int
    commission_changes: int
    decided_by: str
    approved_by: str
    approved_proved: str | None


class PatronTold(Struct, frozen=True, omit_defaults=True):
    """The record that the patron was informed of a decision, and in which words if it is known."""

    at: str
    number: int
    until: str | None
    by: str
    in_words: str = ""


class Notified(Struct, frozen=True):
    """The record that the regulator was notified."""

    at: str
    reference: str
    by: str


class Held(Struct, frozen=True, rename={"since": "from"}):
    """A time in which the table was held; without `until` it still is."""

    since: str
    by: str
    until: str | None = None
    why: str | None = None


class Deadline(Struct, frozen=True):
    """A duty, its deadline, and when it was done."""

    what: str
    due_at: str
    done_at: str | None


class PackCase(Struct, frozen=True, kw_only=True):
    """The dispute, from the complaint to the last deadline."""

    case: str
    coup: str
    patron: str
    complaint: str
    amount: int | None
    opened_at: str
    opened_by: str
    frozen_at: int
    agrees_then: bool
    disagreements_then: list[str]
    notes: list[Note]
    decisions: list[Decision]
    informed: list[PatronTold]
    notified: list[Notified]
    held: list[Held]
    patron_told_at: str | None
    regulator_notified_at: str | None
    reference: str | None
    deadlines: list[Deadline]
    status: str


class Owner(Struct, frozen=True):
    """The casino, with its currency and time zone."""

    name: str
    zone: str


class Layout(Struct, frozen=True):
    """The seats, and each spot's result with these cards, or None while a card is due."""

    seats: list[int]
    spots: dict[str, str | None]


class Relief(Struct, frozen=True):
    """A change of dealer or supervisor."""

    position: int
    at: str
    role: str  # `dealer` or `supervisor`
    staff: str
    before: str


class Spoke(Struct, frozen=True, rename={"role": "as"}):
    """A person, with the coup's events that they entered or signed as the second person."""

    staff: str
    role: str  # `by`, or `with`: the second person
    proved: str | None
    positions: list[int]


class OnDuty(Struct, frozen=True):
    """Who dealt and supervised, and who entered and signed commands: staff numbers."""

    dealer: str | None
    supervisor: str | None
    shoe_holder: str | None
    reliefs: list[Relief]
    spoke: list[Spoke]


class Rules(Struct, frozen=True):
    """The rule set of the coup; `stated` is the text that the digest is computed from."""

    name: str
    source: str
    digest: str
    stated: str
    terms: dict[str, object]


class Placard(Struct, frozen=True):
    """The tableau: a row of D and S for each total, from 0 up."""

    player: str
    banker: list[str]


class PackEvent(Struct, frozen=True, kw_only=True):
    """An event: every column as in the ledger, and its sentence."""

    position: int
    about: str
    event: str
    at: str
    words: str | None
    originator_id: str
    originator_version: int
    topic: str
    state: str | UnsetType = UNSET  # or `state_hex`, if it was altered to something that is no text
    state_hex: str | UnsetType = UNSET
    recorded_at: str
    gaming_day: str
    table_code: str
    actor: str
    command_id: str
    metadata: str
    previous: str
    hash: str


class Signed(Struct, frozen=True):
    """The signed checkpoint of the record, and the proof that it has each event of the pack."""

    note: str  # with the cosignatures of witnesses
    key: str  # of the house, as a C2SP verifier key
    size: int
    root: str
    inclusion: dict[str, list[str]]  # by position: the hashes up to the root, in base64


class Head(Struct, frozen=True):
    """The last event in a pack."""

    position: int
    hash: str


class Chain(Struct, frozen=True):
    """Whether the hashes fit the columns, and the events where they do not."""

    good: bool
    walked: list[int]  # the first and the last position
    broken: list[int]
    head: Head


class HandedOut(Struct, frozen=True, kw_only=True):
    """What every file has that is about more than one coup; `last_position`: of all in it."""

    pack: str
    property: Owner
    currency: str
    last_position: int
    recorded_at: str
    events: list[PackEvent]
    chain: Chain
    canonical_form: dict[str, str | list[str]]
    checkpoint: Signed | None


class InquiryContent(HandedOut, frozen=True, kw_only=True):
    """The content of the file of an inquiry: its events, those of its shoes, and its coups' packs.

    Nothing in it was worked out anew but what happened in the inquiry, in order.
    """

    inquiry: dict[str, object]
    shoes: list[str]
    coups: dict[str, dict[str, object]]  # the fields of each one's own pack, without a paper


class AmlContent(HandedOut, frozen=True, kw_only=True):
    """The content of the file of a case of money laundering; the summary follows from its events.

    `evidence`: the positions of the events that it names; `cash_days`: `P-10417/2026-11-21`, each
    with all of its events; `known_as`: each alias in it, and whom it was identified as.
    """

    aml_case: dict[str, object]
    evidence: list[int]
    cash_days: list[str]
    known_as: dict[str, str]


class Around(Struct, frozen=True):
    """A moment of an incident, and the coups at its table before and after it; None for none.

    `at`: of its opening, or what a camera shows, by the record's clock.
    """

    at: str
    before: str | None
    after: str | None


class IncidentContent(HandedOut, frozen=True, kw_only=True):
    """The content of the file of an incident; the summary follows from its events.

    `known_as`: as in a case of money laundering; `coups`: the fields of the pack of each coup that
    is `around` a moment of it.
    """

    incident: dict[str, object]
    known_as: dict[str, str]
    around: list[Around]
    coups: dict[str, dict[str, object]]


class PackContent(Struct, frozen=True, kw_only=True):
    """The content of a pack file."""

    pack: str
    coup: str
    property: Owner
    currency: str  # of every amount, which are minor units
    last_position: int
    recorded_at: str
    replay: CoupStory
    layout: Layout | None
    on_duty: OnDuty
    rules: Rules | None
    tableau: Placard
    events: list[PackEvent]
    chain: Chain
    canonical_form: dict[str, str | list[str]]
    checkpoint: Signed | None = None
    what_if: list[WhatIfAnswer] = []
    case: PackCase | None = None
    pdf_sha256: str | UnsetType = UNSET
