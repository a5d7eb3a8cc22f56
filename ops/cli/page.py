"""A coup's replay as a page that a patron could be shown: from top to bottom, as it happened."""

from collections.abc import Iterable, Iterator
from datetime import datetime
from typing import TYPE_CHECKING, Any

from rich.table import Table
from rich.text import Text

from domain.coup import Coup
from domain.hands import Step
from domain.money import major
from domain.replay import CardLine, Line, Replay
from ops import show
from ops.ledger.mapper import told
from ops.replay import Found

if TYPE_CHECKING:
    from zoneinfo import ZoneInfo

    from rich.console import Console

_SPOTS = {
    "player": "Player",
    "banker": "Banker",
    "tie": "Tie",
    "dragon-player": "Dragon P",
    "dragon-banker": "Dragon B",
    "pair-player": "Pair P",
    "pair-banker": "Pair B",
    "dragon-7": "Dragon 7",
    "panda-8": "Panda 8",
    "lucky-6": "Lucky 6",
}
_CLOSED = {
    "first-card": ("betting closed by the first card", "R-DEAL-2"),
    "dummy": ("a dummy coup, which takes no bets", "R-IRR-1"),
}


class Page:
    """One coup on one screen."""

    def __init__(self, found: Found, replay: Replay, console: "Console", zone: "ZoneInfo") -> None:
        """`replay`: as far as the story is told."""
        self.found = found
        self.replay = replay
        self.console = console
        self.zone = zone
        self.currency = replay.rules.currency

    def print(self) -> None:
        """The whole story."""
        self._head()
        self._wagers()
        self._cards()
        self._payments()
        self._exceptions()
        self._afterwards()
        if self.found.stops_before:
            self._stop(self.found.stops_before)
        else:
            self._judgement()

    def _head(self) -> None:
        opened = self.replay.opened.fact
        told = self.replay
        dealt = told.dealt[-1] if told.dealt else told.closed
        reached = told.voided or told.settled or told.resulted or dealt or told.opened
        people = f"dealer {opened.dealer or '·'}   supervisor {opened.supervisor or '·'}"
        self.console.print(
            Text.assemble(
                (str(self.found.address), "bold"),
                f"   {opened.rules}   {people}",
            )
        )
        self.console.print(
            f"opened {self._time(self.replay.opened.at)[:8]}, "
            f"{self.replay.phase} {self._time(reached.at)[:8]} "
            f"on {reached.at.astimezone(self.zone):%Y-%m-%d}"
        )
        if self.found.as_of:
            moment = self.found.as_of.astimezone(self.zone).isoformat(" ", "seconds")
            self.console.print(f"As of {moment}: what was recorded later is not told.")

    def _wagers(self) -> None:
        table = self._table("Wagers", "", "", "placed", "before first card", "")
        for line, first in _by_seat(self.replay.wagers):
            fact = line.fact
            table.add_row(
                f"seat {fact.seat} {fact.patron}" if first else "",
                _SPOTS[fact.spot],
                self._money(fact.amount),
                self._time(line.at),
                self._before_first_card(line),
                _place(line),
            )
        if not self.replay.wagers:
            betting = self.replay.phase == "betting"
            table.add_row("no wager yet" if betting else "no wager lay")
        self.console.print(table)
        closed = self.replay.closed
        if closed:
            how, rule = _CLOSED.get(closed.fact.by, ("betting closed", "R-DEAL-2"))
            self.console.print(f"{how} {self._time(closed.at)}   {rule}   {_place(closed)}")

    def _before_first_card(self, line: Line) -> str:
        if not self.replay.dealt:
            return "·"
        return f"{(self.replay.dealt[0].at - line.at).total_seconds():.1f} s"

    def _cards(self) -> None:
        self._card_line(
            Text.assemble(("Cards", "bold")),
            Text("Player", "bold blue"),
            "",
            Text("Banker", "bold red"),
            "",
        )
        hands: dict[str, list[str]] = {"player": [], "banker": []}
        for shown in self.replay.cards:
            fact = shown.line.fact
            hands[fact.hand].append(fact.card)
            self._card(shown, hands)
            for step in self._decided_by(fact.n):
                self._card_line(Text.assemble((f"    {step.why}", "italic")), rule=step.rule)
        resulted = self.replay.resulted
        if resulted:
            fact = resulted.fact
            called = show.outcome_words(fact.outcome, fact.player_total, fact.banker_total)
            words = Text.assemble((called, show.STYLES[fact.outcome]))
            self._card_line(words, rule="R-WIN-1", place=_place(resulted))

    def _decided_by(self, n: int) -> tuple[Step, ...]:
        """What card n decided; a natural decides for both hands and is told once."""
        decided = self.replay.decided_after(n)[len(self.replay.decided_after(n - 1)) :]
        return decided[:1] if decided and decided[0].rule == "R-DRAW-1" else decided

    def _card(self, shown: CardLine, hands: dict[str, list[str]]) -> None:
        fact = shown.line.fact
        self._card_line(
            Text.assemble(f" {fact.n}  ", show.card_text(fact.card), f" → {fact.hand.title()}"),
            _hand(hands["player"]),
            _total(shown.player_total),
            _hand(hands["banker"]),
            _total(shown.banker_total),
            rule=fact.rule,
            place=_place(shown.line),
        )
        if fact.carried:
            before = Text("    carried: it came when none was due", "italic")
            self._card_line(before, rule="R-IRR-1")

    def _card_line(
        self,
        what: Text,
        player: Text | None = None,
        player_total: str = "",
        banker: Text | None = None,
        banker_total: str = "",
        *,
        rule: str = "",
        place: str = "",
    ) -> None:
        """One line under fixed columns; words that need the room run across the hands."""
        line = what.copy()
        for begins, cell in (
            *((18, player), (30, Text(player_total)), (36, banker)),
            *((48, Text(banker_total)), (54, Text(rule)), (64, Text(f"{place:>10}"))),
        ):
            if cell:
                line.append(" " * max(begins - line.cell_len, 0))
                line.append_text(cell)
        self.console.print(line)

    def _payments(self) -> None:
        if not self.replay.payments:
            return
        table = self._table("Payments", "", "", "", "paid", "")
        for line, first in _by_seat(self.replay.payments):
            fact = line.fact
            table.add_row(
                f"seat {fact.seat}" if first else "",
                _SPOTS[fact.spot],
                self._money(fact.stake),
                self._arithmetic(fact),
                self._money(fact.paid),
                _place(line),
            )
        self.console.print(table)

    def _arithmetic(self, fact: Any) -> str:
        """Stake x odds less commission, as the dealer reckons it."""
        if fact.result == "lose":
            return "loses"
        if fact.result == "push":
            return "returned"
        odds = fact.odds.replace(":", " to ")
        words = f"wins {odds} = {self._money(fact.winnings)}"
        if fact.commission_due is None:
            return words
        commission = self._money(fact.commission_charged)
        if fact.commission_charged == 0:
            return f"{words}, owes commission rounded on collection"
        if fact.commission_due == "deferred":
            return f"{words}, owes {commission}"
        return f"{words}, less {commission}"

    def _exceptions(self) -> None:
        for line in self.replay.exceptions:
            words = f"! {self._time(line.at)} {self._words(line)} {_place(line)}"
            self.console.print(Text(words, "yellow"))

    def _afterwards(self) -> None:
        for line in self.found.afterwards:
            words = self._words(line)
            self.console.print(f"Afterwards {self._time(line.at)}  {words}  {_place(line)}")

    def _words(self, line: Line) -> str | None:
        fact = {"type": type(line.fact).__name__, **told(line.fact)}
        return show.fact_words(fact, self.currency)

    def _stop(self, line: Line) -> None:
        card = f"card {line.fact.n}, " if isinstance(line.fact, Coup.CardDealt) else ""
        self.console.print(f"Told until before {card}{_place(line)}.", style="yellow")

    def _judgement(self) -> None:
        differing = self.replay.adjudicate()
        for each in differing:
            words = f": recorded {each.recorded}, today {each.adjudicated}"
            self.console.print(Text.assemble((f"✗ {each.what}", "bold red"), words))
        agrees = "agrees, line by line" if not differing else "DOES NOT AGREE"
        chain = "chain good" if self.found.chain_good else "CHAIN BROKEN"
        first, last = self.found.first_position, self.found.last_position
        good = not differing and self.found.chain_good
        self.console.print(
            f"Adjudicated again today: {agrees}. Record #{first}–#{last}, {chain}.",
            style="green" if good else "bold red",
        )

    def _table(self, *names: str) -> Table:
        table = Table(box=None, pad_edge=False, header_style="bold", padding=(0, 2, 0, 0))
        for at, name in enumerate(names):
            right = at in (2, 4, 5)  # amounts and places; words give way before they do
            table.add_column(
                name, justify="right" if right else "left", no_wrap=right, overflow="fold"
            )
        return table

    def _money(self, amount: int) -> str:
        return major(amount, self.currency)

    def _time(self, moment: datetime) -> str:
        return moment.astimezone(self.zone).strftime("%H:%M:%S.%f")[:10]


def _hand(cards: Iterable[str]) -> Text:
    return Text(" ").join(show.card_text(card) for card in cards)


def _total(total: int | None) -> str:
    return "" if total is None else str(total)


def _place(line: Line) -> str:
    return f"#{line.position}"


def _by_seat(lines: Iterable[Line]) -> Iterator[tuple[Line, bool]]:
    """Each line, and whether it is its seat's first: the seat is told once."""
    seat = None
    for line in lines:
        yield line, line.fact.seat != seat
        seat = line.fact.seat
