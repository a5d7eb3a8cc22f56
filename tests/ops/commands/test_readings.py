"""Who may read what in a closed house, and the record of who read or exported what on whom."""

import json
import os
from contextlib import closing
from itertools import islice
from uuid import uuid4

import psycopg
import pytest
from psycopg.conninfo import make_conninfo

from domain.rules.permissions import OF_A_GROUPS_HOME, READINGS, ROLES
from domain.rules.refusals import NotPermitted, NotSignedOn
from domain.rules.roles import role_label
from ops.board.board import Board
from ops.commands.reader import Asked, Reader, reading_of, require_reader
from ops.commands.saved_token import save_token
from ops.commands.signed_on import NOBODY, Token
from ops.commands.vocabulary import COMMANDS
from ops.door.session_file import token_file
from ops.group import rates
from ops.ledger.database import Database, NotFit, RoleDenied
from ops.reports.ask import ask
from ops.reports.rebuild import rebuild
from projections import PROJECTIONS, REPORTS
from tests.acceptance.channels import json_of, recorded, shell
from tests.ops.cli.leaves import AT_THE_TERMINAL, LEAVES, ON_ITS_MACHINE
from tests.worlds.closed_house import EVERY_ROLE, ClosedHouse, number
from tests.worlds.gaming_table import BANKER_WINS, GamingTable
from tests.worlds.held_sessions import sessions_held
from tests.worlds.typed_readings import typed

COUP = "B01/2026-11-21/1/1"
NO_ROOM = """
    CREATE FUNCTION ledger.no_room() RETURNS trigger LANGUAGE plpgsql
        AS $$ BEGIN RAISE EXCEPTION USING ERRCODE = 'disk_full'; END $$;
    CREATE TRIGGER no_room BEFORE INSERT ON ledger.readings
        FOR EACH STATEMENT EXECUTE FUNCTION ledger.no_room();
"""
READ = (*READINGS, *(f"report {name}" for name in REPORTS))
NAMING = [what for what in READ if reading_of(what)]
ASKED = [*NAMING, *OF_A_GROUPS_HOME]


@pytest.fixture(scope="module")
def house(server):
    """A closed house with one person of every role at work, the dealer at B01."""
    with server.database() as database, sessions_held():
        house = ClosedHouse(database, EVERY_ROLE)
        house.sign_off(number("dealer"))
        house.sign_on(number("dealer"), table="B01")
        yield house
        house.close()


@pytest.fixture
def closed(house):
    """Its ledger."""
    return house.database


@pytest.fixture
def token(house):
    """Of whoever holds a role."""
    return lambda role: house.token(number(role))


@pytest.fixture
def at_the_shell(token):
    """Whoever is signed on at this terminal, as a role."""
    yield lambda role: save_token(token(role))
    token_file().unlink(missing_ok=True)


def readings(database, *columns, **narrowed):
    names = columns or ("who", "command")
    return [tuple(row[name] for name in names) for row in ask(database, REPORTS["readings"],
            **narrowed).rows]  # fmt: skip


def test_every_command_that_reads_has_its_permission_and_none_is_left_over():
    """All else is a command of the floor, or starts, stores or proves something by itself."""
    leaves = {" ".join(words) for words in LEAVES}
    spoken = {name.replace(".", " ") for name in COMMANDS}
    chores = (AT_THE_TERMINAL | ON_ITS_MACHINE) - set(READ)

    assert leaves - spoken - chores - {"export report"} == set(READ)
    assert len(READ) == len(set(READ))


@pytest.mark.parametrize("what", ASKED)
def test_the_roles_that_may_exist_and_are_named_once(what):
    reading = reading_of(what)

    assert reading.roles
    assert set(reading.roles) <= set(ROLES) - {"device"}
    assert len(reading.roles) == len(set(reading.roles))
    assert set(reading.at_own_table) <= set(reading.roles)


def test_surveillance_and_auditors_read_everything_except_names():
    for what in NAMING:
        if not what.startswith(("patron ", "filing ")) and what != "staff name":
            assert {"surveillance", "auditor"} <= set(reading_of(what).roles)


@pytest.mark.parametrize("what", ASKED)
def test_in_a_closed_house_names_are_read_only_after_a_sign_on(closed, what, tmp_path):
    before = recorded(closed)
    result = shell(closed, *typed(what, tmp_path / "new"))

    assert (result.exit_code, result.stdout) == (1, "")
    assert result.stderr.startswith("NotSignedOn: ")
    assert not list(tmp_path.iterdir())
    assert recorded(closed) == before


