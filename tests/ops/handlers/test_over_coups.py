"""R-BET-9 from the rule file to the pack: bets on the next coups."""

import json
import random

import pytest

from domain.rules.over_coups import Score
from ops.handlers.trays import tray_now
from ops.now.follow import Follower
from ops.pack.paper import paper
from ops.reports.ask import ask
from ops.terminal.dealer.feed_lines import lines_for
from ops.terminal.dealer.table_words import table_lines
from ops.typed.grammar import parse
from projections import REPORTS
from tests.acceptance.channels import shell
from tests.stories import read_back
from tests.worlds.bets_over_coups import CARDS, SHEET, TO_BANKER, TO_PLAYER, Bet, Model, coup, play
from tests.worlds.gaming_table import GamingTable
from tests.worlds.stranger import judged
from tests.worlds.terms_of_sheets import TWO, packed, written


@pytest.fixture
def pit(dispatcher):
    """A table under the sheet, with a ready shoe."""
    line = {"command": "rules.approve", "file": SHEET, "by": "A-1", **TWO}
    assert dispatcher.dispatch(line).ok
    return GamingTable(dispatcher).open("riverside@1").prepare()


def rows(database, report="wagers"):
    return ask(database, REPORTS[report]).rows


def paid(database):
    """By coup number, seat and spot: what lay there and what it was paid."""
    return {
        (row["coup_number"], row["seat"], row["spot"]): (row["stake"], row["paid"])
        for row in rows(database)
    }


def agree(database, tmp_path, coups):
    """Whether each coup's replay agrees, and a stranger's script finds nothing in its pack."""
    for n in coups:
        page = " ".join(shell(database, "replay", coup(n)).stdout.split())
        said = judged(written(database, tmp_path, coup(n)))

        assert "agrees, line by line" in page, page
        assert (0, "") == (said.returncode, said.stderr), said.stdout


def test_a_bet_lies_there_until_three_coups_decide_it(pit, database, tmp_path):
    pit.bet(3, "next-three", 25_00)
    play(pit, "B")
    pit.say("open")
    again = pit.ask("bet", seat=3, spot="next-three", amount=50_00)
    back = pit.ask("withdraw", seat=3, spot="next-three")
    at_the_table = pit.ask("table.leave", seat=3)
    play(pit, "B")
    between = pit.ask("table.leave", seat=3)
    pit.bet(5, "player", 25_00)
    play(pit, "B")

    assert [("BadValue", "R-BET-9")] * 2 == [(e.error, e.rule) for e in (again, back)]
    assert ["CoupNotFinished"] * 2 == [at_the_table.error, between.error]
    assert {
        (3, 3, "next-three"): (25_00, 225_00),
        (3, 5, "player"): (25_00, 0),
    } == paid(database)
    assert -175_00 == rows(database, "table-win")[0]["win_by_wagers"]
    agree(database, tmp_path, range(1, 4))


def test_a_bet_is_lost_at_once_when_no_coup_to_come_can_win_it(pit, database, tmp_path):
    pit.bet(3, "next-three", 25_00)
    play(pit, "BT")
    pit.bet(3, "next-three", 50_00)
    play(pit, "P")

    assert {
        (2, 3, "next-three"): (25_00, 0),
        (3, 3, "next-three"): (50_00, 0),
    } == paid(database)
    agree(database, tmp_path, range(1, 4))


def test_skipped_ties_count_for_nothing(pit, database, tmp_path):
    pit.bet(3, "player-run", 25_00)
    play(pit, "TPTPBTP")

    assert {(7, 3, "player-run"): (25_00, 50_00)} == paid(database)
    agree(database, tmp_path, range(1, 8))


def test_the_end_of_the_shoe_returns_a_bet_or_takes_it_as_its_term_says(pit, database, tmp_path):
    pit.bet(3, "next-three", 25_00)
    pit.bet(3, "player-run", 25_00)
    play(pit, "B")
    answer = pit.say("shoe.end", reason="a card is marked", **TWO)

    assert ["push", "lose"] == [e["result"] for e in answer.events if e["type"] == "WagerRanOut"]
    assert {
        (1, 3, "next-three"): (25_00, 25_00),
        (1, 3, "player-run"): (25_00, 0),
    } == paid(database)
    assert (25_00, 50_00) == (
        rows(database, "table-win")[0]["win_by_wagers"],
        sum(row["handle"] for row in rows(database, "handle")) if "handle" in REPORTS else 50_00,
    )
    agree(database, tmp_path, range(1, 2))


