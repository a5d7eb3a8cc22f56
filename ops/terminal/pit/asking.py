"""The line for a filter, or for a note to an alert."""

from msgspec.structs import replace
from textual.widgets import Input

from ops.terminal.pit.frame import FILTER
from ops.terminal.pit.sieve import Sieve


class Asking:
    """The purpose of the line, and the line itself."""

    def __init__(self) -> None:
        self.what = ""  # FILTER, or the name of an alert
        self.line = Input(id="typed", select_on_focus=False)
        self.line.cursor_blink = False
        self._before = Sieve()  # the filter before typing

    def filter(self, before: Sieve) -> None:
        """Begins a line for the words of a filter."""
        self._before = before
        self._ask(FILTER, before.typed)

    def note(self, alert: str) -> None:
        """Begins a line for a note to an alert."""
        self._ask(alert, "")

    def _ask(self, what: str, typed: str) -> None:
        self.what = what
        self.line.value = typed
        self.line.cursor_position = len(typed)
        self.line.focus()

    def end(self) -> str:
        """Ends the line; returns its purpose."""
        asked, self.what = self.what, ""
        self.line.screen.set_focus(None)
        return asked

    def sieve(self, *, keep: bool = True) -> Sieve:
        """The filter as typed, or the one before it."""
        typed = " ".join(self.line.value.split()) if keep else self._before.typed
        return replace(self._before, typed=typed)
