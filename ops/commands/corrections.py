"""Commands that put a coup right: void, correct, adjudicate again."""

from collections.abc import Mapping
from typing import Annotated, ClassVar

import msgspec
from msgspec import Meta

from domain.aggregates.coup_cards_put_right import AFTER
from domain.rules.permissions import BOSSES, FLOOR, Permission
from ops.commands.command import (
    AS_HELP,
    Amount,
    Cards,
    CardText,
    Command,
    Payment,
    Reason,
    Seat,
    Spot,
    TableCode,
    Text,
    one_of,
)


class OfCoup(Command, kw_only=True):
    """Puts a coup right, by two people, one a supervisor."""

    coup: Text
    reason: Reason
    table: TableCode | None = None


class CoupVoid(OfCoup, tag="void"):
    """Voids a coup and returns every wager, by two people, one a supervisor (R-IRR-5)."""

    arguments = ("coup", "reason")
    permission = Permission(FLOOR, must=True, two_in_open_house=True)
    example = "void B01/2026-11-21/1/5 'a torn card' --with S-11"


class CoupCorrect(OfCoup, tag="correct"):
    """Pays a settled wager a different amount, by two people, one a supervisor (R-IRR-5).

    `--to`: what it should have been paid in all; default what the cards say. `--as`: the spot that
    it should have been on. `--stake`: what really lay there, also before the payment.
    """

    seat: Seat
    spot: Spot
    to: Payment | None = None
    as_spot: Spot | None = msgspec.field(default=None, name="as")
    stake: Amount | None = None

    arguments = ("coup", "seat", "spot", "reason")
    permission = Permission(FLOOR, must=True, two_in_open_house=True)
    example = "correct B01/2026-11-21/1/5 3 banker 'taken by mistake' --to 195 --with S-11"
    option_help: ClassVar[Mapping[str, str]] = {
        "to": "What it should have been paid in all, stake included; default what the cards say.",
        "as": AS_HELP,
    }


class CoupCorrectCard(OfCoup, tag="coup.correct-card"):
    """Records that a card of a coup was another one, by two people, one a supervisor (R-IRR-5).

    Payments, commission and the count of the shoe follow. `--after`: cards typed after it that
    would not have been due `stay` on the table, or were `untyped`, by mistake. `--then`: the cards
    on the felt after those of a settled coup, which were never typed.
    """

    n: Annotated[int, Meta(ge=1, le=6, description="write the card's number, 1 to 6")]
    card: CardText
    after: Annotated[str, one_of(AFTER)] | None = None
    then: Cards = msgspec.field(default_factory=list)

    arguments = ("coup", "n", "card", "reason")
    permission = Permission(FLOOR, must=True, two_in_open_house=True)
    example = "coup correct-card B01/2026-11-21/1/5 6 5H 'read as a six' --with S-11"
    field_help: ClassVar[Mapping[str, str]] = {"card": "The card that it really was."}


class CoupMoveWager(OfCoup, tag="coup.move-wager"):
    """Moves a wager to the seat or patron whose it was, by two people, one a supervisor (R-IRR-5).

    Its payment and its commission move along.
    """

    seat: Seat
    spot: Spot
    to_seat: Seat | None = None
    patron: Text | None = None

    arguments = ("coup", "seat", "spot", "reason")
    permission = Permission(FLOOR, must=True, two_in_open_house=True)
    example = "coup move-wager B01/2026-11-21/1/5 3 banker 'seat 4 had it' --to-seat 4 --with S-11"
    field_help: ClassVar[Mapping[str, str]] = {
        "to_seat": "The seat whose wager it was: of whoever sat there then.",
        "patron": "The patron whose wager it was, or their stay, as in stay-3.",
    }


class Readjudicate(Command, tag="readjudicate"):
    """Adjudicates a coup again from its record; a disagreement is recorded as an exception."""

    coup: Text

    arguments = ("coup",)
    permission = Permission((*BOSSES, "surveillance", "auditor", "administrator"))
    example = "readjudicate B01/2026-11-21/1/5"
