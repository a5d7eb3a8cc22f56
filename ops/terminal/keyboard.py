"""The keyboard of a face, as it is read: a byte that is no letter is nothing, and ends nothing."""

from textual._xterm_parser import XTermParser
from textual.drivers.linux_driver import LinuxDriver


class Keyboard(LinuxDriver):
    """Textual's own, which a byte that is no UTF-8 would stop: another locale's, or line noise."""

    def run_input_thread(self) -> None:
        """Until the face has ended; what came with such a byte is heard, and reading goes on."""
        while not self.exit_event.is_set():
            try:
                super().run_input_thread()
            except UnicodeDecodeError as error:
                for event in XTermParser().feed(error.object.decode(errors="ignore")):
                    self.process_message(event)
