"""What stays in the home and says that a ledger was made: without it none is made anew.

The cluster may lie on a disk that is not mounted, or its directory may have been moved: whoever
then made an empty one would deal on as if the house had never dealt before.
"""

from __future__ import annotations

import os
from typing import TYPE_CHECKING

from msgspec import Struct

from ops.ledger.embedded.place import EmbeddedError, sync_directory

if TYPE_CHECKING:
    from pathlib import Path

NAME = "ledger-lies-in.txt"
MEANING = """\

Sabot's ledger lies in the directory that the first line names. While this file is here, Sabot
makes no new ledger: if that directory is missing, put it back, or mount its disk. Remove this
file only to begin with an empty ledger on purpose.
"""


class Mark(Struct, frozen=True):
    """A file in the home, with where its cluster lies."""

    path: Path
    cluster: Path

    def stands(self) -> bool:
        """Whether a ledger was ever made for this home; cheap."""
        return self.path.exists()

    def set(self) -> None:
        """On disk, with where the cluster lies now: whoever copies a home brings the mark along."""
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
        sync_directory(self.path.parent)

    def remove(self) -> None:
        """For whoever destroys the cluster."""
        self.path.unlink(missing_ok=True)

    def missing(self) -> EmbeddedError:
        """What is missing, that nothing was made in its place, and what to do."""
        told = os.fsdecode(self._read().split(b"\n")[0])
        mend = "Mount the disk that it is on, or put its directory back there"
        if told not in ("", str(self.cluster)):
            mend = (
                f"This home was moved or copied: its ledger lay in {told}. Put the home back "
                f"where it was; or, if no other home uses that directory, stop its server and "
                f"move it to where it is missing"
            )
        return EmbeddedError(
            f"it is missing from {self.cluster}. Nothing was made anew. {mend}. Only to begin "
            f"with an empty ledger on purpose, remove {self.path}"
        )

    def _read(self) -> bytes:
        try:
            return self.path.read_bytes()
        except FileNotFoundError:
            return b""
