"""Late entry: what somebody enters late at a table in one go is one exception and one alert."""

from datetime import timedelta
from functools import partial

import pytest
from msgspec.structs import replace

from projections import PROJECTIONS, REPORTS
from projections.attention.exceptions import begins_late_entry
from projections.attention.late_entry import LONGEST_PAUSE
from tests.acceptance.channels import rows_of, shell
from tests.projections.grown import event
from tests.worlds.gaming_table import BEGINS, PLAYER_WINS, GamingTable

rows = partial(rows_of, report=REPORTS["exceptions"])
EXCEPTIONS = PROJECTIONS["exceptions"]


def late(pit, command, **fields):
    """A line that is entered half an hour late."""
    at = (pit.moment - timedelta(minutes=30)).isoformat()
    return pit.say(command, late=True, at=at, **fields)


def stretches(database):
    return [detail["commands"] for (detail,) in rows(database, "detail")]


def test_consecutive_late_commands_are_one_row_with_from_and_to(pit, database):
    pit.moment += timedelta(hours=1)
    first = late(pit, "table.buy-in", seat=3, amount=100_00)
    late(pit, "table.buy-in", seat=1, amount=100_00)
    pit.moment += timedelta(minutes=5)
    last = late(pit, "table.move", seat=1, to=2)
    ((at, table, kind, by, detail, rank),) = rows(
        database, "at", "table", "kind", "by", "detail", "rank"
    )

    assert (table, kind, by, rank) == ("B01", "late entry", "D-204", 2)
    assert (detail["commands"], detail["channel"]) == (3, "test")
    assert (at, detail["facts"]) == (detail["from"], first.body["events"])
    assert detail["to"] > detail["from"]
    assert detail["first_position"] == first.body["position"] - len(first.body["events"]) + 1
    assert detail["last_position"] == last.body["position"]
    assert detail["recorded_at"] < detail["recorded_until"]


def test_a_command_in_time_by_the_same_person_at_the_table_begins_another(pit, database):
    pit.moment += timedelta(hours=1)
    late(pit, "table.buy-in", seat=3, amount=100_00)
    pit.say("table.buy-in", seat=3, amount=100_00)
    late(pit, "table.buy-in", seat=3, amount=100_00)

    assert stretches(database) == [1, 1]


def test_what_others_do_or_the_same_person_elsewhere_ends_no_stretch(pit, database):
    other = GamingTable(pit.dispatcher, "B02").open()
    pit.moment += timedelta(hours=1)
    late(pit, "table.buy-in", seat=3, amount=100_00)
    pit.say("table.buy-in", seat=3, amount=100_00, by="S-11")
    other.say("table.buy-in", seat=3, amount=100_00)
    late(pit, "table.buy-in", seat=3, amount=100_00)

    assert stretches(database) == [2]


def test_two_people_and_two_tables_have_stretches_of_their_own(pit, database):
    other = GamingTable(pit.dispatcher, "B02").open()
    pit.moment = other.moment = pit.moment + timedelta(hours=1)
    for _ in range(2):
        late(pit, "table.buy-in", seat=3, amount=100_00)
        late(other, "table.buy-in", seat=3, amount=100_00)
        late(pit, "table.buy-in", seat=3, amount=100_00, by="S-11")

    assert stretches(database) == [2, 2, 2]


def test_an_acknowledged_stretch_gets_no_more(pit, database):
    pit.moment += timedelta(hours=1)
    answer = late(pit, "table.buy-in", seat=3, amount=100_00)
    (alert,) = alerts(database)
    line = {"command": "alert.acknowledge", "alert": alert, "by": "S-11"}
    assert pit.dispatcher.dispatch({**line, "at": pit.moment.isoformat()}).ok
    late(pit, "table.buy-in", seat=3, amount=100_00)

    assert stretches(database) == [1, 1]
    assert alert == f"late-entry/{answer.body['position'] - len(answer.body['events']) + 1}"


def alerts(database):
    return [name for (name,) in rows_of(database, "alert", report=REPORTS["alerts"])]


def test_only_the_first_position_of_a_stretch_names_its_alert(pit, database):
    pit.moment += timedelta(hours=1)
    late(pit, "table.buy-in", seat=3, amount=100_00)
    second = late(pit, "table.buy-in", seat=1, amount=100_00)
    begins = second.body["position"] - len(second.body["events"]) + 1
    line = {"command": "alert.acknowledge", "by": "S-11", "at": pit.moment.isoformat()}
    vain = pit.dispatcher.dispatch({**line, "alert": f"late-entry/{begins}"})
    (alert,) = alerts(database)

    assert vain.body["error"] == "NotFound"
    assert pit.dispatcher.dispatch({**line, "alert": alert}).ok


def entered(position, minutes, command):
    """An event that was entered late so many minutes into the evening."""
    recorded = BEGINS + timedelta(minutes=minutes)
    made = event("table-day.bought-in", patron="P-1")
    late = {"mouth": "terminal", "late": True}
    place = {"position": position, "table": "B01", "command_id": command}
    return replace(made, recorded_at=recorded, metadata=late, **place)


@pytest.mark.parametrize(("minutes", "begins"), [(0, False), (9, False), (10, True), (60, True)])
def test_a_pause_of_ten_minutes_ends_a_stretch(minutes, begins):
    assert timedelta(minutes=10) == LONGEST_PAUSE
    assert begins_late_entry([entered(1, 0, "a"), entered(2, minutes, "b")]) == begins


def test_the_pause_is_from_one_command_to_the_next():
    events = [entered(n + 1, 9 * n, f"c-{n}") for n in range(5)]

    assert not begins_late_entry(events)


def test_rows_made_anew_are_those_that_grew(pit, database):
    pit.moment += timedelta(hours=1)
    what = "at", "kind", "by", "detail", "rank"
    for n in range(3):
        late(pit, "table.buy-in", seat=3, amount=100_00)
        assert stretches(database) == [n + 1]  # read between two commands
    pit.play(PLAYER_WINS, (3, "player", 25_00))
    late(pit, "table.buy-in", seat=3, amount=100_00)
    grown = rows(database, *what)
    assert shell(database, "projections", "rebuild", "exceptions").exit_code == 0

    assert rows(database, *what) == grown
    assert stretches(database) == [3, 1]


def test_people_read_how_many_and_when(pit, database):
    pit.moment += timedelta(hours=1)
    for _ in range(2):
        late(pit, "table.buy-in", seat=3, amount=100_00)
    page = " ".join(shell(database, "report", "exceptions", env={"COLUMNS": "200"}).stdout.split())
    board = shell(database, "board", "--once", env={"COLUMNS": "200"}).stdout

    assert " for 20:30. 2 entries, #" in page
    assert "; the first: " in page
    assert "Recorded late. 2 entries, #" in board


def test_what_the_floor_may_not_learn_of_is_no_late_entry_and_in_none(pit, database):
    pit.moment += timedelta(hours=1)
    late(pit, "aml.open", patron="P-10417", text="walks about", by="SV-1")
    pit.say("table.buy-in", seat=3, amount=5_000_00)
    late(pit, "table.cash-out", seat=3, amount=5_000_00)
    ((detail,),) = rows(database, "detail")

    assert [each["type"] for each in detail["facts"]] == ["CashedOut", "CashCounted"]
