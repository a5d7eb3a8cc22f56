"""`sabot audit shoe` beside the shoes before it at the table."""

import pytest

from domain.rules.addresses import Shoe
from ops.replay.shoe_audit import audited
from tests.worlds.gaming_table import DAY, PLAYER_WINS, GamingTable

COUPS = 6


@pytest.fixture
def two_shoes(dispatcher):
    """The second shoe brings the cards of the first one again."""
    pit = GamingTable(dispatcher).open()
    for _ in range(2):
        pit.prepare()
        for _ in range(COUPS):
            pit.play(PLAYER_WINS, (3, "player", 100_00))
        pit.end_shoe()
    return pit


def checks(database, number):
    with database.session("sabot_auditor") as connection:
        made = audited(connection, Shoe.parse(f"B01/{DAY}/{number}")).checks
    return {each.check: each for each in made}


@pytest.mark.usefixtures("two_shoes")
def test_cards_that_came_again_in_their_order_are_named(database):
    first, second = checks(database, 1), checks(database, 2)

    assert "earlier shoes" not in first
    assert not second["earlier shoes"].ok
    assert f"follow shoe B01/{DAY}/1; by chance less than once in 10^" in (
        second["earlier shoes"].result
    )


@pytest.mark.usefixtures("two_shoes")
@pytest.mark.parametrize("topic", ["shoe.loaded", "shoe.card-drawn"])
def test_an_earlier_shoe_that_somebody_altered_is_left_out(database, superuser, topic):
    superuser.execute("ALTER TABLE ledger.event_rows DISABLE TRIGGER USER")
    superuser.execute(
        "UPDATE ledger.events SET state = '{}' WHERE position ="
        " (SELECT min(position) FROM ledger.events WHERE topic = %s)",
        (topic,),
    )
    second = checks(database, 2)

    assert second["cards"].ok
    assert second["shuffle"].ok
    assert "one was left out, unreadable" in second["earlier shoes"].result
