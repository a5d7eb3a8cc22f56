"""A coupon, by its number, which is used once in the whole house (R-PROMO-3)."""

from datetime import datetime
from typing import Self
from uuid import UUID

from domain.aggregates.base import Aggregate
from domain.events import coupon as events
from domain.rules import addresses
from domain.rules.refusals import BadValue, CouponRefused
from domain.rules.wording import N_, Amount, Words

_WHY = {
    "void": N_("it was voided"),
    "used": N_("it was used in {coup}"),
    "laid": N_("it is on {coup} now"),
    "expired": N_("it was good until {last_day}"),
    "other": N_("it is a {kind} of {worth}"),
}


class Coupon(Aggregate, events.State):
    """One coupon of the house."""

    MANY_CLOCKS = True

    @staticmethod
    def stream(coupon: str) -> UUID:
        """The stream of a coupon, in capitals or not."""
        return addresses.stream_id("coupon", coupon.upper())

    # Commands: decide; refuse, or record an event.
    @classmethod
    def issue(
        cls,
        coupon: str,
        kind: str,
        worth: int,
        currency: str,
        *,
        at: datetime,
        last_day: str = "",
        taken_at: str = "",
    ) -> Self:
        """Begins a coupon worth `worth` minor units.

        `taken_at`: the table day that took it without its being issued.
        """
        first = events.Issued(
            coupon=coupon,
            kind=kind,
            worth=worth,
            currency=currency,
            last_day=last_day,
            taken_at=taken_at,
        )
        return cls.begin(first, cls.stream(coupon), at)

    def require_usable(self, day: addresses.TableDay, kind: str | None, worth: int | None) -> None:
        """Refuses, with an event, a coupon that no table takes now: CouponRefused.

        `kind` and `worth`: as somebody reads it off; None: nobody did.
        """
        why = self._why_not(day, kind, worth)
        if not why:
            return
        self.record(events.RefusedAt(table_day=str(day), why=why))
        words = Words(
            _WHY[why],
            coup=self.coup,
            last_day=self.last_day,
            kind=self.kind,
            worth=Amount(self.worth, self.currency),
        )
        refusal = CouponRefused(
            rule="R-PROMO-3",
            coupon=self.coupon,
            why=words,
            then=Words("Call the supervisor"),
        )
        refusal.recorded = True
        raise refusal

    def lay(self, coup: addresses.Coup) -> None:
        """Lays it on a coup."""
        self.record(events.LaidOn(coup=str(coup)))

    def _why_not(self, day: addresses.TableDay, kind: str | None, worth: int | None) -> str:
        """Why it is not taken, as an event has it; '' if it is."""
        if self.void:
            return "void"
        if self.is_used:
            return "used"
        if self.coup:
            return "laid"
        if self.last_day and day.day.isoformat() > self.last_day:
            return "expired"
        same = kind in (None, self.kind) and worth in (None, self.worth)
        return "" if same else "other"

    def is_of(self, coup: addresses.Coup) -> bool:
        """Whether it is on this coup, was used there, or went back and nobody has used it since."""
        return not self.void and self.coup in ("", str(coup))

    def go_back(self, coup: addresses.Coup) -> None:
        """Gives it back to the patron, unless it went on to another coup."""
        if self.coup == str(coup):
            self.record(events.WentBack(coup=str(coup)))

    def collect(self, coup: addresses.Coup) -> None:
        """Takes it for good: it was won or lost on this coup."""
        self.record(events.Collected(coup=str(coup)))

    def make_void(self, reason: str) -> None:
        """Voids it. Refuses: BadValue for one that is used, on a table or void."""
        if self.void or self.coup:
            why = "void" if self.void else "used" if self.is_used else "laid"
            raise BadValue(
                rule="R-PROMO-3",
                message=Words(
                    "Coupon {coupon} cannot be voided: {why}. Nothing is to be done.",
                    coupon=self.coupon,
                    why=Words(_WHY[why], coup=self.coup),
                ),
            )
        self.record(events.MadeVoid(reason=reason))
