"""A bet that was put right shows what stood before: in report wagers, in a replay, on its page."""

import pytest

from ops.reports.ask import ask
from ops.web.pages.coup import read
from projections import REPORTS
from tests.acceptance.channels import shell
from tests.worlds.gaming_table import BANKER_WINS
from tests.worlds.twin_tables import TwinTable

BEFORE = ("as_spot", "seat_before", "patron_before", "stake_before", "paid_before")


@pytest.fixture
def table(dispatcher):
    """Four bets, and three of them put right: as another spot, the stake, and whose it was."""
    table = TwinTable(dispatcher, "B01").begin()
    table.say("table.seat", seat=7, patron="P-7")
    bets = (1, "banker", 100_00), (3, "tie", 50_00), (5, "player", 25_00), (7, "tie", 25_00)
    coup = {"coup": table.play(BANKER_WINS, *bets).body["coup"]}
    table.fix("correct", **coup, seat=3, spot="tie", **{"as": "banker"})
    table.fix("correct", **coup, seat=5, spot="player", stake=75_00)
    table.fix("coup.move-wager", **coup, seat=1, spot="banker", to_seat=7)
    return table


def before(row):
    return row["put_right"] and tuple(row["put_right"][name] for name in BEFORE)


def test_in_report_wagers(table, database):
    rows = ask(database, REPORTS["wagers"]).rows
    shown = {(row["seat"], row["spot"]): before(row) for row in rows}

    assert shown == {
        (3, "tie"): ("banker", 3, "P-B01-3", 50_00, 0),
        (5, "player"): (None, 5, "P-B01-5", 25_00, 0),
        (7, "banker"): (None, 1, "P-B01-1", 100_00, 200_00),
        (7, "tie"): None,
    }


@pytest.mark.parametrize("now", [1, 7], ids=["moved before", "where it was"])
def test_put_right_twice_it_shows_what_was_recorded_first(table, database, now):
    coup = {"coup": table.coup(1), "spot": "tie"}
    if now == 1:
        table.fix("coup.move-wager", **coup, seat=7, to_seat=now)
    for paid in (50_00, 75_00):
        table.fix("correct", **coup, seat=now, to=paid)
    rows = ask(database, REPORTS["wagers"], seat=now).rows
    row = next(row for row in rows if row["spot"] == "tie")

    assert before(row) == (None, 7, "P-7", 25_00, 0)
    assert "was paid 0.00" in shell(database, "replay", table.coup(1)).output


def test_on_the_page_of_the_coup(table, database):
    rows = {(row.seat, row.spot): row for row in read(database, table.coup(1), None, None).rows}
    shown = {at: (row.paid, row.before) for at, row in rows.items()}

    assert shown == {
        (3, "tie"): (100_00, "counts as Banker; was paid 0.00"),
        (5, "player"): (0, "was 25.00"),
        (7, "banker"): (200_00, "was seat 1 P-B01-1's"),
        (7, "tie"): (0, ""),
    }
    assert rows[7, "banker"].computation == "wins 1 to 1 = 100.00, owes 5.00"


def test_in_a_replay_and_in_the_patron_s_copy_which_names_nobody_else(table, database):
    whole = shell(database, "replay", table.coup(1)).output
    theirs = {
        n: shell(database, "replay", table.coup(1), "--for", n).output for n in ("P-B01-3", "P-7")
    }

    assert "put right  seat 3 Tie: counts as Banker; was paid 0.00" in whole
    assert "put right  seat 5 Player: was 25.00" in whole
    assert "put right  seat 7 Banker: was seat 1 P-B01-1's" in whole
    assert "put right  seat 3 Tie: counts as Banker; was paid 0.00" in theirs["P-B01-3"]
    assert "Banker 100.00 of another patron was seat 7 P-7's" in theirs["P-7"]
    assert "P-B01-1" not in theirs["P-7"]
