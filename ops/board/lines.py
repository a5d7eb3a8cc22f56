"""The board's lines on a terminal: its head, an alert, a table, as wide as the screen.

The board is made of these. Widths are cells: a Chinese letter is two
wide.
"""

import sys
from collections.abc import Callable, Iterator
from unicodedata import category

from msgspec import Struct
from rich.cells import cell_len
from rich.text import Text

from domain.aggregates.due import NextAct
from ops.board.folds import fold_name, fold_words, when
from ops.board.rows import Alert, BoardRow, Due, Seen
from ops.kit.colours import ALARM, LABEL
from ops.kit.lines import cut
from ops.words import board as words
from ops.words import show
from ops.words.language import amount, shown
from projections.attention.alerts import TOO_FAST, TOO_SLOW
from projections.attention.passing import OF_A_TRAY

MARK = "bold red"
WIDE, WIDER, WIDEST = 100, 120, 140  # widths from which there are more columns
# The columns that go below the table if room is short, in this order.
_BELOW_FIRST = ("tray", "seats", "rules", "limits", "dealer", "drop", "idle", "hands", "win")
_NO_LINE = {"tray"}  # alone it is not worth a line that pushes tables and alerts off a screen
_SHORT = 8  # cells for the beginning of a long house name

TableLines = tuple[BoardRow | None, list[Text]]  # the table, or None for the titles


def head(seen: Seen, width: int) -> Text:
    """The house, the time, and the totals."""
    parts = words.head_parts(
        seen.at,
        seen.day,
        tables=(len(seen.open_tables), len(seen.placed)),
        only=seen.only,
        patrons=sum(each.patrons for each in seen.tables),
        win=sum(each.win for each in seen.tables),
        estimated=seen.win_estimated,
        currency=seen.currency,
        wide=width >= WIDE,
    )
    rest = "".join(f" · {each}" for each in parts)
    house = Text(f" {seen.house}", "bold")
    house.truncate(max(width - cell_len(rest), _SHORT), overflow="ellipsis")
    return cut(house.append(rest, "not bold"), width)


def verified_line(seen: Seen) -> list[Text]:
    """How far the record is verified in the present round, on one line, once a round began.

    On a standby first how far it is counted.
    """
    counted = [Text(f" {shown(seen.counted.words)}")] if seen.counted else []
    if not (verified := seen.verified):
        return counted
    ended = verified.finished_at and verified.finished_at.astimezone(seen.at.tzinfo)
    line = Text(f" {words.verified(verified.position, verified.head, ended)}", "dim")
    return [*counted, line]


def meters_lines(seen: Seen, width: int) -> list[Text]:
    """What is in each meter, on as few lines as they fit."""
    inside = [f"{shown(each.name)}: {amount(each.amount, seen.currency)}" for each in seen.meters]
    text = f"{shown(words.METERS)}  {' · '.join(inside)}"
    return [Text(f" {each}") for each in _broken(text, width - 1, width - 1)] if inside else []


def fold_lines(fold: list[Alert], seen: Seen, width: int, names: int) -> list[Text]:
    """One line with the name of the newest; the reason goes below if room is short."""
    newest = fold[0]
    mark = (" !", MARK) if newest.presses else "  "
    place = f" {_right(when(newest, seen.at), 5)} {_left(newest.where, 9)} "
    across = min(width, WIDEST)
    indent = 2 + cell_len(place)
    first, *rest = _broken(fold_words(fold, seen), across - indent - names - 2, across - indent)
    line = Text.assemble(mark, place, first)
    line.truncate(across - names - 2, overflow="ellipsis", pad=True)
    style = "bold" if newest.acknowledgeable else "dim"
    line.append(f"  {_right(fold_name(fold), names)}", style)
    return [line, *(Text(" " * indent + each) for each in rest)]


def _broken(text: str, first: int, others: int) -> list[str]:
    """Lines of whole words, the first one `first` cells wide; wide letters are words by themselves.

    >>> _broken("No coup for 23 minutes.", 12, 30)
    ['No coup for', '23 minutes.']
    >>> _broken("已有23分鐘沒有開局。", 8, 12)
    ['已有23分', '鐘沒有開局。']
    """
    lines = [""]
    for piece in _pieces(text):
        room = first if len(lines) == 1 else others
        if cell_len((lines[-1] + piece).rstrip()) > room and (lines[-1] or len(lines) == 1):
            lines[-1] = lines[-1].rstrip()
            lines.append(piece.lstrip())
        else:
            lines[-1] += piece
    return lines


def _pieces(text: str) -> Iterator[str]:
    """The unbreakable parts: a word with the blank behind it, or a wide letter with its stop."""
    piece = ""
    for letter in text:
        wide = cell_len(letter) == 2
        stop = category(letter) in ("Po", "Pe", "Pf")
        breaks = piece.endswith(" ") or ((wide or cell_len(piece[-1:]) == 2) and not stop)
        if piece and breaks and letter != " ":
            yield piece
            piece = ""
        piece += letter
    yield piece


