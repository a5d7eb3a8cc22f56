"""Commands of a shoe, from loading to counting what is left."""

from collections.abc import Mapping
from typing import Annotated, ClassVar

import msgspec
from msgspec import Meta

from domain.aggregates.shoe import DISCARDS, DISPOSITIONS
from domain.aggregates.shoe_steps import SHUFFLES
from domain.rules.permissions import BOSSES, FLOOR, GAME, Permission
from ops.commands.command import (
    AtTable,
    Cards,
    CardText,
    Code,
    Count,
    Reason,
    Seat,
    StaffNumber,
    Text,
    one_of,
)

Shuffle = Annotated[str, one_of(SHUFFLES)]
Disposition = Annotated[str, one_of(DISPOSITIONS)]
Discard = Annotated[str, one_of(DISCARDS)]
Remaining = Annotated[
    Count | list[CardText], Meta(description="write how many cards, or the list of them")
]


class ShoeLoad(AtTable, tag="shoe.load"):
    """Loads a shoe with decks, or with a sealed batch (R-SHOE-1)."""

    decks: Annotated[int, Meta(ge=1, le=12, description="write a number of decks, 1 to 12")]
    serials: Annotated[
        list[Code], Meta(max_length=24, description="write a list of up to 24 serial numbers")
    ] = msgspec.field(default_factory=list)
    colour: Text | None = None
    batch: Code | None = None

    arguments = ("table", "decks")
    permission = Permission(FLOOR)
    example = "shoe load B01 8 --serials K-1 --serials K-2 --colour red"


class ShoeInspect(AtTable, tag="shoe.inspect"):
    """Records that the cards are complete; for a sealed batch a second person counts along."""

    verified_by: StaffNumber | None = None

    permission = Permission(FLOOR, FLOOR)  # the second, if a sealed batch takes one
    example = "shoe inspect B01"

    @property
    def second_person(self) -> str:
        """The staff number of whoever counted along, or '' for nobody."""
        return self.verified_by or self.second or ""


class ShoeShuffle(AtTable, tag="shoe.shuffle"):
    """Records the shuffle; a shoe without one deals no coup (R-SHOE-1)."""

    method: Shuffle
    device: Code | None = None

    arguments = ("table", "method")
    permission = Permission(GAME)
    example = "shoe shuffle B01 machine --device SH-2"


class ShoeCut(AtTable, tag="shoe.cut"):
    """Records who cut the shoe and where the cut card is (R-SHOE-3)."""

    seat: Seat | None = None
    staff: StaffNumber | None = None
    cut_card: Count | None = None

    permission = Permission(GAME)
    example = "shoe cut B01 --seat 3"
    field_help: ClassVar[Mapping[str, str]] = {
        "seat": "The seat that cut the shoe.",
        "staff": "The staff number of whoever cut the shoe; default the dealer.",
    }


class ShoeBurn(AtTable, tag="shoe.burn"):
    """Shows and burns the first card, and burns more face down (R-SHOE-2).

    A generated shoe names the card itself. Between coups, where the rule set says so, one card is
    burned face down (R-SHOE-6).
    """

    card: CardText | None = None
    left_out: bool = False

    arguments = ("table", "card")
    permission = Permission(GAME)
    example = "shoe burn B01 3D"
    field_help: ClassVar[Mapping[str, str]] = {
        "card": "The first card; none between coups, nor from a generated shoe.",
        "left_out": "The coup was begun without the burned card before it.",
    }


class ShoePass(AtTable, tag="shoe.pass"):
    """Passes the shoe to a seat, or back to the dealer (R-DEAL-4)."""

    seat: Seat | None = None
    staff: StaffNumber | None = None

    permission = Permission(FLOOR)
    example = "shoe pass B01 --seat 5"
    field_help: ClassVar[Mapping[str, str]] = {
        "seat": "The seat that deals from now on.",
        "staff": "The staff number of whoever deals from now on; default the dealer.",
    }


class ShoeCutCard(AtTable, tag="shoe.cut-card"):
    """Records that the cut card shows (R-SHOE-3)."""

    confirmed: bool = False

    permission = Permission(GAME)
    example = "shoe cut-card B01"


class ShoeMisdraw(AtTable, tag="shoe.misdraw"):
    """Enters a card that was drawn when none was due (R-IRR-1)."""

    card: CardText
    disposition: Disposition | None = None

    arguments = ("table", "card")
    permission = Permission(FLOOR, must=True, alone=BOSSES)
    example = "shoe misdraw B01 9D --with S-11"


class ShoeDiscard(AtTable, tag="shoe.discard"):
    """Discards a card that is face up in the shoe, damaged or foreign (R-IRR-3, R-IRR-4)."""

    card: CardText
    reason: Discard

    arguments = ("table", "card", "reason")
    permission = Permission(FLOOR, must=True, alone=BOSSES)
    example = "shoe discard B01 7H face-up --with S-11"
    field_help: ClassVar[Mapping[str, str]] = {
        "reason": "Why the card is not used; a foreign card never belonged to the shoe."
    }


class ShoeEnd(AtTable, tag="shoe.end"):
    """Ends the shoe; before the cut card shows, with a supervisor and a reason."""

    reason: Reason | None = None

    permission = Permission(FLOOR, two_in_open_house=True)
    example = "shoe end B01 --reason 'device failure' --with S-11"
    field_help: ClassVar[Mapping[str, str]] = {
        "reason": "The reason; needed before the cut card shows."
    }


class ShoeReconcile(AtTable, tag="shoe.reconcile"):
    """Counts what is left of a shoe, by number or card by card (R-SHOE-4).

    `burned`: the cards that were burned face down, if they were turned over. Default `shoe`: the
    last one that ended and was not counted.
    """

    remaining: Remaining
    shoe: Text | None = None
    burned: Cards = msgspec.field(default_factory=list)
    confirmed: bool = False

    arguments = ("table", "remaining")
    permission = Permission(FLOOR)
    example = "shoe reconcile B01 9S 9C --burned 3C --burned KS"


class ShoeRecount(AtTable, tag="shoe.recount"):
    """Counts what is left of a shoe again; the last count holds, both stay on record (R-SHOE-4)."""

    remaining: Remaining
    reason: Reason
    shoe: Text | None = None
    burned: Cards = msgspec.field(default_factory=list)

    arguments = ("table", "remaining")
    permission = Permission(FLOOR, must=True, two_in_open_house=True)
    example = "shoe recount B01 30 --reason 'two cards stuck' --with S-11"
    field_help: ClassVar[Mapping[str, str]] = {
        "shoe": "The shoe, as in B01/2026-11-21/2; default the last one that was counted."
    }
