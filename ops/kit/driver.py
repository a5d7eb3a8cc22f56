"""The keyboard of a face, as it is read: a byte that is no letter is nothing, and ends nothing.

Escape is a key of its own, however soon the next one follows: at the speed of a dealer, or when a
slow line brings both together, they would be read as one with Alt, which means nothing here. From
a terminal that is gone nothing is read and to it nothing is written: neither keeps the face from
its end (`ops.kit.hang_up`).
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

TICK = 100  # milliseconds between two looks whether an escape was all there was
ESCAPE = "\x1b"
_BEGINS = "[O"  # what stands behind an escape in what keys and terminals send
_WHOLE = "[27u"  # behind an escape: that it was that key, as newer terminals say it
_ALONE = re.compile(rf"{ESCAPE}(?=[^{ESCAPE}{re.escape(_BEGINS)}])")


class Keys(XTermParser):
    """Reads what a terminal sends, one Escape as one key."""

    _begun = False  # whether an escape came last, and nobody knows yet what it begins

    def feed(self, data: str) -> Iterable[Message]:
        """The keys that are whole.

        An Enter that was pressed before the face had the terminal comes as a line feed.
        """
        data = data.replace("\n", "\r")
        if self._begun and data[0] not in (*_BEGINS, ESCAPE):
            data = _WHOLE + data
        self._begun = data.endswith(ESCAPE)
        return super().feed(_ALONE.sub(ESCAPE + _WHOLE, data))

    def tick(self) -> Iterable[Message]:
        """An escape behind which nothing came."""
        for key in super().tick():
            self._begun = False
            yield key


class Keyboard(LinuxDriver):
    """Textual's own, which a byte that is no UTF-8 would stop: another locale's, or line noise."""

    def run_input_thread(self) -> None:
        """Until the face has ended, or its terminal is gone."""
        keys, decode = Keys(self._debug), getincrementaldecoder("utf-8")("ignore").decode
        typed = select.poll()
        typed.register(self.fileno, select.POLLIN)
        with suppress(OSError):
            while not self.exit_event.is_set():
                if typed.poll(TICK):
                    read = os.read(self.fileno, 1 << 12)
                    if not read:
                        return  # it is gone, and would be found so again and again
                    if data := decode(read):
                        self._press(keys.feed(data))
                self._press(keys.tick())

    def _press(self, keys: Iterable[Message]) -> None:
        for key in keys:
            self.process_message(key)

    def write(self, data: str) -> None:
        """To the terminal; where nobody takes it any more, its queue would soon be full."""
        if self._writer_thread and self._writer_thread.is_alive():
            super().write(data)
