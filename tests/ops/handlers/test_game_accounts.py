"""Patrons who bet from game accounts: what they have is there, and nothing is bet twice."""

import random

import pytest

from ops.reports.ask import ask
from projections import REPORTS
from tests.worlds.electronic_table import TWO, ElectronicTable
from tests.worlds.gaming_table import BANKER_WINS, DAY, PLAYER_WINS, TIE, GamingTable

COUP = f"E01/{DAY}/1/{{}}".format


@pytest.fixture
def table(dispatcher):
    table = ElectronicTable(dispatcher).begin((3, 200_00), (5, 50_00))
    yield table
    table.require_books()


def refused(answer):
    return answer.body["error"], answer.body["rule"], answer.body["message"]


def types(answer):
    return [event["type"] for event in answer.body["events"]]


def test_cash_opens_the_account_and_counts_for_the_reporting_amount(table):
    table.say("table.seat", seat=7, patron="P-7")
    opened = table.say("account.pay-in", seat=7, amount=100_00)
    again = table.say("account.pay-in", seat=7, amount=20_00)

    assert types(opened) == [
        *("BoughtIn", "CashDayBegun", "CashCounted", "GameAccountOpened", "PaidIn")
    ]
    assert types(again) == ["BoughtIn", "CashCounted", "PaidIn"]
    assert table.balance(7) == 120_00


def test_a_wager_is_debited_as_it_is_placed_and_credited_as_it_is_settled(table):
    bet = table.bet(3, "banker", 100_00)
    after_bet = table.balance(3)
    table.deal(BANKER_WINS, settle=True)

    assert types(bet) == ["CoupBegun", "CoupOpened", "WagerPlaced", "Wagered"]
    assert (after_bet, table.balance(3)) == (100_00, 295_00)  # 19 to 20


@pytest.mark.parametrize(
    ("cards", "spot", "balance"),
    [
        (BANKER_WINS, "player", 180_00),
        (BANKER_WINS, "banker", 219_00),
        (PLAYER_WINS, "player", 220_00),
        (TIE, "banker", 200_00),
        (TIE, "tie", 360_00),
        (PLAYER_WINS, "tie", 180_00),
    ],
)
def test_what_a_coup_leaves_on_the_account(table, cards, spot, balance):
    table.play(cards, (3, spot, 20_00))

    assert table.balance(3) == balance


def test_nobody_bets_more_than_is_there(table):
    table.bet(5, "player", 30_00)
    over = table.ask("bet", seat=5, spot="tie", amount=21_00)
    raised = table.ask("bet", seat=5, spot="player", amount=51_00)

    assert refused(over) == (
        "AccountShort",
        "R-ACC-1",
        "Seat 5 has 20.00 on its game account, less than 21.00. Take less, or pay in first.",
    )
    assert raised.body["error"] == "AccountShort"
    table.bet(5, "player", 50_00)  # the 30.00 that lie there count
    assert table.balance(5) == 0


def test_several_wagers_are_placed_together_or_not_at_all(table):
    wagers = [
        {"seat": 3, "spot": "player", "amount": 100_00},
        {"seat": 5, "spot": "player", "amount": 51_00},
    ]
    assert table.ask("bets", wagers=wagers).body["error"] == "AccountShort"
    assert (table.balance(3), table.balance(5)) == (200_00, 50_00)

    wagers[1]["amount"] = 50_00
    table.say("bets", wagers=wagers)
    assert (table.balance(3), table.balance(5)) == (100_00, 0)


def test_what_is_taken_back_or_lowered_is_on_the_account_again(table):
    table.bet(3, "player", 100_00)
    table.bet(3, "player", 40_00)
    lowered = table.balance(3)
    table.say("withdraw", seat=3)

    assert (lowered, table.balance(3)) == (160_00, 200_00)


