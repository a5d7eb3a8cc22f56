"""What stands around every page: head and bar above; below it what is said, asked, pressed."""

from collections.abc import Iterable, Iterator, Sequence
from typing import TYPE_CHECKING

from rich.text import Text

from ops.board_lines import cut, head
from ops.database import LedgerLost
from ops.terminal.outcome import Outcome
from ops.terminal.pit.look import ALARM, ASKING, BAR, KEY, NEEDS, QUIET, RULE, TITLE
from ops.terminal.pit.sheet import apart, joined, padded
from ops.terminal.pit.sight import Looker, Sight
from ops.terminal.pit.view import Hint, View

if TYPE_CHECKING:
    from rich.console import Console

HEAD = 3  # lines, with the bar
MOST_SAID = 4  # lines
READ_ONLY = "READ ONLY"
FILTER = "filter"  # is asked for; anything else is the name of an alert
BACK: Hint = ("Esc", "back")
ALWAYS: tuple[Hint, ...] = (("?", "help"), ("q", "leave"))
_SAID = {"done": ("✓", "bold green"), "refused": ("✗", NEEDS), "lost": ("!", ALARM)}


def head_lines(
    sight: Sight | None, crumbs: Sequence[str], view: View, width: int
) -> Iterator[Text]:
    """The pit, and where one is in it; who looks, and through which sieve."""
    yield head(sight.seen, width) if sight else Text(" Sabot", TITLE)
    path = Text(" › ").join(Text(each) for each in crumbs)
    path.stylize(TITLE, len(path) - len(view.crumb))
    looker = sight.looker if sight else Looker()
    aside = joined(
        (
            Text(str(view.sieve), ASKING),
            Text(view.place(sight) if sight else "", QUIET),
            Text(looker.staff, QUIET),
            Text(READ_ONLY if looker.barred else "", NEEDS),
        )
    )
    yield apart(Text(" ") + path, aside.append(" "), width)


def bar(sight: Sight | None, lost: LedgerLost | None, width: int) -> Text:
    """A rule; while the ledger is lost, that it is, and from when the page is."""
    if lost is None:
        return Text(RULE * width, QUIET)
    then = f" As it stood at {sight.seen.at:%H:%M:%S}." if sight else ""
    line = Text(f" ! The ledger cannot be reached: {lost.why}.", BAR)
    line.truncate(max(width - len(then), 0), overflow="ellipsis")
    line.append(then, BAR)
    line.truncate(width, pad=True)
    return line


def waiting(lost: LedgerLost | None, height: int) -> list[Text]:
    """Before anything was seen."""
    words = "Trying again every second." if lost else "Looking at the pit …"
    return padded([Text(), Text(f"  {words}", QUIET)], height)


def dimmed(lines: Iterable[Text]) -> list[Text]:
    """What may not be so any more."""
    copies = [line.copy() for line in lines]
    for line in copies:
        line.stylize(QUIET)
    return copies


def said_lines(said: Outcome | None, console: "Console", width: int) -> Iterator[Text]:
    """What became of what was asked, with a mark."""
    if said is None:
        return
    mark, style = _SAID.get(said.kind, (" ", ""))
    rule = f" ({said.rule})" if said.rule else ""
    words = Text(" ".join(said.words) + rule)
    for n, line in enumerate(words.wrap(console, max(width - 4, 1))[:MOST_SAID]):
        yield Text.assemble(f" {mark} " if n == 0 else "   ", line, style=style)


def prompt(asking: str) -> Text:
    """Before the line that is typed."""
    if asking == FILTER:
        return Text(" / ", ASKING)
    return Text(f" Acknowledge {asking}, note or Enter › ", ASKING)


def asking_foot(asking: str, width: int) -> Text:
    """What the keys do while a line is typed."""
    does = "shows only these" if asking == FILTER else "acknowledges"
    return cut(_keys((("Enter", does), ("Esc", "lets be"))), width)


def foot(hints: Iterable[Hint], width: int, *, barred: bool, leads_back: bool) -> Text:
    """As many keys as there is room for; help and leaving always."""
    some = [each for each in hints if not (barred and each[1] == "acknowledge")]
    always = _keys((BACK, *ALWAYS) if leads_back else ALWAYS)
    while some and _keys(some).cell_len + always.cell_len > width:
        some.pop()
    return apart(_keys(some), always.append(" "), width)


def _keys(hints: Iterable[Hint]) -> Text:
    line = Text()
    for key, words in hints:
        line.append(f" {key}", KEY).append(f" {words} ", QUIET)
    return line
