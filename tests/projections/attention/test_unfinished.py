"""Unfinished: what waits is a row of its gaming day, until somebody has done it."""

import pytest

from projections import REPORTS
from tests.acceptance.channels import rows_of
from tests.worlds.electronic_table import ElectronicTable
from tests.worlds.gaming_table import BANKER_WINS, DAY, PLAYER_WINS, GamingTable

REPORT = REPORTS["unfinished"]
TWO = {"by": "D-204", "with": "S-11"}
DAY_OF = f"B01/{DAY}"
COUP = f"{DAY_OF}/1/1"
CASE = {"case": "C-2026-0001"}


def unfinished(database, *names, **narrowed):
    return rows_of(database, *(names or ("kind", "which")), report=REPORT, **narrowed)


@pytest.fixture
def table(dispatcher):
    return GamingTable(dispatcher).open().prepare()


def close(table):
    table.end_shoe()
    return table.say("table.close", closer={"10000": 200}, **TWO)


def test_a_table_its_shoe_and_its_coup_wait_until_each_is_ended(table, database):
    table.bet(3, "player", 100_00)
    table.say("draw", card="9C")
    both = [("table open", DAY_OF), ("shoe not ended", f"{DAY_OF}/1")]

    assert [*both, ("coup not settled", COUP)] == unfinished(database)
    table.deal("5S 7C QD 9S", settle=True)
    assert both == unfinished(database)
    close(table)
    assert [] == unfinished(database)


def test_a_table_that_is_opened_again_waits_again(table, database):
    close(table)
    table.say("table.reopen", reason="again", opener={"10000": 200}, **TWO)

    assert [("table open", DAY_OF)] == unfinished(database)


def test_cash_in_the_box_waits_for_its_count(table, database):
    table.say("table.buy-in", seat=3, amount=100_00)
    close(table)

    assert [("drop not counted", 100_00)] == unfinished(database, "kind", "amount")
    table.say("table.drop", amount=100_00, day=DAY, **TWO)
    assert [] == unfinished(database)


def test_a_box_waits_on_the_table_and_for_its_count(table, database):
    table.say("box.attach", box="X-1")
    assert ("box on table", "X-1") in unfinished(database)

    table.say("box.remove", box="X-1", by="SEC-1", **{"with": "S-11"})
    assert ("box not counted", "X-1") in unfinished(database)


def test_a_case_waits_though_its_day_is_closed(table, database):
    table.play(PLAYER_WINS, (3, "player", 100_00))
    close(table)
    table.say("dispute.open", coup=COUP, patron="P-10417", complaint="not paid", amount=5_00)

    assert [("case open", CASE["case"], "P-10417", 5_00)] == unfinished(
        database, "kind", "which", "patron", "amount"
    )
    table.say("dispute.decide", **CASE, decision="stand", reason="camera", **{"with": "PB-2"})
    assert [("case open", CASE["case"])] == unfinished(database)
    table.say("dispute.tell", **CASE)
    table.say("dispute.close", **CASE)
    assert [] == unfinished(database)


def test_a_slip_waits_until_the_table_has_it(table, database):
    asked = table.say("slip.request", kind="fill", chips={"10000": 5})
    slip = asked.body["slip"]
    assert ("fill requested", slip, 500_00) in unfinished(database, "kind", "which", "amount")

    table.say("slip.void", slip=slip, reason="not needed", by="S-11", **{"with": "PB-2"})
    assert slip not in dict(map(reversed, unfinished(database)))


def test_commission_waits_until_it_is_paid(table, database):
    table.play(BANKER_WINS, (3, "banker", 100_00))
    stay = f"{DAY_OF}/stay-2"

    assert ("commission owed", stay, 5_00) in unfinished(database, "kind", "which", "amount")
    table.say("commission.collect", seat=3, amount=5_00)
    assert stay not in dict(map(reversed, unfinished(database)))


def test_a_bet_that_a_correction_left_open_waits_for_the_patron(table, database):
    table.play(PLAYER_WINS, (3, "player", 100_00))
    table.say("table.leave", seat=3)
    close(table)
    right = {"seat": 3, "spot": "player", "to": 300_00, "reason": "misread"}
    table.say("correct", coup=COUP, **right, **TWO)

    assert [("bet left open", "P-10417", -100_00)] == unfinished(
        database, "kind", "patron", "amount"
    )


def test_game_accounts_and_tickets_wait_for_whoever_they_belong_to(dispatcher, database):
    table = ElectronicTable(dispatcher).begin((3, 100_00))
    stay = f"E01/{DAY}/stay-1"

    def money():
        rows = unfinished(database, "kind", "which", "amount", table="E01")
        return [row for row in rows if row[2]]

    assert [("money on account", stay, -100_00)] == money()
    table.bet(3, "player", 60_00)
    assert [("money on account", stay, -100_00)] == money()  # with what lies on the cloth
    table.say("withdraw", seat=3)
    ticket = table.say("account.pay-out", seat=3, to="ticket").body["events"][0]["ticket"]
    assert [("ticket not taken", ticket, -100_00)] == money()
    table.say("account.pay-in", seat=3, amount=100_00, ticket=ticket.upper())
    assert [("money on account", stay, -100_00)] == money()


def test_a_ticket_of_another_system_is_not_owed_here(dispatcher, database):
    table = ElectronicTable(dispatcher).begin((3, 100_00))
    table.say("account.pay-in", seat=3, amount=40_00, ticket="0081-2217-9")

    assert "ticket not taken" not in dict(unfinished(database))


def test_it_is_asked_about_the_days_up_to_one(table, database):
    assert [] == unfinished(database, to="2026-11-20")
    assert 2 == len(unfinished(database, to=DAY))
