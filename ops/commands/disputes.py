"""Commands of a dispute, from the complaint to the closed case."""

from collections.abc import Mapping
from typing import Annotated, ClassVar

import msgspec
from msgspec import Meta, Struct

from domain.rules.permissions import BOSSES, FLOOR, Permission
from ops.commands.command import (
    AS_HELP,
    AT_A_SHELL,
    Amount,
    Command,
    Moment,
    Payment,
    Reason,
    Seat,
    Spot,
    Text,
    one_of,
)

# Milliseconds that a camera's clock may be off; more is a mistake.
FURTHEST_OFF = 24 * 60 * 60 * 1000


class OfDispute(Command, kw_only=True):
    """A command of a dispute about a coup (R-IRR-5)."""


class DisputeOpen(OfDispute, tag="dispute.open"):
    """Opens a case: a patron disputes how a coup was paid; the answer names it (R-IRR-5).

    `hold`: no further coup at the table until the case is decided or released. `amount`: what is
    in dispute.
    """

    coup: Text
    patron: Text
    complaint: Reason
    hold: bool = False
    amount: Amount | None = None

    arguments = ("coup", "patron", "complaint")
    permission = Permission((*FLOOR, "surveillance"))
    example = "dispute open B01/2026-11-21/1/5 P-10417 'I was not paid' --amount 100"
    option_help: ClassVar[Mapping[str, str]] = {
        "hold": "No further coup at the table until it is decided or released.",
        "amount": "What the patron claims, as in 200; default the most that their wagers may be "
        "paid.",
    }
    field_help: ClassVar[Mapping[str, str]] = {
        "amount": "What the patron claims; default the most that their wagers may be paid."
    }


class OnCase(OfDispute, kw_only=True):
    """A command about one case."""

    case: Text

    arguments: ClassVar[tuple[str, ...]] = ("case",)


class Seen(Struct, forbid_unknown_fields=True):
    """What a camera saw: when, by its own clock, and how far that clock is ahead."""

    camera: Text
    at: Moment
    ahead: Annotated[
        int, Meta(ge=-FURTHEST_OFF, le=FURTHEST_OFF, description="write milliseconds, as in 1500")
    ] = 0


Evidence = Annotated[
    list[Seen],
    Meta(
        max_length=24,
        description="write up to 24 of camera, at and ahead in milliseconds, as in "
        '{"camera": "CAM-14", "at": "2026-11-21T20:14:05+00:00", "ahead": 1500}',
        extra={
            AT_A_SHELL: "write up to 24 of camera and moment, as in 'CAM-14 "
            "2026-11-21T20:14:05 +1500'"
        },
    ),
]
EVIDENCE_HELP = (
    "'CAMERA MOMENT [+MS]', as in 'CAM-14 2026-11-21T20:14:05 +850'. MS: how many "
    "milliseconds the camera's clock is ahead. Repeat it."
)


class DisputeNote(OnCase, tag="dispute.note"):
    """Adds a note to a case: what somebody says or asks, and what cameras saw.

    `what_if`: changes to ask about together, written as for `sabot replay --what-if`.
    """

    text: Reason
    evidence: Evidence = msgspec.field(default_factory=list)
    what_if: Annotated[
        list[Text],
        Meta(max_length=24, description='write up to 24 changes, as in ["card 5 = KH"]'),
    ] = msgspec.field(default_factory=list)

    arguments = ("case", "text")
    permission = Permission((*FLOOR, "surveillance", "auditor"))
    example = "dispute note C-2026-0001 'the chips lay on Banker'"
    option_help: ClassVar[Mapping[str, str]] = {
        "evidence": EVIDENCE_HELP,
        "what_if": "A change to ask about, as in 'card 5 = KH'; repeat it for several at once.",
    }


class DisputeDecide(OnCase, tag="dispute.decide"):
    """Decides a case, by two people; payments follow at once (R-IRR-5).

    With `correct` it takes the fields of the command `correct`.
    """

    decision: Annotated[str, one_of(("stand", "correct", "void"))]
    reason: Reason
    seat: Seat | None = None
    spot: Spot | None = None
    to: Payment | None = None
    as_spot: Spot | None = msgspec.field(default=None, name="as")
    stake: Amount | None = None

    arguments = ("case", "decision", "reason")
    permission = Permission(BOSSES, must=True, two_in_open_house=True)
    example = "dispute decide C-2026-0001 stand 'the camera shows it' --with PB-1"
    option_help: ClassVar[Mapping[str, str]] = {
        "seat": "To correct: the seat of the wager.",
        "spot": "To correct: the spot of the wager.",
        "to": "To correct: what it should have been paid in all, stake included; default what "
        "the cards say.",
        "as": AS_HELP,
        "with": "The second person, a supervisor or above.",
    }
    more_help = """
\b
DECISION is one of these:
  stand    the payments stay as they are
  correct  the wager of --seat on --spot is paid: --to an amount in all, or
           --as if it had been on another spot, or what the cards say; with
           --stake by the stake that really lay there. Its commission is
           corrected too. Decide again for each wager
  void     every wager of the coup is returned; this is final
"""


class DisputeTell(OnCase, tag="dispute.tell"):
    """Records that the patron was informed of the decision and where to appeal."""

    in_words: Reason | None = None

    permission = Permission(BOSSES)
    example = "dispute tell C-2026-0001"
    option_help: ClassVar[Mapping[str, str]] = {
        "in_words": "In which words the patron was informed."
    }


class DisputeNotify(OnCase, tag="dispute.notify"):
    """Records that the regulator was notified; again, when its reference comes later."""

    reference: Text | None = None

    arguments = ("case", "reference")
    permission = Permission((*BOSSES, "surveillance"))
    example = "dispute notify C-2026-0001 2026/1182"


class DisputeHold(OnCase, tag="dispute.hold"):
    """Holds the table: no further coup until the case is decided or released."""

    permission = Permission((*FLOOR, "surveillance"))
    example = "dispute hold C-2026-0001"


class DisputeRelease(OnCase, tag="dispute.release"):
    """Releases the table: it deals again before the case is decided."""

    permission = Permission(BOSSES)
    example = "dispute release C-2026-0001"


class DisputeExport(OnCase, tag="dispute.export"):
    """Writes the case file for the regulator and records its checksums."""

    permission = Permission((*BOSSES, "surveillance", "auditor"))
    example = "dispute export C-2026-0001 --into packs"


class DisputeClose(OnCase, tag="dispute.close"):
    """Closes a case after the decision, the patron and the regulator; nothing is added then."""

    permission = Permission(BOSSES)
    example = "dispute close C-2026-0001"
