"""The inventory slip of a shift: from the line to the report and the paper."""

import io

import pytest
from pypdf import PdfReader

from ops.ledger.installed import label
from projections import REPORTS
from tests.acceptance.channels import rows_of, shell
from tests.worlds.gaming_table import BANKER_WINS, DAY

S_12 = {"by": "S-11", "with": "S-12"}
CHIPS = {"10000": 199}


@pytest.fixture
def named(pit):
    """A pit in a house with three shifts."""
    setting = {"name": "shifts", "value": "day 06:00, swing 14:00, grave 22:00"}
    line = {"command": "property.set", **setting, "by": "A-1", "at": pit.moment.isoformat()}
    assert pit.dispatcher.dispatch(line).ok
    return pit


def counted(pit, **fields):
    (event,) = pit.say("table.shift-count", chips=CHIPS, **S_12, **fields).body["events"]
    return event


def test_the_tray_is_expected_to_hold_what_a_closer_should(named):
    named.play(BANKER_WINS, (3, "banker", 100_00))  # the tray pays 100.00
    named.say("commission.collect", seat=3, amount=5_00)
    named.say("table.buy-in", seat=1, amount=50_00)
    event = counted(named)

    assert 20_000_00 - 100_00 + 5_00 - 50_00 == event["expected"]
    assert ("swing", 19_900_00, 45_00, "report", "S-11", "S-12") == tuple(
        event[name] for name in ("shift", "total", "variance", "level", "counted_by", "signed_by")
    )


def test_a_coup_in_play_is_settled_before_the_count(named):
    named.bet(3, "banker", 100_00)
    refused = named.ask("table.shift-count", chips=CHIPS, **S_12).body
    named.say("withdraw", seat=3, spot="banker")

    assert "CoupNotFinished" == refused["error"]
    assert named.ask("table.shift-count", chips=CHIPS, **S_12).ok


def test_a_shift_may_be_named(named):
    assert "grave" == counted(named, shift="grave")["shift"]


def test_the_report_and_the_exceptions_have_every_count(named, database):
    counted(named)
    names = ("moment", "shift", "total", "variance", "level", "counted_by", "signed_by")

    assert [
        ("opener", None, 20_000_00, None, "none", "D-204", "S-11"),
        ("shift", "swing", 19_900_00, -100_00, "regulator", "S-11", "S-12"),
    ] == rows_of(database, *names, report=REPORTS["inventory"])
    assert [("shift variance", "B01")] == rows_of(
        database, "kind", "table", report=REPORTS["exceptions"]
    )


def test_the_slip_has_the_chips_and_a_line_for_each_signature(named, database, tmp_path):
    file = tmp_path / "slip.pdf"
    counted(named)
    words = shell(database, "shift", "slip", f"B01/{DAY}", "swing")
    written = shell(database, "shift", "slip", f"B01/{DAY}", "swing", "--pdf", str(file))
    (page,) = PdfReader(io.BytesIO(file.read_bytes())).pages

    assert (0, 0) == (words.exit_code, written.exit_code)
    for text in (words.stdout, page.extract_text()):
        assert f"· {label()}" in text
        assert all(each in text for each in ("199", "19,900.00", "20,000.00", "S-11", "S-12"))


def test_there_is_no_slip_without_a_count(named, database):
    result = shell(database, "shift", "slip", f"B01/{DAY}", "day")

    assert 1 == result.exit_code
    assert f"The ledger has no count of the day shift of B01/{DAY}." in result.stderr
