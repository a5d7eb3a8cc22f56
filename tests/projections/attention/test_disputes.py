"""Disputes: every case as a row, its deadlines on the board, and the table that waits for it."""

import json
from datetime import timedelta

import pytest

from ops.board.board import Board
from ops.board.folds import fold_words
from projections import REPORTS
from tests.acceptance.channels import rows_of, shell
from tests.worlds.gaming_table import (
    BANKER_WINS,
    BEGINS,
    DAY,
    GamingTable,
    disputed,
    mouth_on,
    trouble,
)

REPORT = REPORTS["disputes"]
CONTRACT = (
    "case coup complaint frozen_at replay decision decided_by effect patron_told_at "
    "regulator_notified_at deadlines status"
)
COUP = f"B01/{DAY}/1/1"
CASE = "C-2026-0001"
STAND = {"case": CASE, "decision": "stand", "reason": "the camera", "with": "PB-2"}
LATER = BEGINS + timedelta(days=1, hours=12)  # the gaming day is long closed


@pytest.fixture(scope="module")
def night(server):
    """Two cases about one coup; nobody adds to it."""
    with server.database() as database:
        with mouth_on(database) as dispatcher:
            disputed(trouble(GamingTable(dispatcher, "B04").open().prepare()))
        yield database


@pytest.fixture
def pit(dispatcher):
    pit = GamingTable(dispatcher).open().prepare()
    pit.play(BANKER_WINS, (3, "banker", 100_00), (5, "player", 500_00))
    return pit


def tell(pit, command, **fields):
    pit.moment += timedelta(seconds=1)
    line = {"command": command, "by": "S-11", "at": pit.moment.isoformat()}
    return pit.dispatcher.dispatch({**line, **fields}).body


def say(pit, command, **fields):
    answer = tell(pit, command, **fields)
    assert answer["ok"], answer
    return answer


def claim(pit, **fields):
    says = {"coup": COUP, "patron": "P-10417", "complaint": "I was not paid"}
    return say(pit, "dispute.open", **{**says, **fields})


def rows(database, *names, **narrowed):
    return rows_of(database, *names, report=REPORT, **narrowed)


def seen(database, at=None, **about):
    """The board at a moment."""
    board = Board(database, now=lambda: at or BEGINS + timedelta(minutes=10), **about)
    try:
        return board.once()
    finally:
        board.close()


def deadlines(database, at):
    """Which alerts are on the board because somebody should have heard of a case."""
    kind = "dispute deadline"
    return [each for each in seen(database, at).alerts if each.kind == kind]


# The report.
def test_the_fields_are_the_contract_s_and_more(night):
    as_csv = shell(night, "report", "disputes", "--csv").stdout.splitlines()[0].split(",")

    assert CONTRACT.split() == as_csv[: len(CONTRACT.split())]
    assert [*REPORT.columns, "currency"] == as_csv


def test_a_case_is_a_row_from_the_complaint_to_the_end(night):
    first, second = rows(night, *CONTRACT.split())
    told = dict(zip(CONTRACT.split(), first, strict=True))
    coup = f"B04/{DAY}/1/1"

    assert (told["case"], told["coup"], told["status"]) == (CASE, coup, "closed")
    assert (told["replay"], told["decision"], told["decided_by"]) == ("agrees", "correct", "S-11")
    assert told["effect"] == (
        "seat 3 banker is paid 150.00 in all, not 200.00; 2.50 less commission"
    )
    assert told["patron_told_at"] < told["regulator_notified_at"] < told["deadlines"]["tell_by"]
    assert told["deadlines"].keys() == {"notify_by", "tell_by", "patron_until"}
    assert (second[0], second[-1]) == ("C-2026-0002", "open")
    assert [("P-10417", 500_00, "2026/1182", 1, False), ("grey-jacket", 600_00, None, 0, True)] == (
        rows(night, "patron", "in_dispute", "reference", "notes", "holds")
    )


@pytest.mark.parametrize(("narrowed", "many"), [({"table": "B04"}, 2), ({"table": "B01"}, 0)])
def test_cases_are_the_coup_s_table_s_and_its_day_s(night, narrowed, many):
    assert len(rows(night, "case", **narrowed)) == many
    assert len(rows(night, "case", **narrowed, day=DAY)) == many
    assert rows(night, "case", **narrowed, day="2026-11-22") == []


