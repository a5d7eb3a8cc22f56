"""Words of a coup's pages: how a payment is computed, an event, a line that differs."""

from collections.abc import Mapping
from fractions import Fraction
from typing import Any

from domain.events import coup
from domain.events.commission_account import CommissionRefunded
from domain.review.replay import Disagreement, Line, Replay
from domain.rules.house_rules import HouseRules
from domain.rules.refusals import SENSELESS
from domain.rules.settlement import Payment
from domain.rules.wording import Amount, Words, listed
from ops.ledger.mapper import fields_of
from ops.ledger.streams import name_of
from ops.replay.people import people_of
from ops.replay.story import CoupRecord
from ops.words import cloth, coups, differences
from ops.words.coup_events import card_moved_unseen
from ops.words.event_values import run_on
from ops.words.events import sentence
from ops.words.language import N_, _, marked, shown

FACE_DOWN = "··"
# Rounded commission: whether it is owed, and whether it was rounded up.
_ROUNDED: Mapping[tuple[bool, bool], str] = {
    (True, True): N_("owes {charged}: {rate}% = {exact}, rounded up {apart}"),
    (True, False): N_("owes {charged}: {rate}% = {exact}, rounded down {apart}"),
    (False, True): N_("less {charged}: {rate}% = {exact}, rounded up {apart}"),
    (False, False): N_("less {charged}: {rate}% = {exact}, rounded down {apart}"),
}


def computation(
    payment: Payment, rules: HouseRules, *, stake: int | None = None, alone: bool = False
) -> str:
    """Stake x odds less commission with its rounding, as the dealer computes it.

    `stake`: by which a share of the most that bets win is told (R-PAY-6). `alone`: a payment
    rounded on collection is shown as if collected by itself.
    """
    words = _result(payment, rules)
    if stake is not None and payment.is_share(stake):
        words = _("{result}, its share of the most that is paid", result=words)
    if payment.commission_due:
        commission = _commission(payment, rules, alone=alone)
        words = _("{result}, {commission}", result=words, commission=commission)
    if payment.paid_up:
        up = Amount(payment.paid_up, rules.currency)
        words = _("{result}, paid up {amount}", result=words, amount=up)
    return words


def before_words(replay: Replay, wager: Any) -> str:
    """What stood on record before a wager was put right, or ''."""
    now = wager.seat, wager.spot
    before = replay.before.get(now)
    if before is None:
        return ""
    currency = replay.rules.currency
    paid, spot = replay.paid_last.get(now), replay.state.paid_as.get(now)
    first = before.seat, before.patron, before.stake, before.paid
    last = wager.seat, wager.patron, wager.amount, paid and paid.paid
    return coups.before_put_right(first, last, spot, currency)


def _result(payment: Payment, rules: HouseRules) -> str:
    if payment.result == "lose":
        return _("loses")
    if payment.result == "push":
        return _("returned")
    if payment.by_meter:
        won = Amount(payment.winnings, rules.currency)
        part = cloth.of_meter(payment.odds or "")
        return _("wins {part}: {winnings}", part=part, winnings=won)
    winnings = Amount(payment.winnings, rules.currency)
    if not payment.odds:  # two people decided the amount
        return _("wins {winnings}", winnings=winnings)
    to, _colon, each = payment.odds.partition(":")
    return _("wins {odds} to {each} = {winnings}", odds=to, each=each, winnings=winnings)


def _commission(payment: Payment, rules: HouseRules, *, alone: bool) -> str:
    """The commission; with rate and rounding only if the exact amount is not the one charged."""
    rounding, exact = rules.commission.rounding, payment.commission_exact
    rate = marked(f"{float(Fraction(*rules.commission.rate) * 100):g}")
    exactly = coups.exactly(exact, rules.currency)
    on_collection = rounding.moment == "on-collection"
    if on_collection and not alone:
        return _("owes {rate}% = {exact}, rounded on collection", rate=rate, exact=exactly)
    charged = rounding.charge(exact) if on_collection else payment.commission_charged
    amount, owes = Amount(charged, rules.currency), payment.commission_due == "deferred"
    if charged == exact:
        return _("owes {charged}", charged=amount) if owes else _("less {charged}", charged=amount)
    return _(
        _ROUNDED[owes, charged > exact],
        charged=amount,
        rate=rate,
        exact=exactly,
        apart=coups.exactly(abs(charged - exact), rules.currency),
    )


def line_words(record: CoupRecord, line: Line, currency: str) -> str:
    """The words for an event; cards that are face down are not named (R-DEAL-3)."""
    event = line.event
    if isinstance(event, coup.CardMoved) and event.n in record.face_down:
        return shown(card_moved_unseen(fields_of(event)))
    fields = {"type": name_of(line), **fields_of(event)}
    if fields["type"] == "DisputeOpened":
        fields["coup"] = ""  # the page names it already
    try:
        words = sentence(fields, currency, marked=False) or _alone(event, currency)
    except SENSELESS:  # the event was altered
        words = name_of(line)
    if not line.proved:
        return shown(words)
    return shown(run_on([words, _by(people_of(line))]))


def _by(people: list[str]) -> Words:
    """Who did it with whom, after the words for it."""
    if len(people) > 1:
        return Words("By {people}.", people=listed(people, N_("{some} with {last}")))
    return Words("With {people}.", people=people[0])


def _alone(event: Any, currency: str) -> Words | str:
    """The words for an event that the sentence of another covers where both are told together."""
    if isinstance(event, CommissionRefunded):
        amount = Amount(event.amount, currency)
        return Words(
            "{patron}: what changes hands includes the {amount} commission withheld at the payout.",
            patron=event.patron,
            amount=amount,
        )
    return type(event).__name__


def difference(each: Disagreement, currency: str) -> tuple[str, str, str]:
    """The subject of a line that differs, its recorded side, and its side by today's rules."""
    recorded, today = (
        differences.value(each.what, value, currency) for value in (each.recorded, each.adjudicated)
    )
    return differences.about(each.what), recorded, today
