"""`sabot replay --what-if`: a coup reckoned otherwise from a real ledger, which stays as it is."""

import json
import re

import pytest

from tests.acceptance.channels import json_of, recorded, shell
from tests.ops.commands.riverside import APPROVE
from tests.pseudo import english_in, pseudo
from tests.worlds.gaming_table import BANKER_WINS, PLAYER_WINS, GamingTable
from tests.worlds.twin_tables import TWO, TwinTable

pytestmark = pytest.mark.usefixtures("held")

FIRST, SECOND, THIRD = (f"B01/2026-11-21/1/{number}" for number in (1, 2, 3))
BETS = ((3, "banker", 100_00), (5, "player", 500_00))
STATUS_OF_A_RECORD_THAT_DISAGREES = 1


def flags(changes):
    return [word for change in changes for word in ("--what-if", change)]


@pytest.fixture
def ask(database):
    """What a coup would have come to, as JSON; the ledger is the same afterwards."""

    def asked(*changes, coup=FIRST):
        before = recorded(database)
        answer = json_of(database, "replay", coup, *flags(changes))["what_if"]

        assert before == recorded(database)
        return answer

    return asked


@pytest.fixture
def page(database):
    """What people read below the replay."""

    def printed(*changes, coup=FIRST):
        result = shell(database, "replay", coup, *flags(changes))

        assert (result.exit_code, result.stderr) == (0, "")
        lines = result.stdout.partition("What if … ")[2].splitlines()
        return [" ".join(line.split()) for line in lines]

    return printed


def money(answer):
    """Of each seat: staked, paid, commission; and the house."""
    rows = {
        row["seat"]: (row["staked"], row["paid"], row["commission"]) for row in answer["difference"]
    }
    return rows, answer["house"]


def cards(answer):
    return [each["card"] for each in answer["cards"]]


def test_the_example_of_the_design_page(pit, ask):
    pit.play(PLAYER_WINS, *BETS)
    answer = ask("card 5 = 4H")
    contract = ("changes", "outcome", "player_total", "banker_total", "house", "short")
    rows = [
        {name: row[name] for name in ("seat", "patron", "paid", "commission")}
        for row in answer["difference"]
    ]

    assert {name: answer[name] for name in contract} == {
        "changes": ["card 5 = 4H"],
        "outcome": "banker",
        "player_total": 6,
        "banker_total": 9,
        "house": 805_00,
        "short": False,
    }
    assert rows == [
        {"seat": 3, "patron": "P-10417", "paid": 200_00, "commission": 5_00},
        {"seat": 5, "patron": "grey-jacket", "paid": -1_000_00, "commission": 0},
    ]
    assert cards(answer) == ["9C", "5S", "7C", "QD", "4H"]
    assert answer["cards"][4] == {
        "n": 5,
        "card": "4H",
        "hand": "banker",
        "rule": "R-DRAW-3",
        "player_total": 6,
        "banker_total": 9,
        "due": None,
        "recorded": "9S",
        "forced": False,
    }
    assert answer["payments"][0] == {
        "seat": 3,
        "patron": "P-10417",
        "spot": "banker",
        "stake": 100_00,
        "result": "win",
        "odds": "1:1",
        "winnings": 100_00,
        "commission_exact": "500",
        "commission_charged": 5_00,
        "commission_due": "deferred",
        "paid": 200_00,
        "paid_up": 0,
        "rules": ["R-PAY-1", "R-COM-1"],
    }
    assert [(each["seat"], each["paid"]) for each in answer["recorded"]] == [(3, 0), (5, 1_000_00)]
    assert (answer["later"], answer["notes"], answer["void"]) == (None, [], False)


def test_without_a_change_nothing_is_told_of_it(pit, database):
    pit.play(PLAYER_WINS, *BETS)

    assert "what_if" not in json_of(database, "replay", FIRST)


