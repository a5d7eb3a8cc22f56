"""An ID that was asked for and not shown: on record, in the file, and for the AML desk alone."""

import json

import pytest

from ops.reports.ask import ask
from projections import REPORTS
from tests.acceptance.channels import shell
from tests.worlds.gaming_table import DAY, GamingTable


@pytest.fixture
def pit(dispatcher):
    pit = GamingTable(dispatcher)
    pit.say("regime.choose", file="united-states", day=DAY, **{"with": "S-12"})
    pit.open()
    pit.say("table.buy-in", seat=3, amount=6_000_00)
    return pit


def asked(pit, **fields):
    return pit.ask(
        "patron.no-id",
        **{"patron": "P-10417", "direction": "in", "amount": 5_000_00, "by": "D-204", **fields},
    )


def rows(database, **narrowed):
    return ask(database, REPORTS["ids-not-shown"], **narrowed).rows


def test_it_is_on_record_with_what_the_cash_would_have_reached_and_no_cash_is_counted(
    pit, database
):
    answer = asked(pit, answer="without")
    assert answer.ok, answer.body
    (event,) = answer.body["events"]
    assert (event["type"], event["thresholds"], event["answer"]) == (
        "IdentityNotShown", ["ctr"], "without",
    )  # fmt: skip
    assert [row["amount"] for row in ask(database, REPORTS["cash-log"]).rows] == [6_000_00]
    assert asked(pit, amount=100_00).body["events"][-1]["thresholds"] == []
    assert [row["answer"] for row in rows(database)] == ["without", "refused"]


def test_an_alias_is_its_patron_once_it_is_identified(pit, database):
    assert asked(pit, patron="grey-jacket", table=None, answer="left").ok
    pit.say("patron.identify", patron="grey-jacket", **{"is": "P-10417"})
    (row,) = rows(database, patron="P-10417")
    assert (row["patron"], row["table"], row["answer"]) == ("P-10417", None, "left")
    assert rows(database, patron="P-10411") == []


@pytest.mark.parametrize(
    ("wrong", "error"),
    [
        ({"direction": "up"}, "BadValue"),
        ({"amount": 0}, "BadValue"),
        ({"answer": "no"}, "BadValue"),
        ({"table": "B77"}, "TableClosed"),
        ({"patron": "p-10417", "confirmed": False}, "ConfirmationNeeded"),
    ],
)
def test_what_cannot_be_is_refused(pit, database, wrong, error):
    assert asked(pit, **wrong).error == error
    assert rows(database) == []


def test_cash_that_is_held_names_the_command(pit):
    held = pit.ask("table.buy-in", seat=3, amount=5_000_00, confirmed=False)
    assert held.error == "ConfirmationNeeded"
    assert "`patron no-id`" in held.reason


def test_the_patron_s_file_has_it(pit, database):
    pit.say("patron.file", patron="P-10417", by="C-1", occupation="dentist")
    asked(pit, answer="without")
    said = shell(database, "patron", "show", "P-10417").output
    assert "ID was asked of P-10417 for 5,000.00 of cash in" in said
    assert "they had none with them" in said
    body = json.loads(shell(database, "patron", "show", "P-10417", "--json").output)
    assert [each["answer"] for each in body["ids_not_shown"]] == ["without"]


def test_an_amount_below_nothing_is_answered_with_how_it_is_typed(database):
    refused = shell(database, "patron", "no-id", "P-10417", "in", "-5").output
    assert "typed without a sign" in refused


def test_it_is_shown_of_who_has_no_file(pit, database):
    assert shell(database, "patron", "show", "P-10417").exit_code == 1
    asked(pit, answer="left")
    assert "they went away" in shell(database, "patron", "show", "P-10417").output


def test_a_case_that_has_it_as_evidence_shows_it(pit, database):
    asked(pit)
    (row,) = rows(database)
    case = {"patron": "P-10417", "text": "why", "positions": [row["position"]], "by": "SV-1"}
    assert pit.ask("aml.open", **case).ok
    assert rows(database)[0]["aml_case"] == "AML-2026-0001"
    shown = shell(database, "aml", "show", "AML-2026-0001").output
    assert f"#{row['position']}" in shown


def withdrawn(pit, position, **more):
    two = {"by": "S-11", "with": "S-12", "reason": "it was P-10471"}
    return pit.ask("patron.withdraw-no-id", **{"position": position, **two, **more})


def test_two_people_withdraw_what_was_typed_by_mistake_and_it_stays_on_record(pit, database):
    position = asked(pit).body["position"]
    answer = withdrawn(pit, position)
    assert answer.ok, answer.body
    (row,) = rows(database)
    assert [row[each] for each in ("requested_by", "approved_by", "reason", "position")] == [
        "S-11", "S-12", "it was P-10471", position,
    ]  # fmt: skip
    said = shell(database, "patron", "show", "P-10417").output
    assert "That is withdrawn: it was P-10471." in said
    (void,) = ask(database, REPORTS["voids"]).rows
    assert (void["kind"], void["original"]) == ("missing id withdrawn", f"no-id #{position}")


def test_the_board_and_the_alerts_have_that_it_was_withdrawn_until_somebody_has_seen_it(
    pit, database
):
    withdrawn(pit, asked(pit).body["position"])
    board = shell(database, "board", "--once").output
    assert "it was P-10471" in " ".join(board.split())
    (alert,) = [
        row
        for row in ask(database, REPORTS["alerts"]).rows
        if row["kind"] == "missing id withdrawn"
    ]
    assert pit.ask("alert.acknowledge", alert=alert["alert"], by="S-11").ok
    assert "it was P-10471" not in " ".join(shell(database, "board", "--once").output.split())


@pytest.mark.parametrize(
    ("wrong", "error"),
    [
        ({"with": "S-11"}, "SecondPersonNeeded"),
        ({"reason": ""}, "BadValue"),
        ({"position": 3}, "NotFound"),
        ({"position": 48_213}, "NotFound"),
    ],
)
def test_one_alone_withdraws_nothing_nor_what_is_no_id(pit, database, wrong, error):
    position = asked(pit).body["position"]
    assert withdrawn(pit, **{"position": position, **wrong}).error == error
    assert [row["reason"] for row in rows(database)] == [None]


def test_it_is_withdrawn_once_and_may_be_recorded_again(pit, database):
    position = asked(pit).body["position"]
    assert withdrawn(pit, position).ok
    again = withdrawn(pit, position)
    assert (again.error, again.reason) == ("BadValue", f"#{position} is withdrawn already.")
    assert asked(pit).ok
    assert [bool(row["reason"]) for row in rows(database)] == [True, False]
