"""What whoever makes a report ought to know: cash that is not in it, and cash that came later."""

import json

import pytest

from ops.reports.ask import ask
from projections import REPORTS
from tests.acceptance.channels import shell
from tests.worlds.alerts_there import alerts_of
from tests.worlds.cash_over import over_the_amount
from tests.worlds.gaming_table import BEGINS, DAY, GamingTable
from tests.worlds.sydney import sydney


@pytest.fixture
def pit(dispatcher):
    """P-10417 brought 6,000 and 5,000 under the regime of the United States."""
    return over_the_amount(dispatcher)


TWO = {"with": "S-11"}


def record(pit, **more):
    asked = {"patron": "P-10417", "of_day": DAY, "reference": "31000123456789", "by": "C-1"}
    return pit.ask("filing.record", **{**asked, **more})


def since(database):
    (row,) = [each for each in ask(database, REPORTS["ctr"]).rows if each["direction"] == "in"]
    return row["since_filed"]


def test_cash_of_whom_a_case_is_about_that_is_no_evidence_is_pointed_at(pit, database):
    one, two = [each["position"] for each in ask(database, REPORTS["cash-log"]).rows]
    pit.say("table.seat", seat=4, patron="P-5")
    pit.say("table.buy-in", seat=4, amount=700_00)
    pit.say("aml.open", patron="P-10417", text="why", positions=[one], by="SV-1")
    done = shell(database, "filing", "sar", "AML-2026-0001")
    assert f"P-10417 bought in 5,000.00 at B01 on {DAY}" in done.output
    assert f"#{two}" in done.output
    assert "P-5 bought in" not in done.output
    pit.say("aml.note", aml_case="AML-2026-0001", text="this too", positions=[two], by="SV-1")
    done = shell(database, "filing", "sar", "AML-2026-0001", "--json")
    assert json.loads(done.stdout)["notes"] == [
        "AML-2026-0001 is not decided yet. Two people decide it before the report is sent: `aml "
        "decide`."
    ]
    decided = {"decision": "report", "text": "no source", "by": "SV-1", "with": "A-1"}
    pit.say("aml.decide", aml_case="AML-2026-0001", **decided)
    done = shell(database, "filing", "sar", "AML-2026-0001", "--json")
    assert json.loads(done.stdout)["notes"] == []


def test_cash_of_others_that_is_evidence_is_pointed_at_until_they_are_named(pit, database):
    pit.say("table.seat", seat=4, patron="P-5")
    theirs = pit.say("table.buy-in", seat=4, amount=700_00).body["position"]
    pit.say("aml.open", patron="P-10417", text="why", positions=[theirs], by="SV-1")
    done = shell(database, "filing", "sar", "AML-2026-0001")
    assert f"P-5 bought in 700.00 at B01 on {DAY}, which is in the report" in done.output
    pit.say("aml.subject", aml_case="AML-2026-0001", patron="P-5", text="together", by="SV-1")

    assert "P-5 bought in" not in shell(database, "filing", "sar", "AML-2026-0001").output


def test_cash_after_a_report_was_filed_is_shown_until_that_is_amended(pit, database):
    assert record(pit).ok
    assert since(database) is None
    pit.say("table.buy-in", seat=3, amount=2_500_00)
    assert since(database) == 2_500_00
    body = json.loads(shell(database, "filing", "ctr", "P-10417", DAY, "--json").stdout)
    assert body["notes"] == [
        f"It was reported on {DAY}, number 31000123456789. What corrects that has `--amends`.",
        "2,500.00 of cash in came after it was reported: an amended report is due.",
    ]
    assert record(pit, filing="amended", reference="31000123456790").ok
    assert since(database) is None


def test_cash_that_was_reported_too_much_is_shown(pit, database):
    assert record(pit).ok
    last = ask(database, REPORTS["cash-log"]).rows[-1]["position"]
    pit.say("money.correct", position=last, amount=4_500_00, reason="typed", **{"with": "S-11"})
    assert since(database) == -500_00


def test_a_report_of_cash_that_is_not_to_be_reported_is_refused(pit, database):
    pit.say("table.seat", seat=4, patron="P-5")
    pit.say("table.buy-in", seat=4, amount=700_00)
    refused = record(pit, patron="P-5")
    assert refused.error == "BadValue"
    assert "`sabot report ctr` has what is" in refused.reason
    assert record(pit, position=5).error == "BadValue"  # all of the day is in one report
    assert record(pit).ok
    for row in ask(database, REPORTS["cash-log"]).rows[:2]:
        wrong = {"position": row["position"], "withdrawn": True, "reason": "never was"}
        pit.say("money.correct", **wrong, **{"with": "S-11"})
    assert record(pit, filing="amended", reference="31000123456790").ok  # there was none after all


def corrected(pit, position, **fields):
    return pit.say("money.correct", position=position, reason="typed", **fields, **TWO)


