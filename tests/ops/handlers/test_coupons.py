"""R-PROMO-1 to 4 from the rule file to the report: match plays and free bets."""

import json
from datetime import timedelta

import pytest

from tests.acceptance.channels import shell
from tests.worlds.coupon_sheets import FREE, MATCH, issue, promotions, sheet, win_of
from tests.worlds.gaming_table import BANKER_WINS, DAY, PLAYER_WINS, TIE, GamingTable, mouth_on
from tests.worlds.stranger import judged
from tests.worlds.terms_of_sheets import COUP, TWO, approve, told, written


@pytest.fixture
def pit(dispatcher):
    approve(dispatcher, sheet())
    pit = GamingTable(dispatcher).open("promo@1").prepare()
    issue(pit, MATCH)
    issue(pit, FREE, "free-bet", 50_00)
    return pit


def lay(pit, coupon=MATCH, seat=3, spot="banker", **fields):
    return pit.ask("coupon.lay", seat=seat, spot=spot, coupon=coupon, **fields)


def laid(pit, *coupons):
    """Coupons that lie there; a match play beside a bet of 100."""
    for seat, spot, coupon in coupons:
        if coupon.startswith("MP"):
            pit.bet(seat, spot, 100_00)
        assert lay(pit, coupon, seat, spot).ok


def tray(pit):
    return pit.say("table.shift-count", chips={"10000": 200}).body["events"][0]["expected"]


def paid(answer):
    return {
        each["coupon"]: (each["ended"], each["paid"], each["used"])
        for each in answer.body["events"]
        if each["type"] == "CouponSettled"
    }


HOW = {  # the cards, then what the match play and the free bet on Banker come to
    "win": (BANKER_WINS, ("win", 25_00, True), ("win", 47_50, True)),
    "lose": (PLAYER_WINS, ("lose", 0, True), ("lose", 0, True)),
    "push": (TIE, ("push", 0, False), ("push", 0, True)),
}


@pytest.mark.parametrize("how", HOW)
def test_a_coupon_is_paid_in_chips_as_its_terms_say_and_used_once(pit, database, tmp_path, how):
    cards, match, free = HOW[how]
    before = tray(pit)
    laid(pit, (3, "banker", MATCH), (5, "banker", FREE))
    answer = pit.deal(cards, settle=True)
    settled = next(each for each in answer.body["events"] if each["type"] == "Settled")

    assert {MATCH: match, FREE: free} == paid(answer)
    assert 100_00 == settled["stakes"]
    won = settled["stakes"] - settled["paid"]
    assert before + won - match[1] - free[1] == tray(pit)
    assert told(database)["agrees"]
    said = judged(written(database, tmp_path))
    assert (0, "") == (said.returncode, said.stderr), said.stdout
    rows = promotions(database)
    assert ("used" if match[2] else "issued", match[1]) == (
        rows[MATCH]["status"],
        rows[MATCH]["paid"],
    )
    assert (match[1] + free[1], won) == (
        win_of(database)["promotions"],
        win_of(database)["win_by_wagers"],
    )


def test_the_dealers_own_count_of_what_was_paid_reads_coupons_too(pit):
    laid(pit, (3, "banker", MATCH), (5, "player", FREE))
    pit.deal(BANKER_WINS)
    wrong = pit.ask("settle", paid={"3": 200_00})
    right = pit.ask("settle", paid={"3": 225_00})

    assert ("PaymentDisagrees", True) == (wrong.error, right.ok)


REFUSED = {  # a line, and the part of its refusal that says why
    "a match play without a bet": ({}, "beside a bet of 25.00 or more on Banker"),
    "on another spot": ({"spot": "tie"}, "only on Player or Banker"),
    "an unknown number": ({"coupon": "MP-9"}, "did not issue that number"),
    "another worth than it has": ({"worth": 50_00}, "it is a match-play of 25.00"),
}