def test_who_changes_a_groups_home_is_on_record(closed, at_the_shell, tmp_path, monkeypatch):
    monkeypatch.setenv("SABOT_HOME", str(tmp_path))
    at_the_shell("dealer")
    refused = shell(closed, *typed("group rate"))
    at_the_shell("cage")
    done = shell(closed, *typed("group rate"))

    assert (refused.exit_code, "may not record a rate between currencies" in refused.output) == (
        1,
        True,
    )
    assert done.exit_code == 0, done.output
    assert [each.by for each in rates.every()] == [number("cage")]
    assert {(number("cage"), "group rate"), (number("dealer"), "group rate")} <= {*readings(closed)}


@pytest.mark.parametrize("what", [what for what in READ if not reading_of(what)])
def test_views_that_name_nobody_are_read_by_anybody(closed, what):
    result = shell(closed, *typed(what))

    assert "NotSignedOn" not in result.stderr
    assert "Traceback" not in result.stderr


@pytest.mark.parametrize("report", REPORTS)
def test_exporting_a_report_takes_the_permission_to_read_it(closed, report, tmp_path):
    result = shell(closed, "export", "report", report, "--into", str(tmp_path / "new"))

    assert (result.exit_code == 1) == (reading_of(f"report {report}") is not None)
    assert ("NotSignedOn" in result.stderr) == (reading_of(f"report {report}") is not None)


@pytest.mark.parametrize("what", ASKED)
@pytest.mark.parametrize("role", [role for role in ROLES if role != "device"])
def test_a_role_reads_what_it_may_and_nothing_else(closed, token, what, role):
    asked = Asked(what, about={"table": "B01"})
    if role in reading_of(what).roles:
        assert require_reader(closed, asked, token(role)) == Reader(number(role), role=role)
        return
    with pytest.raises(NotPermitted) as refusal:
        require_reader(closed, asked, token(role))
    assert f"may not {asked.act}: " in str(refusal.value)
    assert str(role_label(role)) in str(refusal.value)


@pytest.mark.parametrize(
    ("about", "may"),
    [
        ({"table": "B01"}, True),
        ({"shoe": "B01/2026-11-21/1"}, True),
        ({"coup": COUP}, True),
        ({"table": "B02"}, False),
        ({"coup": "B02/2026-11-21/1/1", "table": "B01"}, False),
        ({}, False),
    ],
)
def test_a_dealer_reads_their_own_table_only(closed, token, about, may):
    asked = Asked("report commission", about=about)
    if may:
        assert require_reader(closed, asked, token("dealer")).who == number("dealer")
        return
    with pytest.raises(
        NotPermitted,
        match=r"a dealer reads only about their own table\. Narrow it with `--table B01`\.",
    ):
        require_reader(closed, asked, token("dealer"))


def test_a_dealer_who_is_signed_on_at_no_table_reads_no_table(database):
    house = ClosedHouse(database, EVERY_ROLE)
    house.close()
    for about in ({}, {"table": "B01"}):
        with pytest.raises(NotPermitted, match=r"N-0 is at none\. Sign on there, with `--table`\."):
            require_reader(database, Asked("board", about=about), house.token(number("dealer")))


def test_an_unknown_token_reads_nothing(closed):
    for forged in (NOBODY, Token(number("auditor"), "a guess"), Token("X-9", "a guess")):
        with pytest.raises(NotSignedOn):
            require_reader(closed, Asked("report ctr"), forged)


def test_a_refusal_to_a_program_is_json(closed, at_the_shell):
    nobody = shell(closed, "report", "ctr", "--json")
    at_the_shell("security")
    barred = shell(closed, "report", "ctr", "--json")

    for result, error in ((nobody, "NotSignedOn"), (barred, "NotPermitted")):
        body = json.loads(result.stdout)
        assert (result.exit_code, body["ok"], body["error"]) == (1, False, error)
        assert body["command"] == "report ctr"
        assert body["message"]


def test_at_the_shell_the_token_of_the_sign_on_decides_what_one_reads(closed, at_the_shell):
    at_the_shell("administrator")
    result = shell(closed, "report", "access", "--json")
    barred = shell(closed, "report", "wagers")

    assert result.exit_code == 0
    assert json.loads(result.stdout)["rows"]
    assert (barred.exit_code, barred.stdout) == (1, "")
    assert barred.stderr.startswith(
        "NotPermitted: N-7 may not read the report “Wagers”: that takes a supervisor, "
    )


