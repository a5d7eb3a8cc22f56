"""The line that is typed: history, completion, and a faint suggestion of how it may go on.

Textual runs bindings only after a key has gone up to the app and back; by then the keys after it
are on the line already, and two lines from a fast key macro would become one. So whatever a key
does is done before the next key is read.
"""

from collections.abc import Callable, Iterable, Mapping
from functools import partial

from textual import events
from textual.message import Message
from textual.suggester import Suggester
from textual.widgets import Input
from textual.widgets.input import Selection

from domain.rules.pins import may_be_pin
from ops.terminal.dealer.phrases import NO_LINE
from ops.terminal.dealer.screen.queue import History
from ops.words.language import _

Completions = Callable[[str], list[str]]
Acts = Mapping[str, Callable[[], None]]
EDITING = {
    "left": "cursor_left",
    "right": "cursor_right",
    "ctrl+left": "cursor_left_word",
    "ctrl+right": "cursor_right_word",
    "home": "home",
    "ctrl+a": "home",
    "end": "end",
    "ctrl+e": "end",
    "backspace": "delete_left",
    "delete": "delete_right",
    "ctrl+w": "delete_left_word",
    "ctrl+u": "delete_left_all",
    "ctrl+k": "delete_right_all",
}
AT_ONCE = ("f10", "ctrl+q")  # keys that leave are never held


class Keyed(Input):
    """One line of input that handles keys strictly in their order.

    It can hold keys, unseen, while it is not known what they are meant for.
    """

    class Freed(Message):
        """Keys that were held are handled now, before those that come after."""

    def __init__(self, acts: Acts, **settings: object) -> None:
        """`acts`: functions of keys, beside editing."""
        super().__init__(select_on_focus=False, **settings)  # type: ignore[arg-type]
        self.cursor_blink = False
        self._acts = acts
        self.onward: Keyed | None = None  # the next field, which gets the keys that are pressed
        self.deaf = False  # whether it takes no text
        self._held: list[events.Key] | None = None

    async def _on_key(self, event: events.Key) -> None:
        if self.onward is not None:
            await self.onward._on_key(event)
            return
        if self._held is not None and event.key not in AT_ONCE:
            event.stop()
            event.prevent_default()
            self._held.append(event)
            return
        act = self._acts.get(event.key) or (None if self.deaf else self._editing(event.key))
        if act is None and not self.deaf:
            await super()._on_key(event)
            return
        event.stop()
        event.prevent_default()
        if act is not None:
            act()

    @property
    def holds(self) -> bool:
        """Whether keys are held."""
        return self._held is not None

    @property
    def held(self) -> bool:
        """Whether any key was pressed since keys are held."""
        return bool(self._held)

    def hold(self, keys: Iterable[events.Key] = ()) -> None:
        """Holds every key from now on, and before them `keys`, which were pressed elsewhere."""
        self._held = [*(self._held or ()), *keys]

    def type_on(self, key: events.Key) -> None:
        """Takes a key that was pressed elsewhere, before those that are pressed from now on."""
        holds = self.holds
        self.hold([key])
        if not holds:
            self.free()

    def forget_held(self) -> list[events.Key]:
        """Stops holding keys, and returns those that were held, unhandled."""
        keys, self._held = self._held or [], None
        return keys

    def free(self) -> None:
        """Handles the keys that were held, in order."""
        if self._held:
            self.post_message(self.Freed())
        else:
            self._held = None

    async def on_keyed_freed(self, event: Freed) -> None:
        """Handles them here, before keys that were pressed meanwhile."""
        event.stop()
        for key in self.forget_held():
            await self._on_key(key)

    def _editing(self, key: str) -> Callable[[], None] | None:
        name = EDITING.get(key)
        return getattr(self, f"action_{name}") if name else None

    @property
    def selected_text(self) -> str:
        """The text that may be copied; none of a PIN."""
        return "" if self.password else super().selected_text

    def put(self, line: str) -> None:
        """Replaces the text, and puts the cursor at its end."""
        self.value = line
        self.cursor_position = len(line)


class _Ghost(Suggester):
    """Suggests the first completion."""

    def __init__(self, completions: Completions, is_whole: Callable[[str], bool]) -> None:
        super().__init__(use_cache=False, case_sensitive=True)
        self._completions = completions
        self._is_whole = is_whole

    async def get_suggestion(self, value: str) -> str | None:
        if self._is_whole(value):
            return None  # a complete line is meant as it is
        longer = (each for each in self._completions(value) if each.startswith(value))
        return next((each for each in longer if each != value), None)


