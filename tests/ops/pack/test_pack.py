"""The pack of a coup: one JSON file and one PDF, which a stranger checks without this project."""

import hashlib
import io
import json
import re
import subprocess
import sys

import hypothesis
import msgspec
import pytest
from hypothesis import strategies as st
from msgspec import structs
from msgspec.structs import replace
from pypdf import PdfReader

from domain.aggregates import coup
from domain.rules.addresses import Coup
from domain.rules.hands import play
from domain.rules.settlement import pay
from ops.cli.pack import Pair, export
from ops.ledger.installed import label
from ops.ledger.reading import read_events, read_stream
from ops.pack.content import PackCase
from ops.pack.events import PACK_MADE
from ops.pack.pack import pack, patron_copy
from ops.pack.paper import paper
from ops.pack.printed import Chip, Row
from ops.replay.story import find
from ops.replay.what_if import ask
from ops.replay.what_if_answer import (
    AskedCard,
    LaterAnswer,
    LaterCoupAnswer,
    PatronTotal,
    SeatDifference,
    WhatIfAnswer,
    answer_of,
)
from tests import VERIFY, module_of
from tests.acceptance.channels import shell
from tests.stories import read_back
from tests.strategies import COUPS, RULES
from tests.worlds.gaming_table import BANKER_WINS, PLAYER_WINS, GamingTable, disputed, mouth_on
from tests.worlds.stranger import judged

pytestmark = pytest.mark.usefixtures("held")

COUP = "B01/2026-11-21/1/1"
SHOE = {"load": {"decks": 8}, "shuffle": {"method": "machine"}, "cut": {"seat": 3}}
CASE = {
    "case": "C-2026-0007",
    "coup": COUP,
    "patron": "grey-jacket",
    "complaint": "was paid once too little",
    "amount": 500_00,
    "opened_at": "2026-11-21T20:30:00+00:00",
    "opened_by": "S-11",
    "frozen_at": 48213,
    "agrees_then": False,
    "disagreements_then": ["seat 5 player: paid"],
    "notes": [
        {
            "at": "2026-11-21T20:31:00+00:00",
            "by": "SV-3",
            "text": "two stacks of 250",
            "evidence": [
                {
                    "camera": "CAM-14",
                    "at": "2026-11-21T20:14:05+00:00",
                    "ahead": -1500,
                    "by_record": "2026-11-21T20:14:06.500+00:00",
                },
                {
                    "camera": "CAM-15",
                    "at": "2026-11-21T20:14:07+00:00",
                    "ahead": 0,
                    "by_record": "2026-11-21T20:14:07+00:00",
                },
            ],
            "what_if": [],
        }
    ],
    "decisions": [
        {
            "at": "2026-11-21T20:40:00+00:00",
            "number": 1,
            "decision": "correct",
            "reason": "the camera shows it",
            "seat": 5,
            "spot": "player",
            "to": 100_00,
            "as_spot": None,
            "effect": "",
            "changes_hands": 50_00,
            "commission_changes": 0,
            "decided_by": "S-11",
            "approved_by": "PB-2",
            "approved_proved": None,
        }
    ],
    "informed": [],
    "notified": [],
    "held": [],
    "patron_told_at": "2026-11-22T08:00:00+00:00",
    "regulator_notified_at": None,
    "reference": None,
    "deadlines": [
        {"what": "patron answers", "due_at": "2026-11-28T20:40:00+00:00", "done_at": None}
    ],
    "status": "decided",
}
WHAT_IF = WhatIfAnswer(
    changes=["card 5 = KH"],
    rules="dragon-bonus@1",
    void=False,
    cards=[
        AskedCard(n, card, "player", "R-DEAL-1", None, None, None, None, False)
        for n, card in enumerate(["9C", "5S", "7C", "QD", "KH"], 1)
    ],
    steps=[],
    outcome="player",
    natural=False,
    player_total=6,
    banker_total=5,
    payments=[],
    recorded=None,
    difference=[SeatDifference(5, "grey-jacket", -100_00, 0, "0", -50_00, -50_00)],
    house=50_00,
    short=False,
    taken=[],
    left_over=[],
    then=None,
    later=None,
    notes=[],
)


@pytest.fixture
def packed(database):
    """The pack of a coup, as the auditor makes it."""

    def made(**beside):
        with database.connect("sabot_auditor") as connection:
            return pack(connection, find(connection, Coup.parse(COUP)), **beside)

    return made


def content(pack):
    return json.loads(pack.json)


def words(pack):
    pages = PdfReader(io.BytesIO(pack.pdf)).pages
    return " ".join(" ".join(page.extract_text() for page in pages).split())


def lines(told, title):
    (found,) = [each for each in told.sections if each.title == title]
    return [row.cells if isinstance(row, Row) else row.across for row in found.rows]


