"""The sums of a group's reports are those of the houses' own, as of any moment."""

import json
from collections import Counter
from contextlib import ExitStack
from random import Random

import pytest
from click.testing import CliRunner

from ops.cli import cli
from ops.group import asking, members
from ops.group.pulling import pull
from ops.group.questions import REPORTS as OF_GROUP
from ops.ledger import clock
from ops.reports.ask import ask
from ops.reports.moments import Typed
from ops.simulation.run import Plan, dispatch_all
from projections import REPORTS
from tests.faults import SEED, times
from tests.worlds.gaming_table import mouth_on
from tests.worlds.group_of_houses import added, log_of, speaking
from tests.worlds.mended_night import MendedNight

MOMENTS = 4  # besides now
# The columns of a group's report, under their names in the house's own.
SAME = {
    "win": (
        "table-win",
        *("opener", "fills", "credits", "closer", "drop", "cash_out", "win", "win_by_wagers"),
    ),
    "owed": (
        "commission",
        *("brought_forward", "charged", "corrections", "collected", "waived", "walked"),
        "outstanding",
    ),
}

BAR = {
    "command": "patron.bar",
    "patron": "R1-P-1",
    "reason": "a letter",
    "by": "A-1",
    "with": "S-11",
}


def simulated(database, seed):
    with speaking(database, made_up=True) as dispatcher:
        plan = Plan(tables=2, coups=12, seed=seed, days=2)
        summary = dispatch_all(dispatcher.dispatch, plan.lines([1, 2]), lambda _: None)
        assert summary.unexpected == []


def mended(database, seed):
    with mouth_on(database) as dispatcher:
        cents = {"command": "property.set", "name": "chips", "value": "0.01", "by": "A-1"}
        assert dispatcher.dispatch(cents).ok
        for number in (1, 2):
            MendedNight(dispatcher, number, Random(seed + number)).play()


@pytest.fixture(scope="module")
def houses(server, tmp_path_factory):
    """Houses of a group, pulled: one had an evening with slips, the others made-up ones."""
    place = tmp_path_factory.mktemp("houses")
    names = ("riverside", "harbour", "island", *(f"house-{n:02}" for n in range(3, times(3, 20))))
    with pytest.MonkeyPatch.context() as patch, ExitStack() as stack:
        patch.setenv("SABOT_HOME", str(place / "group"))
        databases = {name: stack.enter_context(server.database()) for name in names}
        for n, database in enumerate(databases.values()):
            (simulated if n else mended)(database, SEED + n)
        with mouth_on(databases["harbour"]) as dispatcher:
            assert dispatcher.dispatch(BAR).ok
        for name, database in databases.items():
            assert not pull(added(log_of(database, place / name)), clock.wall_clock()).stopped
        yield databases


def moments_of(databases):
    """Now, and moments at which something was recorded in one of the houses, or just before."""
    at = []
    for database in databases.values():
        with database.session("sabot_auditor") as connection:
            rows = connection.execute("SELECT recorded_at FROM ledger.events ORDER BY position")
            at += [moment for (moment,) in rows]
    return [None, *sorted(Random(SEED).sample(at, MOMENTS))]


def own_sums(database, report, columns, per, as_of, **narrowed):
    """The sums of a house's own report, by what its rows are divided by."""
    sums = {}
    answer = ask(database, REPORTS[report], as_of and Typed(as_of), **narrowed)
    for row in answer.rows:
        key = (*(row[each] for each in per), answer.house.currency)
        known = {each: row[each] for each in columns if row[each] is not None}
        sums.setdefault(key, Counter()).update(known)
    return sums


def of_group(report, name, per, as_of, **narrowed):
    answer = asking.ask(
        OF_GROUP[report],
        [members.named(name)],
        per,
        asking.Narrowed.of(narrowed),
        as_of and Typed(as_of),
    )
    return {(*(row[each] for each in per), row["currency"]): row for row in answer.rows}


@pytest.mark.parametrize("report", SAME)
@pytest.mark.parametrize("per", [(), ("table",), ("day",), ("table", "day")], ids="-".join)
def test_the_sums_are_those_of_the_houses_own_reports_as_of_any_moment(houses, report, per):
    theirs, *columns = SAME[report]
    compared = 0
    for as_of in moments_of(houses):
        for name, database in houses.items():
            expected = own_sums(database, theirs, columns, per, as_of)
            rows = of_group(report, name, per, as_of)

            assert {**rows}.keys() == expected.keys(), (name, as_of)
            for key, row in rows.items():
                got = {each: row[each] or 0 for each in columns}
                assert got == {each: expected[key][each] for each in columns}, (name, as_of, key)
                compared += any(got.values())
    assert compared > len(houses)


