"""The terminal for a screen reader, a slow line or a script: a line in, a line out.

The same grammar and the same session as the screen's; nothing is drawn, coloured or overwritten.
"""

import sys
from collections.abc import Callable, Iterator
from getpass import getpass
from threading import Lock

from domain.cards import symbol
from domain.money import major
from ops import show
from ops.database import LedgerLost
from ops.sign_on import SHORTEST_PIN, is_pin
from ops.terminal import grammar
from ops.terminal.due import told
from ops.terminal.outcome import Outcome, Second
from ops.terminal.session import Session
from ops.terminal.table_now import CoupNow, HandNow, SeatNow, TableNow

OTHERS = "· "  # before what somebody else did


class Plain:
    """Lines from standard input, answers to standard output, until the input ends."""

    def __init__(self, session: Session, tell: Callable[[str], None] | None = None) -> None:
        self.session = session
        self._tell = tell or _print
        self._telling = Lock()  # what others do is told by another thread
        self._status = 0
        session.on_heard = lambda words: self.tell(OTHERS + words)
        session.on_resolved = self._told
        session.on_change = self._link_changed
        self._up = True

    def run(self) -> int:
        """The exit status: 1 when a line was refused, 3 when the ledger was lost."""
        first = self.session.open()
        if self._must_sign_on() and not self._sign_on() and not sys.stdin.isatty():
            return 1
        for line in table_lines(self.session.now):
            self.tell(line)
        for waited in self.session.unsent:
            self.tell(f"Not sent: {waited}")
        if self.session.draft:
            self.tell(f"Half typed: {self.session.draft}")
        if first:
            self._told(first)
        self.session.keep("")
        for typed in sys.stdin:
            self._hear(typed.strip())
        return self._status

    def tell(self, line: str) -> None:
        """A line out."""
        with self._telling:
            self._tell(f"TRAINING {line}" if self.session.training else line)

    def _hear(self, typed: str) -> None:
        if typed.lower() == "look":
            for line in table_lines(self.session.now):
                self.tell(line)
            return
        if typed.startswith("?"):
            for keys, words in grammar.help_lines(self.session.now, typed[1:].strip()):
                self.tell(f"{keys}: {words}")
            return
        outcome = self.session.say(typed)
        if outcome.kind == "second":
            second = _second(asks_pin=self.session.asks_pin)
            outcome = self.session.say(typed, second) if second else outcome
        self._told(outcome)
        if outcome.kind == "sign-on":
            self._sign_on()

    def _must_sign_on(self) -> bool:
        """While the ledger cannot be reached nobody knows, and the first line tells."""
        try:
            return self.session.must_sign_on
        except LedgerLost:
            return False

    def _sign_on(self) -> bool:
        """Whether somebody did. Number and PIN are typed at a terminal, and in no script."""
        if not sys.stdin.isatty():
            table = self.session.table
            self.tell(f"Somebody must sign on first: sabot staff sign-on STAFF --table {table}")
            return False
        while staff := _line("Staff number, or nothing to only look: "):
            try:
                outcome = self.session.sign_on(staff, *_secrets(self.session, staff))
            except LedgerLost as error:
                self.tell(f"The ledger cannot be reached: {error.why}.")
                continue
            except EOFError:
                return False
            self._told(outcome)
            if outcome.kind == "done":
                return True
        return False

    def _told(self, outcome: Outcome) -> None:
        """One line, whatever there is to say, and what is due after it."""
        if outcome.kind in ("refused", "second") or (outcome.kind == "sign-on" and outcome.left):
            self._status = max(self._status, 1)
        if outcome.kind == "lost":
            self._status = 3
        words = " ".join(outcome.words)
        rule = f" ({outcome.rule})" if outcome.rule and outcome.rule not in words else ""
        left = f" Still to be said: {outcome.left}" if outcome.left else ""
        due = f" {due_words(self.session.now)}" if outcome.kind == "done" else ""
        self.tell(f"{words}{rule}{left}{due}")

    def _link_changed(self) -> None:
        """Once when the ledger is lost, and once when it is back."""
        up = self.session.link.up
        if up != self._up:
            self._up = up
            self.tell(
                "The ledger is back."
                if up
                else f"The ledger cannot be reached: {self.session.link.why}. Nothing is sent."
            )


