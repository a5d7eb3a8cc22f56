"""An event that a newer Sabot recorded: it stops what must understand it, and nothing else."""

import json

import pytest
from eventsourcing.persistence import StoredEvent

from domain.aggregates.table_day import TableDay
from domain.rules.addresses import TableDay as Address
from ops.ledger.appending import Decision
from ops.ledger.recorder import Ledger
from projections import REPORTS
from tests.acceptance.channels import accepted, json_of, shell
from tests.worlds.gaming_table import BEGINS, DAY, GamingTable

NEWER = "table-day.perfumed"


def recorded_by_newer(database, superuser, table):
    """An event of a kind that this program does not know, on the stream of a table day."""
    superuser.execute("INSERT INTO ledger.event_kinds VALUES (%s)", (NEWER,))
    stream = TableDay.stream(Address.parse(f"{table}/{DAY}"))
    (version,) = superuser.execute(
        "SELECT max(originator_version) + 1 FROM ledger.events WHERE originator_id = %s", (stream,)
    ).fetchone()
    state = json.dumps({"at": BEGINS.isoformat(), "scent": "rose"}).encode()
    decision = Decision(
        command_id="of-newer",
        content=b"\0" * 32,
        answer="{}",
        actor="D-1",
        metadata=json.dumps({"app": "9.0", "mouth": "feed", "late": True}),
        places={stream: (BEGINS.date(), table)},
    )
    ledger = Ledger(database)
    ledger.append([StoredEvent(stream, version, NEWER, state)], decision)
    ledger.close()


WORDS = f"a newer Sabot recorded {NEWER}, which this one does not know. Upgrade this program."


@pytest.fixture
def house(dispatcher, another, database, superuser):
    """Two tables; at one of them a newer program has recorded something."""
    GamingTable(dispatcher).open()
    GamingTable(another(), table="B02").open()
    recorded_by_newer(database, superuser, "B01")
    return database


def test_a_table_with_it_takes_nothing_and_says_why(house, superuser):
    asked = "SELECT count(*) FROM ledger.events"
    before = superuser.execute(asked).fetchone()
    result = shell(house, "table", "seat", "B01", "7", "P-7")

    assert 3 == result.exit_code
    assert f"The ledger has the event {NEWER}" in result.stderr
    assert "Upgrade this program" in result.stderr
    assert before == superuser.execute(asked).fetchone()


def test_every_other_table_goes_on(house):
    accepted(house, [{"command": "table.seat", "table": "B02", "seat": 7, "patron": "P-7"}])


def test_the_board_shows_all_tables_and_names_the_one(house):
    board = json_of(house, "board")

    assert ["B01", "B02"] == sorted(row["table"] for row in board["tables"])
    assert [f"B01: {WORDS}"] == [
        alert["detail"]["why"] for alert in board["alerts"] if alert["kind"] == "record unreadable"
    ]
    assert "B01: a newer Sabot recorded" in shell(house, "board", "--once").stdout


def test_no_report_stops(house):
    """Also not those of what was entered late, which have rows of any event."""
    said = {name: shell(house, "report", name) for name in REPORTS}

    assert dict.fromkeys(REPORTS, (0, "")) == {
        name: (result.exit_code, result.stderr) for name, result in said.items()
    }
    assert "Perfumed, which this one does not know." in shell(house, "report", "exceptions").stdout