@pytest.mark.parametrize(
    ("carried", "rightly", "wrongly", "mend"),
    [
        ("", "9C 5S 7C QD 9S", "9C 5S 7C QD 2S", {"n": 5, "card": "9S"}),
        ("", "9C 5S KC KD", "2C 5S KC KD 5H 4C", {"n": 1, "card": "9C", "after": "untyped"}),
        ("", "9C 5S AD KD 4H KH", "9C 5S 9D KD", {"n": 3, "card": "AD", "then": ["4H", "KH"]}),
        ("9C 8C", "5S 7C QD 9S", "5S 7C QD 9S", {"n": 1, "card": "9C"}),
    ],
)
def test_the_later_coups_are_dealt_as_if_no_card_had_been_typed_wrong(
    dispatcher, ask, carried, rightly, wrongly, mend
):
    told = []
    for nth, (name, typed) in enumerate((("R01", rightly), ("W01", wrongly))):
        table = TwinTable(dispatcher, name).begin()
        table.play(PLAYER_WINS, (3, "banker", 100_00))
        if carried:
            table.say("shoe.misdraw", card=carried.split()[nth], disposition="carry", **TWO)
        for coup_cards in (typed, BANKER_WINS):
            table.play(coup_cards, (3, "banker", 100_00))
        if nth:
            table.fix("coup.correct-card", coup=table.coup(2), **mend)
        asked = (("no-draw banker", 1), ("card 2 = 2H", 2))
        answers = [ask(change, coup=table.coup(number)) for change, number in asked]
        told.append(json.loads(json.dumps(answers).replace(name, "T01")))

    assert told[0] == told[1]


def test_several_at_once(pit, ask):
    pit.play(PLAYER_WINS, *BETS)
    answer = ask("rounding up 1", "card 5 = 4h", "bet 3 banker 130.00", "no-bet 5 player")

    assert answer["changes"] == [
        *("rounding up 1", "card 5 = 4H", "bet 3 banker 130", "no-bet 5 player")
    ]  # fmt: skip
    assert money(answer) == ({3: (30_00, 260_00, 7_00), 5: (-500_00, -1_000_00, 0)}, 277_00)
    assert answer["difference"][0]["commission_exact"] == "650"


def test_a_third_card_that_was_missed_and_the_coups_after_it(pit, ask):
    pit.play(PLAYER_WINS, *BETS)
    pit.play("KC 2D 6C 4H", (3, "banker", 100_00))
    pit.play(BANKER_WINS, (3, "banker", 100_00))
    answer = ask("no-draw banker")

    assert (answer["left_over"], answer["then"], answer["house"]) == (["9S"], "carry", 0)
    assert answer["steps"][1] == {
        "position": "banker-third",
        "rule": "R-DRAW-3",
        "draws": False,
        "why": "Banker has no third card, against R-DRAW-3: Banker draws on 5: Player stood",
        "forced": True,
    }
    (coup,) = answer["later"]["coups"]
    assert [coup[name] for name in ("coup", "recorded", "outcome", "house")] == [
        *(SECOND, "tie", "banker", -95_00)
    ]  # fmt: skip
    assert coup["cards"] == ["9S", "KC", "2D", "6C", "4H"]
    assert (answer["later"]["in_step_at"], answer["later"]["house"]) == (SECOND, -95_00)
    assert answer["later"]["totals"][0] == {
        "patron": "P-10417",
        "paid": 100_00,
        "commission": 5_00,
        "staked": 0,
        "net": 95_00,
    }


def test_the_record_runs_out_in_a_later_coup_and_in_the_coup_itself(pit, ask):
    pit.play(PLAYER_WINS, *BETS)
    pit.play(BANKER_WINS, (3, "banker", 100_00))
    last = ask("card 2 = 5D", coup=SECOND)  # 2 to 5: a third card is due, and nobody has it
    first = ask("card 1 = 8C", "card 4 = TD", "card 3 = 3C")  # 1 to 5: the fifth is Player's

    assert (last["short"], last["outcome"], last["house"]) == (True, None, None)
    assert (last["payments"], last["difference"], last["later"]) == ([], [], None)
    assert (last["player_total"], last["banker_total"]) == (2, 5)
    assert (cards(first)[4:], first["taken"], first["short"]) == (["9S"], [], False)


