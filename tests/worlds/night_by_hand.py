"""What a night comes to, reckoned by hand from what happened. Nothing of `domain` is used."""

from collections import Counter
from dataclasses import dataclass, field

from tests.acceptance.by_hand import dealt, paid


@dataclass
class Deal:
    """A coup as it was; `typed_on` and `set_to` by seat and spot."""

    place: str  # its address after the table
    day: str
    cards: list = field(default_factory=list)
    bets: dict = field(default_factory=dict)  # by seat and spot: the patron, and the stake
    at_once: frozenset = frozenset()  # patrons who pay commission as it wins
    void: bool = False
    typed_on: dict = field(default_factory=dict)  # the spot where a bet stays entered
    set_to: dict = field(default_factory=dict)  # what two people paid in all

    @property
    def shoe(self):
        return self.place.rpartition("/")[0]

    def money_of(self, rules, bet):
        """What a bet is paid, and its commission."""
        patron, stake = self.bets[bet]
        if self.void:
            return stake, 0
        if bet in self.set_to:
            return self.set_to[bet], 0
        return money(rules, bet[1], stake, self.cards, at_once=patron in self.at_once)


def money(rules, spot, stake, cards, *, at_once=False):
    """What a bet is paid by these cards, and its commission; `at_once`: taken off the payment."""
    line = paid(rules, spot, stake, dealt([*cards, *cards])[0])
    charged = line["commission_charged"]
    off = charged if at_once and line["commission_due"] == "deferred" else 0
    return line["paid"] - off, charged


@dataclass
class ByHand:
    """What really happened in a night."""

    rules: str
    deals: list = field(default_factory=list)
    cash: list = field(default_factory=list)  # day, patron, `in` or `out`, amount
    waived: Counter = field(default_factory=Counter)  # commission, by patron

    @property
    def bets(self):
        """Every bet: its coup, its seat, its stake, what it is paid, and its commission."""
        return Counter(
            (deal.place, seat, stake, *deal.money_of(self.rules, (seat, spot)))
            for deal in self.deals
            for (seat, spot), (_, stake) in deal.bets.items()
        )

    def later(self, deal, patron):
        """Whether a patron pays commission later, and not out of the payment."""
        return self.rules == "dragon-bonus@1" and patron not in deal.at_once

    def by_patron(self, what):
        """A sum for each patron: `win_loss`, `handle` or `commission`."""
        sums = Counter()
        for deal in self.deals:
            for bet, (patron, stake) in deal.bets.items():
                paid_out, commission = deal.money_of(self.rules, bet)
                owed = commission * self.later(deal, patron)
                won = paid_out - stake - owed
                each = {"win_loss": won, "handle": stake, "commission": commission}
                sums[patron] += each[what] * (not deal.void)
        if what == "win_loss":
            sums.update(self.waived)
        return {patron: amount for patron, amount in sums.items() if amount}

    def won_on(self, day):
        """What the house won on the coups of a day."""
        return sum(
            stake - deal.money_of(self.rules, bet)[0]
            for deal in self.deals
            if deal.day == day
            for bet, (_, stake) in deal.bets.items()
        )

    @property
    def from_patrons(self):
        """What the house got of patrons in all, with the commission that was not taken off."""
        later = sum(
            deal.money_of(self.rules, bet)[1] * self.later(deal, patron)
            for deal in self.deals
            for bet, (patron, _) in deal.bets.items()
        )
        return (
            sum(self.won_on(day) for day in {deal.day for deal in self.deals})
            + later
            - self.waived.total()
        )

    @property
    def cash_by_patron(self):
        """Cash by day, patron and direction."""
        sums = Counter()
        for day, patron, direction, amount in self.cash:
            sums[day, patron, direction] += amount
        return sums

    def cash_of(self, day, direction):
        """The cash of a day, in or out."""
        return sum(each[3] for each in self.cash if (each[0], each[2]) == (day, direction))
