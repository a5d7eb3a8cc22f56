"""The statements of the page about other engines answer what a group's reports answer.

DuckDB runs them; `scripts/engines` brings ClickHouse, and a parser for Trino's.
"""

import json
import re
from contextlib import closing

import duckdb
import pytest
from msgspec.structs import replace

from ops.group import members
from ops.group.asking import EVERYTHING, ask, rows_of
from ops.group.counting import count
from ops.group.pulling import pull
from ops.group.questions import REPORTS
from ops.ledger import clock
from ops.ledger.files import data_home
from ops.manual.topics import PAGES
from ops.simulation.run import Plan, dispatch_all
from tests.worlds.group_of_houses import added, log_of, speaking

BLOCK = re.compile(r"<!-- (\w+) -->\n```sql\n(.+?)```", re.DOTALL)
STATEMENTS = BLOCK.findall((PAGES / "engines.md").read_text())
BY_NAME = dict(STATEMENTS)
TABLES = ("table_wins", "commission_owed", "patron_identities")
SAME = ("win", "owed", "then")


@pytest.fixture(scope="module")
def home(server, tmp_path_factory):
    """The home of a group of two houses that were counted; one knows a patron by two names."""
    place = tmp_path_factory.mktemp("engines")
    with pytest.MonkeyPatch.context() as patch, server.database() as database:
        patch.setenv("SABOT_HOME", str(place / "group"))
        with speaking(database, made_up=True) as dispatcher:
            lines = Plan(tables=3, coups=12, seed=7, days=2).lines([1, 2, 3])
            assert dispatch_all(dispatcher.dispatch, lines, lambda _: None).unexpected == []
            for alias in ("P-103", "P-104"):
                known = {"command": "patron.identify", "patron": alias, "is": "M-1", "by": "S-11"}
                answer = dispatcher.dispatch(known)
                assert answer.ok, str(answer)
        for name in ("harbour", "riverside"):
            house = log_of(database, place / name)
            if name == "riverside":  # in the middle of an evening, when commission is owed
                del house.entries[len(house.entries) * 2 // 5 :]
            of = added(house.sign())
            assert not pull(of, clock.wall_clock()).stopped
            count(of)
        yield data_home()


@pytest.fixture(scope="module")
def expected(home):
    """What the group's own reports answer, by the name of a statement."""
    houses = members.pulled()
    win = ask(REPORTS["win"], houses).rows
    owed = ask(REPORTS["owed"], houses, ("property", "patron"))
    before = ask(REPORTS["win"], [members.named("harbour")]).houses
    [then] = rows_of(
        REPORTS["win"], [replace(each, position=500) for each in before], ("property",), EVERYTHING
    )
    assert any(row["win"] for row in win)
    assert any(row["outstanding"] for row in owed.rows)
    return {
        "win": [(row["property"], row["win"], row["not_counted"]) for row in win],
        "owed": sorted(
            (row["property"], row["patron"], row["charged"], row["outstanding"])
            for row in owed.rows
        ),
        "then": [(then["property"], then["win_by_wagers"])],
    }


@pytest.mark.parametrize("name", SAME)
def test_duckdb_answers_what_the_reports_answer(home, expected, name):
    with closing(duckdb.connect()) as connection:
        for table in TABLES:
            files = f"{home}/group-view/{table}/*/*/facts.parquet"
            connection.execute(f"CREATE VIEW {table} AS SELECT * FROM read_parquet('{files}')")
        assert connection.execute(BY_NAME[name]).fetchall() == expected[name]


@pytest.mark.parametrize("name", SAME)
def test_clickhouse_answers_what_the_reports_answer(home, expected, name):
    pytest.importorskip("chdb", reason="scripts/engines brings it")
    from chdb.session import Session

    with closing(Session()) as session:
        for table in TABLES:
            made = BY_NAME["clickhouse"].replace("table_wins", table)
            session.query(made.replace("group-view", f"{home}/group-view"))
        answered = session.query(BY_NAME[name], "JSONCompact")
        rows = json.loads(str(answered))["data"]
    got = [tuple(value if n == 0 else _number(value) for n, value in enumerate(r)) for r in rows]
    assert got == expected[name]


def _number(value):
    """JSON of ClickHouse has large integers as text."""
    return int(value) if re.fullmatch(r"-?\d+", str(value)) else value


@pytest.mark.parametrize("statement", [sql for name, sql in STATEMENTS if name != "clickhouse"])
def test_the_statements_for_trino_can_be_parsed_as_its_own(statement):
    sqlglot = pytest.importorskip("sqlglot", reason="scripts/engines brings it")
    [parsed] = sqlglot.parse(statement, read="trino", error_level=sqlglot.ErrorLevel.RAISE)
    assert parsed.sql(dialect="trino")
