"""Words of a coup's pages: a payment as it is reckoned, an event, a line that differs."""

from fractions import Fraction

from domain.events import coup
from domain.review.replay import Disagreement, Line
from domain.rules.house_rules import HouseRules
from domain.rules.money import major
from domain.rules.settlement import Payment
from domain.rules.spots import SPOTS
from domain.rules.wording import Words
from ops.ledger.mapper import fields_of
from ops.ledger.streams import name_of
from ops.replay.story import Found
from ops.words import show
from ops.words.coup_events import card_moved_unseen
from ops.words.event_values import run_on
from ops.words.events import sentence
from projections.proofs import with_proof

FACE_DOWN = "··"


def reckoned(payment: Payment, rules: HouseRules, *, alone: bool = False) -> str:
    """Stake x odds less commission with its rounding, as the dealer reckons it.

    `alone`: what is rounded on collection is told as if it were collected by itself.
    """
    words = {"lose": "loses", "push": "returned", "win": _won(payment, rules)}[payment.result]
    if payment.commission_due:
        words += f", {_commission(payment, rules, alone=alone)}"
    if payment.paid_up:
        words += f", paid up {major(payment.paid_up, rules.currency)} (R-PAY-5)"
    return words


def _won(payment: Payment, rules: HouseRules) -> str:
    odds = (payment.odds or "?").replace(":", " to ")
    return f"wins {odds} = {major(payment.winnings, rules.currency)}"


def _commission(payment: Payment, rules: HouseRules, *, alone: bool) -> str:
    """The exact amount only where it is not what is charged."""
    rounding, exact = rules.commission.rounding, payment.commission_exact
    rate = float(Fraction(*rules.commission.rate) * 100)
    reckoned = f"{rate:g}% = {show.exactly(exact, rules.currency)}"
    on_collection = rounding.moment == "on-collection"
    if on_collection and not alone:
        return f"owes {reckoned}, rounded on collection"
    charged = rounding.charge(exact) if on_collection else payment.commission_charged
    takes = "owes" if payment.commission_due == "deferred" else "less"
    words = f"{takes} {major(charged, rules.currency)}"
    apart = charged - exact
    if apart == 0:
        return words
    which = "up" if apart > 0 else "down"
    return f"{words}: {reckoned}, rounded {which} {show.exactly(abs(apart), rules.currency)}"


def line_words(found: Found, line: Line, currency: str) -> str:
    """What an event says; of cards that lie face down no more than everybody sees (R-DEAL-3)."""
    event = line.event
    if isinstance(event, coup.CardMoved) and event.n in found.face_down:
        return card_moved_unseen(fields_of(event))
    fields = {"type": name_of(line), **fields_of(event)}
    if fields["type"] == "DisputeOpened":
        fields["coup"] = ""  # the page names it already
    words = sentence(fields, currency, marked=False) or name_of(line)
    if not line.proved:
        return words
    people = with_proof(event.approved_by, line.proved)
    return run_on([words, Words("With {people}.", people=people)])


def differing(each: Disagreement, currency: str) -> tuple[str, str, str]:
    """What a line is about, how it stands in the record, and what it would be today."""
    about, colon, name = each.what.partition(": ")
    words = about.split(" ")
    if words[0] == "seat" and words[-1] in SPOTS:
        about = " ".join([*words[:-1], show.spot_called(words[-1])])
    recorded, today = (show.side_words(each.what, value, currency) for value in _both(each))
    return f"{about}{colon}{name.replace('_', ' ')}", recorded, today


def _both(each: Disagreement) -> tuple[object, object]:
    return each.recorded, each.adjudicated