def test_what_is_over_a_limit_at_the_first_card_goes_back(table):
    """R-BET-5: at the limit. The minimum was raised after the bet; a Tie alone is under it."""
    table.say("table.limits", minimum=10_00)
    table.bet(3, "tie", 5_00)
    table.deal(TIE, settle=True)

    assert table.balance(3) == 240_00  # under a minimum it is settled as it lies


def test_a_void_coup_returns_every_stake(table):
    table.bet(3, "player", 100_00)
    table.bet(5, "tie", 10_00)
    table.say("draw", card="9C")
    table.say("void", coup=COUP(1), reason="the reader failed", **TWO)

    assert (table.balance(3), table.balance(5)) == (200_00, 50_00)


def test_a_settled_coup_that_is_voided_takes_back_what_it_paid(table):
    table.play(PLAYER_WINS, (3, "player", 100_00), (5, "banker", 50_00))
    assert (table.balance(3), table.balance(5)) == (300_00, 0)
    table.say("void", coup=COUP(1), reason="a wrong card", **TWO)

    assert (table.balance(3), table.balance(5)) == (200_00, 50_00)


def test_the_house_bears_what_an_account_cannot_give_back(dispatcher):
    table = ElectronicTable(dispatcher).begin((3, 100_00))
    table.play(PLAYER_WINS, (3, "player", 100_00))
    table.say("account.pay-out", seat=3, amount=150_00)
    voided = table.say("void", coup=COUP(1), reason="a wrong card", **TWO)

    assert moved_off(voided) == [("FoundShort", 50_00, 100_00), ("PaymentFollowed", 100_00, 0)]
    assert table.balance(3) == 0


def test_the_house_bears_a_win_that_was_paid_to_a_patron_who_has_left(dispatcher):
    table = ElectronicTable(dispatcher).begin((3, 100_00))
    table.play(PLAYER_WINS, (3, "player", 100_00))
    table.say("account.pay-out", seat=3)
    table.say("table.leave", seat=3)
    voided = table.say("void", coup=COUP(1), reason="a wrong card", **TWO)

    assert moved_off(voided) == [("FoundShort", 100_00, 100_00), ("PaymentFollowed", 100_00, 0)]


def moved_off(answer):
    """What a correction did to the account: each event with its amount and the balance then."""
    return [
        (each["type"], each["amount"], each["balance"])
        for each in answer.body["events"]
        if each["type"] in ("FoundShort", "PaymentFollowed", "CashPutRight")
    ]


@pytest.mark.parametrize("opens_again", [True, False])
def test_what_the_house_bears_of_a_closed_day_is_not_in_another_tray_as_well(
    dispatcher, opens_again
):
    table = ElectronicTable(dispatcher).begin((3, 100_00), (5, 100_00))
    table.play(PLAYER_WINS, (3, "player", 100_00), (5, "banker", 40_00))
    for seat in (3, 5):
        table.say("account.pay-out", seat=seat)
        table.say("table.leave", seat=seat)
    table.end_shoe()
    table.say("table.close", closer={}, confirmed=True)
    if opens_again:
        later = {"rules": "electronic@1", "opener": {"10000": 10}, "day": "2026-11-22"}
        table.say("table.open", **later, **TWO)
    voided = table.say("void", coup=COUP(1), reason="a wrong card", **TWO)

    assert moved_off(voided) == [("FoundShort", 100_00, 100_00), ("PaymentFollowed", 100_00, 0)]
    assert "EarlierCoupPutRight" not in [each["type"] for each in voided.body["events"]]
    (left,) = (e for e in voided.body["events"] if e["type"] == "BetLeftOpen")
    assert left["balance"] == -40_00  # the loser is owed it; nobody gives back the 100.00


def test_a_corrected_payment_goes_to_the_account(table):
    table.play(PLAYER_WINS, (3, "player", 100_00))
    right = {"seat": 3, "spot": "player", "reason": "half", **TWO}
    table.say("correct", coup=COUP(1), to=150_00, **right)
    lower = table.balance(3)
    table.say("correct", coup=COUP(1), to=200_00, **right)

    assert (lower, table.balance(3)) == (250_00, 300_00)


