"""What each wager is paid: stake x odds, less commission, rounded as the rule set says.

Pure: the coup settles by it, and the replay adjudicates by it again (R-PAY-1, R-COM-1 to 3).

>>> from domain.hands import play
>>> from domain.house_rules import named
>>> banker_wins = play(["2C", "9S", "KC", "QD", ]).result
>>> pay(named("dragon-bonus@1"), "banker", 100_00, banker_wins).paid
20000
>>> pay(named("classic@1"), "banker", 100_00, banker_wins).paid
19500
"""

from dataclasses import dataclass
from fractions import Fraction
from typing import Any, Literal

from domain.hands import Result
from domain.house_rules import HouseRules
from domain.money import decimal_string, share
from domain.wagers import judge, odds_text, verdict, winnings


@dataclass(frozen=True, slots=True)
class Payment:
    """What one wager came to. `paid` goes to the patron in chips, stake included."""

    result: Literal["win", "lose", "push"]
    line: str | None  # the line of the pay table that decided
    odds: str | None
    winnings: int
    commission_exact: Fraction
    commission_charged: int
    commission_due: Literal["at-payout", "deferred"] | None
    paid: int

    def as_recorded(self) -> dict[str, Any]:
        """As the fact of a settled wager tells it: the exact amount is a decimal string."""
        return {
            "result": self.result,
            "odds": self.odds,
            "winnings": self.winnings,
            "commission_exact": decimal_string(self.commission_exact),
            "commission_charged": self.commission_charged,
            "commission_due": self.commission_due,
            "paid": self.paid,
        }


def pay(rules: HouseRules, spot: str, stake: int, result: Result) -> Payment:
    """The payment of a stake, in minor units, that lay on the spot when the coup ended."""
    table = rules.spots[spot].pays
    line = judge(table, result)
    won = 0 if line is None else winnings(stake, line.pays)
    timing = rules.commission.timing
    takes = spot == "banker" and won > 0 and timing != "in-the-odds"
    exact = share(won, rules.commission.rate) if takes else Fraction(0)
    charged = rules.commission.rounding.charge(exact)
    at_once = charged if timing == "at-payout" else 0
    return Payment(
        result=verdict(line),
        line=line.when if line else None,
        odds=odds_text(table, line),
        winnings=won,
        commission_exact=exact,
        commission_charged=charged,
        commission_due=timing if takes and timing != "in-the-odds" else None,
        paid=0 if line is None else stake + won - at_once,
    )
