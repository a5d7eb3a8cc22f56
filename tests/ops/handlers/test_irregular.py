"""R-IRR, R-BET-5, R-COM-4: the coup that goes wrong, and its commission, at a table of the pit."""

from datetime import timedelta

import pytest

from domain.rules.addresses import Coup, Receipt
from ops.replay.story import find
from ops.reports.receipt import find as find_receipt
from ops.words.events import sentences
from tests.acceptance.channels import shell
from tests.stories import as_dict
from tests.worlds.closed_house import EVERY_ROLE, ClosedHouse, number
from tests.worlds.gaming_table import BANKER_WINS, BEGINS, PLAYER_WINS, TIE, GamingTable

FIRST, SECOND = "B01/2026-11-21/1/1", "B01/2026-11-21/1/2"
STAY = "B01/2026-11-21/stay-2"  # P-10417's
WITH = {"with": "S-11"}
TORN = {"coup": FIRST, "reason": "a torn card", **WITH}
MISREAD = {"coup": FIRST, "seat": 3, "spot": "banker", "reason": "misread", **WITH}


def kinds(answer):
    return [event["type"] for event in answer.body["events"]]


def event(answer, kind):
    (found,) = [each for each in answer.body["events"] if each["type"] == kind]
    return found


def close(pit, **counted):
    """The shoe ends, the table is closed; what should have been in the tray."""
    pit.end_shoe()
    return event(pit.say("table.close", closer={"10000": 200}, **WITH, **counted), "TableClosed")


@pytest.fixture
def replay(database):
    """What the auditor reads of a coup."""

    def told(coup=FIRST):
        with database.connect("sabot_auditor") as connection:
            return as_dict(find(connection, Coup.parse(coup)))

    return told


# A void coup, in every phase.
# fmt: off
PHASES = {
    "betting":       lambda pit: None,
    "no more bets":  lambda pit: pit.say("no-more-bets"),
    "one card":      lambda pit: pit.deal("9C"),
    "third card":    lambda pit: pit.deal("9C 5S 7C QD"),
    "resulted":      lambda pit: pit.deal(BANKER_WINS),
    "settled":       lambda pit: pit.deal(BANKER_WINS, settle=True),
}
# fmt: on


@pytest.mark.parametrize("phase", PHASES)
def test_r_irr_5_after_a_void_the_next_coup_is_dealt_from_its_first_card(pit, replay, phase):
    pit.bet(3, "banker", 100_00)
    PHASES[phase](pit)
    voided = pit.say("void", **TORN)

    assert voided.body["due"] == {"action": "bet", "rule": "R-BET-1"}
    assert pit.ask("draw", card="2H").body["error"] == "CardNotDue"
    assert pit.bet(3, "banker", 50_00).body["coup"] == SECOND
    pit.deal(PLAYER_WINS, settle=True)
    assert (replay()["phase"], replay(SECOND)["phase"]) == ("voided", "settled")
    assert [each["hand"] for each in replay(SECOND)["cards"]] == [
        *("player", "banker") * 2, "banker"
    ]  # fmt: skip
    assert replay()["agrees"]
    assert replay(SECOND)["agrees"]


@pytest.mark.parametrize("phase", PHASES)
def test_r_irr_5_a_void_coup_leaves_nothing_owed_and_nothing_in_the_tray(pit, phase):
    pit.bet(3, "banker", 100_00)
    PHASES[phase](pit)
    pit.say("void", **TORN)
    closed = close(pit)

    assert (20_000_00, 0, 0) == (closed["expected"], closed["wagers_won"], closed["commission"])


def test_r_irr_5_voiding_an_old_coup_does_not_touch_the_coup_in_play(pit, replay):
    pit.play(BANKER_WINS, (3, "banker", 100_00))
    pit.bet(5, "player", 50_00)
    pit.deal("9C 5S")
    due = pit.say("void", **TORN).body

    assert (SECOND, {"action": "draw", "hand": "player", "rule": "R-DEAL-1"}) == (
        due["coup"],
        due["due"],
    )
    pit.deal("7C QD 9S", settle=True)
    assert [100_00] == [each["paid"] for each in replay(SECOND)["payments"]]


