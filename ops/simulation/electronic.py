"""Made-up evenings at an electronic table: patrons click chips, an attendant sees to accounts.

A dealer deals the cards, so that the same seed is the same evening: what a generator deals, nobody
can know before.
"""

from collections.abc import Iterator

from domain.rules.hands import Result
from domain.rules.settlement import pay
from ops.commands.read import Line
from ops.simulation.evening import DealtShoe, Evening, Wagers
from ops.simulation.habits import Habit

OPPOSITE = {"player": "banker", "banker": "player"}
BY_HAND = 300_00  # minor units: what the house pays by hand instead of from a drawer of cash


class ElectronicEvening(Evening):
    """One table with game accounts for one gaming day."""

    def __post_init__(self) -> None:
        super().__post_init__()
        self.balances = {habit.seat: 0 for habit in self.patrons}  # minor units
        self.tickets = dict.fromkeys(self.balances, 0)  # how many were printed for each seat
        self.last: dict[int, dict[str, int]] = {}  # each seat's wagers on its last coup
        self.shoe = self.coup = 0  # numbers of those in play

    def _opener(self) -> dict[str, int]:
        return {}

    def _counted(self) -> dict[str, int]:
        """No chips: all that is at stake is on the accounts."""
        return {}

    def _buy_in(self, habit: Habit) -> Line:
        """Cash on an account."""
        amount = max(habit.stakes) * 5
        self.chips[habit.seat] = 0  # all that they have is on the account
        self.balances[habit.seat] += amount
        self.box += amount
        return self._line("account.pay-in", seat=habit.seat, amount=amount)

    def _leave(self, habit: Habit) -> Iterator[Line]:
        """Pays an account out: by hand when it is much, else in cash or with a ticket."""
        seat, balance = habit.seat, self.balances[habit.seat]
        if balance > BY_HAND:
            reason = "more than the drawer pays"
            yield self._line("account.hand-pay", seat=seat, reason=reason, second=self.supervisor)
        elif balance:
            to = self.random.choice(("cash", "ticket"))
            yield self._line("account.pay-out", seat=seat, to=to)
        yield from super()._leave(habit)

    def _bets(self, habit: Habit, wagers: Wagers, first: str, result: Result) -> Iterator[Line]:
        """What a patron clicks before the betting closes."""
        if self.balances[habit.seat] < max(habit.stakes) + habit.tie:
            yield from self._more_money(habit)
        if self._passes(habit, wagers):
            return
        before, seat = self.last.get(habit.seat), habit.seat
        if known := self._known(habit, wagers, first, result):
            placed = known
            yield self._bet(seat, placed)
        elif before and self.random.random() < 0.4 and sum(before.values()) <= self.balances[seat]:
            placed = dict(before)
            yield self._bet(seat, placed)
        else:
            placed = {}
            yield from self._click(habit, placed)
        self.last[seat] = placed
        for spot, stake in placed.items():
            wagers[seat, spot] = stake
            self.balances[seat] -= stake

    def _click(self, habit: Habit, placed: dict[str, int]) -> Iterator[Line]:
        """Chip after chip on a side, with a change of mind now and then, and a Tie."""
        seat, side = habit.seat, "banker" if self.random.random() < habit.banker else "player"
        if self.random.random() < 0.1:
            yield self._bet(seat, {side: self.rules.main.minimum})
            yield self._bet(seat, {side: 0, OPPOSITE[side]: self.rules.main.minimum})
            side = OPPOSITE[side]
        too_much = self.balances[seat] + self.rules.increment
        if self.random.random() < self.trouble and too_much <= self.rules.main.maximum:
            yield self._bet(seat, {side: too_much})  # refused: it is not on the account
        stake = self.random.choice(habit.stakes)
        for total in self._chips(stake):
            yield self._bet(seat, {side: total})
        placed[side] = stake
        if habit.tie and self.random.random() < 0.3:
            yield self._bet(seat, {"tie": habit.tie})
            placed["tie"] = habit.tie

    def _chips(self, stake: int) -> Iterator[int]:
        """The stake on the spot after each chip, the largest chips first."""
        total = 0
        for chip in sorted(self.rules.chips, reverse=True):
            while chip <= stake - total and chip >= self.rules.increment:
                total += chip
                yield total

    def _bet(self, seat: int, stakes: dict[str, int]) -> Line:
        coup = f"{self.table}/{self.day}/{self.shoe}/{self.coup}"
        return self._line("account.bet", seconds=0.5, seat=seat, coup=coup, stakes=dict(stakes))

    def _prepare(self, shoe: DealtShoe) -> Iterator[Line]:
        self.shoe, self.coup = self.shoe + 1, 0
        yield from super()._prepare(shoe)

    def _coup(self, cards: list[str], result: Result) -> Iterator[Line]:
        self.coup += 1
        yield from super()._coup(cards, result)

    def _early_trouble(self) -> Iterator[Line]:
        """Clicks that must be refused."""
        seat = self.patrons[0].seat
        yield self._bet(seat, {"tie": self.rules.limit("tie").maximum + self.rules.increment})
        yield self._bet(seat, {"tie": self.rules.increment + 1})

    def _late_bet(self) -> Line:
        habit = self.random.choice(self.patrons)
        return self._bet(habit.seat, {"player": self.rules.main.minimum})

    def _more_money(self, habit: Habit) -> Iterator[Line]:
        """Cash on an account that runs low; or first what is there on a ticket, and back."""
        seat, balance = habit.seat, self.balances[habit.seat]
        if balance and self.random.random() < 0.3:
            self.tickets[seat] += 1
            stay = f"{self.table}/{self.day}/stay-{self._stay_of(habit)}"
            ticket = f"{stay}/ticket-{self.tickets[seat]}"
            yield self._line("account.pay-out", seat=seat, to="ticket")
            yield self._line("account.pay-in", seat=seat, amount=balance, ticket=ticket)
        yield self._buy_in(habit)

    def _stay_of(self, habit: Habit) -> int:
        """Stays are numbered as patrons sit down."""
        return self.patrons.index(habit) + 1

    def _reckon(self, wagers: Wagers, result: Result) -> None:
        """Pays the coup's winnings to the accounts; nobody owes commission."""
        for (seat, spot), stake in wagers.items():
            self.balances[seat] += pay(self.rules, spot, stake, result).paid
