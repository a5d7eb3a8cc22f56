"""Mistakes of others: by patrons, and by the caller who misreads, miscalls, mispays, forgets.

Each is put into a correct coup, by name, if the coup has room for it.
"""

from collections.abc import Callable

from ops.terminal.training import mistaken_bets as bets
from ops.terminal.training import mistaken_calls as calls
from ops.terminal.training import mistaken_payments as payments
from ops.terminal.training.scene import Moments, Scene

Mistake = Callable[[Scene, str], Moments | None]
KINDS: dict[str, Mistake] = {
    mistake.__name__.replace("_", "-"): mistake
    for mistake in (
        *(bets.under_minimum, bets.over_maximum, bets.no_increment, bets.tie_alone),
        *(bets.both_sides, bets.not_offered, bets.late_bet, bets.late_withdrawal),
        *(calls.misread, calls.wrong_total, calls.draw_when_not_due, calls.natural_overlooked),
        *(calls.no_draw_when_due, calls.wrong_hand, calls.wrong_outcome),
        *(payments.banker_pay, payments.tie_odds, payments.push_taken, payments.loser_left),
        *(payments.bonus_missed, payments.bonus_margin, payments.commission_forgotten),
    )
}


def plant(scene: Scene, kind: str) -> Moments | None:
    """The coup with the mistake `kind` in it, or None if it has no room for it."""
    return KINDS[kind](scene, kind)
