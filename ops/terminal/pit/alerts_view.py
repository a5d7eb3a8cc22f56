"""The page of all alerts, the most urgent first; Enter acknowledges one."""

from collections.abc import Sequence
from typing import ClassVar

from rich.cells import cell_len
from rich.text import Text

from ops.board.folds import fold_name, fold_words, past_words
from ops.board.lines import fold_lines
from ops.board.rows import Alert
from ops.kit.colours import LABEL
from ops.kit.key_bar import Hint
from ops.kit.lines import cut, padded
from ops.terminal.pit.sheet import listed, titled
from ops.terminal.pit.sight import Sight, matters
from ops.terminal.pit.view import View
from ops.words.alerts import kind_name
from ops.words.language import _, number


class AlertsView(View):
    """The alerts of the whole pit, or of one table."""

    crumb = "alerts"
    hints: ClassVar[tuple[Hint, ...]] = (
        *(Hint("Enter", "acknowledge"), Hint("o", "its coup", "coup"), Hint("/", "filter")),
        Hint("!", "needs a person", "needs"),
    )
    listed = "alerts"

    def __init__(self, table: str | None = None) -> None:
        super().__init__()
        self.table = table

    def keys(self, sight: Sight) -> Sequence[str]:
        """The names for acknowledging the alerts."""
        return [
            fold_name(fold)
            for fold in sight.folds_of(self.table)
            if self.sieve.lets(_haystack(fold, sight), needs=matters(fold))
        ]

    def fold(self, sight: Sight, name: str) -> list[Alert] | None:
        """The alerts of that name, or None if they are gone."""
        return next((each for each in sight.folds if fold_name(each) == name), None)

    def draw(self, sight: Sight, width: int, height: int) -> list[Text]:
        """The lines of the alerts."""
        keys = self.keys(sight)
        of_name = {fold_name(fold): fold for fold in sight.folds_of(self.table)}
        if not keys:
            return padded([Text(), Text(f"  {self.empty}", LABEL)], height)
        names = max(map(cell_len, keys))
        past = [each for fold in of_name.values() for each in fold if each.past]
        below = [cut(Text(f"   {past_words(past)}", LABEL), width)] if past else []

        def lines_of(name: str) -> list[Text]:
            lines = fold_lines(of_name[name], sight.seen, width - 1, names)
            return [Text(" ", LABEL if of_name[name][0].past else "") + each for each in lines]

        many = number(len(of_name))
        if len(keys) < len(of_name):
            many = _("{some} of {all}", some=number(len(keys)), all=many)
        title = titled(_("Alerts, the gravest first"), width, many)
        some = listed(keys, self.selected(sight), lines_of, height - 1 - len(below))
        return [*padded([title, *some], height - len(below)), *below]


def _haystack(fold: list[Alert], sight: Sight) -> str:
    """The words that the filter searches: those of the alert and of its table."""
    newest = fold[0]
    table = sight.table(newest.table or "")
    people = (table.dealer, table.supervisor, table.rules) if table else ()
    where = newest.table, newest.coup, (newest.detail or {}).get("patron")
    words = fold_words(fold, sight.seen)
    return " ".join(
        filter(None, (newest.kind, kind_name(newest.kind), fold_name(fold), words, *where, *people))
    )
