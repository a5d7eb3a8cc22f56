"""Reads the keyboard of a full screen. Bytes that are no UTF-8 are skipped.

Escape is always a key by itself. A fast dealer, or a slow line that delivers two keys at once,
would otherwise make it Alt and the next key, which means nothing here. From a terminal that is gone
nothing is read, and nothing is written to it, so that the screen can end (`ops.kit.hang_up`).
"""

import os
import re
import select
from codecs import getincrementaldecoder
from collections.abc import Iterable
from contextlib import suppress

from textual._xterm_parser import XTermParser
from textual.drivers.linux_driver import LinuxDriver
from textual.message import Message

TICK = 100  # milliseconds after which an Escape is taken as a key by itself
ESCAPE = "\x1b"
_BEGINS = "[O"  # what follows an escape in sequences of keys and terminals
_WHOLE = "[27u"  # follows an escape: it was the Escape key, as newer terminals send it
_ALONE = re.compile(rf"{ESCAPE}(?=[^{ESCAPE}{re.escape(_BEGINS)}])")


class Keys(XTermParser):
    """Parses what a terminal sends; one Escape is one key."""

    _begun = False  # whether an escape came last, which may begin a sequence

    def feed(self, data: str) -> Iterable[Message]:
        """The complete keys. An Enter pressed before the screen was ready is a line feed."""
        data = data.replace("\n", "\r")
        if self._begun and data[0] not in (*_BEGINS, ESCAPE):
            data = _WHOLE + data
        self._begun = data.endswith(ESCAPE)
        return super().feed(_ALONE.sub(ESCAPE + _WHOLE, data))

    def tick(self) -> Iterable[Message]:
        """An Escape that nothing followed."""
        for key in super().tick():
            self._begun = False
            yield key


class Keyboard(LinuxDriver):
    """Textual's driver, which would stop at a byte that is no UTF-8."""

    def run_input_thread(self) -> None:
        """Reads until the screen has ended, or its terminal is gone."""
        keys, decode = Keys(self._debug), getincrementaldecoder("utf-8")("ignore").decode
        typed = select.poll()
        typed.register(self.fileno, select.POLLIN)
        with suppress(OSError):
            while not self.exit_event.is_set():
                read = os.read(self.fileno, 1 << 12) if typed.poll(TICK) else None
                if read == b"":
                    return  # the terminal is gone
                if data := decode(read or b""):
                    self._press(keys.feed(data))
                self._press(keys.tick())

    def _press(self, keys: Iterable[Message]) -> None:
        for key in keys:
            self.process_message(key)

    def write(self, data: str) -> None:
        """Writes to the terminal, unless it is gone: its queue would soon be full."""
        if self._writer_thread and self._writer_thread.is_alive():
            super().write(data)
