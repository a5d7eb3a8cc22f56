"""A full screen that the house server runs for this terminal: keys go there, what it shows comes.

A connection that breaks is told in two lines and made again; nothing that was typed or shown is
lost or doubled meanwhile. If the server was started anew, the screen begins anew: what was recorded
is on it, and keys that did not arrive are dropped.
"""

import fcntl
import json
import os
import select
import signal
import sys
import termios
import threading
import time
import tty
from base64 import b64decode
from collections.abc import Iterator
from contextlib import closing, contextmanager, suppress
from http import HTTPStatus
from http.client import HTTPException
from itertools import count
from typing import Any, NoReturn

from ops.door.connection import Connection, HouseLost, NoHouse, why
from ops.door.session_file import write_token
from ops.door.shell import LOST, USAGE, carried, columns
from ops.ledger.files import data_home

TARGET = "/api/screens"
SILENCE = 4.0  # seconds: the server gives a sign of life each second
AGAIN = 0.3  # seconds between two tries
REDRAWN = 0.7  # seconds in which a screen has taken another size
BEAT = "beat"  # a sign of life
ONE_READ = 1 << 12
CTRL_C = b"\x03"
KILLED = 128  # and the number of the signal
_HUNG_UP = KILLED + signal.SIGHUP
# What a full screen switches on: another screen, no cursor, mouse, focus, pasting, frames.
_ALL_OFF = b"\x1b[?1049l\x1b[?25h\x1b[0m" + b"".join(
    b"\x1b[?%dl" % mode for mode in (1000, 1002, 1003, 1004, 1006, 1015, 2004, 2026)
)


class _Over(Exception):
    """There is nothing more to show; its exit status."""

    def __init__(self, status: int, words: str = "") -> None:
        super().__init__(words)
        self.status = status


def run(address: str, words: list[str], language: str | None) -> int:
    """Shows the screen until it ends; its exit status."""
    try:
        with closing(_Screen(address, words, language)) as screen:
            return screen.show()
    except (HouseLost, NoHouse) as error:
        lost = isinstance(error, HouseLost)
        sys.stderr.write(
            f"The house at {address} cannot be reached: {error}.\n" if lost else f"{error}\n"
        )
        return LOST if lost else USAGE