def test_r_irr_1_a_card_that_was_carried_is_the_one_that_would_have_been_drawn(pit, ask):
    pit.play(PLAYER_WINS, *BETS)
    pit.say("shoe.misdraw", card="8H", disposition="carry")
    pit.play("9S 2C QD", (3, "banker", 100_00))  # behind the 8H: 8 to 1
    answer = ask("draw player")

    assert (cards(answer)[4:], answer["taken"]) == (["9S"], [])
    carried = ask("card 2 = 4S", coup=SECOND)  # its own first card is the one carried
    assert [each["recorded"] for each in carried["cards"]][:2] == ["8H", "9S"]
    second = ask("draw player", "card 3 = 9C")  # 8, and all of its cards
    assert second["later"] is None


def test_r_irr_1_a_card_that_was_carried_had_been_burned_or_the_other_way_round(pit, ask):
    pit.play(PLAYER_WINS, *BETS)
    pit.say("shoe.misdraw", card="8H", disposition="carry")
    pit.play("9S 2C QD", (3, "banker", 100_00))  # behind the 8H: 8 to 1
    pit.say("shoe.misdraw", card="7H", disposition="burn")
    pit.play(BANKER_WINS, (3, "banker", 100_00))
    burned, carried = ask("misdraw burn", coup=SECOND), ask("misdraw carry", coup=THIRD)

    assert cards(burned) == ["9S", "2C", "QD", "7H"]
    assert cards(carried)[:4] == ["7H", *BANKER_WINS.split()[:3]]
    assert carried["notes"][0].startswith("7♥ came when none was due: carried")


def test_r_irr_1_a_card_that_waits_begins_the_coup_that_is_open(pit, ask):
    pit.play(PLAYER_WINS, *BETS)
    for _ in range(6):
        pit.say("shoe.discard", card="8H", reason="damaged")
    pit.say("shoe.misdraw", card="8H", disposition="carry")
    pit.bet(3, "banker", 100_00)
    answer = ask("card 2 = 8H", coup=SECOND)  # the eighth of them, and the last

    assert (cards(answer), answer["taken"], answer["short"]) == (["8H", "8H"], ["8H"], True)
    assert [note for note in answer["notes"] if "R-CARD-3" in note] == []


def test_r_irr_1_a_card_that_was_burned_is_taken_and_then_all_is_as_it_was(pit, ask):
    pit.play("9C 6S 7C KD", *BETS)  # 6 to 6
    pit.say("shoe.misdraw", card="8H", disposition="burn")
    pit.play(BANKER_WINS, (3, "banker", 100_00))
    answer = ask("draw banker")

    assert (answer["taken"], answer["outcome"], answer["later"]) == (["8H"], "player", None)
    assert money(answer) == ({3: (0, -100_00, 0), 5: (0, 500_00, 0)}, -400_00)


def test_r_irr_3_a_card_that_was_discarded_stays_out_of_play(pit, ask):
    pit.play("9C 6S 7C KD", *BETS)
    pit.say("shoe.discard", card="8H", reason="face-up")
    pit.play(BANKER_WINS, (3, "banker", 100_00))

    assert ask("draw banker")["taken"] == ["KC"]


def test_r_irr_1_a_dummy_that_was_waits_for_its_place(pit, ask):
    pit.play(PLAYER_WINS, *BETS)
    pit.say("shoe.misdraw", card="KC", disposition="dummy")
    pit.deal("2D 6C 4H")  # 6 to 6, without bets
    pit.say("settle")
    pit.play(BANKER_WINS, (3, "banker", 100_00))
    answer = ask("no-draw banker")

    assert [(each["coup"], each["cards"]) for each in answer["later"]["coups"]] == [
        (SECOND, ["9S", "KC", "2D", "6C", "4H"])
    ]
    assert (answer["later"]["in_step_at"], answer["later"]["house"]) == (SECOND, 0)