def test_the_same_record_makes_the_same_bytes(pit, packed):
    pit.play(PLAYER_WINS, (3, "banker", 100_00), (5, "player", 50_00))
    first = packed()
    pit.play(BANKER_WINS, (3, "banker", 200_00))  # another coup, which is none of its business
    second = packed()

    assert first == second
    assert content(first)["pdf_sha256"] == hashlib.sha256(first.pdf).hexdigest()
    assert first.position == content(first)["events"][-1]["position"]


def test_the_foot_names_the_program_that_made_it(pit, packed):
    pit.play(PLAYER_WINS, (3, "banker", 100_00))
    pages = PdfReader(io.BytesIO(packed().pdf)).pages

    assert all(f"{label()}." in " ".join(each.extract_text().split()) for each in pages)


def test_what_became_of_the_coup_makes_another_pack(pit, packed):
    pit.play(BANKER_WINS, (3, "banker", 100_00))
    before = packed()
    collected = pit.say("commission.collect", seat=3, amount=5_00).body["position"]

    assert before != packed()
    assert content(packed())["last_position"] == collected
    assert "P-10417 paid 5.00 commission, receipt" in words(packed())


def test_the_events_stand_whole_and_chained(pit, packed, database):
    pit.play(BANKER_WINS, (3, "banker", 100_00))
    told = content(packed())
    about = {each["about"] for each in told["events"]}
    own = [each for each in told["events"] if each["about"] == "coup"]
    with database.connect("sabot_auditor") as connection:
        recorded = read_stream(connection, coup.Coup.stream(Coup.parse(COUP)))

    assert {"coup", "shoe", "table day", "commission", "rule set", "property"} == about
    assert [each.hash.hex() for each in recorded] == [each["hash"] for each in own]
    assert [each.state.decode() for each in recorded] == [each["state"] for each in own]
    assert told["events"][0]["previous"] == "00" * 32
    assert (told["chain"]["good"], told["chain"]["broken"]) == (True, [])
    assert told["checkpoint"] is None


def test_the_shoe_tells_its_preparation_and_what_it_says_of_this_coup(pit, packed):
    pit.play(PLAYER_WINS, (3, "banker", 100_00))
    pit.play(BANKER_WINS, (3, "banker", 100_00))
    told = [each["event"] for each in content(packed())["events"] if each["about"] == "shoe"]

    assert ["ShoeLoaded", "Inspected", "Shuffled", "Cut", "Burned", "CoupBegun"] == told[:6]
    assert ["CardDrawn"] * 5 == told[6:]


def test_who_was_on_duty_is_told_by_number(pit, packed):
    pit.say("table.dealer", staff="D-300", **{"with": "S-11"})
    pit.play(PLAYER_WINS, (3, "banker", 100_00))
    pit.say("void", coup=COUP, reason="a card fell", **{"with": "PB-2"})
    duty = content(packed())["on_duty"]

    assert (duty["dealer"], duty["supervisor"]) == ("D-300", "S-11")
    assert [(each["staff"], each["before"]) for each in duty["reliefs"]] == [("D-300", "D-204")]
    assert [(each["staff"], each["as"]) for each in duty["spoke"]] == [
        ("D-204", "by"),
        ("PB-2", "with"),
    ]


def test_who_came_after_the_coup_has_nothing_to_do_with_it(pit, packed):
    pit.play(PLAYER_WINS, (3, "banker", 100_00))
    pit.say("table.dealer", staff="D-300", **{"with": "S-11"})
    told = content(packed())

    assert told["on_duty"]["reliefs"] == []
    assert "table-day.dealer-relieved" not in [each["topic"] for each in told["events"]]


def test_the_paper_says_what_happened(pit, packed):
    pit.play("2C 3D 3H QD 4S 9H", (3, "banker", 100_00), (5, "player", 50_00))
    said = words(packed())

    assert "Table B01, coup 1 of shoe 1" in said
    assert "Player wins, 9 to 2" in said
    assert "the record agrees, line by line. The chain of hashes is good." in said
    assert "Banker draws on 3: Player's third card counts 4" in said
    assert "wins 50.00 × 1 = 50.00; 50.00 + 50.00 = 100.00" in said
    assert "Seat 5 grey-jacket Player 50.00" in said
    assert all(suit in said for suit in "♣♦♥♠")
    assert content(packed())["chain"]["head"]["hash"] in said


