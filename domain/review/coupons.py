"""Coupons in the record beside today's rules (R-PROMO-1 to 3).

Each event is judged by what held before it, so it is asked while the story is built.
"""

from collections.abc import Collection, Iterator
from typing import Any

from domain.events import coup, coup_coupons
from domain.review.second_bets import Differs
from domain.rules.coupons import NEVER_LAID, Lying, against, settled
from domain.rules.hands import played
from domain.rules.house_rules import HouseRules

OF_COUPONS = (
    *(coup_coupons.CouponLaid, coup_coupons.CouponWithdrawn, coup_coupons.CouponSettled),
    *(coup_coupons.CouponCorrected, coup_coupons.CouponReturned),
)
JUDGED = (*OF_COUPONS, coup.BettingClosed, coup.Settled, coup.Voided)


def differs(state: coup.State, rules: HouseRules, event: Any) -> Iterator[Differs]:
    """How an event is another than the rules allow after what was before it."""
    match event:
        case coup_coupons.CouponLaid():
            yield from _laid_differs(state, rules, Lying.of(event))
        case coup_coupons.CouponSettled():
            yield from _payment_differs(state, rules, event, state.coupons.get(event.seat))
        case coup_coupons.CouponCorrected():
            yield from _correction_differs(state, rules, event)
        case coup_coupons.CouponReturned():
            before = state.coupons_paid.get(event.seat)
            paid = before.paid if before else None
            yield from _pairs(event, paid_before=paid, changes_hands=-(paid or 0))
        case coup.BettingClosed():
            for lying in state.coupons.values():
                yield from _not_taken(state, rules, lying)
        case coup.Settled():
            yield from _left_out(state, "settled", state.coupons_paid)
        case coup.Voided():
            yield from _left_out(state, "returned", state.coupons_back)


def _laid_differs(state: coup.State, rules: HouseRules, lying: Lying) -> Iterator[Differs]:
    if state.phase != "betting" or lying.seat in state.coupons:
        yield _what(lying), "laid", "refused"
    yield from _not_taken(state, rules, lying)


def _left_out(state: coup.State, should: str, done: Collection[int]) -> Iterator[Differs]:
    """The coupons that were not settled, or not returned, with all others."""
    for seat in sorted(state.coupons.keys() - set(done)):
        yield _what(state.coupons[seat]), f"not {should}", should


def _what(lying: Any) -> str:
    return f"seat {lying.seat} coupon {lying.coupon}"


def _not_taken(state: coup.State, rules: HouseRules, lying: Lying) -> Iterator[Differs]:
    for refusal in against(rules, lying, state.layout.stakes_of(lying.seat)):
        yield _what(lying), "taken", f"refused: {refusal}"


def _payment_differs(
    state: coup.State, rules: HouseRules, event: Any, lying: Lying | None
) -> Iterator[Differs]:
    """The fields in which a payment is another than the cards give now."""
    if lying is None or Lying.of(event) != lying:
        yield _what(event), "settled", "it did not lie there"
        return
    result = played(tuple(state.cards)).result
    if result is None or lying.kind not in rules.coupons:
        yield _what(event), "settled", "not yet" if result is None else "none of its kind is taken"
        return
    rightly = settled(rules, rules.coupons[lying.kind], lying.spot, lying.worth, result)
    yield from _pairs(event, **rightly.fields)


def _correction_differs(state: coup.State, rules: HouseRules, event: Any) -> Iterator[Differs]:
    """How a correction does not follow from the payment before, or from the cards."""
    before, lying = state.coupons_paid.get(event.seat), state.coupons.get(event.seat)
    if before is None or lying is None or lying.coupon != event.coupon:
        yield _what(event), "corrected", "it was not paid"
        return
    yield from _pairs(
        event,
        spot_before=lying.spot,
        paid_before=before.paid,
        used_before=before.used,
        changes_hands=event.paid - before.paid,
    )
    if event.ended == NEVER_LAID.ended:
        yield from _pairs(event, **NEVER_LAID.fields)
    else:
        yield from _payment_differs(state, rules, event, Lying.of(event))


def _pairs(event: Any, **should: object) -> Iterator[Differs]:
    """Each field that is another than it should be."""
    for name, value in should.items():
        if getattr(event, name) != value:
            yield f"{_what(event)}: {name}", getattr(event, name), value
