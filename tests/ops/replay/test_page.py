"""The page of a coup: what it says, what it leaves unsaid, and that nothing runs into anything."""

import json
import re
from datetime import timedelta
from fractions import Fraction

import pytest
from msgspec.structs import replace
from pypdf import PdfReader

from domain.review.replay import Disagreement
from domain.rules.addresses import Coup
from domain.rules.hands import play
from domain.rules.house_rules import named
from domain.rules.money import Rounding
from domain.rules.settlement import Payment, pay
from ops.pack.pack import pack
from ops.pack.paper import paper
from ops.replay.page_words import computation, difference
from ops.replay.story import find
from ops.web.pages.coup import read as read_coup
from tests.acceptance.channels import shell
from tests.stories import read_back
from tests.worlds.gaming_table import BANKER_WINS, DAY, PLAYER_WINS, GamingTable

pytestmark = pytest.mark.usefixtures("held")

FIRST, SECOND, THIRD = (f"B01/{DAY}/1/{n}" for n in (1, 2, 3))
TWO = {"with": "S-11"}
SIGNS = "♠♥♦♣"
ON_COLLECTION = Rounding(mode="up", unit=1_00, moment="on-collection")


@pytest.fixture
def page(database, monkeypatch):
    """The lines that people read in a narrow terminal; in a wide one they have the same words."""

    def told(coup=FIRST, *words):
        said = {}
        for width in (120, 80):
            monkeypatch.setenv("COLUMNS", str(width))
            result = shell(database, "replay", coup, *words)
            assert all(len(line) <= width for line in result.stdout.splitlines())
            said[width] = result.output.splitlines()
        assert sorted(together(said[120]).split()) == sorted(together(said[80]).split())
        return said[80]

    return told


@pytest.fixture
def replay(database):
    """The same for programs."""
    return lambda coup=FIRST, *words: json.loads(
        shell(database, "replay", coup, *words, "--json").stdout
    )


def about(lines, words):
    """The one line that says so, its spaces drawn together."""
    (found,) = [" ".join(line.split()) for line in lines if words in line]
    return found


def together(lines):
    """The page without its columns."""
    return " ".join(" ".join(lines).split())


def events(told, part):
    return [each["event"] for each in told[part]]


def case(pit, command, **fields):
    """A line about a dispute, of a supervisor."""
    pit.moment += timedelta(seconds=1)
    line = {"command": f"dispute.{command}", "by": "S-11", "at": pit.moment.isoformat()}
    answer = pit.dispatcher.dispatch({**line, **fields})
    assert answer.ok, str(answer)


# Columns.
def test_a_rule_stands_apart_from_the_longest_words(pit, page):
    pit.bet(5, "player", 100_00)
    pit.bet(5, "dragon-player", 50_00)
    pit.deal("9C 4S KD 5H", settle=True)
    lines = page()

    assert "a natural 9 and Banker has a natural 9  R-DRAW-1" in "\n".join(lines)
    assert "Dragon Player 50.00 returned 50.00" in about(lines, "  Dragon Player   50.00  returned")


def test_before_a_card_there_is_no_line_for_cards(pit, page):
    pit.bet(3, "banker", 100_00)

    assert not any(line.startswith("Cards") for line in page())
    pit.say("draw", card="KC")
    assert any(line.startswith("Cards") for line in page())


def test_what_was_found_has_one_mark_and_its_place_beside_it(pit, page):
    pit.bet(3, "banker", 100_00)
    before = pit.moment.isoformat()
    pit.say("draw", card="KC")
    pit.say("bet", seat=1, spot="player", amount=50_00, late=True, at=before, **TWO)
    pit.deal("9S 2C QD", settle=True)
    lines = page()
    begun = "! 20:00:10.0 Entered late: seat 1 P-10411 has 50.00 on Player. By D-204"
    found = lines.index(next(each for each in lines if "Entered late:" in each))
    marks = [each for each in lines[found : found + 2] if re.search(r" #\d+$", each)]

    assert about(lines, "Entered late:").startswith(begun)
    assert len(marks) == 1
    assert about(lines, " s, entered late").startswith("seat 1 P-10411 Player")


