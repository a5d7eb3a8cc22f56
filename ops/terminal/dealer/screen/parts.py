"""What the parts of the screen need of it."""

from collections.abc import Callable
from typing import Any, Protocol

from textual.message import Message

from ops.terminal.dealer.screen.notes import Notes
from ops.terminal.dealer.screen.talks import Talks, Tongue
from ops.terminal.dealer.screen.typed import Typed


class Screen(Protocol):
    """The screen, as its keys and its sign-on use it; `ops…screen.app.DealerScreen` is one."""

    session: Talks
    tongue: Tongue
    line: Typed
    notes: Notes
    road: int  # which road is shown

    def apart(self, act: Callable[..., None], *of: object) -> None:
        """Runs what blocks in a thread of its own."""

    def tell(self, message: Message) -> bool | None:
        """Posts a message from another thread."""

    def push_screen(self, screen: Any, callback: Any = None) -> Any:
        """Opens a dialog in front of the table."""

    def ask_in_place(self, asked: Any) -> None:
        """Passes the keys that were pressed already to a dialog."""

    def enter(self, line: str) -> bool:
        """Enters a line; whether it is accepted."""

    def refuse(self, words: str) -> None:
        """Shows a refusal in place of the hint."""

    def action_leave(self) -> None:
        """Leaves the table."""

    def draw(self) -> None:
        """Draws what changed."""
