"""The page of keys and marks."""

from collections.abc import Iterable

from rich.text import Text

from ops.kit.colours import ALARM, LABEL
from ops.kit.lines import cut, explained, padded
from ops.terminal.pit.sheet import titled
from ops.terminal.pit.sight import Sight
from ops.terminal.pit.view import View

KEYS = (
    ("↑ ↓  k j", "a line up, a line down; PgUp PgDn ten, Home End first and last"),
    ("Enter", "opens the selected table, shoe or coup; acknowledges an alert"),
    ("Esc  ←", "back; if a filter is set, shows all lines first"),
    ("a", "the alerts of this table, or of all tables"),
    ("c", "who owes commission, and what to collect now"),
    ("o", "the coup of the selected alert"),
    ("/", "shows the lines with all these words: table, patron, dealer, kind"),
    ("!", "shows only what needs a person; again shows all"),
    ("[ ]", "the coup before, the coup after"),
    ("r", "reads the page again"),
    ("F1 ?", "opens this page, or closes it"),
    ("F10 q", "leave"),
)
MARKS = (
    ("!", "needs a person; an alert with it is urgent"),
    ("+", "older alerts of the same kind at the same coup are in this line too"),
    ("cut in 9", "the cut card shows in about 9 coups"),
    ("·", "nothing, or not known"),
)


BEFORE, WIDEST = 11, 100  # cells of the keys, and of the whole page


class HelpView(View):
    """The help of the whole terminal."""

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
        only = "This terminal records only that you acknowledge an alert."
        last = Text(f"  READ ONLY: {barred}", ALARM) if barred else Text(f"  {only}", LABEL)
        return padded([cut(line, width) for line in (*lines, Text(), last)], height)


def _explained(pairs: Iterable[tuple[str, str]], width: int) -> list[Text]:
    return [Text("  ") + line for line in explained(pairs, BEFORE, min(width - 2, WIDEST))]
