"""Wagers: each as it lies, as it was settled, or as it was put right."""

from functools import partial

import pytest

from domain.events import coup_wagers
from projections import PROJECTIONS, REPORTS
from tests.acceptance.channels import json_of, rows_of, shell
from tests.projections.grown import event, happen
from tests.worlds.gaming_table import BANKER_WINS, DAY, PLAYER_WINS, GamingTable

REPORT = REPORTS["wagers"]
FIRST = f"B01/{DAY}/1/1"
COMMISSION = "commission_exact", "commission_charged", "commission_due"
rows = partial(rows_of, report=REPORT)

FIELDS = {
    "exceptions": "at table coup kind by detail acknowledged_by acknowledged_at rank",
    "voids": "kind original reason requested_by approved_by before after approved_proved at",
    "wagers": "coup seat patron stay spot stake odds result paid commission_exact"
    " commission_charged commission_due put_right placed_at dealer supervisor rules shoe"
    " coup_number player_total banker_total",
}


@pytest.mark.parametrize("report", FIELDS)
def test_a_report_s_fields_are_the_contract_s_and_fit_a_terminal(troubled, report):
    printed = shell(troubled, "report", report, env={"COLUMNS": "80"})
    as_csv = shell(troubled, "report", report, "--csv").stdout.splitlines()

    assert FIELDS[report].split() == list(json_of(troubled, "report", report)["rows"][0])
    assert [*FIELDS[report].split(), "currency"] == as_csv[0].split(",")
    assert printed.exit_code == 0
    assert max(map(len, printed.stdout.splitlines())) <= 80


def test_a_wager_is_told_as_it_was_settled_corrected_returned_or_lies(troubled):
    coups = [FIRST, f"B01/{DAY}/1/2", f"B01/{DAY}/1/3"]
    one, two, three = (f"B01/{DAY}/stay-{number}" for number in (1, 2, 3))
    void, push, still = (None, "void"), (None, "push"), (None, None)
    none = "0", 0, None

    columns = REPORT.columns[: REPORT.columns.index("put_right")]
    assert rows(troubled, *columns) == [
        (
            *(coups[0], 3, "P-10417", two, "banker", 100_00, "1:1", "win", 200_00),
            *("500", 5_00, "deferred"),
        ),
        (coups[0], 5, "grey-jacket", three, "banker", 300_00, *push, 300_00, *none),
        (coups[1], 3, "P-10417", two, "banker", 200_00, *void, 200_00, *none),
        (coups[1], 1, "P-10411", one, "player", 50_00, *void, 50_00, *none),
        (coups[2], 5, "grey-jacket", three, "tie", 5_00, *still, None, None, None, None),
    ]


def test_commission_is_told_exactly_and_as_it_was_charged(dispatcher, database):
    pit = GamingTable(dispatcher).open("classic@1").prepare()
    pit.play(BANKER_WINS, (1, "banker", 33_00), (3, "player", 10_00))

    assert rows(database, "result", "paid", *COMMISSION) == [
        ("win", 64_35, "165", 1_65, "at-payout"),
        ("lose", 0, "0", 0, None),
    ]


def test_what_lies_is_what_was_placed_last_and_not_taken_back(pit, database):
    pit.bet(3, "banker", 100_00)
    pit.bet(5, "player", 50_00)
    pit.bet(3, "banker", 75_00)
    pit.bet(3, "tie", 10_00)
    pit.say("withdraw", seat=5, spot="player")

    assert rows(database, "seat", "spot", "stake") == [(3, "banker", 75_00), (3, "tie", 10_00)]


def test_a_wager_that_went_back_whole_lies_there_no_more(pit, database):
    pit.bet(3, "banker", 100_00)
    pit.bet(5, "banker", 50_00)
    assert len(rows(database, "seat")) == 2
    back = {"coup": FIRST, "seat": 5, "spot": "banker", "amount": 0, "returned": 50_00}
    topic = coup_wagers.WagerReduced.TOPIC
    happen(database, PROJECTIONS["wagers"].changes[topic], event(topic, **back))

    assert rows(database, "seat", "stake") == [(3, 100_00)]


def test_a_wager_that_is_corrected_twice_is_as_it_is_now(pit, database):
    pit.play(PLAYER_WINS, (3, "player", 100_00))
    wager = {"coup": FIRST, "seat": 3, "spot": "player", "reason": "misread", "with": "S-11"}
    pit.say("correct", to=0, **wager)
    assert rows(database, "odds", "result", "paid") == [(None, "lose", 0)]

    pit.say("correct", **wager)
    assert rows(database, "odds", "result", "paid") == [("1:1", "win", 200_00)]


@pytest.mark.parametrize(
    ("narrowed", "expected"),
    [
        ({"table": "B01"}, 5),
        ({"table": "B02"}, 0),
        ({"day": DAY}, 5),
        ({"day": "2026-11-20"}, 0),
        ({"shoe": f"B01/{DAY}/1"}, 5),
        ({"shoe": f"B01/{DAY}/2"}, 0),
        ({"patron": "P-10417"}, 2),
        ({"patron": "P-10417", "table": "B02"}, 0),
        ({"patron": "nobody"}, 0),
        ({"seat": "3"}, 2),
        ({"seat": "05", "result": "push"}, 1),
        ({"result": "void"}, 2),
        ({"result": "lose"}, 0),
        ({"since": f"{DAY}T20:00"}, 5),
        ({"until": f"{DAY}T19:00"}, 0),
    ],
)
def test_a_report_is_narrowed_to_what_is_asked(troubled, narrowed, expected):
    assert expected == len(rows(troubled, "coup", **narrowed))


def test_a_wager_tells_its_moment_its_people_its_rules_and_its_coup(pit, database):
    pit.bet(3, "banker", 100_00)
    pit.bet(5, "player", 50_00)
    placed = pit.moment.isoformat()
    pit.bet(3, "banker", 75_00)
    again = pit.moment.isoformat()
    told = rows(database, "placed_at", "dealer", "supervisor", "rules", "shoe", "coup_number")

    theirs = ("D-204", "S-11", "dragon-bonus@1", f"B01/{DAY}/1", 1)
    assert told == [(again, *theirs), (placed, *theirs)]
    assert rows(database, "player_total", "banker_total") == [(None, None)] * 2
    assert rows(database, "seat", until=placed) == [(5,)]
    assert rows(database, "seat", since=again) == [(3,)]


def test_a_coup_s_totals_are_beside_each_of_its_wagers(pit, database):
    pit.play(BANKER_WINS, (3, "player", 50_00), (5, "banker", 25_00))
    coup = json_of(database, "report", "coup")["rows"][0]

    both = coup["player_total"], coup["banker_total"]
    assert rows(database, "player_total", "banker_total") == [both, both]
    assert None not in both


def test_a_wager_is_the_patron_s_under_whichever_name(pit, database):
    pit.bet(5, "banker", 100_00)
    alias = {"command": "patron.identify", "patron": "grey-jacket", "is": "P-1"}
    assert pit.dispatcher.dispatch({**alias, "at": pit.moment.isoformat()}).ok

    assert rows(database, "patron", patron="P-1") == [("P-1",)]
    assert rows(database, "patron", patron="grey-jacket") == [("P-1",)]
