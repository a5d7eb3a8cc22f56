"""Disputes: a case from what a patron says to what was decided."""

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

FURTHEST_OFF = (
    24 * 60 * 60 * 1000
)  # milliseconds; a camera's clock that is off by more says nothing


class OfDispute(Command, kw_only=True):
    """A command about what a patron says of a coup (R-IRR-5)."""


class DisputeOpen(OfDispute, tag="dispute.open"):
    """Opens a case: a patron says that a coup was paid wrongly; the answer carries it (R-IRR-5).

    `hold`: no further coup at the table until it is decided or released. `amount`: in dispute.
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


class OnCase(OfDispute, kw_only=True):
    """A step of a case."""

    case: Text

    arguments: ClassVar[tuple[str, ...]] = ("case",)


class Seen(Struct, forbid_unknown_fields=True):
    """What a camera saw: when, by its own clock, and how far that is ahead of the record's."""

    camera: Text
    at: Moment
    ahead: Annotated[int, Meta(ge=-FURTHEST_OFF, le=FURTHEST_OFF)] = 0


class DisputeNote(OnCase, tag="dispute.note"):
    """Adds what somebody says or asks, and where it can be seen.

    `what_if`: changes that are asked about together, written as for `sabot replay --what-if`.
    """

    text: Reason
    evidence: Annotated[
        list[Seen],
        Meta(
            max_length=24,
            description="it is up to 24 of camera, at and ahead in milliseconds, as in "
            '{"camera": "CAM-14", "at": "2026-11-21T20:14:05+00:00", "ahead": 1500}',
            extra={
                AT_A_SHELL: "write up to 24 of camera and moment, as in 'CAM-14 "
                "2026-11-21T20:14:05 +1500'"
            },
        ),
    ] = msgspec.field(default_factory=list)
    what_if: Annotated[
        list[Text],
        Meta(max_length=24, description='it is up to 24 changes, as in ["card 5 = KH"]'),
    ] = msgspec.field(default_factory=list)

    arguments = ("case", "text")
    permission = Permission((*FLOOR, "surveillance", "auditor"))
    example = "dispute note C-2026-0001 'the chips lay on Banker'"
    option_help: ClassVar[Mapping[str, str]] = {
        "evidence": "'CAMERA MOMENT [+MS]', as in 'CAM-14 2026-11-21T20:14:05 +850': MS the "
        "milliseconds its clock is ahead; without an offset by the property's clock; repeat it.",
        "what_if": "What if it had been so, as in 'card 5 = KH'; repeat it for several at once.",
    }


class DisputeDecide(OnCase, tag="dispute.decide"):
    """Two people decide a case; what follows is done at once (R-IRR-5).

    To `correct` takes what the command of that name takes.
    """

    decision: Annotated[str, one_of(("stand", "correct", "void"))]
    reason: Reason
    seat: Seat | None = None
    spot: Spot | None = None
    to: Payment | None = None
    as_spot: Spot | None = msgspec.field(default=None, name="as")

    arguments = ("case", "decision", "reason")
    permission = Permission(BOSSES, must=True, two_in_open_house=True)
    example = "dispute decide C-2026-0001 stand 'the camera shows it' --with PB-1"
    option_help: ClassVar[Mapping[str, str]] = {
        "seat": "To correct: whose wager it is.",
        "spot": "To correct: where it lies.",
        "to": "To correct: what it should have been paid in all, its stake included; default what "
        "the cards say.",
        "as": AS_HELP,
        "with": "The second person, a supervisor or above.",
    }
    more_help = """
\b
DECISION is one of these:
  stand    nothing changes hands
  correct  the wager of --seat on --spot is paid --to an amount in all, --as
           what lay on another spot, or else what the cards say, and its
           commission follows; decide again for each wager paid wrongly
  void     every wager of the coup goes back, whoever's it is, and stays so
"""


class DisputeTell(OnCase, tag="dispute.tell"):
    """The patron was told the decision, and whom they may turn to."""

    permission = Permission(BOSSES)
    example = "dispute tell C-2026-0001"


class DisputeNotify(OnCase, tag="dispute.notify"):
    """The regulator was notified of it; again, when its reference comes later."""

    reference: Text | None = None

    arguments = ("case", "reference")
    permission = Permission((*BOSSES, "surveillance"))
    example = "dispute notify C-2026-0001 2026/1182"


class DisputeHold(OnCase, tag="dispute.hold"):
    """No further coup at the table from now on, until it is decided or released."""

    permission = Permission((*FLOOR, "surveillance"))
    example = "dispute hold C-2026-0001"


class DisputeRelease(OnCase, tag="dispute.release"):
    """The table deals again, whatever is decided."""

    permission = Permission(BOSSES)
    example = "dispute release C-2026-0001"


class DisputeExport(OnCase, tag="dispute.export"):
    """Makes the pack of a case, for the regulator; which files those are is on record."""

    permission = Permission((*BOSSES, "surveillance", "auditor"))
    example = "dispute export C-2026-0001 --into packs"


class DisputeClose(OnCase, tag="dispute.close"):
    """Closes a case that is decided, told and notified; nothing is added any more."""

    permission = Permission(BOSSES)
    example = "dispute close C-2026-0001"