@pytest.mark.parametrize(
    ("rules", "cards", "reckoned"),
    [
        ("dragon-bonus@1", BANKER_WINS,
         "wins 35.00 × 1 = 35.00, commission 1.75 is owed; 35.00 + 35.00 = 70.00 "
         "(R-PAY-1, R-COM-1)"),
        ("classic@1", BANKER_WINS,
         "wins 35.00 × 1 = 35.00, commission 1.75; 35.00 + 35.00 − 1.75 = 68.25 "
         "(R-PAY-1, R-COM-1)"),
        ("dollar-up@1", BANKER_WINS,
         "wins 35.00 × 1 = 35.00, commission 1.75, rounded 2.00, is owed; 35.00 + 35.00 = 70.00 "
         "(R-PAY-1, R-COM-1, R-COM-3)"),
        ("collected-up@1", BANKER_WINS,
         "wins 35.00 × 1 = 35.00, commission 1.75 is owed and rounded when it is collected; "
         "35.00 + 35.00 = 70.00 (R-PAY-1, R-COM-1, R-COM-3)"),
        ("electronic@1", BANKER_WINS,
         "wins 35.00 × 19 ÷ 20 = 33.25; 35.00 + 33.25 = 68.25 (R-PAY-1)"),
        ("dragon-bonus@1", "KH KS 7C 7D",
         "neither wins nor loses: the wager is returned (R-PAY-1)"),
        ("dragon-bonus@1", PLAYER_WINS, "loses (R-PAY-1)"),
    ],
)  # fmt: skip
def test_every_payment_is_reckoned_as_with_a_pencil(dispatcher, packed, rules, cards, reckoned):
    table = GamingTable(dispatcher).open(rules)
    for step in ("load", "inspect", "shuffle", "cut"):
        table.say(f"shoe.{step}", **SHOE.get(step, {}))
    table.ask("shoe.burn", card="3D")  # not every rule set has a burn
    table.play(cards, (3, "banker", 35_00))
    told = paper(read_back(packed()))

    assert [row[3] for row in lines(told, "The payments")] == [reckoned, ""]


def test_the_layout_shows_what_lay_and_what_won(pit, packed):
    pit.play(BANKER_WINS, (3, "banker", 1_000_00), (5, "player", 25_00), (5, "dragon-banker", 5_00))
    told = paper(read_back(packed())).layout
    wins = [spot.spot for row in told.rows for spot in row if spot.wins]
    wagers = {each.seat: each.wagers for each in told.seats if each.wagers}

    assert ["dragon-banker", "banker"] == wins
    assert wagers == {
        "3": {"banker": Chip("1,000", "wins")},
        "5": {"player": Chip("25", "loses"), "dragon-banker": Chip("5", "wins")},
    }
    assert [(hand.total, hand.wins) for hand in told.hands] == [("2", False), ("9", True)]


def test_a_coup_that_is_open_has_a_pack_too(pit, packed):
    pit.bet(3, "banker", 100_00)
    betting = packed()
    pit.deal("9C 5S 7C")

    assert "Bets are being taken" in words(betting)
    assert "Cards are due" in words(packed())


def test_a_case_and_what_was_asked_stand_in_it(pit, packed):
    pit.play(PLAYER_WINS, (5, "player", 50_00))
    made = packed(case=msgspec.convert(CASE, PackCase), what_if=[WHAT_IF])
    said = words(made)

    assert (content(made)["case"], read_back(made).what_if) == (CASE, [WHAT_IF])
    assert "Decision Seat 5, Player, is paid 100.00 in all. Reason: the camera shows it." in said
    assert "What if (1): card 5 = K♥" in said
    assert "9♣ 5♠ 7♣ Q♦ K♥: Player wins, 6 to 5." in said
    assert "Seat 5 grey-jacket −100.00 0.00 −50.00" in said
    assert (
        "Camera CAM-14, 20:14:06.500 by the record's clock (20:14:05.000 by its own, 1,500 ms "
        "behind it)"
    ) in said
    assert "Decided by S-11" in said


def test_what_the_shoe_noted_and_its_disputes_stand_in_it_with_their_events(pit, packed):
    pit.play(BANKER_WINS, (3, "banker", 100_00))
    pit.ask("draw", card="3S")
    pit.say("shoe.misdraw", card="3S")
    pit.say("shoe.cut-card")
    disputed(pit)
    made = content(packed())
    told = [*made["replay"]["exceptions"], *made["replay"]["afterwards"]]
    places = {each["position"]: each["event"] for each in made["events"]}

    assert [each["event"] for each in made["replay"]["exceptions"]] == [
        *("UndueCardRefused", "CardMisdrawn", "CutCardShown")
    ]
    assert {"DisputeOpened", "Decided", "Closed"} <= {each["event"] for each in told}
    assert all(places[each["position"]] == each["event"] for each in told)
    assert "grey-jacket about B01/2026-11-21/1/1: it was mine" in words(packed())


