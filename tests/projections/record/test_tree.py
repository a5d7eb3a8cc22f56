"""The tree in the database is that of RFC 9162 over the events, however it grew."""

from random import Random

import pytest

from ops.ledger.chain import GENESIS, link
from ops.ledger.reading import head_of, read_events
from ops.proof.stored import tiles_of
from ops.proof.tree import Growing, inclusion, root, verify_inclusion
from ops.reports.rebuild import check_together, rebuild_together
from ops.reports.runner import catch_up
from projections import PROJECTIONS
from tests.worlds.gaming_table import GamingTable, mouth_on

TREE = PROJECTIONS["tree"]


@pytest.fixture(scope="module")
def house(server):
    """Some 600 events, so that two tiles are whole."""
    with server.database() as database:
        with mouth_on(database) as dispatcher:
            table = GamingTable(dispatcher).open().prepare()
            for n in range(560):
                table.bet(3, "banker", 100_00 + 5_00 * (n % 2))
        yield database


@pytest.fixture(scope="module")
def leaves(house):
    """The hashes of its events."""
    with house.session("sabot_projector") as connection:
        assert 512 < head_of(connection) < 767
        return hashed(read_events(connection, 0, 1_000))


def hashed(events):
    """The hashes that the first events should have."""
    before = [GENESIS, *(each.hash for each in events)]
    return [link(*each) for each in zip(before, events, strict=False)]


def roots(leaves):
    tree = Growing()
    for leaf in leaves:
        tree.add(leaf)
        yield tree.root()


@pytest.fixture
def copy(server, house, leaves):
    """The same house, in which no tree has grown; whoever read the first has left it."""
    with server.database(like=house) as database:
        yield database


@pytest.mark.parametrize("batch", [1, 7, 256, 300, 1_000])
def test_it_grows_to_the_same_tree_in_any_steps(leaves, copy, batch):
    random = Random(batch)
    with copy.session("sabot_projector") as connection:
        catch_up(connection, TREE, batch=batch)
        tiles = tiles_of(connection)
        for size, expected in enumerate(roots(leaves), 1):
            assert root(size, tiles) == expected
            index = random.randrange(size)
            verify_inclusion(leaves[index], index, size, inclusion(index, size, tiles), expected)
        rows = connection.execute("SELECT level, index, length(hashes) FROM tiles ORDER BY 1, 2")

        assert rows.fetchall() == [(0, 0, 8192), (0, 1, 8192), (1, 0, 64)]


def test_it_is_rebuilt_and_an_altered_event_shows(leaves, copy):
    with copy.session("sabot_projector") as connection:
        rebuild_together(connection, [TREE], lambda _: None)
        *_, expected = roots(leaves)
        assert root(len(leaves), tiles_of(connection)) == expected
        assert not check_together(connection, [TREE], lambda _: None)[0].differing
    with copy.connect_as_is() as superuser:
        superuser.execute("ALTER TABLE ledger.event_rows DISABLE TRIGGER USER")
        superuser.execute("UPDATE ledger.events SET actor = 'D-999' WHERE position = 40")
    with copy.session("sabot_projector") as connection:
        assert check_together(connection, [TREE], lambda _: None)[0].differing


def test_a_third_level_begins_with_65536_events(database, superuser):
    """Events that are made up, and only as far as the tree reads them."""
    many = 65_536 + 300
    superuser.execute(
        """
        INSERT INTO ledger.events
        SELECT gen_random_uuid(), 1, 'made.up', convert_to(n::text, 'UTF8'), n, now(),
               '2026-11-21', '', '', n::text, '{}', sha256(int8send(n))
          FROM generate_series(1, %s) AS n
        """,
        (many,),
    )
    with database.session("sabot_projector") as connection:
        tree = Growing()
        tree.add(b"".join(hashed(read_events(connection, 0, many))))
        for last in (65_000, 65_535, many):
            connection.execute("SELECT projections.grow_tree(%s)", (last,))
        rows = connection.execute("SELECT level, count(*) FROM tiles GROUP BY 1 ORDER BY 1")

        assert rows.fetchall() == [(0, 257), (1, 2), (2, 1)]
        assert root(many, tiles_of(connection)) == tree.root()
