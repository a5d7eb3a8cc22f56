"""Commands of an inquiry, which surveillance keeps to itself: from a suspicion to its outcome."""

from collections.abc import Mapping
from typing import Annotated, ClassVar

import msgspec

from domain.rules.inquiries import ABOUT, OUTCOMES
from domain.rules.permissions import WATCH, Permission
from domain.rules.protection_levels import QUESTIONS
from ops.commands.command import Command, Day, EventNumber, Reason, Text, one_of
from ops.commands.disputes import EVIDENCE_HELP, Evidence

Question = Annotated[str, one_of(QUESTIONS)]
_OF_A_ROW: Mapping[str, str] = {
    "question": "The question of its row in `report protection`; the row is stored as it is now.",
    "day": "The gaming day of that row; needed for a patron or a dealer.",
    "beside": "The other patron, or the dealer, of that row, where it names two people.",
    "position": "The position by which that row was seen, where all else is the same.",
}


class InquiryOpen(Command, tag="inquiry.open"):
    """Begins to look into a coup, a shoe, a patron or a dealer; the answer names the inquiry.

    Only surveillance and auditors learn of it. With `question`, it has the row of `report
    protection` as it is now.
    """

    about: Annotated[str, one_of(ABOUT)]
    subject: Text
    text: Reason
    question: Question | None = None
    day: Day | None = None
    beside: Text | None = None
    position: EventNumber | None = None

    arguments = ("about", "subject", "text")
    permission = Permission(WATCH)
    example = "inquiry open shoe B01/2026-11-21/1 'look' --question 'new deck'"
    field_help: ClassVar[Mapping[str, str]] = {
        "about": "What it is about.",
        "subject": "The coup, the shoe, the patron, or the dealer's staff number.",
        **_OF_A_ROW,
    }


class OnInquiry(Command, kw_only=True):
    """A command about one inquiry."""

    inquiry: Text

    arguments: ClassVar[tuple[str, ...]] = ("inquiry",)


class InquiryNote(OnInquiry, tag="inquiry.note"):
    """Adds a note to an inquiry: what somebody saw or asks, and what cameras saw."""

    text: Reason
    evidence: Evidence = msgspec.field(default_factory=list)

    arguments = ("inquiry", "text")
    permission = Permission(WATCH)
    example = "inquiry note I-2026-0001 'the dealer looks away'"
    option_help: ClassVar[Mapping[str, str]] = {"evidence": EVIDENCE_HELP}


class InquiryAttach(OnInquiry, tag="inquiry.attach"):
    """Attaches a coup, a shoe, or a row of `report protection` to an inquiry, as evidence.

    With `question`, the row as it is now.
    """

    about: Annotated[str, one_of(ABOUT)]
    subject: Text
    text: Reason
    question: Question | None = None
    day: Day | None = None
    beside: Text | None = None
    position: EventNumber | None = None

    arguments = ("inquiry", "about", "subject", "text")
    permission = Permission(WATCH)
    example = "inquiry attach I-2026-0001 coup B01/2026-11-21/1/5 'late'"
    field_help: ClassVar[Mapping[str, str]] = {
        "about": "What it is.",
        "subject": "The coup, the shoe, or the patron or dealer of a row.",
        **_OF_A_ROW,
    }


class InquiryClose(OnInquiry, tag="inquiry.close"):
    """Closes an inquiry with its outcome, by two people; it may be reopened."""

    outcome: Annotated[str, one_of(OUTCOMES)]
    reason: Reason

    arguments = ("inquiry", "outcome", "reason")
    permission = Permission(WATCH, WATCH, must=True, two_in_open_house=True)
    example = "inquiry close I-2026-0001 unfounded 'it was shuffled' --with AU-1"
    field_help: ClassVar[Mapping[str, str]] = {"outcome": "What came of it."}
    more_help = """
\b
OUTCOME is one of these:
  unfounded  there was nothing
  unproven   it stays a suspicion
  corrected  the house changed what made it possible
  barred     the patron is barred from playing here
  reported   the regulator or the police have it
"""


class InquiryExport(OnInquiry, tag="inquiry.export"):
    """Writes the pack of an inquiry, which a stranger can check, and records its checksums."""

    permission = Permission(WATCH)
    example = "inquiry export I-2026-0001 --into packs"


class InquiryReopen(OnInquiry, tag="inquiry.reopen"):
    """Goes on with a closed inquiry."""

    reason: Reason

    arguments = ("inquiry", "reason")
    permission = Permission(WATCH)
    example = "inquiry reopen I-2026-0001 'it happened again'"
