"""R-IRR-5: what a patron says of a coup, at a table of the pit, from the complaint to the end."""

import json
from datetime import timedelta

import pytest

from domain.rules.addresses import Coup
from ops.commands.casino import Casino
from ops.handlers.dispatcher import Dispatcher
from ops.ledger.recorder import Ledger
from ops.replay.story import find
from tests.acceptance.channels import kinds, shell
from tests.stories import as_dict
from tests.worlds.closed_house import EVERY_ROLE, ClosedHouse, number
from tests.worlds.disputed_table import (
    CORRECT,
    COUP,
    FIRST,
    NEXT,
    SAYS,
    SECOND,
    STAND,
    TWO,
    VOID,
    DisputedTable,
)
from tests.worlds.gaming_table import BANKER_WINS, BEGINS, DAY, PLAYER_WINS, TIE

pytestmark = pytest.mark.usefixtures("held")

P_3 = "P-10417"


@pytest.fixture
def pit(dispatcher):
    """The table after a Banker win of seat 3's, and a Player wager of seat 5's that lost."""
    floor = DisputedTable(dispatcher).open().prepare()
    floor.play(BANKER_WINS, (3, "banker", 100_00), (5, "player", 500_00))
    return floor


@pytest.fixture
def replay(database):
    def told(coup=COUP):
        with database.connect("sabot_auditor") as connection:
            return as_dict(find(connection, Coup.parse(coup)))

    return told


def event(answer, kind):
    (found,) = [each for each in answer["events"] if each["type"] == kind]
    return found


def head(database):
    with database.connect("sabot_auditor") as connection:
        return connection.execute("SELECT max(position) FROM ledger.events").fetchone()[0]


# Opened.
def test_a_case_has_the_next_number_and_notes_the_record_as_it_is(pit, database):
    before = head(database)
    answer = pit.claims()
    opened = event(answer, "DisputeOpened")

    assert (answer["case"], kinds(answer)) == (
        FIRST,
        ["DocketOpened", "CaseEntered", "DisputeOpened"],
    )
    assert (opened["frozen_at"], opened["coup_version"]) == (before, 12)
    assert (opened["coup_phase"], opened["agrees"], opened["disagreements"]) == (
        *("settled", True),
        [],
    )
    assert opened["wagers"] == [{"seat": 3, "spot": "banker", "stake": 100_00, "paid": 200_00}]
    assert pit.claims()["case"] == SECOND


def test_two_patrons_may_claim_one_bet_and_each_has_their_own_case(pit):
    first, second = pit.claims(), pit.claims(patron="grey-jacket")

    assert (first["case"], second["case"]) == (FIRST, SECOND)
    pit.say("dispute.decide", **{**CORRECT, "to": 195_00})
    pit.say("dispute.decide", **{**STAND, "case": SECOND})


def test_a_bet_that_was_never_entered_may_be_claimed_by_a_patron_who_sat_there(pit):
    opened = event(pit.claims(patron="P-10411", complaint="my 100 on Tie"), "DisputeOpened")

    assert (opened["wagers"], opened["amount"]) == ([], None)


def test_a_patron_who_left_may_claim_and_under_their_identified_name(pit):
    pit.say("table.leave", seat=5)
    pit.say("patron.identify", patron="grey-jacket", **{"is": "P-55"})
    opened = event(pit.claims(patron="P-55"), "DisputeOpened")

    assert opened["patron"] == "P-55"
    assert [wager["stake"] for wager in opened["wagers"]] == [500_00]


def test_a_case_is_numbered_in_the_year_of_the_gaming_day_on_which_it_is_opened(pit, database):
    casino = Casino(Ledger(database), made_up=True)
    floor = DisputedTable(Dispatcher(casino, "test"))
    cases = [
        floor.claims(at=f"2027-01-01T{time}+00:00")["case"] for time in ("05:59:59", "06:00:00")
    ]
    casino.close()

    assert cases == ["C-2026-0001", "C-2027-0001"]


