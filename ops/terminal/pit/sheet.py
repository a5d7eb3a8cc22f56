"""Lines of text on a page: a list around what is selected, blocks side by side, titles, rules."""

from collections.abc import Callable, Iterable, Iterator, Sequence
from itertools import zip_longest

from rich.text import Text

from ops.board_lines import cut
from ops.terminal.pit.look import POINTER, QUIET, RULE, TITLE

LinesOf = Callable[[str], list[Text]]


def listed(
    keys: Sequence[str],
    selected: str,
    lines_of: LinesOf,
    height: int,
    titles_of: LinesOf = lambda _: [],
) -> list[Text]:
    """So many lines of a list around the one that is selected; others are not even drawn.

    `lines_of` draws one, with a cell to its left for the pointer, `titles_of` what is above it.
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
    """As many as may be needed."""
    some, lines = [], 0
    for each in items:
        if lines >= height:
            break
        some.append(each)
        lines += len(each)
    return some


def _pointed(line: Text, *, first: bool) -> Text:
    """The selected line; `app` gives it its colour across the whole width."""
    pointed = Text.assemble((POINTER if first else " ", TITLE), line[1:])
    pointed.style = SELECTED_STYLE
    return pointed


SELECTED_STYLE = "selected"  # by this the screen knows it


def beside(left: Iterable[Text], right: Iterable[Text], width: int) -> Iterator[Text]:
    """Two blocks of lines next to each other, the left one so wide."""
    for one, other in zip_longest(left, right, fillvalue=Text()):
        line = one.copy()
        line.truncate(width, overflow="ellipsis", pad=True)
        line.append_text(other)
        yield line


def titled(words: str, width: int, aside: str = "") -> Text:
    """What the lines below are, and to the right of it what more there is to say."""
    line = Text.assemble(" ", (words, TITLE), " ")
    room = width - line.cell_len - (len(aside) + 2 if aside else 0)
    line.append(RULE * max(room, 0), QUIET)
    return cut(line.append(f" {aside} " if aside else "", QUIET), width)


def padded(lines: Iterable[Text], height: int) -> list[Text]:
    """Exactly so many lines."""
    some = list(lines)[:height]
    return [*some, *(Text() for _ in range(height - len(some)))]


def apart(left: Text, right: Text, width: int) -> Text:
    """The one at the left edge, the other at the right; the left one gives way."""
    line = left.copy()
    line.truncate(max(width - right.cell_len, 0), overflow="ellipsis", pad=True)
    return cut(line.append_text(right), width)


def joined(parts: Iterable[Text | str], between: str = " · ") -> Text:
    """Those that say something."""
    some = [Text(each) if isinstance(each, str) else each for each in parts]
    return Text(between).join(each for each in some if each.plain)
