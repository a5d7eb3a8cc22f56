"""The tree and its proofs, against the definitions and the known vectors of RFC 6962 and 9162."""

from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ops.proof.tree import (
    EMPTY_ROOT,
    FULL,
    Growing,
    NotProven,
    consistency,
    inclusion,
    leaf_hash,
    node_hash,
    root,
    verify_consistency,
    verify_inclusion,
)
from tests.ops.proof.trees import LEAVES, ROOTS, Grown, defined_root, entries, tiles_of_size

SMALL = Grown(entries(40))
LARGE_SIZE = 66_000  # the tiles of level 1 are full, and there is one of level 2
LARGE = Grown(entries(LARGE_SIZE))


def hexes(*texts):
    return [bytes.fromhex(each) for each in texts]


def test_the_roots_of_the_known_tree():
    tree = Grown(LEAVES)

    assert ROOTS == [root(size, tree) for size in range(1, 9)]
    assert EMPTY_ROOT == root(0, tree) == Growing().root()


@pytest.mark.parametrize(
    ("index", "size", "proof"),
    [
        (0, 1, []),
        (
            *(0, 8),
            hexes(
                "96a296d224f285c67bee93c30f8a309157f0daa35dc5b87e410b78630a09cfc7",
                "5f083f0a1a33ca076a95279832580db3e0ef4584bdff1f54c8a360f50de3031e",
                "6b47aaf29ee3c2af9af889bc1fb9254dabd31177f16232dd6aab035ca39bf6e4",
            ),
        ),
        (
            *(5, 8),
            hexes(
                "bc1a0643b12e4d2d7c77918f44e0f4f79a838b6cf9ec5b5c283e1f4d88599e6b",
                "ca854ea128ed050b41b35ffc1b87b8eb2bde461e9e3b5596ece6b9d5975a0ae0",
                "d37ee418976dd95753c1c73862b9398fa2a2cf9b4ff0fdfe8b30cd95209614b7",
            ),
        ),
        (2, 3, hexes("fac54203e7cc696cf0dfcb42c92a1d9dbaf70ad9e621f4bd8d98662f00e3c125")),
    ],
)
def test_the_known_proofs_of_inclusion(index, size, proof):
    assert proof == inclusion(index, size, Grown(LEAVES))
    verify_inclusion(leaf_hash(LEAVES[index]), index, size, proof, ROOTS[size - 1])


@pytest.mark.parametrize(
    ("old", "new", "proof"),
    [
        (1, 1, []),
        (
            *(1, 8),
            hexes(
                "96a296d224f285c67bee93c30f8a309157f0daa35dc5b87e410b78630a09cfc7",
                "5f083f0a1a33ca076a95279832580db3e0ef4584bdff1f54c8a360f50de3031e",
                "6b47aaf29ee3c2af9af889bc1fb9254dabd31177f16232dd6aab035ca39bf6e4",
            ),
        ),
        (
            *(6, 8),
            hexes(
                "0ebc5d3437fbe2db158b9f126a1d118e308181031d0a949f8dededebc558ef6a",
                "ca854ea128ed050b41b35ffc1b87b8eb2bde461e9e3b5596ece6b9d5975a0ae0",
                "d37ee418976dd95753c1c73862b9398fa2a2cf9b4ff0fdfe8b30cd95209614b7",
            ),
        ),
        (
            *(2, 5),
            hexes(
                "5f083f0a1a33ca076a95279832580db3e0ef4584bdff1f54c8a360f50de3031e",
                "bc1a0643b12e4d2d7c77918f44e0f4f79a838b6cf9ec5b5c283e1f4d88599e6b",
            ),
        ),
    ],
)
def test_the_known_proofs_of_growth(old, new, proof):
    assert proof == consistency(old, new, Grown(LEAVES))
    verify_consistency(old, new, proof, ROOTS[old - 1], ROOTS[new - 1])


@pytest.mark.parametrize("size", range(1, 41))
def test_every_leaf_is_proven_and_no_other(size):
    whole = SMALL.root(size)
    for index in range(size):
        proof = inclusion(index, size, SMALL)
        verify_inclusion(SMALL.hashes[index], index, size, proof, whole)
        for other in range(-1, size + 1):
            if other != index:
                with pytest.raises(NotProven):
                    verify_inclusion(SMALL.hashes[index], other, size, proof, whole)
        for wrong in (proof[:-1] or [whole], [*proof, whole], proof[::-1][:-1] + [whole] * 2):
            with pytest.raises(NotProven):
                verify_inclusion(SMALL.hashes[index], index, size, wrong, whole)


