"""The terminal for a screen reader, a slow line or a script: a line in, a line out.

The same grammar and the same session as the screen's; nothing is drawn, coloured or overwritten.
An answer is whole sentences; of what was refused it says so first, and last what is to be done.
Standard output has one line for each that was read, and nothing else; what nobody asked for, what
others do and what is asked in place, goes to standard error.
"""

import sys
from collections.abc import Callable, Iterable
from getpass import getpass
from threading import Lock

from domain.rules.pins import HOW_LONG, SHORTEST_PIN, weakness
from ops.kit.outcome import MEANWHILE, Outcome, Second, unsent
from ops.ledger.database import LedgerLost
from ops.terminal.dealer.session import Session
from ops.terminal.dealer.table_words import due_words, table_lines
from ops.words import show
from ops.words.failure import LOST, REFUSED

OTHERS = "· "  # before what somebody else did
ENDS = (".", ":", "”")  # of a sentence, which needs no stop then
_STATUS = {"refused": REFUSED, "second": REFUSED, "unsent": LOST, "lost": LOST}

Tell = Callable[[str], None]


class Plain:
    """Lines from standard input, answers to standard output, until the input ends."""

    def __init__(self, session: Session, answer: Tell | None = None, aside: Tell | None = None):
        """`answer` takes one line for each that was read, `aside` what nobody asked for."""
        self.session = session
        self._answer = answer or _answer
        self._aside = aside or _aside
        self._telling = Lock()  # what others do is told by another thread
        self._status = 0
        self._up = True
        self._draft = ""  # what a person left on the line, where nobody is who could type on
        self._refused = False  # whether that line was entered, and is not done
        session.on_heard = lambda words: self._tell(self._aside, OTHERS + words)
        session.on_resolved = lambda outcome: self._tell(self._aside, self._words(outcome))

    def run(self) -> int:
        """The exit status: 1 when a line was refused, 3 when the ledger was lost."""
        first = self.session.open()
        self.session.on_change = self.link_changed
        self.link_changed()
        if self._must_sign_on() and not self._sign_on() and not sys.stdin.isatty():
            return REFUSED
        self._tell(self._aside, *(f"Not sent: {line}" for line in self.session.unsent))
        if not sys.stdin.isatty():
            self._draft, self._refused = self.session.draft, self.session.draft_refused
        elif self.session.draft:
            is_what = "Not done" if self.session.draft_refused else "Half typed"
            self._tell(self._aside, f"{is_what}: {self.session.draft}")
        self._tell(self._aside, *table_lines(self.session.now))
        if first:
            self._tell(self._aside, self._words(first))
        self._keep()
        for typed in sys.stdin:
            outcome = self._heard(typed.strip())
            self._status = max(self._status, _status_of(outcome))
            self._tell(self._answer, self._words(outcome))
            self._keep()  # of the line that was told, nothing is kept any more
            if outcome.kind == "sign-on":
                self._sign_on()
            if self.session.over:
                break
        return self._status

    def _keep(self, *waiting: str) -> None:
        """The line that somebody left here, and beside it what is about to be said."""
        self.session.keep(self._draft, waiting, refused=self._refused)

    def _tell(self, how: Tell, *lines: str) -> None:
        """Lines out, each marked in training."""
        with self._telling:
            for line in lines:
                how(f"TRAINING {line}" if self.session.training else line)

    def _heard(self, typed: str) -> Outcome:
        """What became of a line, with the second person who was asked for."""
        if typed.lower() == "look":
            return Outcome("told", tuple(table_lines(self.session.now)))
        self._keep(typed)
        self.session.take(typed)
        outcome = self.session.say(typed)
        while outcome.kind == "second":
            if not sys.stdin.isatty():
                why = "It takes a second person, who is asked for at a terminal and in no script."
                return Outcome("second", (why,), left=typed)
            self._tell(self._aside, " ".join(outcome.words))
            try:
                second = _second(asks_pin=self.session.asks_pin)
            except LedgerLost as error:
                return unsent(error.why, typed)
            if second is None:
                return Outcome("second", ("Nobody signed.",), left=outcome.left)
            outcome = self.session.say(outcome.left, second)
        return outcome

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
            first = f"Somebody must sign on first: sabot staff sign-on STAFF --table {table}"
            self._tell(self._aside, first)
            return False
        while staff := _line("Staff number, or nothing to only look: "):
            try:
                outcome = self.session.sign_on(staff, *_secrets(self.session, staff))
            except LedgerLost as error:
                self._tell(self._aside, show.lost_words(error.why))
                continue
            except EOFError:
                return False
            self._tell(self._aside, self._words(outcome))
            if outcome.kind == "done":
                return True
        return False

    def _words(self, outcome: Outcome) -> str:
        """One line, whatever there is to say, and what is due after it."""
        task = self.session.task
        went_well, rest = outcome.words[: outcome.done], outcome.words[outcome.done :]
        said = _sentences(each for each in rest if each not in task)
        if outcome.rule and outcome.rule not in said:
            said = f"{said.removesuffix('.')} ({outcome.rule})."
        if _is_refusal(outcome):
            said = f"Refused: {said}"
        before = f"Done in part: {_sentences(went_well)}" if went_well else ""
        left = f"Not done: {outcome.left}" if outcome.left else ""
        due = due_words(self.session.now) if outcome.kind == "done" else ""
        if task:  # in training; the score follows when the face has ended
            left = left and f"{left}."
            due = task[0] if self.session.over else f"Now: {_sentences(task)}"
        return " ".join(filter(None, (before, said, left, due)))

    def link_changed(self) -> None:
        """Once when the ledger is lost, and once when it is back."""
        link = self.session.link
        if link.up != self._up:
            self._up = link.up
            lost = f"{MEANWHILE} {show.lost_words(link.why)}"
            self._tell(self._aside, "The ledger is back." if link.up else lost)


def _sentences(words: Iterable[str]) -> str:
    """One can hear where each ends."""
    return " ".join(each if each.endswith(ENDS) else f"{each}." for each in words if each)


def _is_refusal(outcome: Outcome) -> bool:
    """Whether the line was heard, and something of it, or all, may not be."""
    return outcome.kind in ("refused", "second") or (
        outcome.kind == "sign-on" and outcome.left != ""
    )


def _status_of(outcome: Outcome) -> int:
    """Whoever signed off was not refused; a line that nobody was heard for was."""
    if outcome.kind == "sign-on" and outcome.left:
        return REFUSED
    return _STATUS.get(outcome.kind, 0)


def _answer(line: str) -> None:
    print(line, flush=True)


def _aside(line: str) -> None:
    print(line, file=sys.stderr, flush=True)


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
    print(asks, end="", file=sys.stderr, flush=True)
    return sys.stdin.readline().strip()


def _secrets(session: Session, staff: str) -> tuple[str, str | None]:
    """The PIN, or the one-time code and the PIN that is chosen. Raises LedgerLost."""
    if not session.awaits_code(staff):
        return getpass("PIN: "), None
    code = getpass("One-time code: ")
    while True:
        pin = getpass(f"New PIN, {HOW_LONG}: ")
        if weak := weakness(pin, staff, SHORTEST_PIN):
            _aside(f"The new PIN is {weak}: choose another.")
        elif pin != getpass("The same once more: "):
            _aside("They are not the same.")
        else:
            return code, pin