# fmt: off
NOT_OPENED = [
    # fields                            error       why
    ({"coup": NEXT},                    "NotFound", f"The ledger has no coup {NEXT}."),
    ({"coup": "the last one"},          "BadValue", "write table/day/shoe/coup"),
    ({"patron": "P-99"},                "NotFound", f"P-99 did not sit at B01/{DAY}."),
    ({"amount": 0},                     "BadValue", "amount cannot be 0"),
    ({"complaint": " "},                "BadValue", "write one line"),
]
# fmt: on


@pytest.mark.parametrize(("fields", "error", "why"), NOT_OPENED)
def test_an_invalid_case_is_refused_and_takes_no_number(pit, fields, error, why):
    refused = pit.ask("dispute.open", **{**SAYS, **fields}).body

    assert (refused["error"], why in refused["message"]) == (error, True), refused
    assert pit.claims()["case"] == FIRST


def test_a_complaint_that_cannot_be_printed_is_refused(pit, superuser, database):
    superuser.execute("ALTER TABLE ledger.event_rows DISABLE TRIGGER USER")
    superuser.execute(
        "UPDATE ledger.events SET state = "
        "convert_to(replace(convert_from(state, 'UTF8'), %s, %s), 'UTF8') "
        "WHERE topic = 'coup.wager-settled'",
        ('"patron":"P-10417"', r'"patron":"P\u0000\u001b"'),
    )
    (differing,) = event(pit.claims(), "DisputeOpened")["disagreements"]

    assert differing.isprintable()
    assert "x00" in differing
    assert shell(database, "report", "disputes", "--json").exit_code == 0


def test_a_case_notes_an_open_coup_and_a_void_one_as_they_are(pit):
    pit.bet(3, "banker", 50_00)
    pit.say("draw", card="KC")
    in_play = event(pit.claims(coup=NEXT), "DisputeOpened")
    pit.say("void", coup=NEXT, reason="a torn card", **TWO)
    voided = event(pit.claims(coup=NEXT), "DisputeOpened")

    assert (in_play["coup_phase"], in_play["amount"]) == ("dealing", 100_00)
    assert (voided["coup_phase"], voided["agrees"]) == ("voided", True)


def test_a_record_that_disagrees_with_the_rules_says_so_in_the_case(pit, superuser):
    superuser.execute(
        "ALTER TABLE ledger.event_rows DISABLE TRIGGER USER; "
        "UPDATE ledger.events SET state = replace(convert_from(state, 'UTF8'), "
        '\'"outcome":"banker"\', \'"outcome":"tie"\')::bytea WHERE topic = \'coup.resulted\''
    )
    opened = event(pit.claims(), "DisputeOpened")

    assert (opened["agrees"], opened["disagreements"]) == (
        False,
        ["outcome: tie on record, banker by today's rules"],
    )


def test_the_same_line_sent_again_is_the_same_case(pit):
    line = {**SAYS, "id": "k-1", "at": pit.moment.isoformat()}

    assert pit.say("dispute.open", **line).body == pit.say("dispute.open", **line).body
    assert pit.claims()["case"] == SECOND


def test_no_event_of_the_coup_is_missed_between_reading_it_and_opening_the_case(
    pit, database, another
):
    """Somebody corrects the payment while another process holds the coup as it was before."""
    other = another()
    late = DisputedTable(other)
    late.moment = pit.moment + timedelta(minutes=1)
    assert not late.ask("correct", coup=COUP, seat=9, spot="tie", reason="none", **TWO).ok
    pit.say("correct", coup=COUP, seat=3, spot="banker", to=150_00, reason="misread", **TWO)
    opened = event(late.claims(), "DisputeOpened")

    assert opened["coup_version"] == 13
    assert opened["wagers"][0]["paid"] == 150_00