def test_a_coup_that_was_opened_and_not_dealt_ends_with_the_shoe_too(pit, database, tmp_path):
    pit.bet(3, "next-three", 25_00)
    play(pit, "B")
    pit.say("open")
    pit.say("shoe.end", reason="a card is marked", **TWO)

    assert {(2, 3, "next-three"): (25_00, 25_00)} == paid(database)
    agree(database, tmp_path, range(1, 3))


def test_a_roll_over_ends_it(pit, database, tmp_path):
    pit.bet(3, "next-three", 25_00)
    play(pit, "B")
    pit.say("table.roll-over", closer={"10000": 200}, **TWO)
    play(pit, "BB")

    assert {(1, 3, "next-three"): (25_00, 25_00)} == paid(database)
    agree(database, tmp_path, range(1, 4))


def test_a_void_coup_does_not_count_and_returns_what_was_placed_in_it(pit, database, tmp_path):
    pit.bet(3, "next-three", 25_00)
    play(pit, "B")
    pit.bet(5, "next-three", 50_00)
    pit.deal(CARDS["P"])
    pit.say("void", coup=coup(2), reason="a card was seen", **TWO)
    play(pit, "BB")

    assert {
        (2, 5, "next-three"): (50_00, 50_00),
        (4, 3, "next-three"): (25_00, 225_00),
    } == paid(database)
    agree(database, tmp_path, range(1, 5))


def put_right(pit, number, fields):
    return pit.say("coup.correct-card", coup=coup(number), reason="typed wrong", **fields, **TWO)


def test_a_card_put_right_decides_a_bet_that_was_paid_since(pit, database, tmp_path):
    pit.bet(3, "next-three", 25_00)
    play(pit, "BBB")
    put_right(pit, 1, TO_PLAYER)

    assert {(3, 3, "next-three"): (25_00, 0)} == paid(database)
    assert 25_00 == rows(database, "table-win")[0]["win_by_wagers"]
    agree(database, tmp_path, range(1, 4))


def test_a_card_put_right_gives_back_what_was_taken_too_early(pit, database, tmp_path):
    pit.bet(3, "next-three", 25_00)
    play(pit, "PBB")
    put_right(pit, 1, TO_BANKER)

    assert {(1, 3, "next-three"): (25_00, 225_00)} == paid(database)
    agree(database, tmp_path, range(1, 4))


def test_a_bet_that_was_taken_and_that_no_coup_has_decided_is_returned(pit, database, tmp_path):
    pit.bet(3, "next-three", 25_00)
    play(pit, "BPB")
    put_right(pit, 2, TO_BANKER)
    first = paid(database)
    put_right(pit, 3, TO_PLAYER)

    assert {(2, 3, "next-three"): (25_00, 225_00)} == first
    assert {(2, 3, "next-three"): (25_00, 0)} == paid(database)
    agree(database, tmp_path, range(1, 4))


def test_a_bet_that_goes_on_goes_on_by_the_cards_put_right(pit, database, tmp_path):
    pit.bet(3, "player-run", 25_00)
    play(pit, "PPB")
    put_right(pit, 3, TO_PLAYER)
    play(pit, "P")

    assert {(4, 3, "player-run"): (25_00, 175_00)} == paid(database)
    agree(database, tmp_path, range(1, 5))


def test_a_bet_that_a_card_put_right_decides_ends_with_the_coup_in_which_it_lies(
    pit, database, tmp_path
):
    pit.bet(3, "next-three", 25_00)
    play(pit, "BB")
    pit.say("open")
    put_right(pit, 1, TO_PLAYER)
    play(pit, "B")

    assert {(3, 3, "next-three"): (25_00, 0)} == paid(database)
    agree(database, tmp_path, range(1, 4))


def test_a_coup_that_is_voided_later_counts_no_more(pit, database, tmp_path):
    pit.bet(3, "next-three", 25_00)
    play(pit, "BBB")
    pit.say("void", coup=coup(2), reason="a card was seen", **TWO)
    returned = paid(database)
    play(pit, "B")

    assert {(3, 3, "next-three"): (25_00, 25_00)} == returned == paid(database)
    agree(database, tmp_path, range(1, 5))


def test_a_bet_that_the_shoe_s_end_returned_is_paid_if_its_coups_decide_it(pit, database, tmp_path):
    pit.bet(3, "next-three", 25_00)
    play(pit, "BB")
    pit.say("shoe.end", reason="a card is marked", **TWO)
    put_right(pit, 2, TO_PLAYER)

    assert {(2, 3, "next-three"): (25_00, 0)} == paid(database)
    agree(database, tmp_path, range(1, 3))


