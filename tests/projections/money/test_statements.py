"""Statements: a patron's gaming day, under whichever name they sat down."""

from functools import partial

from projections import REPORTS
from tests.acceptance.channels import rows_of
from tests.worlds.gaming_table import BANKER_WINS, DAY, PLAYER_WINS

REPORT = REPORTS["statement"]
WHO = "P-10417"
rows = partial(rows_of, report=REPORT)


def test_a_day_has_time_cash_wagers_and_the_result_after_commission(pit, database):
    pit.say("table.buy-in", seat=3, amount=500_00)
    pit.play(BANKER_WINS, (3, "banker", 100_00))  # +100 less 5 of commission
    pit.play(PLAYER_WINS, (3, "banker", 40_00))
    here = "minutes", "last_at", "coups", "cash_in", "cash_out", "wagered", "win_loss"
    assert rows(database, *here, patron=WHO) == [(None, None, 2, 500_00, 0, 140_00, 55_00)]

    pit.say("commission.collect", seat=3, amount=5_00)
    pit.say("table.cash-out", seat=3, amount=300_00)
    pit.say("table.leave", seat=3)
    left = pit.moment.isoformat()
    assert rows(database, "first_at", *here, patron=WHO) == [
        (f"{DAY}T20:00:03+00:00", 0, left, 2, 500_00, 300_00, 140_00, 55_00)
    ]


def test_an_alias_is_on_the_statement_of_the_patron_and_of_nobody_else(pit, database):
    pit.say("table.buy-in", seat=5, amount=200_00)
    pit.say("table.buy-in", seat=1, amount=100_00)
    assert rows(database, "cash_in", patron=WHO) == [(0,)]

    pit.say("patron.identify", patron="grey-jacket", **{"is": WHO})
    assert rows(database, "patron", "cash_in", patron=WHO) == [(WHO, 200_00)]
    assert rows(database, "patron", "cash_in", patron="grey-jacket") == [(WHO, 200_00)]
