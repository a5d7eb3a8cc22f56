"""A seat at the pit boss's terminal: its keys, and what it shows of the board that it is given."""

import asyncio
from contextlib import asynccontextmanager
from datetime import timedelta
from queue import Queue

from rich.color import ColorSystem

from ops.board.board import Board
from ops.commands.casino import Casino
from ops.handlers.dispatcher import Dispatcher
from ops.ledger.recorder import Ledger
from ops.now.books import Books
from ops.terminal.pit.acknowledger import Acknowledger
from ops.terminal.pit.app import PitApp
from tests.worlds.gaming_table import BEGINS
from tests.worlds.six_tables import NOW

SMALL, LARGE = (80, 24), (160, 48)


class Told:
    """A board that tells what a test hands it."""

    def __init__(self, *told):
        self._told = Queue()
        for each in told:
            self.tell(each)

    def tell(self, told):
        self._told.put(told)

    def follow(self):
        while (told := self._told.get()) is not None:
            yield told

    def close(self):
        """Nothing is held."""


def look(database, minutes=24):
    board = Board(database, now=lambda: BEGINS + timedelta(minutes=minutes))
    try:
        return board.once()
    finally:
        board.close()


@asynccontextmanager
async def at_the_pit(
    database, *, board=None, books=None, acknowledger=None, size=SMALL, theme="dark", by="S-11"
):
    """The terminal, when it shows the pit; nothing at it moves but by keys."""
    board = board or Told(look(database))
    casino = Casino(Ledger(database), now=lambda: NOW)
    acknowledger = acknowledger or Acknowledger(Dispatcher(casino, "pit"), by)
    app = PitApp(board, books or Books(database), acknowledger, theme)
    try:
        async with app.run_test(size=size) as pilot:
            await until(pilot, lambda: app.sight or app._lost)
            yield Seat(pilot, app)
            if isinstance(board, Told):
                board.tell(None)
    finally:
        casino.close()


async def until(pilot, holds):
    """Waits for what another thread brings."""
    async with asyncio.timeout(20):
        while not holds():
            await pilot.pause()


class Seat:
    """Somebody at the keys."""

    def __init__(self, pilot, app):
        self.pilot, self.app = pilot, app

    async def press(self, *keys):
        for key in keys:
            await self.pilot.press(key)
            await self.rest()

    async def write(self, text):
        await self.pilot.press(*text)
        await self.rest()

    async def rest(self):
        """Until whatever was asked is answered and shown."""
        for _ in range(2):
            await until(self.pilot, lambda: not self.app.at_work)
            await self.pilot.pause()

    async def until(self, words):
        await until(self.pilot, lambda: words in self.text)

    @property
    def lines(self):
        return [strip.text.rstrip() for strip in self.app.screen._compositor.render_strips()]

    @property
    def text(self):
        return "\n".join(self.lines)

    @property
    def words(self):
        """All of it, wherever lines end."""
        return " ".join(self.text.split())

    @property
    def crumbs(self):
        return self.lines[1].split("  ")[0].strip()

    @property
    def selected(self):
        return next((line for line in self.lines if "›" in line and line != self.lines[1]), "")

    @property
    def ansi(self):
        """As a terminal is sent it, line by line."""
        strips = self.app.screen._compositor.render_strips()
        return "".join(
            "".join(
                segment.style.render(segment.text, color_system=ColorSystem.TRUECOLOR)
                if segment.style
                else segment.text
                for segment in strip
            )
            + "\n"
            for strip in strips
        )
