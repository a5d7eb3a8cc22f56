"""Small trees, computed as RFC 9162 defines them, and held tile by tile."""

from ops.proof.tree import EMPTY_ROOT, HASH, Growing, leaf_hash, node_hash

# The leaves and roots with which Certificate Transparency's own implementations are tested.
LEAVES = [
    bytes.fromhex(each)
    for each in (
        *("", "00", "10", "2021", "3031", "40414243", "5051525354555657"),
        "606162636465666768696a6b6c6d6e6f",
    )
]
ROOTS = [
    bytes.fromhex(each)
    for each in (
        "6e340b9cffb37a989ca544e6bb780a2c78901d3fb33738768511a30617afa01d",
        "fac54203e7cc696cf0dfcb42c92a1d9dbaf70ad9e621f4bd8d98662f00e3c125",
        "aeb6bcfe274b70a14fb067a5e5578264db0fa9b51af5e0ba159158f329e06e77",
        "d37ee418976dd95753c1c73862b9398fa2a2cf9b4ff0fdfe8b30cd95209614b7",
        "4e3bbb1f7b478dcfe71fb631631519a3bca12c9aefca1612bfce4c13a86264d4",
        "76e67dadbcdf1e10e1b74ddc608abd2f98dfb16fbce75277b5232a127f2087ef",
        "ddb89be403809e325750d3d263cd78929c2942b7942a34b77e122c9594a74c8c",
        "5dc9da79a70659a9ad559cb701ded9a2ab9d823aad2f4960cfe370eff4604328",
    )
]


def defined_root(hashes):
    """The root of leaves, given by their hashes, as 2.1.1 defines it."""
    if len(hashes) < 2:
        return hashes[0] if hashes else EMPTY_ROOT
    k = 1 << (len(hashes) - 1).bit_length() - 1
    return node_hash(defined_root(hashes[:k]), defined_root(hashes[k:]))


def tiles_of_size(size):
    """Every tile of a log of so many leaves, by C2SP tlog-tiles: level, index, width."""
    level, hashes = 0, size
    while hashes:
        yield from ((level, index, 256) for index in range(hashes // 256))
        if hashes % 256:
            yield level, hashes // 256, hashes % 256
        level, hashes = level + 1, hashes // 256


class Grown:
    """A tree with all of its tiles, the last ones included."""

    def __init__(self, entries):
        self.hashes = [leaf_hash(entry) for entry in entries]
        self.tiles = {}
        self.growing = Growing(self._hold)
        for each in self.hashes:
            self.growing.add(each)
        for each in self.growing.partial():
            self._hold(each)

    def _hold(self, tile):
        self.tiles[tile.level, tile.index] = tile.hashes

    def __call__(self, level, index, width):
        return self.tiles[level, index][: width * HASH]

    def root(self, size):
        return defined_root(self.hashes[:size])


def entries(count, salt=""):
    return [f"event {n}{salt}".encode() for n in range(1, count + 1)]