def test_a_corrected_card_is_followed(table):
    table.play("KC 9S 2C QD", (3, "banker", 100_00), (5, "player", 50_00))
    right = {"n": 2, "card": "2S", "reason": "misread", **TWO}
    answer = table.ask("coup.correct-card", coup=COUP(1), **right)

    assert answer.body["error"] == "CoupNotFinished"  # a third card would have been due
    table.say("coup.correct-card", coup=COUP(1), **{**right, "n": 3, "card": "9D"})
    assert (table.balance(3), table.balance(5)) == (200_00, 50_00)  # nine all


@pytest.mark.parametrize(("seat", "to_seat"), [(3, 7), (7, 3)])
def test_a_wager_of_an_account_is_nobody_elses(dispatcher, seat, to_seat):
    table = ElectronicTable(dispatcher).begin((3, 200_00))
    table.say("table.seat", seat=7, patron="P-7")
    table.play(PLAYER_WINS, (seat, "player", 10_00))
    moved = {"seat": seat, "spot": "player", "to_seat": to_seat, "reason": "hers"}
    answer = table.ask("coup.move-wager", coup=COUP(1), **moved, **TWO)

    assert (answer.body["error"], answer.body["rule"]) == ("BadValue", "R-ACC-1")


def test_a_wager_of_an_account_is_not_entered_late(table):
    before = table.bet(5, "player", 10_00) and table.moment.isoformat()
    table.say("draw", card="9C")
    late = table.ask("bet", seat=3, spot="player", amount=10_00, late=True, at=before, **TWO)

    assert (late.body["error"], late.body["rule"]) == ("BadValue", "R-ACC-1")


def test_who_has_no_account_bets_with_chips(table):
    table.say("table.seat", seat=7, patron="P-7")
    table.say("table.buy-in", seat=7, amount=100_00)
    assert types(table.bet(7, "player", 100_00)) == ["CoupBegun", "CoupOpened", "WagerPlaced"]
    opening = table.ask("account.pay-in", seat=7, amount=50_00)

    assert opening.body["error"] == "CoupNotFinished"
    table.say("withdraw", seat=7)
    table.say("table.cash-out", seat=7, amount=100_00, **TWO)  # the tray had no chips


def test_the_chips_of_whoever_has_left_are_left_open(dispatcher):
    table = ElectronicTable(dispatcher).begin((3, 100_00))
    table.play(PLAYER_WINS, (3, "banker", 100_00))
    table.say("table.leave", seat=3)
    voided = table.say("void", coup=COUP(1), reason="a wrong card", **TWO)
    table.end_shoe()
    closed = table.say("table.close", closer={}, confirmed=True)

    assert "PaymentFollowed" not in types(voided)
    (event,) = (each for each in closed.body["events"] if each["type"] == "TableClosed")
    assert [each["balance"] for each in voided.body["events"] if each["type"] == "BetLeftOpen"] == [
        -100_00
    ]
    assert event["expected"] == 0


# In and out.
def test_a_ticket_is_taken_once_and_for_what_it_is_worth(table):
    ticket = f"E01/{DAY}/stay-1/ticket-1"
    paid = table.say("account.pay-out", seat=3, to="ticket")
    assert types(paid) == ["TicketIssued", "TicketOut", "PaidOut"]
    assert paid.body["events"][0]["ticket"] == ticket
    wrong = table.ask("account.pay-in", seat=5, amount=300_00, ticket=ticket)
    taken = table.say("account.pay-in", seat=5, amount=200_00, ticket=ticket)
    again = table.ask("account.pay-in", seat=3, amount=200_00, ticket=ticket)

    assert types(taken) == ["TicketTaken", "TicketIn", "PaidIn"]
    assert refused(wrong) == (
        *("TicketRefused", "R-ACC-2"),
        f"Ticket {ticket} is not taken: it is worth 200.00. Call the cage.",
    )
    assert refused(again)[2] == (
        f"Ticket {ticket} is not taken: it was already taken at E01/{DAY}. Call the cage."
    )
    assert types(wrong) == types(again) == ["TicketRefused"]
    assert (table.balance(3), table.balance(5)) == (0, 250_00)


