"""The machine's clock, for commands that do not state when they happened.

`recorded_at` comes from the server's clock instead, and so do queries by it.
"""

from datetime import UTC, datetime, timedelta

AHEAD = timedelta(minutes=5)  # a moment further in the future is taken for a mistake


def wall_clock() -> datetime:
    """The current time; always called as `clock.wall_clock()`, so that tests can replace it."""
    return datetime.now(UTC)
