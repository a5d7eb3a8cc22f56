"""A coup's replay as a page, in the order of play, in the reader's language.

A patron may read it too.
"""

from collections.abc import Collection, Iterable, Iterator, Mapping
from typing import TYPE_CHECKING

from rich.table import Table
from rich.text import Text

from domain.events import coup, shoe
from domain.events.coup_wagers import WagerPlaced
from domain.review.replay import Line, Replay
from domain.rules.settlement import Payment
from domain.rules.wording import Amount, counted
from ops.replay import cited
from ops.replay.coup_on_page import CoupOnPage, place
from ops.replay.page_cards import CardsOnPage
from ops.replay.page_words import before_words, computation, difference, line_words
from ops.replay.story import CoupRecord
from ops.words import coups, language
from ops.words.language import N_, _, shown
from ops.words.rule_terms import taken_words

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
        self.coup = CoupOnPage(record, replay, zone)
        self.cards = CardsOnPage(self.coup, console)

    def print(self) -> None:
        """Prints the whole story."""
        self._head()
        self._wagers()
        self.cards.print()
        self._payments()
        self._coupons()
        self._exceptions()
        self._afterwards()
        if self.record.stops_before:
            self._stop(self.record.stops_before)
        else:
            self._judgement()

    def print_in_short(self) -> None:
        """Prints the coup's address and outcome, for a page about something else."""
        self._head()
        self.cards.print_outcome(on_record=True)
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
        opened_at = language.clock(self.coup.local(first.at))
        if self.coup.day(first) != self.coup.day(last):
            opened_at = language.moment(self.coup.local(first.at))
        self.console.print(
            _(
                _REACHED[self.replay.phase],
                opened=opened_at,
                time=language.clock(self.coup.local(last.at)),
                day=self.coup.day(last),
            )
        )
        if self.record.as_of:
            moment = language.moment(self.record.as_of.astimezone(self.coup.zone))
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
                self.coup.money(event.amount),
                self.coup.time(line.at),
                self._before_first_card(line),
                place(line),
            )
        if not self.replay.wagers:
            table.add_row(_("no wager yet") if self.replay.phase == "betting" else _("no wager"))
        self.console.print(table)
        self._terms()
        self._wagers_put_right()
        for line in self.replay.earlier:
            words = (
                _("earlier"),
                f"{self.coup.time(line.at)} ",
                f"{self._words(line)} ",
                place(line),
            )
            self.console.print(*words)
        closed, given = self.replay.closed, self.replay.given
        if closed:
            how, rule = coups.closed(closed.event.by)
            self.console.print(f"{how} {self.coup.time(closed.at)}   {rule}   {place(closed)}")
        if given:
            hands = _(
                "Player hand to {player}, Banker hand to {banker}",
                player=coups.holder(given.event.player),
                banker=coups.holder(given.event.banker),
            )
            self.console.print(f"{hands} {self.coup.time(given.at)}   R-DEAL-3   {place(given)}")
        self._second_bets()

    def _second_bets(self) -> None:
        """When bets were taken after the first four cards, and on what (R-BET-8)."""
        for line in self.replay.second_bets:
            self.console.print(f"{self._words(line)} {self.coup.time(line.at)}   {place(line)}")

    def _terms(self) -> None:
        """When the bets that lie there are taken, and who let a patron bet on both sides."""
        rules = self.replay.rules
        for spot in dict.fromkeys(line.event.spot for line in self.replay.wagers):
            if spot in rules.terms:
                taken = taken_words(rules.terms[spot], rules.currency)
                cited = ", ".join(rules.terms[spot].rules)
                self.console.print(f"{coups.spot_name(spot)}: {taken}   {cited}")
        for line in self.replay.wagers:
            if isinstance(line.event, WagerPlaced) and line.event.approved_by:
                leave = _(
                    "Seat {seat} bets on both sides by leave of {staff}.",
                    seat=line.event.seat,
                    staff=line.event.approved_by,
                )
                self.console.print(f"{leave}   R-BET-1   {place(line)}")

    def _wagers_put_right(self) -> None:
        for line in self.replay.wagers:
            if before := before_words(self.replay, line.event):
                seat, spot = line.event.seat, coups.spot_name(line.event.spot)
                self.console.print(_(_PUT_RIGHT, seat=seat, spot=spot, before=before))

    def _before_first_card(self, line: Line) -> str:
        card = self.replay.closed_by(line.event.spot)
        if card is None:
            return "·"
        before = coups.seconds_before(line.at, card.at)
        words = before if card.event.n == 1 else _("{seconds}, card {n}", seconds=before, n=5)
        return coups.with_late(words, line.position, card.position, self.replay.known_from)

    def _coupons(self) -> None:
        """What was laid of coupons and what they were paid, which is no wager (R-PROMO-1)."""
        for line in self.replay.coupons:
            self.console.print(f"{self._words(line)} {self.coup.time(line.at)}   {place(line)}")

    def _payments(self) -> None:
        payments = (*self.replay.payments, *self.replay.paid_late, *self.replay.ran_out)
        self._undecided()
        if not payments:
            return
        table = self._table(_("Payments"), "", "", "", _("paid"), "", "", right=(2, 4, 6))
        table.columns[5].no_wrap = True
        for line, first in _by_seat(payments):
            event = line.event
            table.add_row(
                _("seat {seat}", seat=event.seat) if first else "",
                coups.spot_name(event.spot),
                self.coup.money(event.stake),
                computation(Payment.of(event), self.replay.rules, stake=event.stake),
                self.coup.money(event.paid),
                "\n".join(cited.of_event(self.replay, event)),
                place(line),
            )
        self.console.print(table)

    def _undecided(self) -> None:
        """The bets on several coups that go on (R-BET-9)."""
        for line in self.replay.undecided:
            self.console.print(f"{self._words(line)}   R-BET-9   {place(line)}")

    def _exceptions(self) -> None:
        lines = self.record.exceptions
        if lines:
            table = self._noted("")
            for line in lines:
                mark = " " if isinstance(line.event, shoe.CutCardShown) else "!"
                row = (f"{mark} {self.coup.moment(line)}", self._words(line), place(line))
                table.add_row(*row, style="yellow")
            self.console.print(table)

    def _afterwards(self) -> None:
        table = self._noted(_("Afterwards"))
        for line in self.record.afterwards:
            table.add_row(self.coup.moment(line), self._words(line), place(line))
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
        return line_words(self.record, line, self.coup.currency)

    def _stop(self, line: Line) -> None:
        if isinstance(line.event, coup.CardDealt):
            words = _("Shown until before card {n}, {place}.", n=line.event.n, place=place(line))
        else:
            words = _("Shown until before {place}.", place=place(line))
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
                what, recorded, today = difference(each, self.coup.currency)
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
            paid=Amount(event.paid, self.coup.currency),
            by_the_cards=Amount(by_the_cards, self.coup.currency),
        )

    def _table(self, *names: str, right: Collection[int] = (2, 4, 5)) -> Table:
        """A table; `right`: its columns of amounts and positions, before which words give way."""
        table = Table(box=None, pad_edge=False, header_style="bold", padding=(0, 2, 0, 0))
        for at, name in enumerate(names):
            table.add_column(name, no_wrap=at in right, overflow="fold")
            table.columns[-1].justify = "right" if at in right else "left"
        return table


def _by_seat(lines: Iterable[Line]) -> Iterator[tuple[Line, bool]]:
    """Each line, and whether it is the first of its seat: the seat is named once."""
    seat = None
    for line in lines:
        yield line, line.event.seat != seat
        seat = line.event.seat
