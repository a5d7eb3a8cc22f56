"""What a coup comes to and what each wager is paid, reckoned from the rulebook by hand.

Nothing of `domain` is used here: this is the second opinion.
"""

from dataclasses import dataclass
from decimal import ROUND_CEILING, ROUND_FLOOR, Decimal

PIPS = {**{str(pip): pip for pip in range(2, 10)}, "A": 1, **dict.fromkeys("TJQK", 0)}

# Banker on this total draws when Player's third card counts one of these (R-DRAW-4).
BANKER_DRAWS_ON = {
    **dict.fromkeys((0, 1, 2), "0123456789"),
    3: "012345679",
    4: "234567",
    5: "4567",
    6: "67",
    7: "",
}
DRAGON = {9: 30, 8: 10, 7: 6, 6: 4, 5: 2, 4: 1}  # by how much, without a natural (R-PAY-2)
COMMISSION = Decimal("0.05")
TIMING = {
    "classic@1": "at-payout",
    "big-table@1": "at-payout",
    "tie-eight@1": None,  # Banker pays 1 to 1, and nothing is taken
    "dragon-bonus@1": "deferred",
    "electronic@1": None,  # in the odds: Banker pays 19 to 20
}


def total(cards):
    """The last digit of what the cards count (R-CARD-2)."""
    return sum(PIPS[card[0]] for card in cards) % 10


@dataclass(frozen=True)
class Finished:
    """Two hands, after their last card."""

    player: tuple[str, ...]
    banker: tuple[str, ...]

    @property
    def totals(self):
        return total(self.player), total(self.banker)

    @property
    def outcome(self):
        player, banker = self.totals
        return "tie" if player == banker else "player" if player > banker else "banker"

    @property
    def natural(self):
        return max(total(self.player[:2]), total(self.banker[:2])) >= 8


def dealt(cards):
    """The coup that these cards begin with, in deal order, and how many cards it takes."""
    player, banker = [cards[0], cards[2]], [cards[1], cards[3]]
    rest = iter(cards[4:6])
    if not Finished(player, banker).natural:
        on = BANKER_DRAWS_ON[total(banker)]
        if total(player) <= 5:
            player.append(next(rest))
            draws = str(PIPS[player[2][0]]) in on
        else:
            draws = total(banker) <= 5
        if draws:
            banker.append(next(rest))
    return Finished(tuple(player), tuple(banker)), len(player) + len(banker)


def paid(rules, spot, stake, coup):
    """One wager's line of the settlement, as the record must have it."""
    odds, pays = _odds(rules, spot, coup)
    won = int((stake * pays).to_integral_value(ROUND_FLOOR)) if pays else 0
    owes = TIMING[rules] if spot == "banker" and won else None
    exact = won * COMMISSION if owes else Decimal(0)
    charged = int(exact.to_integral_value(ROUND_CEILING))
    return {
        "result": "lose" if pays is None else "win" if pays else "push",
        "odds": odds,
        "winnings": won,
        "commission_exact": f"{exact.normalize():f}",
        "commission_charged": charged,
        "commission_due": owes,
        "paid": 0 if pays is None else stake + won - (charged if owes == "at-payout" else 0),
    }


def _odds(rules, spot, coup):
    """The odds as they are called, and what 1 staked wins: 0 is returned, None is lost."""
    if spot.startswith("dragon-"):
        return _dragon(spot.removeprefix("dragon-"), coup)
    one_to_one = ("1:1", Decimal(1))
    called, pays = {
        "player": one_to_one,
        "banker": ("19:20", Decimal(19) / 20) if rules == "electronic@1" else one_to_one,
        "tie": ("8:1", Decimal(8)),
    }[spot]
    if spot == coup.outcome:
        return called, pays
    return called, Decimal(0) if coup.outcome == "tie" else None


def _dragon(side, coup):
    player, banker = coup.totals
    if coup.natural:
        won = {side: ("1:1", Decimal(1)), "tie": (None, Decimal(0))}
        return won.get(coup.outcome, (None, None))
    to = DRAGON.get(abs(player - banker))
    return (f"{to}:1", Decimal(to)) if to and coup.outcome == side else (None, None)