def test_r_irr_5_the_cards_of_a_void_coup_do_not_go_back_into_the_shoe(pit):
    pit.bet(3, "banker", 100_00)
    pit.deal(BANKER_WINS)
    pit.say("void", **TORN)
    pit.end_shoe()
    counted = event(pit.say("shoe.reconcile", remaining=408), "Reconciled")

    assert counted["difference"] == 0


# What becomes of the commission.
def test_r_irr_5_commission_collected_for_a_void_coup_is_refunded_with_a_receipt(pit, database):
    pit.play(BANKER_WINS, (3, "banker", 100_00))
    pit.say("commission.collect", seat=3, amount=5_00)
    voided = pit.say("void", **TORN)
    receipt = f"{STAY}/receipt-2"

    assert kinds(voided) == [
        *("WagerReturned", "Voided", "CommissionRefunded", "CommissionCorrected")
    ]
    assert (5_00, "patron", receipt) == tuple(
        event(voided, "CommissionRefunded")[name] for name in ("amount", "how", "receipt")
    )
    assert pit.dispatcher.dispatch({"command": "commission.receipt", "receipt": receipt}).ok
    with database.connect("sabot_auditor") as connection:
        slip = find_receipt(connection, Receipt.parse(receipt), 1).text()
    assert all(words in slip for words in ("COMMISSION REFUND", "ORIGINAL", "REFUNDED"))
    assert pit.ask("commission.collect", seat=3, amount=1).body["error"] == "OverCollected"
    closed = close(pit)
    assert (20_000_00, 0) == (closed["expected"], closed["commission"])


@pytest.mark.parametrize(
    ("let_off", "form"), [("commission.waive", []), ("commission.walked", ["FormAdjusted"])]
)
def test_r_com_4_a_void_refunds_only_commission_that_was_paid(pit, let_off, form):
    pit.play(BANKER_WINS, (3, "banker", 100_00))
    pit.say(let_off, seat=3, reason="a good guest", **WITH)
    voided = pit.say("void", **TORN)

    assert kinds(voided) == [
        *("WagerReturned", "Voided", "CommissionOwedAgain", "CommissionCorrected"),
        *form,
    ]
    assert event(voided, "CommissionOwedAgain")["amount"] == 5_00
    assert close(pit)["expected"] == 20_000_00


def test_r_com_2_at_payout_the_commission_of_a_void_coup_was_never_in_the_tray(dispatcher):
    pit = GamingTable(dispatcher).open("classic@1").prepare()
    pit.play(BANKER_WINS, (3, "banker", 100_00))
    voided = pit.say("void", **TORN)

    assert event(voided, "Voided")["changes_hands"] == -95_00
    assert event(voided, "CommissionRefunded")["how"] == "at-payout"
    closed = close(pit)
    assert (20_000_00, 0) == (closed["expected"], closed["commission"])


def test_r_irr_5_a_patron_who_left_is_owed_the_refund_and_gets_it_at_the_cage(pit):
    pit.play(BANKER_WINS, (3, "banker", 100_00))
    pit.say("commission.collect", seat=3, amount=5_00)
    pit.say("table.leave", seat=3)
    pit.say("table.seat", seat=3, patron="P-77")
    void = pit.say("void", **TORN)
    left_open = event(void, "CommissionLeftOpen")
    cage = {"by": "C-1", "with": "S-11"}
    settled = pit.say("patron.settle", patron="P-10417", how="received", reason="came by", **cage)
    refund = event(settled, "CommissionRefunded")

    assert "CommissionRefunded" not in kinds(void)
    assert ("P-10417", STAY, -5_00) == tuple(left_open[n] for n in ("patron", "stay", "balance"))
    assert (STAY, 5_00, "settlement") == tuple(refund[name] for name in ("stay", "amount", "how"))
    assert pit.say("table.leave", seat=3).ok  # P-77 has nothing to do with it