def test_r_card_3_a_card_all_of_which_were_out(pit, ask):
    pit.play("9C 9C 9C TC", *BETS)  # 8 to 9
    pit.play("9C 9C 9C TC", *BETS)
    pit.say("shoe.discard", card="9C", reason="damaged")
    pit.play(PLAYER_WINS, *BETS)

    assert ask("card 5 = 9C", coup=THIRD)["notes"] == [
        "Card 5 cannot have been 9♣: all 8 of them were already out (R-CARD-3)."
    ]
    assert ask("card 1 = 9C", coup=SECOND)["notes"] == []


def test_r_irr_5_a_coup_that_was_corrected_stands_as_corrected(pit, ask):
    pit.play(BANKER_WINS, *BETS)
    fields = {"coup": FIRST, "seat": 3, "spot": "banker", "reason": "misread", "with": "S-11"}
    pit.say("correct", to=150_00, **fields)
    answer = ask("card 1 = QC")

    assert answer["recorded"][0]["paid"] == 150_00
    assert money(answer) == ({3: (0, 50_00, 2_50), 5: (0, 0, 0)}, -47_50)


def test_r_irr_5_a_coup_that_was_voided(pit, ask):
    pit.play(PLAYER_WINS, *BETS)
    pit.say("void", coup=FIRST, reason="a torn card", **{"with": "S-11"})
    answer = ask("card 5 = 4H")

    assert [each["paid"] for each in answer["recorded"]] == [100_00, 500_00]
    assert money(answer) == ({3: (0, 100_00, 5_00), 5: (0, -500_00, 0)}, 405_00)
    assert answer["notes"] == [
        "The coup is void on record; this is as if it had been played (R-IRR-5)."
    ]


def test_r_irr_4_a_void_instead(pit, ask):
    pit.play(PLAYER_WINS, *BETS)
    answer = ask("void")

    assert money(answer) == ({3: (0, 100_00, 0), 5: (0, -500_00, 0)}, 400_00)
    assert [each["result"] for each in answer["payments"]] == ["push", "push"]
    assert (answer["void"], answer["outcome"], answer["later"]) == (True, "player", None)


def test_a_coup_in_the_middle_of_its_cards(pit, ask):
    for bet in BETS:
        pit.bet(*bet)
    pit.deal("9C 5S 7C QD")
    short, whole = ask("bet 3 banker 200"), ask("bet 3 banker 200", "card 5 = 4H")

    assert (short["short"], short["recorded"], short["player_total"]) == (True, None, 6)
    assert money(whole) == ({3: (200_00, 400_00, 10_00), 5: (500_00, 0, 0)}, 310_00)
    assert whole["recorded"] is None


def test_a_coup_that_takes_bets(pit, ask, page):
    pit.bet(3, "banker", 100_00)
    answer = ask("bet 3 banker 200")

    assert (answer["short"], answer["cards"], answer["player_total"]) == (True, [], None)
    assert ask("void")["house"] == 0
    assert "No outcome: the coup would not be finished." in page("bet 3 banker 200")


def test_a_squeeze(dispatcher, ask):
    pit = GamingTable(dispatcher).open("big-table@1").prepare()
    pit.play(PLAYER_WINS, (3, "banker", 100_00), (5, "player", 500_00))

    assert money(ask("card 5 = 4H")) == ({3: (0, 195_00, 0), 5: (0, -1_000_00, 0)}, 805_00)


def test_r_com_3_commission_rounded_on_collection(dispatcher, ask):
    pit = GamingTable(dispatcher).open("collected-up@1").prepare()
    pit.play(PLAYER_WINS, (3, "banker", 30_00))
    answer, per_win = ask("card 5 = 4H"), ask("card 5 = 4H", "rounding exact")

    assert money(answer) == ({3: (0, 60_00, 2_00)}, -58_00)
    assert (answer["payments"][0]["commission_charged"], answer["payments"][0]["paid"]) == (
        0,
        60_00,
    )
    assert answer["difference"][0]["commission_exact"] == "150"
    assert money(per_win) == ({3: (0, 60_00, 1_50)}, -58_50)


