"""A whole log as static files (C2SP tlog-tiles), which any web server can serve.

>>> tile_path(0, 1234067), tile_path(1, 0, 17)
('tile/0/x001/x234/067', 'tile/1/000.p/17')
>>> bundle([b"ab", b""]).hex()
'000261620000'
"""

import itertools
from collections.abc import Callable, Iterable, Iterator
from contextlib import suppress
from pathlib import Path

from ops.ledger.files import write_whole
from ops.proof.checkpoint import Checkpoint
from ops.proof.note import NotGood
from ops.proof.tree import HASH, WIDTH, Growing, NotProven, Tile, Tiles, leaf_hash
from ops.proof.tree import root as root_of

Entries = Callable[[int], Iterable[bytes]]  # those after a position, in order
LONGEST = 0xFFFF  # bytes of an entry
CHECKPOINT = "checkpoint"
NEWS = "news"  # at a house server: a stream that wakes who pulls
ENTRIES = "entries"


class EntryTooLong(NotProven):
    """An entry has more bytes than the format of bundles can hold; `position` names the event."""

    def __init__(self, position: int, length: int) -> None:
        super().__init__(
            f"The event at position {position} has {length:,} bytes, and tiles hold at most "
            f"{LONGEST:,} for each."
        )
        self.position = position


class OtherLog(NotProven):
    """A directory has tiles of another log, or of this one before it was rewritten."""


def tile_path(level: int | str, index: int, width: int = WIDTH) -> str:
    """The path of a tile; `level` is `entries` for a bundle of entries."""
    groups = [f"{index % 1000:03}"]
    while index := index // 1000:
        groups.insert(0, f"x{index % 1000:03}")
    partial = "" if width == WIDTH else f".p/{width}"
    return f"tile/{level}/{'/'.join(groups)}{partial}"


def bundle(entries: Iterable[bytes], after: int = 0) -> bytes:
    """Entries, each after its length. Raises EntryTooLong; `after` is the position before them."""
    parts: list[bytes] = []
    for position, entry in enumerate(entries, after + 1):
        if len(entry) > LONGEST:
            raise EntryTooLong(position, len(entry))
        parts += (len(entry).to_bytes(2), entry)
    return b"".join(parts)


def entries_of(content: bytes) -> list[bytes]:
    """The entries of a bundle. Raises NotProven."""
    entries, at = [], 0
    while at < len(content):
        end = at + 2 + int.from_bytes(content[at : at + 2])
        if at + 2 > len(content) or end > len(content):
            raise NotProven("A bundle of entries ends in the middle of an entry.")
        entries.append(content[at + 2 : end])
        at = end
    return entries


def tiles_in(directory: Path) -> Tiles:
    """Reads the tiles that were written to a directory."""

    def read(level: int, index: int, width: int) -> bytes:
        for held in dict.fromkeys((width, WIDTH)):
            with suppress(FileNotFoundError):
                return (directory / tile_path(level, index, held)).read_bytes()[: width * HASH]
        raise NotProven(f"{directory / tile_path(level, index, width)} is missing.")

    return read


def entries_in(
    directory: Path, size: int, after: int = 0, until: int | None = None
) -> Iterator[bytes]:
    """The entries of a log of that size that was written to a directory: those after a position.

    Up to another one, if it is given. Raises NotProven for a bundle that is missing or too short.
    """
    until = size if until is None else until
    for index in range(after // WIDTH, (until + WIDTH - 1) // WIDTH):
        first, width = index * WIDTH, min(WIDTH, size - index * WIDTH)
        entries: list[bytes] = []
        for held in dict.fromkeys((width, WIDTH)):
            with suppress(FileNotFoundError):
                entries = entries_of((directory / tile_path(ENTRIES, index, held)).read_bytes())
        if len(entries) < width:
            raise NotProven(f"{directory / tile_path(ENTRIES, index, width)} is missing.")
        yield from entries[max(0, after - first) : min(width, until - first)]


def write_log(
    directory: Path, entries_after: Entries, size: int, root: bytes, checkpoint: bytes
) -> int:
    """Writes a log of `size` entries, the checkpoint last; returns how many files were written.

    Each file appears whole or not at all. A directory that has an earlier part of the log gets what
    is new, and only entries after the last full tile there are asked for. Raises NotProven if the
    entries have another root, EntryTooLong, and OtherLog if what is there is no part of this log;
    then the checkpoint there is not replaced.
    """
    there = _in_place(directory, checkpoint)
    if there and (there.size > size or (there.size == size and there.root != root)):
        raise _other(directory, there.size)
    first = there.size // WIDTH * WIDTH if there else 0
    writing = _Writing(directory, first)
    tree = Growing.resumed(first, tiles_in(directory), writing.write_tile)
    for entry in itertools.islice(entries_after(first), size - first):
        writing.entries.append(entry)
        tree.add(leaf_hash(entry))
        if there and tree.size == there.size and tree.root() != there.root:
            raise _other(directory, there.size)
    for tile in tree.partial():
        writing.write_tile(tile)
    if tree.size != size or tree.root() != root:
        raise NotProven(f"The {tree.size:,} events do not have the root of the checkpoint.")
    writing.replace(CHECKPOINT, checkpoint)
    return writing.files


def _in_place(directory: Path, checkpoint: bytes) -> Checkpoint | None:
    """The checkpoint of a directory, whose tiles have its root; None if nothing is there.

    Raises OtherLog for a directory of another log, as of an epoch before, and for a damaged one.
    """
    try:
        there = (directory / CHECKPOINT).read_bytes()
    except FileNotFoundError:
        return None
    name = there.partition(b"\n")[0]
    if name != checkpoint.partition(b"\n")[0]:
        raise OtherLog(
            f"{directory} has the log {name.decode(errors='replace')}: keep that directory as "
            "evidence, and export to another one."
        )
    try:
        written = Checkpoint.of(there.decode())
        good = root_of(written.size, tiles_in(directory)) == written.root
    except (NotGood, NotProven, UnicodeDecodeError):
        good = False
    if not good:
        raise OtherLog(
            f"The files in {directory} do not fit the checkpoint there: somebody changed them. "
            "Keep that directory as evidence, and export to another one."
        )
    return written


def _other(directory: Path, size: int) -> OtherLog:
    return OtherLog(
        f"{directory} has {size:,} events that this log does not begin with: keep that directory "
        "as evidence, and export to another one."
    )


class _Writing:
    """The files of a log in a directory, as they are written."""

    def __init__(self, directory: Path, after: int) -> None:
        self.files = 0
        self._directory = directory
        self.entries: list[bytes] = []  # of the tile that is written next
        self._after = after  # the position before them

    def write_tile(self, tile: Tile) -> None:
        """Writes a tile, and the entries of a tile of leaves."""
        if tile.level == 0:
            entries = bundle(self.entries, self._after)
            self.replace(tile_path(ENTRIES, tile.index, tile.width), entries)
            self._after += len(self.entries)
            self.entries = []
        self.replace(tile_path(tile.level, tile.index, tile.width), tile.hashes)

    def replace(self, name: str, content: bytes) -> None:
        """Writes a file beside its place, waits for the disk, and puts it there."""
        path = self._directory / name
        path.parent.mkdir(parents=True, exist_ok=True)
        write_whole(path, content)
        self.files += 1
