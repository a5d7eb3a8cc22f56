"""The line that is asked for now and then: a filter, or a note to an alert."""

from msgspec.structs import replace
from textual.widgets import Input

from ops.terminal.pit.frame import FILTER
from ops.terminal.pit.sieve import Sieve


class Asking:
    """What is asked, and the line on which it is typed."""

    def __init__(self) -> None:
        self.what = ""  # FILTER, or the name of an alert
        self.line = Input(id="typed", select_on_focus=False)
        self.line.cursor_blink = False
        self._before = Sieve()  # what a filter was before it was typed

    def filter(self, before: Sieve) -> None:
        """Which words a line must have."""
        self._before = before
        self._ask(FILTER, before.typed)

    def note(self, alert: str) -> None:
        """What is done about an alert."""
        self._ask(alert, "")

    def _ask(self, what: str, typed: str) -> None:
        self.what = what
        self.line.value = typed
        self.line.cursor_position = len(typed)
        self.line.focus()

    def end(self) -> str:
        """What was asked; nothing is any more."""
        asked, self.what = self.what, ""
        self.line.screen.set_focus(None)
        return asked

    def sieve(self, *, keep: bool = True) -> Sieve:
        """As it is typed, or as it was before."""
        typed = " ".join(self.line.value.split()) if keep else self._before.typed
        return replace(self._before, typed=typed)
