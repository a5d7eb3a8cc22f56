"""A what-if as one JSON object, amounts in minor units."""

from collections.abc import Sequence
from typing import Any

from domain.review.difference import Difference, Paid, Played, house
from domain.review.what_if.later import LaterCoup, LaterCoups
from domain.review.what_if.notes import notes
from domain.review.what_if.question import WhatIf
from domain.review.what_if.redeal import Redealt
from domain.rules.money import decimal_string


def as_dict(asked: WhatIf) -> dict[str, Any]:
    """As `sabot replay --json` carries it under `what_if`."""
    hands, currency = asked.hands, asked.rules.currency
    result = hands.result
    last = hands.dealt[-1] if hands.dealt else None
    return {
        "changes": [each.written(currency) for each in asked.changes],
        "rules": asked.rules.name,
        "void": asked.void,
        "cards": _cards(hands, asked.recorded.cards),
        "steps": [
            {
                "position": each.step.position,
                "rule": each.step.rule,
                "draws": each.draws,
                "why": each.why,
                "forced": each.forced,
            }
            for each in hands.decisions
        ],
        "outcome": result.outcome if result else None,
        "natural": result.natural if result else None,
        "player_total": last.player_total if last else None,
        "banker_total": last.banker_total if last else None,
        "payments": [_payment(each) for each in asked.payments],
        "recorded": _stands(asked.recorded),
        "difference": [_difference(each) for each in asked.difference],
        "house": asked.house,
        "short": asked.short,
        "taken": [each.card for each in asked.taken],
        "left_over": list(asked.left_over),
        "then": asked.disposition if asked.left_over else None,
        "later": _later(asked, asked.later) if asked.later else None,
        "notes": notes(asked),
    }


def _cards(hands: Redealt, recorded: Sequence[str]) -> list[dict[str, Any]]:
    """`recorded`: what came at that place on record; `forced`: it came against the tableau."""
    return [
        {
            "n": each.n,
            "card": each.card,
            "hand": each.hand,
            "rule": each.rule,
            "player_total": each.player_total,
            "banker_total": each.banker_total,
            "due": {"hand": each.due.hand, "rule": each.due.rule} if each.due else None,
            "recorded": recorded[each.n - 1] if each.n <= len(recorded) else None,
            "forced": each.n > 4 and each.hand in hands.forced,
        }
        for each in hands.dealt
    ]


def _payment(paid: Paid) -> dict[str, Any]:
    wager = paid.wager
    whose = {"seat": wager.seat, "patron": wager.patron or None, "spot": wager.spot}
    return {**whose, "stake": wager.stake, **paid.payment.as_recorded()}


def _stands(recorded: Played) -> list[dict[str, Any]] | None:
    """What each wager came to on record, corrections and a void included; None: nothing yet."""
    if recorded.stands is None:
        return None
    return [
        {
            "seat": each.wager.seat,
            "patron": each.wager.patron,
            "spot": each.wager.spot,
            "stake": each.wager.stake,
            "paid": each.payment.paid,
            "commission": each.commission,
        }
        for each in recorded.stands
    ]


def _difference(row: Difference) -> dict[str, Any]:
    return {
        "seat": row.seat,
        "patron": row.patron or None,
        "paid": row.paid,
        "commission": row.commission,
        "commission_exact": decimal_string(row.commission_exact),
        "staked": row.staked,
        "net": row.net,
    }


def _later(asked: WhatIf, later: LaterCoups) -> dict[str, Any]:
    return {
        "coups": [_later_coup(each) for each in later.coups],
        "in_step_at": later.in_step_at,
        "short": later.short,
        "totals": [
            {
                "patron": each.patron or None,
                "paid": each.paid,
                "commission": each.commission,
                "staked": each.staked,
                "net": each.net,
            }
            for each in asked.totals
        ],
        "house": asked.house_total,
    }


def _later_coup(coup: LaterCoup) -> dict[str, Any]:
    result, recorded, played = coup.hands.result, coup.recorded, coup.played
    return {
        "coup": played.address if played else None,
        "dummy": played is None,
        "void": bool(played and played.void),
        "recorded": recorded.outcome if recorded else None,
        "outcome": result.outcome if result else None,
        "player_total": result.player_total if result else None,
        "banker_total": result.banker_total if result else None,
        "cards": [each.card for each in coup.hands.dealt],
        "difference": [_difference(each) for each in coup.difference],
        "house": None if coup.short else house(coup.difference),
        "short": coup.short,
    }
