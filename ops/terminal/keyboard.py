"""The keyboard of a face, as it is read: a byte that is no letter is nothing, and ends nothing.

A terminal that is gone ends the face: nobody will ever type there again.
"""

import select
import signal
from contextlib import suppress
from threading import Thread

from textual._xterm_parser import XTermParser
from textual.drivers.linux_driver import LinuxDriver

LOOK = 500  # milliseconds between two looks whether the face has ended


class Keyboard(LinuxDriver):
    """Textual's own, which a byte that is no UTF-8 would stop: another locale's, or line noise."""

    def run_input_thread(self) -> None:
        """Until the face has ended; what came with such a byte is heard, and reading goes on."""
        Thread(target=self._watch, daemon=True).start()
        while not self.exit_event.is_set():
            try:
                super().run_input_thread()
            except UnicodeDecodeError as error:
                for event in XTermParser().feed(error.object.decode(errors="ignore")):
                    self.process_message(event)
            except OSError:
                return  # the terminal is gone, which ends the face

    def _watch(self) -> None:
        """Textual reads nothing from a terminal that is gone, again and again."""
        terminal = select.poll()
        terminal.register(self.fileno, 0)  # that it hung up is told unasked
        while not self.exit_event.is_set():
            if terminal.poll(LOOK):
                with suppress(RuntimeError):  # it has ended by itself meanwhile
                    self._app.call_from_thread(self._app.exit, return_code=128 + signal.SIGHUP)
                return
