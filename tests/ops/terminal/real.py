"""The real program on a real pseudo-terminal, and what stands on it at every moment."""

import fcntl
import os
import pty
import re
import select
import signal
import struct
import termios
import threading
import time
from collections.abc import Callable, Mapping
from contextlib import suppress
from types import TracebackType
from typing import Self

import pyte

from tests.worlds.programs import Program

PATIENCE = 20.0  # seconds for what must come; a test that waits so long has failed
ASKS_FOR_FRAMES = b"\x1b[?2026$p"  # whether the terminal shows only whole frames
SHOWS_FRAMES = b"\x1b[?2026;2$y"
FRAME_BEGINS, FRAME_ENDS = b"\x1b[?2026h", b"\x1b[?2026l"
PROMPT = " › "
ANOTHER_SCREEN = 1049  # a private mode: the screen before it comes back as it was


class Terminal:
    """`sabot …` as somebody sees it who sits before it."""

    def __init__(
        self, *arguments: str, surroundings: Mapping[str, str], size: tuple[int, int] = (80, 24)
    ) -> None:
        columns, rows = size
        self._screen = pyte.Screen(columns, rows)
        self._stream = pyte.ByteStream(self._screen)
        self._drawn = threading.Condition()
        self._in_frame = False
        self._ours, theirs = pty.openpty()
        self._stop, self._no_more = os.pipe()
        self.tty_before = termios.tcgetattr(self._ours)
        fcntl.ioctl(theirs, termios.TIOCSWINSZ, struct.pack("HHHH", rows, columns, 0, 0))
        measured = {"COLUMNS": str(columns), "LINES": str(rows)}
        self.process = Program(
            arguments,
            env={
                **os.environ,
                "TERM": "xterm-256color",
                "COLORTERM": "truecolor",
                **measured,
                **surroundings,
            },
            stdin=theirs,
            stdout=theirs,
            stderr=theirs,
            start_new_session=True,
        )
        os.close(theirs)
        self._reader = threading.Thread(target=self._read, daemon=True)
        self._reader.start()

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self.kill()

    def kill(self) -> None:
        """As when the power of the terminal goes."""
        with suppress(ProcessLookupError):
            self.process.send_signal(signal.SIGKILL)
        self.process.wait()
        self._reader.join(PATIENCE)
        for each in (self._ours, self._stop, self._no_more):
            with suppress(OSError):
                os.close(each)

    def end(self, by: signal.Signals) -> int:
        """As somebody else ends it; its exit status."""
        self.process.send_signal(by)
        return self.ends()

    def ends(self) -> int:
        """Its exit status, once all that it said is seen."""
        status = self.process.wait(PATIENCE)
        self._reader.join(PATIENCE)
        return status

    @property
    def tty(self) -> list[object]:
        """How the terminal treats what is typed."""
        return termios.tcgetattr(self._ours)

    @property
    def modes(self) -> frozenset[int]:
        """The private modes that are switched on, as DECSET numbers them."""
        with self._drawn:
            return frozenset(mode >> 5 for mode in self._screen.mode)

    def hang_up(self) -> None:
        """The line is gone, and no signal tells the program. Whoever reads from it holds it."""
        os.write(self._no_more, b".")
        self._reader.join(PATIENCE)
        os.close(self._ours)
        self._ours = -1

    def resize(self, columns: int, rows: int) -> None:
        """Somebody draws the window larger or smaller."""
        with self._drawn:
            self._screen.resize(rows, columns)
        fcntl.ioctl(self._ours, termios.TIOCSWINSZ, struct.pack("HHHH", rows, columns, 0, 0))
        self.process.send_signal(signal.SIGWINCH)

    def type(self, keys: str | bytes) -> float:
        """Presses keys; when that was."""
        at = time.monotonic()
        os.write(self._ours, keys if isinstance(keys, bytes) else keys.encode())
        return at

    @property
    def colours(self) -> frozenset[str]:
        """Every colour in which a letter stands on the screen, but the terminal's own."""
        with self._drawn:
            rows = self._screen.buffer.values()
            return frozenset(cell.fg for row in rows for cell in row.values()) - {"default"}

    @property
    def lines(self) -> list[str]:
        """What stands on the screen."""
        with self._drawn:
            return self._rows()

    def _rows(self) -> list[str]:
        """Cell by cell: half of a wide letter that was written over would trouble `display`."""
        buffer, columns = self._screen.buffer, range(self._screen.columns)
        return ["".join(buffer[y][x].data for x in columns) for y in range(self._screen.lines)]

    def wait_for(self, what: str | Callable[[list[str]], bool], seconds: float = PATIENCE) -> float:
        """Until it stands on the screen; when it did."""
        shown = (
            (lambda lines: any(what in line for line in lines)) if isinstance(what, str) else what
        )
        ends = time.monotonic() + seconds
        with self._drawn:
            while self._in_frame or not shown(self._rows()):
                left = ends - time.monotonic()
                assert left > 0, "\n".join([f"never seen: {what}", *self._rows()])
                self._drawn.wait(left)
            return time.monotonic()

    def _read(self) -> None:
        """Sequence by sequence: what this emulator cannot take costs no more than itself.

        A sequence that is cut off by the end of what could be read waits for its rest, and
        nobody looks at half a frame.
        """
        rest = b""
        with suppress(OSError):
            while self._stop not in select.select([self._ours, self._stop], [], [])[0]:
                drawn = rest + os.read(self._ours, 1 << 16)
                *whole, rest = re.split(rb"(?=\x1b)", drawn)
                if not re.fullmatch(rb"\x1b(\[[?\d;]*\$?)?", rest):
                    whole, rest = [*whole, rest], b""
                with self._drawn:
                    for sequence in whole:
                        self._take(sequence)
                    self._drawn.notify_all()

    def _take(self, sequence: bytes) -> None:
        if sequence.startswith(ASKS_FOR_FRAMES):
            os.write(self._ours, SHOWS_FRAMES)
        elif sequence.startswith((FRAME_BEGINS, FRAME_ENDS)):
            self._in_frame = sequence.startswith(FRAME_BEGINS)
        with suppress(Exception):
            self._stream.feed(sequence)


def on_the_line(lines: list[str]) -> str:
    """What is typed and not entered."""
    return next(line for line in reversed(lines) if line.startswith(PROMPT)).removeprefix(PROMPT)


def is_answered(lines: list[str]) -> bool:
    """Nothing is being said, and nothing waits."""
    beside = [line.partition("│ › ")[2] for line in lines if "│ › " in line]
    return not any(each.rstrip().endswith("…") for each in beside)


def stands(line: str, lines: list[str]) -> bool:
    """Whether it is on the line, perhaps with a ghost behind it, or with its beginning gone."""
    shown = on_the_line(lines).rstrip()
    return shown.startswith(line[:20]) or shown.endswith(line[-20:])