def own_patrons(database, as_of):
    """By patron and day: cash, buy-ins and what is owed, by a house's own reports."""
    sums = {}

    def add(report, column, amount_of):
        for row in ask(database, REPORTS[report], as_of and Typed(as_of)).rows:
            sums.setdefault((row["patron"], row["day"]), Counter())[column] += amount_of(row)

    add("ratings", "buy_in", lambda row: row["buy_in"])
    add("ratings", "stays", lambda _: 1)
    add("cash-log", "cash_in", lambda row: row["amount"] if row["direction"] == "in" else 0)
    add("cash-log", "cash_out", lambda row: row["amount"] if row["direction"] == "out" else 0)
    add("commission", "outstanding", lambda row: row["outstanding"])
    return sums


def test_what_a_patron_did_is_what_the_houses_own_reports_have(houses):
    columns = ("buy_in", "stays", "cash_in", "cash_out", "outstanding")
    for as_of in moments_of(houses):
        for name, database in houses.items():
            expected = own_patrons(database, as_of)
            rows = of_group("patrons", name, ("patron", "day"), as_of)
            got = {key[:2]: {each: row[each] for each in columns} for key, row in rows.items()}
            assert got == {
                key: {each: of[each] for each in columns} for key, of in expected.items()
            }, (name, as_of)


def test_who_is_barred_at_one_house_and_sat_at_another_is_seen_until_the_bar_is_lifted(
    houses, tmp_path, monkeypatch
):
    answer = asking.ask(OF_GROUP["protection"], [*members.every()])
    assert [(row["patron"], row["barred_at"], row["kind"], row["property"]) for row in answer.rows]\
        == [("R1-P-1", "harbour", "barred", "riverside")]  # fmt: skip
    own = ask(houses["riverside"], REPORTS["ratings"], patron="R1-P-1").rows
    [row] = answer.rows
    assert (row["stays"], row["last_day"]) == (len(own), max(each["day"] for each in own))

    with mouth_on(houses["harbour"]) as dispatcher:
        lifted = dispatcher.dispatch({**BAR, "command": "patron.unbar"})
        assert lifted.ok, str(lifted)
    monkeypatch.setenv("SABOT_HOME", str(tmp_path / "group"))
    for name, database in houses.items():
        pull(added(log_of(database, tmp_path / name)), clock.wall_clock())
    assert asking.ask(OF_GROUP["protection"], [*members.every()]).rows == []


def test_currencies_and_houses_are_apart_and_a_row_of_all_adds_up(houses, tmp_path, monkeypatch):
    monkeypatch.setenv("SABOT_HOME", str(tmp_path / "group"))
    for name, database in houses.items():
        house = log_of(database, tmp_path / name)
        if name == "island":
            house.settle("currency", "EUR")
        pull(added(house), clock.wall_clock())
    answer = asking.ask(OF_GROUP["win"], [*members.every()], ())
    of_each = asking.ask(OF_GROUP["win"], [*members.every()], ("property",))

    assert [each["currency"] for each in answer.rows] == ["EUR", "USD"]
    assert [(each["property"], each["currency"]) for each in of_each.rows] == [
        (name, "EUR" if name == "island" else "USD") for name in sorted(houses)
    ]
    for row in answer.rows:
        mine = [each for each in of_each.rows if each["currency"] == row["currency"]]
        for column in OF_GROUP["win"].columns:
            assert row[column] == sum(each[column] or 0 for each in mine)


def test_a_narrowed_report_has_the_rows_of_the_houses_own(houses):
    theirs, *columns = SAME["win"]
    for narrowed in ({"day": "2026-11-22"}, {"from": "2026-11-22"}, {"to": "2026-11-21"}):
        for name, database in houses.items():
            expected = own_sums(database, theirs, columns, ("table", "day"), None, **narrowed)
            rows = of_group("win", name, ("table", "day"), None, **narrowed)
            assert rows.keys() == expected.keys()
    [row] = of_group("win", "harbour", ("table",), None, table="S02").values()
    assert row["table"] == "S02"


def test_a_person_reads_it_and_a_program_too(houses):
    def told(*words):
        return CliRunner().invoke(cli, ["group", "report", *words])

    page = told("win", "--per", "property", "--per", "day")
    assert page.exit_code == 0, page.output
    assert "harbour" in page.stdout
    assert "up to event #" in page.stdout
    body = json.loads(told("owed", "harbour", "--json").stdout)
    assert [each["property"] for each in body["houses"]] == ["harbour"]
    assert body["rows"][0]["currency"] == "USD"
    lines = told("win", "--csv").stdout.splitlines()
    assert lines[0].startswith("property,currency,table_days,")
    assert len(lines) == 1 + len(houses)
    assert "Use only one of --json and --csv" in told("win", "--csv", "--json").output
    assert "no house 'nowhere' in this group" in told("win", "nowhere").output
