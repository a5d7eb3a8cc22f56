"""A coup's replay as a page, in the order of play, in the reader's language.

A patron may read it too.
"""

from collections.abc import Iterable, Iterator, Mapping
from datetime import date, datetime
from typing import TYPE_CHECKING

from rich.table import Table
from rich.text import Text

from domain.events import coup, shoe
from domain.review.replay import CardLine, Line, Replay
from domain.rules.cards import symbol
from domain.rules.hands import Step
from domain.rules.settlement import Payment
from domain.rules.wording import Amount, counted
from ops.replay.page_words import FACE_DOWN, before_words, computation, difference, line_words
from ops.replay.story import CoupRecord
from ops.words import coups, language, show
from ops.words.language import N_, _, shown

if TYPE_CHECKING:
    from zoneinfo import ZoneInfo

    from rich.console import Console

# The coup's phase, with its moment.
_REACHED: Mapping[str, str] = {
    "betting": N_("opened {opened} on {day}, bets are being taken"),
    "dealing": N_("opened {opened}, last event of the deal {time} on {day}"),
    "resulted": N_("opened {opened}, outcome {time} on {day}, not settled yet"),
    "settled": N_("opened {opened}, settled {time} on {day}"),
    "voided": N_("opened {opened}, voided {time} on {day}"),
    "unused": N_("opened {opened}, ended {time} on {day} without a bet and without a card"),
}
_PUT_RIGHT = N_("put right  seat {seat} {spot}: {before}")