def test_a_ticket_of_another_system_is_taken_once(table):
    table.say("account.pay-in", seat=3, amount=40_00, ticket="0081-2217-9")
    again = table.ask("account.pay-in", seat=5, amount=40_00, ticket="0081-2217-9")

    assert again.body["error"] == "TicketRefused"
    assert table.balance(3) == 240_00


def test_a_refused_ticket_opens_no_account(table):
    table.say("account.pay-in", seat=3, amount=40_00, ticket="0081-2217-9")
    table.say("table.seat", seat=7, patron="P-7")
    again = table.ask("account.pay-in", seat=7, amount=40_00, ticket="0081-2217-9")

    assert types(again) == ["TicketRefused"]
    assert types(table.say("table.leave", seat=7)) == ["PatronLeft"]


def test_a_payment_by_hand_takes_two(table):
    alone = table.ask("account.hand-pay", seat=3, reason="no paper")
    table.say("account.hand-pay", seat=3, reason="no paper", amount=150_00, **TWO)

    assert alone.body["error"] == "SecondPersonNeeded"
    assert table.account(3).places == {"cash": -200_00, "account": 50_00, "hand": 150_00}


def test_more_than_is_there_is_not_paid_out(table):
    assert table.ask("account.pay-out", seat=5, amount=50_01).body["error"] == "AccountShort"
    table.say("account.pay-out", seat=5)
    assert table.ask("account.pay-out", seat=5).body["error"] == "AccountShort"


def test_nobody_leaves_money_behind(table):
    leaving = table.ask("table.leave", seat=3)
    table.end_shoe()
    closing = table.ask("table.close", closer={})

    assert leaving.body["error"] == closing.body["error"] == "AccountNotEmpty"
    for seat in (3, 5):
        table.say("account.pay-out", seat=seat)
        table.say("table.leave", seat=seat)
    closed = table.say("table.close", closer={})
    (event,) = (each for each in closed.body["events"] if each["type"] == "TableClosed")
    assert (event["expected"], event["variance"]) == (0, 0)


def test_chips_are_not_sold_to_an_account(table):
    for command in ("table.buy-in", "table.cash-out"):
        answer = table.ask(command, seat=3, amount=10_00)
        assert (answer.body["error"], answer.body["rule"]) == ("BadValue", "R-ACC-1")


def test_a_second_chair_is_not_for_an_account(table):
    answer = table.ask("table.seat", seat=7, patron="P-3", **TWO)

    assert (answer.body["error"], answer.body["rule"]) == ("BadValue", "R-ACC-1")


def test_a_table_of_chips_has_no_accounts(dispatcher):
    table = GamingTable(dispatcher).open().prepare()
    answer = table.ask("account.pay-in", seat=3, amount=10_00)
    none = table.ask("account.pay-out", seat=3)

    assert refused(answer)[:2] == ("AccountsNotOffered", "R-ACC-1")
    assert none.body["error"] == "NoAccount"


def test_a_roll_over_carries_what_is_there_to_the_next_day(dispatcher):
    table = ElectronicTable(dispatcher).begin((3, 200_00), (5, 50_00))
    table.play(BANKER_WINS, (3, "banker", 100_00))
    table.end_shoe()
    events = table.say("table.roll-over", closer={}).body["events"]

    (closed,) = (each for each in events if each["type"] == "TableClosed")
    assert closed["variance"] == 0
    assert (table.balance(3), table.balance(5)) == (295_00, 50_00)
    table.require_books()


# Put right.
def test_cash_that_was_typed_wrong_is_put_right_on_the_account(table):
    table.say("account.pay-in", seat=3, amount=500_00)
    right = {"table": "E01", "position": "last", "reason": "typed 500 for 50", **TWO}
    table.say("money.correct", amount=50_00, **right)
    assert table.balance(3) == 250_00
    table.say("money.correct", withdrawn=True, **right)
    assert table.balance(3) == 200_00