def test_r_com_4_debt_from_a_correction_is_settled_before_the_shoe_ends_even_if_the_patron_left(
    pit,
):
    pit.play(PLAYER_WINS, (3, "banker", 100_00))
    pit.say("table.leave", seat=3)
    pit.say("correct", **MISREAD, to=200_00)
    refused = pit.ask("shoe.end", reason="end of the evening", **WITH).body

    assert (refused["error"], "P-10417 owes 5.00." in refused["message"]) == (
        "CommissionOwed",
        True,
    )
    assert pit.ask("commission.walked", seat=3, reason="gone", **WITH).body["error"] == "SeatEmpty"
    pit.say("commission.walked", patron="P-10417", reason="gone", **WITH)
    closed = close(pit)
    assert (-100_00, 0) == (closed["wagers_won"], closed["commission"])


def test_r_com_5_a_patron_pays_for_the_stay_that_owes(pit):
    pit.play(PLAYER_WINS, (3, "banker", 100_00))
    pit.say("table.leave", seat=3)
    pit.say("table.seat", seat=3, patron="P-10417")
    pit.say("correct", **MISREAD, to=200_00)
    paid = pit.say("commission.collect", patron="P-10417", amount=5_00)

    assert event(paid, "CommissionCollected")["stay"] == STAY


LEFT_OPEN = ["CommissionLeftOpen", "OpenMoneyOpened", "BetLeftOpen"]


@pytest.mark.parametrize(
    ("command", "events", "changes_hands"),
    [
        (
            ("void", TORN),
            ["WagerReturned", "Voided", "CommissionCorrected", *LEFT_OPEN],
            -100_00,
        ),
        (
            ("correct", {**MISREAD, "to": 150_00}),
            ["PaymentCorrected", "CommissionCorrected", *LEFT_OPEN],
            -50_00,
        ),
        (
            ("correct", {**MISREAD, "to": 300_00}),
            ["PaymentCorrected", "CommissionCorrected", *LEFT_OPEN],
            100_00,
        ),
    ],
)
def test_r_irr_5_after_the_close_chips_and_commission_are_left_open(
    pit, replay, command, events, changes_hands
):
    pit.play(BANKER_WINS, (3, "banker", 100_00))
    pit.say("commission.collect", seat=3, amount=5_00)
    closed = close(pit)
    name, fields = command
    answer = pit.say(name, **fields)

    assert closed["expected"] == 19_905_00
    assert (events, changes_hands) == (kinds(answer), answer.body["events"][0]["changes_hands"])
    assert event(answer, "BetLeftOpen")["balance"] == -changes_hands
    assert event(answer, "CommissionLeftOpen")["balance"] == changes_hands // 20
    assert answer.body["due"] is None
    assert replay()["agrees"]


def test_the_variance_takes_voids_corrections_and_refunds_into_account(pit):
    pit.play(BANKER_WINS, (3, "banker", 100_00), (5, "player", 500_00))  # +400.00
    pit.say("commission.collect", seat=3, amount=5_00)
    pit.play(PLAYER_WINS, (3, "banker", 40_00), (5, "player", 60_00))  # -20.00
    pit.play(BANKER_WINS, (3, "banker", 200_00))  # -200.00, 10.00 owed
    second = {"coup": SECOND, "reason": "misread", **WITH}
    pit.say("correct", **second, seat=5, spot="player", to=60_00)  # 60.00 come back: +40.00
    pit.say("correct", **second, seat=3, spot="banker", to=80_00)  # 80.00 go: -40.00, 2.00 owed
    pit.say("void", **TORN)  # the first coup brought nothing; 5.00 are set off
    pit.say("commission.waive", seat=3, amount=1_00, reason="a good guest", **WITH)
    pit.say("commission.collect", seat=3, amount=6_00)
    closed = close(pit)

    assert closed["wagers_won"] == -40_00 - 200_00
    assert closed["commission"] == 5_00 + 6_00
    assert closed["expected"] == 20_000_00 - 240_00 + 11_00


# By two people, and only what is there.
# fmt: off
ALONE = [
    # with             that is
    ({"with": None},    "alone"),
    ({"with": "D-204"}, "the same again"),
]
# fmt: on