def test_whoever_sat_there_when_betting_closed(pit, ask):
    pit.play(PLAYER_WINS, *BETS)
    pit.say("table.leave", seat=1)
    pit.say("table.seat", seat=1, patron="P-2")
    pit.say("table.seat", seat=7, patron="P-7")
    answer = ask("bet 1 player 50", "bet 7 player 50")

    assert [(row["seat"], row["patron"]) for row in answer["difference"]] == [
        *((1, "P-10411"), (3, "P-10417"), (5, "grey-jacket"), (7, None))
    ]  # fmt: skip
    assert answer["notes"] == ["It is not known who sat at seat 7."]


def test_a_rule_set_of_the_house_s_own(dispatcher, pit, ask):
    assert dispatcher.dispatch(APPROVE).ok
    pit.play(BANKER_WINS, *BETS)

    assert money(ask("rules riverside@1")) == ({3: (0, 0, -1_00), 5: (0, 0, 0)}, -1_00)


def test_r_shoe_5_what_a_generated_shoe_still_held_is_known_when_it_has_ended(dispatcher, ask):
    pit = GamingTable(dispatcher).open("electronic@1")
    pit.say("shoe.load", decks=8)
    pit.say("shoe.shuffle", method="generated")
    pit.bet(3, "banker", 100_00)
    due = {"action": "draw"}
    while due["action"] == "draw":
        due = pit.say("draw").body["due"]
    pit.say("settle")
    changes = ("card 1 = KC", "card 2 = KC", "card 3 = 2C", "card 4 = 2C", "draw banker")
    before = ask(*changes)
    end = pit.end_shoe()
    (order,) = [each["order"] for each in end.body["events"] if each["type"] == "OrderRevealed"]
    after = ask(*changes)

    assert cards(before) == ["KC", "KC", "2C", "2C", *order[4 : len(before["cards"])]]
    assert cards(after) == ["KC", "KC", "2C", "2C", *order[4:6]]
    assert not after["short"]


def test_the_exit_status_is_the_replay_s(pit, database, superuser):
    pit.play(PLAYER_WINS, *BETS)
    assert shell(database, "replay", FIRST, "--what-if", "void").exit_code == 0
    superuser.execute("ALTER TABLE ledger.event_rows DISABLE TRIGGER ALL")
    superuser.execute(
        "UPDATE ledger.events SET state = convert_to("
        """replace(convert_from(state, 'UTF8'), '"paid":100000', '"paid":100001'), 'UTF8')"""
        " WHERE topic = 'coup.wager-settled'"
    )
    superuser.commit()
    result = shell(database, "replay", FIRST, "--what-if", "card 5 = 4H", "--json")

    assert result.exit_code == STATUS_OF_A_RECORD_THAT_DISAGREES
    assert json.loads(result.stdout)["what_if"]["difference"][1]["paid"] == -1_000_01


@pytest.mark.parametrize("change", ["card 5 = 1H", "bet 3 sofa 20", "card 6 = KH", "no-bet 1 tie"])
def test_a_change_that_makes_no_sense_is_refused(pit, database, change):
    pit.play(PLAYER_WINS, *BETS)
    result = shell(database, "replay", FIRST, "--what-if", change)

    assert (result.exit_code, result.stdout) == (1, "")
    assert result.stderr.startswith(f"BadValue: --what-if cannot be '{change}': ")


def test_a_coup_that_makes_no_sense_any_more_has_no_what_if(pit, database, superuser):
    pit.play(PLAYER_WINS, *BETS)
    superuser.execute("ALTER TABLE ledger.event_rows DISABLE TRIGGER ALL")
    superuser.execute(
        "UPDATE ledger.events SET state = convert_to('{}', 'UTF8') WHERE topic = 'coup.opened'"
    )
    superuser.commit()
    result = shell(database, "replay", FIRST, "--what-if", "void", "--json")

    assert (result.exit_code, json.loads(result.stdout)["what_if"]) == (1, None)


def test_a_later_coup_that_nobody_can_read_ends_the_reckoning(pit, ask, superuser):
    pit.play(PLAYER_WINS, *BETS)
    pit.play(BANKER_WINS, (3, "banker", 100_00))
    superuser.execute("ALTER TABLE ledger.event_rows DISABLE TRIGGER ALL")
    superuser.execute(
        "UPDATE ledger.events SET state = convert_to('{}', 'UTF8')"
        " WHERE topic = 'coup.opened' AND convert_from(state, 'UTF8') LIKE %s",
        (f'%"coup":"{SECOND}"%',),
    )
    superuser.commit()

    assert ask("no-draw banker")["later"]["coups"] == []


