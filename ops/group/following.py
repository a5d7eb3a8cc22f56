"""Looks at the houses of a group again and again: each by itself, so that none waits for another.

Once a second, the witness of one other house is asked what it saw of this one: a house that shows
one record here and another there is noticed as soon as somebody hears of both.
"""

import random
import time
from collections.abc import Callable, Iterable
from contextlib import suppress
from datetime import datetime
from threading import Event, Thread

from ops.group import members
from ops.group.members import Heard, Member
from ops.group.pulling import Pulled, pull
from ops.group.sources import Away, seen_by, witness_at, woken
from ops.proof.note import NotGood

TOGETHER = 5_000  # events that are counted at once while it goes on; a report counts the rest
AGAIN = 5.0  # seconds until a server that says nothing is asked again
HEARS = 1.0  # seconds between two questions to witnesses, however often a house is looked at
Now = Callable[[], datetime]


class Looking:
    """Looks at houses, and hears of the others' witnesses what those saw of them."""

    def __init__(self, now: Now) -> None:
        self._now = now
        self._heard_at: dict[str, float] = {}  # by the name of a house

    def pull(self, of: Member) -> Pulled:
        """Pulls what is new of a house; one other's witness is asked, if it is time for it."""
        at = time.monotonic()
        if at - self._heard_at.get(of.name, -HEARS) < HEARS:
            return pull(of, self._now())
        self._heard_at[of.name] = at
        others = (each for each in members.every() if each.name != of.name)
        witnesses = [each for each in others if witness_at(each.address)]
        if not witnesses:
            return pull(of, self._now())
        asked = random.choice(witnesses)  # noqa: S311  (nobody guesses a key)
        heard = seen_by(asked, of)
        of.note_heard(asked.name, Heard(self._now(), _size_of(of, heard)))
        return pull(of, self._now(), [heard] if heard else [])


def _size_of(of: Member, heard: bytes | None) -> int | None:
    """How many events a checkpoint of a house has, if the house signed it."""
    with suppress(NotGood):
        return of.signed(heard).size if heard else None
    return None


class Following:
    """A thread for each house, until `end`. `pulled` is called in it, after each look."""

    def __init__(
        self, every: float, houses: Callable[[], Iterable[Member]], pulled: Callable[[Member], None]
    ) -> None:
        """`every`: seconds between two looks; `houses`: those to follow, asked for as often."""
        self._every, self._houses, self._pulled = every, houses, pulled
        self._ending = Event()
        self._woken: dict[str, Event] = {}

    def begin(self) -> None:
        """Begins in threads of its own."""
        Thread(target=self._mind, daemon=True).start()

    def look(self, name: str) -> None:
        """Looks at a house at once."""
        if news := self._woken.get(name):
            news.set()

    def wait(self) -> None:
        """Waits until it ends."""
        self._ending.wait()

    def end(self) -> None:
        """Ends all of it; a look that has begun is finished."""
        self._ending.set()
        for each in [*self._woken.values()]:
            each.set()

    def _mind(self) -> None:
        """Begins to follow a house when there is one that it does not follow yet."""
        while not self._ending.is_set():
            names = {each.name for each in self._houses()} - self._woken.keys()
            for name in names:
                self._begin(name)
            self._ending.wait(self._every)

    def _begin(self, name: str) -> None:
        self._woken[name] = Event()
        for task in (self._follow, self._listen):
            Thread(target=task, args=(name,), daemon=True).start()

    def _listen(self, name: str) -> None:
        """Looks at a house as soon as its server says that it signed something."""
        while not self._ending.is_set():
            with suppress(Away):
                woken(members.named(name), self._woken[name].set)
            self._ending.wait(AGAIN)

    def _follow(self, name: str) -> None:
        news = self._woken[name]
        while not self._ending.is_set():
            news.clear()
            self._pulled(members.named(name))
            news.wait(self._every)
