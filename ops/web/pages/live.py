"""Pages that go on by themselves: the parts of a page that changed are sent as they change."""

import threading
import time
from collections.abc import AsyncIterator, Awaitable, Callable, Iterator, Mapping, Sequence
from typing import Any

import anyio
import anyio.to_thread
from msgspec import Struct

from domain.rules.refusals import Refusal
from ops.ledger.database import LedgerLost
from ops.web.pages.floor import Floor, Watch
from ops.web.turned_away import TurnedAway
from ops.words.failure import in_words

BEAT = 1.0  # seconds between two signs of life
STILL = 2.0  # seconds for which whoever looks is not checked again
REMEMBERED = 64  # views whose parts are drawn once for all windows


class Drawn(Struct, frozen=True):
    """The HTML of each part by the id of its element; `lists`: which parts an element has."""

    parts: Mapping[str, str]
    lists: Mapping[str, Sequence[str]] = {}

    def since(self, shown: "Drawn") -> Iterator[str]:
        """What a window has to change that shows other parts: each part, or a whole list."""
        whole: set[str] = set()
        for name, items in self.lists.items():
            if list(items) != list(shown.lists.get(name, ())):
                whole |= {*items}
                yield _partial(name, "innerMorph", "".join(self.parts[each] for each in items))
        for name, html in self.parts.items():
            if name not in whole and html != shown.parts.get(name):
                yield _partial(name, "outerMorph", html)


class View(Struct, frozen=True):
    """A page that goes on: its name tells which windows show the same; `draw` makes its parts."""

    name: tuple[str, ...]
    draw: Callable[[Floor], Drawn]


class Live:
    """The streams of all windows; what several show is drawn once."""

    def __init__(self, watch: Watch) -> None:
        self._watch = watch
        self._drawn: dict[tuple[str, ...], tuple[int, Drawn, View]] = {}  # the newest last
        self._drawing = threading.Lock()  # whoever comes second takes what the first has drawn

    async def stream(
        self, view: View, require_still: Callable[[], Awaitable[None]], ending: anyio.Event
    ) -> AsyncIterator[dict[str, Any]]:
        """Everything first, then what changes, and a sign of life each second.

        It ends with the sign-on of whoever looks: the page then asks for another one.
        """
        shown = Drawn({})
        number, checked = 0, time.monotonic()
        while not ending.is_set():
            if time.monotonic() - checked > STILL:
                try:
                    await require_still()
                except (TurnedAway, Refusal) as error:
                    yield {"event": "ended", "data": in_words(error)}
                    return
                except LedgerLost:
                    pass  # the page says so itself
                checked = time.monotonic()
            floor = await self._watch.after(number, BEAT)
            drawn = await anyio.to_thread.run_sync(self.draw, view, floor)
            changes = "\n".join(drawn.since(shown))
            number, shown = floor.number, drawn
            if changes:
                yield {"id": str(number), "data": changes}
            yield {"event": "beat", "data": str(number)}

    def draw(self, view: View, floor: Floor) -> Drawn:
        """The page as the floor is; drawn once for all windows that show the same."""
        with self._drawing:
            number, drawn, known = self._drawn.pop(view.name, (-1, Drawn({}), view))
            if number < floor.number:
                number, drawn = floor.number, known.draw(floor)
            self._drawn[view.name] = number, drawn, known
            while len(self._drawn) > REMEMBERED:
                del self._drawn[next(iter(self._drawn))]
        return drawn


def _partial(name: str, swap: str, html: str) -> str:
    """A part as the browser puts it into its place; elements that are the same stay."""
    return f'<hx-partial hx-target="#{name}" hx-swap="{swap}">{html}</hx-partial>'
