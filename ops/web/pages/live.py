"""Pages that go on by themselves: the parts of a page that changed are sent as they change."""

import asyncio
import time
from collections.abc import AsyncIterator, Awaitable, Callable, Iterator, Mapping, Sequence
from contextlib import suppress
from operator import is_

import anyio
import anyio.to_thread
from msgspec import Struct

from ops.web.pages.floor import Floor, Watch
from ops.web.streams import BEAT, Message, while_they_may

REMEMBERED = 600  # views whose parts are drawn once for all windows


class Drawn(Struct, frozen=True):
    """The HTML of each part by the id of its element; `lists`: which parts an element has."""

    parts: Mapping[str, str]
    lists: Mapping[str, Sequence[str]] = {}

    def changes_since(self, shown: "Drawn") -> str:
        """What a window has to change that shows other parts: each part, or a whole list."""
        return "\n".join(self._since(shown))

    def _since(self, shown: "Drawn") -> Iterator[str]:
        whole: set[str] = set()
        for name, items in self.lists.items():
            if list(items) != list(shown.lists.get(name, ())):
                whole |= {*items}
                yield _partial(name, "innerMorph", "".join(self.parts[each] for each in items))
        for name, html in self.parts.items():
            if name not in whole and html != shown.parts.get(name):
                yield _partial(name, "outerMorph", html)


class View(Struct, frozen=True):
    """A page that goes on: windows with the same name show the same; `draw` makes its parts.

    `shows` gives what it is drawn from. While those are the same objects, it is not drawn again.
    """

    name: tuple[str, ...]
    draw: Callable[[Floor], Drawn]
    shows: Callable[[Floor], tuple[object, ...]] = lambda floor: (floor,)


class Live:
    """The streams of all windows; what several show is drawn once."""

    def __init__(self, watch: Watch) -> None:
        self._watch = watch
        self._drawings: dict[tuple[str, ...], _Drawing] = {}  # the newest last

    def stream(
        self, view: View, require_still: Callable[[], Awaitable[None]], ending: anyio.Event
    ) -> AsyncIterator[Message]:
        """Everything first, then what changes, and a sign of life each second, with the time here.

        It ends with the sign-on of whoever looks: the page then asks for another one.
        """
        shown, number, beat = Drawn({}), 0, 0.0

        async def send_next() -> list[Message]:
            nonlocal shown, number, beat
            floor = await self._watch.after(number, BEAT)
            drawn = await self.draw(view, floor)
            changes = self._changes(view, shown, drawn)
            number, shown = floor.number, drawn
            messages: list[Message] = [{"id": str(number), "data": changes}] if changes else []
            if changes or time.monotonic() - beat >= BEAT:
                beat = time.monotonic()
                messages.append({"event": "beat", "data": str(round(time.time() * 1000))})
            return messages

        return while_they_may(require_still, ending, send_next)

    async def draw(self, view: View, floor: Floor) -> Drawn:
        """The page as the floor is; drawn once for all windows that show the same."""
        drawing = self._drawings.pop(view.name, None) or _Drawing(view)
        self._drawings[view.name] = drawing
        while len(self._drawings) > REMEMBERED:
            del self._drawings[next(iter(self._drawings))]
        return await drawing.of(floor)

    def _changes(self, view: View, shown: Drawn, drawn: Drawn) -> str:
        """What a window has to change; mostly the same in all windows."""
        drawing = self._drawings.get(view.name)
        return drawing.changes(shown, drawn) if drawing else drawn.changes_since(shown)


class _Drawing:
    """A view as it was drawn last, or is being drawn now."""

    def __init__(self, view: View) -> None:
        self._view = view
        self._number = -1
        self._shows: tuple[object, ...] = ()
        self._drawn: asyncio.Future[Drawn] | None = None
        self._between = (Drawn({}), Drawn({}), "")

    async def of(self, floor: Floor) -> Drawn:
        """The view as the floor is, or as it was a moment later."""
        if self._drawn is None or self._number < floor.number:
            self._number, before = floor.number, self._shows
            self._shows = self._view.shows(floor)
            if self._drawn is None or not self._is_drawn_from(before, self._drawn):
                self._drawn = asyncio.ensure_future(self._draw(self._drawn, floor))
        return await asyncio.shield(self._drawn)  # whoever leaves ends it for nobody else

    def _is_drawn_from(self, before: tuple[object, ...], drawn: "asyncio.Future[Drawn]") -> bool:
        """Whether it shows the same as before, and that could be drawn."""
        failed = drawn.done() and (drawn.cancelled() or drawn.exception())
        same = len(before) == len(self._shows) and all(map(is_, before, self._shows))
        return same and not failed

    async def _draw(self, before: "asyncio.Future[Drawn] | None", floor: Floor) -> Drawn:
        if before:
            with suppress(Exception):  # whoever waits for it sees it
                await before
        return await anyio.to_thread.run_sync(self._view.draw, floor)

    def changes(self, shown: Drawn, drawn: Drawn) -> str:
        """What a window has to change that shows something else."""
        if self._between[0] is not shown or self._between[1] is not drawn:
            self._between = shown, drawn, drawn.changes_since(shown)
        return self._between[2]


def _partial(name: str, swap: str, html: str) -> str:
    """A part as the browser puts it into its place; elements that are the same stay."""
    return f'<hx-partial hx-target="#{name}" hx-swap="{swap}">{html}</hx-partial>'