def test_a_wager_that_was_entered_when_the_result_was_known_says_so_everywhere(pit, page, database):
    pit.bet(3, "banker", 100_00)
    before = pit.moment.isoformat()
    pit.deal("KC 9S 2C QD")
    pit.say("bet", seat=1, spot="player", amount=50_00, late=True, at=before, **TWO)

    assert about(page(), " s, entered after the result").startswith("seat 1 P-10411 Player")
    with database.session("sabot_auditor") as connection:
        made = pack(connection, find(connection, Coup.parse(FIRST)))
    told = paper(read_back(made))
    (wagers,) = [each for each in told.sections if each.title == "The wagers"]
    cells = {row.cells[1]: row.cells[5] for row in wagers.rows}
    assert cells["P-10411"].endswith(" s, entered after the result")
    assert "entered" not in cells["P-10417"]
    rows = {row.patron: row.entered for row in read_coup(database, FIRST, None, None).rows}
    assert rows == {"P-10411": "entered after the result", "P-10417": ""}


# Payments.
def test_rounding_of_a_commission_is_told_where_there_is_one(dispatcher, page):
    pit = GamingTable(dispatcher).open("dollar-up@1").prepare()
    pit.play(BANKER_WINS, (3, "banker", 25_00), (5, "banker", 100_00))
    lines = page()

    assert all(each in together(lines) for each in ("owes 2.00:", "5% = 1.25, rounded up 0.75"))
    assert "wins 1 to 1 = 100.00, owes 5.00 200.00" in about(lines, "seat 5    Banker")


def test_what_is_paid_up_is_told(dispatcher, page):
    pit = GamingTable(dispatcher).open("no-commission@1").prepare()
    pit.play("2C 6H 3C KD TC", (3, "banker", 25_00))

    assert "wins 1 to 2 = 12.50, paid up 0.50 38.00 R-PAY-4" in together(page())


def test_what_is_rounded_on_collection_is_not_known_at_payout():
    rules = named("classic@1")
    terms = replace(rules.commission, timing="deferred", rounding=ON_COLLECTION)
    rules = replace(rules, commission=terms)
    won = pay(rules, "banker", 25_00, play(BANKER_WINS.split()).result)

    assert computation(won, rules) == "wins 1 to 1 = 25.00, owes 5% = 1.25, rounded on collection"
    assert computation(won, rules, alone=True).endswith("owes 2.00: 5% = 1.25, rounded up 0.75")


# What the shoe says of a coup.
def test_what_the_shoe_noted_of_a_coup_is_told_among_its_exceptions_in_order(pit, page, replay):
    pit.bet(3, "banker", 100_00)
    pit.say("draw", card="KC")
    pit.say("shoe.discard", card="9D", reason="face-up")
    pit.ask("bet", seat=5, spot="player", amount=25_00)
    pit.deal("9S 2C QD")
    pit.ask("draw", card="3S")
    pit.say("shoe.misdraw", card="3S")
    pit.ask("settle", paid={"3": 1_00})
    pit.say("settle")
    pit.say("shoe.cut-card")
    told, lines = replay(), page()

    assert events(told, "exceptions") == [
        *("CardDiscarded", "LateBetRefused", "UndueCardRefused", "CardMisdrawn"),
        *("PaymentDisagreed", "CutCardShown"),
    ]
    assert about(lines, "9♦").startswith(
        "! 20:00:12.0 9♦ is discarded: it was face up in the shoe. #"
    )
    assert about(lines, "refused: the coup").startswith("! 20:00:17.0 3♠ was refused")
    assert about(lines, "came when none").startswith("! 20:00:18.0 3♠ came when none was due: it")
    shown = "20:00:21.0 The cut card shows, 406 cards left: coup 3 is the last."
    assert about(lines, "cut card").startswith(shown)
    assert told["agrees"]


