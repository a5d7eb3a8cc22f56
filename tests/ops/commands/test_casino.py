"""What one process holds of the house between commands."""

from contextlib import closing

from ops.commands.casino import Casino
from ops.handlers.dispatcher import Dispatcher
from ops.ledger.recorder import Ledger
from tests.worlds.gaming_table import BANKER_WINS, PLAYER_WINS, GamingTable

FEW = 4  # fewer than the table, its shoe, its coup, and the accounts of two patrons


def evening(database):
    """The answers of some coups, and how many aggregates the process held after each."""
    answers, held = [], []
    with closing(Casino(Ledger(database))) as casino:
        pit = GamingTable(Dispatcher(casino, "test")).open().prepare()
        for cards in (BANKER_WINS, PLAYER_WINS, BANKER_WINS):
            played = pit.play(cards, (3, "banker", 100_00), (5, "player", 50_00))
            answers.append(played.body)
            held.append(len(casino._held))
        answers.append(pit.say("commission.collect", seat=3, amount=5_00).body)
    return answers, held


def test_a_process_that_holds_few_aggregates_decides_the_same(server, monkeypatch):
    with server.database() as database:
        answers, usual = evening(database)
    monkeypatch.setattr("ops.commands.casino.MOST_HELD", FEW)
    with server.database() as database:
        the_same, held = evening(database)

    assert answers == the_same
    assert min(usual) > FEW
    assert max(held) == FEW
