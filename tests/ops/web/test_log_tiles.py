"""The record as signed tiles: what the server gives is what the export writes, byte for byte."""

import pytest

from ops.proof.checkpoint import opened
from ops.proof.tiles import entries_of, tile_path, tiles_in
from ops.proof.tree import leaf_hash, root
from tests.acceptance.channels import json_of
from tests.worlds.gaming_table import GamingTable, evening, mouth_on
from tests.worlds.house_server import house_server
from tests.worlds.serving_log import SENT, SENT_BY_A_WITNESS, signing
from tests.worlds.signing import ORIGIN


def got(house, path, headers=None):
    return house.terminal().get(f"/log/{path}", SENT if headers is None else headers)


def require_served(house, directory):
    """The server gives every file of the directory as it is."""
    for file in (each for each in directory.rglob("*") if each.is_file()):
        status, headers, content = got(house, file.relative_to(directory))
        assert (200, file.read_bytes()) == (status, content)
    return headers


def test_what_is_served_is_what_is_exported_and_no_more_than_is_signed(server, tmp_path):
    with server.database() as database, signing(database, tmp_path) as (house, key):
        assert got(house, "checkpoint")[0] == 404
        with mouth_on(database) as dispatcher:
            evening(dispatcher)
        first = json_of(database, "audit", "checkpoint")["size"]
        for tiles in ("one", "grown"):
            json_of(database, "audit", "export", "--tiles", str(tmp_path / tiles))
        require_served(house, tmp_path / "one")
        after = first % 256 + 1
        assert got(house, tile_path(0, first // 256, after))[0] == 404
        with mouth_on(database) as dispatcher:
            GamingTable(dispatcher, "B09").open().prepare()
        assert got(house, tile_path(0, first // 256, after))[0] == 404  # which nobody signed
        second = json_of(database, "audit", "checkpoint")["size"]

        assert got(house, tile_path(0, first // 256, after))[0] == 200
        added = json_of(database, "audit", "export", "--tiles", str(tmp_path / "grown"))
        assert added["files"] < 6
        assert require_served(house, tmp_path / "grown")["Cache-Control"] == "no-store"
        (tmp_path / "one/checkpoint").unlink()
        require_served(house, tmp_path / "one")  # tiles of a smaller log, too
        note = got(house, "checkpoint")[2].decode()
        signed = opened(note, ORIGIN, key)
        assert second == signed.size
        assert signed.root == root(second, tiles_in(tmp_path / "grown"))
        index = second // 256
        path = tile_path("entries", index, second % 256)
        hashes = b"".join(map(leaf_hash, entries_of(got(house, path)[2])))
        assert hashes == got(house, tile_path(0, index, second % 256))[2]


@pytest.mark.parametrize(
    "path",
    [
        *("tile/0/0", "tile/0/000.p/0", "tile/0/000.p/256", "tile/0/x000/000", "tile/64/000"),
        *("tile/00/000", "tile/entries/000.p/01", "tile/0/x999/x999/x999/x999/x999/999"),
        *("tile/0/%F0%9F%82%A1", "tile/-1/000", "checkpoint/", ""),
    ],
)
def test_what_is_no_tile_is_not_found(tiles, path):
    status, _, content = got(tiles, path)
    assert (404, True) == (status, b"no such tile" in content)


@pytest.mark.parametrize("sent", [{}, {"Authorization": "Bearer "}, {"Authorization": "Bearer x"}])
def test_without_the_token_nobody_has_the_log_not_even_here(tiles, sent):
    for path in ("checkpoint", "tile/entries/000"):
        status, _, content = got(tiles, path, sent)
        assert (403, True) == (status, b"--log-token FILE" in content)


def test_a_witness_has_checkpoints_and_hashes_and_no_event(server, tmp_path):
    with server.database() as database, signing(database, tmp_path) as (house, _):
        with mouth_on(database) as dispatcher:
            evening(dispatcher)
        size = json_of(database, "audit", "checkpoint")["size"]
        paths = ["checkpoint"]
        paths += [tile_path(0, n, min(256, size - n * 256)) for n in range(size // 256 + 1)]
        for each in paths:
            assert got(house, each, SENT_BY_A_WITNESS)[::2] == got(house, each)[::2]
        for path in (
            tile_path("entries", 0, min(size, 256)),
            "tile/entries/",
            "tile/%65ntries/000",
        ):
            status, _, content = got(house, path, SENT_BY_A_WITNESS)
            assert (403, True) == (status, b"Events are for whoever has" in content), path
        assert got(house, tile_path("entries", 0, min(size, 256)))[0] == 200


@pytest.fixture(scope="module")
def tiles(server, tmp_path_factory):
    place = tmp_path_factory.mktemp("tiles")
    with server.database() as database, signing(database, place) as (house, _):
        yield house


def test_a_server_that_was_given_no_token_gives_its_log_to_nobody(server, tmp_path):
    with (
        server.database() as database,
        house_server(database, tmp_path / "house") as house,
    ):
        assert {403} == {
            got(house, "checkpoint", each)[0] for each in ({}, {"Authorization": "Bearer "})
        }