def test_another_coup_does_not_tell_of_it(pit, replay):
    pit.play(BANKER_WINS, (3, "banker", 100_00))
    pit.say("shoe.misdraw", card="3S")
    pit.play("9C 6C KD", (3, "banker", 100_00))

    assert events(replay(FIRST), "exceptions") == ["CardMisdrawn"]
    assert events(replay(SECOND), "exceptions") == []


def test_the_cut_card_is_told_where_it_showed_and_by_the_last_coup(pit, replay):
    pit.play(BANKER_WINS, (3, "banker", 100_00))
    pit.bet(3, "banker", 100_00)
    pit.say("draw", card="KC")
    pit.say("shoe.cut-card")
    pit.deal("9S 2C QD", settle=True)
    pit.play(BANKER_WINS, (3, "banker", 100_00))

    assert [[], ["CutCardShown"], ["CutCardShown"]] == [
        events(replay(coup), "exceptions") for coup in (FIRST, SECOND, THIRD)
    ]


def test_the_cut_card_is_told_by_the_coup_that_became_the_last_too(pit, replay):
    """The one that would have been it was voided before its first card (R-SHOE-3)."""
    pit.bet(3, "banker", 100_00)
    pit.say("draw", card="KC")
    pit.say("shoe.cut-card")
    pit.deal("9S 2C QD", settle=True)
    pit.say("open")
    pit.say("void", coup=SECOND, reason="a slip", **{"with": "S-11"})
    pit.play(BANKER_WINS, (3, "banker", 100_00))

    assert events(replay(THIRD), "exceptions") == ["CutCardShown"]


def test_a_coup_past_the_cut_card_says_so(dispatcher, replay):
    pit = GamingTable(dispatcher).open().prepare(cut_card=411)
    pit.play(BANKER_WINS, (3, "banker", 100_00))
    pit.play(BANKER_WINS, (3, "banker", 100_00))

    assert events(replay(SECOND), "exceptions") == ["CutCardPassed"]


def test_until_a_card_nothing_of_the_shoe_is_told_that_came_later(pit, replay):
    pit.bet(3, "banker", 100_00)
    pit.deal("KC 9S")
    pit.say("shoe.discard", card="9D", reason="face-up")
    pit.deal("2C QD", settle=True)

    assert [[], ["CardDiscarded"]] == [
        events(replay(FIRST, "--until", until), "exceptions") for until in ("2", "3")
    ]


# Lines that differ.
@pytest.mark.parametrize(
    ("what", "recorded", "adjudicated", "said"),
    [
        ("staked and paid", [1000_00, 0], [1000_00, 2000_00],
         ("staked and paid", "1,000.00 and 0.00", "1,000.00 and 2,000.00")),
        ("seat 3 dragon-player: commission_charged", 0, 5_00,
         ("seat 3 Dragon Player: commission charged", "0.00", "5.00")),
        ("seat 3 banker: commission_exact", "0", "62.5",
         ("seat 3 Banker: commission exact", "0.00", "0.625")),
        ("seat 3 banker: commission_due", None, "deferred",
         ("seat 3 Banker: commission due", "nothing", "deferred")),
        ("seat 3: commission accrued in B01/2026-11-21/stay-2", None, "500",
         ("seat 3: commission accrued in B01/2026-11-21/stay-2", "nothing", "5.00")),
        ("seat 3: commission accrued in B01/2026-11-21/stay-2", "commission corrected",
         "commission accrued", ("seat 3: commission accrued in B01/2026-11-21/stay-2",
                                "commission corrected", "commission accrued")),
        ("natural", True, False, ("natural", "yes", "no")),
        ("Banker's total", 4, 3, ("Banker's total", "4", "3")),
        ("seat 3 banker: changes hands", -5_00, 0,
         ("seat 3 Banker: changes hands", "-5.00", "0.00")),
        ("outcome", None, "tie", ("outcome", "nothing", "tie")),
    ],
)  # fmt: skip
def test_a_line_that_differs_is_told_in_money_and_words(what, recorded, adjudicated, said):
    assert difference(Disagreement(what, recorded, adjudicated), "USD") == said