# Held.
def test_a_held_table_deals_no_further_coup_until_it_is_released(pit):
    answer = pit.claims(hold=True)
    refused = [
        pit.ask("open").body,
        pit.ask("bet", seat=3, spot="banker", amount=100_00).body,
    ]

    assert kinds(answer)[-1] == "Held"
    assert answer["due"] == {"action": "dispute.decide", "rule": "R-IRR-5"}
    assert [each["error"] for each in refused] == ["TableHeld", "TableHeld"]
    assert refused[0]["message"].startswith(f"B01 is held by {FIRST}: ")
    released = pit.say("dispute.release", case=FIRST).body
    assert (kinds(released), released["due"]["action"]) == (["HoldReleased", "Released"], "bet")
    pit.play(TIE, (3, "banker", 100_00))


def test_a_coup_in_play_is_finished_at_a_held_table(pit):
    pit.bet(3, "banker", 50_00)
    pit.claims(hold=True)
    pit.bet(5, "player", 50_00)
    pit.deal(PLAYER_WINS, settle=True)

    assert pit.ask("open").body["error"] == "TableHeld"


def test_at_a_held_table_commission_leaving_shoe_end_and_close_are_possible(pit):
    pit.claims(hold=True)
    pit.say("commission.collect", seat=3, amount=5_00)
    pit.say("table.leave", seat=3)
    pit.end_shoe()
    pit.say("table.close", closer={"10000": 200}, **{"with": "S-11"})
    decided = pit.say("dispute.decide", **STAND).body

    assert kinds(decided) == ["Decided", "HoldReleased"]
    assert decided["due"] is None


def test_a_table_is_held_until_every_case_has_released_it(pit):
    pit.claims(hold=True)
    pit.claims(patron="grey-jacket", hold=True)
    pit.say("dispute.decide", **STAND)
    refused = pit.ask("open").body["message"]

    assert refused.startswith(f"B01 is held by {SECOND}: ")
    pit.say("dispute.release", case=SECOND)
    pit.say("open")


def test_a_table_that_is_rolled_over_stays_held(pit):
    pit.claims(hold=True)
    pit.say("commission.collect", seat=3, amount=5_00)
    pit.end_shoe()
    rolled = pit.say("table.roll-over", closer={"10000": 200}, **{"with": "S-11"}).body
    pit.prepare()

    assert "Held" in kinds(rolled)
    assert pit.ask("open").body["error"] == "TableHeld"
    assert kinds(pit.say("dispute.decide", **STAND).body) == ["Decided", "HoldReleased", "Released"]
    pit.say("open")


def test_a_table_that_is_closed_and_opened_again_stays_held(pit):
    pit.claims(hold=True)
    pit.say("commission.collect", seat=3, amount=5_00)
    pit.end_shoe()
    pit.say("table.close", closer={"10000": 200}, **{"with": "S-11"})
    again = pit.say("table.open", rules="dragon-bonus@1", opener={"10000": 200},
                    day="2026-11-22", **{"with": "S-11"}).body  # fmt: skip
    pit.say("table.seat", seat=3, patron=P_3)
    pit.prepare()

    assert "Held" in kinds(again)
    assert pit.ask("open").body["error"] == "TableHeld"
    pit.say("dispute.release", case=FIRST)
    pit.say("open")


def test_a_table_released_while_closed_is_not_held_again(pit):
    pit.claims(hold=True)
    pit.say("commission.collect", seat=3, amount=5_00)
    pit.end_shoe()
    pit.say("table.close", closer={"10000": 200}, **{"with": "S-11"})
    pit.say("dispute.decide", **STAND)
    again = pit.say("table.open", rules="dragon-bonus@1", opener={"10000": 200},
                    day="2026-11-22", **{"with": "S-11"}).body  # fmt: skip

    assert "Held" not in kinds(again)