class _Screen:
    """A screen at the server. One thread shows, another sends what is typed."""

    def __init__(self, address: str, words: list[str], language: str | None) -> None:
        """Raises NoHouse."""
        self._words, self._language = words, language
        self._tty = sys.stdin is not None and sys.stdin.isatty() and sys.stdout.isatty()
        self._frames = Connection(address)
        self._keys = Connection(address, patience=1.0)
        self._seat, self._seat_held = _free_seat()
        self._name = ""  # at the server
        self._seen = 0  # the last frame
        self._typed, self._sent = bytearray(), 0  # not sent yet; bytes that were
        self._no_more = False
        self._lost = ""  # why the server cannot be reached
        self._less_since = 0.0  # when it was given one row less, to draw itself again; 0: never
        self._ending = False
        self._ended = False  # by itself, so that it has switched off what it switched on
        self._woken, self._waker = os.pipe()
        self._turned_away = ""  # why this terminal may not come in any more
        self._lock, self._posting = threading.Lock(), threading.Lock()

    def show(self) -> int:
        """Until it ends; its exit status. Raises HouseLost, if it never began."""
        with self._raw():
            try:
                self._open()
                threading.Thread(target=self._send, name="keys", daemon=True).start()
                while True:
                    self._follow()
            except _Over as over:
                status, words = over.status, str(over)
        if words:
            sys.stderr.write(f"{words}\n")
        return status

    def _open(self) -> None:
        """Opens it at the server. Raises HouseLost, _Over."""
        width, height = _size()
        asked = {
            "words": self._words,
            "tty": self._tty,
            "seat": self._seat,
            "columns": width,
            "rows": height,
            "terminal": carried(self._language),
        }
        status, content = self._frames.post(TARGET, json.dumps(asked).encode())
        answer = _object(content)
        if status != HTTPStatus.OK or "screen" not in answer:
            raise _Over(int(answer.get("exit_status", 1)), str(answer.get("message", status)))
        with self._lock:
            self._name, self._seen, self._sent = answer["screen"], 0, 0

    # What it shows
    def _follow(self) -> None:
        """Shows frames until the connection breaks, and waits until it can be made again."""
        try:
            with self._frames.stream(
                f"{TARGET}/{self._name}?after={self._seen}", SILENCE
            ) as answer:
                if answer.status == HTTPStatus.NOT_FOUND:
                    self._begin_anew()
                    return
                if answer.status != HTTPStatus.OK:
                    refused = _object(answer.read())
                    if answer.status < HTTPStatus.INTERNAL_SERVER_ERROR:
                        raise _Over(
                            int(refused.get("exit_status", 1)),
                            str(refused.get("message", answer.status)),
                        )
                    raise OSError(str(refused.get("message", answer.status)).rstrip("."))
                self._reach_again()
                for number, kind, text in _events(answer):
                    if kind != BEAT:
                        self._take(kind, text)
                        self._seen = number
                    self._be_whole()
            raise OSError("it closed the connection")
        except (OSError, HTTPException) as error:
            self._lose(error)
        time.sleep(AGAIN)

    def _take(self, kind: str, text: str) -> None:
        if kind == "out":
            _write(1, b64decode(text))
        elif kind == "err":
            _write(2, b64decode(text))
        elif kind == "token":
            write_token(text)
        elif kind == "end":
            status = int(text)
            self._ended = status < KILLED
            raise _Over(status)

    def _begin_anew(self) -> None:
        """The server was started again, or gave the screen up."""
        if not self._tty and not sys.stdin.isatty():
            raise _Over(
                LOST,
                "The house server was started again. Answered lines are recorded, the last one may "
                "be: look before you send it again.",
            )
        with self._lock:
            self._typed.clear()
        try:
            self._open()
        except HouseLost as error:
            self._lose(error)
            time.sleep(AGAIN)
            return
        self._reach_again(anew=True)

    def _lose(self, error: Exception) -> None:
        if self._ending:
            raise _Over(LOST)
        if self._lost:
            return
        self._lost = why(error) if not isinstance(error, HouseLost) else str(error)
        lines = (
            f" The house cannot be reached: {self._lost}.",
            " Trying again. What you type now may be lost. Ctrl-C leaves.",
        )
        if not self._tty:
            _write(2, "".join(f"{each.strip()}\n" for each in lines).encode())
            return
        width, height = _size()
        drawn = "".join(
            f"\x1b[{height - 1 + at};1H\x1b[0;7m{line[:width]:<{width}}\x1b[0m"
            for at, line in enumerate(lines)
        )
        _write(1, f"\x1b7{drawn}\x1b8".encode())

    def _reach_again(self, *, anew: bool = False) -> None:
        """The server is there again."""
        if not self._lost:
            return
        self._lost = ""
        if not self._tty:
            _write(2, b"The house is back.\n")
        elif not anew:  # the screen draws all of itself again when its size changes
            self._tell_size(less=1)
            self._less_since = time.monotonic()
        self._wake()

    def _be_whole(self) -> None:
        """Gives the screen its size again, after it has drawn itself with less."""
        if self._less_since and time.monotonic() - self._less_since > REDRAWN:
            self._less_since = 0.0
            self._tell_size()

    def _tell_size(self, less: int = 0) -> None:
        width, height = _size()
        self._post(f"size?columns={width}&rows={height - less}")

    # What is typed
    def _send(self) -> None:
        """Sends what is typed, until the end."""
        reads = {self._woken, 0}
        while not self._ending:
            ready, _, _ = select.select(list(reads), [], [], None if self._is_sent else AGAIN)
            if self._woken in ready:
                self._learn_size(os.read(self._woken, ONE_READ))
            if 0 in ready:
                keys = _read_keys()
                if not keys:
                    reads.discard(0)
                    self._no_more = True
                    if self._tty:  # it hung up
                        _signal(signal.SIGHUP)
                self._press(keys)
            self._send_typed()

    @property
    def _is_sent(self) -> bool:
        return not self._typed and not self._no_more

    def _press(self, keys: bytes) -> None:
        if self._lost and CTRL_C in keys:
            self._ending = True
            _signal(signal.SIGINT)
            return
        with self._lock:
            self._typed += keys

    def _send_typed(self) -> None:
        with self._lock:
            name, at, keys = self._name, self._sent, bytes(self._typed[:ONE_READ])
            last = self._no_more and len(keys) == len(self._typed)
        if self._lost or not (keys or last):
            return
        status = self._post(f"keys?at={at}{'&end=1' if last else ''}", keys)
        if status == HTTPStatus.NO_CONTENT:
            with self._lock:
                if name == self._name:
                    del self._typed[: len(keys)]
                    self._sent += len(keys)
                    self._no_more &= not last

    def _post(self, what: str, body: bytes = b"") -> int:
        """The status of the answer; 0 if there is none."""
        try:
            with self._posting:
                status, content = self._keys.post(f"{TARGET}/{self._name}/{what}", body)
        except HouseLost:
            return 0
        if status in (HTTPStatus.UNAUTHORIZED, HTTPStatus.FORBIDDEN):
            self._turned_away = str(_object(content).get("message", status))
            _signal(signal.SIGUSR1)
        return status

    def _wake(self) -> None:
        os.write(self._waker, b".")

    def _learn_size(self, woken: bytes) -> None:
        if bytes([signal.SIGWINCH]) in woken:
            self._tell_size()

    @contextmanager
    def _raw(self) -> Iterator[None]:
        """The terminal gives every key as it is; afterwards it is as it was before."""
        before = {each: signal.signal(each, _end) for each in (signal.SIGTERM, signal.SIGHUP)}
        signal.signal(signal.SIGUSR1, self._end_refused)
        if not self._tty:
            try:
                yield
            finally:
                _give_back(before)
            return
        signal.signal(signal.SIGWINCH, lambda *_: None)
        os.set_blocking(self._waker, False)
        woken_before = signal.set_wakeup_fd(self._waker, warn_on_full_buffer=False)
        settings = termios.tcgetattr(0)
        tty.setraw(0, termios.TCSADRAIN)
        try:
            yield
        except KeyboardInterrupt:
            raise SystemExit(KILLED + signal.SIGINT) from None
        finally:
            if not self._ended:
                with suppress(OSError):
                    os.write(1, _ALL_OFF)
            with suppress(termios.error):
                termios.tcsetattr(0, termios.TCSADRAIN, settings)
            signal.set_wakeup_fd(woken_before)
            _give_back(before)

    def _end_refused(self, *_: object) -> NoReturn:
        raise _Over(1, self._turned_away)

    def close(self) -> None:
        """Ends it at the server, if it has not ended there."""
        self._ending = True
        if self._name and not self._lost:
            self._post("end")
        self._wake()
        self._frames.close()
        os.close(self._seat_held)


