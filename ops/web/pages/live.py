"""Pages that go on by themselves: the parts of a page that changed are sent as they change.

What several windows show alike is drawn once, in one thread, and written once for all of them; what
no window shows is not drawn.
"""

import asyncio
import time
from collections.abc import AsyncIterator, Awaitable, Callable, Iterator, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager, suppress

import anyio
from msgspec import Struct

from ops.commands.rights import Rights
from ops.web.pages.floor import Floor, Watch
from ops.web.streams import BEAT, Message, while_they_may, written

REMEMBERED = 600  # views that are not drawn again while they show the same
PIECES = 5_000  # that are not
Name = tuple[str, ...]


class Drawn(Struct, frozen=True):
    """The HTML of each part by the id of its element; `lists`: which parts an element has."""

    parts: Mapping[str, str]
    lists: Mapping[str, Sequence[str]] = {}

    def changes_since(self, shown: "Drawn") -> bytes:
        """What a window has to change that shows other parts: each part, or a whole list."""
        changes = "\n".join(self._since(shown))
        return written({"data": changes}) if changes else b""

    def _since(self, shown: "Drawn") -> Iterator[str]:
        whole: set[str] = set()
        for name, items in self.lists.items():
            if list(items) != list(shown.lists.get(name, ())):
                whole |= {*items}
                yield _partial(name, "innerMorph", "".join(self.parts[each] for each in items))
        for name, html in self.parts.items():
            if name not in whole and html != shown.parts.get(name):
                yield _partial(name, "outerMorph", html)


NOTHING = Drawn({})


class Pieces:
    """Parts that several views have; one that shows the same is not drawn again."""

    def __init__(self) -> None:
        self._drawn: dict[Name, tuple[tuple[object, ...], str]] = {}

    def of(self, name: Name, shows: tuple[object, ...], draw: Callable[[], str]) -> str:
        """The piece of this name; `shows`: all that it is drawn from, but its name."""
        before, html = self._drawn.get(name, (None, ""))
        if before != shows:
            if len(self._drawn) >= PIECES:
                self._drawn.clear()
            html = draw()
            self._drawn[name] = shows, html
        return html


class View(Struct, frozen=True):
    """A page that goes on: windows with the same name show the same; `draw` makes its parts.

    Each is drawn from what who sees it may learn: without `rights` from what everybody may.
    `shows` gives what it is drawn from: it is drawn again when that changes.
    """

    name: Name
    draw: Callable[[Floor, Pieces], Drawn]
    shows: Callable[[Floor], tuple[object, ...]] = lambda floor: (floor.number,)
    rights: Rights = Rights()


class Live:
    """The streams of all windows."""

    def __init__(self, watch: Watch) -> None:
        self._watch = watch
        self._drawings: dict[Name, _Drawing] = {}  # the newest last
        self._drawer = _Drawer()
        self._following: asyncio.Task[None] | None = None

    async def stream(
        self, view: View, require_still: Callable[[], Awaitable[None]], ending: anyio.Event
    ) -> AsyncIterator[Message]:
        """Everything first, then what changes, and a sign of life each second, with the time here.

        It ends with the sign-on of whoever looks: the page then asks for another one.
        """
        floor = await self._watch.after(0, BEAT)
        if floor.is_known:
            await self.draw(view, floor)
        with self._window(view) as window:
            async for message in while_they_may(require_still, ending, window.next):
                yield message

    async def draw(self, view: View, floor: Floor) -> Drawn:
        """The page as the floor is."""
        return await self._drawing(view).of(floor)

    def close(self) -> None:
        """Draws nothing more."""
        if self._following:
            self._following.cancel()
        self._drawer.close()

    def _drawing(self, view: View) -> "_Drawing":
        drawing = self._drawings.pop(view.name, None) or _Drawing(view, self._drawer)
        unseen = [name for name, each in self._drawings.items() if not each.windows]
        for name in unseen[: len(self._drawings) + 1 - REMEMBERED]:
            del self._drawings[name]
        self._drawings[view.name] = drawing
        return drawing

    @contextmanager
    def _window(self, view: View) -> Iterator["_Window"]:
        drawing = self._drawing(view)
        drawing.windows += 1
        if self._following is None or self._following.done():
            self._following = asyncio.create_task(self._follow())
        try:
            yield _Window(drawing)
        finally:
            drawing.windows -= 1

    def _seen(self) -> list["_Drawing"]:
        return [each for each in self._drawings.values() if each.windows]

    async def _follow(self) -> None:
        """Draws what windows show whenever the floor changes, until there are none."""
        number = 0
        while self._seen():
            floor = await self._watch.after(number, BEAT)
            number = floor.number
            for drawing in self._seen() if floor.is_known else ():
                with suppress(Exception):  # its windows see it
                    await drawing.of(floor)


