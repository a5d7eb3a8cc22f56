"""The terminal for a screen reader, a slow line or a script: a line in, a line out.

It has the grammar and the session of the screen; nothing is drawn, coloured or overwritten. An
answer is whole sentences: a refusal says so first, and what is due comes last. Standard output has
one line for each line that was read, and nothing else. What others do, and questions to a second
person, go to standard error.
"""

import sys
from collections.abc import Callable
from getpass import getpass
from threading import Lock

from domain.rules.pins import HOW_LONG, SHORTEST_PIN, weakness
from ops.kit.outcome import MEANWHILE, Outcome, Second, unsent
from ops.ledger.database import LedgerLost
from ops.terminal.dealer.log import TYPED
from ops.terminal.dealer.phrases import sentences, with_rule
from ops.terminal.dealer.session import Session
from ops.terminal.dealer.table_words import due_words, table_lines
from ops.words import show
from ops.words.failure import LOST, REFUSED
from ops.words.language import N_, _, shown

OTHERS = "· "  # before what somebody else did
_KINDS = {"done": "done", "answered": "note"}  # of entries of the log; others are refused
_STATUS = {"refused": REFUSED, "second": REFUSED, "unsent": LOST, "lost": LOST}

Write = Callable[[str], None]


class Plain:
    """Lines from standard input, answers to standard output, until the input ends."""

    def __init__(self, session: Session, answer: Write | None = None, aside: Write | None = None):
        """`answer` takes one line for each line read, `aside` everything else."""
        self.session = session
        self._answer = answer or _answer
        self._aside = aside or _aside
        self._writing = Lock()  # what others do is told by another thread
        self._status = 0
        self._up = True
        self._draft = ""  # what was left on the line, where standard input is no terminal
        self._refused = False  # whether that line was entered, and is not done
        session.on_news = self._tell_news
        session.on_resolved = lambda outcome: self._tell(self._aside, outcome)

    def run(self) -> int:
        """The exit status: 1 when a line was refused, 3 when the ledger was lost."""
        first = self.session.open()
        self.session.on_change = self.link_changed
        self.link_changed()
        if self._must_sign_on() and not self._sign_on() and not sys.stdin.isatty():
            return REFUSED
        self._write(
            self._aside, *(_("Not sent: {line}", line=line) for line in self.session.unsent)
        )
        if not sys.stdin.isatty():
            self._draft, self._refused = self.session.draft, self.session.draft_refused
        elif self.session.draft:
            refused, half = N_("Not done: {line}"), N_("Half typed: {line}")
            template = refused if self.session.draft_refused else half
            self._write(self._aside, _(template, line=self.session.draft))
        self._recall()
        self._write(self._aside, *table_lines(self.session.now))
        if first:
            self._tell(self._aside, first)
        self._keep()
        for typed in sys.stdin:
            outcome = self._entered(typed.strip())
            self._status = max(self._status, _status_of(outcome))
            self._tell(self._answer, outcome)
            self._keep()  # the line has its answer
            if outcome.kind == "sign-on":
                self._sign_on()
            if self.session.over:
                break
        return self._status

    def _recall(self) -> None:
        """Shows somebody at a terminal what was typed and answered here before it was started.

        In a closed house only to whoever is signed on.
        """
        if not self.session.past or not sys.stdin.isatty() or self._must_sign_on():
            return
        for kind, words in self.session.past:
            self._write(self._aside, f"› {words}" if kind == TYPED else words)
        self._write(self._aside, _("Until here: before this terminal was started again."))

    def _tell(self, how: Write, outcome: Outcome) -> None:
        """Writes an outcome, and saves it for the terminal that is started after this one."""
        words = self._words(outcome)
        self.session.remember(_KINDS.get(outcome.kind, "refused"), words)
        self._write(how, words)

    def _tell_news(self, words: str) -> None:
        self.session.remember("note", words)
        self._write(self._aside, OTHERS + words)

    def _keep(self, *waiting: str) -> None:
        """Saves the line that was left here, and the lines about to be sent."""
        self.session.keep(self._draft, waiting, refused=self._refused)

    def _write(self, how: Write, *lines: str) -> None:
        """Writes lines, each marked in training."""
        with self._writing:
            for line in lines:
                how(f"{_('TRAINING')} {line}" if self.session.training else line)

    def _entered(self, typed: str) -> Outcome:
        """The outcome of a line, with the second person if one was asked for."""
        if typed.lower() == "look":
            return Outcome("answered", tuple(table_lines(self.session.now)))
        self._keep(typed)
        self.session.take(typed)
        outcome = self.session.say(typed)
        while outcome.kind == "second":
            if not sys.stdin.isatty():
                why = _(
                    "It takes a second person, who types a PIN at a terminal and not in a script."
                )
                return Outcome("second", (why,), left=typed)
            self._write(self._aside, *outcome.words, *outcome.asks)
            try:
                second = _second(asks_pin=self.session.asks_pin)
            except LedgerLost as error:
                return unsent(error.why, typed)
            if second is None:
                return Outcome("second", (_("Nobody signed."),), left=outcome.left)
            outcome = self.session.say(outcome.left, second)
        return outcome

    def _must_sign_on(self) -> bool:
        """Whether somebody must sign on; unknown, and False, while the ledger cannot be reached."""
        try:
            return self.session.must_sign_on
        except LedgerLost:
            return False

    def _sign_on(self) -> bool:
        """Whether somebody signed on. Number and PIN are typed at a terminal, not in a script."""
        if not sys.stdin.isatty():
            table = self.session.table
            first = _("Sign on first: `sabot staff sign-on STAFF --table {table}`", table=table)
            self._write(self._aside, first)
            return False
        while staff := _line(_("Staff number, or Enter to look only:")):
            try:
                outcome = self.session.sign_on(staff, *_secrets(self.session, staff))
            except LedgerLost as error:
                self._write(self._aside, shown(show.lost_words(error.why)))
                continue
            except EOFError:
                return False
            self._write(self._aside, self._words(outcome))
            if outcome.kind == "done":
                return True
        return False

    def _words(self, outcome: Outcome) -> str:
        """The outcome in one line, and what is due after it; marked in late entry."""
        task = self.session.task
        done, rest = outcome.words[: outcome.done], outcome.words[outcome.done :]
        words = sentences(each for each in rest if each not in task)
        if outcome.rule and outcome.rule not in words:
            words = with_rule(words, outcome.rule)
        if _is_refusal(outcome):
            words = _("Refused: {why}", why=words)
        before = _("Done in part: {what}", what=sentences(done)) if done else ""
        left = _("Not done: {line}", line=outcome.left) if outcome.left else ""
        due = due_words(self.session.now) if outcome.kind == "done" else ""
        if task:  # in training; the score follows at the end
            left = left and f"{left}."
            due = task[0] if self.session.over else f"Now: {sentences(task)}"
        late = f"{self.session.late.mark}." if self.session.late.time else ""
        return " ".join(filter(None, (late, before, words, left, due)))

    def link_changed(self) -> None:
        """Writes once that the ledger is lost, and once that it is back."""
        link = self.session.link
        if link.up != self._up:
            self._up = link.up
            lost = f"{_(MEANWHILE)} {shown(show.lost_words(link.why))}"
            self._write(self._aside, _("The ledger is back.") if link.up else lost)