@pytest.mark.parametrize("what", REFUSED)
def test_a_coupon_is_refused_in_words(pit, what):
    fields, why = REFUSED[what]
    answer = lay(pit, **fields)

    assert "CouponRefused" == answer.error
    assert why in answer.words


def test_a_coupon_comes_before_the_first_card_and_one_a_seat(pit):
    issue(pit, "MP-2")
    laid(pit, (3, "banker", MATCH))
    twice = lay(pit, "MP-2")
    pit.say("draw", card="9C")
    late = lay(pit, FREE, 5, "player")

    assert ("CouponRefused", "BettingClosed") == (twice.error, late.error)
    assert "issued" == promotions(pit.dispatcher.casino.ledger.database)[FREE]["status"]


def test_no_patron_bets_against_their_own_coupon(pit):
    laid(pit, (5, "player", FREE))
    against = pit.ask("bet", seat=5, spot="banker", amount=100_00)
    pit.say("coupon.withdraw", seat=5)
    pit.bet(5, "banker", 100_00)
    other = lay(pit, FREE, 5, "player")

    assert ("BothSides", "CouponRefused") == (against.error, other.error)


def test_a_match_play_goes_back_with_its_bet_or_when_that_is_smaller(pit, database):
    laid(pit, (3, "banker", MATCH))
    pit.say("withdraw", seat=3, spot="banker")
    issue(pit, "MP-50", worth=50_00)
    laid(pit, (3, "banker", "MP-50"))
    smaller = pit.say("bet", seat=3, spot="banker", amount=25_00)

    assert ["issued", "issued"] == [
        promotions(database)[each]["status"] for each in (MATCH, "MP-50")
    ]
    assert "CouponWithdrawn" == smaller.body["events"][1]["type"]


def test_who_has_a_coupon_on_the_layout_does_not_leave(pit):
    laid(pit, (5, "player", FREE))

    assert "CoupNotFinished" == pit.ask("table.leave", seat=5).error


def test_a_coupon_that_was_not_issued_takes_two_people(pit, database):
    pit.bet(3, "banker", 100_00)
    printed = {"coupon": "XX-7", "kind": "match-play", "worth": 25_00}
    alone = lay(pit, **printed)
    taken = lay(pit, **printed, **TWO)

    assert ("SecondPersonNeeded", True) == (alone.error, taken.ok)
    assert f"B01/{DAY}" == promotions(database)["XX-7"]["taken_at"]


def test_an_expired_or_void_coupon_is_refused_and_that_is_on_record(pit, database):
    issue(pit, "MP-old", last_day="2026-11-20")
    issue(pit, "MP-back")
    pit.say("coupon.void", coupon="MP-back", reason="came back")
    pit.bet(3, "banker", 100_00)
    for coupon, why in (("MP-old", "until 2026-11-20"), ("MP-back", "was voided")):
        answer = lay(pit, coupon)
        assert ("CouponRefused", True) == (answer.error, why in answer.words)
        assert 1 == promotions(database)[coupon]["refused"]


def test_a_coupon_alone_is_a_bet_where_no_coup_is_dealt_without_one(dispatcher, database, tmp_path):
    approve(dispatcher, sheet(more="free_hands = {in_a_row = 0}"))
    pit = GamingTable(dispatcher).open("promo@1").prepare()
    issue(pit, FREE, "free-bet", 50_00)
    pit.say("open")
    alone = pit.ask("no-more-bets")
    laid(pit, (5, "tie", FREE))
    pit.say("no-more-bets")
    pit.deal(TIE, settle=True)

    assert "FreeHand" == alone.error
    assert told(database)["agrees"]
    assert 0 == judged(written(database, tmp_path)).returncode
    assert 400_00 == promotions(database)[FREE]["paid"]