def test_a_case_about_yesterday_s_coup_holds_the_rolled_over_table(pit):
    pit.say("commission.collect", seat=3, amount=5_00)
    pit.end_shoe()
    pit.say("table.roll-over", closer={"10000": 200}, **{"with": "S-11"})
    held = event(pit.claims(hold=True), "Held")
    pit.prepare()

    assert held["case"] == FIRST
    assert pit.ask("open").body["error"] == "TableHeld"


def test_a_closed_table_cannot_be_held(pit):
    pit.say("commission.collect", seat=3, amount=5_00)
    pit.end_shoe()
    pit.say("table.close", closer={"10000": 200}, **{"with": "S-11"})
    refused = pit.ask("dispute.open", **SAYS, hold=True).body

    assert (refused["error"], "is closed, so there is nothing to hold" in refused["message"]) == (
        "BadValue",
        True,
    )
    assert pit.claims()["case"] == FIRST


def test_a_dummy_coup_waits_at_a_held_table_until_it_is_opened(pit):
    pit.claims(hold=True)
    waiting = pit.say("shoe.misdraw", card="4H", disposition="dummy").body

    assert (kinds(waiting), waiting["due"]["action"]) == (["CardMisdrawn"], "dispute.decide")
    assert pit.say("dispute.decide", **STAND).body["due"] == {"action": "open", "rule": "R-IRR-1"}
    assert "CarriedCardDealt" in kinds(pit.say("open").body)


def test_a_case_may_hold_its_table_later(pit):
    pit.claims()
    held = pit.say("dispute.hold", case=FIRST, by="PB-2").body

    assert (kinds(held), held["due"]["action"]) == (["HoldPlaced", "Held"], "dispute.decide")
    assert pit.ask("open").body["error"] == "TableHeld"
    assert kinds(pit.say("dispute.decide", **STAND).body) == ["Decided", "HoldReleased", "Released"]
    pit.say("open")


def test_a_closed_table_cannot_be_held_later_either(pit):
    pit.claims()
    pit.say("commission.collect", seat=3, amount=5_00)
    pit.end_shoe()
    pit.say("table.close", closer={"10000": 200}, **{"with": "S-11"})
    refused = pit.ask("dispute.hold", case=FIRST).body

    assert "is closed, so there is nothing to hold" in refused["message"]


# Decided.
def test_a_decision_to_correct_is_carried_out_at_once_and_names_the_case(pit, replay):
    pit.claims(hold=True)
    answer = pit.say("dispute.decide", **CORRECT, to=150_00).body
    corrected = event(answer, "PaymentCorrected")

    assert kinds(answer) == [
        *("PaymentCorrected", "CommissionCorrected", "Decided", "HoldReleased", "Released"),
    ]
    assert (corrected["paid"], corrected["reason"]) == (150_00, f"{FIRST}: the camera")
    assert (corrected["requested_by"], corrected["approved_by"]) == ("S-11", "PB-2")
    assert event(answer, "Decided")["changes_hands"] == corrected["changes_hands"] == -50_00
    assert replay()["agrees"]


def test_a_decision_to_void_returns_every_wager_at_once(pit, replay):
    pit.claims()
    answer = pit.say("dispute.decide", **VOID).body

    assert kinds(answer) == [
        *("WagerReturned", "WagerReturned", "Voided", "CommissionCorrected", "Decided"),
    ]
    assert event(answer, "Voided")["reason"] == f"{FIRST}: the camera"
    assert (replay()["phase"], replay()["agrees"]) == ("voided", True)


def test_a_case_may_be_decided_again_for_another_seat_or_by_the_regulator(pit):
    pit.claims()
    pit.say("dispute.decide", **CORRECT, to=150_00)
    pit.say("dispute.decide", **{**CORRECT, "seat": 5, "spot": "player", "to": 500_00})
    back = pit.say("dispute.decide", **CORRECT).body
    last = event(back, "Decided")

    assert (last["number"], last["changes_hands"], last["to"]) == (3, 50_00, None)
    assert event(back, "PaymentCorrected")["paid"] == 200_00


