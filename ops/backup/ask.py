"""The files of the log that a server in recovery asks for.

The server runs by itself, perhaps under another account, and never gets the private key: its
restore_command asks in a directory, and this process answers there with the decrypted file.
"""

import os
import shlex
import threading
from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING

from ops.backup.encrypted import BackupFailed

if TYPE_CHECKING:
    from ops.ledger.embedded.programs import Programs

# An exit status above 125 ends the recovery; 1 says that there is no such file.
_ASK = """\
#!/bin/sh
here=$(dirname "$0")
: > "$here/$1.want" || exit 255
waited=0
until [ -e "$here/$1.have" ]; do
    if [ -e "$here/$1.none" ]; then rm -f "$here/$1.none"; exit 1; fi
    waited=$((waited + 1))
    [ $waited -lt 6000 ] || exit 255
    sleep 0.02
done
mv "$here/$1.have" "$2"
"""
_PAUSE = 0.01  # seconds


class Answering:
    """Answers a recovering server until the block ends; `fault` is what could not be read.

    `read`: gives a file of the log by its name, and raises KeyError if there is none.
    """

    def __init__(self, read: Callable[[str], bytes], directory: Path, programs: "Programs") -> None:
        self._read = read
        self._directory, self._programs = directory, programs
        self._stop = threading.Event()
        self._thread = threading.Thread(target=self._answer_all, daemon=True)
        self.fault: BackupFailed | None = None
        self.last = ""  # the newest file that was given

    @property
    def restore_command(self) -> str:
        """For the server's settings."""
        script = shlex.quote(str(self._directory / "ask")).replace("%", "%%")
        return f"/bin/sh {script} %f %p"

    def __enter__(self) -> "Answering":
        self._programs.own(self._directory)
        script = self._directory / "ask"
        script.write_text(_ASK)
        script.chmod(0o755)
        self._thread.start()
        return self

    def __exit__(self, *_: object) -> None:
        self._stop.set()
        self._thread.join()

    def _answer_all(self) -> None:
        while not self._stop.wait(_PAUSE):
            for wanted in self._directory.glob("*.want"):
                wanted.unlink()
                self._answer(wanted.with_suffix("").name)

    def _answer(self, name: str) -> None:
        try:
            content = self._read(name)
        except KeyError:
            (self._directory / f"{name}.none").touch()
            return
        except BackupFailed as error:
            self.fault = error
            (self._directory / f"{name}.none").touch()
            return
        try:
            self._give(name, content)
        except OSError as error:
            self.fault = BackupFailed(f"{name} cannot be written to be restored: {error.strerror}.")
            (self._directory / f"{name}.none").touch()

    def _give(self, name: str, content: bytes) -> None:
        part = self._directory / f"{name}.part"
        part.write_bytes(content)
        part.chmod(0o600)
        os.chown(part, self._programs.uid, self._programs.gid)
        part.rename(self._directory / f"{name}.have")
        self.last = max(self.last, name)