def test_two_tables_that_lay_one_coupon_at_the_same_moment(pit, database):
    """Each process holds the coupon as it was; the ledger takes one, and the other is refused."""
    with mouth_on(database) as elsewhere:
        second = GamingTable(elsewhere, "B02").open("promo@1").prepare()
        second.moment = pit.moment
        issue(pit, "MP-2")
        for table in (pit, second):
            table.bet(3, "banker", 100_00)
        assert lay(second, "MP-2").ok
        second.say("coupon.withdraw", seat=3)
        first, then = lay(pit, "MP-2"), lay(second, "MP-2")

    assert (True, "CouponRefused") == (first.ok, then.error)
    assert 1 == promotions(database)["MP-2"]["refused"]


def test_a_line_sent_twice_lays_a_coupon_once(pit, database):
    pit.bet(3, "banker", 100_00)
    at = pit.moment.isoformat()
    line = {"id": "k-1", "at": at, "by": "D-204"}
    one, again = (lay(pit, **line) for _ in range(2))

    assert one.body["position"] == again.body["position"]
    assert "laid" == promotions(database)[MATCH]["status"]


PUT_RIGHT = {  # what is put right of a coupon that lost, and what becomes of it
    "a card": (("coup.correct-card", {"n": 5, "card": "4H"}), "used", 25_00),
    "its spot": (("coupon.correct", {"seat": 3, "as": "player"}), None, 0),
    "that it lay there": (("coupon.correct", {"seat": 3, "withdrawn": True}), "issued", 0),
    "the whole coup": (("void", {}), "issued", 0),
}


@pytest.mark.parametrize("what", PUT_RIGHT)
def test_what_is_put_right_is_followed_by_the_coupon_and_the_tray(pit, database, tmp_path, what):
    (command, fields), status, chips = PUT_RIGHT[what]
    before = tray(pit)
    laid(pit, (3, "banker", MATCH))
    pit.deal(PLAYER_WINS, settle=True)
    answer = pit.ask(command, coup=COUP, reason="misread", **fields, **TWO)
    row, win = promotions(database)[MATCH], win_of(database)

    assert status is not None or "CouponRefused" == answer.error  # no bet lies on Player
    assert (status or "used", chips) == (row["status"], row["paid"])
    assert before + win["win_by_wagers"] - win["promotions"] == tray(pit)
    assert told(database)["agrees"]
    said = judged(written(database, tmp_path))
    assert (0, "") == (said.returncode, said.stderr), said.stdout


def test_a_coupon_that_went_on_is_not_paid_twice(pit, database):
    laid(pit, (3, "banker", MATCH))
    pit.deal(TIE, settle=True)
    laid(pit, (3, "banker", MATCH))
    pit.deal(BANKER_WINS, settle=True)
    pit.say("coup.correct-card", coup=COUP, n=4, card="8D", reason="misread", **TWO)
    refused = pit.ask("coupon.correct", coup=COUP, seat=3, reason="misread", withdrawn=True, **TWO)

    assert 25_00 == promotions(database)[MATCH]["paid"]
    assert "went on to another coup" in refused.words
    assert told(database)["agrees"]


@pytest.mark.parametrize("closed", [False, True], ids=["at once", "after the close"])
def test_the_win_is_explained_to_the_unit(pit, database, closed):
    laid(pit, (3, "banker", MATCH), (5, "player", FREE))
    pit.deal(PLAYER_WINS, settle=True)
    for seat in (3, 5):
        pit.ask("table.leave", seat=seat)

    def close():
        pit.end_shoe()
        pit.say("table.close", closer={"10000": 200, "2500": 2}, **TWO)
        pit.say("table.drop", amount=0)

    if closed:
        close()
    pit.say("coup.correct-card", coup=COUP, n=5, card="4H", reason="misread", **TWO)
    if not closed:
        pit.say("patron.settle", patron="P-10417", how="paid", reason="came by", **TWO)
        pit.ask("commission.waive", patron="P-10417", amount=5_00, reason="gone", **TWO)
        close()

    assert 0 == win_of(database)["unreconciled"]


