"""Meters of positions: the coups and the accounts, two streams that must come to the same."""

import random

import pytest

from projections import REPORTS
from tests.acceptance.channels import rows_of
from tests.worlds.electronic_table import TWO, ElectronicTable
from tests.worlds.gaming_table import BANKER_WINS, DAY, PLAYER_WINS, TIE

COUP = f"E01/{DAY}/1/{{}}".format


@pytest.fixture
def table(dispatcher):
    return ElectronicTable(dispatcher).begin((3, 200_00), (5, 50_00))


def rows(database, report, *names):
    return rows_of(database, *names, report=REPORTS[report])


def require_no_exception(database):
    off = rows(database, "meter-comparison", "off", "exception")
    assert set(off) <= {(0, False)}
    assert {each for (each,) in rows(database, "etg-win", "off")} <= {0}


def test_the_meters_of_each_position(table, database):
    table.play(BANKER_WINS, (3, "banker", 100_00), (3, "tie", 10_00), (5, "player", 20_00))
    table.play(TIE, (3, "player", 50_00))
    table.bet(3, "player", 5_00)  # in play: on no meter yet
    table.say("account.pay-out", seat=5, amount=10_00, to="ticket")
    table.say("account.pay-in", seat=3, amount=40_00, ticket="0081")
    table.say("account.hand-pay", seat=5, reason="no paper", **TWO)

    assert rows(database, "meters", "seat", "games", "bets", "wins", "coin_in", "coin_out") == [
        (3, 2, 3, 1, 160_00, 245_00),
        (5, 1, 1, 0, 20_00, 0),
    ]
    names = ("cash_in", "tickets_in", "cash_out", "tickets_out", "hand_paid")
    assert rows(database, "meters", *names) == [
        (200_00, 40_00, 0, 0, 0),
        (50_00, 0, 0, 10_00, 20_00),
    ]
    assert rows(database, "etg-win", "on_accounts", "win", "by_meters") == [
        (325_00, -65_00, -65_00)
    ]
    require_no_exception(database)


def test_a_void_coup_and_a_correction_are_taken_off_the_meters(table, database):
    table.play(PLAYER_WINS, (3, "player", 100_00))
    table.play(BANKER_WINS, (3, "banker", 20_00), (5, "player", 20_00))
    table.say("void", coup=COUP(1), reason="a fault", **TWO)
    right = {"seat": 5, "spot": "player", "to": 40_00, "reason": "misread", **TWO}
    table.say("correct", coup=COUP(2), **right)

    assert rows(database, "meters", "seat", "games", "bets", "wins", "coin_in", "coin_out") == [
        (3, 1, 1, 1, 20_00, 39_00),
        (5, 1, 1, 1, 20_00, 40_00),
    ]
    require_no_exception(database)


def test_what_an_account_cannot_give_back_is_an_exception(table, database):
    table.play(PLAYER_WINS, (5, "player", 50_00))
    table.say("account.pay-out", seat=5, amount=80_00)
    table.say("void", coup=COUP(1), reason="a fault", **TWO)

    assert rows(database, "meter-comparison", "seat", "by_meters", "by_accounts", "off") == [
        (3, 0, 0, 0),
        (5, 0, -30_00, 30_00),
    ]
    assert rows(database, "meter-comparison", "exception") == [(False,), (True,)]


def shortages(database):
    """Every shortage that people see as an exception: the amount, the patron's seat, the rank."""
    noted = rows(database, "exceptions", "kind", "table", "detail", "rank")
    return [
        (table, detail["seat"], detail["amount"], rank)
        for kind, table, detail, rank in noted
        if kind == "account short"
    ]


def test_what_an_account_cannot_give_back_rings_with_the_amount_of_the_comparison(table, database):
    """A win was paid out, then the coup void; cash typed ten times too high, lost, put right."""
    table.play(PLAYER_WINS, (5, "player", 50_00))
    table.say("account.pay-out", seat=5, amount=80_00)
    table.say("void", coup=COUP(1), reason="a fault", **TWO)
    typed = table.say("account.pay-in", seat=3, amount=100_00).body["position"]
    table.play(PLAYER_WINS, (3, "banker", 300_00))
    right = {"position": typed, "amount": 10_00, "reason": "typed 100 for 10", **TWO}
    table.say("money.correct", **right)

    assert shortages(database) == [("E01", 5, 30_00, 1), ("E01", 3, 90_00, 1)]
    assert rows(database, "meter-comparison", "seat", "off") == [(3, 90_00), (5, 30_00)]
    alerts = rows(database, "alerts", "kind")
    assert alerts.count(("account short",)) == 2


def test_a_ticket_that_was_not_taken_rings(table, database):
    """Somebody brought it a second time, or for more than it is worth: no money was given."""
    table.say("account.pay-out", seat=5, amount=10_00, to="ticket")
    ticket = f"E01/{DAY}/stay-2/ticket-1"
    table.ask("account.pay-in", seat=3, amount=20_00, ticket=ticket)

    assert ("ticket refused", "E01", 1) in rows(database, "exceptions", "kind", "table", "rank")
    assert ("ticket refused", 1) in rows(database, "alerts", "kind", "rank")