@pytest.mark.parametrize("second", [row[0] for row in ALONE], ids=[row[1] for row in ALONE])
@pytest.mark.parametrize(("command", "fields"), [("void", TORN), ("correct", MISREAD)])
def test_r_irr_5_a_void_takes_two_people_in_open_house_too(pit, command, fields, second):
    pit.play(PLAYER_WINS, (3, "banker", 100_00))
    fields = {name: value for name, value in {**fields, **second}.items() if value}
    refused = pit.ask(command, **fields).body

    assert (refused["error"], refused["rule"]) == ("SecondPersonNeeded", "R-IRR-5")


def test_r_irr_5_a_coup_is_voided_once(pit):
    pit.play(PLAYER_WINS, (3, "banker", 100_00))
    first = pit.say("void", **TORN, id="v-1")
    said_at = pit.moment
    again = pit.ask("void", **TORN).body
    corrected = pit.ask("correct", **MISREAD, to=200_00).body

    assert [again["error"], corrected["error"]] == ["CoupOver", "CoupOver"]
    assert again["message"] == f"{FIRST} is void, and stays void."
    assert pit.ask("void", **TORN, id="v-1", at=said_at.isoformat()).body == first.body


@pytest.mark.parametrize(("command", "fields"), [("void", TORN), ("correct", MISREAD)])
def test_an_unknown_coup_cannot_be_corrected(pit, command, fields):
    missing = pit.ask(command, **fields).body
    nonsense = pit.ask(command, **{**fields, "coup": "the last one"}).body
    elsewhere = pit.ask(command, **{**fields, "coup": "B02/2026-11-21/1/1"}).body

    assert (missing["error"], nonsense["error"], elsewhere["error"]) == (
        *("NotFound", "BadValue", "BadValue"),
    )
    assert missing["message"] == f"The ledger has no coup {FIRST}."
    assert elsewhere["message"].startswith("B02/2026-11-21/1/1 is no coup of B01.")


# Wagers that were found.
def found(pit, at, **fields):
    """Seat 3's wager that lay there at some moment, as it is entered now."""
    line = {"seat": 3, "spot": "player", "amount": 100_00, "late": True}
    return pit.ask("bet", at=at.isoformat(), **{**line, **fields})


@pytest.mark.parametrize("cards", ["9C", PLAYER_WINS])
def test_r_bet_5_a_wager_entered_late_is_paid_like_any_other(pit, replay, cards):
    pit.say("open")
    placed_at = pit.moment
    pit.deal(cards)
    answer = found(pit, placed_at, **WITH)

    assert kinds(answer) == ["WagerFound"]
    if cards == PLAYER_WINS:
        paid = event(pit.say("settle"), "WagerSettled")
        assert (100_00, 200_00) == (paid["stake"], paid["paid"])
        assert replay()["agrees"]


# fmt: off
CHEATS = [
    # fields                         error
    ({"late": False},                "BettingClosed"),
    ({},                             "SecondPersonNeeded"),
    ({"with": "D-204"},              "SecondPersonNeeded"),
    ({"spot": "banker", **WITH},     "BothSides"),
]
# fmt: on


@pytest.mark.parametrize(("fields", "error"), CHEATS)
def test_r_deal_2_no_bet_is_placed_after_a_card_was_seen(pit, fields, error):
    pit.bet(3, "player", 25_00)
    placed_at = pit.moment
    pit.deal("9C")
    late = fields.get("late", True)

    assert found(pit, placed_at if late else pit.moment, **fields).body["error"] == error


def test_r_deal_2_after_no_more_bets_a_wager_must_be_entered_late(pit):
    pit.say("open")
    pit.say("no-more-bets")

    assert found(pit, pit.moment, late=False, **WITH).body["error"] == "BettingClosed"
    assert found(pit, pit.moment, **WITH).ok


def test_r_bet_5_a_patron_who_sat_down_after_the_first_card_has_no_late_entry(pit):
    pit.say("open")
    placed_at = pit.moment
    pit.deal(BANKER_WINS)
    pit.say("table.seat", seat=8, patron="P-66")
    sat_down = pit.moment
    answer = found(pit, placed_at, seat=8, spot="banker", **WITH).body

    assert answer["error"] == "SeatEmpty"
    assert f"P-66 sat down only at {sat_down:%Y-%m-%d %H:%M:%S}." in answer["message"]