def test_where_the_record_disagreed_the_row_says_it(pit, database, superuser):
    superuser.execute(
        "ALTER TABLE ledger.event_rows DISABLE TRIGGER USER; "
        "UPDATE ledger.events SET state = replace(convert_from(state, 'UTF8'), "
        "'\"player_total\":2', '\"player_total\":3')::bytea WHERE topic = 'coup.resulted'"
    )
    claim(pit)

    assert rows(database, "replay") == [("Player's total: 3 on record, 2 by today's rules",)]


def test_a_row_says_how_far_a_case_came(pit, database):
    steps = [
        ("dispute.decide", STAND, "decided"),
        ("dispute.tell", {"case": CASE}, "told"),
        ("dispute.decide", STAND, "decided"),
        ("dispute.tell", {"case": CASE}, "told"),
        ("dispute.close", {"case": CASE}, "closed"),
    ]
    claim(pit)
    assert rows(database, "status") == [("open",)]
    for command, fields, status in steps:
        say(pit, command, **fields)
        assert rows(database, "status") == [(status,)]


def test_the_regulator_is_notified_once_and_its_reference_may_come_later(pit, database):
    claim(pit)
    say(pit, "dispute.notify", case=CASE)
    at = pit.moment.isoformat()
    say(pit, "dispute.notify", case=CASE, reference="2026/1182")
    say(pit, "dispute.notify", case=CASE)

    assert rows(database, "regulator_notified_at", "reference") == [(at, "2026/1182")]


@pytest.mark.parametrize("width", ["80", "120", "250"])
def test_for_people_it_is_words_in_any_width(night, monkeypatch, width):
    monkeypatch.setenv("COLUMNS", width)
    result = shell(night, "report", "disputes")

    assert (result.exit_code, result.stderr) == (0, "")
    assert CASE in result.stdout
    assert not {"None", "True", "{"} & set(result.stdout.split())


def test_what_several_decisions_came_to_adds_up_and_is_told_in_their_order(pit, database):
    claim(pit)
    correct = {**STAND, "decision": "correct"}
    for wager in (
        {"seat": 3, "spot": "banker", "to": 100_00},
        {"seat": 5, "spot": "player", "to": 200_00},
        {"seat": 5, "spot": "player", "to": 0},
    ):
        second = {"with": f"PB-{wager['to'] // 100_00}"}
        say(pit, "dispute.decide", **{**correct, **wager, **second})

    assert rows(database, "changes_hands", "decision", "approved_by", "effect") == [
        (
            -100_00,
            "correct",
            "PB-0",
            "1: seat 3 banker is paid 100.00 in all, not 200.00; 5.00 less commission; "
            "2: seat 5 player is paid 200.00 in all, not 0.00; "
            "3: instead of decision 2, seat 5 player is paid 0.00 in all, not 200.00",
        )
    ]


def test_a_terminal_of_80_columns_tells_what_was_decided_and_what_is_due(night, monkeypatch):
    monkeypatch.setenv("COLUMNS", "80")
    head, *body = shell(night, "report", "disputes").stdout.splitlines()[1:]
    told = " ".join(" ".join(body).split())

    assert head.split() == ["case", "coup", "status", "decision", "effect", "deadlines"]
    assert "11-21 20:30" in told
    assert "11-28 20:00" in told


# Open cases on the board.
def open_cases(database, at=None):
    return [each for each in seen(database, at).alerts if each.kind == "dispute open"]


def test_a_case_is_on_the_board_until_it_is_closed(pit, database):
    say(pit, "property.set", name="regulator", value="singapore")
    opened = event_position(database, claim(pit))
    (alert,) = open_cases(database)

    assert (alert.alert, alert.gravity) == (f"dispute-open/{opened}", "notable")
    assert (alert.table, alert.coup, alert.acknowledgeable) == ("B01", COUP, True)
    detail = alert.detail
    assert (detail["case"], detail["patron"], detail["decision"]) == (CASE, "P-10417", None)
    assert (bool(detail["notify_by"]), detail["tell_by"]) == (True, None)
    say(pit, "dispute.notify", case=CASE)
    say(pit, "dispute.decide", **STAND)
    (alert,) = open_cases(database, LATER)
    assert (alert.gravity, alert.detail["notify_by"]) == ("notable", None)
    assert alert.detail["tell_by"]
    say(pit, "dispute.tell", case=CASE)
    assert open_cases(database)[0].detail["tell_by"] is None
    say(pit, "dispute.close", case=CASE)
    assert open_cases(database) == []