def to_amend(database):
    return alerts_of(database, "report to amend")


def on_the_board(database):
    every = json.loads(shell(database, "board", "--json").stdout)["alerts"]
    return [each["alert"] for each in every if each["kind"] == "report to amend"]


def test_cash_that_falls_below_the_amount_once_it_was_reported_stays_in_the_report(pit, database):
    assert record(pit).ok
    corrected(pit, ask(database, REPORTS["cash-log"]).rows[-1]["position"], amount=1_000_00)
    (row,) = ask(database, REPORTS["ctr"], patron="P-10417").rows
    assert [row[each] for each in ("total", "since_filed", "reference", "paper")] == [
        7_000_00, -4_000_00, "31000123456789", "Currency Transaction Report (FinCEN Form 112)",
    ]  # fmt: skip
    assert ask(database, REPORTS["ctr"], patron="P-5").rows == []
    body = json.loads(shell(database, "filing", "ctr", "P-10417", DAY, "--json").stdout)
    assert body["notes"][-1] == (
        "4,000.00 of cash in was reported too much: an amended report is due."
    )
    assert record(pit, filing="amended", reference="31000123456790").ok
    assert ask(database, REPORTS["ctr"]).rows == []


def test_the_floor_is_alerted_once_of_a_report_whose_cash_fell_below_until_it_is_amended(
    pit, database
):
    assert record(pit).ok
    last = ask(database, REPORTS["cash-log"]).rows[-1]["position"]
    corrected(pit, last, amount=4_500_00)
    assert to_amend(database) == []  # it is reported still
    corrected(pit, last, amount=1_000_00)
    corrected(pit, last, amount=900_00)
    (alert,) = to_amend(database)
    assert [alert["detail"][each] for each in ("reported", "total")] == [11_000_00, 7_000_00]
    assert on_the_board(database) == [alert["alert"]]
    said = shell(database, "report", "alerts").output
    assert "has 11,000.00 of cash in, and it was 7,000.00" in " ".join(said.split())
    assert record(pit, filing="amended", reference="31000123456790").ok
    assert on_the_board(database) == []


def test_cash_that_comes_once_a_report_was_filed_is_an_alert_until_that_is_amended(pit, database):
    assert record(pit).ok
    for amount in (500_00, 700_00):
        pit.say("table.buy-in", seat=3, amount=amount, confirmed=True)
    (alert,) = to_amend(database)
    assert [alert["detail"][each] for each in ("reported", "total")] == [11_000_00, 11_500_00]
    assert record(pit, filing="amended", reference="31000123456790").ok
    assert on_the_board(database) == []
    pit.say("table.buy-in", seat=3, amount=100_00, confirmed=True)
    assert len(on_the_board(database)) == 1


def test_who_looks_alike_and_has_no_cash_any_more_is_in_the_report_that_is_to_be_amended(
    pit, database
):
    pit.say("table.seat", seat=4, patron="p-10417")
    pit.say("table.buy-in", seat=4, amount=500_00)
    assert record(pit).ok
    first, last = (ask(database, REPORTS["cash-log"]).rows[each]["position"] for each in (0, -1))
    corrected(pit, last, withdrawn=True)
    (row,) = ask(database, REPORTS["ctr"]).rows
    assert (row["patron"], row["since_filed"]) == ("P-10417", -500_00)
    corrected(pit, first, withdrawn=True)
    (row,) = ask(database, REPORTS["ctr"]).rows
    assert (row["patron"], row["agents"], row["total"]) == ("P-10417", ["p-10417"], 5_000_00)


def test_one_report_with_the_cash_of_several_is_to_be_amended_once(pit, database):
    pit.say("table.seat", seat=4, patron="P-6")
    pit.say("table.buy-in", seat=4, amount=4_000_00)
    for agent in ("P-10417", "P-6"):
        pit.say("patron.file", patron=agent, on_behalf_of="P-900", from_day=DAY)
    assert record(pit).ok
    rows = ask(database, REPORTS["cash-log"], patron="P-10417").rows
    for row in rows:
        corrected(pit, row["position"], withdrawn=True)
    (alert,) = to_amend(database)

    assert alert["detail"]["patron"] == "P-10417"
    assert record(pit, filing="amended", reference="31000123456790").ok
    assert on_the_board(database) == []


def test_one_transaction_that_falls_below_is_seen_by_itself(dispatcher, database):
    sydney(dispatcher)
    pit = GamingTable(dispatcher)
    pit.moment = BEGINS.replace(hour=22)
    position = ask(database, REPORTS["ctr"]).rows[0]["components"][0]["position"]
    assert record(pit, reference="R-1", position=position).ok
    corrected(pit, position, amount=9_000_00)
    (row,) = [each for each in ask(database, REPORTS["ctr"]).rows if each["threshold"] == "ttr"]
    assert (row["total"], row["since_filed"]) == (9_000_00, -3_000_50)
    assert len(to_amend(database)) == 1
