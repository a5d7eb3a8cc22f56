"""The board's lines as a terminal shows them: its head, an alert, a table, as wide as may be.

Both the board and the pit boss's terminal are made of them.
"""

import sys
from collections.abc import Callable, Iterator

from msgspec import Struct
from rich.cells import cell_len
from rich.text import Text

from ops.board.board import Seen
from ops.board.rows import Alert, BoardRow
from ops.board.words import (
    coup_words,
    fold_name,
    fold_words,
    head_words,
    left_words,
    limits_words,
    moment_words,
    next_words,
    note,
    number,
    owed_words,
    where,
)
from ops.kit.colours import ALARM
from ops.kit.lines import cut
from ops.words import show

MARK = "bold red"
WIDE, WIDER, WIDEST = 100, 120, 140  # columns with which there is more to tell
_MISSED_LEAST = ("drop", "seats", "rules", "limits")  # columns, where there is no room
_SHORT = 8  # what is left of a long name of the house

Told = tuple[BoardRow | None, list[Text]]  # the table that lines are of; None: they are of all


def head(seen: Seen, width: int) -> Text:
    """Whose pit it is and when, and what it comes to."""
    rest = "".join(f" · {each}" for each in head_words(seen, wide=width >= WIDE))
    house = Text(f" {seen.house}", "bold")
    house.truncate(max(width - cell_len(rest), _SHORT), overflow="ellipsis")
    return cut(house.append(rest, "not bold"), width)


def fold_lines(fold: list[Alert], seen: Seen, width: int, names: int) -> list[Text]:
    """One line, or two where there is no room for the reason, with the name of the newest."""
    newest = fold[0]
    mark = (" !", MARK) if newest.presses else "  "
    place = f" {moment_words(newest.at, seen.at):>5} {where(newest):<9} "
    across = min(width, WIDER)
    indent = 2 + cell_len(place)
    said, rest = _split(fold_words(fold, seen), across - indent - names - 2)
    first = Text.assemble(mark, place, said)
    first.truncate(across - names - 2, overflow="ellipsis", pad=True)
    style = "bold" if newest.acknowledgeable else "dim"
    first.append(f"  {fold_name(fold):>{names}}", style)
    return [first, cut(Text(" " * indent + rest), across)] if rest else [first]


def _split(words: str, room: int) -> tuple[str, str]:
    """As many whole words as there is room for, and the others."""
    said, rest = "", words.split(" ")
    while rest and cell_len(f"{said} {rest[0]}".strip()) <= room:
        said = f"{said} {rest.pop(0)}".strip()
    return said, " ".join(rest)


def table_lines(seen: Seen, width: int) -> Iterator[Told]:
    """The titles, then a line a table under them, and below it why it needs a person."""
    if not seen.tables:
        yield None, [Text(f" {seen.only or 'No table'} is {'not ' if seen.only else ''}open.")]
        return
    columns = _fitting(_columns(seen, width), width)
    titles = "  ".join(each.fitted(each.title) for each in columns)
    yield None, [cut(Text(f" {titles.rstrip()}", "bold"), width)]
    pressing = {each.table for each in seen.alerts if each.presses}
    for n, table in enumerate(seen.tables):
        line = Text.assemble(("!", MARK) if table.table in pressing else " ")
        for each in columns:
            line.append(each.fitted(each.cells[n]), each.styles[n]).append("  ")
        line.rstrip()
        why = note(table)
        below = [cut(Text(f"   ! {why}", ALARM), width)] if why else []
        yield table, [cut(line, width), *below]


class _Column(Struct, frozen=True):
    """Cells below a title."""

    title: str
    cells: list[str]
    right: bool
    styles: tuple[str, ...]

    @property
    def width(self) -> int:
        return max(map(cell_len, (self.title, *self.cells)))

    def fitted(self, text: str) -> str:
        blank = " " * (self.width - cell_len(text))
        return blank + text if self.right else text + blank


def _fitting(columns: list[_Column], width: int) -> list[_Column]:
    """As many as fit, without those that are missed least."""
    for title in _MISSED_LEAST:
        if sum(each.width + 2 for each in columns) - 1 > width:
            columns = [each for each in columns if each.title != title]
    return columns


def _columns(seen: Seen, width: int) -> list[_Column]:
    """What 80 columns have room for, and more where there is more."""
    return [
        _Column(
            kind.title,
            kind.cells(seen),
            kind.right,
            tuple(kind.style(each, seen) for each in seen.tables),
        )
        for kind in _KINDS
        if kind.least <= width < kind.below
    ]


def _each(cell: Callable[[BoardRow], str]) -> Callable[[Seen], list[str]]:
    return lambda seen: [cell(table) for table in seen.tables]


def _sign_style(table: BoardRow, _: Seen) -> str:
    return "green" if table.win > 0 else "red" if table.win < 0 else ""


def _idle_style(table: BoardRow, seen: Seen) -> str:
    idle = {each.table for each in seen.alerts if each.kind == "no coup"}
    return ALARM if table.table in idle else ""


def _people(table: BoardRow) -> str:
    return f"{table.dealer or '·'} · {table.supervisor or '·'}"


def _wins(seen: Seen) -> list[str]:
    return show.whole([each.win for each in seen.tables], seen.currency, signed=True)


def _next(*, rule: bool) -> Callable[[BoardRow], str]:
    return lambda table: next_words(table.due, rule=rule)


def _next_style(table: BoardRow, _: Seen) -> str:
    return show.STYLES.get((table.due and table.due.hand) or "", "")


class _Kind(Struct, frozen=True):
    """A column of the board, on screens of `least` or more columns, but fewer than `below`."""

    title: str
    cells: Callable[[Seen], list[str]]
    style: Callable[[BoardRow, Seen], str] = lambda table, seen: ""
    right: bool = True
    least: int = 0
    below: int = sys.maxsize


_KINDS = (
    _Kind("table", _each(lambda table: table.table), right=False),
    _Kind("rules", _each(lambda table: table.rules), right=False, least=WIDER),
    _Kind(
        "limits",
        lambda seen: [limits_words(each, seen.currency) for each in seen.tables],
        least=WIDE,
    ),
    _Kind("seats", _each(lambda table: f"{table.seats.taken}/{table.seats.total}")),
    _Kind("coup", _each(coup_words), below=WIDEST),
    _Kind("shoe/coup", _each(coup_words), least=WIDEST),
    _Kind("left  ", _each(left_words), lambda table, _: ALARM if table.nears_cut_card else ""),
    _Kind("h/h", _each(lambda table: number(table.hands_per_hour)), below=WIDEST),
    _Kind("hands/h", _each(lambda table: number(table.hands_per_hour)), least=WIDEST),
    _Kind("idle", _each(lambda table: number(table.idle_minutes)), _idle_style),
    _Kind("drop", lambda seen: show.whole([each.drop for each in seen.tables], seen.currency)),
    _Kind("win", _wins, _sign_style, below=WIDE),
    _Kind("win est.", _wins, _sign_style, least=WIDE),
    _Kind(
        "owed  ",
        lambda seen: owed_words(seen.tables, seen.currency),
        lambda table, _: ALARM if table.must_collect else "",
    ),
    _Kind(
        "dealer",
        _each(lambda table: table.dealer or "·"),
        right=False,
        least=WIDE,
        below=WIDEST,
    ),
    _Kind("dealer · superv.", _each(_people), right=False, least=WIDEST),
    _Kind("next", _each(_next(rule=False)), _next_style, right=False, below=WIDEST),
    _Kind("next", _each(_next(rule=True)), _next_style, right=False, least=WIDEST),
)