def test_what_two_people_set_stays(pit, database, tmp_path):
    pit.bet(3, "next-three", 25_00)
    play(pit, "BBB")
    fields = {"seat": 3, "spot": "next-three", "to": 50_00, "reason": "agreed"}
    pit.say("correct", coup=coup(3), **fields, **TWO)
    put_right(pit, 1, TO_PLAYER)

    assert {(3, 3, "next-three"): (25_00, 50_00)} == paid(database)
    agree(database, tmp_path, range(1, 4))


def test_a_stake_is_put_right_where_the_bet_lies_and_where_it_was_paid(pit, database, tmp_path):
    pit.bet(3, "next-three", 25_00)
    play(pit, "B")
    pit.say("open")
    pit.say("no-more-bets")
    stake = {"seat": 3, "spot": "next-three", "stake": 50_00, "reason": "typed wrong"}
    there = pit.ask("correct", coup=coup(1), **stake, **TWO)
    pit.say("correct", coup=coup(2), **stake, **TWO)
    play(pit, "BB")
    pit.say("correct", coup=coup(3), **{**stake, "stake": 100_00}, **TWO)

    assert ("BadValue", "R-BET-9") == (there.error, there.rule)
    assert {(3, 3, "next-three"): (100_00, 900_00)} == paid(database)
    agree(database, tmp_path, range(1, 4))


def test_what_cannot_be_put_right_says_what_to_do(pit):
    pit.bet(3, "next-three", 25_00)
    play(pit, "BB")
    move = {"seat": 3, "spot": "next-three", "to_seat": 5, "reason": "seat 5's"}
    late = {"seat": 5, "spot": "next-three", "amount": 25_00, "late": True}
    early = (pit.moment.replace(second=0)).isoformat()
    play(pit, "B")
    moved = pit.ask("coup.move-wager", coup=coup(3), **move, **TWO)
    named = pit.ask("correct", coup=coup(3), seat=3, spot="next-three", **{"as": "tie"}, **TWO)
    entered = pit.ask("bet", at=early, **late, **TWO)

    assert "correct the payment" in moved.body["message"], str(moved)
    assert not entered.ok, str(entered)
    assert not named.ok, str(named)


FLIPPED = {"B": (1, ("8C", "6C")), "P": (2, ("8S", "6S"))}  # the number of the card, and which


@pytest.mark.parametrize("seed", range(4))
def test_by_chance_every_bet_is_paid_as_by_a_model(pit, database, tmp_path, seed):
    """Shoes with bets, void coups, cards put right and an end, to the unit."""
    chance, model = random.Random(seed), Model()
    for number in range(1, 9):
        pit.ask("open")
        for seat in (1, 3, 5):
            for spot in ("next-three", "player-run"):
                lies = any((b.seat, b.spot) == (seat, spot) for b in model.going_on)
                if not lies and chance.random() < 0.4:
                    stake = chance.choice((25_00, 50_00, 75_00))
                    pit.bet(seat, spot, stake)
                    model.bets.append(Bet(seat, spot, stake, number, number))
        letter = chance.choice("BBPPT")
        if chance.random() < 0.15:
            pit.deal(CARDS[letter])
            pit.say("void", coup=coup(number), reason="a card was seen", **TWO)
            model.void_now()
        else:
            pit.deal(CARDS[letter], settle=True)
            model.settle(letter)
        if chance.random() < 0.5:
            mend(pit, model, chance.randint(1, number), chance)
    if chance.random() < 0.5:
        pit.say("open")
    pit.say("shoe.end", reason="a card is marked", **TWO)
    model.end()
    for _ in range(2):
        mend(pit, model, chance.randint(1, 8), chance)
    money = rows(database, "master")[0]

    assert model.won == rows(database, "table-win")[0]["win_by_wagers"]
    assert model.handle == money["handle"]
    desk = pit.dispatcher.desk
    assert 20_000_00 + model.won == tray_now(desk, desk.last_table_day("B01"))
    assert sorted((b.seat, b.spot, b.stake, b.paid) for b in model.bets) == sorted(
        (row["seat"], row["spot"], row["stake"], row["paid"]) for row in rows(database)
    )
    for n in (1, 5, 8):
        agree(database, tmp_path, [n])


