"""A coup's replay as a page that a patron could be shown: from top to bottom, as it happened."""

from collections.abc import Iterable, Iterator
from datetime import datetime
from typing import TYPE_CHECKING

from rich.table import Table
from rich.text import Text

from domain.events import coup, shoe
from domain.review.replay import CardLine, Line, Replay
from domain.rules.hands import Step
from domain.rules.money import major
from domain.rules.settlement import Payment
from ops.replay.page_words import (
    FACE_DOWN,
    differing,
    line_words,
    reckoned,
)
from ops.replay.story import Found
from ops.words import show

if TYPE_CHECKING:
    from zoneinfo import ZoneInfo

    from rich.console import Console

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

    def print_in_short(self) -> None:
        """Which coup it is, and what it came to, for a page that tells of something else."""
        self._head()
        self._outcome("On record: ")
        if not self.replay.resulted:
            self.console.print("On record: no outcome.")

    def _head(self) -> None:
        opened = self.replay.opened.event
        people = f"dealer {opened.dealer or '·'}   supervisor {opened.supervisor or '·'}"
        self.console.print(
            Text.assemble(
                (str(self.found.address), "bold"),
                f"   {opened.rules}   {people}",
            )
        )
        first, last = self.replay.opened, self._reached
        day = f" on {self._day(first)}" if self._day(first) != self._day(last) else ""
        self.console.print(
            f"opened {self._time(first.at)[:8]}{day}, "
            f"{self.replay.phase} {self._time(last.at)[:8]} on {self._day(last)}"
        )
        if self.found.as_of:
            moment = self.found.as_of.astimezone(self.zone).isoformat(" ", "seconds")
            self.console.print(f"As of {moment}: what was recorded later is not told.")

    @property
    def _reached(self) -> Line:
        """The event by which it came to its phase."""
        told = self.replay
        dealt = told.dealt[-1] if told.dealt else told.closed
        return told.voided or told.settled or told.resulted or dealt or told.opened

    def _wagers(self) -> None:
        table = self._table("Wagers", "", "", "placed", "before card 1", "")
        for line, first in _by_seat(self.replay.wagers):
            event = line.event
            table.add_row(
                f"seat {event.seat} {event.patron}" if first else "",
                show.spot_called(event.spot),
                self._money(event.amount),
                self._time(line.at),
                self._before_first_card(line),
                _place(line),
            )
        if not self.replay.wagers:
            betting = self.replay.phase == "betting"
            table.add_row("no wager yet" if betting else "no wager lay")
        self.console.print(table)
        self._lines(self.replay.earlier, "earlier")
        closed, given = self.replay.closed, self.replay.given
        if closed:
            how, rule = _CLOSED.get(closed.event.by, ("betting closed", "R-DEAL-2"))
            self.console.print(f"{how} {self._time(closed.at)}   {rule}   {_place(closed)}")
        if given:
            whose = f"Player hand to {given.event.player}, Banker hand to {given.event.banker}"
            moment = self._time(given.at)
            self.console.print(f"{whose} {moment}   R-DEAL-3   {_place(given)}")

    def _before_first_card(self, line: Line) -> str:
        if not self.replay.dealt:
            return "·"
        return f"{(self.replay.dealt[0].at - line.at).total_seconds():.1f} s"

    def _cards(self) -> None:
        if not self.replay.dealt:
            return
        player, banker = Text("Player", "bold blue"), Text("Banker", "bold red")
        self._card_line(Text.assemble(("Cards", "bold")), player, "", banker, "")
        hands: dict[str, list[Text]] = {"player": [], "banker": []}
        acts: list[CardLine | Line] = [*self.replay.cards]
        acts += [*self.replay.given_back, *self.replay.turned]
        for act in sorted(acts, key=_begins):
            if isinstance(act, CardLine):
                self._card(act, hands)
            else:
                self._at_a_hand(act)
        self._outcome()

    def _outcome(self, before: str = "") -> None:
        """What the cards came to, and whether it counts."""
        resulted, voided = self.replay.resulted, self.replay.voided
        if resulted:
            event = resulted.event
            called = show.outcome_words(event.outcome, event.player_total, event.banker_total)
            words = Text.assemble(before, (called, show.STYLES[event.outcome]))
            self._card_line(words, rule="R-WIN-1", place=_place(resulted))
        if voided:
            words = Text.assemble(before, ("Void: every wager is returned", "bold"))
            self._card_line(words, rule="R-IRR-5", place=_place(voided))

    def _decided_by(self, n: int) -> tuple[Step, ...]:
        """What card n decided; a natural decides for both hands and is told once."""
        decided = self.replay.decided_after(n)[len(self.replay.decided_after(n - 1)) :]
        return decided[:1] if decided and decided[0].rule == "R-DRAW-1" else decided

    def _card(self, shown: CardLine, hands: dict[str, list[Text]]) -> None:
        """A card, and what it decided; nothing that tells of one that lies face down."""
        event = shown.line.event
        down = [n for n in self.found.face_down if n <= event.n]
        face = Text(FACE_DOWN) if event.n in down else show.card_text(event.card)
        hands[event.hand].append(face)
        self._card_line(
            Text.assemble(f" {event.n}  ", face, f" → {event.hand.title()}"),
            Text(" ").join(hands["player"]),
            _total(shown.player_total, hands["player"]),
            Text(" ").join(hands["banker"]),
            _total(shown.banker_total, hands["banker"]),
            rule=event.rule,
            place=_place(shown.line),
        )
        if event.carried:
            before = Text("    carried: it came when none was due", "italic")
            self._card_line(before, rule="R-IRR-1")
        for step in () if down else self._decided_by(event.n):
            self._card_line(Text.assemble((f"    {step.why}", "italic")), rule=step.rule)

    def _at_a_hand(self, line: Line) -> None:
        """A hand that was given back, or turned, and what it shows then."""
        event = line.event
        who = "the dealer" if event.by == "dealer" else event.by
        if isinstance(event, coup.HandGivenBack):
            words = Text(f"    {who} gives the {event.hand.title()} hand back", "italic")
        else:
            cards = Text(" ").join(map(show.card_text, event.cards))
            turns = (f"    {who} turns {event.hand.title()} ", "italic")
            words = Text.assemble(turns, cards, (f": {event.shows}", "italic"))
        words.append(f", {self._time(line.at)}", "italic")
        rule = "R-DEAL-3" if self.replay.given else "R-DEAL-5"
        self._card_line(words, rule=rule, place=_place(line))

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
            *((48, Text(banker_total)), (54, Text(rule)), (64, Text(place and f"{place:>10}"))),
        ):
            if cell:
                line.append(" " * max(begins - line.cell_len, 2))
                line.append_text(cell)
        self.console.print(line)

    def _payments(self) -> None:
        if not self.replay.payments:
            return
        table = self._table("Payments", "", "", "", "paid", "")
        for line, first in _by_seat(self.replay.payments):
            event = line.event
            table.add_row(
                f"seat {event.seat}" if first else "",
                show.spot_called(event.spot),
                self._money(event.stake),
                reckoned(Payment.of(event), self.replay.rules),
                self._money(event.paid),
                _place(line),
            )
        self.console.print(table)

    def _exceptions(self) -> None:
        lines = self.found.exceptions
        if lines:
            table = self._noted("")
            for line in lines:
                mark = " " if isinstance(line.event, shoe.CutCardShown) else "!"
                table.add_row(f"{mark} {self._moment(line)}", *self._told(line), style="yellow")
            self.console.print(table)

    def _afterwards(self) -> None:
        if self.found.afterwards:
            table = self._noted("Afterwards")
            for line in self.found.afterwards:
                table.add_row(self._moment(line), *self._told(line))
            self.console.print(table)

    def _lines(self, lines: Iterable[Line], mark: str) -> None:
        for line in lines:
            words = line_words(self.found, line, self.currency)
            self.console.print(f"{mark} {self._time(line.at)}  {words}  {_place(line)}")

    def _noted(self, title: str) -> Table:
        """When, what, and where in the record; words that need the room go on below."""
        table = Table(
            box=None,
            pad_edge=False,
            header_style="bold",
            padding=(0, 2, 0, 0),
            show_header=bool(title),
        )
        table.add_column(title, no_wrap=True)
        table.add_column(overflow="fold")
        table.add_column(no_wrap=True, vertical="bottom")
        return table

    def _told(self, line: Line) -> tuple[str, str]:
        return line_words(self.found, line, self.currency), _place(line)

    def _stop(self, line: Line) -> None:
        card = f"card {line.event.n}, " if isinstance(line.event, coup.CardDealt) else ""
        self.console.print(f"Told until before {card}{_place(line)}.", style="yellow")

    def _judgement(self) -> None:
        found = self.found.disagreements
        for line, by_the_cards in self.replay.decided:
            event = line.event
            self.console.print(
                f"Paid by decision: seat {event.seat} {show.spot_called(event.spot)} "
                f"{self._money(event.paid)}; by the cards {self._money(by_the_cards)}.",
                style="yellow",
            )
        for each in () if self.found.face_down else found:
            what, recorded, today = differing(each, self.currency)
            words = f": recorded {recorded}, today {today}"
            self.console.print(Text.assemble((f"✗ {what}", "bold red"), words))
        if found and self.found.face_down:
            lines = "1 line differs" if len(found) == 1 else f"{len(found)} lines differ"
            words = f"✗ {lines}: which, is told when the cards are turned."
            self.console.print(words, style="bold red")
        agrees = "agrees, line by line" if not found else "DOES NOT AGREE"
        chain = "chain good" if self.found.chain_good else "CHAIN BROKEN"
        first, last = self.found.first_position, self.found.last_position
        good = not found and self.found.chain_good
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

    def _day(self, line: Line) -> str:
        return f"{line.at.astimezone(self.zone):%Y-%m-%d}"

    def _moment(self, line: Line) -> str:
        """With the day, where it is not that on which the coup was opened."""
        day = self._day(line)
        return f"{'' if day == self._day(self.replay.opened) else f'{day} '}{self._time(line.at)}"


def _begins(act: CardLine | Line) -> int:
    return act.line.position if isinstance(act, CardLine) else act.position


def _total(total: int | None, hand: list[Text]) -> str:
    """What a hand comes to; nothing while a card of it lies face down."""
    down = any(face.plain == FACE_DOWN for face in hand)
    return "" if total is None or down else str(total)


def _place(line: Line) -> str:
    return f"#{line.position}"


def _by_seat(lines: Iterable[Line]) -> Iterator[tuple[Line, bool]]:
    """Each line, and whether it is its seat's first: the seat is told once."""
    seat = None
    for line in lines:
        yield line, line.event.seat != seat
        seat = line.event.seat
