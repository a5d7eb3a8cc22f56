"""The hash tree of RFC 9162 (2.1) over the events: its root, and proofs of inclusion and growth.

A leaf is the canonical form of an event; its index is the event's position less 1. Hashes are read
from tiles (C2SP tlog-tiles): tile `index` of level L has up to 256 hashes, each the root of 256**L
leaves. So a proof reads a few tiles, however many leaves there are.

>>> tree = Growing()
>>> for data in (b"", b"\\x00", b"\\x10"):
...     tree.add(leaf_hash(data))
>>> tree.root().hex()[:8], tree.size
('aeb6bcfe', 3)
>>> proof = inclusion(1, 3, tree.tile)
>>> verify_inclusion(leaf_hash(b"\\x00"), 1, 3, proof, tree.root())
>>> verify_inclusion(leaf_hash(b"\\x01"), 1, 3, proof, tree.root())
Traceback (most recent call last):
...
ops.proof.tree.NotProven: Leaf 1 is not in the tree of 3 with this root.
"""

from collections.abc import Callable, Iterator, Sequence
from hashlib import sha256

from msgspec import Struct

HASH = 32  # bytes
PAIR = 2 * HASH
HEIGHT = 8  # of a tile
WIDTH = 1 << HEIGHT  # hashes of a full tile
FULL = WIDTH * HASH  # bytes of a full tile
EMPTY_ROOT = sha256(b"").digest()

# Reads the first `width` hashes of a tile: (level, index, width) -> width * 32 bytes.
Tiles = Callable[[int, int, int], bytes]


class NotProven(Exception):
    """What was to be proven is not; the message says why."""


class Tile(Struct, frozen=True):
    """The hashes of a tile, one after the other; 256 of them when it is full."""

    level: int
    index: int
    hashes: bytes

    @property
    def width(self) -> int:
        """How many hashes the tile has."""
        return len(self.hashes) // HASH


def leaf_hash(data: bytes) -> bytes:
    """The hash of a leaf."""
    return sha256(b"\x00" + data).digest()


def node_hash(left: bytes, right: bytes) -> bytes:
    """The hash of two subtrees put together."""
    return sha256(b"\x01" + left + right).digest()


def root(size: int, tiles: Tiles) -> bytes:
    """The root of the first `size` leaves. Raises NotProven if a tile is too short."""
    return _Reading(size, tiles).subtree(0, size)


def inclusion(index: int, size: int, tiles: Tiles) -> list[bytes]:
    """The proof that leaf `index` is in the tree of `size` leaves, the leaf's sibling first."""
    if not 0 <= index < size:
        raise NotProven(f"A tree of {size} has no leaf {index}.")
    reading = _Reading(size, tiles)
    path: list[bytes] = []
    first, last = 0, size
    while last - first > 1:
        middle = first + _split(last - first)
        if index < middle:
            path.append(reading.subtree(middle, last))
            last = middle
        else:
            path.append(reading.subtree(first, middle))
            first = middle
    return path[::-1]


def consistency(old: int, new: int, tiles: Tiles) -> list[bytes]:
    """The proof that the tree of `new` leaves begins with all leaves of the tree of `old`."""
    if not 0 <= old <= new:
        raise NotProven(f"A tree of {new} cannot have grown from a tree of {old}.")
    if old in (0, new):
        return []
    reading = _Reading(new, tiles)
    path: list[bytes] = []
    first, last, whole = 0, new, True  # whole: the old tree's root is known to the verifier
    while old != last:
        middle = first + _split(last - first)
        if old <= middle:
            path.append(reading.subtree(middle, last))
            last = middle
        else:
            path.append(reading.subtree(first, middle))
            first, whole = middle, False
    if not whole:
        path.append(reading.subtree(first, last))
    return path[::-1]


def verify_inclusion(
    leaf: bytes, index: int, size: int, proof: Sequence[bytes], root: bytes
) -> None:
    """Checks that a leaf, given by its hash, has this index in the tree with this root.

    Raises NotProven.
    """
    if not 0 <= index < size:
        raise NotProven(f"A tree of {size} has no leaf {index}.")
    hashed = leaf
    for sibling, is_left in _sides(index, size - 1, proof, f"The proof of leaf {index}"):
        hashed = node_hash(sibling, hashed) if is_left else node_hash(hashed, sibling)
    if hashed != root:
        raise NotProven(f"Leaf {index} is not in the tree of {size} with this root.")


def verify_consistency(
    old: int, new: int, proof: Sequence[bytes], old_root: bytes, new_root: bytes
) -> None:
    """Checks that the new tree begins with every leaf of the old one. Raises NotProven."""
    if not 0 <= old <= new:
        raise NotProven(f"A tree of {new} cannot have grown from a tree of {old}.")
    differs = NotProven(f"The tree of {new} does not begin with the leaves of the tree of {old}.")
    if old in (0, new):
        if proof:
            raise NotProven(f"From {old} to {new}, a proof must be empty.")
        if old_root != (EMPTY_ROOT if old == 0 else new_root):
            raise differs
        return
    hashes = list(proof) if old & (old - 1) else [old_root, *proof]
    if not hashes:
        raise NotProven(f"The proof from {old} to {new} has too few hashes.")
    at, last = old - 1, new - 1
    while at & 1:
        at, last = at >> 1, last >> 1
    before = after = hashes[0]
    for sibling, is_left in _sides(at, last, hashes[1:], f"The proof from {old} to {new}"):
        before = node_hash(sibling, before) if is_left else before
        after = node_hash(sibling, after) if is_left else node_hash(after, sibling)
    if (before, after) != (old_root, new_root):
        raise differs