def test_a_ticket_is_not_corrected(table):
    position = table.say("account.pay-in", seat=3, amount=40_00, ticket="0081").body["position"]
    right = {"table": "E01", "reason": "typed wrong", "amount": 30_00, **TWO}
    last = table.ask("money.correct", position="last", **right)
    named = table.ask("money.correct", position=position, **right)

    assert last.body["error"] == named.body["error"] == "NotFound"
    assert "is a ticket. Pay the difference in or out." in last.body["message"]


def test_cash_of_another_seat_goes_to_its_account(table):
    table.say("account.pay-in", seat=3, amount=500_00)
    right = {"table": "E01", "position": "last", "reason": "it was seat 5", **TWO}
    table.say("money.correct", seat=5, amount=400_00, **right)

    assert (table.balance(3), table.balance(5)) == (200_00, 450_00)


def test_cash_that_was_paid_out_is_put_right(table):
    table.say("account.pay-out", seat=3, amount=100_00)
    right = {"table": "E01", "position": "last", "reason": "it was 120", **TWO}
    table.say("money.correct", amount=120_00, **right)

    assert table.balance(3) == 80_00


def test_a_table_is_closed_though_a_correction_owes_somebody_who_has_left(dispatcher):
    table = ElectronicTable(dispatcher).begin((3, 100_00))
    paid = table.say("account.pay-out", seat=3, amount=100_00)
    table.say("table.leave", seat=3)
    right = {"position": paid.body["position"], "reason": "it was 60", "amount": 60_00}
    table.say("money.correct", **right, **TWO)
    table.end_shoe()
    closed = table.say("table.close", closer={})

    (event,) = (each for each in closed.body["events"] if each["type"] == "TableClosed")
    assert (event["expected"], event["variance"]) == (0, 0)


def test_a_pay_in_of_an_earlier_session_changes_nothing_in_the_next_one(dispatcher):
    table = ElectronicTable(dispatcher).begin((3, 100_00))
    paid = table.say("account.pay-in", seat=3, amount=50_00).body["position"]
    table.say("account.pay-out", seat=3)
    table.say("table.leave", seat=3)
    table.end_shoe()
    table.say("table.close", closer={})
    table.say("table.reopen", reason="opens again", opener={}, **TWO)
    table.say("money.correct", position=paid, amount=80_00, reason="it was 80", **TWO)
    closed = table.say("table.close", closer={})

    (event,) = (each for each in closed.body["events"] if each["type"] == "TableClosed")
    assert (event["expected"], event["variance"]) == (0, 0)


def test_cash_that_was_never_given_is_taken_off_though_it_was_lost_since(table):
    """It is a fact, whether it was lost or not; what the account then lacks is a shortage."""
    table.play(PLAYER_WINS, (5, "banker", 30_00))
    right = {"table": "E01", "reason": "typed 50 for 5", **TWO}
    answer = table.say("money.correct", position="last", amount=5_00, **right)

    assert moved_off(answer) == [("FoundShort", 25_00, 45_00), ("CashPutRight", 45_00, 0)]
    assert table.balance(5) == 0


def test_what_a_correction_leaves_with_who_has_left_is_an_exception_until_it_is_off(
    table, database
):
    paid = table.say("account.pay-in", seat=3, amount=100_00).body["position"]
    table.say("account.pay-out", seat=3)
    table.say("table.leave", seat=3)

    def left():
        rows = ask(database, REPORTS["exceptions"]).rows
        noted = (row for row in rows if row["kind"] == "money left on account")
        return [(row["detail"]["balance"], bool(row["acknowledged_at"])) for row in noted]

    for amount, expected in ((150_00, (50_00, False)), (100_00, (0, True))):
        right = {"amount": amount, "reason": "it was", **TWO}
        table.say("money.correct", position=paid, **right)
        assert left() == [expected]


