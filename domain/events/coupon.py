"""A coupon of the house's promotions: issued, laid on a table, used once (R-PROMO-3)."""

from domain.events import base


class Event(base.Event):
    """About one coupon."""

    NAMED_BY = ("coupon",)
    coupon: str = ""


class Issued(Event, topic="coupon.issued", first=True):
    """The house issued the coupon, or a table took one that it did not know."""

    kind: str
    worth: int  # minor units; it is no money
    currency: str
    last_day: str  # the last gaming day on which it is taken; '': any
    taken_at: str  # the table day that took it without its being issued; '': it was issued


class State(base.State):
    """What the coupon is, and where it is."""

    def __init__(self, issued: Issued) -> None:
        super().__init__(issued)
        self.coupon = issued.coupon
        self.kind = issued.kind
        self.worth = issued.worth
        self.currency = issued.currency
        self.last_day = issued.last_day
        self.taken_at = issued.taken_at
        self.coup = ""  # the coup on which it is, or was used last
        self.is_used = False
        self.void = ""  # why nobody takes it any more


class LaidOn(Event, topic="coupon.laid-on"):
    """The coupon was laid on a coup."""

    coup: str

    def apply(self, state: State) -> None:
        state.coup = self.coup


class WentBack(Event, topic="coupon.went-back"):
    """The coupon went back to the patron, and may be laid again."""

    coup: str

    def apply(self, state: State) -> None:
        state.coup, state.is_used = "", False


class Collected(Event, topic="coupon.collected"):
    """The coupon was won or lost: the dealer put it into the drop box."""

    coup: str

    def apply(self, state: State) -> None:
        state.coup, state.is_used = self.coup, True


class RefusedAt(Event, topic="coupon.refused-at"):
    """Somebody came with a coupon that is used, on another coup, expired or void."""

    table_day: str
    why: str  # `used`, `laid`, `expired`, `void` or `other`: another kind or worth


class MadeVoid(Event, topic="coupon.made-void"):
    """The house voided the coupon: nobody takes it any more."""

    reason: str

    def apply(self, state: State) -> None:
        state.void = self.reason
