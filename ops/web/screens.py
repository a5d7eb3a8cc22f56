"""Full screens for terminals: `sabot dealer`, `pit` and `board`, each in a process of its own here.

The process has a pseudo-terminal, or pipes. What it writes goes out as frames, numbered, so that a
connection that breaks loses none of them; what somebody types comes in by its offset, so that no
key counts twice. A screen whose terminal does not come back is ended, as a terminal that hangs up.
"""

import asyncio
import fcntl
import os
import pty
import secrets
import shutil
import signal
import socket
import struct
import sys
import tempfile
import termios
from base64 import b64encode
from collections import deque
from collections.abc import AsyncIterator, Callable
from contextlib import suppress
from pathlib import Path
from typing import TYPE_CHECKING

from msgspec import Struct

from ops.web.callers import Caller
from ops.web.log import log
from ops.web.rooms import Rooms
from ops.web.shells import Run, forked
from ops.web.turned_away import Busy, NoScreen

if TYPE_CHECKING:
    from multiprocessing.process import BaseProcess

MOST_WRITTEN = 1 << 20  # bytes of frames that are kept for a terminal that comes back
ONE_READ = 1 << 16
MOST_TYPED = 1 << 16  # bytes that wait until the process reads them
AWAY = 60.0  # seconds after which a screen without its terminal is ended
KILLED = 128  # and the number of the signal: the exit status that a shell gives for it
LATEST_END = 2.0  # seconds for a process to be gone


class Opening(Struct, frozen=True):
    """A screen as a terminal opens it; `tty`: a terminal and not pipes.

    `seat`: the number of the window there; a new screen in it takes the place of the one before.
    """

    words: list[str]
    tty: bool
    seat: int
    columns: int = 80
    rows: int = 24
    terminal: dict[str, str] = {}  # how its screen is


class Ends(Struct, frozen=True):
    """What a process reads and writes: a pseudo-terminal by its name, or three sockets."""

    tty: str = ""
    pipes: tuple[socket.socket, ...] = ()


class Frame(Struct, frozen=True):
    """What a process did: it wrote (`out`, `err`), somebody signed on (`token`), or its `end`."""

    number: int
    kind: str
    text: str


Player = Callable[[Run, Path, Ends], int]


class Screens:
    """The screens that are open, by their names. Only its terminal knows the name of one."""

    def __init__(self, play: Player, rooms: Rooms) -> None:
        self._play = play
        self._rooms = rooms
        self._open: dict[str, Screen] = {}

    async def open(self, caller: Caller, opening: Opening, run: Run) -> str:
        """Opens a screen; its name. Raises Busy."""
        await self._end_former(caller, opening.seat)
        deals = opening.words[:1] == ["dealer"]
        room = self._rooms.dealers if deals else self._rooms.screens
        name, leave = secrets.token_hex(16), room.enter(caller.terminal)

        def closed() -> None:
            self._open.pop(name, None)
            leave()

        try:
            screen = Screen(caller.terminal, opening, closed)
        except OSError:  # there is no room for its files
            leave()
            raise
        self._open[name] = screen
        try:
            await screen.start(self._play, run)
        except BaseException:
            screen.close()
            raise
        return name

    async def _end_former(self, caller: Caller, seat: int) -> None:
        """Kills what a window left that was killed: what was typed there is taken up again."""
        for each in list(self._open.values()):
            if each.owner == caller.terminal and each.seat == seat:
                await each.kill()

    def of(self, caller: Caller, name: str) -> "Screen":
        """A screen of this terminal. Raises NoScreen."""
        screen = self._open.get(name)
        if screen is None or screen.owner != caller.terminal:
            raise NoScreen
        return screen

    def close(self) -> None:
        """Ends every screen."""
        for each in list(self._open.values()):
            each.close()


