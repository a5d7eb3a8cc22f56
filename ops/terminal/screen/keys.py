"""The keys at the foot of the screen: which there are, and which make sense now."""

from collections.abc import Callable
from dataclasses import dataclass

from rich.cells import cell_len
from rich.text import Text

from ops.terminal.due import shoe_line
from ops.terminal.screen.figures import fitted
from ops.terminal.screen.inks import LABEL
from ops.terminal.table_now import TableNow

SUPERVISOR = ("void ", "correct ", "waive ", "limits ")  # what F8 begins, one after the other


@dataclass(frozen=True, slots=True)
class Key:
    """One key: what it says or begins, and when that makes sense."""

    key: str
    label: str
    short: str
    sensible: Callable[[TableNow], bool]


def _always(_: TableNow) -> bool:
    return True


def _open(now: TableNow) -> bool:
    return not now.closed


def _betting(now: TableNow) -> bool:
    return bool(now.due and now.due.action in ("bet", "no-more-bets"))


def _due(*actions: str) -> Callable[[TableNow], bool]:
    return lambda now: bool(now.due and now.due.action in actions)


def _lies(now: TableNow) -> bool:
    return bool(now.coup and now.coup.phase == "betting" and now.coup.placed_last)


def _owed(now: TableNow) -> bool:
    return now.owed > 0


def _has_last(now: TableNow) -> bool:
    return _betting(now) and any(each.last for each in now.seats)


def _shoe(now: TableNow) -> bool:
    return shoe_line(now) is not None


def _shown(now: TableNow) -> bool:
    return bool(now.beads)


KEYS = (
    Key("F1", "help", "help", _always),
    Key("F2", "same bets", "same", _has_last),
    Key("F3", "no more bets", "no more", _due("no-more-bets")),
    Key("F4", "settle", "settle", _due("settle")),
    Key("F5", "take back", "back", _lies),
    Key("F6", "commission", "comm", _owed),
    Key("F7", "shoe", "shoe", _shoe),
    Key("F8", "supervisor", "superv", _open),
    Key("F9", "roads", "roads", _shown),
    Key("F10", "leave", "leave", _always),
)


def keys(now: TableNow, width: int) -> Text:
    """All of them in one line; those that make sense now are lit."""
    roomy = sum(len(each.key) + cell_len(each.label) + 3 for each in KEYS) <= width
    line = Text()
    for each in KEYS:
        label = each.label if roomy else each.short
        lit = each.sensible(now)
        line.append(" ").append(each.key, "bold reverse" if lit else LABEL)
        line.append(" " if roomy else "").append(label, "bold" if lit else f"dim {LABEL}")
    return fitted(line, width)