# The record of readings.
@pytest.fixture
def played(dispatcher, database):
    """An open house in which a coup was dealt, and P-10417 owes 5.00."""
    GamingTable(dispatcher).open().prepare().play(BANKER_WINS, (3, "banker", 100_00))
    return database


def test_each_reading_is_recorded_and_is_no_event(closed, at_the_shell, tmp_path):
    before = recorded(closed)
    at_the_shell("surveillance")
    shell(closed, "report", "wagers", "--patron", "P-3", "--csv")
    shell(closed, "report", "ratings", "--patron", "P-3", "--day", "2026-11-21", "--json")
    shell(closed, "dispute", "list", "--coup", COUP, "--patron", "P-3")
    shell(closed, "export", "events", "--table", "B01", "--into", str(tmp_path / "new"))
    found = readings(closed, "who", "command", "how", "patron", "table", "coup", "first_day")

    assert found[-4:] == [
        (number("surveillance"), "report wagers", "csv", "P-3", None, None, None),
        (number("surveillance"), "report ratings", "json", "P-3", None, None, "2026-11-21"),
        (number("surveillance"), "dispute list", "screen", "P-3", None, COUP, None),
        (number("surveillance"), "export events", "export", None, "B01", None, None),
    ]
    assert recorded(closed) == before


def test_a_refused_reading_is_recorded_too_but_none_of_nobody(closed, at_the_shell):
    shell(closed, "report", "ctr", "--patron", "P-77")
    at_the_shell("dealer")
    shell(closed, "report", "ctr", "--patron", "P-77")

    assert readings(closed, "who", "command", "refused", patron="P-77") == [
        (number("dealer"), "report ctr", "NotPermitted"),
    ]


def test_in_open_house_everything_may_be_read_and_is_recorded(played, tmp_path):
    words = f"replay {COUP} --export {tmp_path / 'coup'}", "board --once", "report access"
    for each in words:
        assert shell(played, *each.split()).exit_code == 0

    assert readings(played, "who", "command", "how", "coup") == [
        ("", "replay", "export", COUP),
        ("", "board", "screen", None),
        ("", "report access", "screen", None),
    ]


def test_the_report_of_readings_can_be_narrowed_and_read_as_of_a_moment(played):
    shell(played, "report", "wagers", "--patron", "P-1")
    (first,) = ask(played, REPORTS["readings"]).rows
    shell(played, "report", "wagers", "--patron", "P-2", "--table", "B01")
    shell(played, "report", "coup", "--shoe", "B01/2026-11-21/1")

    assert readings(played, "patron", patron="P-2") == [("P-2",)]
    assert readings(played, "table", table="B01") == [("B01",)]
    assert readings(played, "shoe", shoe="B01/2026-11-21/1") == [("B01/2026-11-21/1",)]
    assert len(readings(played, day="2026-11-21")) == 3
    assert not readings(played, day="2026-11-20")
    then = json_of(played, "report", "readings", "--as-of", first["at"])
    assert then["rows"] == [first]
    assert "P-1" in shell(played, "report", "readings", env={"COLUMNS": "160"}).stdout


def test_a_live_board_is_one_reading_however_long_it_is_open(played):
    with closing(Board(played)) as board:
        list(islice(board.follow(), 3))

    assert readings(played) == []


def test_a_rebuild_does_not_change_readings(played):
    shell(played, "report", "wagers", "--patron", "P-1")
    before = readings(played, "at", "command")
    with played.session("sabot_projector") as connection:
        for projection in PROJECTIONS.values():
            rebuild(connection, projection)

    assert readings(played, "at", "command") == before


@pytest.mark.parametrize("change", ["DELETE FROM", "TRUNCATE", "UPDATE {} SET who = ''"])
def test_a_reading_is_written_once(played, superuser, change):
    shell(played, "report", "wagers")
    words = change if "{}" in change else f"{change} {{}}"

    with pytest.raises(psycopg.errors.InsufficientPrivilege, match="written once"):
        superuser.execute(words.format("ledger.readings"))


# A login of the database that is not the application's.
@pytest.fixture
def login(played, superuser):
    """The same ledger, for a login that is a member of some role."""
    made = []

    def make(role):
        made.append(f"{role.removeprefix('sabot_')}_{os.getpid()}_{uuid4().hex[:8]}")
        superuser.execute(f"CREATE ROLE {made[-1]} LOGIN; GRANT {role} TO {made[-1]}")
        return Database(make_conninfo(played.url, user=made[-1])), made[-1]

    yield make
    for name in made:
        superuser.execute(f"DROP OWNED BY {name}; DROP ROLE {name}")


def catch_up(database):
    for each in REPORTS.values():
        ask(database, each)
    with closing(Board(database)) as board:
        board.once()


