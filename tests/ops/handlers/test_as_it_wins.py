"""R-COM-2: a stay may pay commission as it wins; each settlement collects it in the same act."""

from decimal import Decimal

import pytest

from domain.rules.addresses import Coup
from ops.now.follow import Follower
from ops.pack.pack import pack
from ops.replay.story import find
from ops.replay.what_if import ask as what_if
from ops.replay.what_if_answer import answer_of
from ops.reports.ask import ask
from ops.words.events import sentences
from projections import REPORTS
from tests.stories import as_dict
from tests.worlds.gaming_table import BANKER_WINS, DAY, GamingTable
from tests.worlds.stranger import judged

FIRST = f"B01/{DAY}/1/1"
STAY = f"B01/{DAY}/stay-2"
TWO = {"with": "S-11"}


@pytest.fixture
def pit(dispatcher):
    return GamingTable(dispatcher).open().prepare()


def at_once(pit, who=3, timing="as-it-wins"):
    whose = {"seat": who} if isinstance(who, int) else {"patron": who}
    return pit.say("commission.timing", **whose, timing=timing)


def events(answer, kind):
    return [each for each in answer.body["events"] if each["type"] == kind]


def story(database, coup=FIRST):
    with database.connect("sabot_auditor") as connection:
        return as_dict(find(connection, Coup.parse(coup)))


def proof(database):
    rows = ask(database, REPORTS["commission-proof"]).rows
    names = ("accrued", "collected", "outstanding", "difference")
    (row,) = [row for row in rows if row["key"] == "P-10417"]
    return tuple(int(Decimal(row[name])) for name in names)


def test_commission_as_it_wins_is_taken_from_the_payout_and_never_owed(pit, database):
    at_once(pit)
    paid = pit.play(BANKER_WINS, (3, "banker", 100_00), (5, "banker", 100_00))
    mine, theirs = events(paid, "WagerSettled")
    (accrued, others) = events(paid, "CommissionAccrued")
    (collected,) = events(paid, "CommissionCollected")

    assert (195_00, "at-payout", 5_00) == (
        *(mine[name] for name in ("paid", "commission_due", "commission_charged")),
    )
    assert (200_00, "deferred") == (theirs["paid"], theirs["commission_due"])
    assert (("at-payout", 5_00), ("deferred", 5_00)) == (
        *((each["due"], each["charged"]) for each in (accrued, others)),
    )
    assert (5_00, "at-payout", STAY) == (collected["amount"], collected["how"], collected["stay"])
    assert [STAY] == events(paid, "Settled")[0]["as_it_wins"]
    assert "OverCollected" == pit.ask("commission.collect", seat=3, amount=1).body["error"]
    pit.say("table.leave", seat=3)  # nothing is owed
    assert (5_00, 5_00, 0, 0) == proof(database)


def test_the_answer_says_what_commission_is_taken_from_the_payout(pit):
    chosen = at_once(pit)
    paid = pit.play(BANKER_WINS, (3, "banker", 100_00))
    words = list(sentences(paid.body["events"], "USD"))

    assert list(sentences(chosen.body["events"], "USD")) == [
        "P-10417 now pays commission as it wins: it is taken from each payout."
    ]
    assert "Seat 3 P-10417: Banker 100.00 wins, 195.00 with the bet." in words
    assert "P-10417: commission of 5.00 is taken from the payout." in words
    assert not [each for each in words if "paid 5.00" in each or "owes" in each]


def test_the_replay_shows_what_was_paid_and_agrees(pit, database):
    at_once(pit)
    pit.play(BANKER_WINS, (3, "banker", 100_00))
    told = story(database)
    (payment,) = told["payments"]

    assert (True, []) == (told["agrees"], told["disagreements"])
    assert (19500, 500, "at-payout") == (
        *(payment[name] for name in ("paid", "commission_charged", "commission_due")),
    )