# fmt: off
NOT_DECIDED = [
    # fields                                             error
    ({**CORRECT, "to": 200_00},                          "BadValue"),           # so it was paid
    ({**STAND, "stake": 50_00},                          "BadValue"),
    ({**CORRECT, "stake": 100_00},                       "BadValue"),           # so it lay there
    ({**CORRECT, "seat": 9},                             "NotFound"),
    ({**CORRECT, "spot": None},                          "MissingField"),
    ({**STAND, "to": 5},                                 "BadValue"),
    ({**VOID, "with": "S-11"},                           "SecondPersonNeeded"),
    ({**VOID, "with": None},                             "SecondPersonNeeded"),
    ({**STAND, "with": "S-11"},                          "SecondPersonNeeded"),
    ({**STAND, "decision": "split"},                     "BadValue"),
    ({**STAND, "case": SECOND},                          "NotFound"),
    ({**STAND, "case": "the first"},                     "BadValue"),
]
# fmt: on


@pytest.mark.parametrize(("fields", "error"), NOT_DECIDED)
def test_a_refused_decision_records_nothing_and_keeps_the_hold(pit, database, fields, error):
    pit.claims(hold=True)
    before = head(database)
    said = {name: value for name, value in fields.items() if value is not None}
    refused = pit.ask("dispute.decide", **said).body

    assert (refused["error"], "events" in refused) == (error, False), refused
    assert head(database) == before
    assert pit.ask("open").body["error"] == "TableHeld"
    pit.say("dispute.decide", **STAND)


def test_for_a_void_coup_the_only_decision_is_to_stand(pit, database):
    pit.claims()
    pit.say("void", coup=COUP, reason="a torn card", **TWO)
    before = head(database)
    refused = [pit.ask("dispute.decide", **each).body["error"] for each in (VOID, CORRECT)]

    assert (refused, head(database)) == (["CoupOver", "CoupOver"], before)
    assert kinds(pit.say("dispute.decide", **STAND).body) == ["Decided"]


def test_an_open_coup_is_voided_but_not_corrected(pit):
    pit.bet(3, "banker", 50_00)
    pit.say("draw", card="KC")
    pit.claims(coup=NEXT)

    assert pit.ask("dispute.decide", **CORRECT).body["error"] == "CoupNotFinished"
    assert event(pit.say("dispute.decide", **VOID).body, "Voided")["phase"] == "dealing"


def test_a_case_may_be_decided_while_the_next_coup_is_dealt(pit, replay):
    pit.claims()
    pit.bet(3, "banker", 50_00)
    pit.say("draw", card="9C")
    answer = pit.say("dispute.decide", **VOID).body
    pit.deal("5S 7C QD 9S", settle=True)

    assert (answer["coup"], answer["due"]["action"]) == (NEXT, "draw")
    assert replay(NEXT)["agrees"]


@pytest.mark.parametrize("rolled", [False, True])
def test_after_the_close_a_decision_is_paid_from_the_next_tray_or_left_open(pit, rolled):
    pit.say("commission.collect", seat=3, amount=5_00)
    pit.end_shoe()
    how = "table.roll-over" if rolled else "table.close"
    pit.say(how, closer={"10000": 200}, **{"with": "S-11"})
    pit.claims()
    answer = pit.say("dispute.decide", **CORRECT, to=150_00).body

    kinds = [each["type"] for each in answer["events"]]
    assert ("EarlierCoupPutRight" in kinds, "BetLeftOpen" in kinds) == (rolled, not rolled)
    assert event(answer, "Decided")["changes_hands"] == -50_00


