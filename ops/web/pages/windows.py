"""How many pages go on at once, so that no browser and no crowd takes them all."""

from collections import Counter
from collections.abc import AsyncIterator
from typing import Any

from ops.web.meters import Meters
from ops.web.turned_away import TooManyWindows


class Windows:
    """The pages of one kind that go on; for one event loop."""

    def __init__(self, meters: Meters, most: int, of_one: int) -> None:
        """At most so many, and so many in one browser."""
        self._meters = meters
        self._most, self._of_one = most, of_one
        self._open: Counter[str] = Counter()  # by browser

    def require_room(self, browser: str) -> None:
        """Raises TooManyWindows."""
        if self._open.total() >= self._most or self._open[browser] >= self._of_one:
            raise TooManyWindows

    async def counted(
        self, browser: str, events: AsyncIterator[dict[str, Any]]
    ) -> AsyncIterator[dict[str, Any]]:
        """The same stream; its window counts while it is open."""
        self._open[browser] += 1
        self._meters.followers.inc()
        try:
            async for each in events:
                yield each
        finally:
            self._open[browser] -= 1
            self._open += Counter()  # without browsers that have none
            self._meters.followers.dec()
