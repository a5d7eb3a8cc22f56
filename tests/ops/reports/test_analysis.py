"""SQL for analysts: views that say what the reports say, to a role that may read nothing else."""

import os
import re

import psycopg
import pytest
from psycopg.conninfo import make_conninfo
from psycopg.errors import InsufficientPrivilege

from ops.commands.reader import Asked, require_reader
from ops.commands.signed_on import NOBODY
from ops.manual.topics import topic
from ops.reports.ask import ask
from ops.words.access import act_words
from projections import PROJECTIONS, REPORTS
from tests.acceptance.channels import json_of, shell

LOGIN, EXAMPLE = re.findall(r"```sql\n(.*?)```", topic("exports").text, re.DOTALL)
OF_TERMS = ("progressives", "promotions")  # no table of the night has a meter, or took a coupon
VIEWS = (
    *(
        "access",
        "adjustments",
        "audits",
        "boxes",
        "cards",
        "cash",
        "commission",
        "coups",
        "disputes",
        "events",
        "exceptions",
        "handles",
    ),
    *(
        "inventories",
        "patrons",
        "positions",
        "programs",
        "progress",
        "progressives",
        "promotions",
        "readings",
        "shoe_cards",
        "shoes",
        "slips",
    ),
    *("stays", "table_days", "vigorish_forms", "voids", "wagers"),
)


@pytest.fixture(scope="module")
def written(night):
    """The night, read by every report."""
    for report in REPORTS.values():
        ask(night, report)
    require_reader(night, Asked("board"), NOBODY)
    return night


@pytest.fixture(scope="module")
def analyst(written):
    """A login as the manual has it made, by a name of this run's own."""
    name = f"ann_{os.getpid()}"
    with written.connect_as_is() as superuser:
        superuser.execute(LOGIN.replace("ann", name))
        with psycopg.connect(make_conninfo(written.url, user=name), autocommit=True) as connection:
            yield connection
        superuser.execute(f"DROP ROLE {name}")


def test_an_analyst_reads_every_view(analyst):
    for view in VIEWS:
        rows = analyst.execute(f"SELECT * FROM analysis.{view}").fetchall()
        assert rows or view in OF_TERMS, view


def test_an_auditor_reads_them_too(written):
    with written.connect("sabot_auditor") as connection:
        for view in VIEWS:
            connection.execute(f"SELECT * FROM analysis.{view}")


@pytest.mark.parametrize(
    "table",
    [
        *("ledger.events", "ledger.commands", "people.staff", "people.patrons", "sealed.orders"),
        *("projections.progress", "projections.wagers", "projections.commission_owed"),
    ],
)
def test_an_analyst_reads_nothing_else(analyst, table):
    with pytest.raises(InsufficientPrivilege, match="permission denied for schema"):
        analyst.execute(f"SELECT * FROM {table}")


def test_no_role_reads_more_by_way_of_the_analysts(written):
    """Not a table, not a function, and no other role."""
    with written.connect_as_is() as connection:
        tables = connection.execute(
            "SELECT schemaname, kind FROM pg_tables, unnest(%s::text[]) kind "
            "WHERE schemaname NOT IN ('pg_catalog', 'information_schema', 'public') "
            "AND has_table_privilege('sabot_analyst', schemaname || '.' || tablename, kind)",
            (["SELECT", "INSERT", "UPDATE", "DELETE", "TRUNCATE", "REFERENCES", "TRIGGER"],),
        ).fetchall()
        functions = connection.execute(
            "SELECT proname FROM pg_proc JOIN pg_namespace n ON n.oid = pronamespace "
            "WHERE nspname IN ('ledger', 'people', 'sealed', 'projections', 'analysis') "
            "AND has_schema_privilege('sabot_analyst', n.oid, 'USAGE') "
            "AND has_function_privilege('sabot_analyst', pg_proc.oid, 'EXECUTE')"
        ).fetchall()
        roles = connection.execute(
            "SELECT rolname FROM pg_roles WHERE rolname LIKE 'sabot%' "
            "AND rolname <> 'sabot_analyst' AND pg_has_role('sabot_analyst', oid, 'MEMBER')"
        ).fetchall()
        can = connection.execute(
            "SELECT rolcanlogin, rolsuper, rolcreaterole, rolcreatedb, rolbypassrls "
            "FROM pg_roles WHERE rolname = 'sabot_analyst'"
        ).fetchone()

    assert ([], [], [], False) == (tables, functions, roles, any(can))


