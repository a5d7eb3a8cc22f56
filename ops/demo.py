"""An evening for newcomers: a recorded shoe and seven patrons, through the same dispatcher.

The patrons are seeded by the gaming day, so that the same day is the same evening.
"""

from collections.abc import Iterator
from dataclasses import dataclass
from datetime import UTC, date, datetime, timedelta
from random import Random
from typing import Any

from domain.cards import burn_count
from ops.dispatcher import Answer, Dispatcher
from ops.recorded import RecordedShoe

TABLE = "B01"
RULES = "dragon-bonus@1"
FIRST_DAY = date(2026, 11, 21)


@dataclass(frozen=True)
class Habit:
    """How a patron plays: how often which side, for how much, and what beside it."""

    seat: int
    patron: str
    banker: float  # how often Banker rather than Player
    stakes: tuple[int, ...]
    tie: int = 0
    dragon: int = 0
    pays_often: bool = False


PATRONS = (
    Habit(1, "P-10411", 1.0, (500_00,)),
    Habit(2, "P-10388", 0.5, (25_00, 50_00, 75_00)),
    Habit(3, "P-10417", 0.9, (100_00, 200_00), tie=25_00, pays_often=True),
    Habit(5, "grey-jacket", 0.1, (500_00, 1_000_00), dragon=50_00),
    Habit(6, "P-10502", 0.6, (100_00, 150_00), dragon=25_00),
    Habit(8, "lucky-eight", 0.5, (25_00, 800_00), tie=5_00),
    Habit(9, "P-10533", 0.7, (300_00,), pays_often=True),
)


@dataclass(frozen=True)
class CoupPlayed:
    """What the screen shows of a coup as it goes by."""

    address: str
    cards: list[str]
    outcome: str
    player_total: int
    banker_total: int
    staked: int
    paid: int
    owed: int  # commission owed at the table after it


class Evening:
    """One table, one shoe, seven patrons."""

    def __init__(self, dispatcher: Dispatcher, day: date, shoe: RecordedShoe) -> None:
        self.dispatcher = dispatcher
        self.day = day
        self.shoe = shoe
        self.random = Random(day.toordinal())  # noqa: S311  (a demo, not a shuffle)
        self.clock = datetime(day.year, day.month, day.day, 20, tzinfo=UTC)
        self.owed: dict[int, int] = {}
        self.commands = 0

    def say(
        self, command: str, seconds: float = 2.0, second: str | None = None, **fields: Any
    ) -> Answer:
        """One line at the table, a moment later."""
        self.clock += timedelta(seconds=seconds)
        line = {"command": command, "table": TABLE, "at": self.clock.isoformat(), "by": "D-204"}
        self.commands += 1
        line["id"] = f"demo-{self.day}-{self.commands}"
        if second:
            line["with"] = second
        answer = self.dispatcher.dispatch(line | fields)
        if not answer.ok:
            raise RuntimeError(f"the demo was refused: {answer}")
        return answer

    def open(self) -> None:
        """The table with its opener, and everybody seated."""
        opener = {"10000": 200, "2500": 400, "500": 400}
        self.say("table.open", day=self.day.isoformat(), rules=RULES, opener=opener, second="S-11")
        for habit in PATRONS:
            self.say("table.seat", seat=habit.seat, patron=habit.patron)

    def prepare(self) -> None:
        """Every step that a shoe must take before its first coup."""
        self.say("shoe.load", decks=self.shoe.decks, serials=[f"K-{self.shoe.shoe}"], colour="red")
        self.say("shoe.inspect", seconds=240)
        self.say("shoe.shuffle", seconds=300, method="machine", device="SH-2")
        self.say("shoe.cut", seat=3)
        self.say("shoe.burn", card=self.shoe.burn_card)

    def coups(self) -> Iterator[CoupPlayed]:
        """Coup by coup, until the one after the cut card has shown."""
        left = 52 * self.shoe.decks - 1 - burn_count(self.shoe.burn_card)
        last = False
        for cards in self.shoe.deal():
            yield self._coup(cards)
            left -= len(cards)
            if last:
                return
            if left <= 14:
                self.say("shoe.cut-card")
                last = True

    def _coup(self, cards: list[str]) -> CoupPlayed:
        staked = sum(self._bet(habit) for habit in PATRONS)
        self.say("no-more-bets", seconds=5)
        for card in cards[:-1]:
            self.say("draw", card=card)
        answer = self.say("draw", card=cards[-1], settle=True)
        facts = {fact["type"]: fact for fact in answer.body["events"]}
        for fact in answer.body["events"]:
            if fact["type"] == "CommissionAccrued":
                seat = fact["seat"]
                self.owed[seat] = self.owed.get(seat, 0) + fact["charged"]
        for habit in PATRONS:
            if habit.pays_often and self.random.random() < 0.05:
                self._collect(habit.seat)
        result = facts["Resulted"]
        return CoupPlayed(
            address=answer.body["coup"],
            cards=cards,
            outcome=result["outcome"],
            player_total=result["player_total"],
            banker_total=result["banker_total"],
            staked=staked,
            paid=facts["Settled"]["paid"],
            owed=sum(self.owed.values()),
        )

    def _bet(self, habit: Habit) -> int:
        """One patron's wagers for a coup; what they staked in all."""
        if self.random.random() < 0.15:
            return 0
        side = "banker" if self.random.random() < habit.banker else "player"
        wagers = {side: self.random.choice(habit.stakes)}
        if habit.tie and self.random.random() < 0.3:
            wagers["tie"] = habit.tie
        if habit.dragon and self.random.random() < 0.5:
            wagers[f"dragon-{side}"] = habit.dragon
        for spot, amount in wagers.items():
            self.say("bet", seat=habit.seat, spot=spot, amount=amount, seconds=1.5)
        return sum(wagers.values())

    def _collect(self, seat: int) -> None:
        if self.owed.get(seat):
            self.say("commission.collect", seat=seat, amount=self.owed.pop(seat))

    def close(self) -> None:
        """Everybody pays what they owe; the shoe ends, the seats empty, the table closes."""
        for seat in sorted(self.owed):
            self._collect(seat)
        self.say("shoe.end")
        for habit in PATRONS:
            self.say("table.leave", seat=habit.seat)
        closer = {"10000": 210, "2500": 380, "500": 390}
        self.say("table.close", closer=closer, second="S-11")