def table_lines(seen: Seen, width: int) -> Iterator[TableLines]:
    """The titles, then a line for each table, and below it why the table needs a person.

    A closed table is grey, and has the word where others have what is due.
    """
    if not seen.tables:
        yield None, [cut(Text(f" {words.not_open(seen.only)}"), width)]
        return
    columns, below = _fitting(_columns(seen, width), width)
    titles = "  ".join(each.fitted(each.title) for each in columns)
    yield None, [cut(Text(f" {titles.rstrip()}", "bold"), width)]
    pressing = {each.table for each in seen.alerts if each.presses}
    for n, table in enumerate(seen.tables):
        line = Text.assemble(("!", MARK) if table.table in pressing else " ")
        for each in columns:
            style = each.styles[n] if table.open else LABEL
            line.append(each.fitted(each.cells[n]), style).append("  ")
        line.rstrip()
        aside = " · ".join(f"{each.title} {each.cells[n]}" for each in below if each.counts(n))
        style = "" if table.open else LABEL
        why = _under(f"! {note(table)}", ALARM, width) if note(table) else []
        yield table, [line, *_under(aside, style, width), *why]


def _under(text: str, style: str, width: int) -> list[Text]:
    """Lines below a table."""
    some = _broken(text, width - 3, width - 3) if text else []
    return [Text(f"   {each}", style) for each in some]


def note(table: BoardRow) -> str:
    """The words for why the table needs a person soon; alerts have their own lines."""
    return words.reasons(
        table.held_by,
        near_cut_card=table.nears_cut_card,
        coups_to_cut_card=table.coups_to_cut_card,
        last_coup=table.last_coup_of_shoe,
        owing=table.owing,
    )


class _Column(Struct, frozen=True):
    """The cells below a title."""

    name: str
    title: str
    cells: list[str]
    right: bool
    styles: tuple[str, ...]

    @property
    def width(self) -> int:
        return max(map(cell_len, (self.title, *self.cells)))

    def fitted(self, text: str) -> str:
        return _right(text, self.width) if self.right else _left(text, self.width)

    def counts(self, n: int) -> bool:
        """Whether the cell has a value that is known and not 0."""
        return self.cells[n].strip() not in ("0", words.UNKNOWN)


def _left(text: str, width: int) -> str:
    return text + " " * (width - cell_len(text))


def _right(text: str, width: int) -> str:
    return " " * (width - cell_len(text)) + text


def _fitting(columns: list[_Column], width: int) -> tuple[list[_Column], list[_Column]]:
    """The columns that fit, and those whose values go below each table.

    Columns without any value are left out first. A value alone that is in `_NO_LINE` is left out.
    """
    below: list[_Column] = []
    all_rows = range(len(columns[0].cells))
    empty = [each.name for each in columns if not any(map(each.counts, all_rows))]
    for name in (*(each for each in empty if each in _BELOW_FIRST), *_BELOW_FIRST):
        if sum(each.width + 2 for each in columns) - 1 <= width:
            break
        below += [each for each in columns if each.name == name]
        columns = [each for each in columns if each.name != name]
    return columns, [] if {each.name for each in below} <= _NO_LINE else below


def _columns(seen: Seen, width: int) -> list[_Column]:
    """The columns for a screen of this width."""
    return [
        _Column(
            kind.name,
            shown(kind.title) + " " * kind.beyond,
            kind.cells(seen),
            kind.right,
            tuple(kind.style(each, seen) for each in seen.tables),
        )
        for kind in _KINDS
        if kind.least <= width < kind.below
    ]


def _each(cell: Callable[[BoardRow], str]) -> Callable[[Seen], list[str]]:
    return lambda seen: [cell(table) for table in seen.tables]


def coup_number(table: BoardRow) -> str:
    """The shoe and the coup as numbers."""
    if not table.shoe:
        return words.UNKNOWN
    shoe = table.shoe.rpartition("/")[2]
    return f"{shoe}/{table.coup.rpartition('/')[2] if table.coup else words.UNKNOWN}"


def _cards_left(table: BoardRow) -> str:
    """The cards left in the shoe, with a mark near its end."""
    if table.cards_left is None:
        return f"{words.UNKNOWN}  "
    return f"{table.cards_left} {'!' if table.nears_cut_card else ' '}"


def limits_of_main_bets(table: BoardRow, currency: str) -> str:
    """The limits of the main bets: `25–10,000`."""
    return shown(show.span(table.limits["main"], currency))


def _owed(seen: Seen) -> list[str]:
    """The amounts that the tables owe, with a mark if they must be collected now."""
    return [
        f"{amount(each.owed, seen.currency) if each.owed else words.UNKNOWN}"
        f" {'!' if each.must_collect else ' '}"
        for each in seen.tables
    ]


