"""The rules by which a wager was paid, by number, as a replay cites them."""

from typing import Any

from domain.review.difference import Paid
from domain.review.replay import Replay
from domain.review.what_if.question import WhatIf
from domain.rules.house_rules import HouseRules
from domain.rules.settlement import Payment
from domain.rules.spots import SPOT
from domain.rules.wagers import BANKER, PayTable

DECIDED = ("R-IRR-5",)  # an amount that two people set
RETURNED = ("R-IRR-4",)  # of a void coup
_PLAIN = {line.when for line in BANKER}  # whatever the winning hand


def of_event(replay: Replay, event: Any) -> tuple[str, ...]:
    """By which rules an event of a coup paid a wager, or corrected its payment."""
    if any(line.event is event for line, _by_cards in replay.decided):
        return DECIDED
    return of_payment(
        Payment.of(event), replay.rules, event.spot, event.stake, _outcome(replay, event)
    )


def of_what_if(asked: WhatIf, paid: Paid) -> tuple[str, ...]:
    """By which rules a wager would have been paid."""
    result, wager = asked.hands.result, paid.wager
    if asked.void or result is None:
        return RETURNED
    return of_payment(paid.payment, paid.rules, wager.spot, wager.stake, result.outcome)


def of_payment(
    payment: Payment, rules: HouseRules, spot: str, stake: int, outcome: str | None
) -> tuple[str, ...]:
    """Those of its odds, then of a share or a meter, then of the commission, then of the chips."""
    if payment.result == "win" and not payment.odds:
        return DECIDED
    numbers = [_of_odds(payment, rules, spot, outcome)]
    if payment.by_meter:
        numbers.append("R-PROG-3")
    elif payment.is_share(stake):
        numbers.append("R-PAY-6")
    if payment.commission_due:
        numbers.append("R-COM-1")
        if payment.commission_exact != payment.commission_charged:
            numbers.append("R-COM-3")
    if payment.paid_up:
        numbers.append("R-PAY-5")
    return tuple(numbers)


def _of_odds(payment: Payment, rules: HouseRules, spot: str, outcome: str | None) -> str:
    if spot in rules.over_coups:
        return "R-BET-9"
    if spot == "banker" and _by_the_hand(payment, rules.spots[spot].pays, outcome):
        return "R-PAY-4"
    return SPOT[spot].rule


def _by_the_hand(payment: Payment, table: PayTable, outcome: str | None) -> bool:
    """Whether Banker won with a hand that pays less, or returns the wager."""
    if payment.result == "push":
        return outcome == "banker"
    plain = {line.text for line in table if line.when in _PLAIN}
    return payment.result == "win" and payment.odds not in plain


def _outcome(replay: Replay, event: Any) -> str | None:
    """The outcome by which an event paid: a card may have been put right since."""
    paid = (*replay.payments, *replay.paid_late, *replay.ran_out, *replay.corrected)
    at = next(line.position for line in paid if line.event is event)
    stated = [line.event.outcome for line, _cards in replay.results if line.position < at]
    return stated[-1] if stated else None
