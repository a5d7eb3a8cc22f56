"""Sentences for the events of coupons, which are no money."""

from collections.abc import Mapping

from domain.rules.wording import N_, Amount, Words
from ops.words.event_values import Event, Values, Wording, worded_with

_KINDS: Mapping[str, str] = {
    "match-play": N_("a match play of {worth}"),
    "free-bet": N_("a free bet of {worth}"),
}
_REFUSED: Mapping[str, str] = {
    "void": N_("Coupon {coupon} is refused at {table_day}: it was voided."),
    "used": N_("Coupon {coupon} is refused at {table_day}: it was used before."),
    "laid": N_("Coupon {coupon} is refused at {table_day}: it is on another coup."),
    "expired": N_("Coupon {coupon} is refused at {table_day}: it has expired."),
    "other": N_("Coupon {coupon} is refused at {table_day}: it has another kind or worth."),
}


def coupon_called(kind: str, worth: Amount) -> Words:
    """A coupon by its kind and worth: `a match play of 25.00`."""
    return Words(_KINDS[kind], worth=worth) if kind in _KINDS else Words("{kind}", kind=kind)


def _issued(event: Event, values: Values) -> Words:
    what = coupon_called(event["kind"], Amount(event["worth"], event["currency"]))
    if event["taken_at"]:
        template = N_("Coupon {coupon}, {what}, was not issued here and is taken at {taken_at}.")
    elif event["last_day"]:
        template = N_("Coupon {coupon} is issued, {what}; it is good until {last_day}.")
    else:
        template = N_("Coupon {coupon} is issued, {what}.")
    return worded_with(template, values, what=what)


def _refused(event: Event, values: Values) -> Words:
    return worded_with(_REFUSED[event["why"]], values)


def _laid(event: Event, values: Values) -> Words:
    template = N_("Seat {seat} {patron} lays coupon {coupon} on {spot}, {what}.")
    return worded_with(template, values, what=_what(event, values))


def _withdrawn(event: Event, values: Values) -> Words:
    template = N_("Seat {seat} {patron} takes coupon {coupon} back from {spot}.")
    if event["why"] == "bet":
        template = N_(
            "Coupon {coupon} goes back to seat {seat} {patron}: no bet of {worth} is beside it."
        )
    return worded_with(template, values)


def _settled(event: Event, values: Values) -> Words:
    return worded_with(_how_paid(event), values)


def _how_paid(event: Event) -> str:
    if event["ended"] == "win" and event["taken_off"]:
        return N_(
            "Seat {seat} {patron}: coupon {coupon} wins {winnings} on {spot}, less {taken_off} "
            "commission, paid {paid}."
        )
    if event["ended"] == "win":
        return N_("Seat {seat} {patron}: coupon {coupon} wins on {spot}, paid {paid}.")
    if event["ended"] == "lose":
        return N_("Seat {seat} {patron}: coupon {coupon} loses on {spot}.")
    if event["ended"] == "withdrawn":
        return N_("Seat {seat} {patron}: coupon {coupon} never lay there, and goes back.")
    if event["used"]:
        return N_("Seat {seat} {patron}: {spot} neither wins nor loses; coupon {coupon} is used.")
    return N_("Seat {seat} {patron}: {spot} neither wins nor loses; coupon {coupon} goes back.")


def _corrected(event: Event, values: Values) -> Words:
    first, hands = worded_with(_how_paid(event), values), event["changes_hands"]
    amount = values["changes_hands"]
    if hands > 0:
        return Words("{what} The patron gets {amount} more.", what=first, amount=amount)
    if hands < 0:
        return Words("{what} The patron gives {amount} back.", what=first, amount=amount)
    return first


def _returned(event: Event, values: Values) -> Words:
    template = N_("Coupon {coupon} goes back to seat {seat} {patron}.")
    if event["paid_before"]:
        template = N_(
            "Coupon {coupon} goes back to seat {seat} {patron}, who gives back {paid_before}."
        )
    return worded_with(template, values)


def _what(event: Event, values: Values) -> Words:
    return coupon_called(event["kind"], Amount(event["worth"], str(values["currency"])))


COUPONS: Mapping[str, Wording] = {
    "CouponIssued": _issued,
    "LaidOn": None,
    "WentBack": None,
    "Collected": None,
    "RefusedAt": _refused,
    "MadeVoid": N_("Coupon {coupon} is void: {reason}."),
    "CouponLaid": _laid,
    "CouponWithdrawn": _withdrawn,
    "CouponSettled": _settled,
    "CouponCorrected": _corrected,
    "CouponReturned": _returned,
}