class Typed(Keyed):
    """The dealer's line; Tab goes through completions, Up and Down through the history."""

    def __init__(
        self,
        completions: Completions,
        is_whole: Callable[[str], bool],
        enter: Callable[[str], bool],
        cleared: Callable[[], None],
        tell: Callable[[str], None],
        acts: Acts,
    ) -> None:
        """`enter`: whether a line is accepted; `cleared`: it was deleted; `tell`: shows words."""
        own = {
            "up": self.older,
            "down": self.newer,
            "tab": self.complete,
            "escape": self.clear_line,
            "ctrl+u": self.clear_line,
            "enter": self.enter,
        }
        ghost = _Ghost(completions, lambda typed: self.refused or is_whole(typed))
        super().__init__({**own, **acts}, id="typed", compact=True, suggester=ghost)
        self.history = History()
        self._completions = completions
        self._enter = enter
        self._cleared = cleared
        self._tell = tell
        self._ways: list[str] = []  # completions that Tab goes through
        self._refused = ""  # the line that was refused, until it is changed
        self.guarded = False  # whether a PIN may be typed here by mistake

    def watch_value(self, value: str) -> None:
        """Shows no digits alone that may be a PIN: after a question or a refusal, or many."""
        digits = value.strip().isdecimal()
        self.guarded = self.guarded and (value in ("", self._refused) or digits)
        self.password = may_be_pin(value) or (self.guarded and digits)

    def on_paste(self, event: events.Paste) -> None:
        """Pastes one line only, and says so if there were more."""
        if self.holds:
            event.prevent_default()
            return
        lines = event.text.splitlines()
        if len(lines) > 1:
            words = _("Only the first of {n} lines was pasted.", n=len(lines))
            self._tell(words)

    def enter(self) -> None:
        """Enters the line; if it is not accepted it stays."""
        line = self.value.strip()
        if not line:
            return
        if may_be_pin(line):
            self.put("")
            self._tell(_(NO_LINE))
        elif self._enter(line):
            self.history.add(line)
            self.put("")
        else:
            self.give_back(line)

    def give_back(self, line: str) -> None:
        """Puts a refused line back, selected: the next key or paste replaces it.

        What is typed after a refusal is the next patron's bet, and is never added to this line.
        """
        if line not in self.history.lines:  # to be found again once it is replaced
            self.history.add(line)
        self.guarded = True
        self._refused = self.value = line
        self.selection = Selection(0, len(line))

    @property
    def refused(self) -> bool:
        """Whether a line that was given back is still unchanged and selected."""
        whole = Selection(0, len(self.value))
        return self.value != "" and self.value == self._refused and self.selection == whole

    def _editing(self, key: str) -> Callable[[], None] | None:
        """The first editing key on a refused line puts the cursor at its end, to change it."""
        act = super()._editing(key)
        if act is None or not self.refused:
            return act
        return partial(self._mend, act)

    def _mend(self, act: Callable[[], None]) -> None:
        self._refused = ""
        self.cursor_position = len(self.value)
        act()
        self.post_message(
            self.Changed(self, self.value)
        )  # to show that it is not selected any more

    def older(self) -> None:
        """Shows the line that was entered before."""
        if self.history.at is None and not self.refused:
            self._refused = ""  # what `newer` comes back to was typed, not refused
        line = self.history.back(self.value)
        if line is not None:
            self.put(line)

    def newer(self) -> None:
        """Shows the line that was entered after, and at last what was typed."""
        line = self.history.on()
        if line is None:
            return
        if self.history.at is None and line == self._refused:
            self.give_back(line)
        else:
            self.put(line)

    def clear_line(self) -> None:
        """Deletes the line."""
        self.history.at = None
        self.put("")
        self._cleared()

    def complete(self) -> None:
        """Puts the first completion; pressed again, the next one."""
        if self.value in self._ways:
            way = self._ways[(self._ways.index(self.value) + 1) % len(self._ways)]
        else:
            self._ways = [each for each in self._completions(self.value) if each != self.value]
            way = self._ways[0] if self._ways else self.value
        self.put(way)
