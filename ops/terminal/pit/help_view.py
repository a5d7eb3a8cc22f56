"""What the keys do."""

from rich.text import Text

from ops.terminal.pit.look import KEY, NEEDS, QUIET
from ops.terminal.pit.sheet import padded, titled
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
    ("? q", "this page; leave"),
)
MARKS = (
    ("!", "needs a person; of an alert: it presses"),
    ("+", "stands for older alerts of its kind at its coup too"),
    ("cut in 9", "of a shoe: the cut card shows in about nine coups"),
    ("·", "nothing, or not known"),
)


class HelpView(View):
    """Of the whole terminal."""

    crumb = "help"
    follows = False

    def draw(self, sight: Sight, width: int, height: int) -> list[Text]:
        """The keys, the marks, and who looks."""
        lines = [titled("Keys", width)]
        lines += [Text.assemble("  ", (f"{key:<11}", KEY), words) for key, words in KEYS]
        lines += [titled("Marks", width)]
        lines += [Text.assemble("  ", (f"{mark:<11}", NEEDS), words) for mark, words in MARKS]
        barred = sight.looker.barred
        if barred:
            lines += [Text(), Text(f"  READ ONLY: {barred}", NEEDS)]
        else:
            lines += [
                Text(),
                Text("  Nothing is recorded here but that an alert is in hand.", QUIET),
            ]
        for line in lines:
            line.truncate(width, overflow="ellipsis")
        return padded(lines, height)