def test_who_cannot_name_the_last_card_is_told_so(pit, packed):
    pit.play(PLAYER_WINS, (5, "player", 50_00))
    short = structs.replace(WHAT_IF, outcome=None, difference=[], house=None, short=True)
    told = paper(read_back(packed(what_if=[short])))
    (asked,) = [each for each in told.sections if each.title.startswith("What if")]

    assert asked.note == "9♣ 5♠ 7♣ Q♦ K♥: a card is due that is not on record."
    assert asked.rows == []


def tamper(superuser, topic, before, after):
    """As somebody does who has the database and switched its triggers off."""
    superuser.execute("ALTER TABLE ledger.event_rows DISABLE TRIGGER ALL")
    superuser.execute(
        "UPDATE ledger.events SET state = convert_to(replace(convert_from(state, 'UTF8'), %s, %s),"
        " 'UTF8') WHERE topic = %s",
        (before, after, topic),
    )
    superuser.commit()


def test_what_was_tampered_with_stands_marked_on_the_paper(pit, packed, superuser):
    pit.play(BANKER_WINS, (3, "banker", 100_00), (5, "player", 50_00))
    tamper(superuser, "coup.wager-settled", '"paid":20000', '"paid":25000')
    made = packed()
    told, said = paper(read_back(made)), words(made)
    (payments,) = [each for each in told.sections if each.title == "The payments"]

    assert "THE RECORD DOES NOT AGREE. THE CHAIN OF HASHES IS BROKEN" in said
    assert told.verdict.lines[0] == ["seat 3 Banker: paid", "250.00", "200.00"]
    assert [row.wrong for row in payments.rows] == [True, False, False]
    assert len(content(made)["chain"]["broken"]) == 1


def test_a_record_without_its_beginning_is_a_pack_of_what_is_left(pit, packed, superuser):
    pit.play(BANKER_WINS, (3, "banker", 100_00))
    tamper(superuser, "coup.opened", '"coup"', '"koup"')
    made = packed()

    assert "The record of the coup cannot be read" in words(made)
    assert (content(made)["rules"], content(made)["layout"]) == (None, None)


# The stranger.
@pytest.fixture
def given(tmp_path, packed):
    """A pack as a stranger has it: two files."""

    def write(**beside):
        made = packed(**beside)
        (tmp_path / "coup.json").write_bytes(made.json)
        (tmp_path / "coup.pdf").write_bytes(made.pdf)
        return tmp_path / "coup.json"

    return write


@pytest.fixture(scope="module")
def banker_won(server):
    """The pack of a coup that paid seat 3 and took seat 5's wager; nobody adds to its ledger."""
    with server.database() as database, mouth_on(database) as dispatcher:
        pit = GamingTable(dispatcher).open().prepare()
        pit.play(BANKER_WINS, (3, "banker", 100_00), (5, "player", 50_00))
        with database.session("sabot_auditor") as connection:
            return pack(connection, find(connection, Coup.parse(COUP)))


@pytest.fixture
def file(banker_won, tmp_path):
    """It as a stranger has it."""
    (tmp_path / "coup.json").write_bytes(banker_won.json)
    (tmp_path / "coup.pdf").write_bytes(banker_won.pdf)
    return tmp_path / "coup.json"


def verify(file):
    """What the script says, with no library in reach."""
    return judged(file)


def wrong(said):
    return [line.removeprefix("WRONG  ") for line in said.stdout.splitlines() if "WRONG" in line]


def test_a_stranger_finds_a_good_pack_good(pit, given):
    pit.bet(3, "banker", 100_00)
    pit.bet(5, "player", 25_00)
    pit.say("withdraw", seat=5, spot="player")
    pit.bet(5, "dragon-banker", 5_00)
    pit.bet(1, "tie", 25_00)
    pit.deal("2C 3D 3H QD 4S 9H", settle=True)
    pit.say(
        "correct", coup=COUP, seat=3, spot="banker", to=50_00, reason="half", **{"with": "S-11"}
    )
    said = verify(given())

    assert (said.returncode, wrong(said), said.stderr) == (0, [], "")
    assert "ok     3 payments, computed again" in said.stdout
    assert "note   seat 3 banker: by the cards 0, decided 5000, in minor units" in said.stdout
    assert "All that was checked is as it should be." in said.stdout


@pytest.mark.parametrize(
    ("where", "before", "after", "found"),
    [
        ("coup.card-dealt", '"card":"QD"', '"card":"8D"', "the hash of each"),
        ("coup.wager-settled", '"paid":20000', '"paid":19500', "2 payments, computed again"),
        ("coup.wager-placed", '"amount":10000', '"amount":90000', "2 payments, computed again"),
        ("coup.resulted", '"banker"', '"player"', "the outcome"),
        ("rule-set.adopted", '1,1', '2,1', "it is on record"),
    ],
)  # fmt: skip
def test_a_stranger_finds_what_was_changed_in_the_file(file, where, before, after, found):
    told = json.loads(file.read_text())
    changed = next(e for e in told["events"] if e["topic"] == where and before in e["state"])
    changed["state"] = changed["state"].replace(before, after, 1)
    file.write_text(json.dumps(told))
    said = verify(file)

    assert said.returncode == 1
    assert any(line.startswith("the hash of each") for line in wrong(said))
    assert any(line.startswith(found) for line in wrong(said))