def mend(pit, model, number, chance):
    """Puts one coup right, or voids it."""
    letter = model.coups[number - 1]
    if letter not in FLIPPED:
        return
    if chance.random() < 0.3:
        pit.say("void", coup=coup(number), reason="a card was seen", **TWO)
        model.put_right(number, "-")
        return
    n, cards = FLIPPED[letter]
    for card in cards:  # one of them is on record
        fields = {"n": n, "card": card, "reason": "typed wrong"}
        answer = pit.ask("coup.correct-card", coup=coup(number), **fields, **TWO)
        if answer.ok:  # a card of each hand may have been put right before: then it is a tie
            model.put_right(number, answer.body["events"][0]["outcome"][0].upper())
            return


def test_the_paper_the_page_and_a_question_say_which_bet_went_on(pit, database):
    pit.bet(3, "next-three", 25_00)
    play(pit, "B")
    words = "Next Three 25.00 is not decided yet, 1 of 1 won"
    (wagers,) = [
        each for each in paper(read_back(packed(database))).sections if each.title == "The wagers"
    ]
    asked = shell(database, "replay", coup(1), "--what-if", "card 1 = 8C").stdout
    sheet = shell(database, "replay", coup(1), "--for", "P-10417").stdout
    others = shell(database, "replay", coup(1), "--for", "grey-jacket").stdout

    assert words in wagers.note
    assert words in " ".join(sheet.split())
    assert "Next Three" not in others
    assert "went on to the next coup and is left out (R-BET-9)" in " ".join(asked.split())


def test_the_screen_and_the_spoken_table_show_how_a_bet_is_doing(pit, database):
    pit.bet(3, "next-three", 25_00)
    pit.bet(5, "banker", 100_00)
    pit.deal(CARDS["B"])
    with database.session("sabot_projector") as connection:
        resulted = Follower(connection, "B01").now
    pit.say("settle", paid={"5": 200_00})
    with database.session("sabot_projector") as connection:
        between = Follower(connection, "B01").now
    pit.say("open")
    with database.session("sabot_projector") as connection:
        following = Follower(connection, "B01").now

    assert [(0, 200_00)] * 2 == [(e.seat(3).paid, e.seat(5).paid) for e in (resulted, between)]
    assert [True, True, False] == [
        e.seat(3).wagers[0].goes_on for e in (resulted, between, following)
    ]
    assert Score(1, 1, 1) == following.seat(3).wagers[0].score
    assert "Seat 3 P-10417: Next Three 25.00 (1 of 1 won, goes on)." in [*table_lines(between)]
    (again,) = lines_for(parse("="), following)
    assert (5, "banker", 100_00) == (again["seat"], again["spot"], again["amount"])


@pytest.mark.parametrize(
    ("topic", "fields", "said"),
    [
        ("coup.wager-undecided", {"won": 0}, "counted (1, 0, 1), should be (1, 1, 1)"),
        ("coup.wager-undecided", {"stake": 50_00}, "5000 did not lie there"),
        ("coup.wager-ran-out", {"paid": 0, "result": "lose"}, "seat 3 next-three: paid"),
    ],
)
def test_a_stranger_sees_a_false_count_and_a_false_end(
    pit, database, tmp_path, topic, fields, said
):
    pit.bet(3, "next-three", 25_00)
    play(pit, "B")
    pit.say("shoe.end", reason="a card is marked", **TWO)
    file = written(database, tmp_path)
    body = json.loads(file.read_bytes())
    for event in body["events"]:
        if event["topic"] == topic:
            event["state"] = json.dumps(json.loads(event["state"]) | fields)
    file.write_text(json.dumps(body))

    assert said in judged(file).stdout


def test_a_stranger_sees_a_bet_that_was_settled_too_early(pit, database, tmp_path):
    pit.bet(3, "next-three", 25_00)
    play(pit, "BBB")
    file = written(database, tmp_path, coup(3))
    body = json.loads(file.read_bytes())
    for event in body["events"]:
        if event["topic"] == "coup.wager-carried":
            event["state"] = json.dumps(json.loads(event["state"]) | {"counted": 1, "won": 1})
    file.write_text(json.dumps(body))

    assert "it is not decided yet" in judged(file).stdout


def test_a_void_last_coup_and_an_end_and_a_void_coup_after_the_end(pit, database, tmp_path):
    pit.bet(3, "next-three", 25_00)
    pit.bet(5, "player-run", 25_00)
    play(pit, "P")
    pit.say("open")
    pit.deal(CARDS["P"])
    pit.say("void", coup=coup(2), reason="a card was seen", **TWO)
    pit.say("shoe.end", reason="a card is marked", **TWO)
    first = paid(database)
    pit.say("void", coup=coup(1), reason="the order was wrong", **TWO)

    assert {(1, 3, "next-three"): (25_00, 0), (2, 5, "player-run"): (25_00, 0)} == first
    assert {(1, 3, "next-three"): (25_00, 25_00), (2, 5, "player-run"): (25_00, 0)} == paid(
        database
    )
    agree(database, tmp_path, (1, 2))


