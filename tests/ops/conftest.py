"""What the tests of paper, exports and SQL share."""

import pytest

from ops.cli.starts import record_start
from tests.worlds.electronic_table import ElectronicTable
from tests.worlds.gaming_table import (
    DAY,
    PATRONS,
    PLAYER_WINS,
    TIE,
    GamingTable,
    disputed,
    evening,
    mouth_on,
    trouble,
)
from tests.worlds.held_sessions import sessions_held


@pytest.fixture(scope="module")
def night(server):
    """An evening, trouble at one table, a game account, a closed table, an enrolment, a board.

    A patron of B06 has left, and is owed what the void coup gives back. Nobody adds to it.
    """
    with server.database() as database, sessions_held():
        with mouth_on(database) as dispatcher:
            evening(dispatcher)
            disputed(trouble(GamingTable(dispatcher, "B04").open().prepare()))
            ElectronicTable(dispatcher).begin((3, 200_00)).play(TIE, (3, "tie", 10_00))
            closed = GamingTable(dispatcher, "B05").open()
            closed.say("box.attach", box="X-1")
            closed.say("table.buy-in", seat=1, amount=2_000_00)
            closed.say("table.cash-out", seat=1, amount=300_00, **{"with": "S-11"})
            left = GamingTable(dispatcher, "B06").open().prepare()
            left.play(PLAYER_WINS, (5, "banker", 50_00))
            left.say("table.leave", seat=5)
            left.say("void", coup=f"B06/{DAY}/1/1", reason="a torn card", **{"with": "S-11"})
            people = {"requested_by": "S-11", "cashier": "C-1", "runner": "R-1", "with": "S-11"}
            closed.say("table.fill", chips={"10000": 5}, **people)
            closed.say("table.credit", chips={"10000": 2}, **people)
            for seat in PATRONS:
                closed.say("table.leave", seat=seat)
            closed.say("table.close", closer={"10000": 160}, **{"with": "S-11"})
            closed.say("table.drop", amount=1_900_00, **{"with": "S-11"})
            audited = {"command": "master.audit", "day": "2026-11-20", "by": "A-9"}
            assert dispatcher.dispatch({**audited, "at": closed.moment.isoformat()}).ok
            enrol = {"command": "staff.enrol", "staff": "D-9", "name": "Dan", "role": "dealer"}
            assert dispatcher.dispatch(enrol).ok
        record_start(database, "board")
        yield database