def test_an_analyst_writes_nothing(written, analyst):
    with written.connect_as_is() as connection:
        found = connection.execute(
            "SELECT DISTINCT viewname, kind FROM pg_views, unnest(%s::text[]) kind, "
            "unnest('{sabot_analyst,sabot_auditor}'::text[]) role WHERE schemaname = 'analysis' "
            "AND has_table_privilege(role, 'analysis.' || viewname, kind) ORDER BY viewname",
            (["SELECT", "INSERT", "UPDATE", "DELETE", "TRUNCATE", "REFERENCES", "TRIGGER"],),
        ).fetchall()

    assert [(view, "SELECT") for view in VIEWS] == found
    for change in (
        "DELETE FROM access",
        "UPDATE slips SET total = 0",
        "CREATE TABLE analysis.mine (n int)",
        "CREATE TABLE public.mine (n int)",
        "CREATE OR REPLACE VIEW analysis.cash AS SELECT 1",
    ):
        with pytest.raises(InsufficientPrivilege):
            analyst.execute(change)


def test_no_view_tells_what_somebody_is_called(written, superuser_of):
    superuser_of.execute("INSERT INTO people.patrons VALUES ('P-10417', 'Mrs Unspoken')")
    superuser_of.execute("INSERT INTO people.staff VALUES ('D-204', 'Mr Unspoken')")

    for view in VIEWS:
        found = superuser_of.execute(
            f"SELECT count(*) FROM analysis.{view} AS r WHERE r::text LIKE '%Unspoken%'"
        ).fetchone()
        assert found == (0,)


@pytest.fixture
def superuser_of(written):
    with written.connect_as_is() as connection, connection.transaction(force_rollback=True):
        yield connection


# What a report says, and what the view beside it does, row by row.
SAME = {
    "commission": (
        "patron stay table day shoe brought_forward charged corrections collected waived walked "
        "outstanding",
        "SELECT patron, stay, table_code, gaming_day::text, shoe, brought_forward, charged, "
        "corrections, collected, waived, walked, outstanding FROM commission ORDER BY position",
    ),
    "coup": (
        "coup player_total banker_total outcome natural phase dealer supervisor",
        "SELECT coup, player_total, banker_total, outcome, is_natural, phase, dealer, supervisor "
        "FROM coups ORDER BY position",
    ),
    "wagers": (
        "coup seat patron stay spot stake odds result paid commission_exact commission_charged "
        "commission_due",
        "SELECT coup, seat, patron, stay, spot, stake, odds, result, paid, "
        "trim_scale(commission_exact)::text, commission_charged, commission_due "
        "FROM wagers ORDER BY position",
    ),
    "cash-log": (
        "table patron direction amount kind",
        "SELECT table_code, patron, direction, amount, kind FROM cash ORDER BY position",
    ),
    "table-win": (
        "table day opener fills credits closer drop cash_out win",
        "SELECT table_code, gaming_day::text, opener, fills, credits, closer, drop_counted, "
        "cash_out, win FROM table_days ORDER BY position",
    ),
    "inventory": (
        "table day moment chips total counted_by signed_by variance level",
        "SELECT table_code, gaming_day::text, moment, chips, total, counted_by, signed_by, "
        "variance, level FROM inventories ORDER BY position",
    ),
    "slips": (
        "slip kind table chips total requested_by cashier runner dealer supervisor status reason",
        "SELECT slip, kind, table_code, chips, total, requested_by, cashier, runner, dealer, "
        "supervisor, status, reason FROM slips ORDER BY position",
    ),
    "exceptions": (
        "table coup kind by",
        "SELECT table_code, coup, kind, done_by FROM exceptions ORDER BY position, kind",
    ),
    "voids": (
        "kind original reason requested_by approved_by before after",
        "SELECT kind, original, reason, requested_by, approved_by, before, after "
        "FROM voids ORDER BY position",
    ),
    "shoe-log": (
        "shoe decks serials cut_card burn_card burned coups drawn discarded remaining ended_why"
        " difference",
        "SELECT shoe, decks, serials, cut_card, burn_card, burned, coups, drawn, discarded, "
        "remaining, ended_why, difference FROM shoes ORDER BY position",
    ),
    "cards": (
        "shoe card expected drawn burned discarded remaining",
        "SELECT shoe, card, expected, drawn, burned, discarded, remaining FROM shoe_cards",
    ),
    "access": (
        "staff act by",
        "SELECT staff, detail || jsonb_build_object('kind', act), done_by FROM access",
    ),
}