def test_the_dealer_s_screen_shows_what_is_to_be_paid(pit, database):
    at_once(pit)
    pit.bet(3, "banker", 100_00)
    pit.deal(BANKER_WINS)
    with database.connect("sabot_app") as connection:
        now = Follower(connection, "B01").now
    (seat,) = [each for each in now.seats if each.seat == 3]

    assert (195_00, True) == (seat.paid, seat.as_it_wins)


def test_a_layout_that_reads_chips_states_the_payout_after_commission(pit):
    at_once(pit)
    pit.bet(3, "banker", 100_00)
    pit.deal(BANKER_WINS)

    assert "PaymentDisagrees" == pit.ask("settle", paid={"3": 200_00}).body["error"]
    assert pit.ask("settle", paid={"3": 195_00}).ok


def test_earlier_commission_stays_owed_and_timing_may_change_back(pit, database):
    pit.play(BANKER_WINS, (3, "banker", 100_00))
    at_once(pit)
    pit.play(BANKER_WINS, (3, "banker", 200_00))
    at_once(pit, timing="deferred")
    last = pit.play(BANKER_WINS, (3, "banker", 300_00))

    assert (30_00, 10_00, 20_00, 0) == proof(database)
    assert 600_00 == events(last, "WagerSettled")[0]["paid"]


def test_a_void_returns_the_amount_wagered_and_nothing_is_owed(pit, database):
    at_once(pit)
    pit.play(BANKER_WINS, (3, "banker", 100_00))
    voided = pit.say("void", coup=FIRST, reason="a torn card", **TWO)

    assert -95_00 == events(voided, "WagerReturned")[0]["changes_hands"]
    assert (0, 0, 0) == proof(database)[1:]
    assert story(database)["agrees"]


@pytest.mark.parametrize("what", ["owed", "waived", "collected"])
def test_a_void_does_not_change_commission_owed_or_waived_for_other_coups(pit, database, what):
    pit.play(BANKER_WINS, (3, "banker", 200_00))
    at_once(pit)
    pit.play(BANKER_WINS, (3, "banker", 100_00))
    if what == "waived":
        pit.say("commission.waive", seat=3, reason="a good guest", **TWO)
    elif what == "collected":
        pit.say("commission.collect", seat=3, amount=10_00)
    voided = pit.say("void", coup=f"B01/{DAY}/1/2", reason="a torn card", **TWO)
    collected, outstanding = (10_00 if what == each else 0 for each in ("collected", "owed"))

    assert ["CommissionRefunded", "CommissionCorrected"] == [
        each["type"] for each in voided.body["events"] if each["type"].startswith("Commission")
    ]
    assert (collected, outstanding, 0) == proof(database)[1:]


def test_a_later_collection_pays_only_the_coups_that_owed(pit, database):
    pit.play(BANKER_WINS, (3, "banker", 200_00))
    at_once(pit)
    pit.play(BANKER_WINS, (3, "banker", 100_00))
    pit.say("commission.collect", seat=3, amount=10_00)
    told = [story(database, f"B01/{DAY}/1/{number}")["afterwards"] for number in (1, 2)]

    assert [["CommissionCollected"], []] == [[each["event"] for each in one] for one in told]


def test_a_correction_follows_the_same_terms_whatever_was_chosen_since(pit, database):
    """Player was entered, and it lay on Banker; by then the stay pays later again."""
    at_once(pit)
    pit.play(BANKER_WINS, (3, "player", 100_00))
    at_once(pit, timing="deferred")
    right = pit.say(
        "correct", coup=FIRST, seat=3, spot="player", reason="camera", **{"as": "banker"}, **TWO
    )
    (corrected,) = events(right, "PaymentCorrected")

    assert (195_00, "at-payout") == (corrected["paid"], corrected["commission_due"])
    assert (5_00, 0, 0) == proof(database)[1:]
    assert story(database)["agrees"]