def test_what_a_coup_of_an_earlier_day_leaves_open_is_an_exception(table, database):
    table.play(PLAYER_WINS, (5, "banker", 50_00))
    for seat in (3, 5):
        table.ask("account.pay-out", seat=seat)
        table.say("table.leave", seat=seat)
    table.end_shoe()
    table.say("table.close", closer={}, confirmed=True)
    table.say("void", coup=COUP(1), reason="a fault", **TWO)

    noted = rows(database, "exceptions", "kind", "coup", "detail", "rank")
    (one,) = [each for each in noted if each[0] == "bet left open"]
    assert (one[1], one[2]["balance"], one[3]) == (COUP(1), -50_00, 2)
    assert ("bet left open",) in rows(database, "alerts", "kind")


@pytest.mark.parametrize("closed", [False, True], ids=["in play", "closed"])
def test_a_shortage_of_an_account_is_missing_once_and_not_from_the_tray_as_well(
    table, database, closed
):
    table.say("account.pay-out", seat=3)
    typed = table.say("account.pay-in", seat=5, amount=100_00).body["position"]
    table.play(PLAYER_WINS, (5, "banker", 150_00))
    right = {"position": typed, "amount": 10_00, "reason": "typed 100 for 10", **TWO}
    if not closed:
        table.say("money.correct", **right)
    table.end_shoe()
    table.say("table.close", closer={})
    if closed:
        table.say("money.correct", **right)

    assert shortages(database) == [("E01", 5, 90_00, 1)]
    kinds = [kind for (kind,) in rows(database, "exceptions", "kind")]
    assert "closer variance" not in kinds


@pytest.mark.parametrize("command", ["pay-in", "pay-out", "hand-pay"])
def test_money_that_was_typed_wrong_is_right_on_the_meters(table, database, command):
    reason = {"reason": "no paper", **TWO} if command == "hand-pay" else {}
    table.say(f"account.{command}", seat=3, amount=50_00, **reason)
    right = {"table": "E01", "position": "last", "reason": "typed wrong", **TWO}
    table.say("money.correct", amount=30_00, **right)

    names = ("cash_in", "cash_out", "hand_paid")
    expected = {
        "pay-in": (230_00, 0, 0),
        "pay-out": (200_00, 30_00, 0),
        "hand-pay": (200_00, 0, 30_00),
    }
    assert rows(database, "meters", *names)[0] == expected[command]
    require_no_exception(database)


def test_a_meter_goes_on_from_day_to_day(table, database):
    table.play(BANKER_WINS, (3, "player", 20_00))
    table.end_shoe()
    table.say("table.roll-over", closer={})
    table.shoe().play(BANKER_WINS, (3, "player", 30_00))

    names = ("day", "seat", "coin_in", "coin_in_reading")
    assert [(str(day), *rest) for day, *rest in rows(database, "meters", *names)] == [
        ("2026-11-21", 3, 20_00, 20_00),
        ("2026-11-21", 5, 0, 0),
        ("2026-11-22", 3, 30_00, 50_00),
        ("2026-11-22", 5, 0, 0),
    ]
    assert rows(database, "etg-win", "on_accounts", "win", "off") == [
        (0, 20_00, 0),
        (200_00, 30_00, 0),
    ]


def test_the_win_of_a_closed_table_is_that_of_its_meters(table, database):
    table.play(BANKER_WINS, (3, "player", 60_00), (5, "tie", 10_00))
    table.say("account.pay-in", seat=5, amount=25_00, ticket="0081")
    table.end_shoe()
    table.say("account.pay-out", seat=3, to="ticket")
    table.say("account.pay-out", seat=5)
    table.say("table.close", closer={})
    table.say("table.drop", amount=250_00)

    assert rows(database, "table-win", "drop", "credits", "fills", "cash_out", "win") == [
        (250_00, 25_00, 140_00, 65_00, 70_00)
    ]
    assert rows(database, "etg-win", "win", "by_meters", "off") == [(70_00, 70_00, 0)]


def test_wagers_in_chips_are_on_no_meter(table, database):
    table.say("table.seat", seat=7, patron="P-7")
    table.play(BANKER_WINS, (7, "banker", 50_00), (3, "banker", 20_00))

    assert rows(database, "meters", "seat", "coin_in") == [(3, 20_00), (5, 0)]


@pytest.mark.parametrize("seed", range(2))
def test_meters_and_accounts_agree_after_everything(table, database, seed):
    chance, coups = random.Random(seed), 0
    for n in range(20):
        for seat in (3, 5):
            spot, amount = chance.choice(("player", "banker", "tie")), chance.randrange(1, 30)
            table.ask("bet", seat=seat, spot=spot, amount=amount * 1_00)
        ranks = [card[0] for card in chance.choice((BANKER_WINS, PLAYER_WINS, TIE)).split()]
        first, *rest = [rank + "CDHS"[n % 4] for rank in ranks]
        if not table.ask("draw", card=first).ok:
            continue
        coups += 1
        table.deal(" ".join(rest), settle=True)
        table.ask("account.pay-in", seat=chance.choice((3, 5)), amount=50_00)
        if chance.random() < 0.3:
            put = {"seat": 3, "spot": "player", "to": chance.randrange(9) * 1_00}
            table.ask("correct", coup=COUP(coups), reason="misread", **put, **TWO)
        if chance.random() < 0.2:
            table.ask("void", coup=COUP(coups), reason="a fault", **TWO)
    table.require_books()

    require_no_exception(database)
