"""`patrons-compared`: whose wagers are late or put right, at whose coups, beside an own count."""

import re

import pytest

from ops.reports.ask import ask
from projections import REPORTS
from tests.worlds.gaming_table import PLAYER_WINS

TWO = {"with": "S-11", "reason": "seen on the film"}


def rows(database, **narrowed):
    return {
        (row["patron"], row["dealer"]): row
        for row in ask(database, REPORTS["patrons-compared"], **narrowed).rows
    }


def times(row):
    return {each["kind"]: each["times"] for each in row["compared"]}


def test_who_is_always_late_with_one_dealer_is_named(pit, database):
    for n in range(30):
        if n == 20:
            pit.say("table.dealer", staff="D-205", by="S-11")
        pit.say("open")
        placed_at = pit.moment
        pit.bet(1, "player", 25_00)
        pit.bet(3, "banker", 25_00)
        suit = "CDHS"[n % 4]
        pit.deal(f"9{suit} 2{suit} K{suit} Q{suit}")  # 9 to 2
        if n >= 20:
            late = {"seat": 5, "spot": "player", "amount": 100_00, "late": True}
            pit.say("bet", at=placed_at.isoformat(), **late, **{"with": "S-11"})
        pit.say("settle")
    every = rows(database)

    assert {pair: row["coups"] for pair, row in every.items()} == {
        ("P-10411", "D-204"): 20,
        ("P-10417", "D-204"): 20,
        ("P-10411", "D-205"): 10,
        ("P-10417", "D-205"): 10,
        ("grey-jacket", "D-205"): 10,
    }
    assert times(every["grey-jacket", "D-205"]) == {"wager found late": 10}
    named = [pair for pair, row in every.items() for each in row["compared"] if each["named"]]
    assert named == [("grey-jacket", "D-205")]


def test_only_what_is_put_right_in_favour_counts(pit, database):
    """A payment that was raised counts, one that was lowered does not."""
    for _ in range(3):
        pit.play(PLAYER_WINS, (1, "player", 25_00), (3, "banker", 25_00))
    first = "B01/2026-11-21/1/1"
    pit.say("correct", coup=first, seat=3, spot="banker", to=100_00, **TWO)
    pit.say("correct", coup=first, seat=1, spot="player", to=25_00, **TWO)

    assert {pair: times(row) for pair, row in rows(database).items()} == {
        ("P-10411", "D-204"): {},
        ("P-10417", "D-204"): {"put right in favour": 1},
    }


@pytest.fixture
def no_statistics(database):
    """Nobody counts rows in passing, as PostgreSQL does by itself when a test takes long."""
    with database.connect_as_is() as superuser:
        tables = superuser.execute(
            "SELECT oid::regclass::text FROM pg_class"
            " WHERE relnamespace = 'projections'::regnamespace AND relkind = 'r'"
        ).fetchall()
        for (table,) in tables:
            superuser.execute(f"ALTER TABLE {table} SET (autovacuum_enabled = off)")
        yield
        for (table,) in tables:
            superuser.execute(f"ALTER TABLE IF EXISTS {table} RESET (autovacuum_enabled)")


@pytest.mark.usefixtures("no_statistics")
@pytest.mark.parametrize("name", ["patrons-compared", "dealers-compared", "ratings"])
def test_no_wager_is_compared_with_all_others_when_postgres_knows_no_better(pit, database, name):
    """Without statistics it takes every table for small, and joins each row with each."""
    for n in range(30):
        cards = "9{0} 2{0} K{0} Q{0}".format("CDHS"[n % 4])
        pit.play(cards, (1, "player", 25_00), (3, "banker", 25_00))
    report = REPORTS[name]
    assert ask(database, report).rows
    asked = dict.fromkeys(re.findall(r"%\((\w+)\)s", report.sql))
    with database.connect("sabot_projector") as connection:
        for way in ("hashjoin", "mergejoin", "seqscan"):  # whatever it knows of so few rows
            connection.execute(f"SET enable_{way} = off")
        [[plan]] = connection.execute(f"EXPLAIN (ANALYZE, FORMAT JSON) {report.sql}", asked)

    assert max(thrown_away(plan[0]["Plan"])) < 500


def thrown_away(plan):
    """How many pairs of rows were compared for nothing, by each step of a plan."""
    yield plan.get("Rows Removed by Join Filter", 0) * plan["Actual Loops"]
    for each in plan.get("Plans", ()):
        yield from thrown_away(each)
