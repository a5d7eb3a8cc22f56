"""A sign-on that nobody uses ends, by the house's setting, whichever server is asked."""

import json

import pytest

from tests.worlds.closed_house import PIN
from tests.worlds.house_server import Prepared, house_server

LIMITS = ("table", "limits", "B01", "--minimum", "50")


@pytest.fixture(scope="module")
def prepared(server, tmp_path_factory):
    """A closed house; its administrator is signed on at pit-1, a supervisor at pit-2."""
    home = tmp_path_factory.mktemp("closed") / "house"
    with server.database() as database:
        with house_server(database, home) as house:
            boss, pit = house.terminal("pit-1"), house.terminal("pit-2")
            boss.run("board", "--once")  # which makes its key
            boss.run("staff", "approve-terminal", boss.key, "pit 1")
            boss.sign_on("A-1", boss.ask("staff", "enrol", "A-1", "Ann", "administrator")["code"])
            code = boss.ask("staff", "enrol", "S-11", "Sue", "supervisor")["code"]
            pit.approved_by(boss).sign_on("S-11", code)
            house.stop()
        yield Prepared(database, home)


@pytest.fixture
def house(prepared, server, tmp_path):
    """A copy of that house."""
    with prepared.copy(server, tmp_path / "house") as house:
        yield house


@pytest.fixture
def database(house):
    """The copy's, which `superuser` changes."""
    return house.database


def put(house, minutes):
    assert house.terminal("pit-1").ask("property", "set", "session_idle_minutes", minutes)["ok"]


def minutes_go_by(house, superuser, minutes):
    """Nobody asks anything for so long; the server is another process afterwards."""
    house.stop()
    superuser.execute(
        "UPDATE people.sessions SET used = used - make_interval(mins => %s)", (minutes,)
    )
    house.start()


def test_a_sign_on_that_is_idle_ends_and_the_refusal_says_so(house, superuser):
    put(house, "15")
    pit = house.terminal("pit-2")
    minutes_go_by(house, superuser, 10)
    in_time = pit.ask(*LIMITS)
    minutes_go_by(house, superuser, 15)
    by_shell = pit.ask(*LIMITS)
    (by_line,) = pit.send({"command": "table.limits", "table": "B01", "minimum": 50_00})
    reads = pit.run("report", "wagers", "--json")

    assert in_time["error"] == "TableClosed"  # it was heard
    assert by_shell["error"] == by_line["error"] == "NotSignedOn"
    assert (
        by_shell["message"]
        == by_line["message"]
        == (
            "S-11's sign-on has ended after 15 minutes in which nothing was asked here. Sign on "
            "again, with `sabot staff sign-on S-11`."
        )
    )
    assert "in which nothing was asked here" in reads.output + reads.stderr


def test_after_an_idle_sign_on_one_signs_on_again_anywhere(house, superuser):
    put(house, "15")
    pit, other = house.terminal("pit-2"), house.terminal("pit-3")
    elsewhere = other.approved_by(house.terminal("pit-1")).ask
    early = elsewhere("staff", "sign-on", "S-11", types=(PIN,))
    minutes_go_by(house, superuser, 16)
    late = elsewhere("staff", "sign-on", "S-11", types=(PIN,))

    assert "is signed on at" in early["message"]
    assert [each.get("why") for each in late["events"]] == ["idle", None]
    assert other.ask(*LIMITS)["error"] == "TableClosed"
    assert pit.ask(*LIMITS)["error"] == "NotSignedOn"


def test_a_token_that_somebody_copied_does_not_keep_the_sign_on_alive(house, superuser):
    put(house, "15")
    thief = house.terminal("pit-9").approved_by(house.terminal("pit-1"))
    minutes_go_by(house, superuser, 10)
    stolen = (house.terminal("pit-2").home / "session").read_text()
    (thief.home / "session").write_text(stolen)
    refused = thief.ask(*LIMITS)
    minutes_go_by(house, superuser, 5)

    assert "only at" in refused["message"]
    assert "has ended after 15 minutes" in house.terminal("pit-2").ask(*LIMITS)["message"]


def test_without_the_setting_a_sign_on_is_never_idle(house, superuser):
    minutes_go_by(house, superuser, 600)

    assert house.terminal("pit-2").ask(*LIMITS)["error"] == "TableClosed"


def test_a_server_forgets_old_sign_ons(house, superuser):
    minutes_go_by(house, superuser, 3 * 24 * 60)
    (left,) = superuser.execute("SELECT count(*) FROM people.sessions").fetchone()

    assert left == 0
    assert json.loads(house.terminal("pit-2").get("/health")[2])["ok"]
