"""The bench's own servers: one on the disk as it is, one whose every flush takes longer.

Both are embedded, with fsync on, and are deleted when the block ends.
"""

import shutil
import subprocess
import tempfile
from collections.abc import Iterator
from contextlib import closing, contextmanager
from pathlib import Path

from ops.ledger.embedded import Embedded, programs
from tests.conftest import Server

FLUSH_US = 2_000  # microseconds that each flush of the slow disk takes longer


class Kept(Server):
    """A server whose databases are not dropped: a drop waits for a checkpoint and slows others."""

    def _leave(self, name: str) -> None:
        """Drops nothing."""


@contextmanager
def server() -> Iterator[Server]:
    """A server for the bench's databases."""
    with _place() as place:
        home = Embedded(place / "home")
        try:
            home.ensure_running()
            with closing(Kept(home.url())) as made:
                yield made
        finally:
            home.destroy()


@contextmanager
def slow_server(flush_us: int = FLUSH_US) -> Iterator[Server]:
    """A server with slow flushes. Raises FileNotFoundError without a C compiler."""
    with _place() as place:
        library = place / "slow_flush.so"
        source = Path(__file__).with_name("slow_flush.c")
        subprocess.run(
            ["cc", "-shared", "-fPIC", "-O2", "-o", str(library), str(source), "-ldl"], check=True
        )
        home = Embedded(place / "home")
        try:
            home.ensure_running()
            home.stop()
            with _preloaded(library, flush_us):
                home.ensure_running()
            with closing(Kept(home.url())) as made:
                yield made
        finally:
            home.destroy()


@contextmanager
def _preloaded(library: Path, flush_us: int) -> Iterator[None]:
    added = {"LD_PRELOAD": str(library), "SLOW_FLUSH_US": str(flush_us)}
    programs.ENVIRONMENT |= added
    try:
        yield
    finally:
        for name in added:
            programs.ENVIRONMENT.pop(name)


@contextmanager
def _place() -> Iterator[Path]:
    place = Path(tempfile.mkdtemp(prefix="sabot-bench-"))
    place.chmod(0o755)  # root's server runs under another account
    try:
        yield place
    finally:
        shutil.rmtree(place, ignore_errors=True)
