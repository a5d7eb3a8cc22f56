"""A whole log as static files."""

import pytest

from ops.proof.tiles import (
    EntryTooLong,
    OtherLog,
    bundle,
    entries_of,
    tile_path,
    tiles_in,
    write_log,
)
from ops.proof.tree import NotProven, inclusion, leaf_hash, root, tiles_of_size, verify_inclusion
from tests.ops.proof.trees import Grown, entries

SIZE = 70_000


@pytest.mark.parametrize(
    ("index", "path"),
    [
        (0, "tile/0/000"),
        (999, "tile/0/999"),
        (1_000, "tile/0/x001/000"),
        (1_234_067, "tile/0/x001/x234/067"),
    ],
)
def test_the_path_of_a_tile(index, path):
    assert path == tile_path(0, index)
    assert path.replace("/0/", "/entries/", 1) + ".p/7" == tile_path("entries", index, 7)


def test_a_log_as_files(tmp_path):
    log = Grown(entries(SIZE))
    count = write_log(tmp_path, entries(SIZE), SIZE, log.growing.root(), b"signed\n")
    files = {str(each.relative_to(tmp_path)) for each in tmp_path.rglob("*") if each.is_file()}
    tiles = set(tiles_of_size(SIZE))
    bundles = {tile_path("entries", index, width) for level, index, width in tiles if level == 0}

    assert files == {tile_path(*each) for each in tiles} | bundles | {"checkpoint"}
    assert count == len(files)
    assert b"signed\n" == (tmp_path / "checkpoint").read_bytes()
    for path in bundles:
        level0 = (tmp_path / path.replace("entries", "0")).read_bytes()
        written = entries_of((tmp_path / path).read_bytes())
        assert level0 == b"".join(map(leaf_hash, written))


def test_a_log_that_has_grown_gets_what_is_new(tmp_path):
    for size in (200, 256, 300, 700):
        log = Grown(entries(size))
        write_log(tmp_path, entries(size), size, log.growing.root(), b"log\n%d" % size)
        tiles = tiles_in(tmp_path)

        assert log.growing.root() == root(size, tiles)
        verify_inclusion(log.hashes[9], 9, size, inclusion(9, size, tiles), log.growing.root())
    assert Grown(entries(200)).growing.root() == root(200, tiles)
    assert b"log\n700" == (tmp_path / "checkpoint").read_bytes()


def test_more_entries_than_the_checkpoint_has_are_left_out(tmp_path):
    write_log(tmp_path, entries(9), 8, Grown(entries(8)).growing.root(), b"")

    assert 8 == len(entries_of((tmp_path / "tile/entries/000.p/8").read_bytes()))


@pytest.mark.parametrize("given", [entries(300, "!"), entries(299)])
def test_events_of_another_root_get_no_checkpoint(tmp_path, given):
    with pytest.raises(NotProven, match="do not have the root of the checkpoint"):
        write_log(tmp_path, given, 300, Grown(entries(300)).growing.root(), b"")

    assert not (tmp_path / "checkpoint").exists()


def test_a_rewritten_log_does_not_replace_what_was_exported(tmp_path):
    first, second = Grown(entries(300)), Grown(entries(300, "!"))
    write_log(tmp_path, entries(300), 300, first.growing.root(), b"log\n1")
    with pytest.raises(OtherLog, match="000 has other hashes than this log"):
        write_log(tmp_path, entries(300, "!"), 300, second.growing.root(), b"log\n2")

    assert first.growing.root() == root(300, tiles_in(tmp_path))
    assert b"log\n1" == (tmp_path / "checkpoint").read_bytes()


def test_the_log_of_another_epoch_is_exported_to_another_directory(tmp_path):
    log = Grown(entries(9))
    write_log(tmp_path, entries(9), 9, log.growing.root(), b"log\n9")

    with pytest.raises(OtherLog, match="has the log log: keep that directory as evidence"):
        write_log(tmp_path, entries(9), 9, log.growing.root(), b"log/epoch-2\n9")


def test_an_entry_that_is_too_long_is_named(tmp_path):
    given = [*entries(300), b"x" * 65_535, b"y" * 65_536]
    size = len(given)

    assert given[:-1] == entries_of(bundle(given[:-1]))
    with pytest.raises(EntryTooLong, match="position 302 has 65,536 bytes") as refused:
        write_log(tmp_path, given, size, Grown(given).growing.root(), b"")
    assert 302 == refused.value.position


@pytest.mark.parametrize("content", [b"\0", b"\0\2a", bundle([b"ab"]) + b"\0"])
def test_a_bundle_that_is_cut_off(content):
    with pytest.raises(NotProven, match="ends in the middle"):
        entries_of(content)


def test_a_tile_that_is_missing(tmp_path):
    with pytest.raises(NotProven, match=r"000\.p/1 is missing"):
        root(256, tiles_in(tmp_path))