@pytest.mark.parametrize("new", range(41))
def test_every_growth_is_proven_and_no_other(new):
    other = Grown(entries(40, "!"))
    for old in range(new + 1):
        proof = consistency(old, new, SMALL)
        roots = SMALL.root(old), SMALL.root(new)
        verify_consistency(old, new, proof, *roots)
        with pytest.raises(NotProven):
            verify_consistency(old, new, [*proof, roots[0]], *roots)
        with pytest.raises(NotProven):
            verify_consistency(old, new, proof, bytes(32), roots[1])
        if old:
            with pytest.raises(NotProven):
                verify_consistency(old, new, proof, roots[0], bytes(32))
            with pytest.raises(NotProven):
                verify_consistency(
                    old, new, consistency(old, new, other), roots[0], other.root(new)
                )
        if proof:
            with pytest.raises(NotProven):
                verify_consistency(old, new, proof[:-1], *roots)
        if old and old != new:
            with pytest.raises(NotProven):
                verify_consistency(old - 1, new, proof, *roots)


def test_a_tree_does_not_shrink():
    with pytest.raises(NotProven, match="cannot have grown"):
        consistency(3, 2, SMALL)
    with pytest.raises(NotProven, match="cannot have grown"):
        verify_consistency(3, 2, [], SMALL.root(3), SMALL.root(2))
    with pytest.raises(NotProven, match="no leaf 2"):
        inclusion(2, 2, SMALL)


@pytest.mark.parametrize("size", [5, 8])
def test_one_bit_anywhere_in_a_proof(size):
    whole = SMALL.root(size)
    for index in range(size):
        proof = inclusion(index, size, SMALL)
        for at in range(len(proof)):
            for bit in range(256):
                flipped = (int.from_bytes(proof[at]) ^ 1 << bit).to_bytes(32)
                with pytest.raises(NotProven):
                    verify_inclusion(
                        SMALL.hashes[index],
                        index,
                        size,
                        [*proof[:at], flipped, *proof[at + 1 :]],
                        whole,
                    )


@given(size=st.integers(1, LARGE_SIZE), data=st.data())
def test_proofs_across_tiles(size, data):
    index = data.draw(st.integers(0, size - 1))
    old = data.draw(st.integers(0, size))
    whole = root(size, LARGE)

    verify_inclusion(LARGE.hashes[index], index, size, inclusion(index, size, LARGE), whole)
    verify_consistency(old, size, consistency(old, size, LARGE), root(old, LARGE), whole)


@pytest.mark.parametrize("size", [0, 1, 255, 256, 257, 65_535, 65_536, 65_537, LARGE_SIZE])
def test_the_root_of_a_growing_tree(size):
    tree, tiles = Growing(), []
    with_tiles = Growing(tiles.append)
    for each in LARGE.hashes[:size]:
        tree.add(each)
        with_tiles.add(each)

    assert defined_root(LARGE.hashes[:size]) == tree.root() == root(size, LARGE)
    assert {(level, index) for level, index, width in tiles_of_size(size) if width == 256} == {
        (each.level, each.index) for each in tiles
    }
    assert {each for each in tiles_of_size(size) if each[2] < 256} == {
        (each.level, each.index, each.width) for each in with_tiles.partial()
    }
    assert all(len(each.hashes) == FULL for each in tiles)


def test_the_tiles_of_the_example_of_the_specification():
    widths = [(level, width) for level, _, width in tiles_of_size(70_000)]

    assert {(0, 256): 273, (0, 112): 1, (1, 256): 1, (1, 17): 1, (2, 1): 1} == {
        each: widths.count(each) for each in widths
    }
    assert [(0, 256), (1, 1)] == [(level, width) for level, _, width in tiles_of_size(256)]


@pytest.mark.parametrize("size", [0, 1, 256, 700, 65_536, 65_800])
def test_a_tree_goes_on_from_its_tiles(size):
    tree = Growing.resumed(size, LARGE)
    for each in LARGE.hashes[size:]:
        tree.add(each)

    assert LARGE_SIZE == tree.size
    assert root(LARGE_SIZE, LARGE) == tree.root()


def test_only_the_last_tiles_are_in_memory():
    tree = Grown(entries(300)).growing

    assert 300 - 256 == len(tree.tile(0, 1, 44)) // 32
    with pytest.raises(NotProven, match="not held"):
        tree.tile(0, 0, 256)


def test_a_tile_that_is_too_short():
    with pytest.raises(NotProven, match="Tile 0 of level 0 has 0 hashes instead of 3"):
        root(3, lambda *_: b"")


def test_sizes_follow_each_other():
    for before, after in pairwise(range(1, 9)):
        assert ROOTS[before - 1] != ROOTS[after - 1]
    assert ROOTS[1] == node_hash(*map(leaf_hash, LEAVES[:2]))