# A squeeze (R-DEAL-3).
@pytest.fixture
def squeeze(dispatcher):
    """Four cards lie face down: Player stands on 6, Banker draws."""
    pit = GamingTable(dispatcher).open("big-table@1").prepare()
    pit.bet(3, "player", 100_00)
    pit.bet(5, "banker", 200_00)
    pit.deal("9C 5S 7C QD")
    return pit


def test_who_was_given_a_hand_and_when_its_cards_were_turned(squeeze, page):
    squeeze.say("reveal", hand="player", n=3)
    squeeze.say("reveal", hand="player")
    squeeze.say("draw", card="9S")
    squeeze.say("reveal", hand="banker")
    squeeze.say("settle")
    lines = page()
    given, last = (about(lines, words) for words in ("hand to", "Player wins"))
    turned = [" ".join(line.split()[:-1]) for line in lines if " turns " in line]

    assert given.startswith("Player hand to seat 3, Banker hand to the dealer 20:00:12.0 R-DEAL-3")
    assert turned == [
        "the dealer turns Player 7♣: 7, 20:00:16.0 R-DEAL-3",
        "the dealer turns Player 9♣: 6, 20:00:17.0 R-DEAL-3",
        "the dealer turns Banker 5♠ Q♦: 5, 20:00:18.0 R-DEAL-3",
        "the dealer turns Banker 9♠: 4, 20:00:19.0 R-DEAL-3",
    ]
    back = about(lines, "gives the Player hand back")
    assert back.startswith("seat 3 gives the Player hand back, 20:00:16.0 R-DEAL-3 #")
    assert last.startswith("Player wins, 6 to 4")


def test_a_card_that_has_face_down_in_play_is_not_shown(squeeze, page):
    lines = page()

    assert not any(sign in together(lines) for sign in SIGNS)
    assert "4 ·· → Banker ·· ·· ·· ·· R-DEAL-1" in about(lines, " 4  ·· → Banker")
    assert "stands" not in together(lines)
    assert "draws" not in together(lines)


def test_only_what_was_turned_is_shown_and_no_outcome(squeeze, page, replay):
    squeeze.say("reveal", hand="player")
    squeeze.say("draw", card="9S")
    lines = page()
    told = replay()

    assert "5 ·· → Banker 9♣ 7♣ 6 5♠ Q♦ ··" in about(lines, " 5  ·· → Banker")
    assert not any(word in together(lines) for word in ("wins", "9♠"))
    assert ["9C", "5S", "7C", "QD", None] == [each["card"] for each in told["cards"]]
    assert [False] * 4 + [True] == [each["face_down"] for each in told["cards"]]
    assert (None, None, None) == tuple(
        told[name] for name in ("outcome", "player_total", "banker_total")
    )
    assert (told["phase"], told["agrees"]) == ("dealing", True)


def test_no_program_reads_a_card_that_has_face_down_either(squeeze, replay):
    told = replay()

    assert [(None, None, None)] * 4 == [
        (each["card"], each["player_total"], each["banker_total"]) for each in told["cards"]
    ]
    assert [{"hand": hand, "rule": "R-DEAL-1"} for hand in ("banker", "player", "banker")] == [
        each["due"] for each in told["cards"][:3]
    ]
    assert (None, []) == (told["cards"][3]["due"], told["steps"])


def test_a_moved_card_that_has_face_down_is_not_named(squeeze, page):
    squeeze.say("move-card", n=4, hand="banker")

    assert about(page(), "is moved").split(". #")[0].endswith("Card 4 is moved to Banker")


def test_nobody_asks_what_if_while_cards_lie_face_down(squeeze, page, database):
    why = "cards of the coup lie face down; ask when they are turned"
    asked = ("replay", FIRST, "--what-if", "void")

    assert why in together(page(FIRST, "--what-if", "void"))
    assert why in json.loads(shell(database, *asked, "--json").stdout)["message"]


