"""Commands of a coup, from the first bet to the payment."""

from collections.abc import Mapping
from typing import Annotated, ClassVar

from msgspec import Meta, Struct

from domain.rules.money import LARGEST_AMOUNT
from domain.rules.permissions import FLOOR, GAME, Permission
from domain.rules.spots import SPOT
from ops.commands.command import AT_A_SHELL, Amount, AtTable, CardText, Seat, Spot

CardNumber = Annotated[
    int, Meta(ge=1, le=6, description="write the card's number in the coup, 1 to 6")
]
Hand = Annotated[str, Meta(pattern=r"^(player|banker)\Z", description="write player or banker")]
Paid = Annotated[
    dict[
        Annotated[str, Meta(pattern=r"^(0|[1-9][0-9]{0,2})\Z")],
        Annotated[int, Meta(ge=0, le=LARGEST_AMOUNT)],
    ],
    Meta(
        description='write minor currency units by seat, as in {"3": 19500}',
        extra={AT_A_SHELL: "write seat and amount, as in 3=195"},
    ),
]


class CoupOpen(AtTable, tag="open"):
    """Opens the next coup for bets; the first bet does so too."""

    permission = Permission(GAME)
    example = "open B01"


class Bet(AtTable, tag="bet"):
    """Places a wager, or replaces the one on that spot (R-BET-1 to 3)."""

    seat: Seat
    spot: Spot
    amount: Amount

    arguments = ("table", "seat", "spot", "amount")
    permission = Permission(GAME, two_in_open_house=True)
    example = "bet B01 3 banker 100"
    field_help: ClassVar[Mapping[str, str]] = {
        "amount": "The whole wager on the spot; it replaces an earlier one."
    }


class Wager(Struct, forbid_unknown_fields=True):
    """A wager of a seat on a spot."""

    seat: Seat
    spot: Spot
    amount: Amount


class Bets(AtTable, tag="bets"):
    """Places several wagers at once, all or none (R-BET-1 to 3)."""

    wagers: Annotated[
        list[Wager],
        Meta(
            min_length=1,
            max_length=200,
            description="write 1 to 200 wagers of seat, spot and amount, as in "
            '{"seat": 3, "spot": "banker", "amount": 10000}',
            extra={AT_A_SHELL: "write 1 to 200 wagers, as in 1-4b100 5p50t25"},
        ),
    ]

    arguments = ("table", "wagers")
    permission = Permission(GAME, two_in_open_house=True)
    example = "bets B01 1-4b100 5p50t25"
    more_help = f"""
WAGERS are seats, spot and amount as a dealer types them: `1-4b100 5p50t25` is
100 on Banker for each of seats 1 to 4, and 50 on Player and 25 on Tie for
seat 5. Spots: {" ".join(each.key for each in SPOT.values())}.
"""


class Withdraw(AtTable, tag="withdraw"):
    """Takes a wager back before the first card; without a spot, every wager of the seat."""

    seat: Seat
    spot: Spot | None = None

    arguments = ("table", "seat", "spot")
    permission = Permission(GAME)
    example = "withdraw B01 3 banker"
    field_help: ClassVar[Mapping[str, str]] = {
        "spot": "The spot of the wager; default every wager of the seat."
    }


class NoMoreBets(AtTable, tag="no-more-bets"):
    """Closes the betting; the first card does so too."""

    permission = Permission(GAME)
    example = "no-more-bets B01"


class Draw(AtTable, tag="draw"):
    """Draws a card from the shoe for the hand that it is due to (R-DEAL-1).

    A generated shoe names the card itself. `--face-down`: a reading shoe named the card, and nobody
    has turned it yet (R-DEAL-5); from a device this is the default.
    """

    card: CardText | None = None
    settle: bool = False
    face_down: bool = False

    arguments = ("table", "card")
    permission = Permission(GAME)
    example = "draw B01 9C"
    field_help: ClassVar[Mapping[str, str]] = {
        "card": "The card; none from a generated shoe, which names it itself.",
        "settle": "Settle the coup after this card, if it is the last.",
        "face_down": "A reading shoe named the card, and nobody has turned it yet (R-DEAL-5).",
    }


class MoveCard(AtTable, tag="move-card"):
    """Moves the last card from the wrong hand to the right one (R-IRR-2)."""

    n: CardNumber
    hand: Hand

    arguments = ("table", "n", "hand")
    permission = Permission(FLOOR)
    example = "move-card B01 5 banker"
    field_help: ClassVar[Mapping[str, str]] = {"hand": "The hand that the card belongs to."}


class Reveal(AtTable, tag="reveal"):
    """Turns a hand that is face down, or one card of it (R-DEAL-3)."""

    hand: Hand
    n: CardNumber | None = None

    arguments = ("table", "hand")
    permission = Permission(GAME)
    example = "reveal B01 player --n 1"
    field_help: ClassVar[Mapping[str, str]] = {
        "n": "The number of the card to turn, in the order dealt; default the whole hand."
    }


class Settle(AtTable, tag="settle"):
    """Pays or takes every wager; `--paid` is what a chip-reading layout read.

    A large payment of a meter takes two people (R-PROG-5).
    """

    paid: Paid | None = None

    permission = Permission(GAME, two_in_open_house=True)
    example = "settle B01"
    option_help: ClassVar[Mapping[str, str]] = {
        "paid": "SEAT=AMOUNT as the layout read it; repeat it."
    }