def _is_refusal(outcome: Outcome) -> bool:
    """Whether some of the line, or all of it, was refused."""
    return outcome.kind in ("refused", "second") or (
        outcome.kind == "sign-on" and outcome.left != ""
    )


def _status_of(outcome: Outcome) -> int:
    """The exit status of an outcome; a line that was not sent because nobody is signed on is 1."""
    if outcome.kind == "sign-on" and outcome.left:
        return REFUSED
    return _STATUS.get(outcome.kind, 0)


def _answer(line: str) -> None:
    print(line, flush=True)


def _aside(line: str) -> None:
    print(line, file=sys.stderr, flush=True)


def _second(*, asks_pin: bool) -> Second | None:
    """The second person as typed, or None."""
    staff = _line(_("Second person's number:"))
    if not staff:
        return None
    try:
        return Second(staff, getpass(_pin()) if asks_pin else "")
    except EOFError:
        return None


def _pin() -> str:
    return f"{_('PIN:')} "


def _line(asks: str) -> str:
    print(asks, end=" ", file=sys.stderr, flush=True)
    return sys.stdin.readline().strip()


def _secrets(session: Session, staff: str) -> tuple[str, str | None]:
    """The PIN, or the one-time code and the PIN that is chosen. Raises LedgerLost."""
    if not session.awaits_code(staff):
        return getpass(_pin()), None
    code = getpass(f"{_('One-time code:')} ")
    while True:
        pin = getpass(f"{_('New PIN, {how_long}:', how_long=HOW_LONG)} ")
        if weak := weakness(pin, staff, SHORTEST_PIN):
            _aside(_("The new PIN is {why}: choose another.", why=weak))
        elif pin != getpass(f"{_('The same PIN again:')} "):
            _aside(_("The two PINs differ."))
        else:
            return code, pin