def test_a_bet_entered_late_in_its_first_coup_goes_on_too(pit, database, tmp_path):
    pit.say("open")
    early = pit.moment.isoformat()
    pit.deal(CARDS["B"])
    late = {"seat": 3, "spot": "next-three", "amount": 25_00, "late": True, "at": early}
    pit.say("bet", **late, **TWO)
    pit.say("settle")
    play(pit, "BB")

    assert {(3, 3, "next-three"): (25_00, 225_00)} == paid(database)
    agree(database, tmp_path, (1, 2, 3))


def test_a_dummy_coup_does_not_count(dispatcher, database, tmp_path):
    line = {"command": "rules.approve", "file": f'misdraw = "dummy"{SHEET}', "by": "A-1", **TWO}
    assert dispatcher.dispatch(line).ok
    pit = GamingTable(dispatcher).open("riverside@1").prepare()
    pit.bet(3, "next-three", 25_00)
    play(pit, "BB")
    pit.say("shoe.misdraw", card="9H", disposition="dummy")
    dummy = pit.deal("5S KH QS")
    while dummy.body["due"]["action"] == "draw":
        dummy = pit.say("draw", card="2D")
    pit.say("settle")
    play(pit, "B")

    assert {(4, 3, "next-three"): (25_00, 225_00)} == paid(database)
    agree(database, tmp_path, (1, 2, 3, 4))


def test_a_case_that_voids_a_coup_counts_its_bets_anew(pit, database, tmp_path):
    pit.bet(3, "next-three", 25_00)
    play(pit, "BPB")
    pit.say("dispute.open", coup=coup(2), patron="P-10417", complaint="the shoe jammed")
    void = {"decision": "void", "reason": "it jammed", "with": "PB-2"}
    pit.say("dispute.decide", case="C-2026-0001", **void)
    pit.bet(3, "next-three", 50_00)
    play(pit, "B")
    pit.say("dispute.open", coup=coup(3), patron="P-10417", complaint="a card was seen")
    pit.say("dispute.decide", case="C-2026-0002", **void)

    assert {(2, 3, "next-three"): (25_00, 25_00)} == paid(database)
    agree(database, tmp_path, (1, 2, 3, 4))


def test_coups_that_are_dealt_after_a_bet_was_paid_never_count(pit, database, tmp_path):
    """Also when something that has nothing to do with it is put right in one of them."""
    pit.bet(3, "next-three", 25_00)
    play(pit, "BBB")
    pit.say("void", coup=coup(1), reason="seen on the film", **TWO)
    assert paid(database)[3, 3, "next-three"] == (25_00, 25_00)

    play(pit, "B")
    suit = {"n": 3, "card": "KD", "reason": "misread"}
    pit.say("coup.correct-card", coup=coup(4), **suit, **TWO)

    assert paid(database)[3, 3, "next-three"] == (25_00, 25_00)
    agree(database, tmp_path, range(1, 5))


def test_a_bet_that_ran_out_on_a_void_coup_is_counted_anew(pit, database, tmp_path):
    pit.bet(3, "next-three", 25_00)
    play(pit, "BB")
    pit.say("open")
    pit.say("void", coup=coup(3), reason="a fight", **TWO)
    pit.end_shoe()
    assert paid(database)[3, 3, "next-three"] == (25_00, 25_00)

    put_right = {**TO_PLAYER, "reason": "misread"}
    pit.say("coup.correct-card", coup=coup(2), **put_right, **TWO)

    assert paid(database)[3, 3, "next-three"] == (25_00, 0)
    agree(database, tmp_path, range(1, 4))


@pytest.mark.parametrize("how", ["unused", "void"])
def test_what_ran_out_without_a_result_is_put_right_by_two(pit, database, tmp_path, how):
    pit.bet(3, "next-three", 25_00)
    play(pit, "B")
    pit.say("open")
    if how == "void":
        pit.say("void", coup=coup(2), reason="a fight", **TWO)
    pit.end_shoe()
    line = {"coup": coup(2), "seat": 3, "spot": "next-three", "reason": "goodwill", **TWO}

    assert "with `to`" in pit.ask("correct", **line).body["message"]
    pit.say("correct", **line, to=50_00)
    assert paid(database)[2, 3, "next-three"] == (25_00, 50_00)
    assert pit.ask("correct", **line, to=50_00).body["error"] == "BadValue"
    agree(database, tmp_path, (1, 2))
