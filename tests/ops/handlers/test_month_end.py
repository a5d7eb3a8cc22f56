"""The audit of a gaming day, and the adjustments of a month: from the line to the paper."""

import io

import pytest
from pypdf import PdfReader

from projections import REPORTS
from tests.acceptance.channels import rows_of, shell
from tests.worlds.gaming_table import BANKER_WINS, DAY, GamingTable

pytestmark = pytest.mark.usefixtures("held")

TWO = {"by": "PB-2", "with": "S-11"}


def rows(database, report, *names, **narrowed):
    return rows_of(database, *names, report=REPORTS[report], **narrowed)


def audit(pit, **fields):
    return pit.say("master.audit", day=DAY, by="A-9", **fields).body


# The audit of a day's master figures.
def close(pit):
    """The position of the last event of the closing."""
    pit.end_shoe()
    return pit.say("table.close", closer={"10000": 200}, **{"with": "S-11"}).body["position"]


def count_drop(pit):
    return pit.say("table.drop", amount=100_00, **{"with": "S-11"}).body["position"]


def test_a_day_is_unaudited_then_audited_then_changed(pit, database):
    names = ("day", "audited", "audited_by", "changed", "text")

    assert [(DAY, False, None, None, None)] == rows(database, "audits", *names)
    close(pit)
    audit(pit, text="all tables agree")
    assert [(DAY, True, "A-9", False, "all tables agree")] == rows(database, "audits", *names)
    count_drop(pit)
    assert [(DAY, True, "A-9", True, "all tables agree")] == rows(database, "audits", *names)
    audit(pit)
    assert [(DAY, True, "A-9", False, "")] == rows(database, "audits", *names)


def test_an_audit_of_an_earlier_report_shows_what_changed_since(pit, database):
    before = close(pit)
    last = count_drop(pit)
    audit(pit, position=before)

    assert [(before, last, True)] == rows(database, "audits", "position", "newest", "changed")


def test_a_day_that_is_still_open_at_a_table_is_not_audited(pit, dispatcher, database):
    GamingTable(dispatcher, "B02").open()
    both = pit.ask("master.audit", day=DAY, by="A-9").body["message"]
    close(pit)
    one = pit.ask("master.audit", day=DAY, by="A-9").body["message"]

    assert f"Gaming day {DAY} was still open at B01, B02 at position" in both
    assert f"Gaming day {DAY} was still open at B02 at position" in one
    assert rows(database, "audits", "audited") == [(False,)]


def test_a_report_of_the_time_before_the_closing_is_not_audited(pit):
    before = pit.say("table.buy-in", seat=1, amount=100_00).body["position"]
    close(pit)
    refused = pit.ask("master.audit", day=DAY, position=before, by="A-9").body

    assert f"was still open at B01 at position {before}" in refused["message"]


def test_a_day_that_was_opened_again_is_open(pit):
    close(pit)
    pit.say("table.reopen", reason="opens at 20:00", opener={"10000": 200}, **{"with": "S-11"})

    assert not pit.ask("master.audit", day=DAY, by="A-9").ok


def test_another_day_and_a_setting_change_nothing_of_the_day(pit, database):
    close(pit)
    audit(pit)
    pit.say("property.set", name="idle_minutes", value="20")
    pit.open(day="2026-11-22")

    assert [(DAY, False), ("2026-11-22", None)] == rows(database, "audits", "day", "changed")


def test_a_day_that_has_not_begun_is_not_audited(pit):
    refused = pit.ask("master.audit", day="2026-11-22", by="A-9").body

    assert "Gaming day 2026-11-22 has not begun. Audit it when it is over." == refused["message"]


def test_the_position_of_the_report_is_typed_as_a_number(pit, database):
    position = close(pit)
    typed = shell(database, "master", "audit", DAY, "--position", str(position), "--by", "A-9")

    assert (0, [(position,)]) == (typed.exit_code, rows(database, "audits", "position"))


# Adjustments.
ADJUSTED = ("kind", "original", "before", "after", "difference")


@pytest.fixture
def listed(pit):
    """A pit in which corrections over 50.00 are listed."""
    pit.say("property.set", name="adjustment_report", value="50")
    return pit


def test_a_correction_over_the_threshold_is_listed_and_a_smaller_one_is_not(listed, database):
    listed.play(BANKER_WINS, (3, "banker", 100_00), (5, "player", 60_00))
    wager = {"coup": f"B01/{DAY}/1/1", "reason": "seen", **TWO}
    listed.say("correct", seat=5, spot="player", to=50_00, **wager)
    listed.say("correct", seat=3, spot="banker", to=100_00, **wager)

    assert [("payment corrected", f"B01/{DAY}/1/1 3 banker", 200_00, 100_00, -100_00)] == rows(
        database, "adjustments", *ADJUSTED
    )


def test_a_voided_coup_is_listed_with_what_changes_hands(listed, database):
    listed.play(BANKER_WINS, (3, "banker", 100_00))
    coup = f"B01/{DAY}/1/1"
    listed.say("void", coup=coup, reason="a torn card", **TWO)

    assert [("coup voided", coup, 200_00, 100_00, -100_00)] == rows(
        database, "adjustments", *ADJUSTED
    )
    assert [("a torn card", "PB-2", "S-11")] == rows(
        database, "adjustments", "reason", "requested_by", "approved_by"
    )


def test_what_the_trays_and_boxes_lack_is_listed(listed, database):
    day = f"B01/{DAY}"
    listed.say("box.attach", box="X-1")
    listed.say("table.buy-in", seat=1, amount=900_00)
    listed.end_shoe()
    listed.say("table.close", closer={"10000": 190}, **{"with": "S-11"})
    people = {"by": "R-1", "with": "S-11"}
    listed.say("box.remove", box="X-1", **people)
    listed.say("box.carry", box="X-1", **people)
    team = {"by": "C-1", "with": "C-2", "third": "C-3"}
    listed.say("box.count", box="X-1", amount=800_00, **team)

    assert [
        ("closer off", day, 19_100_00, 19_000_00, -100_00),
        ("box difference", day, 900_00, 800_00, -100_00),
    ] == rows(database, "adjustments", *ADJUSTED)


def test_the_threshold_is_the_one_of_its_time(pit, database):
    pit.play(BANKER_WINS, (3, "banker", 3_000_00))
    wager = {"coup": f"B01/{DAY}/1/1", "seat": 3, "spot": "banker", "reason": "seen", **TWO}
    pit.say("correct", to=3_500_00, **wager)
    pit.say("property.set", name="adjustment_report", value="10")
    pit.say("correct", to=3_480_00, **wager)

    assert [(2_000_00, -2_500_00), (10_00, -20_00)] == rows(
        database, "adjustments", "threshold", "difference"
    )


@pytest.mark.parametrize(("last", "many"), [(DAY, 1), ("2026-11-20", 0)])
def test_the_list_of_a_month_is_on_paper_with_its_signatures(
    listed, database, tmp_path, last, many
):
    listed.play(BANKER_WINS, (3, "banker", 100_00))
    listed.say("void", coup=f"B01/{DAY}/1/1", reason="a torn card", **TWO)
    file = tmp_path / "adjustments.pdf"
    days = ("--from", "2026-11-01", "--to", last)
    written = shell(database, "report", "adjustments", *days, "--pdf", str(file))
    (page,) = PdfReader(io.BytesIO(file.read_bytes())).pages
    text = page.extract_text()

    assert (0, many) == (written.exit_code, text.count("coup voided"))
    assert all(each in text for each in ("Prepared by, name", "Reviewed by, name"))
