"""The page of the whole pit: the tables, the most urgent first, and below them the alerts."""

from collections.abc import Sequence
from typing import ClassVar

from rich.cells import cell_len
from rich.text import Text

from ops.board.folds import fold_name, past_words
from ops.board.lines import fold_lines, table_lines
from ops.board.rows import Alert
from ops.kit.colours import ALARM, LABEL
from ops.kit.key_bar import Hint
from ops.kit.lines import cut, padded
from ops.terminal.pit.sheet import listed, titled
from ops.terminal.pit.sight import Sight, needs_a_person, table_haystack
from ops.terminal.pit.table_view import TableView
from ops.terminal.pit.view import View
from ops.words import board as words
from ops.words.language import _

PANEL = 8  # lines for alerts at most
LEAST = 5  # lines of the list that always remain


class PitView(View):
    """The board."""

    crumb = "Pit"
    hints: ClassVar[tuple[Hint, ...]] = (
        *(Hint("Enter", "table"), Hint("a", "alerts"), Hint("c", "commission", "comm")),
        *(Hint("/", "filter"), Hint("!", "needs a person", "needs")),
    )
    listed = "tables"

    def keys(self, sight: Sight) -> Sequence[str]:
        """The tables."""
        return [
            each.table
            for each in sight.seen.tables
            if self.sieve.lets(table_haystack(each, sight), needs=needs_a_person(each, sight))
        ]

    def into(self, sight: Sight) -> View | None:
        """The page of the selected table."""
        code = self.selected(sight)
        return TableView(code, sight) if code else None

    def draw(self, sight: Sight, width: int, height: int) -> list[Text]:
        """Tables, alerts, and what is owed."""
        drawn = list(table_lines(sight.seen, width - 1))
        titles = [_in(line) for row, lines in drawn if row is None for line in lines]
        of_table = {row.table: [_in(line) for line in lines] for row, lines in drawn if row}
        keys = self.keys(sight)
        if of_table and not keys:
            titles = [Text(f"  {self.empty}", LABEL)]
        room = height - len(titles) - 1  # the last line is for the commission owed
        wanted = sum(len(of_table[key]) for key in keys)
        most = min(wanted, max(room - PANEL, LEAST))
        tables = listed(keys, self.selected(sight), of_table.__getitem__, most)
        hidden = wanted - len(tables)
        more = Text(f"    {words.more_lines(hidden)}" if hidden else "", LABEL)
        folds = [each for each in sight.folds if self._shows(each, keys, sight)]
        panel = _panel(folds, sight, width, room - len(tables) - 1)
        return [*padded([*titles, *tables, more, *panel], height - 1), _owed(sight, width)]

    def _shows(self, fold: list[Alert], keys: Sequence[str], sight: Sight) -> bool:
        """Whether to show the alert: of a table that is shown, and not of a closed day."""
        if fold[0].past:
            return False
        return not self.sieve or fold[0].table in keys


def _in(line: Text) -> Text:
    """The line, with a cell in front for the pointer."""
    return Text(" ") + line


def _panel(folds: list[list[Alert]], sight: Sight, width: int, room: int) -> list[Text]:
    """The lines of the alerts that fit, the most urgent first."""
    past = [each for each in sight.alerts if each.past]
    pressing = sum(fold[0].presses for fold in folds)
    lines = [titled(_("Alerts"), width, words.how_many_alerts(pressing, len(folds)))]
    names = max((cell_len(fold_name(fold)) for fold in folds[:room]), default=0)
    below = [cut(Text(f"    {past_words(past)}", LABEL), width)] if past else []
    for n, fold in enumerate(folds):
        more = [cut(Text(f"    {words.more_alerts(len(folds) - n)}", LABEL), width)]
        some = [_in(line) for line in fold_lines(fold, sight.seen, width - 1, names)]
        rest = more if n + 1 < len(folds) else []
        if len(lines) + len(some) + len(rest) + len(below) > room:
            lines += more
            break
        lines += some
    return [*lines, *below][: max(room, 0)]


def _owed(sight: Sight, width: int) -> Text:
    """The commission owed at all tables, and the part that must be collected now."""
    tables, currency = sight.seen.tables, sight.seen.currency
    owed = sum(each.owed for each in tables)
    owing = sum(each.owing for each in tables)
    line = Text(f"   {words.owed_in_all(owed, owing, currency)}", "" if owed else LABEL)
    now = [each for each in tables if each.must_collect]
    if now:
        part = sum(each.owed for each in now)
        where = [each.table for each in now]
        line.append(f"   ! {words.collect_now(part, where, currency)}", ALARM)
    return cut(line, width)