# To the end.
def test_a_case_ends_after_the_patron_is_informed_the_regulator_notified_and_it_is_closed(pit):
    pit.say("property.set", name="regulator", value="singapore")
    assert event(pit.claims(), "DisputeOpened")["notify_by"]
    missing = []
    for step, fields in (
        ("dispute.decide", STAND),
        ("dispute.tell", {"case": FIRST}),
        ("dispute.notify", {"case": FIRST, "reference": "2026/1182"}),
    ):
        missing.append(pit.ask("dispute.close", case=FIRST).body["message"].partition(". ")[2])
        answer = pit.say(step, **fields).body
        if step == "dispute.tell":
            until = event(answer, "PatronTold")["until"]
    closed = pit.say("dispute.close", case=FIRST).body

    assert missing == [
        "Decide it first, with `dispute decide`.",
        "Inform the patron of the decision, with `dispute tell`.",
        "Notify the regulator, with `dispute notify`.",
    ]
    assert until == (pit.moment + timedelta(days=7, seconds=-3)).isoformat()
    assert kinds(closed) == ["Closed"]
    for step, fields in (
        ("dispute.decide", VOID),
        ("dispute.note", {"case": FIRST, "text": "one thing more"}),
        ("dispute.release", {"case": FIRST}),
        ("dispute.close", {"case": FIRST}),
    ):
        assert pit.ask(step, **fields).body["error"] == "CaseClosed"
    assert pit.claims()["case"] == SECOND


def test_a_note_has_camera_evidence(pit):
    pit.claims()
    seen = {"camera": "CAM-14", "at": BEGINS.isoformat(), "ahead": -250}
    (told,) = event(pit.say("dispute.note", case=FIRST, text="see", evidence=[seen]).body, "Noted")[
        "evidence"
    ]

    assert told == {**seen, "by_record": "2026-11-21T20:00:00.250+00:00"}


# fmt: off
NO_EVIDENCE = [
    {"camera": "CAM-14"},
    {"at": BEGINS.isoformat()},
    {"camera": "CAM-14", "at": "20:14"},
    {"camera": "CAM-14", "at": "2026-11-21T20:14:05"},
    {"camera": "CAM-14", "at": "0001-01-01T00:00:00+00:00", "ahead": 1},
    {"camera": "CAM-14", "at": "9999-12-31T23:59:59-14:00", "ahead": -1},
    {"camera": "CAM-14", "at": BEGINS.isoformat(), "ahead": 86_400_001},
    {"camera": "CAM-14", "at": BEGINS.isoformat(), "ahead": 1.5},
    {"camera": "CAM-14", "at": BEGINS.isoformat(), "behind": 5},
    "CAM-14",
]
# fmt: on


@pytest.mark.parametrize("seen", NO_EVIDENCE)
def test_evidence_without_a_possible_moment_is_refused(pit, seen):
    pit.claims()
    refused = pit.ask("dispute.note", case=FIRST, text="see", evidence=[seen]).body

    assert (refused["error"], refused["message"].split()[0]) == ("BadValue", "evidence")


SPEAK = "type camera, date and time, then how many milliseconds the camera's clock"

# fmt: off
SPOKEN = [
    # at the shell                                        is
    ("CAM-14 2026-11-21T20:14:05+00:00 +1500", "CAM-14 at 2026-11-21 20:14:03.500 +00:00"),
    ("CAM-14 2026-11-21T20:14:05+00:00 -1500", "CAM-14 at 2026-11-21 20:14:06.500 +00:00"),
    ("CAM-14 2026-11-21T20:14:05+00:00", "CAM-14 at 2026-11-21 20:14:05 +00:00"),
    ("Pit 2 left 2026-11-21T20:14:05+00:00 20", "Pit 2 left at 2026-11-21 20:14:04.980 +00:00"),
    ("CAM-14 2026-11-21T15:14:05", "CAM-14 at 2026-11-21 15:14:05 -05:00"),
]
# fmt: on