@pytest.mark.parametrize("more", [(), ("--for", "P-10417"), ("--json",)], ids=str)
def test_no_pack_tells_a_card_that_has_face_down(squeeze, page, database, tmp_path, more):
    words = ("replay", FIRST, "--export", str(tmp_path / "coup"), *more)
    result = shell(database, *words)
    papers = list(tmp_path.iterdir())
    told = [textual(path) for path in papers]
    assert (result.exit_code, bool(papers)) == (0, True)
    assert "Cards are face down: the pack ends before them, at #" in result.stderr
    assert not [each for each in (*told, result.output) if re.search("7(C|♣)", each)]
    squeeze.deal("9S", settle=True)

    assert shell(database, *words).exit_code == 0
    assert [each for each in map(textual, tmp_path.iterdir()) if re.search("7(C|♣)", each)]


def textual(path):
    """What a file of a pack says."""
    if path.suffix == ".json":
        return path.read_text()
    return "".join(each.extract_text() for each in PdfReader(path).pages)


def test_a_case_of_a_coup_in_play_has_no_pack_while_cards_lie_face_down(squeeze):
    says = squeeze.dispatcher.dispatch
    now = {"at": squeeze.moment.isoformat(), "by": "S-11"}
    opened = {"coup": FIRST, "patron": "P-10417", "complaint": "not my bet"}
    assert says({"command": "dispute.open", **opened, **now}).ok
    refused = says({"command": "dispute.export", "case": "C-2026-0001", **now}).body

    assert (refused["error"], refused["rule"]) == ("CoupNotFinished", "R-DEAL-3")


@pytest.mark.parametrize("over", ["settle", "void"])
def test_when_the_coup_is_over_its_cards_may_be_seen(squeeze, page, over):
    if over == "settle":
        squeeze.deal("9S", settle=True)
    else:
        squeeze.say("void", coup=FIRST, reason="a card fell", **TWO)
    lines = page(FIRST, "--until", "4")

    assert "··" not in together(lines)
    assert "3 7♣ → Player 9♣ 7♣ 6 5♠ 5" in about(lines, " 3  7♣")


def test_of_a_record_that_differs_only_that_it_does_while_cards_lie_face_down(
    squeeze, page, superuser
):
    superuser.execute("ALTER TABLE ledger.event_rows DISABLE TRIGGER USER")
    superuser.execute(
        "UPDATE ledger.events SET state = convert_to(replace(convert_from(state, 'UTF8'),"
        " '\"QD\"', '\"9D\"'), 'UTF8') WHERE topic = 'coup.card-dealt'"
    )
    lines = page()

    assert "✗ 1 line differs. It is shown when the cards are turned." in lines
    assert "9D" not in together(lines)


# Disputes.
@pytest.fixture
def disputed(pit):
    """Two patrons dispute the first coup; one case is closed, days later."""
    pit.play(BANKER_WINS, (3, "banker", 100_00), (5, "player", 50_00))
    pit.play(PLAYER_WINS, (3, "banker", 100_00))
    mine = {"case": "C-2026-0001"}
    case(pit, "open", coup=FIRST, patron="P-10417", complaint="I was paid less", amount=500_00)
    case(pit, "open", coup=FIRST, patron="grey-jacket", complaint="it was mine", hold=True)
    case(pit, "open", coup=SECOND, patron="P-10417", complaint="once more", amount=1_00)
    case(pit, "note", **mine, text="the camera", evidence=[])
    case(pit, "decide", **mine, decision="stand", reason="the camera", **{"with": "PB-2"})
    case(pit, "tell", **mine)
    pit.moment += timedelta(days=10)
    case(pit, "notify", **mine, reference="2026/1182")
    case(pit, "close", **mine)
    return pit


def test_a_case_leaves_its_trace_on_the_coup(disputed, page, replay):
    told, lines = replay()["afterwards"], page()

    assert [(each["event"], each["case"][-1]) for each in told] == [
        ("DisputeOpened", "1"),
        ("DisputeOpened", "2"),
        ("Decided", "1"),
        ("PatronTold", "1"),
        ("RegulatorNotified", "1"),
        ("Closed", "1"),
    ]
    assert "C-2026-0001 is opened: P-10417: I was paid less. #" in about(lines, "I was paid less")
    assert "C-2026-0001 is decided, payment unchanged: the payment stands." in together(lines)
    assert about(lines, "0001 is closed").startswith("2026-12-01 20:00:")


