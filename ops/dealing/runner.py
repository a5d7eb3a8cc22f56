"""Looks at a table, waits for what its clock makes due, and sends it."""

from collections.abc import Callable
from datetime import datetime

from msgspec import Struct

from domain.rules.refusals import BadValue, TableClosed
from domain.rules.wording import Words
from ops.commands.read import Line
from ops.dealing.step import is_too_late, lock_up, next_step
from ops.handlers.answer import Answer
from ops.now.table_now import CoupNow, TableNow

LONGEST = 0.25  # seconds between two looks at the table


class Ended(Struct, frozen=True):
    """Why the dealing ended: the table `closed`, or a line was `refused`."""

    answer: Answer | None = None


class Runner:
    """Deals one table, until it is closed, a line is refused, or `wait` says to stop."""

    def __init__(
        self,
        look: Callable[[], TableNow],
        say: Callable[[Line], Answer],
        wait: Callable[[float], bool],
        clock: Callable[[], datetime],
        tell: Callable[[TableNow, Answer | None], None] = lambda now, answer: None,
    ) -> None:
        """`wait` waits for so many seconds, and returns whether to stop.

        `tell` is called after each line, and with None where somebody else must act first.
        """
        self._look = look
        self._say = say
        self._wait = wait
        self._clock = clock
        self._tell = tell
        self._seen: tuple[object, ...] = ()
        self._since = clock()

    def run(self) -> Ended:
        """Deals until the end. Refuses: TableClosed, BadValue."""
        now = self._look()
        require_clock(now)
        waits = False
        while not now.closed:
            moment = self._clock()
            if self._seen != _dealt(now):
                self._seen, self._since = _dealt(now), moment
            step = lock_up(now) if is_too_late(now, moment) else next_step(now, self._since)
            if step is None and not waits:
                self._tell(now, None)
            waits = step is None
            left = (step.at - moment).total_seconds() if step and step.at else 0.0
            if step is None or left > 0:
                if self._wait(min(left, LONGEST) if step else LONGEST):
                    return Ended()
                now = self._look()
                continue
            answer = self._say(step.line)
            before, now = now.position, self._look()
            self._tell(now, answer)
            if now.position == before and (not answer.ok or self._wait(LONGEST)):
                return Ended(None if answer.ok else answer)
        return Ended()


def require_clock(now: TableNow) -> None:
    """Refuses a table that cannot deal by itself. Refuses: TableClosed, BadValue."""
    if now.closed or now.rules is None:
        raise TableClosed(what=now.table)
    if now.rules.clock is None:
        template = "With {rules} people deal: the rule set has no clock. Open it with electronic@1."
        raise BadValue(rule="R-DEAL-6", message=Words(template, rules=now.rules.name))


def _dealt(now: TableNow) -> tuple[object, ...]:
    """How far the table is: it changes with each card, and with no bet."""
    coup: CoupNow | None = now.coup
    if coup is None:
        return (now.shoe.address if now.shoe else None,)
    return coup.address, coup.phase, coup.player.cards, coup.banker.cards