class Screen:
    """One process with what it wrote and what was typed; used by the event loop only."""

    def __init__(self, owner: str, opening: Opening, closed: Callable[[], object]) -> None:
        self.owner = owner
        self.seat = opening.seat
        self._opening = opening
        self._closed = closed
        self._loop = asyncio.get_running_loop()
        self._frames: deque[Frame] = deque()
        self._stored = 0  # bytes of them
        self._last = self._sent = 0  # numbers of frames
        self._news = asyncio.Event()
        self._reader: object = None  # the stream that has the frames now
        self._typed = 0  # bytes that were ever typed
        self._waiting = bytearray()  # of those, the ones that the process did not read
        self._no_more = False
        self._process: BaseProcess | None = None
        self._input = -1
        self._files: dict[int, str] = {}  # what it writes to, and the kind of their frames
        self._at_end: set[int] = set()  # of those
        self._held = -1  # the other end of its pseudo-terminal: it hangs up when we do
        self._place = Path(tempfile.mkdtemp(prefix="sabot-"))
        self._token = ""
        self._leaving = self._loop.call_later(AWAY, self.close)

    async def start(self, play: Player, run: Run) -> None:
        """Starts the process."""
        ends = self._ends()
        self._token = run.token
        if run.token:
            (self._place / "session").write_text(run.token)
        args = (play, run, self._place, ends)
        try:
            self._process = await asyncio.to_thread(forked, _show, args)
        finally:
            for each in ends.pipes:
                each.close()
        sentinel = self._process.sentinel
        self._loop.add_reader(sentinel, self._ended, sentinel)
        self._go_on_reading()

    def _ends(self) -> Ends:
        """The process's ends; ours are kept."""
        if self._opening.tty:
            self._input, theirs = pty.openpty()
            self._files = {self._input: "out"}
            self.size(self._opening.columns, self._opening.rows)
            name = os.ttyname(theirs)
            self._held = theirs
            os.set_blocking(self._input, False)
            return Ends(tty=name)
        pairs = [socket.socketpair() for _ in range(3)]
        ours = [pair[0].detach() for pair in pairs]
        for each in ours:
            os.set_blocking(each, False)
        self._input = ours[0]
        self._files = {ours[1]: "out", ours[2]: "err"}
        return Ends(pipes=tuple(pair[1] for pair in pairs))

    # What it writes
    def require_all_after(self, after: int) -> None:
        """Raises NoScreen if what was written after this frame is not all here."""
        first = self._frames[0].number if self._frames else self._last + 1
        if not first - 1 <= after <= self._last:
            raise NoScreen

    async def frames(self, after: int) -> AsyncIterator[Frame]:
        """Its frames after a number, until it ends or another stream has them."""
        mine = self._reader = object()
        self._news.set()  # whoever had them until now ends
        self._leaving.cancel()
        self._sent = after
        try:
            while self._reader is mine:
                self._news.clear()
                for each in [frame for frame in self._frames if frame.number > self._sent]:
                    yield each
                    self._sent = each.number
                    if each.kind == "end":
                        self._forget()
                        return
                self._drop_sent()
                self._go_on_reading()
                await self._news.wait()
        finally:
            if self._reader is mine:
                self._reader = None
                self._leaving = self._loop.call_later(AWAY, self.close)

    def _add(self, kind: str, text: str) -> None:
        self._last += 1
        self._frames.append(Frame(self._last, kind, text))
        self._stored += len(text)
        self._drop_sent()
        self._news.set()

    def _drop_sent(self) -> None:
        """Drops the oldest frames that were sent; a terminal that comes back may want others."""
        while self._stored > MOST_WRITTEN and self._frames[0].number <= self._sent:
            self._stored -= len(self._frames.popleft().text)

    def _read(self, file: int) -> None:
        try:
            written = os.read(file, ONE_READ)
        except BlockingIOError:
            return
        except OSError:  # a pseudo-terminal whose other end is closed
            written = b""
        if not written:
            self._loop.remove_reader(file)
            self._at_end.add(file)
            return
        self._note_token()
        self._add(self._files[file], b64encode(written).decode())
        if self._stored > MOST_WRITTEN:  # the process waits until its terminal has read
            for each in self._files:
                self._loop.remove_reader(each)

    def _go_on_reading(self) -> None:
        if self._stored <= MOST_WRITTEN:
            for each in self._files.keys() - self._at_end:
                self._loop.add_reader(each, self._read, each)

    def _note_token(self) -> None:
        """Tells the terminal about a sign-on, or a sign-off, before what is said of it."""
        try:
            token = (self._place / "session").read_text().strip()
        except FileNotFoundError:
            token = ""
        if token != self._token:
            self._token = token
            self._add("token", token)

    def _ended(self, sentinel: int) -> None:
        self._loop.remove_reader(sentinel)
        assert self._process is not None
        self._process.join(LATEST_END)
        for file, kind in self._files.items():  # what it wrote last
            self._loop.remove_reader(file)
            self._at_end.add(file)
            with suppress(OSError):
                while written := os.read(file, ONE_READ):
                    self._add(kind, b64encode(written).decode())
        self._note_token()
        status = self._process.exitcode or 0
        self._add("end", str(status if status >= 0 else KILLED - status))

    # What is typed
    def type(self, at: int, keys: bytes, *, no_more: bool = False) -> None:
        """Takes what was typed, from an offset on; what came before is not taken again.

        Raises NoScreen if something in between is missing, Busy if nobody reads it.
        """
        if at > self._typed:
            raise NoScreen
        fresh = keys[self._typed - at :]
        if len(self._waiting) + len(fresh) > MOST_TYPED:
            raise Busy
        self._typed += len(fresh)
        self._waiting += fresh
        self._no_more |= no_more
        self._write()

    def _write(self) -> None:
        if self._input < 0:
            return
        self._loop.remove_writer(self._input)
        with suppress(BlockingIOError, OSError):
            while self._waiting:
                del self._waiting[: os.write(self._input, self._waiting)]
        if self._waiting and self._process is not None and self._process.is_alive():
            self._loop.add_writer(self._input, self._write)
        elif self._no_more and not self._opening.tty:
            with socket.socket(fileno=os.dup(self._input)) as pipe, suppress(OSError):
                pipe.shutdown(socket.SHUT_WR)

    def size(self, columns: int, rows: int) -> None:
        """Its terminal has another size now."""
        if self._opening.tty and self._input >= 0:
            sizes = struct.pack(
                "HHHH", *(max(1, min(each, 1000)) for each in (rows, columns)), 0, 0
            )
            fcntl.ioctl(self._input, termios.TIOCSWINSZ, sizes)

    # Its end
    async def kill(self) -> None:
        """Ends it at once, as its terminal was; what was not seen there is shown again later."""
        process = self._process
        if process is not None:
            process.kill()
        self._forget()
        if process is not None:
            await asyncio.to_thread(process.join, LATEST_END)

    def close(self) -> None:
        """Ends the process, as when its terminal hangs up."""
        if self._process is not None and self._process.is_alive():
            with suppress(ProcessLookupError, TypeError):
                os.kill(self._process.pid or 0, signal.SIGHUP)
        self._forget()

    def _forget(self) -> None:
        """Closes its files; it is not among the open ones any longer."""
        self._leaving.cancel()
        self._reader = None
        self._news.set()
        if self._process is not None:
            self._loop.remove_reader(self._process.sentinel)
        for each in {self._input, self._held, *self._files} - {-1}:
            self._loop.remove_reader(each)
            self._loop.remove_writer(each)
            with suppress(OSError):
                os.close(each)
        self._input = self._held = -1
        self._files = {}
        shutil.rmtree(self._place, ignore_errors=True)
        self._closed()


def _show(play: Player, run: Run, place: Path, ends: Ends) -> None:
    """In the process: its files become the terminal's, then the command is run."""
    sys.stderr = os.fdopen(os.dup(2), "w", 1)
    log()  # which stays where it is
    os.setsid()
    if ends.tty:
        file = os.open(ends.tty, os.O_RDWR)  # which makes it the terminal of this session
        files = [file, file, file]
    else:
        files = [each.detach() for each in ends.pipes]
    for number, each in enumerate(files):
        os.dup2(each, number)
    for each in {each for each in files if each > 2}:
        os.close(each)
    raise SystemExit(play(run, place, ends))
