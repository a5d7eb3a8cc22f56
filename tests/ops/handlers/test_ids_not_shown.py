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
