"""The keyboard of a face, as it is read: a byte that is no letter is nothing, and ends nothing.

Escape is a key of its own, however soon the next one follows: at the speed of a dealer, or when a
slow line brings both together, they would be read as one with Alt, which means nothing here. A
terminal that is gone ends the face: nobody will ever type there again.
"""

import os
import re
import select
import signal
from codecs import getincrementaldecoder
from collections.abc import Iterable
from contextlib import suppress
from threading import Thread

from textual._xterm_parser import XTermParser
from textual.drivers.linux_driver import LinuxDriver
from textual.message import Message

LOOK = 500  # milliseconds between two looks whether the face has ended
TICK = 100  # milliseconds between two looks whether an escape was all there was
ESCAPE = "\x1b"
_BEGINS = "[O"  # what stands behind an escape in what keys and terminals send
_WHOLE = "[27u"  # behind an escape: that it was that key, as newer terminals say it
_ALONE = re.compile(rf"{ESCAPE}(?=[^{ESCAPE}{re.escape(_BEGINS)}])")


class Keys(XTermParser):
    """Reads what a terminal sends, one Escape as one key."""

    _begun = False  # whether an escape came last, and nobody knows yet what it begins

    def feed(self, data: str) -> Iterable[Message]:
        """The keys that are whole."""
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
        Thread(target=self._watch, daemon=True).start()
        keys, decode = Keys(self._debug), getincrementaldecoder("utf-8")("ignore").decode
        typed = select.poll()
        typed.register(self.fileno, select.POLLIN)
        with suppress(OSError):
            while not self.exit_event.is_set():
                if typed.poll(TICK) and (data := decode(os.read(self.fileno, 1 << 12))):
                    self._press(keys.feed(data))
                self._press(keys.tick())

    def _press(self, keys: Iterable[Message]) -> None:
        for key in keys:
            self.process_message(key)

    def _watch(self) -> None:
        """Nothing is read from a terminal that is gone, again and again."""
        terminal = select.poll()
        terminal.register(self.fileno, 0)  # that it hung up is told unasked
        while not self.exit_event.is_set():
            if terminal.poll(LOOK):
                with suppress(RuntimeError):  # it has ended by itself meanwhile
                    self._app.call_from_thread(self._app.exit, return_code=128 + signal.SIGHUP)
                return
