"""A report that was recorded with a wrong number, day or patron is taken back, the newest first."""

import json

import pytest

from ops.reports.ask import ask
from ops.words.events import sentences
from projections import REPORTS
from tests.acceptance.channels import shell
from tests.worlds.cash_over import over_the_amount
from tests.worlds.gaming_table import DAY

CASE = "AML-2026-0001"
TWO = {"by": "SV-1", "with": "A-1"}


@pytest.fixture
def pit(dispatcher):
    """P-10417 brought 6,000 and 5,000 under the regime of the United States."""
    return over_the_amount(dispatcher)


BACK = {"withdrawn": True, "text": "typed twice"}


def record(pit, reference, **more):
    asked = {"patron": "P-10417", "of_day": DAY, "reference": reference, "by": "C-1"}
    return pit.ask("filing.record", **{**asked, **more})


def filed(pit, reference, **more):
    return pit.ask("aml.filed", **{"aml_case": CASE, "reference": reference, "by": "SV-1", **more})


def reported(database):
    (row,) = [each for each in ask(database, REPORTS["ctr"]).rows if each["direction"] == "in"]
    return row["reference"], str(row["filed_on"]) if row["filed_on"] else None


def of_case(database):
    (row,) = ask(database, REPORTS["aml-cases"]).rows
    return row["filings"], row["reference"], row["filed_on"] and str(row["filed_on"])


def test_a_mistyped_report_of_cash_is_taken_back_and_recorded_anew(pit, database):
    assert record(pit, "R-1").ok
    assert record(pit, "R-2", filing="amended").ok
    refused = record(pit, "R-1", **BACK)
    assert (refused.error, "newest first: R-2" in refused.reason) == ("BadValue", True)
    assert record(pit, "R-2", **BACK).ok
    assert reported(database) == ("R-1", DAY)
    taken = record(pit, "R-1", **BACK)
    (words,) = sentences(taken.body["events"], "USD")
    assert str(words).endswith(" is taken back. Reason: typed twice")
    assert reported(database) == (None, None)
    assert record(pit, "R-1", **BACK).error == "BadValue"
    assert record(pit, "R-3", filing="amended").error == "BadValue"
    assert record(pit, "R-3").ok

    assert reported(database) == ("R-3", DAY)


def test_what_a_report_ended_waits_again_once_it_is_taken_back(pit, database):
    def waiting():
        board = json.loads(shell(database, "board", "--json").stdout)["alerts"]
        known = {"cash over", "report to amend"}
        return [each["kind"] for each in board if each["kind"] in known]

    assert waiting() == ["cash over"]
    assert record(pit, "R-1").ok
    assert waiting() == []
    assert record(pit, "R-1", **BACK).ok
    assert waiting() == ["cash over"]
    assert record(pit, "R-2").ok
    pit.say("table.buy-in", seat=3, amount=500_00)
    assert waiting() == ["report to amend"]
    assert record(pit, "R-3", filing="amended").ok
    assert waiting() == []
    assert record(pit, "R-3", **BACK).ok
    assert waiting() == ["report to amend"]
    pit.say("table.buy-in", seat=3, amount=500_00)
    assert waiting() == ["report to amend"]  # of all the cash, once
    assert record(pit, "R-4", filing="amended").ok
    assert waiting() == []


def test_a_report_with_the_cash_of_several_is_taken_back_of_each(pit, database):
    pit.say("table.seat", seat=4, patron="P-6")
    pit.say("table.buy-in", seat=4, amount=4_000_00)
    for agent in ("P-10417", "P-6"):
        pit.say("patron.file", patron=agent, on_behalf_of="P-900", from_day=DAY)
    assert record(pit, "R-1").ok
    refused = record(pit, "R-1", patron="P-6", **BACK)
    assert "was recorded for P-10417" in refused.reason
    assert record(pit, "R-1", **BACK).ok

    assert reported(database) == (None, None)
    assert record(pit, "R-2", patron="P-6").ok


def test_a_mistyped_report_of_a_case_is_taken_back_also_when_it_is_closed(pit, database):
    pit.say("aml.open", patron="P-10417", text="why", by="SV-1")
    pit.say("aml.decide", aml_case=CASE, decision="report", text="so", **TWO)
    assert filed(pit, "R-1").ok
    assert filed(pit, "R-2", filing="amended").ok
    assert pit.ask("aml.close", aml_case=CASE, text="done", by="SV-1").ok
    assert filed(pit, "R-1", **BACK).error == "BadValue"
    assert filed(pit, "R-2", **BACK).ok
    assert of_case(database) == (1, "R-1", DAY)
    assert filed(pit, "R-1", **BACK).ok
    assert of_case(database) == (0, None, None)
    assert filed(pit, "R-1", **BACK).error == "BadValue"
    assert filed(pit, "R-3").ok

    assert of_case(database) == (1, "R-3", DAY)


def test_a_narrow_screen_keeps_by_when_a_report_is_due_and_when_it_was_filed(pit, database):
    pit.say("aml.open", patron="P-10417", text="why", by="SV-1")
    pit.say("aml.decide", aml_case=CASE, decision="report", text="so", **TWO)
    assert record(pit, "R-1").ok
    assert filed(pit, "R-2").ok
    narrow = {"env": {"COLUMNS": "80"}}
    of_cash, cases = (
        shell(database, "report", name, **narrow).stdout for name in ("ctr", "aml-cases")
    )
    dropped = of_cash.partition("No room for:")[2]
    assert of_cash.count(DAY) >= 2
    assert "due by" not in dropped
    assert "filed on" not in dropped
    assert "R-2" in cases


def test_why_a_report_is_taken_back_is_asked_for_and_on_record(pit, database):
    pit.say("aml.open", patron="P-10417", text="why", by="SV-1")
    pit.say("aml.decide", aml_case=CASE, decision="report", text="so", **TWO)
    for says in (record, filed):
        assert says(pit, "R-1").ok
        assert says(pit, "R-1", withdrawn=True).error == "MissingField"
        assert says(pit, "R-2", text="no withdrawal").error == "BadValue"
        assert says(pit, "R-1", **BACK).ok

    shown = shell(database, "aml", "show", CASE).output
    assert "typed twice" in shown
