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
from ops.proof.tree import NotProven, inclusion, leaf_hash, root, verify_inclusion
from tests.ops.proof.trees import Grown, entries, tiles_of_size
from tests.worlds.files import files_of
from tests.worlds.signing import signed

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


def note_of(size, root, name="log"):
    return signed(size, root, name=name).encode()


def write(directory, size, salt="", name="log"):
    """Writes so many entries; the tree over them."""
    log, given = Grown(entries(size, salt)), entries(size, salt)
    root = log.growing.root()
    log.files = write_log(directory, lambda n: given[n:], size, root, note_of(size, root, name))
    return log


def test_a_log_as_files(tmp_path):
    log = write(tmp_path, SIZE)
    tiles = set(tiles_of_size(SIZE))
    bundles = {tile_path("entries", index, width) for level, index, width in tiles if level == 0}
    files = files_of(tmp_path)

    assert files.keys() == {tile_path(*each) for each in tiles} | bundles | {"checkpoint"}
    assert log.files == len(files)
    assert note_of(SIZE, log.growing.root()) == files["checkpoint"]
    for path in bundles:
        written = entries_of(files[path])
        assert files[path.replace("entries", "0")] == b"".join(map(leaf_hash, written))


def test_a_log_that_has_grown_gets_what_is_new_and_is_as_if_written_at_once(tmp_path):
    for size in (200, 256, 300, 700, SIZE - 1, SIZE):
        log = write(tmp_path / "grown", size)
        tiles = tiles_in(tmp_path / "grown")

        assert log.growing.root() == root(size, tiles)
        verify_inclusion(log.hashes[9], 9, size, inclusion(9, size, tiles), log.growing.root())
    assert 9 > log.files
    assert Grown(entries(200)).growing.root() == root(200, tiles)
    write(tmp_path / "whole", SIZE)
    grown, whole = files_of(tmp_path / "grown"), files_of(tmp_path / "whole")
    assert whole == {path: grown[path] for path in whole}


def test_only_entries_after_the_last_full_tile_are_asked_for(tmp_path):
    write(tmp_path, 600)
    given, asked = entries(700), []

    def after(position):
        asked.append(position)
        return given[position:]

    log = Grown(given).growing.root()
    write_log(tmp_path, after, 700, log, note_of(700, log))
    assert [512] == asked


def test_more_entries_than_the_checkpoint_has_are_left_out(tmp_path):
    root = Grown(entries(8)).growing.root()
    write_log(tmp_path, lambda _: entries(9), 8, root, note_of(8, root))

    assert 8 == len(entries_of((tmp_path / "tile/entries/000.p/8").read_bytes()))


@pytest.mark.parametrize("given", [entries(300, "!"), entries(299)])
@pytest.mark.parametrize("before", [0, 100])
def test_events_of_another_root_get_no_checkpoint(tmp_path, given, before):
    if before:
        write(tmp_path, before)
    there = files_of(tmp_path)
    log = Grown(entries(300)).growing.root()
    with pytest.raises(NotProven, match=r"of the checkpoint|does not begin with"):
        write_log(tmp_path, lambda n: given[n:], 300, log, note_of(300, log))

    assert there == {path: content for path, content in files_of(tmp_path).items() if path in there}
    assert ("checkpoint" in there) == bool(before)


@pytest.mark.parametrize("size", [100, 300, 301, 513, 700])
def test_a_rewritten_log_does_not_replace_what_was_exported(tmp_path, size):
    write(tmp_path, 300)
    there = files_of(tmp_path)
    with pytest.raises(OtherLog, match="has 300 events that this log does not begin with"):
        write(tmp_path, size, "!")

    after = files_of(tmp_path)
    assert there == {path: after[path] for path in there}
    write(tmp_path, 700)  # the true one goes on
    assert Grown(entries(700)).growing.root() == root(700, tiles_in(tmp_path))


@pytest.mark.parametrize("since", [0, 256, 299])
@pytest.mark.parametrize("size", [300, 301, 512, 513, 700])
def test_a_log_that_is_rewritten_after_its_last_full_tile_does_not_replace_it(
    tmp_path, since, size
):
    write(tmp_path, 300)
    there = files_of(tmp_path)
    given = [*entries(since), *entries(size, "!")[since:]]
    other = Grown(given).growing.root()
    with pytest.raises(OtherLog, match="has 300 events that this log does not begin with"):
        write_log(tmp_path, lambda n: given[n:], size, other, note_of(size, other))

    after = files_of(tmp_path)
    assert there == {path: after[path] for path in there}


@pytest.mark.parametrize("file", ["tile/0/001.p/44", "tile/1/000.p/1"])
def test_a_directory_in_which_a_file_was_changed_is_kept_as_evidence(tmp_path, file):
    write(tmp_path, 300)
    (tmp_path / file).write_bytes((tmp_path / file).read_bytes()[::-1])
    with pytest.raises(OtherLog, match="do not fit the checkpoint there"):
        write(tmp_path, 700)


def test_the_log_of_another_epoch_is_exported_to_another_directory(tmp_path):
    write(tmp_path, 9)

    with pytest.raises(OtherLog, match="has the log log: keep that directory as evidence"):
        write(tmp_path, 9, name="log/epoch-2")


def test_an_entry_that_is_too_long_is_named(tmp_path):
    given = [*entries(300), b"x" * 65_535, b"y" * 65_536]
    size = len(given)

    assert given[:-1] == entries_of(bundle(given[:-1]))
    with pytest.raises(EntryTooLong, match="position 302 has 65,536 bytes") as refused:
        write_log(tmp_path, lambda n: given[n:], size, Grown(given).growing.root(), b"")
    assert 302 == refused.value.position


@pytest.mark.parametrize("content", [b"\0", b"\0\2a", bundle([b"ab"]) + b"\0"])
def test_a_bundle_that_is_cut_off(content):
    with pytest.raises(NotProven, match="ends in the middle"):
        entries_of(content)


def test_a_tile_that_is_missing(tmp_path):
    with pytest.raises(NotProven, match=r"000\.p/1 is missing"):
        root(256, tiles_in(tmp_path))