def test_a_stranger_finds_what_was_changed_before_the_pack_was_made(pit, given, superuser):
    pit.play(BANKER_WINS, (3, "banker", 100_00), (5, "player", 50_00))
    tamper(superuser, "coup.wager-settled", '"paid":20000', '"paid":25000')
    said = verify(given())

    assert said.returncode == 1
    assert "seat 3 banker: paid 25000, should be 20000" in said.stdout
    assert "the house's own adjudication agrees with its record" in wrong(said)


def test_a_stranger_finds_another_paper_and_an_event_left_out(file):
    file.with_suffix(".pdf").write_bytes(b"%PDF of something else")
    told = json.loads(file.read_text())
    told["events"] = [e for e in told["events"] if e["topic"] != "coup.betting-closed"]
    file.write_text(json.dumps(told))

    assert wrong(verify(file))[0] == "coup.pdf is that paper"
    assert any(line.endswith("without a gap") for line in wrong(verify(file)))


def test_a_stranger_is_told_that_a_file_is_no_pack(tmp_path):
    (tmp_path / "x.json").write_text("[1]")
    nothing = verify(tmp_path / "nothing.json")

    assert (verify(tmp_path / "x.json").returncode, nothing.returncode) == (2, 2)
    assert nothing.stderr.endswith("cannot be read: No such file or directory.\n")
    assert (
        subprocess.run([sys.executable, VERIFY], capture_output=True, check=False).returncode == 2
    )


# The command.
def test_replay_writes_both_files_and_says_where(settled, tmp_path):
    told = shell(settled, "replay", COUP, "--export", tmp_path / "one.json")
    first = (tmp_path / "one.json").read_bytes(), (tmp_path / "one.pdf").read_bytes()
    shell(settled, "replay", COUP, "--export", tmp_path / "one")

    assert told.exit_code == 0
    assert f"is in {tmp_path / 'one.json'} and {tmp_path / 'one.pdf'}." in told.stderr
    assert first == ((tmp_path / "one.json").read_bytes(), (tmp_path / "one.pdf").read_bytes())
    assert sorted(each.name for each in tmp_path.iterdir()) == ["one.json", "one.pdf"]


def test_as_of_a_moment_what_came_later_is_not_in_the_pack(database, pit, tmp_path):
    pit.play(BANKER_WINS, (3, "banker", 100_00))
    with database.connect("sabot_auditor") as connection:
        then = read_events(connection, 0, 1_000)[-1]
    pit.say("commission.collect", seat=3, amount=5_00)
    moment = then.recorded_at.isoformat()
    said = shell(database, "replay", COUP, "--as-of", moment, "--export", tmp_path / "one")
    told = json.loads((tmp_path / "one.json").read_text())

    assert said.exit_code == 0
    assert [then.position] == [told["last_position"]]
    assert told["replay"]["as_of"] == moment


@pytest.mark.parametrize("file", ["", "missing/one"])
def test_a_place_that_cannot_be_written_is_wrong_usage(settled, tmp_path, file):
    assert shell(settled, "replay", COUP, "--export", tmp_path / file).exit_code == 2


def test_half_a_pair_is_never_left(settled, tmp_path):
    (tmp_path / "one.pdf").mkdir()

    assert shell(settled, "replay", COUP, "--export", tmp_path / "one").exit_code == 2
    assert [each.name for each in tmp_path.iterdir()] == ["one.pdf"]


@pytest.mark.parametrize("part", [["--until", "3"], ["--step"]])
def test_a_pack_is_of_the_whole_coup(settled, tmp_path, part):
    assert shell(settled, "replay", COUP, *part, "--export", tmp_path / "one").exit_code == 2


@hypothesis.settings(max_examples=200, suppress_health_check=[hypothesis.HealthCheck.too_slow])
@hypothesis.given(rules=RULES, cards=COUPS, stake=st.integers(1, 10**7))
def test_the_stranger_pays_as_the_table_does(stranger, rules, cards, stake):
    result, terms = play(cards).result, json.loads(rules.stated)
    own = stranger.result_of(cards)

    assert (own["outcome"], own["natural"]) == (result.outcome, result.natural)
    for spot in terms["spots"]:
        paid, should = stranger.pay(terms, spot, stake, own), pay(rules, spot, stake, result)

        assert paid == {name: getattr(should, name) for name in stranger.PAYMENT}


