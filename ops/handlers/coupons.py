"""Coupons: issued, laid on a table, paid with the coup, put right (R-PROMO)."""

from domain.aggregates.coup import Coup
from domain.aggregates.coupon import Coupon
from domain.rules import addresses
from domain.rules.coupons import Lying
from domain.rules.refusals import (
    AlreadyOpen,
    BadValue,
    CouponRefused,
    MissingField,
    NotFound,
    SecondPersonNeeded,
)
from domain.rules.wording import Words
from ops.commands import coupons as commands
from ops.handlers.corrections import coup_of
from ops.handlers.coup import follow
from ops.handlers.coupons_followed import gone_on
from ops.handlers.desk import Desk
from ops.handlers.handlers import handles
from ops.handlers.next_coup import coup_to_bet_on


@handles(commands.CouponIssue)
def issue(desk: Desk, command: commands.CouponIssue) -> None:
    """Issues a coupon. Refuses: AlreadyOpen, for a number that the house had before."""
    if _known(desk, command.coupon):
        raise AlreadyOpen(
            message=Words(
                "The house had coupon {coupon} before. Issue the next number.",
                coupon=command.coupon,
            )
        )
    if command.last_day:
        addresses.parse_day(command.last_day)
    desk.casino.make(
        Coupon.issue(
            command.coupon,
            command.kind,
            command.worth,
            desk.house().currency,
            at=desk.casino.moment,
            last_day=command.last_day or "",
        )
    )


@handles(commands.CouponVoid)
def make_void(desk: Desk, command: commands.CouponVoid) -> None:
    """Voids a coupon. Refuses: NotFound, BadValue."""
    coupon = _known(desk, command.coupon)
    if coupon is None:
        raise NotFound(what=Words("coupon {coupon}", coupon=command.coupon))
    coupon.make_void(command.reason)


@handles(commands.CouponLay)
def lay(desk: Desk, command: commands.CouponLay) -> None:
    """Lays a coupon on the coup in play, or opens the next one.

    Refuses: CouponRefused, BettingClosed, BothSides, SecondPersonNeeded.
    """
    day = desk.table_in_play(command.table)
    coupon, accepted_by = _known(desk, command.coupon), ""
    if coupon:
        coupon.require_usable(day.address, command.kind, command.worth)
    coup, stay = coup_to_bet_on(desk, day, desk.shoe(day), command.seat)
    if coupon is None or coupon.taken_at:
        coupon, accepted_by = _accepted(desk, coup, command, coupon)
    if coupon.currency != coup.rules.currency:
        why = Words("it is in {currency}", currency=coupon.currency)
        raise CouponRefused(coupon=coupon.coupon, why=why, then=Words("Give it back"))
    lying = Lying(
        seat=command.seat,
        patron=stay.patron,
        stay=stay.address,
        spot=command.spot,
        coupon=coupon.coupon,
        kind=coupon.kind,
        worth=coupon.worth,
    )
    coup.lay_coupon(lying, accepted_by=accepted_by)
    coupon.lay(coup.address)


def _accepted(
    desk: Desk, coup: Coup, command: commands.CouponLay, coupon: Coupon | None
) -> tuple[Coupon, str]:
    """A coupon that was not issued here, and who takes it with the first person (R-PROMO-4).

    Each time that it is laid. `coupon`: None if no table has taken it yet.
    Refuses: CouponRefused, SecondPersonNeeded.
    """
    act, second = Words("Taking a coupon that was not issued here"), desk.second(command)
    if coupon is None and (command.kind is None or command.worth is None):
        raise CouponRefused(
            rule="R-PROMO-4",
            coupon=command.coupon,
            why=Words("the house did not issue that number"),
            then=Words(
                "Read the number again. If a supervisor takes it, type `--kind` and `--worth`"
            ),
        )
    if not second:
        raise SecondPersonNeeded(rule="R-PROMO-4", act=act, who=Words("a supervisor"))
    desk.require_two(act, command)
    if coupon is None:
        assert command.kind is not None
        assert command.worth is not None
        first = Coupon.issue(
            command.coupon,
            command.kind,
            command.worth,
            coup.rules.currency,
            at=desk.casino.moment,
            taken_at=str(coup.table_day),
        )
        coupon = desk.casino.make(first)
    return coupon, second


@handles(commands.CouponWithdraw)
def withdraw(desk: Desk, command: commands.CouponWithdraw) -> None:
    """Takes a coupon back before the first card. Refuses: NoWager, BettingClosed."""
    day = desk.table_in_play(command.table)
    desk.coup_in_play(day).withdraw_coupon(command.seat)


@handles(commands.CouponCorrect)
def correct(desk: Desk, command: commands.CouponCorrect) -> None:
    """Pays a settled coupon as where it lay, or takes it back. Refuses: MissingField, BadValue."""
    if (command.as_spot is None) == (not command.withdrawn):
        raise MissingField(
            message=Words(
                "What was it really? Give the spot where it lay, with `as`, or `withdrawn` if it "
                "never lay there."
            )
        )
    coup = coup_of(desk, command)
    signed = desk.signed(Words("Correcting a coupon"), command, command.reason)
    follow(
        desk, coup, coup.correct_coupon(command.seat, command.as_spot, signed, gone_on(desk, coup))
    )


def _known(desk: Desk, number: str) -> Coupon | None:
    """A coupon that the house has, or None. Refuses one in other capitals: BadValue."""
    coupon = desk.casino.find(Coupon, Coupon.stream(number))
    if coupon is not None and coupon.coupon != number:
        raise BadValue(
            message=Words(
                "There is a coupon {known}, and {number} looks the same. Write {known}.",
                known=coupon.coupon,
                number=number,
            )
        )
    return coupon
