"""A shoe, from loaded to counted."""

from typing import Annotated

import msgspec
from msgspec import Meta

from domain.aggregates.shoe import DISCARDS, DISPOSITIONS, SHUFFLES
from domain.rules.permissions import BOSSES, FLOOR, GAME, Permission
from ops.commands.command import AtTable, CardText, Count, Reason, Seat, Text, one_of

Shuffle = Annotated[str, one_of(SHUFFLES)]
Disposition = Annotated[str, one_of(DISPOSITIONS)]
Discard = Annotated[str, one_of(DISCARDS)]


class ShoeLoad(AtTable, tag="shoe.load"):
    """Decks, or a sealed batch, come to the table (R-SHOE-1)."""

    decks: Annotated[int, Meta(ge=1, le=12, description="it is a number of decks from 1 to 12")]
    serials: Annotated[
        list[Text], Meta(max_length=24, description="it is a list of up to 24 serials")
    ] = msgspec.field(default_factory=list)
    colour: Text | None = None
    batch: Text | None = None

    arguments = ("table", "decks")
    permission = Permission(FLOOR)
    example = "shoe load B01 8 --serials K-1 --serials K-2 --colour red"


class ShoeInspect(AtTable, tag="shoe.inspect"):
    """The cards were found whole; a sealed batch needs who counted along."""

    verified_by: Text | None = None

    permission = Permission(FLOOR, FLOOR)  # the second, if a sealed batch takes one
    example = "shoe inspect B01"

    @property
    def second_person(self) -> str:
        """Whoever counted along."""
        return self.verified_by or self.second or ""


class ShoeShuffle(AtTable, tag="shoe.shuffle"):
    """The cards were shuffled; a shoe without this deals no coup (R-SHOE-1)."""

    method: Shuffle
    device: Text | None = None

    arguments = ("table", "method")
    permission = Permission(GAME)
    example = "shoe shuffle B01 machine --device SH-2"


class ShoeCut(AtTable, tag="shoe.cut"):
    """The shoe was cut, by a seat or a member of staff, and the cut card placed (R-SHOE-3)."""

    seat: Seat | None = None
    staff: Text | None = None
    cut_card: Count | None = None

    permission = Permission(GAME)
    example = "shoe cut B01 --seat 3"


class ShoeBurn(AtTable, tag="shoe.burn"):
    """The first card is shown and burned, and as many more face down (R-SHOE-2).

    A generated shoe gives the card itself.
    """

    card: CardText | None = None

    arguments = ("table", "card")
    permission = Permission(GAME)
    example = "shoe burn B01 3D"


class ShoePass(AtTable, tag="shoe.pass"):
    """The shoe goes to a seat, or back to the dealer (R-DEAL-4)."""

    seat: Seat | None = None
    staff: Text | None = None

    permission = Permission(FLOOR)
    example = "shoe pass B01 --seat 5"


class ShoeCutCard(AtTable, tag="shoe.cut-card"):
    """The cut card shows (R-SHOE-3)."""

    permission = Permission(GAME)
    example = "shoe cut-card B01"


class ShoeMisdraw(AtTable, tag="shoe.misdraw"):
    """A card came when none was due; without a disposition the rule set's holds (R-IRR-1)."""

    card: CardText
    disposition: Disposition | None = None

    arguments = ("table", "card")
    permission = Permission(FLOOR, must=True, alone=BOSSES)
    example = "shoe misdraw B01 9D --with S-11"


class ShoeDiscard(AtTable, tag="shoe.discard"):
    """A card is used for nothing; one that is foreign was never the shoe's (R-IRR-3, R-IRR-4)."""

    card: CardText
    reason: Discard

    arguments = ("table", "card", "reason")
    permission = Permission(FLOOR, must=True, alone=BOSSES)
    example = "shoe discard B01 7H face-up --with S-11"


class ShoeEnd(AtTable, tag="shoe.end"):
    """No more coups; before the cut card shows: with a supervisor, and a reason."""

    reason: Reason | None = None

    permission = Permission(FLOOR, two_in_open_house=True)
    example = "shoe end B01 --reason 'device failure' --with S-11"


class ShoeReconcile(AtTable, tag="shoe.reconcile"):
    """What is left of a shoe was counted, by number or card by card (R-SHOE-4).

    `burned` are the cards burned face down, when somebody turned them over.
    Without `shoe` it is the last one that ended and was not counted.
    """

    remaining: Annotated[
        Count | list[CardText],
        Meta(description="it is a count, or the list of the cards"),
    ]
    shoe: Text | None = None
    burned: Annotated[list[CardText], Meta(description="it is the list of the cards")] = (
        msgspec.field(default_factory=list)
    )

    arguments = ("table", "remaining")
    permission = Permission(FLOOR)
    example = "shoe reconcile B01 9S 9C --burned 3C --burned KS"
