"""R-DEAL-3, R-DEAL-5: what lies face down is on no display, in no answer and on no paper."""

import json

import pytest
from pypdf import PdfReader

from domain.rules.permissions import ROLES
from ops.handlers.dispatcher import Dispatcher
from projections import REPORTS
from tests.acceptance.channels import kinds, rows_of, shell
from tests.worlds.closed_house import EVERY_ROLE, ClosedHouse, number
from tests.worlds.devices import token_of
from tests.worlds.gaming_table import BANKER_WINS, DAY, GamingTable
from tests.worlds.stranger import judged

COUP = f"B01/{DAY}/1/1"
FOUR = "9C 5S 7C QD"  # Player stands on 6, Banker draws
UNSEEN = {"face_down": True}  # as a reading shoe says it
PLAYER, BANKER = (
    {"action": "reveal", "hand": hand, "rule": "R-DEAL-5"} for hand in ("player", "banker")
)


def read(pit, cards):
    """A reading shoe tells each card as it leaves the shoe; what each was answered."""
    return [pit.say("draw", card=card, **UNSEEN).body for card in cards.split()]


@pytest.fixture
def face_down(dispatcher):
    """A table whose dealer turns the cards; a bet lies, no card is out."""
    pit = GamingTable(dispatcher).open("dragon-bonus@1").prepare()
    pit.bet(3, "player", 100_00)
    return pit


def cards_in(told):
    return {card for card in FOUR.split() if card in json.dumps(told)}


def test_r_deal_5_no_answer_names_a_card_from_a_reading_shoe(face_down):
    answers = read(face_down, FOUR)

    assert set() == cards_in(answers)
    assert [PLAYER] == [answers[-1]["due"]]  # and not whether a third card is
    assert [None, None] == [
        event["card"]
        for event in answers[-1]["events"]
        if event["type"] in ("CardDrawn", "CardDealt")
    ]


def test_r_deal_5_an_answer_that_hid_a_card_is_the_same_when_the_card_is_turned(face_down):
    line = {"command": "draw", "table": "B01", "card": "9C", "id": "unseen", **UNSEEN}
    hidden = str(face_down.dispatcher.dispatch(line))
    read(face_down, "5S 7C QD")
    face_down.say("reveal", hand="player")

    assert hidden == str(face_down.dispatcher.dispatch(line))


def test_r_deal_5_the_dealer_turns_both_hands_the_player_s_first(face_down):
    read(face_down, FOUR)
    early = face_down.ask("reveal", hand="banker").body
    player = face_down.say("reveal", hand="player").body
    banker = face_down.say("reveal", hand="banker").body

    assert early["message"] == "Turn the Player hand first."
    assert [["9C", "7C"], ["5S", "QD"]] == [
        answer["events"][0]["cards"] for answer in (player, banker)
    ]
    assert (player["due"], banker["due"]) == (
        BANKER,
        {"action": "draw", "hand": "banker", "rule": "R-DRAW-3"},
    )


def test_r_deal_5_a_third_card_turns_both_hands_and_is_face_up(face_down):
    read(face_down, FOUR)
    third = face_down.say("draw", card="9S", **UNSEEN).body

    assert kinds(third) == ["HandTurned", "HandTurned", "CardDrawn", "CardDealt", "Resulted"]
    assert "9S" == third["events"][-2]["card"]


def test_r_deal_5_settling_turns_both_hands(face_down):
    read(face_down, BANKER_WINS)
    settled = face_down.say("settle").body

    assert kinds(settled)[:3] == ["HandTurned", "HandTurned", "Resulted"]
    assert ["dealer", "dealer"] == [event["by"] for event in settled["events"][:2]]


def test_r_deal_5_the_last_card_may_settle_at_once(face_down):
    read(face_down, "KC 9S 2C")
    settled = face_down.say("draw", card="QD", settle=True, **UNSEEN).body

    assert kinds(settled)[-1] == "Settled"
    assert "QD" == settled["events"][1]["card"]  # it was turned in the same act


def test_r_deal_5_a_card_that_is_not_due_turns_what_has_face_down(face_down):
    read(face_down, BANKER_WINS)
    refused = face_down.ask("draw", card="4H", **UNSEEN).body

    assert "CardNotDue" == refused["error"]
    assert kinds(refused) == ["HandTurned", "HandTurned", "Resulted", "UndueCardRefused"]


def test_r_deal_5_a_misdraw_is_refused_while_cards_are_face_down(face_down):
    read(face_down, FOUR)

    assert (
        "its cards are face down, so turn them"
        in face_down.ask("shoe.misdraw", card="4H").body["message"]
    )


def test_r_deal_5_cards_may_be_typed_when_they_are_turned(face_down):
    answers = [face_down.say("draw", card=card).body for card in FOUR.split()]

    assert set(FOUR.split()) == cards_in(answers)
    assert {"action": "draw", "hand": "banker", "rule": "R-DRAW-3"} == answers[-1]["due"]
    assert kinds(face_down.say("draw", card="9S", settle=True).body)[-1] == "Settled"


def test_r_deal_5_a_generated_shoe_names_no_card_before_it_is_turned(dispatcher):
    pit = GamingTable(dispatcher).open("dragon-bonus@1")
    pit.say("shoe.load", decks=8)
    pit.say("shoe.shuffle", method="generated")
    pit.say("shoe.burn")
    pit.bet(3, "player", 100_00)
    told = [pit.say("draw").body["events"] for _ in range(4)]

    assert {None} == {event["card"] for events in told for event in events if "card" in event}
    assert kinds(pit.say("reveal", hand="player").body) == ["HandTurned"]