def test_r_bet_5_no_late_entry_is_earlier_than_the_patron_s_stay(pit):
    pit.say("open")
    pit.deal("9C")

    assert found(pit, BEGINS - timedelta(days=365), **WITH).body["error"] == "SeatEmpty"


def test_r_bet_5_a_stay_begins_with_the_patron_s_first_chair(pit):
    pit.say("table.move", seat=3, to=8)
    pit.say("open")
    placed_at = pit.moment
    pit.deal("9C")
    pit.say("table.seat", seat=9, patron="P-10417", **WITH)

    assert kinds(found(pit, placed_at, seat=9, **WITH)) == ["WagerFound"]


@pytest.mark.parametrize("since", [0, 1])
def test_r_deal_2_a_late_entry_is_earlier_than_the_first_card(pit, since):
    pit.say("open")
    pit.deal("9C")
    card_at = pit.moment
    pit.deal("5S 7C")
    answer = found(pit, card_at + timedelta(seconds=since), **WITH)

    assert (answer.body["error"], kinds(answer)) == ("BettingClosed", ["LateBetRefused"])


def test_r_bet_5_a_late_entry_for_a_settled_coup_is_paid_at_once(pit):
    pit.say("open")
    placed_at = pit.moment
    pit.deal(PLAYER_WINS, settle=True)
    answer = found(pit, placed_at, **WITH)

    assert kinds(answer)[:2] == ["WagerFound", "WagerSettledLate"]
    assert pit.bet(3, "player", 25_00).body["coup"] == SECOND


def test_r_bet_5_a_late_entry_for_a_void_coup_is_not_placed_on_the_next(pit):
    pit.say("open")
    placed_at = pit.moment
    pit.deal(PLAYER_WINS)
    pit.say("void", **TORN)
    answer = found(pit, placed_at, **WITH)

    assert (answer.body["error"], kinds(answer)) == ("BettingClosed", ["LateBetRefused"])
    assert event(answer, "LateBetRefused")["coup"] == FIRST
    assert pit.bet(3, "player", 25_00).body["coup"] == SECOND


def test_a_late_entry_for_the_next_coup_is_placed_on_it(pit):
    pit.play(PLAYER_WINS, (3, "player", 25_00))
    pit.moment += timedelta(minutes=5)
    answer = found(pit, pit.moment - timedelta(minutes=4))

    assert (SECOND, ["CoupBegun", "CoupOpened", "WagerPlaced"]) == (
        answer.body["coup"],
        kinds(answer),
    )


def test_voiding_a_tie_pays_nothing_twice(pit):
    pit.play(TIE, (3, "banker", 100_00))
    returned = event(pit.say("void", **TORN), "WagerReturned")

    assert (100_00, 0) == (returned["paid_before"], returned["changes_hands"])


# A squeeze.
def shown(answer):
    """What the dealer's `sabot draw` prints of an answer."""
    return list(sentences(answer.body["events"], "USD"))


@pytest.fixture
def big(dispatcher):
    """A squeeze table with a Player and a Banker bettor."""
    pit = GamingTable(dispatcher).open("big-table@1").prepare()
    pit.bet(3, "player", 100_00)
    pit.bet(5, "banker", 200_00)
    return pit


def test_r_deal_3_no_display_shows_a_card_or_the_outcome_before_it_is_turned(big):
    lines = [shown(big.say("draw", card=card)) for card in PLAYER_WINS.split()[:4]]
    told = " ".join(words for line in lines for words in line)

    assert lines[0] == [
        "No more bets.",
        "The Player hand goes to seat 3, the Banker hand to the dealer.",
        "A card face down to Player (R-DEAL-1).",
    ]
    assert lines[-1] == ["A card face down to Banker (R-DEAL-1)."]
    assert not any(sign in told for sign in ("♠", "♥", "♦", "♣", "wins", "Tie", "9C", "QD"))
    assert shown(big.say("reveal", hand="player", n=1)) == [
        "Seat 3 gives the Player hand back.",
        "The dealer turns Player 9♣: 9.",
    ]
    assert shown(big.say("reveal", hand="player")) == ["The dealer turns Player 7♣: 6."]
    assert shown(big.say("draw", card="9S")) == [
        "The dealer turns Banker 5♠ Q♦: 5.",
        "A card face down to Banker (R-DRAW-3).",
    ]
    assert shown(big.say("reveal", hand="banker")) == [
        "The dealer turns Banker 9♠: 4.",
        "Player wins, 6 to 4.",
    ]


