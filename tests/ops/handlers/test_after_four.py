"""R-BET-8 from the rule file to the pack: bets after the first four cards."""

import json

import pytest

from ops.now.follow import Follower
from ops.pack.paper import paper
from ops.reports.ask import ask
from ops.terminal.dealer.due import task
from ops.terminal.dealer.feed_lines import lines_for
from ops.terminal.dealer.prompts import hint
from ops.typed.grammar import parse
from projections import REPORTS
from tests.acceptance.channels import shell
from tests.stories import read_back
from tests.worlds.gaming_table import GamingTable
from tests.worlds.stranger import judged
from tests.worlds.terms_of_sheets import COUP, TWO, packed, told, written

# Baccarat insurance of Marina Bay Sands, on a Player win after four cards.
SHEET = """
name = "harbour@1"
source = "https://wizardofodds.com/games/baccarat/insurance/marina-bay-sands/"
based_on = "dragon-bonus@1"

[spots.banker-insurance]
key = "bi"
labels = {en = "Banker Insurance"}

[spots.banker-insurance.pays]
"first two banker cards make 5 and player wins" = "2:1"
"first two banker cards make 6 and player wins" = "3:1"
"first two banker cards make 7 and player wins" = "4:1"
"tie" = "push"

[limits.banker-insurance]
minimum = "5.00"
maximum = "1000.00"

[terms.banker-insurance]
beside = ["banker"]
up_to = "1/2"
after_four = "(first two player cards make 0 to 4 and first two banker cards make 5) or \
(first two player cards make 0 to 5 and first two banker cards make 6 to 7)"
"""
SPOT = "banker-insurance"
FIVE_TO_SIX = "5C 2D KS 4H"
NATURAL = "9C 2D KS 4H"
BOTH_STAND = "6C 2D KS 4H"
FIVE_TO_FOUR = "5C 4D KS KH"


@pytest.fixture
def pit(dispatcher, request):
    """A table under the sheet, or under another one that the test names."""
    file = getattr(request, "param", SHEET)
    line = {"command": "rules.approve", "file": file, "by": "A-1", **TWO}
    assert dispatcher.dispatch({**line, "confirmed": True}).ok
    return GamingTable(dispatcher).open("harbour@1").prepare()


def insure(pit, amount, seat=3):
    return pit.ask("bet", seat=seat, spot=SPOT, amount=amount)


def due(answer):
    return answer.body["due"]["action"], answer.body["due"]["rule"]


def rows(database, report="wagers"):
    return ask(database, REPORTS[report]).rows


def insured_coup(pit):
    """Seat 3 insures half of its bet on Banker at 5 to 6; Player draws a 3, and wins 8 to 6."""
    pit.bet(3, "banker", 100_00)
    pit.bet(5, "player", 100_00)
    pit.deal(FIVE_TO_SIX)
    assert insure(pit, 50_00).ok
    pit.say("no-more-bets")
    return pit.deal("3C", settle=True)


def test_a_sheet_on_which_the_house_loses_at_some_totals_is_confirmed(dispatcher):
    line = {"command": "rules.approve", "file": SHEET, "by": "A-1", **TWO}

    assert "ConfirmationNeeded" == dispatcher.dispatch(line).error


def test_a_coup_is_bet_on_after_four_cards_and_paid(pit, database, tmp_path):
    pit.bet(3, "banker", 100_00)
    pit.bet(5, "player", 100_00)
    early = insure(pit, 50_00)
    four = pit.deal(FIVE_TO_SIX)
    late, without = pit.ask("bet", seat=3, spot="tie", amount=25_00), insure(pit, 50_00, seat=5)
    too_much, taken = insure(pit, 55_00), insure(pit, 50_00)
    stays = pit.ask("withdraw", seat=3, spot="banker")
    drawn = pit.ask("draw", card="3C")
    closed = pit.say("no-more-bets")
    again = insure(pit, 25_00)
    pit.deal("3C", settle=True)
    page = " ".join(shell(database, "replay", COUP).stdout.split())
    said = judged(written(database, tmp_path))
    paid = {(row["seat"], row["spot"]): row["paid"] for row in rows(database)}

    assert [each.error for each in (early, late, without, too_much, stays, drawn, again)] == [
        *("SpotNotOnCards", "BettingClosed", "OnlyBeside", "OverPart", "BettingClosed"),
        *("BetsStillOpen", "BettingClosed"),
    ]
    assert [("no-more-bets", "R-BET-8"), ("draw", "R-DRAW-2")] == [due(four), due(closed)]
    assert taken.ok
    assert {(3, "banker"): 0, (5, "player"): 200_00, (3, SPOT): 200_00} == paid
    assert told(database)["agrees"]
    assert "bets are taken on Banker Insurance (R-BET-8)" in page
    assert "No more bets after the first four cards (R-BET-8)" in page
    assert "R-BET-6, R-BET-8" in page
    assert (said.returncode, said.stderr) == (0, ""), said.stdout
    assert "1 bets after the first four cards" in said.stdout


