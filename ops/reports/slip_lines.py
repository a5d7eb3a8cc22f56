"""Lines for a slip printer: label and value on 42 columns, by the width of the letters."""

from typing import Any

COLUMNS = 42  # of a slip printer


def rows(label: str, value: str, *, bold: bool = False) -> list[dict[str, Any]]:
    """Label and value on a line; a value that needs more room has lines of its own."""
    from rich.cells import cell_len

    if cell_len(label) + 1 + cell_len(value) <= COLUMNS:
        return [{"label": label, "value": value, "bold": bold}]
    lines = [(label, ""), *(("", line) for line in wrapped(value))]
    return [{"label": left, "value": right, "bold": bold} for left, right in lines]


def wrapped(text: str) -> list[str]:
    """The text in lines that fit, by the width of its letters."""
    from rich.console import Console
    from rich.text import Text

    lines = Text(text).wrap(Console(), COLUMNS, overflow="fold")
    return [line.plain.rstrip() for line in lines]


def beside(left: str, right: str) -> str:
    """Two texts at the two ends of a line."""
    from rich.cells import cell_len

    return f"{left}{' ' * (COLUMNS - cell_len(left) - cell_len(right))}{right}".rstrip()


def centred(line: str) -> str:
    """A text in the middle of a line."""
    from rich.cells import cell_len

    return f"{' ' * ((COLUMNS - cell_len(line)) // 2)}{line}"
