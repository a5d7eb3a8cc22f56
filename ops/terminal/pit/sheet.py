"""The visible part of a list: the lines around the selected one."""

from collections.abc import Callable, Iterable, Sequence

from rich.text import Text

from ops.kit.colours import LABEL, TITLE
from ops.kit.lines import CHOSEN, ruled

LinesOf = Callable[[str], list[Text]]
POINTER = "›"


def titled(words: str, width: int, aside: str = "") -> Text:
    """A title for the lines below, with a note at the right."""
    return ruled(Text(words, TITLE), width, Text(aside, LABEL))


def listed(
    keys: Sequence[str],
    selected: str,
    lines_of: LinesOf,
    height: int,
    titles_of: LinesOf = lambda _: [],
) -> list[Text]:
    """The lines of a list that are visible around the selected one; the others are not drawn.

    `lines_of` draws an item, with a cell to its left for the pointer; `titles_of` draws what is
    above it.
    """
    if height <= 0 or selected not in keys:
        return []

    def whole(key: str) -> list[Text]:
        return [*titles_of(key), *lines_of(key)]

    place = keys.index(selected)
    pointed = [_pointed(line, first=n == 0) for n, line in enumerate(lines_of(selected))]
    titles = titles_of(selected)
    too_many = max(len(titles) + len(pointed) - height, 0)
    chosen = [*titles[too_many:], *pointed][:height]
    above = _some((whole(key) for key in reversed(keys[:place])), height)
    under = [line for lines in _some(map(whole, keys[place + 1 :]), height) for line in lines]
    over = [line for lines in reversed(above) for line in lines]
    room = height - len(chosen)
    most_over = max(room // 2, room - len(under))
    return [*over[max(len(over) - most_over, 0) :], *chosen, *under][:height]


def _some(items: Iterable[list[Text]], height: int) -> list[list[Text]]:
    """The items that fill so many lines."""
    some, lines = [], 0
    for each in items:
        if lines >= height:
            break
        some.append(each)
        lines += len(each)
    return some


def _pointed(line: Text, *, first: bool) -> Text:
    """A selected line, coloured across the whole width."""
    pointed = Text.assemble((POINTER if first else " ", TITLE), line[1:])
    pointed.style = CHOSEN
    return pointed