def test_replay_shows_the_coupons_and_an_altered_one_is_seen(pit, database, tmp_path):
    laid(pit, (3, "banker", MATCH))
    pit.deal(BANKER_WINS, settle=True)
    page = " ".join(shell(database, "replay", COUP).stdout.split())
    file = written(database, tmp_path)
    body = json.loads(file.read_bytes())
    for event in body["events"]:
        state = json.loads(event["state"])
        if event["topic"] == "coup.coupon-settled":
            event["state"] = json.dumps(state | {"paid": 50_00})
    file.write_text(json.dumps(body))

    assert "coupon MP-1 wins on Banker, paid 25.00" in page
    assert "paid 5000, should be 2500" in judged(file).stdout


def test_the_patrons_copy_names_no_other_patrons_coupon(pit, database):
    laid(pit, (3, "banker", MATCH), (5, "player", FREE))
    pit.deal(BANKER_WINS, settle=True)
    copy = shell(database, "replay", COUP, "--for", "P-10417").stdout

    assert (True, False) == (MATCH in copy, FREE in copy)


def test_a_coupon_of_another_day_is_laid_by_the_day_of_the_table(pit, database):
    issue(pit, "MP-today", last_day=DAY)
    pit.say("table.roll-over", closer={"10000": 200}, **TWO)
    pit.moment += timedelta(days=1)
    pit.bet(3, "banker", 100_00)

    assert "it was good until" in lay(pit, "MP-today").words


def test_a_match_play_does_not_stay_where_its_bet_was_moved_away(pit, database, tmp_path):
    laid(pit, (3, "banker", MATCH))
    pit.say(
        "coup.move-wager", coup=COUP, seat=3, spot="banker", to_seat=5, reason="it was his", **TWO
    )
    pit.say("no-more-bets")
    answer = pit.deal(BANKER_WINS, settle=True)

    assert paid(answer) == {}
    assert lay(pit, seat=5, spot="banker").body["error"] == "CouponRefused"  # no bet yet
    assert told(database)["agrees"]
    assert judged(written(database, tmp_path)).returncode == 0


@pytest.mark.parametrize("how", ["moved", "late"])
def test_no_bet_comes_against_a_coupon_by_another_way(pit, how):
    assert lay(pit, FREE, 3, "banker").ok
    placed_at = pit.moment.isoformat()
    if how == "moved":
        pit.bet(5, "player", 100_00)
        answer = pit.ask(
            "coup.move-wager", coup=COUP, seat=5, spot="player", to_seat=3, reason="hers", **TWO
        )
    else:
        pit.deal("KC")
        late = {"seat": 3, "spot": "player", "amount": 100_00, "late": True, "at": placed_at}
        answer = pit.ask("bet", **late, **TWO)

    assert answer.body["error"] == "BothSides"


def test_a_coupon_that_was_not_issued_takes_two_people_each_time(pit):
    taken = {"kind": "free-bet", "worth": 50_00}
    assert lay(pit, "X-1", 3, "banker", **taken, **TWO).ok
    pit.say("coupon.withdraw", seat=3)

    assert lay(pit, "X-1", 3, "banker").body["error"] == "SecondPersonNeeded"
    again = lay(pit, "X-1", 3, "banker", **TWO).body["events"]
    assert [each["accepted_by"] for each in again if each["type"] == "CouponLaid"] == ["S-11"]


def test_a_coupon_that_was_voided_after_it_went_back_is_not_paid_by_a_correction(pit, database):
    laid(pit, (3, "banker", MATCH))
    pit.deal(TIE, settle=True)
    pit.say("coupon.void", coupon=MATCH, reason="copied")
    pit.say("coup.correct-card", coup=COUP, n=4, card="8D", reason="misread", **TWO)

    row = promotions(database)[MATCH]
    assert (row["status"], row["paid"]) == ("void", 0)
    assert told(database)["agrees"]


def test_a_patron_who_is_identified_later_is_one_on_the_report(pit, database):
    laid(pit, (3, "banker", MATCH), (5, "banker", FREE))
    pit.say("patron.identify", patron="grey-jacket", **{"is": "P-10417"})

    assert {row["patron"] for row in promotions(database).values()} == {"P-10417"}
