"""Colours and marks of the pit's terminal: whatever has a colour has a mark of its own too.

Everything is drawn in the sixteen colours that terminals have names for; which they are is told
here, for a dark room and for a light one, and where NO_COLOR is set there are none.
"""

from collections.abc import Mapping
from dataclasses import dataclass

from rich.terminal_theme import TerminalTheme
from textual.theme import Theme

TITLE = "bold"
QUIET = "dim"
ALARM = "bold red"
NEEDS = "bold yellow"
KEY = "bold"
BAR = "bold reverse red"  # the ledger is lost
ASKING = "bold yellow"
SELECTED = "on bright_black"
SELECTED_PLAIN = "reverse"  # where there are no colours
POINTER = "›"
RULE = "─"
HERE, THERE = "●", "○"  # the shoe in play, one that has ended

_ORDER = ("black", "red", "green", "yellow", "blue", "magenta", "cyan", "white")


@dataclass(frozen=True)
class Palette:
    """Colours for one kind of room; each word on its ground reads at 4.5 to 1 or better."""

    name: str
    dark: bool
    ground: str
    words: str
    selected: str
    colours: Mapping[str, str]

    def theme(self) -> Theme:
        """For the screen itself."""
        return Theme(
            name=f"sabot-{self.name}",
            primary=self.colours["blue"],
            foreground=self.words,
            background=self.ground,
            surface=self.ground,
            panel=self.selected,
            dark=self.dark,
        )

    def ansi(self) -> TerminalTheme:
        """For what is drawn on it."""
        plain = [_rgb(self.colours[name]) for name in _ORDER]
        bright = [_rgb(self.selected), *plain[1:]]
        return TerminalTheme(_rgb(self.ground), _rgb(self.words), plain, bright)


def _rgb(colour: str) -> tuple[int, int, int]:
    red, green, blue = bytes.fromhex(colour.removeprefix("#"))
    return red, green, blue


DARK = Palette(
    name="dark",
    dark=True,
    ground="#14171c",
    words="#d5d9e0",
    selected="#2c3645",
    colours={
        "black": "#14171c",
        "red": "#ff7a78",
        "green": "#62d196",
        "yellow": "#f0c255",
        "blue": "#79b4ff",
        "magenta": "#d7a1f9",
        "cyan": "#6fd0d6",
        "white": "#d5d9e0",
    },
)
LIGHT = Palette(
    name="light",
    dark=False,
    ground="#fbfaf6",
    words="#23272e",
    selected="#d9e3f1",
    colours={
        "black": "#23272e",
        "red": "#b4141f",
        "green": "#0f6b35",
        "yellow": "#7a5200",
        "blue": "#0b50ae",
        "magenta": "#7b2d97",
        "cyan": "#0b6670",
        "white": "#5b616b",
    },
)
PALETTES: Mapping[str, Palette] = {each.name: each for each in (DARK, LIGHT)}
