"""A session whose table and answers are scripted, and a grammar of a few words."""

import asyncio
import threading
from collections import deque
from collections.abc import Callable, Sequence
from datetime import UTC, datetime

from msgspec.structs import replace

from ops.kit.outcome import Link, Outcome, Second
from ops.now.table_now import TableNow
from ops.terminal.dealer.late_entry import LateEntry
from ops.terminal.dealer.screen.app import DealerScreen

AT = datetime(2026, 11, 21, 20, 14, 30, tzinfo=UTC)


def done(*words: str) -> Outcome:
    return Outcome("done", words)


def refused(words: str, rule: str, left: str) -> Outcome:
    return Outcome("refused", (words,), rule, left)


class FakeSession:
    """Answers as it was told to, in order; then that it is done. `hold` keeps answers back."""

    def __init__(self, now: TableNow, *answers: Outcome, training: bool = False) -> None:
        self.now = now
        self.link = Link()
        self.training = training
        self.late = LateEntry()
        self.asks_pin = True
        self.must_sign_on = False
        self.codes: set[str] = set()  # numbers that sign on with one
        self.signing: deque[Outcome] = deque()  # what a sign-on comes to; then it is done
        self.typed: list[tuple[str, str, str | None]] = []
        self.draft = ""
        self.draft_refused = False
        self.unsent: tuple[str, ...] = ()
        self.answers = deque(answers)
        self.said: list[tuple[str, Second | None]] = []
        self.kept: list[tuple[str, tuple[str, ...]]] = []
        self.kept_refused: list[str] = []  # drafts that were kept as entered and not done
        self.taken: list[str] = []
        self.past: list[tuple[str, str]] = []
        self.remembered: list[tuple[str, str]] = []
        self.on_change: Callable[[], None] = lambda: None
        self.on_news: Callable[[str], None] = lambda _: None
        self.on_resolved: Callable[[Outcome], None] = lambda _: None
        self._free = threading.Event()
        self._free.set()

    def open(self) -> None:
        """It is there at once."""

    def keep(self, draft: str, waiting: Sequence[str] = (), *, refused: bool = False) -> None:
        self.kept.append((draft, tuple(waiting)))
        self.kept_refused += [draft] * refused

    def take(self, typed: str) -> None:
        self.taken.append(typed)

    def remember(self, kind: str, words: str) -> None:
        self.remembered.append((kind, words))

    def say(self, typed: str, second: Second | None = None) -> Outcome:
        self.said.append((typed, second))
        self._free.wait(20)
        return self.answers.popleft() if self.answers else done(f"{typed} is done.")

    def awaits_code(self, staff: str) -> bool:
        return staff in self.codes

    def sign_on(self, staff: str, secret: str, new_pin: str | None = None) -> Outcome:
        self.typed.append((staff, secret, new_pin))
        self._free.wait(20)
        return self.signing.popleft() if self.signing else done(f"{staff} signs on.")

    def hold(self) -> None:
        self._free.clear()

    def let_go(self) -> None:
        self._free.set()

    def becomes(self, now: TableNow | None = None, link: Link | None = None, **changes) -> None:
        """The table or the link is as told from now on."""
        self.now = replace(now or self.now, **changes)
        self.link = link or self.link
        self.on_change()

    @property
    def lines(self) -> list[str]:
        return [typed for typed, _ in self.said]


class FakeTongue:
    """As `ops.terminal.dealer.prompts` is asked."""

    def completions(self, typed: str, now: TableNow) -> list[str]:
        lines = ["3 b 500", "3 p 100", "n", "s", "c 3"]
        return [each for each in lines if each.startswith(typed)]

    def is_whole(self, typed: str) -> bool:
        return typed in self.completions("", None)

    def hint(self, now: TableNow) -> str:
        return "seat spot amount: 3 b 500   = same   n no more bets   s settle   ? help"

    def help_lines(self, now: TableNow, topic: str = "") -> list[tuple[str, str]]:
        return [
            ("3 b 500", "seat 3 bets 500 on Banker; p t db dp pb pp the other spots"),
            ("3 b 500 t 25", "several spots of one seat"),
            ("3 =", "the same as in the last coup, = alone for everybody"),
            ("3 -", "seat 3 takes everything back"),
            ("n", "no more bets"),
            ("9h, 9c5s7cqd", "a card, or several"),
            ("s", "settle"),
            ("c 3, c 3 100", "collect commission of seat 3, all of it or 100"),
            ("u", "take back the wager that was placed last"),
            ("?", "help for where you are"),
        ]


def screen(session: FakeSession, theme: str = "dark") -> DealerScreen:
    return DealerScreen(session, FakeTongue(), theme, clock=lambda: AT)


async def settled(app: DealerScreen, pilot, until: Callable[[], bool] = lambda: True) -> None:
    """Until that is so, and everything that was posted is drawn."""
    async with asyncio.timeout(20):
        await pilot.pause()
        while not until():
            await pilot.pause(0.01)
        await pilot.pause()