def test_the_tray_is_exact_at_the_end(pit):
    at_once(pit)
    pit.play(BANKER_WINS, (3, "banker", 100_00))
    pit.end_shoe()
    closed = events(pit.say("table.close", closer={"10000": 199, "500": 1}, **TWO), "TableClosed")

    assert [(-95_00, 0, 0)] == [
        (each["wagers_won"], each["commission"], each["variance"]) for each in closed
    ]


def test_commission_as_it_wins_continues_after_a_roll_over(pit):
    at_once(pit)
    pit.end_shoe()
    rolled = pit.say("table.roll-over", closer={"10000": 200}, **TWO)

    assert [("as-it-wins", "B01/2026-11-22/stay-2")] == [
        (each["timing"], each["stay"]) for each in events(rolled, "CommissionTimingChosen")
    ]


def test_the_timing_may_be_changed_for_a_named_patron(pit):
    (chosen,) = events(at_once(pit, "grey-jacket"), "CommissionTimingChosen")

    assert "grey-jacket" == chosen["patron"]


# fmt: off
REFUSED = [
    ("dragon-bonus@1", {"seat": 3, "timing": "deferred"},  "BadValue",     "already pays"),
    ("dragon-bonus@1", {"seat": 7, "timing": "as-it-wins"}, "SeatEmpty",   "eat 7"),
    ("dragon-bonus@1", {"timing": "as-it-wins"},           "MissingField", "seat or a patron"),
    ("dragon-bonus@1", {"patron": "P-9", "timing": "as-it-wins"}, "NotFound", "P-9"),
    ("dragon-bonus@1", {"seat": 3, "timing": "never"},     "BadValue",     "as-it-wins or def"),
    ("classic@1",      {"seat": 3, "timing": "as-it-wins"}, "BadValue",    "no commission is owed"),
    ("electronic@1",   {"seat": 3, "timing": "as-it-wins"}, "BadValue",    "no commission is owed"),
]
# fmt: on


@pytest.mark.parametrize(("rules", "fields", "error", "words"), REFUSED)
def test_a_timing_that_cannot_be_chosen_is_refused(dispatcher, rules, fields, error, words):
    answer = GamingTable(dispatcher).open(rules).ask("commission.timing", **fields).body

    assert (error, True) == (answer["error"], words in answer["message"])


def test_rounded_on_collection_each_win_is_rounded_by_itself(dispatcher, database):
    pit = GamingTable(dispatcher).open("collected-up@1").prepare()
    pit.play(BANKER_WINS, (3, "banker", 11_00))  # 0.55 is owed, and rounded with what follows
    at_once(pit)
    paid = pit.play(BANKER_WINS, (3, "banker", 11_00))
    at_once(pit, timing="deferred")
    pit.play(BANKER_WINS, (3, "banker", 11_00))  # 1.10 by now, which is 2.00

    assert (21_00, 1_00) == (
        *(events(paid, "WagerSettled")[0][name] for name in ("paid", "commission_charged")),
    )
    assert (1_00, 2_00, 0) == proof(database)[1:]
    assert all(story(database, f"B01/{DAY}/1/{n}")["agrees"] for n in (1, 2, 3))


def test_verify_pack_and_what_if_compute_the_same(pit, database, tmp_path):
    at_once(pit)
    pit.play(BANKER_WINS, (3, "banker", 100_00), (5, "banker", 100_00))
    with database.connect("sabot_auditor") as connection:
        found = find(connection, Coup.parse(FIRST))
        asked = answer_of(what_if(connection, found, ["bet 3 banker 200"]))
        made = pack(connection, found, what_if=[asked])
    (tmp_path / "coup.json").write_bytes(made.json)
    (tmp_path / "coup.pdf").write_bytes(made.pdf)
    checked = judged(tmp_path / "coup.json")

    assert [390_00, 200_00] == [each.paid for each in asked.payments]
    assert (0, []) == (
        checked.returncode,
        [line for line in checked.stdout.splitlines() if line.startswith("WRONG")],
    )
