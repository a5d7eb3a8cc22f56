"""What the screen needs of a session, and of what can be typed."""

from collections.abc import Callable, Sequence
from typing import Protocol

from ops.kit.outcome import Link, Outcome, Second
from ops.now.table_now import TableNow
from ops.terminal.dealer.late_entry import LateEntry
from ops.terminal.dealer.log import Entry


class Talks(Protocol):
    """What the screen needs of a session; `ops.terminal.dealer.session.Session` is one."""

    training: bool
    late: LateEntry
    draft: str
    draft_refused: bool
    unsent: tuple[str, ...]
    on_change: Callable[[], None]
    on_news: Callable[[str], None]
    on_resolved: Callable[[Outcome], None]

    @property
    def link(self) -> Link:
        """Whether the ledger can be reached."""

    @property
    def now(self) -> TableNow:
        """The table to show."""

    @property
    def asks_pin(self) -> bool:
        """Whether people type a PIN; blocks. Raises LedgerLost."""

    @property
    def must_sign_on(self) -> bool:
        """Whether somebody must sign on first; blocks. Raises LedgerLost."""

    def awaits_code(self, staff: str) -> bool:
        """Whether they sign on with a one-time code; blocks. Raises LedgerLost."""

    def sign_on(self, staff: str, secret: str, new_pin: str | None = None) -> Outcome:
        """Signs a person on; blocks until the outcome is known."""

    def open(self) -> Outcome | None:
        """Reaches the ledger if it can; returns what to show first, or None."""

    def keep(self, draft: str, waiting: Sequence[str] = (), *, refused: bool = False) -> None:
        """Saves what is typed or was refused, and what waits, at every key."""

    def take(self, typed: str) -> None:
        """Saves a line that is entered; no kill loses it from now on."""

    @property
    def past(self) -> list[Entry]:
        """What was typed and answered here before this terminal was started."""

    def remember(self, kind: str, words: str) -> None:
        """Saves what is shown, for the terminal that is started after this one."""

    def say(self, typed: str, second: Second | None = None) -> Outcome:
        """Sends a line; blocks until its outcome is known."""


class Tongue(Protocol):
    """What the screen needs to know about typed lines; `prompts` is one."""

    def completions(self, typed: str, now: TableNow) -> list[str]:
        """Complete lines that begin so."""

    def is_whole(self, typed: str) -> bool:
        """Whether it is a complete line."""

    def hint(self, now: TableNow, /) -> str:
        """What can be typed now, in one line."""

    def help_lines(self, now: TableNow, topic: str = "") -> list[tuple[str, str]]:
        """What can be typed, and what it does."""
