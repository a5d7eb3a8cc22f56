"""What a sheet says of money: how much, whose, and from where to where, each once."""

import re
from collections import Counter

import pytest

from domain.rules.addresses import Coup
from domain.rules.money import minor
from ops.handlers.to_sign import ToSign
from ops.handlers.trial import to_sign
from ops.ledger.streams import name_of
from ops.replay.page_words import line_words
from ops.replay.story import find
from ops.reports.ask import ask
from ops.words.events import sentences
from ops.words.movements import movements
from ops.words.values import detail_words
from projections import REPORTS
from tests.acceptance.channels import shell
from tests.worlds.gaming_table import BANKER_WINS, DAY, PLAYER_WINS, TIE, GamingTable, mouth_on
from tests.worlds.twin_tables import TWO

LAST = {"position": "last", "table": "B01", "reason": "typed wrong"}
WORTH = "kind", "original", "reason", "requested_by", "approved_by", "before", "after"
WENT = re.compile(
    r"^On record (?P<amount>[\d,.]+) (?P<how>more|less) went from (?P<out_of>.+) to (?P<into>.+)\.$"
)


@pytest.fixture
def pit(dispatcher):
    return GamingTable(dispatcher).open().prepare()


def sheet(pit, command, **fields):
    """The sentences that whoever signs the line is shown."""
    shown = to_sign(pit.dispatcher, {"command": command, **TWO, **fields})
    assert isinstance(shown, ToSign), shown
    return list(map(str, shown.words))


def on_record(words):
    """What each patron has more on record, by the sentences."""
    told = Counter()
    for each in filter(None, map(WENT.match, words)):
        more = minor(each["amount"].replace(",", ""), "USD") * (1 if each["how"] == "more" else -1)
        told[each["into"]] += more
        told[each["out_of"]] -= more
    return {who: more for who, more in told.items() if more and not who.startswith("the ")}


def won(database):
    """What each patron won in chips."""
    net = Counter()
    for row in ask(database, REPORTS["wagers"]).rows:
        net[row["patron"]] += (row["paid"] or 0) - row["stake"]
    return net


@pytest.mark.parametrize("rules", ["classic@1", "dragon-bonus@1"])
@pytest.mark.parametrize("cards", [BANKER_WINS, PLAYER_WINS, TIE], ids=["wins", "loses", "push"])
def test_a_moved_wager_moves_what_it_won_or_lost_and_nothing_else(database, cards, rules):
    with mouth_on(database) as dispatcher:
        pit = GamingTable(dispatcher).open(rules).prepare()
        coup = pit.play(cards, (3, "banker", 100_00), (1, "player", 60_00)).body["coup"]
        before = won(database)
        whose = {"coup": coup, "seat": 3, "spot": "banker", "to_seat": 5, "reason": "his"}
        words = sheet(pit, "coup.move-wager", **whose)
        pit.say("coup.move-wager", **whose, **TWO)
        after = won(database)
    change = {who: after[who] - before[who] for who in (*before, *after)}
    changed = {who: more for who, more in change.items() if more}

    assert on_record(words) == changed
    assert len([each for each in words if each.startswith("On record")]) == len(changed)
    assert ("No money moves." in words) == (cards == TIE)


@pytest.mark.parametrize(
    ("really", "expected"),
    [
        (
            {"amount": 50_00},
            [
                "On record 450.00 less in chips went from the tray to P-10411.",
                "On record 450.00 less in cash went from P-10411 to the drop box.",
            ],
        ),
        (
            {"seat": 3},
            [
                "On record 500.00 less in chips went from the tray to P-10411.",
                "On record 500.00 less in cash went from P-10411 to the drop box.",
                "On record 500.00 more in chips went from the tray to P-10417.",
                "On record 500.00 more in cash went from P-10417 to the drop box.",
            ],
        ),
    ],
)
def test_a_buy_in_put_right_says_where_the_chips_and_the_cash_are(pit, really, expected):
    pit.say("table.buy-in", seat=1, amount=500_00)
    words = sheet(pit, "money.correct", **LAST, **really)

    assert [each for each in words if each.startswith("On record")] == expected


def test_a_cash_out_says_where_the_cash_comes_from(pit):
    pit.say("table.cash-out", seat=1, amount=500_00)
    words = sheet(pit, "money.correct", **LAST, withdrawn=True)

    assert words[-2:] == [
        "On record 500.00 less in chips went from P-10411 to the tray.",
        "On record 500.00 less in cash went from the house to P-10411.",
    ]


