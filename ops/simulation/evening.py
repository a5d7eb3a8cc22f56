"""Made-up evenings at a table, from a seed: the lines that a pit would send.

Pure: the same seed gives the same lines, with the same moments and ids, on every machine.
Commission is paid at odd moments, and some entries must be refused.
"""

from collections.abc import Iterable, Iterator, Sequence
from datetime import UTC, date, datetime, timedelta
from random import Random
from typing import Any

from msgspec import Struct, field

from domain.review.protection.counting import edge_by_count
from domain.review.protection.first_card import is_good
from domain.rules.cards import DECK
from domain.rules.hands import Result, play
from domain.rules.house_rules import HouseRules
from domain.rules.settlement import pay
from domain.rules.spots import OPPOSITE
from domain.rules.tab import Tab
from ops.commands.read import Line
from ops.simulation.habits import Habit, Hands

Wagers = dict[tuple[int, str], int]  # seat and spot to minor units

FIRST_FOUR = 4  # cards: two of each hand
LEAD = 4  # points
OFFSETS = 0.9  # the share of coups on which one who plays with another offsets their bet


def by_its_back(first: str, stakes: Sequence[int]) -> tuple[str, int]:
    """The side and stake of an edge-sorter, who has the good cards turned beforehand.

    The first card goes to Player: the most on Player if it is good, else the least on Banker.
    """
    if is_good(first):
        return "player", max(stakes)
    return "banker", min(stakes)


def far_ahead(cards: Sequence[str]) -> str | None:
    """The side that has won, or is four points ahead once both hands have two cards; else None.

    >>> far_ahead(["9C", "2S", "KD", "3H"]), far_ahead(["9C", "7S", "KD", "KH"])
    ('player', 'player')
    >>> far_ahead(["6C", "4S", "KD", "KH"])
    """
    if len(cards) < FIRST_FOUR:
        return None
    hands = play(cards)
    lead = (hands.player_total or 0) - (hands.banker_total or 0)
    if lead == 0 or (hands.result is None and abs(lead) < LEAD):
        return None
    return "player" if lead > 0 else "banker"


def against(wagers: Wagers, seat: int) -> Wagers:
    """What is on the sides at a seat, on the other side.

    >>> against({(1, "player"): 50_00, (1, "tie"): 5_00, (2, "banker"): 10_00}, 1)
    {(1, 'banker'): 5000}
    """
    return {
        (at, OPPOSITE[spot]): stake
        for (at, spot), stake in wagers.items()
        if at == seat and spot in OPPOSITE
    }


class DealtShoe(Struct, frozen=True):
    """A shoe whose order is known: all its cards, in the order of drawing."""

    serial: str
    decks: int
    cards: list[str]

    @classmethod
    def shuffled(cls, serial: str, decks: int, random: Random) -> "DealtShoe":
        """A made-up shoe."""
        cards = list(DECK) * decks
        random.shuffle(cards)
        return cls(serial, decks, cards)

    def coups(self, burned: int) -> Iterator[tuple[list[str], Result]]:
        """The coups of its cards after the burn, up to the last complete one."""
        rest = self.cards[burned:]
        while rest:
            hands = next((hands for n in range(4, 7) if (hands := play(rest[:n])).result), play([]))
            if hands.result is None:
                return
            used = len(hands.dealt)
            yield rest[:used], hands.result
            rest = rest[used:]


