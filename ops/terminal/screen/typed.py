"""The line that is typed: history, completion, and a ghost of how it may go on."""

from collections.abc import Callable
from typing import ClassVar

from textual.binding import Binding, BindingType
from textual.message import Message
from textual.suggester import Suggester
from textual.widgets import Input

from ops.terminal.screen.saying import History

Completions = Callable[[str], list[str]]


class _Ghost(Suggester):
    """The first way in which the line may go on."""

    def __init__(self, completions: Completions) -> None:
        super().__init__(use_cache=False, case_sensitive=True)
        self._completions = completions

    async def get_suggestion(self, value: str) -> str | None:
        longer = (each for each in self._completions(value) if each.startswith(value))
        return next((each for each in longer if each != value), None)


class Typed(Input):
    """One line; Tab completes it, and again the next way, up and down go through what was said."""

    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("up", "older", show=False),
        Binding("down", "newer", show=False),
        Binding("tab", "complete", show=False),
        Binding("escape,ctrl+u", "clear_line", show=False),
    ]

    class Cleared(Message):
        """What was typed is given up."""

    def __init__(self, completions: Completions) -> None:
        super().__init__(
            id="typed", compact=True, select_on_focus=False, suggester=_Ghost(completions)
        )
        self.cursor_blink = False
        self.history = History()
        self._completions = completions
        self._ways: list[str] = []  # that Tab goes through

    def put(self, line: str) -> None:
        """This instead of what is typed, the cursor behind it."""
        self.value = line
        self.cursor_position = len(line)

    def action_older(self) -> None:
        """The line that was entered before."""
        line = self.history.back(self.value)
        if line is not None:
            self.put(line)

    def action_newer(self) -> None:
        """The line that was entered after, and at last what was typed."""
        line = self.history.on()
        if line is not None:
            self.put(line)

    def action_clear_line(self) -> None:
        """Nothing is typed."""
        self.history.at = None
        self.put("")
        self.post_message(self.Cleared())

    def action_complete(self) -> None:
        """The first way on; then, with the line as that left it, the next."""
        if self.value in self._ways:
            way = self._ways[(self._ways.index(self.value) + 1) % len(self._ways)]
        else:
            self._ways = [each for each in self._completions(self.value) if each != self.value]
            way = self._ways[0] if self._ways else self.value
        self.put(way)
