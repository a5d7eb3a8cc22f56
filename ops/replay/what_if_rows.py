"""What pages show of a what-if: each card and wager beside the record, and where it ends."""

from collections.abc import Iterator

from msgspec import Struct

from domain.review.difference import Paid
from domain.review.what_if.question import WhatIf
from domain.review.what_if.redeal import Decision
from domain.rules.hands import Dealt
from domain.rules.wording import Amount, Words


class Came(Struct, frozen=True):
    """A card as it would have come, and what was decided by it.

    `recorded`: the card at its place on record, None if none was dealt.
    """

    dealt: Dealt
    recorded: str | None
    decided: tuple[Decision, ...]

    @property
    def is_other(self) -> bool:
        """Whether the record has another card there, or none."""
        return self.recorded != self.dealt.card


class Pays(Struct, frozen=True):
    """A wager in minor units, beside its payment on record; None: there was none, or no wager."""

    seat: int
    patron: str
    spot: str
    stake: int | None
    would: Paid | None
    on_record: int | None


def came(asked: WhatIf) -> Iterator[Came]:
    """Every card in the order of dealing."""
    recorded = asked.recorded.cards
    for dealt in asked.hands.dealt:
        was = recorded[dealt.n - 1] if dealt.n <= len(recorded) else None
        yield Came(dealt, was, _decided_by(asked, dealt.n))


def _decided_by(asked: WhatIf, n: int) -> tuple[Decision, ...]:
    """The decisions that card n led to; a natural, which decides for both hands, is one."""
    made = asked.hands.decisions
    if n == 4:
        if made[0].step.rule == "R-DRAW-1" and not asked.hands.forced:
            return made[:1]
        return made[:1] if made[0].draws else made
    return made[1:] if n == 5 and made[0].draws else ()


def pays(asked: WhatIf) -> Iterator[Pays]:
    """Every wager; those on record that would not have been come last."""
    on_record = {(each.wager.seat, each.wager.spot): each for each in asked.recorded.final or ()}
    for paid in asked.payments:
        wager = paid.wager
        was = on_record.pop((wager.seat, wager.spot), None)
        of_record = was.payment.paid if was else None
        yield Pays(wager.seat, wager.patron, wager.spot, wager.stake, paid, of_record)
    for was in on_record.values():
        wager = was.wager
        yield Pays(wager.seat, wager.patron, wager.spot, None, None, was.payment.paid)


def ends(asked: WhatIf) -> Iterator[Words]:
    """Where the later coups end, and what everybody has in all; nothing if none is shifted."""
    if later := asked.later:
        if later.in_step_at:
            number = later.in_step_at.rpartition("/")[2]
            yield Words(
                "After coup {n} the cards fall as on record, and nothing changes.", n=number
            )
        elif later.short:
            yield Words(
                "Then the cards on record run out. Coups that are not finished are not in the sums."
            )
        elif later.coups:
            yield Words("Every later coup is different.")
        else:
            yield Words("No later coup was dealt.")
        for total in asked.totals:
            yield _in_all(total.patron or Words("nobody"), total.net, asked.rules.currency)
        yield _in_all(Words("the house"), asked.house_total, asked.rules.currency)


def _in_all(who: str, amount: int, currency: str) -> Words:
    by = Amount(abs(amount), currency)
    if amount == 0:
        return Words("In all {who} has the same as before.", who=who)
    if amount > 0:
        return Words("In all {who} is better off by {amount}.", who=who, amount=by)
    return Words("In all {who} is worse off by {amount}.", who=who, amount=by)