class Evening(Struct, dict=True):
    """One table for one gaming day; `trouble` is the share of coups with a refused entry."""

    table: str
    day: date
    rules: HouseRules
    patrons: tuple[Habit, ...]
    shoes: Iterable[DealtShoe]
    random: Random
    most_coups: int = 1_000_000
    trouble: float = 0.0
    dealer: str = "D-204"
    supervisor: str = "S-11"
    name: str = "evening"  # the beginning of its lines' ids
    hands: Hands = Hands()
    tabs: dict[int, Tab] = field(default_factory=dict)  # commission owed by each seat in this shoe
    left: dict[str, int] = field(default_factory=dict)  # chips in the tray, before and after
    tray: int = 0  # the value that its chips should have, in minor units
    off: int = 0  # by how much more it has; less than 0: less
    box: int = 0  # its cash, in minor units
    sent: int = 0  # lines
    coups: int = 0
    chips: dict[int, int] = field(default_factory=dict)  # of who sits at each seat, as they have it
    seen: list[str] = field(default_factory=list)  # cards of this shoe that left it face up

    def __post_init__(self) -> None:
        self.clock = datetime(self.day.year, self.day.month, self.day.day, 20, tzinfo=UTC)

    @property
    def owed(self) -> int:
        """The commission that all seats owe together."""
        return sum(tab.owed for tab in self.tabs.values())

    def lines(self) -> Iterator[Line]:
        """The lines of the whole evening, in order."""
        opener = self._opener()
        self.tray = sum(int(chip) * count for chip, count in opener.items())
        yield self._line(
            "table.open",
            day=self.day.isoformat(),
            rules=self.rules.name,
            opener=opener,
            second=self.supervisor,
            **self._whatever_was_left(),
        )
        yield from self._come_and_go()
        for shoe in self.shoes:
            yield from self._shoe(shoe)
            if self.coups >= self.most_coups:
                break
        for habit in self.sitting:
            yield from self._leave(habit)
        self.left = self._counted()
        confirmed = {"confirmed": True} if self.off else {}
        yield self._line("table.close", closer=self.left, second=self.supervisor, **confirmed)
        yield self._line("table.drop", amount=self.box, second=self.supervisor)

    def _whatever_was_left(self) -> dict[str, bool]:
        """What the first evening says of its opener: another run may have left other chips."""
        return {} if self.left else {"confirmed": True}

    def _opener(self) -> dict[str, int]:
        """What the evening before left in the tray; on the first one 200 chips of each kind."""
        return self.left or {str(chip): 200 for chip in self.rules.chips}

    def _buy_in(self, habit: Habit) -> Line:
        """A buy-in of chips for cash."""
        amount = habit.brings or max(habit.stakes) * 5
        self.chips[habit.seat] = amount
        self.tray -= amount
        self.box += amount
        return self._line("table.buy-in", seat=habit.seat, amount=amount)

    @property
    def sitting(self) -> tuple[Habit, ...]:
        """Who sits at the table."""
        return tuple(each for each in self.patrons if each.seat in self.chips)

    def _come_and_go(self) -> Iterator[Line]:
        """Those whose coup it is leave, and sit down."""
        for habit in self.patrons:
            first, last = habit.here
            if habit.seat in self.chips and last is not None and self.coups >= last:
                yield from self._leave(habit)
            elif habit.seat not in self.chips and self.coups == first:
                yield self._line(
                    "table.seat", seconds=habit.apart, seat=habit.seat, patron=habit.patron
                )
                yield self._buy_in(habit)

    def _leave(self, habit: Habit) -> Iterator[Line]:
        chips = self.chips.pop(habit.seat)
        if habit.cashes and chips > 0:
            self.tray += chips
            yield self._line("table.cash-out", seat=habit.seat, amount=chips, confirmed=True)
        yield self._line("table.leave", seconds=habit.apart, seat=habit.seat)

    def _counted(self) -> dict[str, int]:
        """The chips in the tray, the largest first."""
        chips, left = {}, self.tray + self.off
        for chip in sorted(self.rules.chips, reverse=True):
            chips[str(chip)], left = divmod(left, chip)
        assert left == 0, left
        return {chip: count for chip, count in chips.items() if count}

    def _line(
        self, command: str, *, seconds: float = 2.0, second: str | None = None, **fields: Any
    ) -> Line:
        """One line at the table, `seconds` after the last."""
        self.clock += timedelta(seconds=seconds)
        self.sent += 1
        line: Line = {"command": command, "table": self.table, **fields}
        line |= {"at": self.clock.isoformat(), "by": self.dealer}
        if second:
            line["with"] = second
        return line | {"id": f"{self.name}-{self.table}-{self.day}-{self.sent}"}

    def _shoe(self, shoe: DealtShoe) -> Iterator[Line]:
        """The lines of a whole shoe, up to the coup after the cut card."""
        yield from self._prepare(shoe)
        burned = 0 if self.rules.burn == "none" else 1 + self.rules.face_down(shoe.cards[0])
        left = len(shoe.cards) - burned
        cut_card_out = False
        self.seen = shoe.cards[: min(burned, 1)]
        for cards, result in shoe.coups(burned):
            yield from self._coup(cards, result)
            self.seen += cards
            self.coups += 1
            if self.hands.counts_every and self.coups % self.hands.counts_every == 0:
                yield self._line(
                    "table.shift-count", seconds=60, chips=self._counted(), second=self.supervisor
                )
            left -= len(cards)
            if cut_card_out or self.coups >= self.most_coups:
                break
            if left <= self.rules.cut_card:
                yield self._line("shoe.cut-card")
                cut_card_out = True
        for seat in sorted(self.tabs):
            yield from self._collect(seat, self.tabs[seat].owed)
        self.tabs.clear()
        if cut_card_out:
            yield self._line("shoe.end")
        else:
            yield self._line("shoe.end", reason="end of play", second=self.supervisor)

    def _prepare(self, shoe: DealtShoe) -> Iterator[Line]:
        yield self._line("shoe.load", decks=shoe.decks, serials=[shoe.serial], colour="red")
        yield self._line("shoe.inspect", seconds=240)
        yield self._line("shoe.shuffle", seconds=300, method="machine", device="SH-2")
        yield self._line("shoe.cut", seat=self.sitting[0].seat)
        if self.rules.burn != "none":
            yield self._line("shoe.burn", card=shoe.cards[0])

    def _coup(self, cards: list[str], result: Result) -> Iterator[Line]:
        wagers: Wagers = {}
        yield from self._come_and_go()
        yield self._line("open")
        for habit in self.sitting:
            yield from self._bets(habit, wagers, cards[0], result)
        trouble = self.random.random() < self.trouble
        if trouble:
            yield from self._early_trouble()
        yield self._line("no-more-bets", seconds=5)
        closed = self.clock
        for n, card in enumerate(cards):
            if trouble and n == 1:
                yield self._late_bet()
            yield self._line("draw", card=card)
            yield from self._past_posts(cards[: n + 1], wagers, closed)
        if trouble:
            yield self._line("draw", card=cards[0])  # refused: the coup has all its cards
        self._reckon(wagers, result)
        yield self._line("settle", seconds=15)
        for habit in self.sitting:
            owed = self.tabs[habit.seat].owed if habit.seat in self.tabs else 0
            if habit.pays_often and owed and self.random.random() < 0.08:
                chip = min(self.rules.chips)
                half = max(owed // 2 // chip * chip, min(owed, chip))
                part = self.random.choice((owed, half))
                yield from self._collect(habit.seat, part)

    def _bets(self, habit: Habit, wagers: Wagers, first: str, result: Result) -> Iterator[Line]:
        if self._passes(habit, wagers):
            return
        side = "banker" if self.random.random() < habit.banker else "player"
        placed = {side: self.random.choice(habit.stakes)}
        if known := self._known(habit, wagers, first, result):
            [side], placed = known, known
        if self._favoured(habit.counts):
            placed[habit.counts] = min(max(habit.stakes), self.rules.limit(habit.counts).maximum)
        if result.outcome == "tie" and self._learns(habit):
            placed["tie"] = min(max(habit.stakes), self.rules.limit("tie").maximum)
        elif habit.tie and "tie" in self.rules.spots and self.random.random() < 0.3:
            placed["tie"] = habit.tie
        dragon = f"dragon-{side}"
        if habit.dragon and dragon in self.rules.spots and self.random.random() < 0.5:
            placed[dragon] = habit.dragon
        for spot, amount in placed.items():
            wagers[habit.seat, spot] = amount
            yield self._line("bet", seconds=1.5, seat=habit.seat, spot=spot, amount=amount)

    def _passes(self, habit: Habit, wagers: Wagers) -> bool:
        """Whether a patron bets nothing on a coup: one who offsets another's bets, as they do."""
        if habit.offsets:
            return not against(wagers, habit.offsets)
        return self.random.random() < (habit.posts or habit.passes)

    def _known(self, habit: Habit, wagers: Wagers, first: str, result: Result) -> dict[str, int]:
        """The bet of a patron who knows something of this coup, or offsets another's; else none."""
        if habit.offsets and self.random.random() < OFFSETS:
            return {spot: stake for (_, spot), stake in against(wagers, habit.offsets).items()}
        if habit.sorts:
            side, stake = by_its_back(first, habit.stakes)
            return {side: stake}
        knows = habit.knows and result.outcome != "tie" and self.random.random() < habit.knows
        return {result.outcome: max(habit.stakes)} if knows else {}

    def _learns(self, habit: Habit) -> bool:
        """Whether the dealer signals a Tie to a patron."""
        return bool(habit.learns_ties) and self.random.random() < habit.learns_ties

    def _favoured(self, spot: str) -> bool:
        """Whether the cards that are left favour a spot, as a counter has it."""
        return bool(spot) and edge_by_count(self.rules, spot, self.rules.decks, self.seen) > 0

    def _early_trouble(self) -> Iterator[Line]:
        """Bets that must be refused."""
        seat = self.patrons[0].seat
        amount = self.rules.main.maximum + self.rules.increment
        yield self._line("bet", seat=seat, spot="banker", amount=amount)
        yield self._line("bet", seat=seat, spot="banker", amount=self.rules.increment + 1)
        empty = next(seat for seat in self.rules.seats if seat not in self.chips)
        yield self._line("bet", seat=empty, spot="banker", amount=self.rules.main.minimum)

    def _past_posts(self, cards: list[str], wagers: Wagers, closed: datetime) -> Iterator[Line]:
        """Bets on the side that is far ahead or has won, entered as if they had been forgotten."""
        for habit in self.patrons:
            if not habit.posts or any(seat == habit.seat for seat, _ in wagers):
                continue
            if side := far_ahead(cards):
                wagers[habit.seat, side] = amount = max(habit.stakes)
                line = self._line(
                    "bet",
                    second=self.supervisor,
                    seat=habit.seat,
                    spot=side,
                    amount=amount,
                    late=True,
                )
                yield line | {"at": closed.isoformat()}

    def _late_bet(self) -> Line:
        habit = self.random.choice(self.patrons)
        return self._line("bet", seat=habit.seat, spot="player", amount=self.rules.main.minimum)

    def _reckon(self, wagers: Wagers, result: Result) -> None:
        """Adds the coup's win to the tray, and the commission to the tabs."""
        for (seat, spot), stake in wagers.items():
            payment = pay(self.rules, spot, stake, result)
            self.tray += stake - payment.paid
            self.chips[seat] += payment.paid - stake
            if payment.paid > stake:
                self.off -= self._too_much(seat, stake)
            if payment.commission_due == "deferred":
                tab = self.tabs.setdefault(seat, Tab())
                win, exact = f"{self.coups} {seat}", payment.commission_exact
                tab.add(win, exact, tab.charge_of(win, exact, self.rules.commission.rounding))

    def _too_much(self, seat: int, stake: int) -> int:
        """A chip that a winning payment has too many; less than 0: too few."""
        chip = max((each for each in self.rules.chips if each <= stake), default=0)
        overpays = self.hands.overpays if seat == self.patrons[0].seat else 0.0
        if overpays and self.random.random() < overpays:
            return chip
        if self.hands.slips and self.random.random() < self.hands.slips:
            return self.random.choice((chip, -chip))
        return 0

    def _collect(self, seat: int, amount: int) -> Iterator[Line]:
        if amount:
            self.tabs[seat].pay(amount)
            self.tray += amount
            yield self._line("commission.collect", seat=seat, amount=amount)