def test_a_deadline_that_is_over_comes_before_the_open_case_and_that_before_the_rest(pit, database):
    claim(pit)
    say(pit, "dispute.decide", **{**STAND, "decision": "void"})
    over = pit.moment + timedelta(minutes=30)
    kinds = [each.kind for each in seen(database, over).alerts if each.kind != "no coup"]

    assert kinds == ["dispute deadline", "dispute open", "coup voided"]


def test_each_case_says_on_the_board_who_must_be_notified_and_how_much_time_is_left(
    pit, database, monkeypatch
):
    say(pit, "property.set", name="regulator", value="nevada")
    say(pit, "property.set", name="zone", value="Europe/Vienna")
    claim(pit, amount=500_00)
    claim(pit, patron="grey-jacket", amount=100_00)
    say(pit, "dispute.decide", **STAND)
    shown = seen(database, BEGINS + timedelta(minutes=20))
    words = [fold_words([each], shown) for each in shown.alerts if each.kind == "dispute open"]

    assert words == [
        "C-2026-0002 is open.",
        "C-2026-0001 is decided. Notify the regulator by 21:30: 10 minutes left. "
        "Inform the patron by 21:30: 10 minutes left.",
    ]
    late = seen(database, BEGINS + timedelta(minutes=40))
    words = fold_words([open_cases(database)[1]], late)
    assert "The regulator should have been notified by 21:30." in words
    monkeypatch.setenv("COLUMNS", "80")
    printed = shell(database, "board", "--once")
    assert (printed.exit_code, printed.stdout.count("dispute-open/")) == (0, 2)


def test_who_has_a_case_in_hand_takes_it_off_the_board(pit, database):
    opened = event_position(database, claim(pit))
    alert = f"dispute-open/{opened}"
    wrong = tell(pit, "alert.acknowledge", alert=f"dispute-open/{opened - 1}")["message"]
    say(pit, "alert.acknowledge", alert=alert)

    assert wrong.endswith(f"#{opened - 1} raised no such alert.")
    assert open_cases(database) == []
    kind = "kind", "alert", "acknowledged_by"
    assert rows_of(database, *kind, report=REPORTS["alerts"]) == [("dispute open", alert, "S-11")]


def test_a_case_that_is_closed_needs_nobody(pit, database):
    opened = event_position(database, claim(pit))
    say(pit, "dispute.decide", **STAND)
    say(pit, "dispute.tell", case=CASE)
    standing = shell(database, "report", "alerts").stdout
    say(pit, "dispute.close", case=CASE)
    refused = tell(pit, "alert.acknowledge", alert=f"dispute-open/{opened}")

    assert f"{CASE} is decided, the patron informed: it can be closed: P-10417." in " ".join(
        standing.split()
    )
    assert refused["message"].endswith(f"dispute-open/{opened} now: case {CASE} is closed.")
    assert "dispute-open" not in shell(database, "report", "alerts").stdout


# Deadlines.
def test_until_a_deadline_is_over_it_needs_nobody(pit, database):
    say(pit, "property.set", name="regulator", value="nevada")
    claim(pit, amount=500_00)
    over = pit.moment + timedelta(minutes=30)

    assert deadlines(database, over - timedelta(seconds=1)) == []
    (alert,) = deadlines(database, over)
    assert (alert.table, alert.coup, alert.gravity) == ("B01", COUP, "pressing")
    assert alert.detail["why"] == f"{CASE}: the regulator should have been notified already."
    say(pit, "dispute.notify", case=CASE)
    assert deadlines(database, over) == []


def test_the_patron_is_told_in_time_after_each_decision(pit, database):
    claim(pit)
    for _ in range(2):
        position = say(pit, "dispute.decide", **STAND)["position"]
        over = pit.moment + timedelta(minutes=30)
        (alert,) = deadlines(database, over)

        assert alert.alert == f"dispute-deadline/{position}"
        assert alert.detail["why"].endswith(
            "the patron should have been informed of the decision already."
        )
        say(pit, "dispute.tell", case=CASE)
        assert deadlines(database, over) == []


def test_a_house_without_a_regulator_notifies_nobody(pit, database):
    claim(pit, patron="P-10411", amount=9_000_00)

    assert deadlines(database, LATER) == []


def test_a_deadline_presses_when_its_gaming_day_is_long_closed(pit, database):
    say(pit, "property.set", name="regulator", value="singapore")
    claim(pit)
    pit.say("commission.collect", seat=3, amount=5_00)
    pit.end_shoe()
    pit.say("table.close", closer={"10000": 200}, **{"with": "S-11"})
    (alert,) = deadlines(database, LATER)

    assert (alert.gravity, alert.detail["case"]) == ("pressing", CASE)
    shown = shell(database, "board", "--once", "--json")
    assert shown.exit_code == 0


