"""Cash in and out again with little or no play between is an alert, once a day and patron."""

import pytest

from ops.words.alerts import alert_words
from ops.words.events import sentences
from tests.worlds.alerts_there import alerts_of
from tests.worlds.gaming_table import BANKER_WINS, TIE, GamingTable


@pytest.fixture
def noted(database):
    def ask_for():
        return [
            (row["table"], row["detail"]["patron"], row["detail"]["played"])
            for row in alerts_of(database, "little play")
        ]

    return ask_for


def cash(pit, amount, seat=3):
    pit.say("table.buy-in", seat=seat, amount=amount)
    return pit.say("table.cash-out", seat=seat, amount=amount)


def test_a_patron_who_takes_the_cash_again_without_play_is_an_alert_once(pit, noted):
    cash(pit, 5_000_00)
    cash(pit, 5_000_00)

    assert [("B01", "P-10417", 0)] == noted()


def test_nobody_at_the_table_is_shown_that_it_was_noted(pit):
    pit.say("table.buy-in", seat=3, amount=5_000_00)
    line = {"command": "table.cash-out", "table": "B01", "seat": 3, "amount": 5_000_00, "id": "a-1"}
    at_once, again = (pit.dispatcher.dispatch(line) for _ in range(2))
    words = " ".join(sentences(at_once.body["events"], "USD"))

    assert again.body["events"] == at_once.body["events"]
    assert "LittlePlayNoted" not in str(at_once)
    assert "5,000.00" in words


def test_the_board_says_what_was_noted(pit, database):
    cash(pit, 5_000_00)
    (alert,) = alerts_of(database, "little play")
    said = alert_words("little play", alert["detail"], "USD")
    assert "P-10417" in said
    assert "5,000.00" in said


def test_below_the_houses_amount_or_with_enough_play_it_is_none(pit, noted):
    cash(pit, 2_999_00, seat=1)
    for _ in range(8):
        pit.play(TIE, (3, "banker", 100_00))
    cash(pit, 3_000_00)

    assert [] == noted()


def test_play_at_every_table_and_under_every_name_counts_together(pit, noted):
    other = GamingTable(pit.dispatcher, "B02")
    other.moment = pit.moment
    other.say("table.open", rules="dragon-bonus@1", opener={"10000": 200}, **{"with": "S-11"})
    other.say("table.seat", seat=1, patron="an alias")
    other.prepare(seat=1)
    for _ in range(8):
        other.play(TIE, (1, "banker", 100_00))
    pit.moment = other.moment
    pit.say("patron.identify", patron="an alias", **{"is": "P-10417"})
    cash(pit, 3_000_00)
    assert [] == noted()
    cash(pit, 3_000_00)  # 6,000 in and out, and 800 played
    assert [("B01", "P-10417", 800_00)] == noted()


def test_amount_and_share_are_settings_of_the_house(pit, noted):
    pit.say("property.set", name="little_play_cash", value=0)
    cash(pit, 9_000_00)
    assert [] == noted()
    pit.say("property.set", name="little_play_cash", value=5)
    pit.say("property.set", name="little_play_share", value=100)
    pit.play(BANKER_WINS, (5, "banker", 400_00))
    cash(pit, 500_00, seat=5)
    assert [("B01", "grey-jacket", 400_00)] == noted()