# Whatever happens.
@pytest.mark.parametrize("seed", range(4))
def test_the_books_agree_after_everything(dispatcher, seed):
    """Bets, raises, withdrawals, results, voids and corrections, as they come."""
    chance = random.Random(seed)
    table = ElectronicTable(dispatcher).begin((1, 300_00), (3, 300_00), (5, 20_00))
    coups = 0
    for n in range(25):
        for _ in range(chance.randrange(4)):
            spot = chance.choice(("player", "banker", "tie"))
            seat, amount = chance.choice((1, 3, 5)), chance.randrange(1, 60) * 1_00
            table.ask("bet", seat=seat, spot=spot, amount=amount)
            if chance.random() < 0.2:
                table.ask("withdraw", seat=chance.choice((1, 3, 5)))
        table.require_books()
        if chance.random() < 0.2:
            table.ask("account.pay-in", seat=chance.choice((1, 3, 5)), amount=50_00)
        if chance.random() < 0.2:
            to = chance.choice(("cash", "ticket"))
            table.ask("account.pay-out", seat=chance.choice((1, 3)), amount=10_00, to=to)
        ranks = [card[0] for card in chance.choice((BANKER_WINS, PLAYER_WINS, TIE)).split()]
        cards = [rank + "CDHS"[n % 4] for rank in ranks]
        if not table.ask("draw", card=cards[0]).ok:
            continue
        coups += 1
        if chance.random() < 0.15:
            table.say("void", coup=COUP(coups), reason="a fault", **TWO)
            continue
        table.deal(" ".join(cards[1:]), settle=True)
        if chance.random() < 0.3:
            earlier, seat = COUP(chance.randrange(coups) + 1), chance.choice((1, 3, 5))
            put = {"seat": seat, "spot": "player", "to": chance.randrange(50) * 1_00}
            table.ask("correct", coup=earlier, reason="misread", **put, **TWO)
        if chance.random() < 0.1:
            table.ask("void", coup=COUP(coups), reason="a fault", **TWO)
        table.require_books()


def test_no_click_is_entered_late(dispatcher):
    table = ElectronicTable(dispatcher).begin((3, 100_00))
    table.say("open")
    table.say("no-more-bets")
    table.say("draw", card="9C")
    coup = dispatcher.desk.coup_in_play(dispatcher.desk.table_day("E01"))
    before = coup.created_on.isoformat()
    clicked = {"seat": 3, "coup": str(coup.address), "stakes": {"player": 50_00}}
    alone = table.ask("account.bet", late=True, at=before, **clicked).body
    by_two = table.ask("account.bet", late=True, at=before, **clicked, **TWO).body

    assert ["SecondPersonNeeded", "BadValue"] == [alone["error"], by_two["error"]]
    assert table.balance(3) == 100_00
    table.require_books()


def test_who_sits_alone_and_has_bet_may_have_the_cards_at_once(table):
    table.say("open")
    table.say("account.bet", seat=3, coup=COUP(1), stakes={"player": 10_00})
    among_others = refused(table.ask("account.deal", seat=3, coup=COUP(1)))
    table.say("account.pay-out", seat=5)
    table.say("table.leave", seat=5)
    another = table.ask("account.deal", seat=3, coup=COUP(2)).body["error"]
    closed = table.say("account.deal", seat=3, coup=COUP(1))
    again = table.ask("account.deal", seat=3, coup=COUP(1)).body["error"]

    assert among_others[:2] == ("BadValue", "R-DEAL-6")
    assert "Only who sits alone, and has bet" in among_others[2]
    assert (another, types(closed), again) == ("CoupOver", ["BettingClosed"], "CoupNotFinished")


def test_nobody_has_cards_dealt_to_nothing(table):
    table.say("account.pay-out", seat=5)
    table.say("table.leave", seat=5)
    table.say("open")

    assert refused(table.ask("account.deal", seat=3, coup=COUP(1)))[:2] == ("BadValue", "R-DEAL-6")