def _sign_style(table: BoardRow, _: Seen) -> str:
    return "green" if table.win > 0 else "red" if table.win < 0 else ""


def _idle_style(table: BoardRow, seen: Seen) -> str:
    idle = {each.table for each in seen.alerts if each.kind == "no coup"}
    return ALARM if table.table in idle else ""


def _pace_style(table: BoardRow, seen: Seen) -> str:
    another = {each.table for each in seen.alerts if each.kind in (TOO_SLOW, TOO_FAST)}
    return ALARM if table.table in another else ""


def _people(table: BoardRow) -> str:
    return f"{table.dealer or words.UNKNOWN} · {table.supervisor or words.UNKNOWN}"


def _wins(seen: Seen) -> list[str]:
    return show.whole([each.win for each in seen.tables], seen.currency, signed=True)


def _drops(seen: Seen) -> list[str]:
    return show.whole([each.drop for each in seen.tables], seen.currency)


def _trays(seen: Seen) -> list[str]:
    """What each open table's tray should hold."""
    known = show.whole([each.tray or 0 for each in seen.tables], seen.currency)
    return [
        words.UNKNOWN if table.tray is None else text
        for table, text in zip(seen.tables, known, strict=True)
    ]


def _tray_style(table: BoardRow, seen: Seen) -> str:
    short = {each.table for each in seen.alerts if each.kind in OF_A_TRAY}
    return ALARM if table.table in short else ""


def what_is_due(due: Due | NextAct | None, *, rule: bool) -> str:
    """The words for the command that is due, with its rule if `rule`."""
    if due is None:
        return words.UNKNOWN
    text = words.due_words(due.action, due.hand)
    return f"{text} {due.rule}" if rule else text


def _next(*, rule: bool) -> Callable[[BoardRow], str]:
    return lambda table: what_is_due(table.due, rule=rule) if table.open else words.closed_word()


def _next_style(table: BoardRow, _: Seen) -> str:
    return show.STYLES.get((table.due and table.due.hand) or "", "")


class _Kind(Struct, frozen=True):
    """A column of the board, on screens of `least` or more cells, but fewer than `below`."""

    name: str
    title: str
    cells: Callable[[Seen], list[str]]
    style: Callable[[BoardRow, Seen], str] = lambda table, seen: ""
    right: bool = True
    least: int = 0
    below: int = sys.maxsize
    beyond: int = 0  # cells for a mark behind the value


_KINDS = (
    _Kind("table", words.TABLE, _each(lambda table: table.table), right=False),
    _Kind("rules", words.RULES, _each(lambda table: table.rules), right=False, least=WIDER),
    _Kind(
        "limits",
        words.LIMITS,
        lambda seen: [limits_of_main_bets(each, seen.currency) for each in seen.tables],
        least=WIDE,
    ),
    _Kind("seats", words.SEATS, _each(lambda table: f"{table.seats.taken}/{table.seats.total}")),
    _Kind("coup", words.COUP, _each(coup_number), below=WIDEST),
    _Kind("coup", words.SHOE_AND_COUP, _each(coup_number), least=WIDEST),
    _Kind(
        "left",
        words.LEFT,
        _each(_cards_left),
        lambda table, _: ALARM if table.nears_cut_card else "",
        beyond=2,
    ),
    _Kind(
        "hands",
        words.HANDS,
        _each(lambda table: words.count_or_dot(table.hands_per_hour)),
        _pace_style,
        below=WIDEST,
    ),
    _Kind(
        "hands",
        words.HANDS_AN_HOUR,
        _each(lambda table: words.count_or_dot(table.hands_per_hour)),
        _pace_style,
        least=WIDEST,
    ),
    _Kind(
        "idle",
        words.IDLE,
        _each(lambda table: words.count_or_dot(table.idle_minutes)),
        _idle_style,
    ),
    _Kind("drop", words.DROP, _drops),
    _Kind("win", words.WIN, _wins, _sign_style, below=WIDE),
    _Kind("win", words.WIN_ESTIMATED, _wins, _sign_style, least=WIDE),
    _Kind("tray", words.TRAY, _trays, _tray_style),
    _Kind(
        "owed",
        words.OWED,
        _owed,
        lambda table, _: ALARM if table.must_collect else "",
        beyond=2,
    ),
    _Kind(
        "dealer",
        words.DEALER,
        _each(lambda table: table.dealer or words.UNKNOWN),
        right=False,
        least=WIDE,
        below=WIDEST,
    ),
    _Kind("dealer", words.PEOPLE, _each(_people), right=False, least=WIDEST),
    _Kind("next", words.NEXT, _each(_next(rule=False)), _next_style, right=False, below=WIDEST),
    _Kind("next", words.NEXT, _each(_next(rule=True)), _next_style, right=False, least=WIDEST),
)