def _sides(at: int, last: int, proof: Sequence[bytes], what: str) -> Iterator[tuple[bytes, bool]]:
    """Each hash on the way up from node `at` of `last + 1`, and whether it is on the left."""
    for sibling in proof:
        if last == 0:
            raise NotProven(f"{what} has too many hashes.")
        is_left = bool(at & 1) or at == last
        yield sibling, is_left
        while is_left and at and not at & 1:
            at, last = at >> 1, last >> 1
        at, last = at >> 1, last >> 1
    if last:
        raise NotProven(f"{what} has too few hashes.")


def width_of(level: int, index: int, size: int) -> int:
    """How many hashes a tile has in a tree of `size` leaves."""
    return max(0, min(WIDTH, (size >> HEIGHT * level) - index * WIDTH))


class Growing:
    """A tree that grows leaf by leaf, in constant memory: only its last tiles are held.

    `finished` is called with each tile as it becomes full.
    """

    def __init__(self, finished: Callable[[Tile], object] = lambda _: None) -> None:
        self.size = 0
        self._finished = finished
        self._edge: list[bytearray] = [bytearray()]  # by level: the hashes of the last tile

    @classmethod
    def resumed(
        cls, size: int, tiles: Tiles, finished: Callable[[Tile], object] = lambda _: None
    ) -> "Growing":
        """The tree of `size` leaves, read from its tiles, to grow from there."""
        tree = cls(finished)
        tree.size = size
        tree._edge = []
        level = 0
        while level == 0 or size >> HEIGHT * level:
            index, width = divmod(size >> HEIGHT * level, WIDTH)
            tree._edge.append(bytearray(_read(tiles, level, index, width) if width else b""))
            level += 1
        return tree

    def add(self, leaves: bytes) -> None:
        """Adds a leaf, given by its hash; or several, by their hashes one after the other."""
        edge, at = self._edge[0], 0
        while at < len(leaves):
            added = leaves[at : at + FULL - len(edge)]
            edge += added
            at += len(added)
            self.size += len(added) // HASH
            if len(edge) == FULL:
                self._carry()

    def _carry(self) -> None:
        """Hands out the tiles that are full now, and puts the root of each into the level above."""
        for level, edge in enumerate(self._edge):
            if len(edge) < FULL:
                return
            tile = Tile(level, (self.size >> HEIGHT * (level + 1)) - 1, bytes(edge))
            edge.clear()
            if level + 1 == len(self._edge):
                self._edge.append(bytearray())
            self._edge[level + 1] += _root_of(tile.hashes)
            self._finished(tile)

    @property
    def edge(self) -> list[bytes]:
        """The hashes of the last tile of each level, from which the tree can be resumed."""
        return [bytes(hashes) for hashes in self._edge]

    def root(self) -> bytes:
        """The root of all leaves added so far."""
        rest = b""
        for edge in self._edge:
            rest = _root_of(edge + rest)
        return rest or EMPTY_ROOT

    def partial(self) -> list[Tile]:
        """The last tile of each level, where it is neither empty nor full."""
        return [
            Tile(level, self.size >> HEIGHT * (level + 1), bytes(edge))
            for level, edge in enumerate(self._edge)
            if edge
        ]

    def tile(self, level: int, index: int, width: int) -> bytes:
        """Reads one of the last tiles. Raises NotProven for a tile that is not held."""
        if level < len(self._edge) and index == self.size >> HEIGHT * (level + 1):
            return bytes(self._edge[level][: width * HASH])
        raise NotProven(f"Tile {index} of level {level} is not held in memory.")


class _Reading:
    """Reads the roots of subtrees from the tiles of a tree of one size, each tile once."""

    def __init__(self, size: int, tiles: Tiles) -> None:
        self._size = size
        self._tiles = tiles
        self._read: dict[tuple[int, int], bytes] = {}

    def subtree(self, first: int, last: int) -> bytes:
        """The root of the leaves from `first` up to, but not including, `last`."""
        leaves = last - first
        if leaves == 0:
            return EMPTY_ROOT
        if leaves & (leaves - 1) == 0:
            return self._whole(leaves.bit_length() - 1, first)
        middle = first + _split(leaves)
        return node_hash(self.subtree(first, middle), self.subtree(middle, last))

    def _whole(self, height: int, first: int) -> bytes:
        """The root of the 2**height leaves from `first` on, which is a multiple of that."""
        level, above = divmod(height, HEIGHT)
        index, offset = divmod(first >> HEIGHT * level, WIDTH)
        hashes = self._tile(level, index)
        return _root_of(hashes[offset * HASH : (offset + (1 << above)) * HASH])

    def _tile(self, level: int, index: int) -> bytes:
        hashes = self._read.get((level, index))
        if hashes is None:
            width = width_of(level, index, self._size)
            hashes = self._read[level, index] = _read(self._tiles, level, index, width)
        return hashes


def _read(tiles: Tiles, level: int, index: int, width: int) -> bytes:
    hashes = tiles(level, index, width)
    if len(hashes) != width * HASH:
        raise NotProven(
            f"Tile {index} of level {level} has {len(hashes) // HASH} hashes instead of {width}."
        )
    return hashes


def _split(leaves: int) -> int:
    """How many of so many leaves are on the left: the largest power of two below."""
    return 1 << (leaves - 1).bit_length() - 1


def _root_of(hashes: bytes | bytearray) -> bytes:
    """The root of these subtrees, of which all but the last are of one height; b"" of none."""
    while len(hashes) > HASH:
        paired = len(hashes) // PAIR * PAIR
        above = [sha256(b"\x01" + hashes[at : at + PAIR]).digest() for at in range(0, paired, PAIR)]
        hashes = b"".join((*above, hashes[paired:]))
    return bytes(hashes)