def test_a_coup_that_was_voided_days_later_says_both_days(pit, page):
    pit.play(BANKER_WINS, (3, "banker", 100_00))
    pit.moment += timedelta(days=2)
    pit.say("void", coup=FIRST, reason="a card fell", **TWO)
    lines = page()

    moment = f"{pit.moment:%H:%M:%S}"
    assert f"opened 2026-11-21 20:00:10, voided {moment} on 2026-11-23" in lines
    assert about(lines, "coup is void").startswith(f"2026-11-23 {moment}.0 The coup is void")


def test_a_case_that_is_opened_in_a_later_year_is_found(dispatcher, replay):
    pit = GamingTable(dispatcher, "B02")
    pit.moment -= timedelta(days=365)
    pit.open(day="2025-11-21").prepare().play(BANKER_WINS, (3, "banker", 100_00))
    pit.moment += timedelta(days=365)
    coup = "B02/2025-11-21/1/1"
    case(pit, "open", coup=coup, patron="P-10417", complaint="I was paid less")

    assert [each["case"] for each in replay(coup)["afterwards"]] == ["C-2026-0001"]


def test_a_case_of_coup_12_is_none_of_coup_1(pit, replay):
    for suit in "CDHS" * 3:
        pit.play(f"K{suit} 9{suit} 2{suit} Q{suit}", (3, "banker", 100_00))
    case(pit, "open", coup=f"B01/{DAY}/1/12", patron="P-10417", complaint="I was paid less")

    assert replay(FIRST)["afterwards"] == []
    assert events(replay(f"B01/{DAY}/1/12"), "afterwards") == ["DisputeOpened"]


def test_as_of_a_moment_no_later_step_of_a_case_is_told(disputed, replay, database):
    with database.connect("sabot_auditor") as connection:
        decided = connection.execute(
            "SELECT recorded_at FROM ledger.events WHERE topic = 'dispute.decided'"
        ).fetchone()[0]
    then = replay(FIRST, "--as-of", decided.isoformat())

    assert events(then, "afterwards") == ["DisputeOpened", "DisputeOpened", "Decided"]


def test_a_patron_is_shown_no_case_of_another(disputed, page):
    theirs, mine = (together(page(FIRST, "--for", patron)) for patron in ("grey-jacket", "P-10417"))

    assert "C-2026-0001" not in theirs
    assert "C-2026-0002 is opened: grey-jacket: it was mine." in theirs
    assert "C-2026-0002" not in mine
    assert "C-2026-0001 is closed." in mine


def test_a_docket_that_somebody_altered_hides_a_case_and_breaks_nothing(
    disputed, replay, superuser
):
    superuser.execute("ALTER TABLE ledger.event_rows DISABLE TRIGGER USER")
    superuser.execute(
        "UPDATE ledger.events SET state = convert_to(replace(convert_from(state, 'UTF8'),"
        " 'C-2026-0001', 'C-26'), 'UTF8') WHERE topic = 'docket.case-entered'"
    )

    assert [each["case"] for each in replay()["afterwards"]] == ["C-2026-0002"]


def test_rounding_down_is_told_too():
    rules = named("classic@1")
    less = Payment("win", None, "1:1", 100_00, Fraction("500.5"), 5_00, "at-payout", 195_00)

    assert less.commission_exact == Fraction(1001, 2)
    assert computation(less, rules).endswith("less 5.00: 5% = 5.005, rounded down 0.005")


def test_commission_of_a_void_coup_that_was_withheld_at_the_payout_has_words(dispatcher, page):
    pit = GamingTable(dispatcher).open("classic@1").prepare()
    pit.play(BANKER_WINS, (3, "banker", 100_00))
    pit.say("void", coup=FIRST, reason="a torn card", **TWO)
    said = together(page())

    assert "what changes hands includes the 5.00 commission withheld at the payout." in said
    assert "CommissionRefunded" not in said
