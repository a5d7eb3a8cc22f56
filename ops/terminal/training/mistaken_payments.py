"""Mistakes of the caller with the chips: paid wrong, or commission forgotten."""

from collections.abc import Callable

from msgspec.structs import replace

from domain.rules.spots import MAIN_SPOTS, OPPOSITE, SPOT
from domain.rules.wagers import winnings
from ops.terminal.training.moments import Fault, Leaving, Paid, paid_words
from ops.terminal.training.scene import Moments, Scene


# What the caller mispays (R-PAY-1 to 4, R-COM-2).
def _pays(scene: Scene, kind: str, old: Paid, paid: int, rule: str, why: str) -> Moments | None:
    """The coup with another payment, or None if it is the same amount."""
    if paid == old.paid:
        return None
    right = f"seat {old.seat}'s {paid_words(old, scene.rules.currency)}: {why}"
    new = tuple(replace(each, paid=paid) if each is old else each for each in scene.paying.paid)
    fault = Fault(kind, rule, right)
    return scene.with_moment(scene.paying, replace(scene.paying, paid=new, fault=fault))


def _one_of(scene: Scene, which: Callable[[Paid], bool]) -> Paid | None:
    fitting = [each for each in scene.paying.paid if which(each)]
    return scene.random.choice(fitting) if fitting else None


def banker_pay(scene: Scene, kind: str) -> Moments | None:
    """Commission taken when it is owed, not taken when it is due, or the wrong odds for Banker."""
    wager = _one_of(scene, lambda each: each.spot == "banker" and each.paid > each.stake)
    if wager is None:
        return None
    rules, timing = scene.rules, scene.rules.commission.timing
    payment = scene.payment("banker", wager.stake)
    if timing == "deferred":
        taken = payment.winnings * rules.commission.rate[0] // rules.commission.rate[1]
        why = "commission is collected later, not now"
        return _pays(scene, kind, wager, wager.paid - taken, "R-COM-2", why)
    in_full = wager.stake * 2
    if timing == "at-payout":
        why = "commission is taken as it is paid"
        return _pays(scene, kind, wager, in_full, "R-COM-2", why)
    why = f"it pays {(payment.odds or '').replace(':', ' to ')}"
    return _pays(scene, kind, wager, in_full, "R-PAY-1", why)


def tie_odds(scene: Scene, kind: str) -> Moments | None:
    """A Tie paid at other odds."""
    wager = _one_of(scene, lambda each: each.spot == "tie" and each.paid > each.stake)
    if wager is None:
        return None
    to = (wager.paid - wager.stake) // wager.stake
    paid = wager.stake * (1 + (9 if to == 8 else 8))
    return _pays(scene, kind, wager, paid, "R-PAY-1", f"a Tie pays {to} to 1")


def push_taken(scene: Scene, kind: str) -> Moments | None:
    """A Tie, and the caller takes a main wager."""
    wager = _one_of(scene, lambda each: each.spot in OPPOSITE and each.paid == each.stake)
    if wager is None or scene.result.outcome != "tie":
        return None
    return _pays(scene, kind, wager, 0, "R-PAY-1", "a Tie returns the wager")


def loser_left(scene: Scene, kind: str) -> Moments | None:
    """A losing main wager is left on the layout."""
    wager = _one_of(scene, lambda each: each.spot in OPPOSITE and each.paid == 0)
    if wager is None:
        return None
    why = f"{scene.result.outcome.title()} won"
    return _pays(scene, kind, wager, wager.stake, "R-PAY-1", why)


def bonus_missed(scene: Scene, kind: str) -> Moments | None:
    """An optional wager that won is taken."""
    wager = _one_of(scene, lambda each: each.spot not in MAIN_SPOTS and each.paid > each.stake)
    if wager is None:
        return None
    return _pays(scene, kind, wager, 0, SPOT[wager.spot].rule, _why_it_wins(scene, wager))


def bonus_margin(scene: Scene, kind: str) -> Moments | None:
    """A Dragon Bonus is paid by a margin that is one off."""
    wager = _one_of(
        scene, lambda each: SPOT[each.spot].rule == "R-PAY-2" and each.paid > each.stake
    )
    result = scene.result
    if wager is None or result.natural:
        return None
    near = [m for m in (result.margin - 1, result.margin + 1) if 4 <= m <= 9]
    margin = scene.random.choice(near)
    side = wager.spot.removeprefix("dragon-")
    lines = {line.when: line.pays for line in scene.rules.spots[wager.spot].pays}
    odds = lines[f"{side} wins by {margin} without a natural"]
    paid = wager.stake + winnings(wager.stake, odds)
    return _pays(scene, kind, wager, paid, "R-PAY-2", _why_it_wins(scene, wager))


def _why_it_wins(scene: Scene, wager: Paid) -> str:
    payment = scene.payment(wager.spot, wager.stake)
    return f"{payment.line}, which pays {(payment.odds or '').replace(':', ' to ')}"


# What the caller forgets when a patron leaves (R-COM-4).
def commission_forgotten(scene: Scene, kind: str) -> Moments | None:
    """A patron who owes commission leaves without paying it."""
    owing = [seat for seat in scene.patrons if _owes_after(scene, seat)]
    if not owing:
        return None
    seat = scene.random.choice(owing)
    right = f"seat {seat} owes commission, and pays it before the chair is free"
    fault = Fault(kind, "R-COM-4", right)
    leaving = Leaving(seat=seat, patron=scene.patrons[seat], forgotten=True, fault=fault)
    return (*(each for each in scene.moments if not isinstance(each, Leaving)), leaving)


def _owes_after(scene: Scene, seat: int) -> bool:
    """Whether the seat owes commission of this coup."""
    return any(
        payment.commission_due == "deferred" and payment.commission_exact
        for wager in scene.betting.wagers
        if wager.seat == seat and (payment := scene.payment(wager.spot, wager.stake))
    )