def _free_seat() -> tuple[int, int]:
    """The number of a window of this terminal that no other process has; and the file it holds.

    A window that is opened again after a kill has the same number.
    """
    place = data_home() / "screens"
    place.mkdir(parents=True, exist_ok=True, mode=0o700)
    for seat in count(1):
        file = os.open(place / f"{seat}.lock", os.O_RDWR | os.O_CREAT | os.O_CLOEXEC, 0o600)
        try:
            fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            os.close(file)
        else:
            return seat, file
    raise AssertionError


def _give_back(handlers: dict[signal.Signals, Any]) -> None:
    for each, handler in handlers.items():
        signal.signal(each, handler)
    signal.signal(signal.SIGUSR1, signal.SIG_IGN)


def _signal(number: signal.Signals) -> None:
    """Interrupts the thread that shows."""
    ident = threading.main_thread().ident
    assert ident is not None
    signal.pthread_kill(ident, number)


def _end(by: int, _: object) -> NoReturn:
    sys.exit(KILLED + by)


def _events(answer: object) -> Iterator[tuple[int, str, str]]:
    """Events of a stream, and signs of life: number, kind and data."""
    number, kind = 0, ""
    for raw in answer:  # type: ignore[attr-defined]
        name, _, value = raw.decode().rstrip("\r\n").partition(": ")
        if raw.startswith(b":"):
            yield 0, BEAT, ""
        elif name == "id":
            number = int(value)
        elif name == "event":
            kind = value
        elif name == "data":
            yield number, kind, value


def _object(content: bytes) -> dict[str, Any]:
    try:
        read = json.loads(content)
    except ValueError:
        return {}
    return read if isinstance(read, dict) else {}


def _size() -> tuple[int, int]:
    """Columns and rows of the terminal."""
    with suppress(OSError, ValueError):
        size = os.get_terminal_size(sys.stdout.fileno())
        return size.columns or 80, size.lines or 24
    return columns(), 24


def _read_keys() -> bytes:
    """What was typed; nothing at the end, or when the terminal hung up."""
    try:
        return os.read(0, ONE_READ)
    except OSError:
        return b""


def _write(file: int, data: bytes) -> None:
    """Writes all of it. Raises _Over if nobody can see it."""
    try:
        while data:
            data = data[os.write(file, data) :]
    except OSError as error:
        raise _Over(_HUNG_UP) from error