class _Window:
    """What one window shows."""

    def __init__(self, drawing: "_Drawing") -> None:
        self._drawing = drawing
        self._shown = NOTHING
        self._beat = 0.0

    async def next(self) -> list[Message]:
        """What changed, and when it is time, a sign of life."""
        patience = max(0.0, self._beat + BEAT - time.monotonic())
        drawn = await self._drawing.after(self._shown, patience)
        changes = self._drawing.changes(self._shown, drawn)
        self._shown = drawn
        messages: list[Message] = [changes] if changes else []
        if time.monotonic() - self._beat >= BEAT:
            self._beat = time.monotonic()
            messages.append({"event": "beat", "data": str(round(time.time() * 1000))})
        return messages


class _Drawer:
    """The one thread that draws: pages together never take more than its turn."""

    def __init__(self) -> None:
        self._thread = ThreadPoolExecutor(1, thread_name_prefix="drawer")
        self._pieces = Pieces()  # the thread's

    async def draw(self, view: View, floor: Floor) -> Drawn:
        """A view of the floor."""
        draw = asyncio.get_running_loop().run_in_executor
        return await draw(self._thread, view.draw, floor, self._pieces)

    def close(self) -> None:
        """Ends the thread."""
        self._thread.shutdown(wait=False, cancel_futures=True)


class _Drawing:
    """A view as it was drawn last, or is being drawn now."""

    def __init__(self, view: View, drawer: _Drawer) -> None:
        self.windows = 0  # that show it
        self._view, self._drawer = view, drawer
        self._number = -1
        self._shows: tuple[object, ...] = ()
        self._drawn: asyncio.Future[Drawn] | None = None
        self._moved = asyncio.Event()  # set when it is drawn again
        self._between = (NOTHING, NOTHING, b"")

    async def of(self, floor: Floor) -> Drawn:
        """The view as the floor is, or as it was a moment later."""
        if self._drawn is None or self._number < floor.number:
            self._number, before = floor.number, self._shows
            floor = floor.seen_by(self._view.rights)
            self._shows = self._view.shows(floor)
            if self._drawn is None or _failed(self._drawn) or before != self._shows:
                self._drawn = asyncio.ensure_future(self._draw(self._drawn, floor))
                self._drawn.add_done_callback(self._tell)
        return await asyncio.shield(self._drawn)  # whoever leaves ends it for nobody else

    async def _draw(self, before: "asyncio.Future[Drawn] | None", floor: Floor) -> Drawn:
        known = NOTHING
        if before:
            with suppress(Exception):  # whoever waits for it sees it
                known = await before
        drawn = await self._drawer.draw(self._view, floor)
        return known if drawn == known else drawn

    def _tell(self, _: "asyncio.Future[Drawn]") -> None:
        moved, self._moved = self._moved, asyncio.Event()
        moved.set()

    async def after(self, shown: Drawn, patience: float) -> Drawn:
        """What is drawn, once it is not what a window shows, or after this time."""
        loop = asyncio.get_running_loop()
        ends = loop.time() + patience
        while self._drawn is None or not self._drawn.done() or self._drawn.result() is shown:
            left = ends - loop.time()
            if left <= 0:
                return shown
            with suppress(TimeoutError):
                await asyncio.wait_for(self._moved.wait(), left)
        return self._drawn.result()

    def changes(self, shown: Drawn, drawn: Drawn) -> bytes:
        """What a window has to change that shows something else; mostly the same in all."""
        if self._between[0] is not shown or self._between[1] is not drawn:
            self._between = shown, drawn, drawn.changes_since(shown)
        return self._between[2]


def _failed(drawn: "asyncio.Future[Drawn]") -> bool:
    return drawn.done() and (drawn.cancelled() or drawn.exception() is not None)


def _partial(name: str, swap: str, html: str) -> str:
    """A part as the browser puts it into its place; elements that are the same stay."""
    return f'<hx-partial hx-target="#{name}" hx-swap="{swap}">{html}</hx-partial>'
