"""Checks that every alert has words, so that no garbled row ends a screen that is open."""

from collections.abc import Iterable

from ops.board.folds import fold_words, when
from ops.board.rows import Alert, Seen


def require_words(alerts: Iterable[Alert], seen: Seen) -> None:
    """Raises what a garbled row raises where it is shown."""
    for each in alerts:
        _ = fold_words([each], seen), each.where, when(each, seen.at)