def test_r_deal_5_the_cards_of_an_enrolled_reading_shoe_are_face_down(database):
    house = ClosedHouse(database, EVERY_ROLE)
    house.enrol("SH-1", "device")
    device = Dispatcher(house.casino, "feed", token=token_of("SH-1"))
    dealer, at = number("dealer"), {"table": "B01"}
    table = house.table(dealer, number("supervisor")).open().prepare()
    table.bet(3, "player", 100_00)
    named = {"by": dealer}
    told = [
        device.dispatch({"command": "draw", **at, "card": card, **by}).body["events"][-1]
        for card, by in (("9C", named), ("5S", {}))
    ]
    typed = house.ask(dealer, "draw", **at, card="7C")["events"][-1]

    assert "device" in ROLES
    assert [(None, True), (None, True), ("7C", False)] == [
        (event["card"], event["face_down"]) for event in (*told, typed)
    ]
    house.close()


def test_r_deal_3_a_moved_card_is_not_named_in_the_answer(dispatcher):
    pit = GamingTable(dispatcher).open("big-table@1").prepare()
    pit.bet(3, "player", 100_00)
    pit.deal("9C 5S")

    assert [None] == [
        event["card"] for event in pit.say("move-card", n=2, hand="banker").body["events"]
    ]


# Reports, roads, papers.
def test_no_report_shows_what_has_face_down(face_down, database):
    def coup():
        [row] = rows_of(database, "cards", "outcome", "phase", report=REPORTS["coup"])
        return [each["card"] for each in row[0]], row[1], row[2]

    read(face_down, BANKER_WINS)
    hidden = coup()
    printed = shell(database, "report", "coup").output
    face_down.say("reveal", hand="player")
    half = coup()
    face_down.say("reveal", hand="banker")

    assert ([None] * 4, None, "dealing") == hidden
    assert "▒▒ ▒▒ ▒▒ ▒▒" in printed
    assert (["KC", None, "2C", None], None, "dealing") == half
    assert (["KC", "9S", "2C", "QD"], "banker", "resulted") == coup()


def test_a_card_is_counted_when_it_is_turned(face_down, database):
    """Two looks at the shoe's cards, before and after one is drawn, do not tell which it is."""

    def counted():
        cards = rows_of(database, "card", "drawn", report=REPORTS["cards"])
        [shoe] = rows_of(database, "drawn", report=REPORTS["shoe-log"])
        return {card for card, drawn in cards if drawn}, shoe[0]

    read(face_down, FOUR)
    hidden = counted()
    face_down.say("reveal", hand="player")
    half = counted()
    face_down.say("draw", card="9S", **UNSEEN)

    assert (set(), 4) == hidden
    assert ({"9C", "7C"}, 4) == half
    assert ({*FOUR.split(), "9S"}, 5) == counted()


def test_no_road_shows_a_coup_whose_cards_are_face_down(face_down, database):
    read(face_down, BANKER_WINS)
    before = json.loads(shell(database, "road", f"B01/{DAY}/1", "--json").stdout)
    face_down.say("reveal", hand="player")
    face_down.say("reveal", hand="banker")
    after = json.loads(shell(database, "road", f"B01/{DAY}/1", "--json").stdout)

    assert (0, 1) == (before["coups"], after["coups"])


@pytest.mark.parametrize("rules", ["big-table@1", "dragon-bonus@1"])
def test_a_pack_made_during_play_ends_before_the_face_down_cards(
    dispatcher, database, tmp_path, rules
):
    pit = GamingTable(dispatcher).open(rules).prepare()
    pit.bet(3, "player", 100_00)
    pit.bet(5, "banker", 100_00)
    read(pit, FOUR)
    told = shell(database, "replay", COUP, "--export", tmp_path / "pack")
    written = (tmp_path / "pack.json").read_text()
    paper = "".join(page.extract_text() for page in PdfReader(tmp_path / "pack.pdf").pages)
    verified = judged(tmp_path / "pack.json")

    assert (0, 0) == (told.exit_code, verified.returncode), verified.stdout
    assert "Cards are face down: the pack ends before them, at #" in told.output
    assert not any(sign in written for sign in (*FOUR.split(), "9♣", "5♠", "7♣", "Q♦"))
    assert not any(sign in paper for sign in ("9♣", "5♠", "7♣", "Q♦"))


def test_the_pack_of_a_squeeze_shows_who_gave_a_hand_back_and_who_turned_it(
    dispatcher, database, tmp_path
):
    pit = GamingTable(dispatcher).open("big-table@1").prepare()
    pit.bet(3, "player", 100_00)
    pit.deal(FOUR)
    pit.deal("9S", settle=True)
    shell(database, "replay", COUP, "--export", tmp_path / "pack")
    story = json.loads((tmp_path / "pack.json").read_text())["replay"]
    paper = "".join(page.extract_text() for page in PdfReader(tmp_path / "pack.pdf").pages)
    verified = judged(tmp_path / "pack.json")

    assert 0 == verified.returncode, verified.stdout
    assert [("player", "seat 3")] == [
        (each["hand"], each["by"]) for each in story["hands_given_back"]
    ]
    assert [("player", [1, 3]), ("banker", [2, 4]), ("banker", [5])] == [
        (each["hand"], each["numbers"]) for each in story["turned"]
    ]
    assert "Seat 3 gives the Player hand back." in paper
    assert "The dealer turns Player 9♣ 7♣: 6." in paper


@pytest.mark.parametrize(
    ("rules", "says"),
    [
        ("dragon-bonus@1", "face down; the dealer turns them after the fourth card"),
        ("big-table@1", "the largest Player bettor looks and gives back, the dealer turns"),
        ("classic@1", "face up"),
    ],
)
def test_the_terms_say_how_cards_are_dealt_and_who_turns_them(database, rules, says):
    told = " ".join(shell(database, "rules", "show", rules).output.split())

    assert says in told
