"""Says that an alert is in hand, through the dispatcher that every mouth uses; asks nothing twice.

A line whose answer was lost is asked again under its own id, so that it counts once. It is kept on
disk as well: a terminal that was killed is told at its next start what became of it.
"""

from collections.abc import Callable
from contextlib import suppress
from threading import Lock
from typing import Any
from uuid import uuid4

from msgspec.structs import replace

from domain.rules.refusals import Refusal
from ops.commands.alerts import AlertAcknowledge
from ops.handlers.answer import Answer
from ops.handlers.dispatcher import Dispatcher
from ops.kit.outcome import Outcome
from ops.ledger.database import LedgerLost
from ops.terminal.dealer.journal import Journal, Sent
from ops.terminal.pit.sight import Looker
from ops.words import show
from ops.words.events import sentences
from ops.words.language import shown

COMMAND = "alert.acknowledge"
MOUTH = "pit"
KEPT_AS = "/pit"  # its journal, beside those of the tables
FORCED = "it was asked for with --read-only"
OWN_LOGIN = "this database login only reads"
_NOBODY = "whoever has it in hand says who they are: sabot pit --by S-11"


def _new_id() -> str:
    return f"{MOUTH}:{uuid4()}"


class Mouth:
    """One pit boss's, who says one thing at a time."""

    def __init__(
        self,
        dispatcher: Dispatcher,
        by: str = "",
        *,
        read_only: str = "",
        new_id: Callable[[], str] = _new_id,
        journal: Journal | None = None,
    ) -> None:
        """`read_only`: why nothing is acknowledged here, whoever looks; '': whoever may does.

        `journal`: keeps a line while it has no answer; without one nothing is kept.
        """
        self._dispatcher = dispatcher
        self._by = by
        self._read_only = read_only
        self._new_id = new_id
        self._journal = journal
        left = journal.last if journal else None
        self._line: dict[str, Any] | None = left.lines[0] if left else None  # has no answer yet
        self._cut_off = left is not None  # whether a killed terminal said it
        self._saying = Lock()

    @property
    def _staff(self) -> str:
        """Who looks: as was said, else whoever signed on."""
        return self._by or self._dispatcher.authority.token.staff

    @property
    def unanswered(self) -> str:
        """The alert of which nobody knows whether it was acknowledged; '': none."""
        return str(self._line["alert"]) if self._line else ""

    def looker(self) -> Looker:
        """Who looks, and whether they may say anything here; asks and records nothing.

        Raises LedgerLost.
        """
        staff, authority = self._staff, self._dispatcher.authority
        if self._read_only:
            return Looker(staff, self._read_only)
        try:
            authority.require_one_of(AlertAcknowledge.permission.roles, COMMAND)
        except Refusal as refusal:
            return Looker(staff, str(refusal))
        return Looker(staff, "" if staff else _NOBODY)

    def acknowledge(self, alert: str, text: str = "") -> Outcome:
        """Somebody has it in hand."""
        if self._line:
            why = f"Nobody knows yet whether {self.unanswered} was acknowledged: wait for that."
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
            why = f"This terminal cannot keep what is typed: {error.strerror}. Nothing was sent."
            return Outcome("refused", (why,))
        return self._say()

    def ask_again(self) -> Outcome | None:
        """What became of the line that has no answer; None: there is none."""
        with self._saying:
            if self._line is None:
                return None
            return self._resolve() if self._cut_off else self._say()

    def close(self) -> None:
        """A line without an answer is kept for the next terminal."""
        if self._journal:
            if self._line is None:
                with suppress(OSError):
                    self._journal.close()
            self._journal.release()

    def _resolve(self) -> Outcome:
        """Of a line that a killed terminal said: whoever said it may not want it any more."""
        assert self._line is not None
        alert = self.unanswered
        try:
            answer = self._dispatcher.resolve(self._line)
        except LedgerLost as error:
            words = f"Nobody knows whether {alert} is acknowledged; it is asked again."
            return Outcome("lost", (show.lost_words(error.why), words))
        self._answered()
        if answer is None:
            why = (
                f"This terminal was cut off before {alert} was acknowledged. Acknowledge it again."
            )
            return Outcome("unsent", (why,))
        told = self._told(answer)
        return replace(told, words=(f"Before this terminal was cut off, {alert}:", *told.words))

    def _answered(self) -> None:
        """It is known what became of the line."""
        self._line, self._cut_off = None, False
        if self._journal:
            with suppress(OSError):  # then the next terminal asks once more, and is told the same
                self._journal.forget()

    def _say(self) -> Outcome:
        assert self._line is not None
        try:
            answer = self._dispatcher.dispatch(self._line)
        except LedgerLost as error:
            words = (
                show.lost_words(error.why),
                f"Nobody knows whether {self.unanswered} is acknowledged; it is asked again, "
                "and counts once.",
            )
            return Outcome("lost", words)
        self._answered()
        return self._told(answer)

    def _told(self, answer: Answer) -> Outcome:
        body = answer.body
        if not answer.ok:
            return Outcome("refused", (answer.reason,), body["rule"] or "")
        first, *older = body["events"]
        words = map(shown, sentences([first], ""))
        if not older:
            return Outcome("done", (*words, "It is off the board."))
        many = show.count(len(older), "older one")
        return Outcome("done", (*words, f"{many} went with it.", "They are off the board."))
