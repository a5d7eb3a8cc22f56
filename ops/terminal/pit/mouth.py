"""Says that an alert is in hand, through the dispatcher that every mouth uses; asks nothing twice.

A line whose answer was lost is asked again under its own id, so that it counts once.
"""

from collections.abc import Callable
from typing import Any
from uuid import uuid4

from domain.permissions import PERMISSIONS
from domain.refusals import Refusal
from ops import show
from ops.database import OutcomeUnknown
from ops.dispatcher import Answer, Dispatcher
from ops.terminal.outcome import Outcome
from ops.terminal.pit.sight import Looker

COMMAND = "alert.acknowledge"
MOUTH = "pit"
_FORCED = "it was asked for with --read-only"
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
        read_only: bool = False,
        new_id: Callable[[], str] = _new_id,
    ) -> None:
        self._dispatcher = dispatcher
        self._by = by
        self._read_only = read_only
        self._new_id = new_id
        self._line: dict[str, Any] | None = None  # has no answer yet

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
            return Looker(staff, _FORCED)
        try:
            authority.require_one_of(PERMISSIONS[COMMAND].roles, COMMAND)
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
        return self._say()

    def ask_again(self) -> Outcome | None:
        """What became of the line that has no answer; None: there is none."""
        return self._say() if self._line else None

    def _say(self) -> Outcome:
        assert self._line is not None
        try:
            answer = self._dispatcher.dispatch(self._line)
        except OutcomeUnknown as error:
            words = (
                show.lost_words(error.why),
                f"Nobody knows whether {self.unanswered} is acknowledged; it is asked again, "
                "and counts once.",
            )
            return Outcome("lost", words)
        self._line = None
        return self._told(answer)

    def _told(self, answer: Answer) -> Outcome:
        body = answer.body
        if not answer.ok:
            return Outcome("refused", (body["message"],), body["rule"] or "")
        first, *older = body["events"]
        words = show.told_words([first], "")
        if not older:
            return Outcome("done", (*words, "It is off the board."))
        many = show.count(len(older), "older one")
        return Outcome("done", (*words, f"{many} went with it.", "They are off the board."))
