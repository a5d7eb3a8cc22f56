"""An event of a coup in play that somebody altered: told by its position, and all else goes on."""

import json
import pickle
from contextlib import closing

import pytest

from ops.board.board import Board
from ops.ledger.database import LedgerLost, NotFit, OutcomeUnknown
from ops.ledger.reading import UnreadableEvent
from ops.reports.rebuild import BeingRebuilt
from ops.reports.runner import ProjectionStopped, reading_session
from ops.words.failure import in_words
from tests.acceptance.channels import shell
from tests.worlds.gaming_table import GamingTable


@pytest.mark.parametrize(
    "state", ['{"broken":1}', "not json", '{"at":"2026-11-21T20:00:00+00:00"}']
)
def test_the_board_shows_the_other_tables_and_the_table_itself_refuses_in_words(
    dispatcher, database, superuser, state
):
    GamingTable(dispatcher, "B01").open().prepare().bet(3, "banker", 100_00)
    bad = GamingTable(dispatcher, "B02").open().prepare().bet(3, "banker", 100_00).body["position"]
    superuser.execute("ALTER TABLE ledger.event_rows DISABLE TRIGGER USER")
    superuser.execute(
        "UPDATE ledger.events SET state = %s::bytea WHERE position = %s", (state.encode(), bad)
    )
    seen = json.loads(shell(database, "board", "--json").stdout)
    bet = shell(database, "bet", "B02", "5", "player", "100", "--by", "D-204")

    assert {"B01", "B02"} == {each["table"] for each in seen["tables"]}
    assert "record unreadable" in {each["kind"] for each in seen["alerts"]}
    assert 1 == bet.exit_code
    assert f"position {bad}" in bet.stderr
    assert "Traceback" not in bet.stderr


def test_a_board_that_follows_shows_it_until_it_is_repaired(dispatcher, database, superuser):
    bad = GamingTable(dispatcher, "B02").open().prepare().bet(3, "banker", 100_00).body["position"]
    superuser.execute("ALTER TABLE ledger.event_rows DISABLE TRIGGER USER")
    superuser.execute("UPDATE ledger.events SET state = '{}' WHERE position = %s", (bad,))
    with closing(Board(database)) as board, reading_session(database) as (connection, _):
        looks = [board.look(connection, changes=True) for _ in range(3)]

    kinds = [[each.kind for each in seen.alerts].count("record unreadable") for seen in looks]
    assert kinds == [1, 1, 1]


@pytest.mark.parametrize(
    "error",
    [
        ProjectionStopped("coups", 17, "why"),
        BeingRebuilt("coups"),
        LedgerLost("the line is cut"),
        OutcomeUnknown("the line is cut"),
        UnreadableEvent(9),
        NotFit("It is not fit."),
    ],
    ids=lambda error: type(error).__name__,
)
def test_an_error_of_another_process_keeps_its_message(error):
    again = pickle.loads(pickle.dumps(error))

    assert (type(error), in_words(error)) == (type(again), in_words(again))