@pytest.mark.parametrize("name", SAME)
def test_a_view_says_what_its_report_says(written, analyst, name):
    fields, sql = SAME[name]
    rows = [
        tuple(row[field] for field in fields.split()) for row in ask(written, REPORTS[name]).rows
    ]
    seen = analyst.execute(sql).fetchall()
    if name == "access":  # the report makes words of the parts
        seen = [(staff, act_words(act), by) for staff, act, by in seen]

    assert rows
    assert sorted(map(str, rows)) == sorted(map(str, seen))


def test_the_events_are_those_of_the_ledger(written, analyst):
    with written.connect("sabot_auditor") as connection:
        stored = connection.execute(
            "SELECT position, recorded_at, gaming_day, table_code, topic, actor, command_id, "
            "originator_id, originator_version, convert_from(state, 'UTF8')::jsonb, "
            "metadata::jsonb FROM ledger.events ORDER BY position"
        ).fetchall()
    seen = analyst.execute(
        "SELECT position, recorded_at, gaming_day, table_code, topic, actor, command_id, stream, "
        "version, event, metadata FROM events ORDER BY position"
    ).fetchall()
    odd = analyst.execute("SELECT count(*) FROM events WHERE at::text = '' OR at IS NULL")

    assert stored == seen
    assert odd.fetchone() == (0,)


def test_a_table_day_tells_its_win_once_it_is_known(analyst):
    found = analyst.execute("SELECT table_code, win FROM table_days ORDER BY table_code").fetchall()

    assert [("B01", None), ("B02", None), ("B03", None), ("B04", None)] == found[:4]
    win = 1_900_00 + 16_000_00 + 200_00 - 20_000_00 - 500_00 - 300_00
    assert ("B05", win) == found[4]


def test_every_card_has_a_row(written, analyst):
    rows = analyst.execute("SELECT coup, card, hand, rule FROM cards ORDER BY coup, n").fetchall()
    expected = [
        (coup["coup"], card["card"], card["hand"], card["rule"])
        for coup in sorted(ask(written, REPORTS["coup"]).rows, key=lambda coup: coup["coup"])
        for card in coup["cards"]
    ]

    assert expected == rows


def test_a_stay_adds_its_wagers_and_its_commission_up(written, analyst):
    stays = {
        stay: (charged, owed, staked, paid)
        for stay, charged, owed, staked, paid in analyst.execute(
            "SELECT stay, commission_charged, commission_outstanding, staked, paid FROM stays"
        )
    }
    commission = ask(written, REPORTS["commission"]).rows
    settled = ("win", "lose", "push")
    wagers = [row for row in ask(written, REPORTS["wagers"]).rows if row["result"] in settled]

    def total(rows, stay, *names):
        return sum(row[name] for row in rows if row["stay"] == stay for name in names)

    assert {row["stay"] for row in (*commission, *wagers)} < set(stays)
    assert stays == {
        stay: (
            total(commission, stay, "charged", "corrections"),
            total(commission, stay, "outstanding"),
            total(wagers, stay, "stake"),
            total(wagers, stay, "paid"),
        )
        for stay in stays
    }


def test_progress_tells_how_far_the_rows_are(written, analyst):
    progress = dict(analyst.execute("SELECT projection, behind FROM progress").fetchall())

    assert dict.fromkeys(PROJECTIONS, 0) == progress


def test_every_view_and_every_column_is_explained(written):
    rows = json_of(written, "db", "views")["rows"]
    columns = [column for row in rows for column in row["columns"]]

    assert list(VIEWS) == [row["view"] for row in rows]
    for each in (*rows, *columns):
        assert each["comment"]
        assert each["comment"].endswith((".", "…"))
    money = [
        each for each in columns if "minor units" in each["comment"] and each["type"] != "jsonb"
    ]
    assert {each["type"] for each in money} == {"bigint", "numeric"}
    assert {each["name"] for each in money if each["type"] == "numeric"} == {
        "accrued",
        "commission_exact",
    }


def test_people_read_the_same_in_words(written):
    lines = shell(written, "db", "views").stdout.splitlines()

    assert lines[0].startswith("analysis.access: ")
    assert "  stake                  bigint       What was staked, in minor units." in lines


def test_the_query_of_the_readme_answers(written, analyst):
    found = {(str(day), spot): rest for day, spot, *rest in analyst.execute(EXAMPLE).fetchall()}
    settled = ("win", "lose", "push")
    ties = [
        row
        for row in ask(written, REPORTS["wagers"]).rows
        if row["spot"] == "banker" and row["result"] in settled
    ]

    assert found["2026-11-21", "banker"] == [
        len(ties),
        sum(row["stake"] for row in ties),
        sum(
            row["stake"]
            - row["paid"]
            + (row["commission_charged"] if row["commission_due"] == "deferred" else 0)
            for row in ties
        ),
    ]
