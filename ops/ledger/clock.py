"""When it is, for whatever is not said when it happened: the one place that asks the machine.

The record's own moments are the server's (`recorded_at`), and what is asked of them goes by those.
"""

from datetime import UTC, datetime, timedelta

AHEAD = timedelta(minutes=5)  # a moment that lies further ahead of the clock is a slip


def wall_clock() -> datetime:
    """The machine's clock; asked as `clock.wall_clock()`, so that a test can hand in another."""
    return datetime.now(UTC)
