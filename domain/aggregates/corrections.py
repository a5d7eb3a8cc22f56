"""Corrections of settled coups: a wager that is paid a different amount (R-IRR-5)."""

from collections.abc import Sequence

from msgspec import Struct

from domain.aggregates.coup_by_the_cards import CoupByTheCards
from domain.rules import refusals
from domain.rules.layout import Wager, require_offered
from domain.rules.likeness import alike
from domain.rules.settlement import Payment, pay, pay_to
from domain.rules.spots import spot_label
from domain.rules.wording import Words


class Rightly(Struct, frozen=True):
    """The wager to correct, and its right payment: `to` in all, or as a wager on another spot."""

    seat: int | None = None
    spot: str | None = None
    to: int | None = None  # minor units; None: the amount by the cards
    as_spot: str | None = None
    stake: int | None = None  # what really lay there; None: what is on record


class Change(Struct, frozen=True):
    """A wager's payment before and after a correction."""

    wager: Wager
    before: Payment
    after: Payment
    as_spot: str | None = None  # it is now paid as a wager on this spot; None: on its own
    stake_before: int | None = None  # None: it is the same
    coupon: str = ""  # of this one, and of no wager

    @property
    def chips(self) -> int:
        """What the patron gets; nothing moves for a stake that was only typed wrong."""
        return 0 if self.stake_before is not None else self.after.paid - self.before.paid

    @property
    def won_on_record(self) -> int:
        """What the house won more on record because of a stake that was typed wrong."""
        if self.stake_before is None:
            return 0
        return self.wager.stake - self.stake_before - (self.after.paid - self.before.paid)


class CardChange(Struct, frozen=True):
    """A card that was another one, and what follows from it."""

    was: str
    untyped: Sequence[str]  # cards after it that were typed by mistake
    undue: Sequence[str]  # cards after it that were drawn when none was due
    changes: Sequence[Change]  # of the payments
    then: Sequence[str]  # cards on the felt after it that were never typed
    first_then: int  # the number of the first of those


def require_two(act: Words, one: str, other: str) -> None:
    """Refuses an act without two people; their roles are checked elsewhere: SecondPersonNeeded.

    `act`: a noun phrase, as in "Voiding a coup" (R-IRR-5).
    """
    who = Words("a supervisor")
    if not one:
        raise refusals.SecondPersonNeeded(
            message=Words(
                "{act} takes two people. Name who asks for it, and a supervisor as the second.",
                act=act,
            )
        )
    if not other:
        raise refusals.SecondPersonNeeded(act=act, who=who)
    if alike(one, other):
        raise refusals.SecondPersonNeeded(
            message=Words(
                "{act} takes two people, and {person} is already the first. Name another "
                "supervisor as the second.",
                act=act,
                person=one,
            )
        )


def require_payable_as(coup: CoupByTheCards, wager: Wager, spot: str) -> None:
    """Refuses a second Banker win of a seat in one coup, which accounts cannot hold: BadValue.

    Refuses: also SpotNotOffered.
    """
    require_offered(coup.rules, spot)
    if {spot, wager.spot} & coup.rules.over_coups.keys():
        raise refusals.BadValue(
            rule="R-BET-9",
            message=Words(
                "A bet on several coups and one on this coup are not paid as each other. Give the "
                "amount instead of the spot."
            ),
        )
    other = next(
        (
            own
            for (seat, own), as_it in coup.paid_as.items()
            if (seat, as_it) == (wager.seat, "banker")
        ),
        wager.spot,
    )
    if coup.layout.at(wager.seat, "banker") and wager.spot != "banker":
        other = "banker"
    if spot == "banker" and other != wager.spot:
        raise refusals.BadValue(
            message=Words(
                "Seat {seat} already has a wager on {other} that is paid as Banker. Give the "
                "amount instead of the spot.",
                seat=wager.seat,
                other=spot_label(other or ""),
            )
        )


def paid_rightly(coup: CoupByTheCards, wager: Wager, spot: str, to: int | None) -> Payment:
    """The right payment of a wager: `to` in all, or by the cards on the spot if that is None."""
    result = coup.hands.result
    assert result is not None
    rules = coup.rules.for_stay(wager.stay, coup.as_it_wins)
    place = wager.seat, wager.spot
    share = coup.shares(result, {place: (spot, wager.stake)}).get(place)
    by_the_cards = pay(rules, spot, wager.stake, result, share=share, run=wager.run)
    if to in (None, by_the_cards.paid):
        return by_the_cards
    assert to is not None
    return pay_to(rules, spot, wager.stake, to)
