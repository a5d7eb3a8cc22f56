"""What was typed and answered at a terminal, for the one that is started after it.

A file beside the journal, of which the last lines are kept. Each entry is written at once, so that
a kill of the process loses none. No PIN is ever written to it.
"""

import os
from contextlib import suppress
from pathlib import Path

import msgspec

from domain.rules.pins import may_be_pin

MOST = 200  # entries that are shown again
TYPED = "typed"  # the kind of an entry that is a line as it was typed
Entry = tuple[str, str]  # its kind, and the words


class Log:
    """One terminal's log; `past`: what a terminal before it left."""

    def __init__(self, path: Path) -> None:
        self._path = path
        content = self._content()
        lines = content.splitlines()
        self.past = _read(lines)
        torn = bool(content) and not content.endswith(b"\n")
        if torn or len(lines) > 2 * MOST:
            with suppress(OSError):
                self._shorten()

    def write(self, kind: str, words: str) -> None:
        """Adds an entry; nothing that may be a PIN. Raises OSError."""
        if not may_be_pin(words):
            self._append(msgspec.json.encode((kind, words)) + b"\n")

    def _append(self, entry: bytes) -> None:
        file = os.open(self._path, os.O_WRONLY | os.O_CREAT | os.O_APPEND | os.O_CLOEXEC, 0o600)
        try:
            os.write(file, entry)
        finally:
            os.close(file)

    def _content(self) -> bytes:
        try:
            return self._path.read_bytes()
        except OSError:
            return b""

    def _shorten(self) -> None:
        """Keeps the last entries alone; the old file stays until the new one is whole."""
        part = self._path.with_suffix(".log.part")
        part.unlink(missing_ok=True)
        short = Log(part)
        for entry in self.past:
            short.write(*entry)
        part.replace(self._path)


def _read(lines: list[bytes]) -> list[Entry]:
    """The last entries; a line that was torn is left out."""
    entries = []
    for line in lines:
        with suppress(msgspec.MsgspecError, RecursionError):
            entries.append(msgspec.json.decode(line, type=Entry))
    return entries[-MOST:]