def test_a_colour_change_put_right_says_which_chips_went_which_way(pit):
    pit.say("table.colour-change", taken={"10000": 1}, given={"2500": 4})
    words = sheet(pit, "money.correct", **LAST, taken={"10000": 2}, given={"2500": 8})

    assert words[1:3] + words[-1:] == [
        "In truth: 2 chips of 100 from the patron to the tray, 8 chips of 25 from the tray to the "
        "patron.",
        "Entered was: 1 chip of 100 from the patron to the tray, 4 chips of 25 from the tray to "
        "the patron.",
        "No money moves.",
    ]


def test_an_opener_put_right_says_by_how_much_the_tray_began_with_less(pit):
    words = sheet(pit, "money.correct", position=2, chips={"10000": 190}, reason="typed wrong")

    assert "On record the tray began with 1,000.00 less." in words
    assert "No money moves." not in words


def test_a_patron_who_has_left_is_named_with_the_money_that_is_meant(pit):
    coup = pit.play(BANKER_WINS, (1, "player", 60_00), (3, "banker", 100_00)).body["coup"]
    pit.say("commission.collect", seat=3, amount=5_00)
    for seat in (1, 3):
        pit.say("table.leave", seat=seat)
    words = sheet(pit, "void", coup=coup, reason="torn")

    assert "P-10411 has left, and is owed 60.00 for bets until it is settled." in words
    assert "P-10417 has left, and owes 100.00 for bets until it is settled." in words
    assert "No money moves now: what is left open is settled later." in words
    assert "No money moves." not in words


def test_a_card_put_right_says_what_the_result_was_and_whether_bets_are_paid(pit):
    pit.bet(1, "tie", 25_00)
    pit.deal("9C 4S 8D 3H")  # a tie, if the last card were a four
    words = sheet(pit, "coup.correct-card", coup=f"B01/{DAY}/1/1", n=4, card="4H", reason="x")

    assert words[2:5] == [
        "It was: Tie, 7 to 7.",
        "It is then: Banker wins, 8 to 7.",
        "No bet of it is paid yet.",
    ]


@pytest.mark.parametrize(
    ("stake", "paid", "expected"),
    [
        (100, 200, [(100, "the layout", "P-3"), (100, "the tray", "P-3")]),
        (100, 100, [(100, "the layout", "P-3")]),
        (100, 50, [(50, "the layout", "P-3"), (50, "the layout", "the tray")]),
        (100, 0, [(100, "the layout", "the tray")]),
    ],
    ids=["won", "pushed", "half back", "lost"],
)
def test_a_stake_that_lies_there_and_is_not_lost_stays_the_patron_s(stake, paid, expected):
    late = {"type": "WagerSettledLate", "patron": "P-3", "stake": stake, "paid": paid}
    found = [(each.amount, str(each.out_of), str(each.into)) for each in movements([late])]

    assert found == expected


def test_commission_that_somebody_else_had_paid_moves_no_money_now(pit):
    pit.play(BANKER_WINS, (3, "banker", 100_00), (5, "banker", 100_00))
    pit.say("commission.collect", seat=3, amount=5_00)
    words = sheet(pit, "money.correct", **LAST, patron="grey-jacket")

    assert [each for each in words if " to the tray" in each] == [
        "On record 5.00 less went from P-10417 to the tray.",
        "On record 5.00 more went from grey-jacket to the tray.",
    ]


def test_a_void_says_of_each_bet_what_it_was_paid_and_what_changes_hands(pit):
    coup = pit.play(
        BANKER_WINS, (1, "player", 60_00), (3, "banker", 100_00), (5, "tie", 10_00)
    ).body["coup"]
    words = sheet(pit, "void", coup=coup, reason="torn")

    assert words[1:4] == [
        "Seat 1 P-10411: 60.00 on Player was lost; the patron gets 60.00.",
        "Seat 3 P-10417: 100.00 on Banker was paid 200.00; the patron gives back 100.00.",
        "Seat 5 grey-jacket: 10.00 on Tie was lost; the patron gets 10.00.",
    ]


def test_why_a_payment_was_corrected_is_said_once(pit, database):
    bets = (1, "player", 60_00), (3, "banker", 100_00)
    coup = pit.play(BANKER_WINS, *bets).body["coup"]
    by_card = sheet(pit, "coup.correct-card", coup=coup, n=3, card="9C", reason="misread")
    line = {"coup": coup, "seat": 3, "spot": "banker", "to": 1_00, "reason": "taken"}
    by_hand = sheet(pit, "correct", **line)
    log = sentences(pit.say("correct", **line, **TWO).body["events"], "USD")
    [noted] = ask(database, REPORTS["exceptions"]).rows

    assert sum("misread" in each for each in by_card) == 2  # with the card, and by itself
    assert [each for each in by_hand if "taken" in each] == ["Reason: taken"]
    assert [each for each in map(str, log) if "taken" in each] == [
        "! Seat 3 P-10417: Banker 100.00 is paid 1.00 in all, not 200.00; the patron gives back "
        "199.00. Reason: taken"
    ]
    assert str(next(iter(detail_words(noted["detail"], "USD")))).endswith("Reason: taken")