@pytest.mark.parametrize(("spoken", "told"), SPOKEN)
def test_at_the_shell_evidence_is_camera_moment_and_clock_difference(pit, database, spoken, told):
    pit.claims()
    pit.say("property.set", name="zone", value="America/New_York")
    words = "dispute", "note", FIRST, "see", "--evidence", spoken, "--by", "V-2"
    result = shell(database, *words)
    for wrong in ("CAM-14 at eight", "CAM-14 2026-11-21T25:14:05", "CAM-14 20:14:05 +1500"):
        refused = shell(database, *words[:5], wrong)
        assert (refused.exit_code, SPEAK in refused.stderr) == (1, True), refused.stderr

    assert (result.exit_code, result.stderr) == (0, "")
    assert f"Noted in {FIRST}: see; {told}" in result.stdout


@pytest.mark.parametrize(
    ("zone", "until"),
    [("Europe/Vienna", "2026-11-21 21:48 +01:00"), ("America/New_York", "2026-11-21 15:48 -05:00")],
)
def test_opening_a_case_shows_the_regulator_s_deadline(pit, database, zone, until):
    pit.say("property.set", name="regulator", value="nevada")
    pit.say("property.set", name="zone", value=zone)
    at = (BEGINS + timedelta(minutes=18)).isoformat()
    said = ("dispute", "open", COUP, P_3, "not paid", "--by", "S-11", "--at", at)
    opened = shell(database, *said, "--amount", "500")
    less = shell(database, *said, "--amount", "499")

    assert f" Notify the regulator by {until}." in opened.stdout
    assert "regulator" not in less.stdout


def test_the_shell_shows_what_a_case_is_about_and_whether_the_record_agrees(
    pit, database, superuser
):
    at = "--at", (pit.moment + timedelta(minutes=1)).isoformat()
    opens = "dispute", "open", COUP, P_3, "not paid", *at
    before = head(database)
    first = shell(database, *opens).stdout
    pit.moment += timedelta(minutes=2)
    pit.say("dispute.decide", **STAND)
    position = head(database)
    superuser.execute(
        "ALTER TABLE ledger.event_rows DISABLE TRIGGER USER; "
        "UPDATE ledger.events SET state = replace(convert_from(state, 'UTF8'), "
        '\'"outcome":"banker"\', \'"outcome":"tie"\')::bytea WHERE topic = \'coup.resulted\''
    )
    second = shell(database, *opens, "--amount", "75").stdout
    nobody_s = shell(database, "dispute", "open", COUP, "P-10411", "mine", *at).stdout

    assert (
        ": not paid. Up to 200.00 is in dispute. The record of the coup is saved as of "
        f"#{before}. It agrees with the rules.\n"
    ) in first
    assert (
        f" 75.00 is in dispute. ! The record of the coup, saved as of #{position}, differs "
        "from the rules: outcome: tie"
    ) in second
    assert second.partition("\n")[0].endswith(f"The coup was disputed before: {FIRST} (decided).")
    assert " The amount in dispute is not known. " in nobody_s
    assert f"before: {FIRST} (decided), {SECOND} (open).\n" in nobody_s


def test_the_shell_shows_which_decision_is_replaced_and_the_deadline_to_inform_the_patron(
    pit, database
):
    pit.claims()
    decide = "dispute", "decide", FIRST
    two = "the camera", "--by", "S-11", "--with", "PB-2"
    at = "--at", (BEGINS + timedelta(minutes=5)).isoformat()
    shell(database, *decide, "stand", *two, *at)
    wager = "--seat", "3", "--spot", "banker", "--to", "150"
    again = shell(database, *decide, "correct", *two, *wager, *at)

    assert (
        f"{FIRST} is decided, payment corrected: instead of decision 1, seat 3 Banker "
        "is paid 150.00 in all, not 200.00; 2.50 less commission. "
        "Inform the patron by 2026-11-21 20:35 +00:00. Reason: the camera\n"
    ) in again.stdout


