"""Lines for a slip printer: label and value on 42 columns, by the width of the letters."""

from collections.abc import Mapping
from datetime import datetime
from zoneinfo import ZoneInfo

from msgspec import Struct

from ops.words import language
from ops.words.language import _

COLUMNS = 42  # of a slip printer


class SlipLine(Struct, frozen=True):
    """A label and its value."""

    label: str
    value: str
    bold: bool = False

    @property
    def text(self) -> str:
        """The label and the value at the two ends of a line."""
        from rich.cells import cell_len

        room = COLUMNS - cell_len(self.label) - cell_len(self.value)
        return f"{self.label}{' ' * room}{self.value}".rstrip()


def lines(label: str, value: str, *, bold: bool = False) -> list[SlipLine]:
    """Label and value on a line; a value that needs more room has lines of its own."""
    from rich.cells import cell_len

    if cell_len(label) + 1 + cell_len(value) <= COLUMNS:
        return [SlipLine(label, value, bold)]
    rest = (SlipLine("", line, bold) for line in wrapped(value))
    return [SlipLine(label, "", bold), *rest]


def by_shoe(amounts: Mapping[str, int], currency: str) -> list[SlipLine]:
    """An amount for each shoe."""
    return [
        line
        for shoe, amount in amounts.items()
        for line in lines(_("Shoe {shoe}", shoe=shoe), language.amount(amount, currency))
    ]


def moment(at: datetime, zone: str) -> str:
    """The house's time with its offset, because one hour of the year comes twice."""
    local = at.astimezone(ZoneInfo(zone))
    return f"{language.moment(local)}{local.isoformat()[-6:]}"


def wrapped(text: str) -> list[str]:
    """The text in lines that fit, by the width of its letters."""
    from rich.console import Console
    from rich.text import Text

    lines = Text(text).wrap(Console(), COLUMNS, overflow="fold")
    return [line.plain.rstrip() for line in lines]


def centred(line: str) -> str:
    """A text in the middle of a line."""
    from rich.cells import cell_len

    return f"{' ' * ((COLUMNS - cell_len(line)) // 2)}{line}"