def test_who_has_a_deadline_in_hand_says_so_and_then_the_report_tells_it(pit, database):
    say(pit, "property.set", name="regulator", value="singapore")
    opened = event_position(database, claim(pit))
    alert = f"dispute-deadline/{opened}"
    early = tell(pit, "alert.acknowledge", alert=alert)
    kind = "kind", "alert", "acknowledged_by"
    stands = "dispute open", f"dispute-open/{opened}", None
    assert rows_of(database, *kind, report=REPORTS["alerts"]) == [stands]
    pit.moment += timedelta(minutes=30)
    seen_to = say(pit, "alert.acknowledge", alert=alert)
    again = tell(pit, "alert.acknowledge", alert=alert)

    assert (early["error"], "there is time until" in early["message"]) == ("NotFound", True)
    assert (seen_to["events"][0]["coup"], again["error"]) == (COUP, "AlreadyAcknowledged")
    assert deadlines(database, pit.moment) == []
    assert rows_of(database, *kind, report=REPORTS["alerts"]) == [
        ("dispute deadline", alert, "S-11"),
        stands,
    ]
    told = shell(database, "report", "alerts")
    assert (told.exit_code, f"{alert} is acknowledged." in " ".join(told.stdout.split())) == (
        *(0, True),
    )


def test_what_is_no_deadline_or_done_is_not_acknowledged(pit, database):
    say(pit, "property.set", name="regulator", value="singapore")
    opened = event_position(database, claim(pit))
    decided = [say(pit, "dispute.decide", **STAND)["position"] for _ in range(2)]
    unasked = tell(pit, "dispute.open", coup=COUP, patron="P-10411", complaint="mine too")
    pit.moment += timedelta(minutes=30)
    say(pit, "dispute.notify", case=CASE)
    say(pit, "dispute.tell", case=CASE)
    whys = {
        opened: "the regulator was notified",
        decided[0]: "the case was decided again since",
        decided[1]: "the patron was informed of the decision",
        opened - 1: f"#{opened - 1} raised no such alert",
    }

    assert unasked["ok"]
    for position, why in whys.items():
        refused = tell(pit, "alert.acknowledge", alert=f"dispute-deadline/{position}")
        assert refused["message"].endswith(f"alert dispute-deadline/{position} now: {why}.")


def event_position(database, answer):
    """Where the case's own event stands, which is not the command's last one."""
    (opened,) = [each for each in answer["events"] if each["type"] == "DisputeOpened"]
    with database.connect("sabot_auditor") as connection:
        return connection.execute(
            "SELECT position FROM ledger.events WHERE topic = 'dispute.opened' "
            "AND convert_from(state, 'UTF8')::jsonb ->> 'case' = %s",
            (opened["case"],),
        ).fetchone()[0]


# The table that waits.
def test_a_table_that_waits_comes_before_those_that_need_nobody(pit, database, dispatcher):
    other = GamingTable(dispatcher, "A01").open().prepare()
    claim(pit, hold=True)

    assert [table.table for table in seen(database).tables] == ["B01", other.table]


def test_the_board_says_which_cases_hold_a_table(pit, database):
    claim(pit, hold=True)
    claim(pit, patron="grey-jacket", hold=True)
    (table,) = seen(database).tables

    assert (table.held_by, table.due.action) == (
        [CASE, "C-2026-0002"],
        "dispute.decide",
    )
    shown = shell(database, "board", "--once").stdout
    assert f"No further coup: {CASE} and C-2026-0002 must be decided first." in shown
    say(pit, "dispute.release", case=CASE)
    assert seen(database).tables[0].held_by == ["C-2026-0002"]
    say(pit, "dispute.decide", **{**STAND, "case": "C-2026-0002"})
    assert seen(database).tables[0].held_by == []


def test_what_was_disputed_is_written_as_json_and_on_paper(dispatcher, database, tmp_path):
    disputed(trouble(GamingTable(dispatcher).open().prepare()))
    paper = tmp_path / "disputes.pdf"
    told = json.loads(shell(database, "report", "disputes", "--json").stdout)
    printed = shell(database, "report", "disputes", "--pdf", str(paper))

    assert [row["status"] for row in told["rows"]] == ["closed", "open"]
    assert (printed.exit_code, paper.read_bytes()[:5]) == (0, b"%PDF-")