def test_help_lists_the_possible_decisions(database):
    told = " ".join(shell(database, "dispute", "decide", "--help").stdout.split())

    for words in ("stand the payments stay", "correct the wager of --seat", "void every wager"):
        assert words in told


# What was asked.
def test_a_note_keeps_a_what_if_question(pit, database):
    pit.claims()
    asked = ["card 4 = 9H", "bet 3 banker 200"]
    words = [word for each in asked for word in ("--what-if", each)]
    spoken = shell(database, "dispute", "note", FIRST, "another card", *words, "--json")

    assert event(json.loads(spoken.stdout), "Noted")["what_if"] == asked
    assert f"another card. What if: {', '.join(asked)}.\n" in (
        shell(database, "dispute", "note", FIRST, "another card", *words).stdout
    )
    nothing = pit.say("dispute.note", case=FIRST, text="nothing asked").body
    assert event(nothing, "Noted")["what_if"] == []


# fmt: off
SENSELESS = [
    # what if                                why
    (["card 9 = KH"],                        "no card 9"),
    (["card 5 = KH"],                        "card 5"),       # a natural: there is none
    (["the dealer erred"],                   "begin with one of card, draw, "),
    (["card 4 = 9H", "card 4 = 8H"],         "another change is about"),
    ([5],                                    "what_if"),
    (["void"] * 25,                          "up to 24"),
]
# fmt: on


@pytest.mark.parametrize(("asked", "why"), SENSELESS)
def test_a_what_if_that_cannot_be_answered_is_refused(pit, asked, why):
    pit.claims()
    refused = pit.ask("dispute.note", case=FIRST, text="see", what_if=asked).body

    assert (refused["error"], why in refused["message"]) == ("BadValue", True), refused


# The regulator.
# fmt: off
TERMS = [
    ("nevada", "The regulator is now nevada; it was none. It is notified of disputes from "
               "500.00 within 30 minutes. Open cases keep their terms.\n"
               "dispute_notice_from is now 500.00; it was 0.00.\n"),
    ("singapore", "The regulator is now singapore; it was none. It is notified of every "
                  "dispute within 30 minutes. Patrons may appeal to it for 7 days. Open cases "
                  "keep their terms.\n"),
]
# fmt: on


@pytest.mark.parametrize(("name", "words"), TERMS)
def test_setting_a_regulator_shows_its_terms_in_words(pit, database, name, words):
    assert shell(database, "property", "set", "regulator", name).stdout.startswith(words)
    none = shell(database, "property", "set", "regulator", "none").stdout
    assert f"it was {name}. It is notified of no dispute. Open cases" in none


def test_a_setting_that_is_an_amount_is_shown_as_an_amount(pit, database):
    told = shell(database, "property", "set", "reporting_amount", "8000").stdout

    assert told.startswith("reporting_amount is now 8,000.00; it was 10,000.00.\n")


# In a closed house.
def test_in_a_closed_house_two_bosses_decide(database):
    house = ClosedHouse(database, EVERY_ROLE)
    dealer, supervisor, boss = map(number, ("dealer", "supervisor", "pit-boss"))
    pit = house.table(dealer, supervisor)
    pit.open().prepare().play(BANKER_WINS, (3, "banker", 100_00))
    opened = house.ask(number("surveillance"), "dispute.open", **SAYS, hold=True)
    by_dealer = house.ask(number("dealer"), "dispute.decide", **{**STAND, "with": boss})
    alone = house.ask(number("supervisor"), "dispute.decide", **{**STAND, "with": dealer})
    done = house.ask(number("supervisor"), "dispute.decide", **{**STAND, "with": boss})
    house.close()

    assert opened["ok"], opened
    assert (by_dealer["error"], alone["error"]) == ("NotPermitted", "SecondPersonNeeded")
    assert (event(done, "Decided")["decided_by"], event(done, "Decided")["approved_by"]) == (
        supervisor,
        boss,
    )