def test_r_deal_3_face_up_cards_and_the_outcome_are_shown_at_once(pit):
    pit.bet(3, "banker", 100_00)
    lines = [shown(pit.say("draw", card=card))[-1] for card in BANKER_WINS.split()]

    assert lines[0] == "K♣ to Player (R-DEAL-1)."
    assert lines[-1] == "Banker wins, 9 to 2."


def test_r_deal_3_the_replay_shows_when_hands_were_turned(big, replay):
    big.deal("9C 5S 7C QD")
    big.say("reveal", hand="player")
    big.say("reveal", hand="banker")
    big.deal("9S", settle=True)
    told = replay()

    assert [[1, 3], [2, 4], [5]] == [each["numbers"] for each in told["turned"]]
    assert ("seat 3", "dealer") == (told["hands_given"]["player"], told["hands_given"]["banker"])
    assert told["agrees"]


def test_r_irr_2_a_card_on_the_wrong_hand_is_moved_and_the_replay_shows_it(pit, replay):
    pit.bet(3, "banker", 100_00)
    pit.deal("9C 5S")
    wrong = pit.ask("move-card", n=2, hand="player").body
    moved = pit.say("move-card", n=2, hand="banker")

    assert (wrong["error"], kinds(moved)) == ("BadValue", ["CardMoved"])
    assert moved.body["due"] == {"action": "draw", "hand": "player", "rule": "R-DEAL-1"}
    pit.deal("7C QD 9S", settle=True)
    assert (["CardMoved"], True) == (
        [each["event"] for each in replay()["exceptions"]],
        replay()["agrees"],
    )


def test_r_irr_2_a_card_is_moved_once(pit):
    pit.bet(3, "banker", 100_00)
    pit.deal("9C 5S 7C")
    pit.say("move-card", n=3, hand="player")
    again = pit.ask("move-card", n=3, hand="player").body

    assert (again["error"], again["message"]) == (
        "BadValue",
        "Card 3 was moved to Player's hand before. Nothing is to be moved.",
    )


# The replay.
def test_the_replay_shows_a_void_coup_as_it_was_and_then_the_void(pit, replay):
    pit.play(BANKER_WINS, (3, "banker", 100_00), (5, "player", 50_00))
    pit.say("commission.collect", seat=3, amount=5_00)
    pit.say("void", **TORN)
    told = replay()

    assert ("voided", "banker", True) == (told["phase"], told["outcome"], told["agrees"])
    assert [200_00, 0] == [each["paid"] for each in told["payments"]]
    assert [each["event"] for each in told["afterwards"]] == [
        *("CommissionCollected", "WagerReturned", "WagerReturned", "Voided"),
        *("CommissionRefunded", "CommissionCorrected"),
    ]


def test_the_page_says_when_a_coup_was_voided_and_not_when_it_was_paid(pit, database):
    pit.play(BANKER_WINS, (3, "banker", 100_00))
    pit.say("void", **TORN)
    page = shell(database, "replay", FIRST).stdout

    assert f"voided {pit.moment:%H:%M:%S} on 2026-11-21" in page
    assert "the patron gives back 100.00" in " ".join(page.split())


def test_the_replay_shows_a_corrected_coup_as_it_was_and_then_the_correction(pit, replay):
    pit.play(BANKER_WINS, (3, "banker", 100_00))
    pit.say("correct", **MISREAD, to=0)
    pit.say("correct", **MISREAD)
    told = replay()

    assert ("settled", True, [200_00]) == (
        told["phase"],
        told["agrees"],
        [each["paid"] for each in told["payments"]],
    )
    assert [(each["paid_before"], each["paid"], each["changes_hands"])
            for each in told["afterwards"] if each["event"] == "PaymentCorrected"] == [
        (200_00, 0, -200_00), (0, 200_00, 200_00),
    ]  # fmt: skip


