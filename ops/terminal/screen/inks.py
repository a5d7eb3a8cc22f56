"""Dark, light and the terminal's own colours. Lines name the sixteen; here stands what they are.

Whatever has a colour has a shape, a letter or a place of its own too: without colour all is said.
"""

from collections.abc import Mapping

from rich.style import Style
from rich.terminal_theme import TerminalTheme
from textual.theme import Theme

LABEL = "bright_black"  # what only names something
ALARM = "bold yellow"
TRAINING = ("TRAINING", "bold reverse yellow")

_DARK = TerminalTheme(
    (17, 20, 24),
    (230, 232, 235),
    [
        *((17, 20, 24), (255, 123, 114), (126, 211, 133), (240, 200, 90)),
        *((121, 178, 255), (210, 168, 255), (118, 214, 224), (230, 232, 235)),
    ],
    [
        *((139, 148, 158), (255, 123, 114), (126, 211, 133), (240, 200, 90)),
        *((121, 178, 255), (210, 168, 255), (118, 214, 224), (255, 255, 255)),
    ],
)
_LIGHT = TerminalTheme(
    (252, 251, 248),
    (27, 31, 36),
    [
        *((252, 251, 248), (179, 32, 32), (22, 112, 52), (133, 84, 0)),
        *((10, 84, 178), (110, 60, 160), (0, 105, 120), (27, 31, 36)),
    ],
    [
        *((98, 106, 115), (179, 32, 32), (22, 112, 52), (133, 84, 0)),
        *((10, 84, 178), (110, 60, 160), (0, 105, 120), (0, 0, 0)),
    ],
)
PALETTES = {"dark": _DARK, "light": _LIGHT}


def _hex(colour: tuple[int, ...]) -> str:
    return "#{:02x}{:02x}{:02x}".format(*colour)


def _theme(name: str, palette: TerminalTheme) -> Theme:
    background, foreground = _hex(palette.background_color), _hex(palette.foreground_color)
    return Theme(
        name=name,
        primary=_hex(palette.ansi_colors[4]),
        warning=_hex(palette.ansi_colors[3]),
        error=_hex(palette.ansi_colors[1]),
        success=_hex(palette.ansi_colors[2]),
        foreground=foreground,
        background=background,
        surface=background,
        panel=background,
        boost=background,
        dark=name == "dark",
        variables={
            "input-cursor-background": foreground,
            "input-cursor-foreground": background,
            "input-cursor-text-style": "none",
        },
    )


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
        "input-cursor-background": "ansi_default",
        "input-cursor-foreground": "ansi_default",
        "input-cursor-text-style": "reverse",
    },
)
THEMES: Mapping[str, Theme] = {
    **{name: _theme(name, palette) for name, palette in PALETTES.items()},
    "ansi": _ANSI,
}
DIMMED = Style(dim=True)
