"""The payment of each wager: stake times odds, less commission, rounded as the rule set says.

Pure: the coup settles with it, and the replay checks with it (R-PAY-1 to 5, R-COM-1 to 3).

>>> from domain.rules.hands import play
>>> from domain.rules.house_rules import named
>>> banker_wins = play(["2C", "9S", "KC", "QD", ]).result
>>> pay(named("dragon-bonus@1"), "banker", 100_00, banker_wins).paid
20000
>>> pay(named("classic@1"), "banker", 100_00, banker_wins).paid
19500
"""

from collections.abc import Iterable
from fractions import Fraction
from typing import Any, Literal

from msgspec import Struct
from msgspec.structs import asdict, replace

from domain.rules.hands import Result
from domain.rules.house_rules import HouseRules
from domain.rules.money import decimal_string, share
from domain.rules.over_coups import Run, line_at_end, score_with
from domain.rules.pro_rata import Share, by_odds, is_share
from domain.rules.refusals import BadValue
from domain.rules.wagers import METER, PUSH, PayLine, judge, odds_text, verdict
from domain.rules.wording import Amount, Words


class Payment(Struct, frozen=True):
    """The payment of one wager. `paid` goes to the patron in chips, stake included.

    `paid_up`: the part of it that is paid because the chips make no smaller amount (R-PAY-5).
    """

    result: Literal["win", "lose", "push"]
    line: str | None  # the line of the pay table that decided
    odds: str | None
    winnings: int
    commission_exact: Fraction
    commission_charged: int  # 0 where it is rounded on collection: it is not known yet
    commission_due: Literal["at-payout", "deferred"] | None
    paid: int
    paid_up: int = 0

    def as_recorded(self) -> dict[str, Any]:
        """The fields of a settled wager's event; the exact amount is a decimal string."""
        fields = asdict(self) | {"commission_exact": decimal_string(self.commission_exact)}
        del fields["line"]
        return fields

    def is_share(self, stake: int) -> bool:
        """Whether a wager of this stake won less than its odds say (R-PAY-6)."""
        return self.result == "win" and is_share(stake, self.odds, self.winnings)

    @property
    def by_meter(self) -> bool:
        """Whether a meter pays it (R-PROG-3)."""
        return self.result == "win" and METER in (self.odds or "")

    @classmethod
    def of(cls, event: Any) -> "Payment":
        """The payment in an event that settled or corrected a wager."""
        fields = {name: getattr(event, name) for name in cls.__struct_fields__ if name != "line"}
        return cls(**fields | {"line": None, "commission_exact": Fraction(event.commission_exact)})


NOTHING = Fraction(0)
NO_PAYMENT = Payment("push", None, None, 0, NOTHING, 0, None, 0)  # of nobody's wager


def pay(
    rules: HouseRules,
    spot: str,
    stake: int,
    result: Result,
    *,
    share: Share | None = None,
    run: Run | None = None,
) -> Payment:
    """The payment of a stake, in minor units, on a spot when the coup ended.

    `share`: what it wins where the bets on the spot share the most that they win (R-PAY-6), or
    their meter (R-PROG-3). `run`: of a bet on several coups that was placed before this one
    (R-BET-9); one that is not decided is paid as if no coup came any more.
    """
    table = rules.spots[spot].pays
    if over := rules.over_coups.get(spot):
        line = line_at_end(over, table, score_with(over, result, run))
        return pay_by(line, rules, spot, stake)
    return pay_by(judge(table, result), rules, spot, stake, share=share)


def pay_by(
    line: PayLine | None, rules: HouseRules, spot: str, stake: int, *, share: Share | None = None
) -> Payment:
    """The payment of a stake by the line of the spot's pay table that decided; None: it loses."""
    table = rules.spots[spot].pays
    won = by_odds(line, stake) if share is None else share.won
    if share and share.reached:
        beside = line is not None and not line.of_meter and line.pays != PUSH
        odds = f"{line.text} + {METER}" if line and beside else METER
        return _payment(rules, spot, stake, won, "win", line, odds)
    return _payment(rules, spot, stake, won, verdict(line), line, odds_text(table, line))


def pay_to(rules: HouseRules, spot: str, stake: int, paid: int) -> Payment:
    """The payment that brings the patron `paid` in chips, as two people decided (R-IRR-5).

    Its commission is that of the winnings in it. Refuses: BadValue.
    """
    _require_payable(rules, stake, paid)
    if paid == stake:
        return replace(_payment(rules, spot, stake, 0, "push"), paid=paid, paid_up=0)
    if paid < stake and rules.payable(paid) == paid:  # a part of it may be given back
        return replace(_payment(rules, spot, stake, 0, "lose"), paid=paid)
    for won in _winnings_near(rules, spot, paid - stake) if paid > stake else ():
        payment = _payment(rules, spot, stake, won, "win")
        if payment.paid == paid:
            return payment
    raise BadValue(
        message=Words(
            "{stake} staked cannot pay {paid} in this table's chips, commission taken off. "
            "Name another amount.",
            stake=Amount(stake, rules.currency),
            paid=Amount(paid, rules.currency),
        )
    )


def _require_payable(rules: HouseRules, stake: int, paid: int) -> None:
    """Refuses more than any bet of the rule set can win; a meter may pay any amount: BadValue."""
    if rules.progressives:
        return
    most = max(rules.most_paid(spot, max(stake, rules.limit(spot).maximum)) for spot in rules.spots)
    most = rules.payable(most)
    if paid > most:
        raise BadValue(
            rule="R-IRR-5",
            message=Words(
                "No bet by these rules is paid more than {most}. Give another amount; what the "
                "house gives besides is goodwill, an incident of its own.",
                most=Amount(most, rules.currency),
            ),
        )


def _winnings_near(rules: HouseRules, spot: str, net: int) -> Iterable[int]:
    """Winnings that may leave `net` after commission, the likeliest first."""
    if spot != "banker" or rules.commission.timing != "at-payout":
        return (net,)
    rate = Fraction(*rules.commission.rate)
    rounding = rules.commission.rounding
    most = max(rounding.unit, rounding.minimum) + min(rules.chips)
    middle = int(net / (1 - rate))
    return sorted(range(max(middle - most, 0), middle + most + 1), key=lambda w: abs(w - middle))


def _payment(
    rules: HouseRules,
    spot: str,
    stake: int,
    won: int,
    result: Literal["win", "lose", "push"],
    line: PayLine | None = None,
    odds: str | None = None,
) -> Payment:
    """Stake and winnings, less commission, in chips that the table has."""
    commission = rules.commission
    timing = commission.timing
    takes = spot == "banker" and won > 0 and timing != "in-the-odds"
    exact = share(won, commission.rate) if takes else NOTHING
    charges = takes and commission.rounding.moment == "per-win"
    charged = commission.rounding.charge(exact) if charges else 0
    owed = 0 if result == "lose" else stake + won - (charged if timing == "at-payout" else 0)
    paid = rules.payable(owed)
    return Payment(
        result=result,
        line=line.when if line else None,
        odds=odds,
        winnings=won,
        commission_exact=exact,
        commission_charged=charged,
        commission_due=timing if takes and timing != "in-the-odds" else None,
        paid=paid,
        paid_up=paid - owed,
    )