def _print(line: str) -> None:
    print(line, flush=True)


def _second(*, asks_pin: bool) -> Second | None:
    """Who is the second person; nobody, when nobody says so."""
    staff = _line("Second person's number: ")
    if not staff:
        return None
    try:
        return Second(staff, getpass("PIN: ") if asks_pin else "")
    except EOFError:
        return None


def _line(asks: str) -> str:
    print(asks, end="", flush=True)
    return sys.stdin.readline().strip()


def _secrets(session: Session, staff: str) -> tuple[str, str | None]:
    """The PIN, or the one-time code and the PIN that is chosen. Raises LedgerLost."""
    if not session.awaits_code(staff):
        return getpass("PIN: "), None
    code = getpass("One-time code: ")
    while True:
        pin = getpass(f"New PIN, {SHORTEST_PIN} digits or more: ")
        if not is_pin(pin):
            print("A PIN is digits only, and no fewer.", flush=True)
        elif pin != getpass("The same once more: "):
            print("They are not the same.", flush=True)
        else:
            return code, pin


def due_words(now: TableNow) -> str:
    """What the table must do next, as the screen has it, in one line."""
    due = told(now)
    rule = f" ({due.rule})" if due.rule else ""
    why = " ".join((*due.why, *due.notes, *due.near))
    return f"Next: {due.headline.capitalize()}{rule}. {why}".strip()


def table_lines(now: TableNow) -> Iterator[str]:
    """Everything that the screen shows, a line for each thing."""
    if now.rules is None or now.closed:
        yield f"{now.table} is closed."
        return
    least, most = (major(limit, now.currency) for limit in now.limits["main"])
    yield f"{now.table}, {now.rules.name}, {now.currency} {least} to {most}."
    yield f"Dealer {now.dealer or 'unknown'}, supervisor {now.supervisor or 'unknown'}."
    yield from _shoe_lines(now)
    for seat in now.seats:
        yield _seat_line(seat, now.currency)
    if now.coup:
        yield from _coup_lines(now.coup)
    for case in now.held_by:
        yield f"{case} holds the table: no further coup."
    yield due_words(now)


def _shoe_lines(now: TableNow) -> Iterator[str]:
    shoe = now.shoe
    if shoe is None:
        yield "No shoe is on the table."
        return
    coup = f", coup {now.coup.number}" if now.coup else ""
    cut = (
        "the cut card shows" if shoe.to_cut_card is None else f"{shoe.to_cut_card} to the cut card"
    )
    yield f"Shoe {shoe.number}{coup}, {shoe.cards_left} cards left, {cut}."


def _seat_line(seat: SeatNow, currency: str) -> str:
    wagers = ", ".join(f"{each.spot} {major(each.stake, currency)}" for each in seat.wagers)
    paid = "" if seat.paid is None else f", paid {major(seat.paid, currency)}"
    owes = f"; owes {major(seat.owed, currency)}" if seat.owed and seat.seat == seat.owes_at else ""
    return f"Seat {seat.seat} {seat.patron}: {wagers or 'no wager'}{paid}{owes}."


def _coup_lines(coup: CoupNow) -> Iterator[str]:
    if coup.player.cards:
        yield f"Player {_hand(coup.player)}. Banker {_hand(coup.banker)}."
    if coup.outcome:
        yield show.outcome_words(coup.outcome, coup.player.total or 0, coup.banker.total or 0) + "."
    if coup.phase == "voided":
        yield "The coup is void."


def _hand(hand: HandNow) -> str:
    cards = " ".join(symbol(card) if card else "face down" for card in hand.cards)
    return f"{cards or 'no card'}{'' if hand.total is None else f', {hand.total}'}"