def test_that_a_pack_was_made_is_no_part_of_the_next(pit, packed, database):
    pit.play(BANKER_WINS, (3, "banker", 100_00))
    opened = pit.say("table.seat", seat=7, patron="P-7").body["position"]
    with database.connect("sabot_auditor") as connection:
        (event,) = read_events(connection, opened - 1, 1)
    packs = [packed(case_events=[replace(event, topic=topic)]) for topic in ("a.b", PACK_MADE)]

    assert [each.position for each in packs] == [opened, packed().position]
    assert packs[1] == packed()


def test_later_coups_that_a_question_shifts_are_told_with_what_they_come_to(pit, packed):
    pit.play(PLAYER_WINS, (5, "player", 50_00))
    coup = LaterCoupAnswer(
        coup=None,
        dummy=True,
        void=False,
        recorded=None,
        outcome=None,
        player_total=None,
        banker_total=None,
        cards=[],
        difference=[],
        house=None,
        short=True,
    )
    totals = [PatronTotal(None, -300_00, -5_00, 0, -295_00)]
    later = LaterAnswer([coup, coup], None, False, totals, 295_00)
    told = paper(read_back(packed(what_if=[structs.replace(WHAT_IF, later=later)])))
    (asked,) = [each for each in told.sections if each.title.startswith("What if")]

    assert asked.note.endswith("It shifts 2 later coups of the shoe.")
    assert [row.cells for row in asked.rows[-2:]] == [
        ["With them", "–", "−300.00", "−5.00", "−295.00"],
        ["House, with them", "", "", "", "+295.00"],
    ]


@pytest.mark.parametrize(
    "topic",
    ["coup.wager-placed", "coup.betting-closed", "coup.card-dealt", "coup.resulted",
     "coup.wager-settled", "coup.settled", "shoe.shuffled", "table-day.opened",
     "commission-account.commission-accrued", "rule-set.adopted"],
)  # fmt: skip
def test_whatever_somebody_made_of_a_event_it_is_told(pit, packed, superuser, topic):
    pit.play(BANKER_WINS, (3, "banker", 100_00))
    superuser.execute("ALTER TABLE ledger.event_rows DISABLE TRIGGER ALL")
    for to in ("[]", '{"seat": []}', '{"at": "x", "seat": 3}', "nonsense"):
        sql = "UPDATE ledger.events SET state = convert_to(%s, 'UTF8') WHERE topic = %s"
        superuser.execute(sql, (to, topic))
        superuser.commit()

        assert content(packed())["chain"]["broken"]


def test_a_patrons_copy_names_nobody_else_and_has_no_reason(pit, database, tmp_path):
    pit.play(BANKER_WINS, (3, "banker", 100_00), (5, "player", 50_00))
    pit.say("void", coup=COUP, reason="P-10417 Jane Roe bet late", **{"with": "S-11"})
    with database.connect("sabot_auditor") as connection:
        found = find(connection, Coup.parse(COUP))
        pair = Pair.of(tmp_path / "copy")
        export(database, connection, found, pair, names={"grey-jacket"})
        again = patron_copy(connection, found.shown_to({"grey-jacket"}), {"grey-jacket"})
    said = " ".join(page.extract_text() for page in PdfReader(pair.pdf).pages)

    assert [each.name for each in tmp_path.iterdir()] == ["copy.pdf"]
    assert pair.pdf.read_bytes() == again
    assert "Patron's copy" in said
    assert "grey-jacket" in said
    assert "100.00" not in said
    assert "P-10417" not in said
    assert "Jane Roe" not in said


def test_a_void_coup_is_called_void_and_its_cards_are_told_small(pit, packed):
    pit.play(BANKER_WINS, (3, "banker", 100_00))
    pit.say("void", coup=COUP, reason="a card fell", **{"with": "S-11"})
    told = paper(read_back(packed()))

    assert told.called == "Void"
    assert told.phase == "Every wager was returned; the cards came to: Banker wins, 9 to 2"
    assert not any(spot.wins for row in told.layout.rows for spot in row)
    assert not any(hand.wins for hand in told.layout.hands)
    assert lines(told, "What is paid by decision") == [
        ["Seat 3", "P-10417", "Banker", "200.00", "100.00", "−100.00", "−5.00", "−95.00"],
        ["All", "", "", "", "", "−100.00", "−5.00", "−95.00"],
    ]


