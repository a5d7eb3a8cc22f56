"""A coup that was opened and has neither a bet nor a card ends unused, and is not counted."""

import pytest

from domain.rules import addresses
from ops.replay.coup_record import one
from ops.replay.readjudicate import walk
from ops.replay.shoes_of_range import Range
from ops.reports.ask import ask
from projections import REPORTS
from tests.acceptance.channels import shell
from tests.worlds.gaming_table import BANKER_WINS, DAY
from tests.worlds.stranger import judged
from tests.worlds.twin_tables import TWO, TwinTable

UNUSED = f"B01/{DAY}/1/2"


@pytest.fixture
def table(dispatcher):
    """One coup is settled, and a second one open; its one bet was taken back."""
    table = TwinTable(dispatcher, "B01").begin()
    table.play(BANKER_WINS, (3, "player", 100_00))
    table.bet(5, "player", 100_00)
    assert table.say("withdraw", seat=5).ok
    return table


def end_shoe(table):
    return table.ask("shoe.end", reason="the cards are worn", **TWO)


def roll_over(table):
    return table.ask("table.roll-over", closer={"10000": 201}, confirmed=True, **TWO)


def rows(database, report, *columns, **narrowed):
    return [tuple(row[name] for name in columns) for row in ask(database, REPORTS[report]).rows]


@pytest.mark.parametrize("ends", [end_shoe, roll_over])
def test_it_ends_with_its_shoe_or_its_day_and_is_not_counted(table, database, ends):
    answer = ends(table)
    with database.session("sabot_auditor") as connection:
        adjudicated = one(connection, addresses.Coup.parse(UNUSED))
    walked = walk(database, Range())[1]

    assert answer.ok, answer.body
    assert {"LeftUnused", "CoupNotDealt"} <= {each["type"] for each in answer.body["events"]}
    assert rows(database, "coup", "phase") == [("settled",), ("unused",)]
    assert rows(database, "shoe-log", "coups") == [(1,)]
    assert rows(database, "voids", "kind") == []
    assert (walked.coups, walked.open, walked.voided, walked.disagreeing) == (2, 0, 0, [])
    assert (adjudicated.agrees, adjudicated.replay.phase) == (True, "unused")


@pytest.mark.parametrize("ends", [end_shoe, roll_over])
def test_nothing_in_it_can_be_put_right(table, ends):
    ends(table)
    wagered = {"coup": UNUSED, "seat": 5, "spot": "player"}
    refused = [
        table.ask("void", coup=UNUSED, reason="a slip", **TWO),
        table.ask("coup.correct-card", coup=UNUSED, n=1, card="9S", reason="a slip", **TWO),
        table.ask("correct", **wagered, to=100_00, reason="a slip", **TWO),
    ]

    assert [each.body["error"] for each in refused] == ["CoupOver", "NotFound", "CoupOver"]


def test_after_a_roll_over_the_next_coup_takes_the_next_number(table, database):
    roll_over(table)
    settled = table.play(BANKER_WINS, (3, "player", 100_00))

    assert settled.body["coup"] == f"B01/{DAY}/1/3"
    assert rows(database, "shoe-log", "coups") == [(2,)]


def test_a_coup_with_a_bet_stays_in_play(table):
    table.bet(5, "player", 100_00)

    assert [ends(table).body["error"] for ends in (end_shoe, roll_over)] == ["CoupNotFinished"] * 2


def test_its_page_and_its_pack_say_so_and_a_stranger_finds_the_pack_good(table, database, tmp_path):
    end_shoe(table)
    page = shell(database, "replay", UNUSED)
    exported = shell(database, "replay", UNUSED, "--export", tmp_path / "unused")
    verified = judged(tmp_path / "unused.json")

    assert exported.exit_code == 0
    assert "without a bet and without a card" in page.stdout
    assert ("WRONG" in verified.stdout, verified.returncode) == (False, 0), verified.stdout