def told_so(text):
    return [" ".join(line.split()) for line in text.splitlines()]


def test_the_page_tells_it_at_a_glance(pit, page):
    pit.play(PLAYER_WINS, *BETS)
    expected = """\
card 5 = 4♥, bet 3 banker 200, no-bet 5 player
Cards             Player            Banker
 1  9♣ → Player   9♣          9                       R-DEAL-1
 2  5♠ → Banker   9♣          9     5♠          5     R-DEAL-1
 3  7♣ → Player   9♣ 7♣       6     5♠          5     R-DEAL-1
 4  Q♦ → Banker   9♣ 7♣       6     5♠ Q♦       5     R-DEAL-1
    Player stands on 6                                R-DRAW-2
    Banker draws on 5: Player stood                   R-DRAW-3
 5  4♥ → Banker   9♣ 7♣       6     5♠ Q♦ 4♥    9     R-DRAW-3  not 9♠
Banker wins, 9 to 6                                   R-WIN-1
Payments                                             paid           on record
seat 3    Banker  200.00  wins 1 to 1 = 200.00, owes  400.00  R-PAY-1  0.00
                          10.00                               R-COM-1
seat 5    Player  ·       no wager                         ·   1,000.00
Difference                staked       paid  commission  better off
seat 3      P-10417      +100.00    +400.00      +10.00     +290.00
seat 5      grey-jacket  -500.00  -1,000.00        0.00     -500.00
house                                                       +210.00
This what-if is not recorded."""

    assert told_so(expected) == page("card 5 = 4H", "bet 3 banker 200", "no-bet 5 player")


def test_the_page_goes_on_with_the_later_coups(pit, page):
    pit.play(PLAYER_WINS, *BETS)
    pit.play("KC 2D 6C 4H", (3, "banker", 100_00))
    expected = """\
    Player stands on 6                                R-DRAW-2
    Banker has no third card, against R-DRAW-3: Banker draws on 5: Player stood
Player wins, 6 to 5                                   R-WIN-1
Payments                                            paid  on record
seat 3    Banker  100.00  loses                     0.00  R-PAY-1       0.00
seat 5    Player  500.00  wins 1 to 1 = 500.00  1,000.00  R-PAY-1   1,000.00
Difference               staked  paid  commission  better off
seat 3      P-10417        0.00  0.00        0.00        0.00
seat 5      grey-jacket    0.00  0.00        0.00        0.00
house                                                    0.00
Later coups  cards           on record  then         house
2            9♠ K♣ 2♦ 6♣ 4♥  Tie 6:6    Banker 5:6  -95.00
After coup 2 the cards fall as on record, and nothing changes.
In all P-10417 is better off by 95.00.
In all grey-jacket has the same as before.
In all the house is worse off by 95.00.
· 9♠ is left over: it is carried, as the first of the next coup (R-IRR-1).
This what-if is not recorded."""

    assert told_so(expected) == page("no-draw banker")[6:]


@pytest.mark.parametrize(
    "changes",
    [
        ("card 5 = 4H", "bet 3 banker 201", "no-bet 5 player"),
        ("no-draw banker", "then burn"),
        ("void", "bet 7 tie 5"),
        ("draw player", "rounding up"),
    ],
)
def test_no_word_of_the_page_stays_english(pit, database, changes):
    pit.play(PLAYER_WINS, *BETS)
    pit.play("KC 2D 6C 4H", (3, "banker", 100_00))
    with pseudo():
        result = shell(database, "replay", FIRST, *flags(changes))
    page = result.stdout.rpartition(" … ")[2]
    _asked, _, rest = page.partition("\n")

    assert (result.exit_code, result.stderr) == (0, "")
    assert len(rest.splitlines()) > 8
    assert english_in(re.sub(r"\S*[/@]\S*", " ", rest), "P-10417", "grey-jacket") == []
