"""The colours and marks of screens. Lines name the sixteen colours; their values are here.

Whatever has a colour has a shape, a letter or a place of its own too, so that nothing is lost
without colour. Every word has a contrast of at least 4.5 to 1, also where it is selected.
"""

from collections.abc import Mapping

from rich.style import Style
from rich.terminal_theme import TerminalTheme

from ops.words.language import _

TITLE = "bold"
LABEL = "bright_black"  # labels
ALARM = "bold yellow"  # red is the Banker's
_MARKED = "bold reverse yellow"
BAR = "bold reverse yellow"  # the ledger is lost
SELECTED = "on black"  # the background of a selected line is black
SELECTED_PLAIN = "reverse"  # in the terminal's own colours
FAINT = Style(dim=True)  # what may be out of date
MARKS = {"done": ("✓", "green"), "refused": ("✗", "bold red"), "lost": ("!", ALARM)}
NOTE = ("·", LABEL)  # the mark of a message about what others did

_DARK = TerminalTheme(
    (17, 20, 24),
    (230, 232, 235),
    [
        *((36, 47, 62), (255, 123, 114), (126, 211, 133), (240, 200, 90)),
        *((121, 178, 255), (210, 168, 255), (118, 214, 224), (230, 232, 235)),
    ],
    [
        *((150, 159, 169), (255, 123, 114), (126, 211, 133), (240, 200, 90)),
        *((121, 178, 255), (210, 168, 255), (118, 214, 224), (255, 255, 255)),
    ],
)
_LIGHT = TerminalTheme(
    (252, 251, 248),
    (27, 31, 36),
    [
        *((217, 227, 241), (179, 32, 32), (18, 104, 48), (125, 79, 0)),
        *((10, 84, 178), (110, 60, 160), (0, 98, 112), (27, 31, 36)),
    ],
    [
        *((84, 92, 101), (179, 32, 32), (18, 104, 48), (125, 79, 0)),
        *((10, 84, 178), (110, 60, 160), (0, 98, 112), (0, 0, 0)),
    ],
)
PALETTES: Mapping[str, TerminalTheme] = {"dark": _DARK, "light": _LIGHT}


def training_mark() -> tuple[str, str]:
    """The word that marks every line of training, and its style."""
    return _("TRAINING"), _MARKED


def late_mark(words: str) -> tuple[str, str]:
    """The words that mark late entry, and their style."""
    return words, _MARKED