@pytest.mark.parametrize("four", [NATURAL, BOTH_STAND, FIVE_TO_FOUR])
def test_cards_that_offer_nothing_open_nothing(pit, four):
    pit.bet(3, "banker", 100_00)
    answer = pit.deal(four)

    assert "no-more-bets" != due(answer)[0]
    assert "SpotNotOnCards" == insure(pit, 25_00).error


def test_where_nobody_has_the_bet_beside_it_nothing_is_opened(pit):
    pit.bet(3, "player", 100_00)

    assert ("draw", "R-DRAW-2") == due(pit.deal(FIVE_TO_SIX))


def test_a_bet_after_four_cards_is_taken_back_alone_while_they_are_open(pit, database):
    pit.bet(3, "banker", 100_00)
    pit.deal(FIVE_TO_SIX)
    insure(pit, 50_00)
    pit.say("withdraw", seat=3)
    pit.say("no-more-bets")

    assert "BettingClosed" == pit.ask("withdraw", seat=3, spot="banker").error
    assert [("banker", 100_00)] == [(e["spot"], e["stake"]) for e in told(database)["wagers"]]


def test_a_void_coup_returns_it(pit, database, tmp_path):
    insured_coup(pit)
    pit.say("void", coup=COUP, reason="a card was seen", **TWO)

    assert (0, "") == (judged(written(database, tmp_path)).returncode, "")
    assert told(database)["agrees"]


def test_a_bet_that_was_not_typed_is_entered_late_within_its_own_time(pit, database, tmp_path):
    pit.bet(3, "banker", 100_00)
    pit.deal(FIVE_TO_SIX)
    at = pit.moment.isoformat()
    pit.say("no-more-bets")
    pit.deal("3C")
    wrong = insure(pit, 50_00)
    late = {"seat": 3, "spot": SPOT, "amount": 50_00, "late": True, **TWO}
    right = pit.ask("bet", at=at, **late)
    pit.say("settle")

    assert ("BettingClosed", True) == (wrong.error, right.ok), str(right)
    assert told(database)["agrees"]
    assert 0 == judged(written(database, tmp_path)).returncode


def test_a_first_card_put_right_takes_the_offer_away(pit, database, tmp_path):
    pit.bet(3, "banker", 100_00)
    pit.deal(FIVE_TO_SIX)
    insure(pit, 50_00)
    answer = pit.say("coup.correct-card", coup=COUP, n=2, card="KD", reason="it was a king", **TWO)
    pit.deal("3C")
    pit.say("draw", card="2H", settle=True)

    assert ("draw", "R-DRAW-2") == due(answer)
    assert told(database)["agrees"]
    assert ["SpotNotOnCards"] == [
        each["refusal"]
        for each in told(database)["exceptions"]
        if each["event"] == "LimitFoundBroken"
    ]
    assert 0 == judged(written(database, tmp_path)).returncode


@pytest.mark.parametrize(("question", "paid"), [(f"bet 3 {SPOT} 25", 100_00), ("card 5 = KC", 0)])
def test_what_if_pays_it_otherwise(pit, database, question, paid):
    insured_coup(pit)
    answer = shell(database, "replay", COUP, "--what-if", question, "--json")
    seat = next(
        each for each in json.loads(answer.stdout)["what_if"]["payments"] if each["spot"] == SPOT
    )

    assert paid == seat["paid"]


@pytest.mark.parametrize(("card", "offered"), [("KD", False), ("2H", True), ("5D", False)])
def test_what_if_says_that_other_cards_would_not_have_offered_it(pit, database, card, offered):
    insured_coup(pit)
    page = shell(database, "replay", COUP, "--what-if", f"card 2 = {card}").stdout

    assert offered == ("is not offered on these four cards" not in " ".join(page.split()))


def screen(database):
    """What the dealer's screen says is to be done, and what may be typed."""
    with database.session("sabot_projector") as connection:
        now = Follower(connection, "B01").now
    return now, task(now)