def test_a_bet_entered_late_says_what_lay_there_before_and_that_it_was_refused(pit):
    opened = pit.bet(1, "player", 500_00)
    before = pit.moment.isoformat()
    pit.say("draw", card="KC")
    pit.ask("bet", seat=1, spot="player", amount=800_00)
    line = {"table": "B01", "seat": 1, "spot": "player", "late": True, "at": before}
    words = sheet(pit, "bet", **line, amount=700_00)

    assert opened.ok
    assert words[1:] == [
        "Entered late: seat 1 P-10411 has 700.00 on Player, not 500.00.",
        "A bet of 800.00 of seat 1 on Player was refused before, as too late.",
        "No money moves.",
    ]


def test_a_stake_put_right_before_it_is_paid_is_read_as_one_everywhere(pit, database):
    pit.bet(1, "player", 500_00)
    pit.say("draw", card="KC")
    coup = f"B01/{DAY}/1/1"
    right = {"coup": coup, "seat": 1, "spot": "player", "stake": 200_00, "reason": "two blacks"}
    words = sheet(pit, "correct", **right)
    done = pit.say("correct", **right, **TWO)
    pit.deal("9S 2C QD", settle=True)
    put_right = "Seat 1 P-10411: 200.00 lay on Player, not 500.00; it is not paid yet."
    with_reason = f"{put_right} Reason: two blacks"

    assert words == [
        f"In coup {coup}:",
        put_right,
        "Reason: two blacks",
        "On record 300.00 less went from P-10411 to the layout.",
    ]
    assert list(map(str, sentences(done.body["events"], "USD"))) == [f"! {with_reason}"]
    [wager] = ask(database, REPORTS["wagers"]).rows
    assert (wager["stake"], wager["put_right"]["stake_before"]) == (200_00, 500_00)
    assert wager["put_right"]["paid_before"] is None
    [act] = ask(database, REPORTS["voids"]).rows
    assert [act[name] for name in WORTH] == [
        *("stake corrected", f"{coup} 1 player", "two blacks", "D-204", "S-11"),
        *(500_00, 200_00),
    ]
    [noted] = ask(database, REPORTS["exceptions"]).rows
    assert noted["kind"] == "stake corrected"
    assert list(map(str, detail_words(noted["detail"], "USD"))) == [with_reason]
    for names, why in ((None, with_reason), ({"P-10411"}, put_right)):
        assert (
            _told_of(database, coup, names)
            == f"{why.rstrip('.')}. By D-204 with S-11 (named in open house)."
        )
        assert _told_of(database, coup, {"P-10417"}) is None


def _told_of(database, coup, names):
    """What a replay tells of a stake put right; `names`: in the copy of that patron."""
    with database.connect("sabot_auditor") as connection:
        record = find(connection, Coup.parse(coup))
    record = record.shown_to(names) if names else record
    assert not record.disagreements
    lines = [each for each in record.afterwards if name_of(each) == "StakeCorrected"]
    return next((line_words(record, each, "USD") for each in lines), None)


@pytest.mark.parametrize("spot", ["player", "banker"])
def test_another_stake_of_a_paid_bet_is_read_the_same(pit, database, spot):
    coup = pit.play(BANKER_WINS, (1, spot, 500_00)).body["coup"]
    right = {"coup": coup, "seat": 1, "spot": spot, "stake": 200_00, "reason": "two blacks"}
    pit.say("correct", **right, **TWO)
    [act] = ask(database, REPORTS["voids"]).rows
    [noted] = ask(database, REPORTS["exceptions"]).rows
    [kind] = [each["kind"] for row in ask(database, REPORTS["coup"]).rows
              for each in row["exceptions"]]  # fmt: skip

    assert [act[name] for name in WORTH[:2]] == ["stake corrected", f"{coup} 1 {spot}"]
    assert (act["before"], act["after"]) == (500_00, 200_00)
    assert noted["kind"] == kind == "stake corrected"
    assert "lay on" in str(next(iter(detail_words(noted["detail"], "USD"))))


def test_eighty_columns_have_what_was_put_right_and_the_result(pit, database):
    coup = pit.play(BANKER_WINS, (1, "player", 1_500_00), (3, "banker", 100_00)).body["coup"]
    right = {"coup": coup, "seat": 1, "spot": "player", "reason": "two blacks"}
    pit.say("correct", **right, stake=200_00, **TWO)
    page = shell(database, "report", "wagers", env={"COLUMNS": "80"}).stdout

    assert max(map(len, page.splitlines())) <= 80
    lines = [line.split() for line in page.splitlines()]
    [first] = [line for line in lines if coup in line and "200.00" in line and "Player" in line]
    assert "loses" in first
    assert "was 1,500.00" in " ".join(first)


