"""The keys in the last line of a screen; those that make sense now are lit."""

from collections.abc import Sequence

from msgspec import Struct
from rich.text import Text

from ops.kit.colours import LABEL, TITLE
from ops.kit.lines import ends, fitted


class Hint(Struct, frozen=True):
    """A key and what it does; `short` where room is scarce, `lit` if it makes sense now."""

    key: str
    label: str
    short: str = ""
    lit: bool = True


def foot(hints: Sequence[Hint], width: int, always: Sequence[Hint] = ()) -> Text:
    """The line with long labels, else short ones, else fewer keys; `always` at the right."""
    some = list(hints)
    right = _keys(always, roomy=True).append(" " if always else "")
    for roomy in (True, False):
        line = _keys(some, roomy=roomy)
        if line.cell_len + right.cell_len <= width:
            return ends(line, right, width)
    while some and _keys(some, roomy=False).cell_len + right.cell_len > width:
        some.pop()
    return fitted(ends(_keys(some, roomy=False), right, width), width)


def _keys(hints: Sequence[Hint], *, roomy: bool) -> Text:
    line = Text()
    for n, each in enumerate(hints):
        label = each.label if roomy else each.short or each.label
        line.append("  " if roomy and n else " ")
        line.append(each.key, "bold reverse" if each.lit else LABEL)
        line.append(f" {label}", TITLE if each.lit else LABEL)
    return line