def test_the_screen_says_what_is_offered_to_whom_at_which_odds(pit, database):
    pit.bet(3, "banker", 100_00)
    pit.bet(5, "banker", 75_00)
    pit.deal(FIVE_TO_SIX)
    insure(pit, 50_00)
    now, due = screen(database)
    back = [{"command": "withdraw", "table": "B01", "seat": 3, "spot": SPOT}]

    assert ("BETS AFTER FOUR CARDS", "R-BET-8") == (due.headline, due.rule)
    assert ("Banker Insurance 3:1: seat 3 up to 50 and seat 5 up to 35.",) == due.why
    assert "no more bets" in hint(now)
    assert back == lines_for(parse("u"), now)


def test_a_screen_does_not_repeat_it_in_the_next_coup(pit, database):
    insured_coup(pit)
    now, _ = screen(database)

    assert (("banker", 100_00),) == now.seat(3).last


def test_in_a_squeeze_it_is_offered_when_the_hands_are_turned(dispatcher):
    sheet = SHEET.replace('"dragon-bonus@1"', '"big-table@1"')
    line = {"command": "rules.approve", "file": sheet, "by": "A-1", **TWO}
    assert dispatcher.dispatch({**line, "confirmed": True}).ok
    pit = GamingTable(dispatcher).open("harbour@1").prepare()
    pit.bet(3, "banker", 500_00)
    pit.deal(FIVE_TO_SIX)
    early, drawn = insure(pit, 100_00), pit.ask("draw", card="3C")
    taken = insure(pit, 100_00)
    pit.say("no-more-bets")
    pit.deal("3C", settle=True)

    assert ("SpotNotOnCards", "BetsStillOpen", True) == (early.error, drawn.error, taken.ok), str(
        taken
    )
    assert {"HandTurned", "SecondBetsOpened"} == {each["type"] for each in drawn.events}


def test_a_misdraw_waits_until_these_bets_are_closed(pit):
    pit.bet(3, "banker", 100_00)
    pit.deal(FIVE_TO_SIX)

    assert "CoupNotFinished" == pit.ask("shoe.misdraw", card="9H", disposition="burn").error


@pytest.mark.parametrize("pit", [SHEET], indirect=True)
def test_the_paper_and_the_page_time_a_main_bet_entered_late_by_the_first_card(pit, database):
    pit.bet(5, "player", 100_00)
    early = pit.moment.isoformat()
    pit.bet(3, "banker", 100_00)
    pit.deal(FIVE_TO_SIX)
    pit.say("bet", seat=1, spot="banker", amount=100_00, late=True, at=early, **TWO)
    insure(pit, 50_00)
    pit.say("no-more-bets")
    pit.deal("3C", settle=True)
    printed = paper(read_back(packed(database))).sections
    (wagers,) = [each for each in printed if each.title == "The wagers"]
    timed = {f"{row.cells[0]} {row.cells[2]}": row.cells[5] for row in wagers.rows}
    page = " ".join(shell(database, "replay", COUP).stdout.split())

    assert timed == {
        "Seat 1 Banker": "2.0 s, entered late",
        "Seat 3 Banker": "1.0 s",
        " Banker Insurance": "2.0 s, card 5",
        "Seat 5 Player": "2.0 s",
    }
    assert "seat 1 P-10411 Banker 100.00 20:00:10.0 2.0 s, entered late #" in page


def changed(file, topic, **fields):
    body = json.loads(file.read_bytes())
    for event in body["events"]:
        if event["topic"] == topic:
            event["state"] = json.dumps(json.loads(event["state"]) | fields)
    file.write_text(json.dumps(body))
    return judged(file).stdout


def test_a_stranger_sees_a_false_offer(pit, database, tmp_path):
    insured_coup(pit)
    file = written(database, tmp_path)

    assert "offers ['tie']" in changed(file, "coup.second-bets-opened", offered=["tie"])


# What each line puts right, beside which these bets are then taken: of seat 3, or seat 1's.
PUT_RIGHT = {
    "late": ("bet", {"seat": 3, "spot": "banker", "amount": 100_00, "late": True}),
    "stake": ("correct", {"seat": 3, "spot": "banker", "stake": 100_00, "reason": "camera"}),
    "moved": ("coup.move-wager", {"seat": 3, "spot": "banker", "to_seat": 1, "reason": "camera"}),
}
AT_SEAT_1 = SHEET + "seats = [1]\n"
DEAR = SHEET.replace('minimum = "5.00"', 'minimum = "50.00"')


