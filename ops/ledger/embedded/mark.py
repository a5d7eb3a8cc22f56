"""The file in the home that records that a ledger was made, and its place.

The ledger's directory may be on a disk that is not mounted, or may have been moved. Without this
file Sabot would then make an empty ledger, and the house would continue without its record.
"""

from __future__ import annotations

import os
from typing import TYPE_CHECKING

from msgspec import Struct

from ops.ledger.embedded.place import EmbeddedError
from ops.ledger.files import to_disk

if TYPE_CHECKING:
    from pathlib import Path

NAME = "ledger-lies-in.txt"  # never renamed: a home without it begins with an empty ledger
UNFINISHED = "restore-not-finished.txt"
_UNFINISHED = """\
A restore into this home has not ended. While this file is here, Sabot makes no new ledger: run
`sabot db restore` again. Remove this file only if you want to begin with an empty ledger.
"""
MEANING = """\

Sabot's ledger is in the directory that the first line names. While this file is here, Sabot makes
no new ledger: if that directory is missing, put it back, or mount its disk. Remove this file only
if you want to begin with an empty ledger.
"""


class Mark(Struct, frozen=True):
    """The file in the home with the path of its cluster."""

    path: Path
    cluster: Path

    def exists(self) -> bool:
        """Whether a ledger was ever made for this home; a cheap check."""
        return self.path.exists()

    def set(self) -> None:
        """Writes the file to disk, with the cluster's path as it is now."""
        text = os.fsencode(f"{self.cluster}\n{MEANING}")
        if self._read() == text:
            return
        self.path.parent.mkdir(parents=True, exist_ok=True)
        fresh = self.path.with_name(f"{NAME}.{os.getpid()}.part")
        with fresh.open("wb") as file:
            file.write(text)
            file.flush()
            os.fsync(file.fileno())
        fresh.replace(self.path)
        to_disk(self.path.parent)

    def remove(self) -> None:
        """Deletes the file, because the cluster is destroyed."""
        self.path.unlink(missing_ok=True)

    @property
    def unfinished(self) -> Path:
        """The file that is there while a restore has not ended."""
        return self.path.with_name(UNFINISHED)

    def begin_restore(self) -> None:
        """From now on nothing makes a new ledger here, until the restore has ended."""
        self.unfinished.write_text(_UNFINISHED)

    def require_finished(self) -> None:
        """Raises EmbeddedError if a restore did not end."""
        if self.unfinished.exists():
            raise EmbeddedError(
                f"a restore into this home did not end: run `sabot db restore` again. To begin "
                f"with an empty ledger instead, remove {self.unfinished}"
            )

    def missing(self) -> EmbeddedError:
        """The error for a missing cluster: where it should be, and what to do."""
        before = os.fsdecode(self._read().split(b"\n")[0])
        remedy = "mount its disk, or put the directory back"
        if before not in ("", str(self.cluster)):
            remedy = (
                f"its home was moved or copied, and before that the ledger was in {before}. Put "
                f"the home back; or, if no other home uses that directory, stop its server and "
                f"move it to {self.cluster}"
            )
        return EmbeddedError(
            f"its directory {self.cluster} is missing: {remedy}. To begin with an empty ledger "
            f"instead, remove {self.path}"
        )

    def _read(self) -> bytes:
        try:
            return self.path.read_bytes()
        except FileNotFoundError:
            return b""
