"""The pace of a table where no dealer deals (R-DEAL-6). Durations are `timedelta`s.

>>> from domain.rules.house_rules import Clock
>>> pace = Clock(betting_seconds=20, card_seconds=2, coups_per_hour=90)
>>> opened = datetime(2026, 11, 21, 20, 0)
>>> closes_at(pace, first_bet=opened + timedelta(seconds=19)).isoformat()
'2026-11-21T20:00:39'
>>> closes_at(pace, first_bet=None) is None
True
>>> opens_at(pace, opened, settled=opened + timedelta(seconds=30)).isoformat()
'2026-11-21T20:00:40'
"""

from datetime import datetime, timedelta

from domain.rules.house_rules import Clock

HOUR = timedelta(hours=1)
RESULT = 2  # cards' time for which a result is shown before the next coup


def closes_at(pace: Clock, first_bet: datetime | None) -> datetime | None:
    """When betting closes on a coup that was bet on first at this moment; None: it waits for that.

    So the first one has as long as everybody for a second thought, however late they came.
    """
    return first_bet + timedelta(seconds=pace.betting_seconds) if first_bet else None


def card_at(pace: Clock, before: datetime) -> datetime:
    """When the next card is drawn, or the coup settled, after what happened last."""
    return before + timedelta(seconds=pace.card_seconds)


def opens_at(pace: Clock, opened: datetime, settled: datetime) -> datetime:
    """When the next coup opens: its result was shown, and no more are dealt in an hour."""
    shown = settled + RESULT * timedelta(seconds=pace.card_seconds)
    return max(shown, opened + HOUR / pace.coups_per_hour)