def closes(dispatcher):
    line = {"command": "staff.enrol", "staff": "A-1", "name": "Ann", "role": "administrator"}
    assert dispatcher.dispatch(line).ok


def test_an_auditors_login_reads_a_closed_house_as_itself(played, dispatcher, login, tmp_path):
    database, name = login("sabot_auditor")
    closes(dispatcher)
    catch_up(played)
    for words in ("report ctr", f"replay {COUP}", "board --once", "board --json"):
        assert shell(database, *words.split()).exit_code == 0
    into = ("--into", str(tmp_path / "new"))
    assert shell(database, "export", "events", *into).exit_code == 0

    assert {who for (who,) in readings(played, "who")} == {name}


def test_an_auditors_login_is_recorded_under_its_own_name(played, login):
    database, name = login("sabot_auditor")
    with database.session("sabot_auditor") as connection:
        connection.execute(
            "SELECT ledger.note_reading('2026-11-21', 'S-11', 'm', 'replay', 'screen', '{}', NULL)"
        )

    assert readings(played, "who", "login") == [(name, name)]


def test_an_auditors_login_does_not_fill_the_disk_with_readings(played, login):
    database, _ = login("sabot_auditor")
    note = "SELECT ledger.note_reading('2026-11-21', '', 'm', 'replay', 'screen', '{}', NULL)"
    with database.session("sabot_auditor") as connection:
        for _ in range(120):
            connection.execute(note)
        with pytest.raises(psycopg.errors.ConfigurationLimitExceeded, match="wait a moment"):
            connection.execute(note)
    result = shell(database, "report", "wagers")

    assert (result.exit_code, result.stdout) == (3, "")
    assert "120 times within a minute: wait a moment." in result.stderr
    assert "cannot be reached" not in result.stderr


def test_on_a_full_disk_only_an_open_house_is_read_without_a_line(closed, played, token):
    """Its trigger stands for the disk."""
    for database in (closed, played):
        with database.connect_as_is() as connection:
            connection.execute(NO_ROOM)
    asked = Asked("report wagers")

    assert not require_reader(played, asked, NOBODY).checked
    with pytest.raises(NotFit, match="each reading is noted first, and the disk of the database"):
        require_reader(closed, asked, token("surveillance"))
    with closed.connect_as_is() as connection:
        connection.execute("DROP FUNCTION ledger.no_room CASCADE")
    assert require_reader(closed, asked, token("surveillance")).checked


def test_an_auditors_board_is_the_one_that_everybody_sees(played, login):
    database, _ = login("sabot_auditor")
    with closing(Board(database)) as board, pytest.raises(NotFit, match="events behind"):
        board.once()
    catch_up(played)
    with closing(Board(played)) as live, closing(Board(database)) as looks:
        expected, found = live.once().as_dict(), looks.once().as_dict()

    assert expected | {"at": ""} == found | {"at": ""}


def test_an_auditor_who_asks_for_a_past_moment_learns_what_to_do(played, login):
    database, _ = login("sabot_auditor")
    result = shell(database, "report", "wagers", "--as-of", "2026-11-21T20:14:00Z")

    assert result.exit_code == 3
    assert "Leave --as-of out" in result.stderr


def test_an_auditor_who_gives_a_command_learns_what_the_login_is_for(login):
    database, _ = login("sabot_auditor")
    result = shell(database, "bet", "B01", "3", "banker", "100")

    assert result.exit_code == 3
    assert "This is an auditor's login" in result.stderr
    assert "GRANT sabot_app" not in result.stderr


@pytest.mark.parametrize("words", ["report wagers", "board --once", f"replay {COUP}", "settle B01"])
def test_an_analysts_login_is_pointed_to_the_views(login, words):
    database, _ = login("sabot_analyst")
    result = shell(database, *words.split())

    assert result.exit_code == 3
    assert "This is an analyst's login, which can only read the views of the schema analysis" in (
        result.stderr
    )
    assert "GRANT sabot_app" not in result.stderr
    with pytest.raises(RoleDenied):
        database.connect("sabot_auditor")


def test_an_analyst_sees_which_views_there_are_and_reads_the_readings_too(played, login):
    database, _ = login("sabot_analyst")
    shell(played, "report", "wagers", "--patron", "P-1")
    with closing(database.connect_as_is()) as connection:
        found = connection.execute("SELECT command, patron FROM analysis.readings").fetchall()

    assert "analysis.wagers" in shell(database, "db", "views").stdout
    assert found == [("report wagers", "P-1")]
