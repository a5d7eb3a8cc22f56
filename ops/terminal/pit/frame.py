"""The lines around every page: above it head and bar; below it outcome, input and keys."""

from collections.abc import Sequence

from rich.text import Text

from ops.board.lines import head
from ops.kit.colours import ALARM, LABEL, MARKS, NOTE, TITLE
from ops.kit.key_bar import Hint, foot
from ops.kit.lines import barred, cut, ends, joined, marked, padded, ruled, too_small
from ops.kit.outcome import Outcome
from ops.ledger.database import LedgerLost
from ops.terminal.pit.sight import Looker, Sight
from ops.terminal.pit.view import View
from ops.words.language import _, shown
from ops.words.show import lost_words

HEAD = 3  # lines, with the rule below
MOST_LINES = 4  # lines
READ_ONLY = "READ ONLY"
FILTER = "filter"  # the line is for the filter; any other word is the name of an alert
BACK = Hint("Esc", "back")
ALWAYS = (Hint("F1", "help"), Hint("F10", "leave"))


def head_lines(
    sight: Sight | None, lost: LedgerLost | None, views: Sequence[View], width: int, height: int
) -> list[Text]:
    """The pit, the page, who looks, and the filter."""
    first = head(sight.seen, width) if sight else Text(" Sabot", TITLE)
    return [first, _where(sight, views, width), _under(sight, lost, width, height)]


def _where(sight: Sight | None, views: Sequence[View], width: int) -> Text:
    view = views[-1]
    path = Text(" › ").join(Text(each.crumb) for each in views)
    path.stylize(TITLE, len(path) - len(view.crumb))
    looker = sight.looker if sight else Looker()
    aside = joined(
        (
            Text(str(view.sieve), ALARM),
            Text(view.place(sight) if sight else "", LABEL),
            Text(looker.staff, LABEL),
            Text(READ_ONLY if looker.barred else "", ALARM),
        )
    )
    return ends(Text(" ") + path, aside.append(" "), width)


def _under(sight: Sight | None, lost: LedgerLost | None, width: int, height: int) -> Text:
    """A rule; while the ledger is lost, a bar with that and the time of the page."""
    if lost is None:
        return cut(too_small(width, height, "the pit"), width) or ruled(Text(), width)
    then = f"The pit at {sight.seen.at:%H:%M:%S}." if sight else ""
    return barred(Text(f"! {shown(lost_words(lost.why))}"), width, then)


def waiting(lost: LedgerLost | None, height: int) -> list[Text]:
    """The lines before anything was read."""
    words = "Trying again every second." if lost else "Looking at the pit …"
    return padded([Text(), Text(f"  {words}", LABEL)], height)


def outcome_lines(outcome: Outcome | None, width: int) -> list[Text]:
    """The outcome of a command, with a mark."""
    if outcome is None:
        return []
    rule = f" ({outcome.rule})" if outcome.rule else ""
    mark = MARKS.get(outcome.kind, NOTE)
    words = f"{' '.join(outcome.words)}{rule}"
    lines = marked(mark, words, width - 2, TITLE if outcome.kind == "refused" else "")
    return [Text(" ").append_text(line) for line in lines[:MOST_LINES]]


def prompt(asking: str) -> Text:
    """The words before the line that is typed."""
    if asking == FILTER:
        return Text(" / ", ALARM)
    words = _("Acknowledge {alert}. A note, or only Enter:", alert=asking)
    return Text(f" {words} ", ALARM)


def foot_line(
    asking: str, hints: Sequence[Hint], width: int, *, barred: bool, leads_back: bool
) -> Text:
    """The keys of the page; while a line is typed, those that end it."""
    if asking:
        does = "shows only these" if asking == FILTER else "acknowledges"
        return foot((Hint("Enter", does), Hint("Esc", "cancels")), width)
    some = [each for each in hints if not (barred and each.label == "acknowledge")]
    return foot(some, width, (BACK, *ALWAYS) if leads_back else ALWAYS)
