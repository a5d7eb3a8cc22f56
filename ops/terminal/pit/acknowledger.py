"""Acknowledges alerts, through the dispatcher that every channel uses.

A line whose answer was lost is sent again under its own id, so that it counts once. It is also
written to disk: after a kill, the next start of the terminal shows whether the line was recorded.
"""

from collections.abc import Callable
from contextlib import suppress
from threading import Lock
from typing import Any
from uuid import uuid4

from msgspec.structs import replace

from domain.rules.refusals import Refusal
from domain.rules.wording import counted
from ops.commands.alerts import AlertAcknowledge
from ops.handlers.answer import Answer
from ops.handlers.dispatcher import Dispatcher
from ops.handlers.doubt import resolve
from ops.kit.outcome import Outcome
from ops.ledger.database import LedgerLost
from ops.terminal.dealer.journal import Journal, Sent
from ops.terminal.pit.sight import Looker
from ops.words import show
from ops.words.events import sentences
from ops.words.language import _, shown

COMMAND = "alert.acknowledge"
CHANNEL = "pit"
JOURNAL = "/pit"  # the name of its journal, beside those of the tables
FORCED = "--read-only was given"
OWN_LOGIN = "this database login only reads"
_NOBODY = "nobody is signed on: `sabot pit --by S-11`"


def _new_id() -> str:
    return f"{CHANNEL}:{uuid4()}"


class Acknowledger:
    """Acknowledges alerts for one pit boss, one at a time."""

    def __init__(
        self,
        dispatcher: Dispatcher,
        by: str = "",
        *,
        read_only: str = "",
        new_id: Callable[[], str] = _new_id,
        journal: Journal | None = None,
    ) -> None:
        """`read_only`: why nothing can be acknowledged here, or '' if staff with the right can.

        `journal`: has the line while it has no answer; without one nothing is written to disk.
        """
        self._dispatcher = dispatcher
        self._by = by
        self._read_only = read_only
        self._new_id = new_id
        self._journal = journal
        left = journal.last if journal else None
        self._line: dict[str, Any] | None = left.lines[0] if left else None  # without an answer yet
        self._cut_off = left is not None  # whether the terminal was killed after sending it
        self._sending = Lock()

    @property
    def _staff(self) -> str:
        """The staff number given at the start, or that of the person signed on."""
        return self._by or self._dispatcher.authority.token.staff

    @property
    def unanswered(self) -> str:
        """The alert whose acknowledgement has no answer yet, or '' if there is none."""
        return str(self._line["alert"]) if self._line else ""

    def looker(self) -> Looker:
        """Returns who looks, and whether they may acknowledge. Raises LedgerLost."""
        staff, authority = self._staff, self._dispatcher.authority
        if self._read_only:
            return Looker(staff, self._read_only)
        try:
            authority.require_one_of(AlertAcknowledge.permission.roles, COMMAND)
        except Refusal as refusal:
            return Looker(staff, str(refusal))
        return Looker(staff, "" if staff else _NOBODY)

    def acknowledge(self, alert: str, text: str = "") -> Outcome:
        """Acknowledges an alert, with a note."""
        if self._line:
            why = f"Wait: it is not known yet whether {self.unanswered} was acknowledged."
            return Outcome("refused", (why,))
        self._line = {
            "command": COMMAND,
            "alert": alert,
            **({"text": text} if text else {}),
            **({"by": self._staff} if self._staff else {}),
            "id": self._new_id(),
        }
        try:
            if self._journal:
                self._journal.begin(Sent(alert, [self._line]))
        except OSError as error:
            self._line = None
            why = f"Nothing was sent: this terminal cannot write to its disk ({error.strerror})."
            return Outcome("refused", (why,))
        return self._send()

    def ask_again(self) -> Outcome | None:
        """The outcome of the line that has no answer, or None if there is none."""
        with self._sending:
            if self._line is None:
                return None
            return self._resolve() if self._cut_off else self._send()

    def close(self) -> None:
        """Releases the journal; a line without an answer stays in it for the next terminal."""
        if self._journal:
            if self._line is None:
                with suppress(OSError):
                    self._journal.close()
            self._journal.release()

    def _resolve(self) -> Outcome:
        """The outcome of a killed terminal's line, which is not sent again."""
        assert self._line is not None
        alert = self.unanswered
        try:
            answer = resolve(self._dispatcher, self._line)
        except LedgerLost as error:
            words = f"It is not known whether {alert} is acknowledged. This terminal asks again."
            return Outcome("lost", (shown(show.lost_words(error.why)), words))
        self._answered()
        if answer is None:
            why = f"{alert} was not acknowledged: this terminal ended before. Acknowledge it again."
            return Outcome("unsent", (why,))
        outcome = _outcome(answer)
        before = f"Sent before this terminal ended, {alert}:"
        return replace(outcome, words=(before, *outcome.words))

    def _answered(self) -> None:
        """Forgets the line, because it has its answer."""
        self._line, self._cut_off = None, False
        if self._journal:
            with suppress(OSError):  # the next terminal asks once more, and gets the same answer
                self._journal.forget()

    def _send(self) -> Outcome:
        assert self._line is not None
        try:
            answer = self._dispatcher.dispatch(self._line)
        except LedgerLost as error:
            words = (
                shown(show.lost_words(error.why)),
                f"It is not known whether {self.unanswered} is acknowledged. It is sent again, and "
                "counts once.",
            )
            return Outcome("lost", words)
        self._answered()
        return _outcome(answer)


def _outcome(answer: Answer) -> Outcome:
    body = answer.body
    if not answer.ok:
        return Outcome("refused", (answer.reason,), body["rule"] or "")
    first, *older = body["events"]
    words = map(shown, sentences([first], ""))
    if not older:
        return Outcome("done", (*words, _("It is off the board.")))
    many = counted(
        len(older),
        "{n} older alert is acknowledged with it.",
        "{n} older alerts are acknowledged with it.",
    )
    return Outcome("done", (*words, shown(many), _("They are off the board.")))