class Page:
    """One coup on one screen."""

    def __init__(
        self, record: CoupRecord, replay: Replay, console: "Console", zone: "ZoneInfo"
    ) -> None:
        """Makes the page; `replay` is that of the events that are shown."""
        self.record = record
        self.replay = replay
        self.console = console
        self.zone = zone
        self.currency = replay.rules.currency

    def print(self) -> None:
        """Prints the whole story."""
        self._head()
        self._wagers()
        self._cards()
        self._payments()
        self._exceptions()
        self._afterwards()
        if self.record.stops_before:
            self._stop(self.record.stops_before)
        else:
            self._judgement()

    def print_in_short(self) -> None:
        """Prints the coup's address and outcome, for a page about something else."""
        self._head()
        self._outcome(on_record=True)
        if not self.replay.resulted:
            self.console.print(_("On record: no outcome."))

    def _head(self) -> None:
        opened = self.replay.opened.event
        self.console.print(
            Text.assemble(
                (str(self.record.address), "bold"),
                f"   {opened.rules}   ",
                _("dealer {staff}", staff=opened.dealer or "·"),
                "   ",
                _("supervisor {staff}", staff=opened.supervisor or "·"),
            )
        )
        first, last = self.replay.opened, self._reached
        opened_at = language.clock(self._local(first.at))
        if self._day(first) != self._day(last):
            opened_at = language.moment(self._local(first.at))
        self.console.print(
            _(
                _REACHED[self.replay.phase],
                opened=opened_at,
                time=language.clock(self._local(last.at)),
                day=self._day(last),
            )
        )
        if self.record.as_of:
            moment = language.moment(self.record.as_of.astimezone(self.zone))
            self.console.print(_("As of {moment}. Later events are not shown.", moment=moment))

    @property
    def _reached(self) -> Line:
        """The event that brought the coup to its phase."""
        replay = self.replay
        dealt = replay.dealt[-1] if replay.dealt else replay.closed
        ended = replay.voided or replay.settled or replay.left_unused
        return ended or replay.resulted or dealt or replay.opened

    def _wagers(self) -> None:
        table = self._table(_("Wagers"), "", "", _("placed"), _("before card 1"), "")
        for line, first in _by_seat(self.replay.wagers):
            event = line.event
            seat = _("seat {seat} {patron}", seat=event.seat, patron=shown(event.patron))
            table.add_row(
                seat if first else "",
                coups.spot_name(event.spot),
                self._money(event.amount),
                self._time(line.at),
                self._before_first_card(line),
                _place(line),
            )
        if not self.replay.wagers:
            table.add_row(_("no wager yet") if self.replay.phase == "betting" else _("no wager"))
        self.console.print(table)
        self._wagers_put_right()
        for line in self.replay.earlier:
            words = _("earlier"), f"{self._time(line.at)} ", f"{self._words(line)} ", _place(line)
            self.console.print(*words)
        closed, given = self.replay.closed, self.replay.given
        if closed:
            how, rule = coups.closed(closed.event.by)
            self.console.print(f"{how} {self._time(closed.at)}   {rule}   {_place(closed)}")
        if given:
            hands = _(
                "Player hand to {player}, Banker hand to {banker}",
                player=coups.holder(given.event.player),
                banker=coups.holder(given.event.banker),
            )
            self.console.print(f"{hands} {self._time(given.at)}   R-DEAL-3   {_place(given)}")

    def _wagers_put_right(self) -> None:
        for line in self.replay.wagers:
            if before := before_words(self.replay, line.event):
                seat, spot = line.event.seat, coups.spot_name(line.event.spot)
                self.console.print(_(_PUT_RIGHT, seat=seat, spot=spot, before=before))

    def _before_first_card(self, line: Line) -> str:
        if not self.replay.dealt:
            return "·"
        return coups.seconds_before(line.at, self.replay.dealt[0].at)

    def _cards(self) -> None:
        if not self.replay.dealt:
            return
        player = Text(coups.spot_name("player"), "bold blue")
        banker = Text(coups.spot_name("banker"), "bold red")
        self._card_line(Text(_("Cards"), "bold"), player, "", banker, "")
        hands: dict[str, list[Text]] = {"player": [], "banker": []}
        acts: list[CardLine | Line] = [*self.replay.cards]
        acts += [*self.replay.given_back, *self.replay.turned]
        for act in sorted(acts, key=_begins):
            if isinstance(act, CardLine):
                self._card(act, hands)
            else:
                self._at_a_hand(act)
        self._outcome()

    def _outcome(self, *, on_record: bool = False) -> None:
        """Prints the outcome, and whether it counts."""
        resulted, voided = self.replay.resulted, self.replay.voided
        if resulted:
            event = resulted.event
            called = coups.outcome(event.outcome, event.player_total, event.banker_total)
            words = _("On record: {outcome}", outcome=called) if on_record else called
            style = show.STYLES[event.outcome]
            self._card_line(Text(words, style), rule="R-WIN-1", place=_place(resulted))
        if voided:
            void = _("Void: every wager is returned")
            words = _("On record: {outcome}", outcome=void) if on_record else void
            self._card_line(Text(words, "bold"), rule="R-IRR-5", place=_place(voided))

    def _decided_by(self, n: int) -> tuple[Step, ...]:
        """The decisions that card n led to; a natural, which decides for both hands, is one."""
        decided = self.replay.decided_after(n)[len(self.replay.decided_after(n - 1)) :]
        return decided[:1] if decided and decided[0].rule == "R-DRAW-1" else decided

    def _card(self, dealt: CardLine, hands: dict[str, list[Text]]) -> None:
        """Prints a card and its decisions; nothing that would reveal a card face down."""
        event = dealt.line.event
        down = [n for n in self.record.face_down if n <= event.n]
        face = Text(FACE_DOWN) if event.n in down else show.card_text(event.card)
        hands[event.hand].append(face)
        self._card_line(
            Text.assemble(f" {event.n}  ", face, f" → {coups.spot_name(event.hand)}"),
            Text(" ").join(hands["player"]),
            _total(dealt.player_total, hands["player"]),
            Text(" ").join(hands["banker"]),
            _total(dealt.banker_total, hands["banker"]),
            rule=event.rule,
            place=_place(dealt.line),
        )
        if event.carried:
            self._card_line(_note(_("carried: it came when none was due")), rule="R-IRR-1")
        if typed := self.replay.typed(event.n):
            words = _("typed as {card}, and corrected", card=symbol(typed))
            self._card_line(_note(words), rule="R-IRR-5")
        for step in () if down else self._decided_by(event.n):
            self._card_line(_note(shown(step.why)), rule=step.rule)

    def _at_a_hand(self, line: Line) -> None:
        """Prints that a hand was given back, or turned, with its total then."""
        event = line.event
        values = {"hand": coups.spot_name(event.hand), "time": self._time(line.at)}
        if isinstance(event, coup.HandGivenBack):
            if event.by == "dealer":
                words = _("the dealer gives the {hand} hand back, {time}", **values)
            else:
                by = coups.holder(event.by)
                words = _("{holder} gives the {hand} hand back, {time}", holder=by, **values)
        else:
            values |= {"cards": " ".join(map(symbol, event.cards)), "total": str(event.shows)}
            if event.by == "dealer":
                words = _("the dealer turns {hand} {cards}: {total}, {time}", **values)
            else:
                by = coups.holder(event.by)
                words = _("{holder} turns {hand} {cards}: {total}, {time}", holder=by, **values)
        rule = "R-DEAL-3" if self.replay.given else "R-DEAL-5"
        self._card_line(_note(words), rule=rule, place=_place(line))

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
        """Prints a line under fixed columns; long words run across the columns of the hands."""
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
        payments = (*self.replay.payments, *self.replay.paid_late)
        if not payments:
            return
        table = self._table(_("Payments"), "", "", "", _("paid"), "")
        for line, first in _by_seat(payments):
            event = line.event
            table.add_row(
                _("seat {seat}", seat=event.seat) if first else "",
                coups.spot_name(event.spot),
                self._money(event.stake),
                computation(Payment.of(event), self.replay.rules),
                self._money(event.paid),
                _place(line),
            )
        self.console.print(table)

    def _exceptions(self) -> None:
        lines = self.record.exceptions
        if lines:
            table = self._noted("")
            for line in lines:
                mark = " " if isinstance(line.event, shoe.CutCardShown) else "!"
                row = (f"{mark} {self._moment(line)}", self._words(line), _place(line))
                table.add_row(*row, style="yellow")
            self.console.print(table)

    def _afterwards(self) -> None:
        table = self._noted(_("Afterwards"))
        for line in self.record.afterwards:
            table.add_row(self._moment(line), self._words(line), _place(line))
        if table.row_count:
            self.console.print(table)

    def _noted(self, title: str) -> Table:
        """A table of time, text and position; long text continues below."""
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

    def _words(self, line: Line) -> str:
        return line_words(self.record, line, self.currency)

    def _stop(self, line: Line) -> None:
        if isinstance(line.event, coup.CardDealt):
            words = _("Shown until before card {n}, {place}.", n=line.event.n, place=_place(line))
        else:
            words = _("Shown until before {place}.", place=_place(line))
        self.console.print(words, style="yellow")

    def _judgement(self) -> None:
        """Prints whether the record agrees with today's rules, and whether the chain is whole."""
        differ = self.record.disagreements
        for line, by_cards in self.replay.decided:
            self.console.print(self._by_decision(line, by_cards), style="yellow")
        if differ and self.record.face_down:
            words = counted(
                len(differ),
                "{n} line differs. It is shown when the cards are turned.",
                "{n} lines differ. They are shown when the cards are turned.",
            )
            self.console.print(f"✗ {shown(words)}", style="bold red")
        else:
            for each in differ:
                what, recorded, today = difference(each, self.currency)
                sides = _("recorded {recorded}, today {today}", recorded=recorded, today=today)
                self.console.print(Text.assemble((f"✗ {what}", "bold red"), f": {sides}"))
        record = self.record
        positions = {"first": f"#{record.first_position}", "last": f"#{record.last_position}"}
        self.console.print(
            _("Adjudicated again today: DOES NOT AGREE.")
            if differ
            else _("Adjudicated again today: agrees, line by line."),
            _("Record {first}–{last}, chain good.", **positions)
            if self.record.chain_good
            else _("Record {first}–{last}, CHAIN BROKEN.", **positions),
            style="green" if self.record.chain_good and not differ else "bold red",
        )

    def _by_decision(self, line: Line, by_the_cards: int) -> str:
        event = line.event
        return _(
            "Paid by decision: seat {seat} {spot} {paid}; by the cards {by_the_cards}.",
            seat=event.seat,
            spot=coups.spot_name(event.spot),
            paid=Amount(event.paid, self.currency),
            by_the_cards=Amount(by_the_cards, self.currency),
        )

    def _table(self, *names: str) -> Table:
        table = Table(box=None, pad_edge=False, header_style="bold", padding=(0, 2, 0, 0))
        for at, name in enumerate(names):
            right = at in (2, 4, 5)  # amounts and positions; words give way first
            table.add_column(name, no_wrap=right, overflow="fold")
            table.columns[-1].justify = "right" if right else "left"
        return table

    def _money(self, amount: int) -> str:
        return language.amount(amount, self.currency)

    def _local(self, at: datetime) -> datetime:
        return at.astimezone(self.zone)

    def _time(self, at: datetime) -> str:
        return language.clock(self._local(at), places=1)

    def _day(self, line: Line) -> date:
        return self._local(line.at).date()

    def _moment(self, line: Line) -> str:
        """The time, with the date if it is not that of the coup's opening."""
        if self._day(line) == self._day(self.replay.opened):
            return self._time(line.at)
        return language.moment(self._local(line.at), places=1)


def _begins(act: CardLine | Line) -> int:
    return act.line.position if isinstance(act, CardLine) else act.position


def _total(total: int | None, hand: list[Text]) -> str:
    """A hand's total, or '' while a card of it is face down."""
    down = any(face.plain == FACE_DOWN for face in hand)
    return "" if total is None or down else str(total)


def _note(words: str) -> Text:
    """A line about the card above it."""
    return Text(f"    {words}", "italic")


def _place(line: Line) -> str:
    return f"#{line.position}"


def _by_seat(lines: Iterable[Line]) -> Iterator[tuple[Line, bool]]:
    """Each line, and whether it is the first of its seat: the seat is named once."""
    seat = None
    for line in lines:
        yield line, line.event.seat != seat
        seat = line.event.seat
