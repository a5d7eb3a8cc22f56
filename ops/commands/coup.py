"""A coup, from the first bet to the payment."""

from collections.abc import Mapping
from typing import Annotated, ClassVar

from msgspec import Meta, Struct

from domain.rules.money import LARGEST_AMOUNT
from domain.rules.permissions import FLOOR, GAME, Permission
from domain.rules.spots import SPOT
from ops.commands.command import AT_A_SHELL, Amount, AtTable, CardText, Seat, Spot

CardNumber = Annotated[
    int, Meta(ge=1, le=6, description="it is the card's number in the coup, from 1 to 6")
]
Hand = Annotated[str, Meta(pattern=r"^(player|banker)\Z", description="it is player or banker")]
Paid = Annotated[
    dict[
        Annotated[str, Meta(pattern=r"^(0|[1-9][0-9]{0,2})\Z")],
        Annotated[int, Meta(ge=0, le=LARGEST_AMOUNT)],
    ],
    Meta(
        description='it is minor units by seat, as in {"3": 19500}',
        extra={AT_A_SHELL: "write seat and amount, as in 3=195"},
    ),
]


class CoupOpen(AtTable, tag="open"):
    """The next coup is open for bets; the first bet says this by itself."""

    permission = Permission(GAME)
    example = "open B01"


class Bet(AtTable, tag="bet"):
    """What lies on a spot from now on (R-BET-1 to 3); a second bet replaces the first."""

    seat: Seat
    spot: Spot
    amount: Amount

    arguments = ("table", "seat", "spot", "amount")
    permission = Permission(GAME, two_in_open_house=True)
    example = "bet B01 3 banker 100"


class Wager(Struct, forbid_unknown_fields=True):
    """What lies on a spot, as one of several."""

    seat: Seat
    spot: Spot
    amount: Amount


class Bets(AtTable, tag="bets"):
    """Several wagers at once, as so many bets: all of them stand, or none (R-BET-1 to 3)."""

    wagers: Annotated[
        list[Wager],
        Meta(
            min_length=1,
            max_length=200,
            description="it is up to 200 of seat, spot and amount, as in "
            '{"seat": 3, "spot": "banker", "amount": 10000}',
            extra={AT_A_SHELL: "write up to 200 wagers, as in 1-4b100 5p50t25"},
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
    """A wager is taken back before the first card; without a spot all that the seat has."""

    seat: Seat
    spot: Spot | None = None

    arguments = ("table", "seat", "spot")
    permission = Permission(GAME)
    example = "withdraw B01 3 banker"


class NoMoreBets(AtTable, tag="no-more-bets"):
    """Betting closes; the first card says this by itself."""

    permission = Permission(GAME)
    example = "no-more-bets B01"


class Draw(AtTable, tag="draw"):
    """A card leaves the shoe and goes where it is due (R-DEAL-1).

    A generated shoe gives the card itself. `face_down`: a reading shoe told the card, and nobody
    has turned it yet (R-DEAL-5); a device need not say so.
    """

    card: CardText | None = None
    settle: bool = False
    face_down: bool = False

    arguments = ("table", "card")
    permission = Permission(GAME)
    example = "draw B01 9C"
    option_help: ClassVar[Mapping[str, str]] = {
        "face_down": "A reading shoe told it, and nobody has turned it yet (R-DEAL-5)."
    }


class MoveCard(AtTable, tag="move-card"):
    """The last card lay on the wrong hand, and is where it belongs now (R-IRR-2)."""

    n: CardNumber
    hand: Hand

    arguments = ("table", "n", "hand")
    permission = Permission(FLOOR)
    example = "move-card B01 5 banker"


class Reveal(AtTable, tag="reveal"):
    """A hand that lies face down is turned, or its card of that number (R-DEAL-3)."""

    hand: Hand
    n: CardNumber | None = None

    arguments = ("table", "hand")
    permission = Permission(GAME)
    example = "reveal B01 player --n 1"


class Settle(AtTable, tag="settle"):
    """Every wager is paid or taken; `paid` is what a chip-reading layout saw."""

    paid: Paid | None = None

    permission = Permission(GAME)
    example = "settle B01"
    option_help: ClassVar[Mapping[str, str]] = {
        "paid": "SEAT=AMOUNT as the layout saw it; repeat it."
    }
