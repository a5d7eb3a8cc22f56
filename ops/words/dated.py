"""Days and moments as the record has them; what somebody typed may only look like one.

>>> day_in("2026-11-21"), day_in("2026-02-31"), day_in("2026-11-21 at noon")
(datetime.date(2026, 11, 21), None, None)
>>> moment_in("2026-11-21T20:14:07+01:00").hour, moment_in("2026-11-21T20:14 by the clock")
(20, None)
"""

import re
from contextlib import suppress
from datetime import date, datetime

_DAY = re.compile(r"[0-9]{4}-[0-9]{2}-[0-9]{2}")
_MOMENT = re.compile(rf"{_DAY.pattern}T[0-9:]{{5,8}}(\.[0-9]+)?(Z|[+-][0-9]{{2}}:[0-9]{{2}})")


def day_in(text: object) -> date | None:
    """The day that a text is; None if it is none."""
    if isinstance(text, str) and _DAY.fullmatch(text):
        with suppress(ValueError):
            return date.fromisoformat(text)
    return None


def moment_in(text: object) -> datetime | None:
    """The moment that a text is, with its offset; None if it is none."""
    if isinstance(text, str) and _MOMENT.fullmatch(text):
        with suppress(ValueError):
            return datetime.fromisoformat(text)
    return None