def test_a_drop_counted_again_says_of_which_table_and_gaming_day(pit):
    pit.say("table.drop", amount=1_000_00, day=DAY, confirmed=True, **TWO)
    words = sheet(pit, "table.drop-recount", table="B01", amount=900_00, day=DAY, reason="a bundle")

    assert words == [
        "The drop is 900.00. It was counted as 1,000.00 before.",
        "Counted for table B01, gaming day 2026-11-21.",
        "Reason: a bundle",
        "No money moves.",
    ]


def test_whatever_is_of_money_or_cards_says_if_no_money_moves(pit):
    pit.play(BANKER_WINS, (3, "banker", 100_00))
    seat = {"table": "B01", "seat": 3, "amount": 1_00}
    sheets = [
        sheet(pit, "commission.waive", **seat, reason="a guest"),
        sheet(pit, "commission.walked", **seat, reason="gone"),
        sheet(pit, "shoe.misdraw", table="B01", card="9C"),
    ]
    limits = sheet(pit, "table.limits", table="B01", minimum=50_00)

    assert [words[-1] for words in sheets] == ["No money moves."] * 3
    assert "No money moves." not in limits


def test_what_was_open_before_a_correction_is_said_beside_what_is_left(pit):
    bets = (1, "player", 60_00), (3, "banker", 100_00)
    coup = pit.play(BANKER_WINS, *bets).body["coup"]
    pit.say("commission.collect", seat=3, amount=5_00)
    pit.say("table.leave", seat=3)
    line = {"coup": coup, "seat": 3, "spot": "banker", "reason": "typed wrong"}
    pit.say("correct", **line, to=50_00, **TWO)
    words = sheet(pit, "correct", **line, to=80_00)
    all_back = sheet(pit, "correct", **line, to=200_00)

    assert (
        "P-10417 has left, and owes 120.00 for bets until it is settled. Before, P-10417 owed "
        "150.00." in words
    )
    assert "Nothing for bets is open with P-10417 now. Before, P-10417 owed 150.00." in all_back


def test_a_settlement_says_what_is_set_off_and_what_stays_open(pit):
    coup = pit.play(BANKER_WINS, (3, "banker", 200_00)).body["coup"]
    pit.say("commission.collect", seat=3, amount=10_00)
    pit.say("table.leave", seat=3)
    pit.say("void", coup=coup, reason="torn", **TWO)
    line = {"table": "B01", "patron": "P-10417", "how": "received", "reason": "came by"}
    words = sheet(pit, "patron.settle", **line, amount=90_00)
    pit.say("patron.settle", **line, amount=90_00, **TWO)
    pit.say("table.seat", seat=3, patron="P-10417")
    again = sheet(pit, "money.correct", **LAST, amount=40_00)
    never = sheet(pit, "money.correct", **LAST, withdrawn=True)

    assert words[:2] == [
        "P-10417 paid 90.00 of what was left open, at the cage. P-10417 owed 200.00 for bets "
        "before; 100.00 stays open. P-10417 was owed 10.00 commission, which is set off.",
        f"10.00 commission that P-10417 was owed is settled, receipt B01/{DAY}/stay-2/receipt-2.",
    ]
    assert again[1:3] == [
        "P-10417 paid 40.00 of what was left open, at the cage. P-10417 owed 200.00 for bets "
        "before; 150.00 stays open. P-10417 was owed 10.00 commission, which is set off.",
        f"10.00 commission that P-10417 was owed is settled, receipt B01/{DAY}/stay-2/receipt-4.",
    ]
    assert "P-10417 sits at the table now." in again
    assert not [each for each in again + never if "has left" in each or "that P-10417 owed" in each]
    assert "P-10417 owes 200.00 for bets, which is not settled yet." in never


@pytest.mark.parametrize("void", [True, False], ids=["void", "correct"])
def test_commission_that_was_in_a_payment_adds_up(dispatcher, void):
    pit = GamingTable(dispatcher).open("classic@1").prepare()
    coup = pit.play(BANKER_WINS, (3, "banker", 400_00)).body["coup"]
    to = {"seat": 3, "spot": "banker", "as": "player"}
    words = sheet(pit, *(["void"] if void else ["correct"]), coup=coup, reason="x",
                  **({} if void else to))  # fmt: skip

    assert (
        "P-10417: the stake of 400.00 goes back; 780.00 was paid after 20.00 commission."
        if void
        else "P-10417: 780.00 was paid after 20.00 commission."
    ) in words
