"""Commands of coupons: match plays and free bets, which are no money (R-PROMO)."""

from collections.abc import Mapping
from typing import Annotated, ClassVar

import msgspec

from domain.rules.coupons import KINDS
from domain.rules.permissions import BOSSES, FLOOR, Permission
from ops.commands.command import (
    Amount,
    AtTable,
    Code,
    Command,
    Day,
    Reason,
    Seat,
    Spot,
    one_of,
)
from ops.commands.corrections import OfCoup

Kind = Annotated[str, one_of(KINDS)]
ISSUERS = (*BOSSES, "cage")


class CouponIssue(Command, tag="coupon.issue"):
    """Issues a coupon, by its number: from now on any table that takes its kind takes it, once.

    A match play is laid beside a bet of at least its worth, a free bet alone (R-PROMO-1). Neither
    is money.
    """

    coupon: Code
    kind: Kind
    worth: Amount
    last_day: Day | None = None

    arguments = ("coupon", "kind", "worth")
    permission = Permission(ISSUERS)
    example = "coupon issue MP-1001 match-play 25 --last-day 2026-12-31"
    field_help: ClassVar[Mapping[str, str]] = {
        "last_day": "The last gaming day on which it is taken; default any.",
    }


class CouponVoid(Command, tag="coupon.void"):
    """Voids a coupon that nobody used, as one that came back: no table takes it from then on."""

    coupon: Code
    reason: Reason

    arguments = ("coupon", "reason")
    permission = Permission(ISSUERS)
    example = "coupon void MP-1001 'came back unused'"


class CouponLay(AtTable, tag="coupon.lay"):
    """Lays a coupon of a seat on a spot, before the first card; one a seat (R-PROMO-1).

    One that was not issued here is taken with `--kind` and `--worth` as it has them, by two people
    (R-PROMO-4).
    """

    seat: Seat
    spot: Spot
    coupon: Code
    kind: Kind | None = None
    worth: Amount | None = None

    arguments = ("table", "seat", "spot", "coupon")
    permission = Permission(FLOOR, two_in_open_house=True)
    example = "coupon lay B01 3 banker MP-1001"
    field_help: ClassVar[Mapping[str, str]] = {
        "kind": "Its kind, as it is printed; needed if it was not issued here.",
        "worth": "Its worth, as it is printed; needed if it was not issued here.",
    }


class CouponWithdraw(AtTable, tag="coupon.withdraw"):
    """Takes a seat's coupon back before the first card; it may be laid again."""

    seat: Seat

    arguments = ("table", "seat")
    permission = Permission(FLOOR)
    example = "coupon withdraw B01 3"


class CouponCorrect(OfCoup, tag="coupon.correct"):
    """Puts a settled coupon right, by two people, one a supervisor (R-IRR-5).

    `--as`: the spot on which it lay; it is paid as there. `--withdrawn`: it never lay there, so
    what it was paid is taken back, and it may be laid again.
    """

    seat: Seat
    as_spot: Spot | None = msgspec.field(default=None, name="as")
    withdrawn: bool = False

    arguments = ("coup", "seat", "reason")
    permission = Permission(FLOOR, must=True, two_in_open_house=True)
    example = "coupon correct B01/2026-11-21/1/5 3 'it lay on Player' --as player --with S-11"
    option_help: ClassVar[Mapping[str, str]] = {"as": "The spot on which it lay."}
    field_help: ClassVar[Mapping[str, str]] = {
        "as": "The spot on which it lay; it is paid as there."
    }
