"""The page of unpaid commission, by table and patron: first the tables whose cut card shows."""

from collections.abc import Sequence
from datetime import datetime
from typing import ClassVar

from rich.cells import cell_len
from rich.text import Text

from domain.rules.money import major
from ops.board.rows import BoardRow
from ops.kit.colours import ALARM, LABEL, TITLE
from ops.kit.key_bar import Hint
from ops.kit.lines import cut, ends, padded, ruled
from ops.now.books import Books, Debt
from ops.terminal.pit.sheet import listed
from ops.terminal.pit.sight import Sight
from ops.terminal.pit.table_view import TableView
from ops.terminal.pit.view import READING, View
from ops.words.show import count

MOST = 100  # cells across; a wider line is hard to follow


class CommissionView(View):
    """The commission owed in the whole pit, or at one table."""

    crumb = "commission"
    hints: ClassVar[tuple[Hint, ...]] = (
        *(Hint("Enter", "table"), Hint("/", "filter"), Hint("!", "to collect now")),
    )
    reads = True
    listed = "patrons who owe"
    book: Sequence[Debt] | None

    def __init__(self, table: str | None = None) -> None:
        super().__init__()
        self.table = table

    def read(self, books: Books, sight: Sight) -> list[Debt]:
        """The debts of all stays."""
        return books.debts(sight.seen)

    def _debts(self, sight: Sight) -> dict[str, Debt]:
        """The debts that are shown, in their order, by stay."""
        tables = {each.table: each for each in sight.seen.tables}
        debts = [
            each
            for each in self.book or ()
            if self.table in (None, each.table) and each.table in tables
        ]
        order = list(tables)
        debts.sort(key=lambda each: (*_urgency(tables[each.table]), order.index(each.table)))
        return {
            each.stay: each
            for each in debts
            if self.sieve.lets(
                _haystack(each, tables[each.table]), needs=tables[each.table].must_collect
            )
        }

    def keys(self, sight: Sight) -> Sequence[str]:
        """The stays."""
        return list(self._debts(sight))

    def into(self, sight: Sight) -> View | None:
        """The page of the debt's table."""
        stay = self.selected(sight)
        return TableView(self._debts(sight)[stay].table, sight) if stay else None

    def draw(self, sight: Sight, width: int, height: int) -> list[Text]:
        """A title for each table, a line for each patron, and the sum."""
        if self.book is None:
            return padded([Text(), Text(f"  {self.why or READING}", LABEL)], height)
        debts = self._debts(sight)
        if not debts:
            return padded([Text(), Text(f"  {self.empty}", LABEL)], height)
        across, currency = min(width, MOST), sight.seen.currency
        amounts = {stay: major(each.owed, currency) for stay, each in debts.items()}
        widest = max(map(len, amounts.values()))
        names = max(cell_len(each.patron) for each in debts.values())
        firsts = _firsts(debts)

        def lines_of(stay: str) -> list[Text]:
            debt = debts[stay]
            blank = " " * (names - cell_len(debt.patron))
            line = Text(f"    {debt.patron}{blank}  {amounts[stay]:>{widest}}")
            line.append(f"   since shoe {debt.since_shoe}{_since(debt, sight)}", LABEL)
            return [cut(line, across)]

        def titles_of(stay: str) -> list[Text]:
            table = debts[stay].table
            return [_table_title(sight, table, debts, across)] if stay in firsts else []

        keys = list(debts)
        some = listed(keys, self.selected(sight), lines_of, height - 2, titles_of)
        total = major(sum(each.owed for each in debts.values()), currency)
        patrons = count(len(debts), "patron")
        last = ends(
            Text(f"  In all, {patrons}", TITLE), Text(f"{total} {currency} ", TITLE), across
        )
        return [*padded(some, height - 2), ruled(Text(), across), last]


def _urgency(table: BoardRow) -> tuple[bool, bool]:
    """The sort key: tables whose cut card shows come first, then those where it is near."""
    return not table.cut_card_shown, not table.must_collect


def _firsts(debts: dict[str, Debt]) -> set[str]:
    """The first stay of each table."""
    firsts: dict[str, str] = {}
    for stay, debt in debts.items():
        firsts.setdefault(debt.table, stay)
    return set(firsts.values())


def _table_title(sight: Sight, code: str, debts: dict[str, Debt], width: int) -> Text:
    table = sight.table(code)
    assert table is not None
    owed = major(
        sum(each.owed for each in debts.values() if each.table == code), sight.seen.currency
    )
    if table.cut_card_shown:
        why = ("! collect now: the cut card shows", ALARM)
    elif table.must_collect:
        why = (f"! soon: cut card in about {count(table.coups_to_cut_card or 0, 'coup')}", ALARM)
    else:
        why = ("at the end of the shoe", LABEL)
    return ends(Text.assemble("  ", (code, TITLE), "  ", why), Text(f"{owed} ", TITLE), width)


def _since(debt: Debt, sight: Sight) -> str:
    if debt.since is None:
        return ""
    return f", {datetime.fromisoformat(debt.since).astimezone(sight.seen.at.tzinfo):%H:%M}"


def _haystack(debt: Debt, table: BoardRow) -> str:
    people = table.dealer, table.supervisor
    return " ".join(filter(None, (debt.patron, debt.table, table.rules, *people)))
