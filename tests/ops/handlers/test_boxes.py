"""Drop boxes: from the line to the drop, the report, the exceptions and the count report."""

import io
import random
from datetime import timedelta

import pytest
from pypdf import PdfReader

from ops.board.board import Board
from ops.words.alerts import alert_words
from projections import REPORTS
from tests.acceptance.channels import rows_of, shell
from tests.worlds.closed_house import OPEN, ClosedHouse
from tests.worlds.gaming_table import BEGINS, DAY

pytestmark = pytest.mark.usefixtures("held")

TEAM = {"by": "C-1", "with": "C-2", "third": "C-3"}
R_1 = {"by": "R-1", "with": "S-11"}


def say(pit, command, **fields):
    """A line of the house's, in the pit's own time."""
    return pit.say(command, **{**R_1, **fields})


def put_on(pit, box="X-1", table="B01"):
    return say(pit, "box.attach", box=box, table=table)


def counted(pit, amount, box="X-1"):
    """The box is removed, carried and counted; the events of the count."""
    say(pit, "box.remove", box=box)
    say(pit, "box.carry", box=box)
    return say(pit, "box.count", box=box, amount=amount, **TEAM).body["events"]


def rows(database, report, *names, **narrowed):
    return rows_of(database, *names, report=REPORTS[report], **narrowed)


def test_the_count_of_a_box_is_the_drop_of_its_table_day(pit, database):
    put_on(pit)
    pit.say("table.buy-in", seat=1, amount=900_00)
    events = counted(pit, 900_00)

    assert ["BoxCounted", "BoxOpened", "BoxesCounted", "DropCounted"] == [
        event["type"] for event in events
    ]
    assert [(900_00,)] == rows(database, "table-win", "drop")
    assert [("X-1", "B01", DAY, 900_00, 900_00, 0, "R-1, S-11", "C-1, C-2, C-3")] == rows(
        database,
        "boxes",
        *("box", "table", "day", "amount", "table_figure", "difference"),
        *("removed_by", "counted_by"),
    )
    assert [] == rows(database, "exceptions", "kind")


@pytest.mark.parametrize(
    ("typed", "amount", "exceptions"),
    [(None, 900_00, 0), (None, 899_00, 1), (900_00, 900_00, 0), (899_00, 900_00, 1)],
)
def test_a_box_that_differs_from_the_table_or_the_entered_drop_is_an_exception(
    pit, database, typed, amount, exceptions
):
    put_on(pit)
    pit.say("table.buy-in", seat=1, amount=900_00)
    if typed:
        pit.say("table.drop", amount=typed)
    counted(pit, amount)

    assert [("box difference", "B01")] * exceptions == rows(database, "exceptions", "kind", "table")
    assert [(amount,)] == rows(database, "table-win", "drop")


def test_a_box_stays_on_over_a_roll_over_and_belongs_to_the_day_before(pit):
    put_on(pit)
    pit.end_shoe()
    pit.say("table.roll-over", closer={"10000": 200}, **{"with": "S-11"})
    refused = pit.ask("box.attach", box="X-2", table="B01").body

    assert "Box X-1 is on B01. Remove it first, with `box remove`." == refused["message"]
    say(pit, "box.remove", box="X-1")
    (event, *_) = put_on(pit, "X-2").body["events"][1:]
    assert "B01/2026-11-22" == event["table_day"]


def test_a_box_is_in_the_shift_of_the_middle_of_its_time_on_the_table(pit, database):
    setting = {"name": "shifts", "value": "day 06:00, swing 14:00, grave 22:00"}
    say(pit, "property.set", **setting)
    put_on(pit)
    pit.moment = pit.moment.replace(hour=23, minute=0)
    say(pit, "box.remove", box="X-1")

    assert [("swing",)] == rows(database, "boxes", "shift")


@pytest.mark.parametrize("command", ["box.remove", "box.carry", "box.count"])
def test_a_box_that_was_never_used_is_not_found(pit, command):
    more = {"amount": 1, **TEAM} if command == "box.count" else R_1
    refused = pit.ask(command, box="X-9", **more).body

    assert ("NotFound", "The ledger has no box X-9.") == (refused["error"], refused["message"])


def test_a_box_goes_to_an_open_table_only(pit):
    assert "TableClosed" == pit.ask("box.attach", box="X-1", table="B09", **R_1).body["error"]