@pytest.mark.parametrize("phase", PHASES)
def test_a_coup_voided_before_payment_agrees_with_the_rules(pit, replay, phase):
    pit.bet(3, "banker", 100_00)
    PHASES[phase](pit)
    pit.say("void", **TORN)
    told = replay()

    assert (told["agrees"], told["phase"]) == (True, "voided")
    assert ("Voided", "a torn card") == (
        next(each["event"] for each in told["afterwards"] if each["event"] == "Voided"),
        next(each["reason"] for each in told["afterwards"] if each["event"] == "Voided"),
    )


# A closed house.
@pytest.fixture(scope="module")
def closed(server):
    """Everybody at work, and table B01 with a Banker win that 5.00 are owed for."""
    with server.database() as database:
        house = ClosedHouse(database, EVERY_ROLE)
        table = house.table(number("dealer"), number("supervisor"))
        table.open().prepare().play(BANKER_WINS, (3, "banker", 100_00))
        yield house
        house.close()


WAIVE = {"table": "B01", "seat": 3, "amount": 1_00, "reason": "a good guest"}
# fmt: off
BY_WHOM = [
    # who            with            is told               of
    ("supervisor",   None,           "ok",                 "commission.waive"),
    ("pit-boss",     None,           "ok",                 "commission.walked"),
    ("dealer",       "supervisor",   "ok",                 "commission.waive"),
    ("dealer",       None,           "SecondPersonNeeded", "commission.waive"),
    ("dealer",       None,           "SecondPersonNeeded", "commission.walked"),
    ("dealer",       "dealer",       "SecondPersonNeeded", "commission.walked"),
    ("dealer",       "cage",         "SecondPersonNeeded", "commission.waive"),
    ("cage",         "supervisor",   "NotPermitted",       "commission.waive"),
    ("device",       "supervisor",   "NotSignedOn",        "commission.waive"),
    ("supervisor",   None,           "SecondPersonNeeded", "void"),
    ("supervisor",   "supervisor",   "SecondPersonNeeded", "void"),
    ("supervisor",   "dealer",       "SecondPersonNeeded", "void"),
    ("dealer",       "cage",         "SecondPersonNeeded", "correct"),
    ("pit-boss",     None,           "SecondPersonNeeded", "correct"),
    ("surveillance", "supervisor",   "NotPermitted",       "void"),
    ("cage",         "supervisor",   "NotPermitted",       "correct"),
    ("dealer",       "supervisor",   "ok",                 "correct"),
    ("supervisor",   "pit-boss",     "ok",                 "void"),
]
# fmt: on


@pytest.mark.parametrize(("who", "second", "said", "command"), BY_WHOM)
def test_r_irr_5_r_com_4_these_roles_may_correct_and_waive(closed, who, second, said, command):
    fields = {
        "void": {"coup": FIRST, "reason": "a torn card"},
        "correct": {key: MISREAD[key] for key in ("coup", "seat", "spot", "reason")} | {"to": 0},
    }.get(command, WAIVE)
    by_two = {"with": number(second)} if second else {}
    answer = closed.ask(number(who), command, **fields, **by_two)

    assert ("ok" if answer["ok"] else answer["error"]) == said, answer


def test_r_bet_5_in_a_closed_house_a_late_entry_takes_two_people(closed):
    opened, placed_at, drawn = (BEGINS + timedelta(seconds=n) for n in (1, 2, 3))
    assert closed.ask(number("dealer"), "open", table="B01", at=opened.isoformat())["ok"]
    assert closed.ask(number("dealer"), "draw", table="B01", card="9C", at=drawn.isoformat())["ok"]
    line = {"table": "B01", "seat": 3, "spot": "player", "amount": 100_00}
    answers = [
        closed.ask(number("dealer"), "bet", **line, at=placed_at.isoformat(), late=True, **second)
        for second in ({}, {"with": number("dealer")}, {"with": number("supervisor")})
    ]

    assert ["SecondPersonNeeded", "SecondPersonNeeded", None] == [
        answer.get("error") for answer in answers
    ]
    assert [("WagerFound", number("supervisor"))] == [
        (each["type"], each["approved_by"]) for each in answers[-1]["events"]
    ]