@pytest.mark.parametrize(
    ("pit", "how", "on_record"),
    [(SHEET, "late", 0), (DEAR, "stake", 75_00), (AT_SEAT_1, "moved", 100_00)],
    indirect=["pit"],
)
def test_a_wager_put_right_opens_the_bets_that_are_taken_beside_it(
    pit, how, on_record, database, tmp_path
):
    pit.bet(5, "player", 100_00)
    early = pit.moment.isoformat()
    if on_record:
        pit.bet(3, "banker", on_record)
    assert ("draw", "R-DRAW-2") == due(pit.deal(FIVE_TO_SIX))
    command, fields = PUT_RIGHT[how]
    named = {"at": early} if how == "late" else {"coup": COUP}
    right = pit.say(command, **fields, **named, **TWO)
    drawn = pit.ask("draw", card="3C")
    taken = insure(pit, 50_00, seat=fields.get("to_seat", 3))
    pit.say("no-more-bets")
    pit.deal("3C", settle=True)

    assert ("no-more-bets", "R-BET-8") == due(right)
    assert ("BetsStillOpen", True) == (drawn.error, taken.ok), str(taken)
    assert told(database)["agrees"]
    stranger = judged(written(database, tmp_path))
    assert 0 == stranger.returncode, stranger.stdout


@pytest.mark.parametrize("pit", [AT_SEAT_1], indirect=True)
def test_a_wager_that_was_never_of_that_seat_closes_the_bets_beside_it(pit, database, tmp_path):
    pit.bet(1, "banker", 100_00)
    pit.deal(FIVE_TO_SIX)
    _, fields = PUT_RIGHT["moved"]
    moved = pit.say("coup.move-wager", coup=COUP, **{**fields, "seat": 1, "to_seat": 3}, **TWO)
    refused = insure(pit, 50_00, seat=1)
    pit.deal("3C", settle=True)
    page = " ".join(shell(database, "replay", COUP).stdout.split())

    assert ("draw", "R-DRAW-2") == due(moved)
    assert "SpotNotOnCards" == refused.error
    assert "A wager was put right: nobody may bet after the first four cards now" in page
    assert told(database)["agrees"]
    assert 0 == judged(written(database, tmp_path)).returncode


@pytest.mark.parametrize("pit", [SHEET], indirect=True)
def test_a_bet_entered_late_does_not_open_them_before_the_cards(pit):
    early = pit.moment.isoformat()
    pit.bet(5, "player", 100_00)
    pit.deal(FIVE_TO_SIX)
    late = {"late": True, "at": early, **TWO}
    pit.say("bet", seat=3, spot="banker", amount=100_00, **late)
    pit.say("no-more-bets")
    pit.deal("3C")

    assert "BettingClosed" == pit.ask("bet", seat=3, spot=SPOT, amount=50_00, **late).error


AT_LIMIT = SHEET.replace("based_on", 'outside_limits = "at-limit"\nbased_on')
WITHOUT_OFFER = {  # of a bet of 50.00 at 5 to 6: what is put right, and what lies there then
    "a card": (("coup.correct-card", {"n": 4, "card": "AH"}), ("SpotNotOnCards", 0)),
    "the bet beside it": (
        ("correct", {"seat": 3, "spot": "banker", "stake": 50_00}),
        ("OverPart", 25_00),
    ),
}


@pytest.mark.parametrize("what", WITHOUT_OFFER)
@pytest.mark.parametrize("pit", [SHEET, AT_LIMIT], indirect=True, ids=["whole", "at-limit"])
def test_what_is_put_right_leaves_a_bet_without_its_offer(pit, database, tmp_path, what, request):
    (command, fields), (refusal, left) = WITHOUT_OFFER[what]
    at_limit = "at-limit" in request.node.name
    pit.bet(3, "banker", 100_00)
    pit.bet(5, "player", 100_00)
    pit.deal(FIVE_TO_SIX)
    assert insure(pit, 50_00).ok
    pit.say("no-more-bets")
    right = pit.say(command, coup=COUP, reason="misread", **fields, **TWO).body["events"]
    pit.deal("3C")
    pit.ask("draw", card="KD")
    settled = pit.say("settle").body["events"]
    stakes = {e["spot"]: e["stake"] for e in settled if e["type"] == "WagerSettled"}
    story = told(database)

    assert [refusal] == [e["refusal"] for e in right if e["type"] == "LimitFoundBroken"]
    assert (left if at_limit else 50_00) == stakes.get(SPOT, 0)
    assert (True, []) == (story["agrees"], story["disagreements"])
    said = judged(written(database, tmp_path))
    assert (0, "") == (said.returncode, said.stderr), said.stdout
