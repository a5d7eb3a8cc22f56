"""Days of a case: which are possible, when a term ends, and what is said once it is over."""

import pytest

from ops.reports.ask import ask
from ops.words.events import sentences
from projections import REPORTS
from tests.acceptance.channels import shell
from tests.worlds.cash_over import over_the_amount
from tests.worlds.gaming_table import DAY, GamingTable
from tests.worlds.sydney import sydney

CASE = "AML-2026-0001"
TWO = {"by": "SV-1", "with": "A-1"}


@pytest.fixture
def pit(dispatcher):
    """P-10417 brought 6,000 and 5,000 under the regime of the United States."""
    return over_the_amount(dispatcher)


def opened(pit, **more):
    return pit.ask("aml.open", **{"patron": "P-10417", "text": "why", "by": "SV-1", **more})


def filed(pit, **more):
    return pit.ask("aml.filed", **{"aml_case": CASE, "reference": "310", "by": "SV-1", **more})


def recorded(pit, **more):
    asked = {"patron": "P-10417", "of_day": DAY, "reference": "31000123456789", "by": "C-1"}
    return pit.ask("filing.record", **{**asked, **more})


def test_nothing_is_noticed_before_the_alert_or_before_all_that_is_evidence(pit, database):
    alert = next(row for row in ask(database, REPORTS["alerts"]).rows if row["kind"] == "cash over")
    one, two = [each["position"] for each in ask(database, REPORTS["cash-log"]).rows]
    refused = [
        opened(pit, alert=alert["alert"], detected="2026-11-20"),
        opened(pit, positions=[two, one], detected="2026-11-20"),
        opened(pit, detected="2026-11-22"),
    ]

    assert [each.error for each in refused] == ["BadValue"] * 3
    assert f"#{one} happened on 2026-11-21, and was not noticed before" in refused[1].reason
    assert opened(pit, alert=alert["alert"], detected=DAY).ok
    assert opened(pit, detected="2026-11-20").ok  # somebody told the house


def test_no_report_is_filed_before_what_it_is_about_or_before_the_one_that_it_corrects(pit):
    assert opened(pit, detected="2026-11-20").ok
    assert pit.ask("aml.decide", aml_case=CASE, decision="report", text="so", **TWO).ok
    refused = [
        filed(pit, filed_on="2026-11-19"),
        filed(pit, filed_on="2026-11-22"),
        recorded(pit, filed_on="2026-11-20"),
        recorded(pit, filed_on="2026-11-22"),
    ]
    assert [each.error for each in refused] == ["BadValue"] * 4
    assert "of 2026-11-20. Write `filed_on` anew" in refused[0].reason
    assert filed(pit, filed_on="2026-11-21").ok
    assert filed(pit, filing="amended", filed_on="2026-11-20").error == "BadValue"
    assert filed(pit, filing="amended", filed_on="2026-11-21").ok


def test_a_term_is_shown_with_its_last_day_and_what_cannot_wait_with_its_moment(
    dispatcher, database
):
    sydney(dispatcher)
    pit = GamingTable(dispatcher)
    pit.moment = pit.moment.replace(hour=22)
    whole = opened(pit)
    urgent = opened(pit, urgent=True)
    said = [" ".join(map(str, sentences(each.body["events"], "AUD"))) for each in (whole, urgent)]
    printed = shell(database, "report", "aml-cases").stdout

    assert "A report is due until 2026-11-25." in said[0]
    assert "A report is due until 2026-11-22 22:0" in said[1]
    assert "2026-11-25" in printed
    assert "11-22 22:0" in printed


def test_a_break_that_ends_with_a_day_is_shown_with_that_day(pit, database):
    taken = pit.say("patron.break", patron="P-10417", ends="2026-12-01T00:00:00+00:00")
    (said,) = sentences(taken.body["events"], "USD")

    assert str(said) == "P-10417 takes a break until 2026-11-30."
    assert "2026-11-30" in shell(database, "report", "limits").stdout


def test_a_case_whose_term_is_over_says_so_when_it_is_opened(pit):
    late = opened(pit, detected="2026-10-01")
    in_time = opened(pit, detected="2026-11-01")
    said = [" ".join(map(str, sentences(each.body["events"], "USD"))) for each in (late, in_time)]

    assert "A report was due until 2026-10-31, which is over: decide and file it now." in said[0]
    assert "A report is due until 2026-12-01." in said[1]


def test_who_makes_a_report_that_two_people_decided_against_reads_so(pit, database):
    assert opened(pit).ok
    assert pit.ask("aml.decide", aml_case=CASE, decision="no-report", text="so", **TWO).ok
    against = shell(database, "filing", "sar", CASE).output
    assert pit.ask("aml.decide", aml_case=CASE, decision="report", text="so", **TWO).ok
    decided = shell(database, "filing", "sar", CASE).output
    assert filed(pit).ok
    twice = shell(database, "filing", "sar", CASE).output

    assert f"Two people decided that {CASE} is not reported." in " ".join(against.split())
    assert "not reported" not in decided
    assert "It was reported on 2026-11-21, number 310." in " ".join(twice.split())
