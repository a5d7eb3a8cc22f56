"""What the keys do."""

from collections.abc import Iterable

from rich.text import Text

from ops.kit.colours import ALARM, LABEL
from ops.kit.lines import cut, explained, padded
from ops.terminal.pit.sheet import titled
from ops.terminal.pit.sight import Sight
from ops.terminal.pit.view import View

KEYS = (
    ("↑ ↓  k j", "a line up, a line down; PgUp PgDn ten, Home End first and last"),
    ("Enter", "into what is selected: table, shoe, coup; an alert: acknowledge it"),
    ("Esc  ←", "back; where a filter is set, first shows all again"),
    ("a", "the alerts, of the table one is at, or of all"),
    ("c", "who owes commission, and what must be collected now"),
    ("o", "of an alert: the coup at which it was raised"),
    ("/", "shows what has all these words: table, patron, dealer, kind, rules"),
    ("!", "only what needs a person; again shows all"),
    ("[ ]", "in a coup: the one before, the one after"),
    ("r", "reads the page again"),
    ("F1 ?", "this page; again back"),
    ("F10 q", "leave"),
)
MARKS = (
    ("!", "needs a person; of an alert: it presses"),
    ("+", "stands for older alerts of its kind at its coup too"),
    ("cut in 9", "of a shoe: the cut card shows in about nine coups"),
    ("·", "nothing, or not known"),
)


BEFORE, WIDEST = 11, 100  # cells of the keys, and of all of it


class HelpView(View):
    """Of the whole terminal."""

    crumb = "help"
    follows = False

    def draw(self, sight: Sight, width: int, height: int) -> list[Text]:
        """The keys, the marks, and who looks."""
        barred = sight.looker.barred
        lines = [
            titled("Keys", width),
            *_explained(KEYS, width),
            titled("Marks", width),
            *_explained(MARKS, width),
        ]
        only = "Nothing is recorded here but that an alert is in hand."
        last = Text(f"  READ ONLY: {barred}", ALARM) if barred else Text(f"  {only}", LABEL)
        return padded([cut(line, width) for line in (*lines, Text(), last)], height)


def _explained(told: Iterable[tuple[str, str]], width: int) -> list[Text]:
    return [Text("  ") + line for line in explained(told, BEFORE, min(width - 2, WIDEST))]