def test_the_boxes_of_a_day_together_have_the_cash_of_its_table(pit, database):
    """Whatever is bought in while a box is on counts for that box, and all of it for the day."""
    cash, chance = 0, random.Random(20)
    for box in ("X-1", "X-2", "X-3"):
        put_on(pit, box)
        for _ in range(chance.randint(0, 4)):
            amount = chance.randint(1, 50) * 10_00
            pit.say("table.buy-in", seat=chance.choice((1, 3, 5)), amount=amount)
            cash += amount
        say(pit, "box.remove", box=box)
        say(pit, "box.carry", box=box)
    figures = [figure for (figure,) in rows(database, "boxes", "table_figure")]
    for box, figure in zip(("X-1", "X-2", "X-3"), figures, strict=True):
        say(pit, "box.count", box=box, amount=figure, **TEAM)

    assert (cash, 3) == (sum(figures), len(figures))
    assert [(cash,)] == rows(database, "table-win", "drop")
    assert [] == rows(database, "exceptions", "kind")


def test_the_count_report_has_every_box_and_three_lines_for_signatures(pit, database, tmp_path):
    put_on(pit)
    pit.say("table.buy-in", seat=1, amount=900_00)
    counted(pit, 880_00)
    file = tmp_path / "count.pdf"
    shown = shell(database, "box", "report", DAY)
    written = shell(database, "box", "report", DAY, "--pdf", str(file))
    (page,) = PdfReader(io.BytesIO(file.read_bytes())).pages
    text = page.extract_text()

    assert (0, 0) == (shown.exit_code, written.exit_code)
    assert "-20.00" in shown.stdout
    assert 3 == text.count("Counted by, name and number, date")
    assert all(each in text for each in ("X-1", "880.00", "900.00", "-20.00"))


def test_in_a_closed_house_security_carries_and_the_count_room_counts(server):
    people = {"A-1": "administrator", "D-204": "dealer", "S-11": "supervisor", "R-1": "security"}
    team = {"C-1": "cage", "C-2": "cage", "C-3": "auditor"}
    with server.database() as database:
        house = ClosedHouse(database, people | team)
        house.ask("D-204", **OPEN, **{"with": "S-11"})
        steps = (
            ("S-11", {"command": "box.attach", "box": "X-1", "table": "B01"}, {}),
            ("R-1", {"command": "box.remove", "box": "X-1"}, {"with": "S-11"}),
            ("R-1", {"command": "box.carry", "box": "X-1"}, {"with": "C-1"}),
        )
        for staff, line, second in steps:
            assert house.ask(staff, **line, **second)["ok"]
        line = {"command": "box.count", "box": "X-1", "amount": 900_00}
        floor = house.ask("S-11", **line, third="C-3", **{"with": "C-2"})
        with_floor = house.ask("C-1", **line, third="S-11", **{"with": "C-2"})
        twice = house.ask("C-1", **line, third="C-2", **{"with": "C-2"})
        done = house.ask("C-1", **line, third="C-3", **{"with": "C-2"})
        house.close()

    assert ["NotPermitted", "NotPermitted", "SecondPersonNeeded"] == [
        each["error"] for each in (floor, with_floor, twice)
    ]
    assert done["ok"]


def waiting(database, hours):
    """What the board says of boxes that wait, so many hours into the evening."""
    board = Board(database, now=lambda: BEGINS + timedelta(hours=hours))
    try:
        return [
            alert_words(each.kind, each.detail, "USD")
            for each in board.once().alerts
            if each.kind == "box not counted"
        ]
    finally:
        board.close()


def test_a_box_that_was_taken_off_and_not_counted_is_an_alert_after_the_houses_hours(pit, database):
    say(pit, "property.set", name="box_hours", value=12)
    put_on(pit)
    removed = say(pit, "box.remove", box="X-1").body["position"]

    assert [] == waiting(database, 11)
    assert ["Box X-1 was taken off 12 hours ago, and did not come to the count room."] == waiting(
        database, 13
    )
    say(pit, "box.carry", box="X-1")
    assert ["Box X-1 was taken off 12 hours ago, and is in the count room, not counted."] == (
        waiting(database, 13)
    )
    early = pit.ask("alert.acknowledge", alert=f"box-not-counted/{removed - 1}", by="S-11").body
    assert "there is time until" in early["message"]
    say(pit, "box.count", box="X-1", amount=0, **TEAM)
    assert [] == waiting(database, 13)
