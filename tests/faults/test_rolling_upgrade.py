"""Servers of two neighbouring releases on one ledger, while a house upgrades without a pause."""

import json
from collections import Counter

import pytest

from ops.cli.audit.verify import walk
from ops.simulation.demo import FIRST_DAY, evening
from ops.simulation.recorded_shoes import shoes
from tests.acceptance.channels import as_text
from tests.faults import times
from tests.worlds.house_server import house_server
from tests.worlds.later_version import LATER, LaterVersion

TABLES = ("B01", "B02")
LINES = times(90, 600)  # at each table, in three parts


def said_at(table):
    """The first lines of an evening at a table, in three parts; the first one cuts the shoe."""
    lines = [
        {**line, "table": table, "id": f"{table}-{n}"}
        for n, line in enumerate(evening(FIRST_DAY, shoes()[TABLES.index(table)]).lines())
    ][:LINES]
    return [lines[n * LINES // 3 : (n + 1) * LINES // 3] for n in range(3)]


class Feed:
    """A terminal that sends lines to a server, in a process of its own."""

    def __init__(self, server, lines, out):
        self.out = out
        self.process = server.terminal(f"t-{out.name}").begin("feed", out=out)
        self.process.stdin.write(as_text(lines).encode())
        self.process.stdin.close()

    def answers(self):
        assert 0 == self.process.wait(300), self.out.read_text()
        return [json.loads(line) for line in self.out.read_text().splitlines()]


@pytest.fixture
def later(tmp_path):
    return LaterVersion(tmp_path / "later")


def test_a_house_upgrades_while_both_releases_take_lines(database, superuser, tmp_path, later):
    """Each table changes its server: what the newer one recorded, the older one goes on with."""
    (one_a, one_b, one_c), (two_a, two_b, two_c) = map(said_at, TABLES)
    home, served = tmp_path / "house", []

    def together(*feeds):
        begun = [
            Feed(server, lines, tmp_path / f"{len(served)}-{n}")
            for n, (server, lines) in enumerate(feeds)
        ]
        served.append(begun)
        return begun

    with house_server(database, home, name="older", alone=True) as older:
        begun = together((older, one_a))
        upgraded = later.run(database.url, "db upgrade")
        answers = [each.answers() for each in begun]
        with house_server(database, home, name="newer", alone=True, place=later.place) as newer:
            for feeds in (
                ((older, one_b), (newer, two_a)),
                ((newer, one_c), (older, two_b)),
                ((newer, two_c),),
            ):
                answers += [each.answers() for each in together(*feeds)]
            reports = [
                server.terminal("reads").run("report", "wagers", "--json")
                for server in (older, newer)
            ]
            assert (0, 0) == (older.stop(), newer.stop())
    recorded = Counter(
        command
        for (command,) in superuser.execute("SELECT command_id FROM ledger.commands")
        if command.startswith("B0")
    )

    assert [(0, "", f"The schema is {LATER}.\n")] == upgraded
    assert {True} == {answer["ok"] for each in answers for answer in each}
    assert 2 * LINES == sum(map(len, answers)) == recorded.total()
    assert {1} == set(recorded.values())
    assert {"hue"} <= {
        name
        for (state,) in superuser.execute(
            "SELECT state FROM ledger.events WHERE topic = 'shoe.cut' AND table_code = 'B02'"
        )
        for name in json.loads(state)
    }
    assert [0, 0] == [each.exit_code for each in reports]
    assert json.loads(reports[0].stdout)["rows"] == json.loads(reports[1].stdout)["rows"]
    assert walk(database).ok
