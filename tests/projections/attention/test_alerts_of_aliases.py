"""An alias's alerts about cash: the patron's as whom it is identified, and its own without that."""

import pytest

from ops.reports.ask import ask
from projections import REPORTS
from projections.attention.open_alerts import OF_A_LIST
from tests.acceptance.channels import shell
from tests.worlds.gaming_table import DAY, GamingTable

ALIAS, PATRON = "grey-jacket", "P-10417"  # at seats 5 and 3


@pytest.fixture
def pit(dispatcher):
    """Under Title 31 an alias has brought 11,000."""
    pit = GamingTable(dispatcher)
    pit.say("regime.choose", file="united-states", day=DAY, **{"with": "S-12"})
    pit.open()
    pit.say("table.buy-in", seat=5, amount=11_000_00)
    return pit


def board(database):
    """Whose cash the board has alerts about, with the sum."""
    shown = " ".join(shell(database, "board", "--once").output.split())
    return [
        (who, total)
        for who in (ALIAS, PATRON)
        for total in ("11,000.00", "13,000.00", "6,000.00")
        if f"{who} has brought {total}" in shown
    ]


def waiting(database):
    """The alerts of the list that wait, by whom they name."""
    rows = ask(database, OF_A_LIST, kind=None, positions=None, past_since=None).rows
    return [each["detail"]["patron"] for each in rows if each["waits"]]


def test_an_alert_is_the_patron_s_once_the_alias_is_identified_and_not_shown_twice(pit, database):
    assert board(database) == [(ALIAS, "11,000.00")]
    pit.say("patron.identify", patron=ALIAS, **{"is": PATRON})
    assert board(database) == [(PATRON, "11,000.00")]
    assert waiting(database) == [PATRON]
    pit.say("patron.separate", patron=ALIAS, reason="another guest", **{"with": "S-12"})
    assert (ALIAS, "11,000.00") in board(database)
    assert PATRON not in waiting(database)


def test_what_the_patron_s_own_cash_came_to_before_is_one_alert_with_the_alias_s(pit, database):
    pit.say("table.buy-in", seat=3, amount=13_000_00)
    assert board(database) == [(ALIAS, "11,000.00"), (PATRON, "13,000.00")]
    pit.say("patron.identify", patron=ALIAS, **{"is": PATRON})
    assert board(database) == [(PATRON, "13,000.00")]


def test_little_play_of_an_alias_is_the_patron_s(pit, database):
    pit.say("table.cash-out", seat=5, amount=10_900_00, **{"with": "S-11"})
    pit.say("patron.identify", patron=ALIAS, **{"is": PATRON})
    rows = ask(database, REPORTS["alerts"]).rows
    assert [r["detail"]["patron"] for r in rows if r["kind"] == "little play"] == [PATRON]