def test_what_is_decided_beyond_the_cards_is_said(pit, packed):
    pit.play(BANKER_WINS, (3, "banker", 100_00))
    words = {"reason": "a good patron", "with": "S-11"}
    pit.say("correct", coup=COUP, seat=3, spot="banker", to=205_00, **words)
    told = paper(read_back(packed()))

    assert told.verdict.words.endswith(
        "Two people decided against the cards: seat 3 Banker, by the cards 200.00, decided 205.00."
    )
    assert lines(told, "What is paid by decision")[-1][-3:] == ["+5.00", "+0.25", "+4.75"]


def test_the_shoe_is_told_from_its_loading(pit, packed):
    pit.play(BANKER_WINS, (3, "banker", 100_00))
    told = [row[1] for row in lines(paper(read_back(packed())), "The shoe")]

    assert told == [
        "Loaded: 8 decks",
        "Inspected, and verified by a person not named",
        "Shuffled: by machine; device SH-2",
        "Cut by seat 3; the cut card 14 from the back",
        "Burned: 3♦, and 3 face down",
    ]


def rehashed(told):
    """As a forger does who knows how a hash is made: only the head is another."""
    module = module_of(VERIFY)
    for before, each in zip([None, *told["events"]], told["events"], strict=False):
        if before and before["position"] + 1 == each["position"]:
            each["previous"] = before["hash"]
        each["hash"] = module.hash_of(each)
    last, own = told["events"][-1], [e for e in told["events"] if e["about"] == "coup"]
    told["chain"]["head"] = {"position": last["position"], "hash": last["hash"]}
    told["replay"]["proof"]["head"] = own[-1]["hash"]


@pytest.mark.parametrize(
    ("topic", "before", "after", "found"),
    [
        ("coup.card-dealt", '"card":"QD"', '"card":"QH"', "the same cards left the shoe"),
        ("shoe.card-drawn", '"card":"QD"', '"card":"QH"', "the same cards left the shoe"),
        ("commission-account.commission-accrued", '"charged":500', '"charged":1',
         "the commission that came onto the accounts"),
        ("coup.settled", '"paid":20000', '"paid":1', "2 payments, computed again"),
        ("coup.wager-settled", '"commission_exact":"500"', '"commission_exact":"1e999999999"',
         "the coup can be read"),
        ("coup.card-dealt", '"card":"QD"', '"card":"QX9"', "the coup can be read"),
        ("coup.wager-placed", '"seat":3', '"seat":3,"seat":4', "the coup can be read"),
    ],
)  # fmt: skip
def test_a_stranger_finds_events_that_contradict_each_other(file, topic, before, after, found):
    told = json.loads(file.read_text())
    changed = next(e for e in told["events"] if e["topic"] == topic and before in e["state"])
    changed["state"] = changed["state"].replace(before, after, 1)
    rehashed(told)
    file.write_text(json.dumps(told))
    said = verify(file)

    assert (said.returncode, said.stderr) == (1, "")
    assert found in wrong(said)


def test_a_event_is_read_from_the_bytes_that_are_hashed(file):
    told = json.loads(file.read_text())
    settled = next(e for e in told["events"] if e["topic"] == "coup.wager-settled")
    settled["state_hex"] = settled["state"].encode().hex()
    settled["state"] = settled["state"].replace('"paid":20000', '"paid":90000')
    file.write_text(json.dumps(told))

    assert verify(file).returncode == 2


def test_who_gives_the_paper_is_checked_by_the_file_beside_it(file):
    beside = verify(file.with_suffix(".pdf"))
    file.unlink()
    alone = verify(file.with_suffix(".pdf"))

    assert beside.returncode == 0
    assert beside.stdout.startswith("coup.pdf is the paper: checking coup.json")
    assert alone.returncode == 2
    assert alone.stderr.endswith("is the paper: give the .json that came with it.\n")


def test_a_paper_that_is_not_there_is_not_checked_and_not_wrong(file):
    file.with_suffix(".pdf").unlink()
    said = verify(file)

    assert said.returncode == 0
    assert "not checked: the paper: coup.pdf is not here" in said.stdout


@pytest.mark.parametrize("text", ["[" * 200_000, "{}", "\x00", '{"coup": "\\u001b[2J"}', "NaN"])
def test_whatever_the_file_is_no_traceback_leaves_the_script(tmp_path, text):
    (tmp_path / "x.json").write_text(text)
    said = verify(tmp_path / "x.json")

    assert said.returncode == 2
    assert "Traceback" not in said.stderr
    assert "\x1b" not in said.stdout + said.stderr


def test_a_pack_that_lacks_something_is_told_so_in_words(file):
    whole = json.loads(file.read_text())
    checked = whole.keys() - {"canonical_form"}  # which is for people
    lacking = [
        *({other: whole[other] for other in whole if other != name} for name in checked),
        {**whole, "events": [4, *whole["events"]]},
        {**whole, "chain": []},
    ]
    for each in lacking:
        file.write_text(json.dumps(each))
        said = verify(file)

        assert said.returncode in (1, 2), whole.keys() - each.keys()
        assert not re.search(r"[A-Z][a-z]+Error|Traceback", said.stdout + said.stderr)