@pytest.mark.parametrize("to", [0, 300_00])
def test_r_irr_5_after_a_roll_over_a_correction_is_paid_from_the_open_day_s_tray(pit, to):
    """Player wins 100.00 yesterday; today it is put right at the table, and the tray is exact."""
    pit.play(PLAYER_WINS, (3, "player", 100_00))
    pit.say("shoe.end", reason="end of the day", **{"with": "S-11"})
    pit.say("table.roll-over", closer={"10000": 199}, **{"with": "S-11"})
    where = {"coup": "B01/2026-11-21/1/1", "seat": 3, "spot": "player", "table": "B01"}
    put_right = pit.say("correct", **where, reason="misread", to=to, **{"with": "S-11"})
    moved = event(put_right, "EarlierCoupPutRight")
    tray = 19_900_00 - moved["changes_hands"]
    closed = pit.say("table.close", closer={"25": tray // 25}, **{"with": "S-11"})

    assert (moved["place"], moved["changes_hands"]) == ("tray", to - 200_00)
    assert event(closed, "TableClosed")["variance"] == 0


def test_r_bet_1_one_patron_under_two_names_bets_on_one_hand(pit):
    alias = {"command": "patron.identify", "patron": "grey-jacket", "is": "P-10417"}
    assert pit.dispatcher.dispatch({**alias, "at": pit.moment.isoformat()}).ok
    pit.bet(3, "banker", 100_00)

    assert pit.ask("bet", seat=5, spot="player", amount=100_00).body["error"] == "BothSides"


def test_r_com_5_commission_is_collected_under_the_patron_s_identified_name(pit):
    pit.play(BANKER_WINS, (5, "banker", 100_00))
    alias = {"command": "patron.identify", "patron": "grey-jacket", "is": "P-77"}
    assert pit.dispatcher.dispatch({**alias, "at": pit.moment.isoformat()}).ok

    assert pit.say("commission.collect", patron="P-77", amount=5_00)


def test_r_com_4_a_patron_cannot_leave_while_an_earlier_stay_owes(pit):
    pit.play(BANKER_WINS, (3, "banker", 100_00))
    pit.say("commission.collect", seat=3, amount=5_00)
    pit.say("table.leave", seat=3)
    pit.say("table.seat", seat=3, patron="P-10417")
    where = {"coup": "B01/2026-11-21/1/1", "seat": 3, "spot": "banker", "table": "B01"}
    pit.say("correct", **where, reason="misread", to=300_00, **{"with": "S-11"})

    assert pit.ask("table.leave", seat=3).body["error"] == "CommissionOwed"
    pit.say("commission.collect", seat=3, amount=5_00)
    assert pit.say("table.leave", seat=3)


def test_r_deal_2_late_entries_keep_every_bet_before_the_first_card(pit):
    pit.bet(3, "banker", 100_00)
    before = (pit.moment - timedelta(seconds=30)).isoformat()

    assert pit.ask("draw", card="9C", late=True, at=before).body["rule"] in ("R-DEAL-2", None)
    assert pit.say("draw", card="9C")


def test_a_wager_that_must_change_is_due_before_no_more_bets(pit):
    due = pit.bet(3, "tie", 5_00).body["due"]

    assert due == {"action": "bet", "rule": "R-BET-3"}
    assert pit.bet(3, "banker", 25_00).body["due"] == {"action": "no-more-bets", "rule": "R-DEAL-2"}


def test_the_answer_does_not_name_the_moved_card():
    """In a squeeze it may lie face down still, and everybody at the table hears these words."""
    moved = {"type": "CardMoved", "n": 5, "card": "5H", "hand": "player"}

    assert ["Card 5 is moved to Player."] == list(sentences([moved], "USD"))
