"""The board's lines as a terminal shows them: its head, an alert, a table, as wide as may be.

Both the board and the pit boss's terminal are made of them.
"""

from collections.abc import Iterator
from dataclasses import dataclass

from rich.cells import cell_len
from rich.text import Text

from ops.board.board import Row, Seen, nears_cut_card
from ops.board.words import (
    coup_words,
    fold_name,
    fold_words,
    head_words,
    left_words,
    limits_words,
    moment_words,
    must_collect,
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

Told = tuple[Row | None, list[Text]]  # the table that lines are of; None: they are of all


def head(seen: Seen, width: int) -> Text:
    """Whose pit it is and when, and what it comes to."""
    rest = "".join(f" · {each}" for each in head_words(seen, wide=width >= WIDE))
    house = Text(f" {seen.house}", "bold")
    house.truncate(max(width - cell_len(rest), _SHORT), overflow="ellipsis")
    return cut(house.append(rest, "not bold"), width)


def fold_lines(fold: list[Row], seen: Seen, width: int, names: int) -> list[Text]:
    """One line, or two where there is no room for the reason, with the name of the newest."""
    newest = fold[0]
    mark = (" !", MARK) if newest["gravity"] == "pressing" else "  "
    place = f" {moment_words(newest['at'], seen.at):>5} {where(newest):<9} "
    across = min(width, WIDER)
    indent = 2 + cell_len(place)
    said, rest = _split(fold_words(fold, seen), across - indent - names - 2)
    first = Text.assemble(mark, place, said)
    first.truncate(across - names - 2, overflow="ellipsis", pad=True)
    style = "bold" if newest["acknowledgeable"] else "dim"
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
    pressing = {each["table"] for each in seen.alerts if each["gravity"] == "pressing"}
    for n, table in enumerate(seen.tables):
        line = Text.assemble(("!", MARK) if table["table"] in pressing else " ")
        for each in columns:
            style = each.styles[n] if each.styles else ""
            line.append(each.fitted(each.cells[n]), style).append("  ")
        line.rstrip()
        why = note(table)
        below = [cut(Text(f"   ! {why}", ALARM), width)] if why else []
        yield table, [cut(line, width), *below]


@dataclass(frozen=True)
class _Column:
    """Cells below a title."""

    title: str
    cells: list[str]
    right: bool = True
    styles: tuple[str, ...] = ()

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
    tables, currency = seen.tables, seen.currency
    wide, wider, widest = (width >= least for least in (WIDE, WIDER, WIDEST))
    near = tuple(ALARM if nears_cut_card(each) else "" for each in tables)
    owing = tuple(ALARM if must_collect(each) else "" for each in tables)
    stand = {each["table"] for each in seen.alerts if each["kind"] == "no coup"}
    idle = tuple(ALARM if each["table"] in stand else "" for each in tables)
    wins = tuple(_sign_style(each["win"]) for each in tables)
    columns = [_Column("table", [each["table"] for each in tables], right=False)]
    if wider:
        columns.append(_Column("rules", [each["rules"] for each in tables], right=False))
    if wide:
        columns.append(_Column("limits", [limits_words(each, currency) for each in tables]))
    columns += [
        _Column("seats", [f"{each['seats']['taken']}/{each['seats']['total']}" for each in tables]),
        _Column("shoe/coup" if widest else "coup", [coup_words(each) for each in tables]),
        _Column("left  ", [left_words(each) for each in tables], styles=near),
        _Column(
            "hands/h" if widest else "h/h", [number(each["hands_per_hour"]) for each in tables]
        ),
        _Column("idle", [number(each["idle_minutes"]) for each in tables], styles=idle),
        _Column("drop", show.whole([each["drop"] for each in tables], currency)),
        _Column(
            "win est." if wide else "win",
            show.whole([each["win"] for each in tables], currency, signed=True),
            styles=wins,
        ),
        _Column("owed  ", owed_words(tables, currency), styles=owing),
    ]
    if widest:
        people = [f"{each['dealer'] or '·'} · {each['supervisor'] or '·'}" for each in tables]
        columns.append(_Column("dealer · superv.", people, right=False))
    elif wide:
        dealers = [each["dealer"] or "·" for each in tables]
        columns.append(_Column("dealer", dealers, right=False))
    due = [next_words(each["due"], rule=widest) for each in tables]
    return [*columns, _Column("next", due, right=False, styles=_next_styles(tables))]


def _sign_style(amount: int) -> str:
    return "green" if amount > 0 else "red" if amount < 0 else ""


def _next_styles(tables: list[Row]) -> tuple[str, ...]:
    return tuple(show.STYLES.get((each["due"] or {}).get("hand", ""), "") for each in tables)
