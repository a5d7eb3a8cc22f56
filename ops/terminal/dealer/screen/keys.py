"""The keys in the last line of the dealer's screen, and which of them make sense now."""

from collections.abc import Callable

from rich.text import Text

from ops.kit.key_bar import Hint, foot
from ops.now.table_now import TableNow
from ops.terminal.dealer.due import shoe_line
from ops.terminal.dealer.phases import phase_of
from ops.words.language import N_, _

SUPERVISOR = ("void ", "correct ", "waive ", "limits ")  # what F8 begins, one after the other
Sensible = Callable[[TableNow], bool]


def _always(_now: TableNow) -> bool:
    return True


def _open(now: TableNow) -> bool:
    return not now.closed


def _betting(now: TableNow) -> bool:
    return bool(now.due and now.due.action in ("bet", "no-more-bets"))


def _due(*actions: str) -> Sensible:
    return lambda now: bool(now.due and now.due.action in actions)


def _has_bet(now: TableNow) -> bool:
    """Whether the bet that was entered last may be taken back."""
    coup = now.coup
    if coup is None or coup.placed_last is None:
        return False
    return coup.phase == "betting" or coup.placed_last[1] in [each.spot for each in coup.offers]


def _owed(now: TableNow) -> bool:
    return now.owed > 0


def _has_last(now: TableNow) -> bool:
    return (
        _betting(now)
        and phase_of(now) != "after four"
        and any(each.in_last_coup for each in now.seats)
    )


def _shoe(now: TableNow) -> bool:
    return shoe_line(now) is not None


# F9 is shown with the roads that it changes.
KEYS: tuple[tuple[str, str, str, Sensible], ...] = (
    ("F1", N_("help"), "", _always),
    ("F2", N_("same bets"), N_("same"), _has_last),
    ("F3", N_("no more bets"), N_("no more"), _due("no-more-bets")),
    ("F4", N_("settle"), "", _due("settle", "reveal")),
    ("F5", N_("take back"), N_("back"), _has_bet),
    ("F6", N_("commission"), N_("comm"), _owed),
    ("F7", N_("shoe"), "", _shoe),
    ("F8", N_("supervisor"), N_("super"), _open),
    ("F10", N_("leave"), "", _always),
)


def keys(now: TableNow, width: int) -> Text:
    """All of them in one line; those that make sense now are lit."""
    hints = [Hint(key, _(label), _(short), sensible(now)) for key, label, short, sensible in KEYS]
    return foot(hints, width)
