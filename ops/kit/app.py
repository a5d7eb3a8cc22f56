"""What full screens share: colours, threads that post messages, an end.

A screen never waits for the ledger. What takes time runs in a thread of its own, which posts its
result as a message, and is not waited for when the screen is left.
"""

import asyncio
import os
import signal
import traceback
from collections.abc import Callable, Mapping
from contextlib import suppress
from threading import Thread, current_thread

from rich.terminal_theme import TerminalTheme
from rich.text import Text
from textual.app import App
from textual.message import Message
from textual.reactive import Reactive
from textual.theme import Theme

from ops.kit.colours import PALETTES
from ops.kit.driver import Keyboard
from ops.kit.hang_up import end_soon

ENDS = (signal.SIGTERM, signal.SIGHUP, signal.SIGINT)


class Face(App[Exception], inherit_bindings=False):
    """A full screen. Its return value is the error that ended it, if any."""

    ENABLE_COMMAND_PALETTE = False
    CSS = """
    Screen { overflow: hidden; background: $background; color: $foreground; }
    Pane { width: 100%; height: 1; }
    Input:ansi > .input--cursor {
        background: ansi_default; color: ansi_default; text-style: reverse;
    }
    """
    ansi_theme_dark = Reactive(PALETTES["dark"], init=False)
    ansi_theme_light = Reactive(PALETTES["light"], init=False)

    class Failed(Message):
        """An error that ends the screen."""

        def __init__(self, error: Exception) -> None:
            super().__init__()
            self.error = error

    def __init__(self, theme: str = "dark") -> None:
        """With NO_COLOR set, only the terminal's own colours are used."""
        theme = "ansi" if "NO_COLOR" in os.environ else theme
        super().__init__(driver_class=Keyboard, ansi_color=theme == "ansi")
        for each in THEMES.values():
            self.register_theme(each)
        self.theme = theme
        self._apart: set[Thread] = set()

    def attend(self) -> int:
        """Runs until the screen is left. Returns the exit status, or raises what ended it.

        The mouse is left to the terminal, so that text can be selected and copied.
        """
        mistake = self.run(mouse=False)
        if mistake:
            raise mistake
        return self.return_code or 0

    def on_load(self) -> None:
        """Handles signals from now on: the terminal is restored when the program is ended."""
        with suppress(NotImplementedError, RuntimeError):  # where there are no signals
            for each in ENDS:
                asyncio.get_running_loop().add_signal_handler(each, self._end, each)

    def _end(self, by: signal.Signals) -> None:
        """Ends with a shell's status for this signal; at once if the terminal hung up."""
        if by is signal.SIGHUP:
            end_soon()
        self.exit(return_code=128 + by)

    def _fatal_error(self) -> None:
        """Shows a plain traceback: Textual's own shows local variables, a PIN among them."""
        self.panic(Text(traceback.format_exc()))

    @property
    def at_work(self) -> bool:
        """Whether a thread is still running."""
        return bool(self._apart)

    def apart(self, act: Callable[..., None], *of: object) -> None:
        """Runs a function in a thread of its own. An unexpected error ends the screen."""
        thread = Thread(target=self._safely, args=(act, *of), daemon=True)
        self._apart.add(thread)
        thread.start()

    def _safely(self, act: Callable[..., None], *of: object) -> None:
        thread = current_thread()
        try:
            act(*of)
        except Exception as error:  # noqa: BLE001 - raised by `attend`
            self.tell(self.Failed(error))
        finally:
            self._apart.discard(thread)

    def tell(self, message: Message) -> None:
        """Posts a message from another thread, unless the screen has ended."""
        if self.is_running:
            self.post_message(message)

    def on_face_failed(self, failed: Failed) -> None:
        """Ends the screen with the error, which `attend` raises."""
        self.exit(failed.error)


def _hex(colour: tuple[int, ...]) -> str:
    return "#{:02x}{:02x}{:02x}".format(*colour)


def _theme(name: str, palette: TerminalTheme) -> Theme:
    background, foreground = _hex(palette.background_color), _hex(palette.foreground_color)
    red, green, yellow, blue = (_hex(palette.ansi_colors[n]) for n in (1, 2, 3, 4))
    return Theme(
        name=name,
        primary=blue,
        warning=yellow,
        error=red,
        success=green,
        foreground=foreground,
        background=background,
        surface=background,
        panel=background,
        boost=background,
        dark=name == "dark",
        variables=_cursor(foreground, background, "none"),
    )


def _cursor(ground: str, letter: str, style: str) -> dict[str, str]:
    return {
        "input-cursor-background": ground,
        "input-cursor-foreground": letter,
        "input-cursor-text-style": style,
    }


_ANSI = Theme(
    name="ansi",
    ansi=True,
    primary="ansi_blue",
    warning="ansi_yellow",
    error="ansi_red",
    success="ansi_green",
    foreground="ansi_default",
    background="ansi_default",
    surface="ansi_default",
    panel="ansi_default",
    boost="ansi_default",
    variables={
        "ansi-background": "ansi_default",
        "ansi-foreground": "ansi_default",
        **_cursor("ansi_default", "ansi_default", "reverse"),
    },
)
THEMES: Mapping[str, Theme] = {
    **{name: _theme(name, palette) for name, palette in PALETTES.items()},
    "ansi": _ANSI,
}
