"""The lines of a screen: entered, sent one after the other, answered, signed by a second person."""

from ops.kit.outcome import Outcome, Second
from ops.ledger.database import LedgerLost
from ops.terminal.dealer.feed_lines import may_ask_who
from ops.terminal.dealer.screen.dialogs import SecondPerson
from ops.terminal.dealer.screen.parts import Screen
from ops.terminal.dealer.screen.posts import Answered
from ops.terminal.dealer.screen.queue import Queue
from ops.typed.acts import NotUnderstood
from ops.typed.grammar import parse
from ops.words.language import N_, _

CHECKING = N_("Checking whether a second person must sign. Your keys are kept.")
SIGNED = N_("Signed: waiting for the answer. Your keys are kept.")

# The line, the lines that wait, and whether the line was entered and refused.
LinesTyped = tuple[str, tuple[str, ...], bool]


class Sending:
    """What was entered at one screen; the session blocks, so it is called in threads."""

    def __init__(self, screen: Screen) -> None:
        self._screen = screen
        self.queue = Queue()
        self.unsigned = ""  # the line that a second person is asked for now
        self.holding = CHECKING  # why keys are held
        self._leaving = False  # F10 was pressed while a line had no answer

    def enter(self, line: str) -> None:
        """Sends the line, after those that wait."""
        self._screen.notes.refusal = ""
        self._leaving = False
        if _may_ask_who(line):
            self.holding = CHECKING
            self._screen.line.hold()
        now = self.queue.enter(line)
        if now is not None:
            self._begin(now)
        self._screen.draw()

    def _begin(self, line: str, second: Second | None = None) -> None:
        self._screen.session.take(line)
        self._screen.apart(self._send, line, second)

    def _send(self, line: str, second: Second | None) -> None:
        outcome = self._screen.session.say(line, second)
        asks_pin = outcome.kind == "second" and self._asks_pin()
        signed = second is not None
        self._screen.tell(Answered(line, outcome, signed=signed, asks_pin=asks_pin))

    def _asks_pin(self) -> bool:
        """Whether people type a PIN; yes, while the ledger cannot be asked. Blocks."""
        try:
            return self._screen.session.asks_pin
        except LedgerLost:
            return True

    def answered(self, event: Answered) -> None:
        """Shows the outcome; the lines that wait are sent only if this one is done."""
        outcome, notes = event.outcome, self._screen.notes
        if outcome.kind == "done":
            notes.recall()
        if self._leaving:
            self._leaving, notes.refusal = False, ""  # it has its answer
        following, unsent = self.queue.answered(outcome)
        if outcome.kind == "second":  # the keys that wait may be a PIN
            if event.signed:
                notes.tell_refusal(outcome)
            self._ask_second(event.line, outcome, asks_pin=event.asks_pin)
        else:
            notes.tell(outcome)
            if outcome.left:
                notes.give_back(outcome.left)
            notes.tell_unsent(unsent)
        if following is not None:
            self._begin(following)

    def let_go_of_keys(self, outcome: Outcome) -> None:
        """Types the keys that were held, or drops them if the line they followed failed."""
        if any(map(_may_ask_who, self.queue.lines)):
            return
        if outcome.kind in ("done", "answered"):
            self._screen.line.free()
        elif self._screen.line.forget_held():
            self._screen.notes.add("refused", _("The keys typed meanwhile were ignored."))

    def _ask_second(self, line: str, outcome: Outcome, *, asks_pin: bool) -> None:
        left = self.unsigned = outcome.left or line
        asked = SecondPerson(
            left, (*outcome.words, *outcome.asks), outcome.signer, asks_pin=asks_pin
        )
        self._screen.ask_in_place(asked)
        self._screen.push_screen(asked, lambda second: self._with_second(left, second))

    def _with_second(self, line: str, second: Second | None) -> None:
        screen = self._screen
        self.unsigned, screen.line.onward = "", None
        screen.line.guarded = True
        if second is None:
            screen.notes.add("note", _("Nobody signed: `{line}` is not done.", line=line))
            screen.notes.give_back(line)
        else:
            self.holding = SIGNED
            screen.line.hold()  # the second person may be asked again
            self.queue.enter(line)
            self._begin(line, second)
        screen.draw()

    def may_leave(self) -> bool:
        """Whether the table may be left now; while a line has no answer, when asked twice."""
        if self.queue.current is None or self._leaving:
            return True
        self._leaving = True
        self._screen.refuse(
            _(
                "`{line}` has no answer yet. Press F10 again to leave anyway.",
                line=self.queue.current,
            )
        )
        return False

    def typed(self) -> LinesTyped:
        """What is on the line, what waits, and whether the line was entered and refused.

        A line that a second person is asked for counts as refused.
        """
        line, waiting = self._screen.line, tuple(self.queue.waiting)
        typed = "" if line.password else line.value
        if not self.unsigned:
            return typed, waiting, line.refused
        if typed:
            return typed, (self.unsigned, *waiting), line.refused
        return self.unsigned, waiting, True


def _may_ask_who(line: str) -> bool:
    try:
        return may_ask_who(parse(line))
    except NotUnderstood:
        return False
