"""The keys at the foot of the dealer's screen: which there are, and which make sense now."""

from collections.abc import Callable

from rich.text import Text

from ops.kit.key_bar import Hint, foot
from ops.terminal.dealer.due import shoe_line
from ops.terminal.dealer.table_now import TableNow

SUPERVISOR = ("void ", "correct ", "waive ", "limits ")  # what F8 begins, one after the other
Sensible = Callable[[TableNow], bool]


def _always(_: TableNow) -> bool:
    return True


def _open(now: TableNow) -> bool:
    return not now.closed


def _betting(now: TableNow) -> bool:
    return bool(now.due and now.due.action in ("bet", "no-more-bets"))


def _due(*actions: str) -> Sensible:
    return lambda now: bool(now.due and now.due.action in actions)


def _lies(now: TableNow) -> bool:
    return bool(now.coup and now.coup.phase == "betting" and now.coup.placed_last)


def _owed(now: TableNow) -> bool:
    return now.owed > 0


def _has_last(now: TableNow) -> bool:
    return _betting(now) and any(each.in_last_coup for each in now.seats)


def _shoe(now: TableNow) -> bool:
    return shoe_line(now) is not None


# F9 stands with the roads that it turns.
KEYS: tuple[tuple[str, str, str, Sensible], ...] = (
    ("F1", "help", "", _always),
    ("F2", "same bets", "same", _has_last),
    ("F3", "no more bets", "no more", _due("no-more-bets")),
    ("F4", "settle", "", _due("settle", "reveal")),
    ("F5", "take back", "back", _lies),
    ("F6", "commission", "comm", _owed),
    ("F7", "shoe", "", _shoe),
    ("F8", "supervisor", "super", _open),
    ("F10", "leave", "", _always),
)


def keys(now: TableNow, width: int) -> Text:
    """All of them in one line; those that make sense now are lit."""
    hints = [Hint(key, label, short, sensible(now)) for key, label, short, sensible in KEYS]
    return foot(hints, width)