def test_that_somebody_signed_it_is_nothing_that_a_stranger_believes(file):
    file.write_text(json.dumps({**json.loads(file.read_text()), "checkpoint": {"size": 1}}))
    said = verify(file)

    assert said.returncode == 1
    assert "WRONG  the checkpoint can be read" in said.stdout


@pytest.mark.parametrize(
    "rules",
    ["dragon-bonus@1", "classic@1", "dollar-up@1", "collected-up@1", "electronic@1", "big-table@1"],
)
def test_a_stranger_finds_a_coup_of_every_rule_set_good(
    dispatcher, packed, stranger, capsys, rules
):
    table = GamingTable(dispatcher).open(rules)
    for step in ("load", "inspect", "shuffle", "cut"):
        table.say(f"shoe.{step}", **SHOE.get(step, {}))
    table.ask("shoe.burn", card="3D")
    table.play(BANKER_WINS, (3, "banker", 135_00), (5, "banker", 100_00))
    table.ask("commission.collect", seat=3, amount=5_00)
    two = {"with": "S-11"}
    table.say("correct", coup=COUP, seat=5, spot="banker", to=100_00, reason="misread", **two)
    corrected = packed()
    table.say("void", coup=COUP, reason="a card fell", **two)

    for each in (corrected, packed()):
        wrong_in = stranger.verify(content(each), ("coup.pdf", each.pdf))
        assert wrong_in == 0, capsys.readouterr().out


def test_a_coup_after_a_roll_over_with_its_shoe_in_play_is_of_the_day_on_which_it_was_dealt(
    pit, packed, stranger, capsys
):
    pit.say("table.roll-over", closer={"10000": 200})
    pit.play(BANKER_WINS, (3, "banker", 135_00))
    told = content(packed())
    opened = next(each for each in told["events"] if each["topic"] == "coup.opened")

    assert stranger.verify(told, ("coup.pdf", packed().pdf)) == 0, capsys.readouterr().out
    for day in ("B02/2026-11-22", "B01/2026-11-20"):
        opened["state"] = opened["state"].replace("B01/2026-11-22", day)
        stranger.verify(told, ("coup.pdf", None))
        assert "WRONG  the day on which it was dealt" in capsys.readouterr().out
        opened["state"] = opened["state"].replace(day, "B01/2026-11-22")


def test_what_a_bet_would_have_been_paid_is_asked_on_the_spot_that_it_is_paid_as(
    pit, packed, database, stranger, capsys
):
    pit.play(PLAYER_WINS, (3, "player", 100_00), (5, "player", 50_00))
    as_banker = {"seat": 3, "spot": "player", "as": "banker", "reason": "misread"}
    pit.say("correct", coup=COUP, **as_banker, **{"with": "S-11"})
    with database.connect("sabot_auditor") as connection:
        record = find(connection, Coup.parse(COUP))
        nothing, other = (ask(connection, record, each) for each in ([], ["card 5 = 4H"]))
    made = packed(what_if=[answer_of(other)])

    assert {row.net for row in nothing.difference} == {0}
    assert {row.seat: row.paid for row in other.difference} == {3: 200_00, 5: -100_00}
    assert stranger.verify(content(made), ("coup.pdf", made.pdf)) == 0, capsys.readouterr().out


def test_a_payment_of_commission_that_was_put_right_is_told_at_its_own_place(
    pit, packed, stranger, capsys
):
    pit.play(BANKER_WINS, (3, "banker", 100_00))
    paid = pit.say("commission.collect", seat=3, amount=3_00).body["position"]
    right = pit.say(
        "money.correct", position=paid, amount=2_00, reason="misread", **{"with": "S-11"}
    )
    made = packed()
    lines = content(made)["replay"]["afterwards"]

    assert [each["position"] for each in lines] == [paid, right.body["position"]]
    assert stranger.verify(content(made), ("coup.pdf", made.pdf)) == 0, capsys.readouterr().out


def test_what_a_correction_left_open_with_somebody_who_left_is_told(pit, packed, stranger, capsys):
    pit.play(BANKER_WINS, (3, "banker", 100_00))
    pit.say("commission.collect", seat=3, amount=5_00)
    pit.say("table.leave", seat=3)
    pit.say("void", coup=COUP, reason="a torn card", **{"with": "S-11"})
    made = packed()
    after = [each["event"] for each in content(made)["replay"]["afterwards"]]

    assert after[-2:] == ["CommissionLeftOpen", "BetLeftOpen"]
    assert stranger.verify(content(made), ("coup.pdf", made.pdf)) == 0, capsys.readouterr().out
