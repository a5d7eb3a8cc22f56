"""Folds: alerts that share a line, and the name for acknowledging them."""

from collections import Counter
from collections.abc import Iterable
from datetime import datetime

from ops.board.alerts import PRESSING
from ops.board.rows import Alert, Seen
from ops.handlers.alerts import AND_OLDER, with_older
from ops.words import alerts as words
from ops.words.case_alerts import case_words, near_words
from projections.attention.exception_kinds import OWED_STILL
from projections.attention.passing import DISPUTE_OPEN

_ALONE = (DISPUTE_OPEN, *OWED_STILL)  # each is closed or settled by itself


def folds(alerts: Iterable[Alert]) -> list[list[Alert]]:
    """Folds alerts of one kind at one coup or table; urgent ones, cases and open money stay alone.

    A late bet and a late withdrawal are two things, though of one kind.
    """
    folds: dict[tuple[object, ...], list[Alert]] = {}
    for each in alerts:
        own = (each.presses and each.kind in PRESSING) or each.kind in _ALONE
        alone = each.alert if own else None
        detail = each.detail or {}
        what = each.kind, detail.get("type"), detail.get("act"), alone
        key = *what, each.day, each.table, each.coup
        folds.setdefault(key, []).append(each)
    return list(folds.values())


def fold_name(fold: list[Alert]) -> str:
    """The name for acknowledging them: the newest's, with a plus for the older ones."""
    newest = fold[0]
    older = len(fold) > 1 and with_older(newest.kind, newest.coup)
    return f"{newest.alert}{AND_OLDER if older else ''}"


def fold_words(fold: list[Alert], seen: Seen) -> str:
    """The words of the alerts, the newest first."""
    newest = fold[0]
    if newest.kind == DISPUTE_OPEN:
        return case_words(newest.detail, seen.at)
    return words.alike_words(
        newest.kind,
        [each.detail for each in fold],
        seen.currency,
        unsettled=any((each.coup, each.phase) == (newest.coup, "resulted") for each in seen.tables),
        in_play=any(each.coup == newest.coup for each in seen.tables),
    )


def past_words(seen: Seen) -> str:
    """The words for the alerts left of closed gaming days, and for those of urgent kinds; or ''."""
    many = Counter[str]()
    for each in seen.past:
        many[each.kind] += each.many
    if not many:
        return ""
    return words.closed_days_words(many.total(), {kind: many[kind] for kind in PRESSING})


def when(alert: Alert, now: datetime) -> str:
    """The time of day of an alert, or its date; a dot if it has no time."""
    return near_words(datetime.fromisoformat(alert.at), now) if alert.at else "·"
