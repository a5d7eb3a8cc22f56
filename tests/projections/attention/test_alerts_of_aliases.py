"""An alias's alerts about cash: the patron's as whom it is identified, and its own without that."""

import pytest

from ops.reports.ask import ask
from projections.attention.open_alerts import OF_A_LIST
from tests.acceptance.channels import shell
from tests.worlds.alerts_there import alerts_of
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


def kinds_of(database, patron):
    """The kinds of a patron's alerts that wait."""
    rows = ask(database, OF_A_LIST, kind=None, positions=None, past_since=None).rows
    return [row["kind"] for row in rows if row["waits"] and row["detail"].get("patron") == patron]


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
    noted = alerts_of(database, "little play")

    assert [each["detail"]["patron"] for each in noted] == [PATRON]


def test_what_was_near_before_an_alias_was_identified_is_near_again_without_it(pit, database):
    pit.say("table.buy-in", seat=3, amount=9_000_00)
    assert kinds_of(database, PATRON) == ["cash near"]
    pit.say("patron.identify", patron=ALIAS, **{"is": PATRON})
    assert kinds_of(database, PATRON) == ["cash over"]
    pit.say("patron.separate", patron=ALIAS, reason="another guest", **{"with": "S-12"})
    assert kinds_of(database, PATRON) == ["cash near"]


def test_cash_that_is_reported_waits_for_nobody(pit, database):
    assert kinds_of(database, ALIAS) == ["cash over"]
    pit.say("filing.record", patron=ALIAS, of_day=DAY, reference="31000123456789", by="C-1")
    assert kinds_of(database, ALIAS) == []
