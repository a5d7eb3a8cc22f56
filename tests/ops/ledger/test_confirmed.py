"""Nothing is answered that the synchronous standby does not have, whoever cancels the wait."""

import json
import shlex
import threading
from collections.abc import Callable, Iterator
from contextlib import closing, contextmanager
from pathlib import Path
from time import monotonic
from typing import Any

import psycopg
import pytest
from click.testing import CliRunner

from ops.cli import cli
from ops.commands.casino import Casino
from ops.handlers.dispatcher import Dispatcher
from ops.ledger.confirmed import Connection, StandbyAway
from ops.ledger.database import OutcomeUnknown
from ops.ledger.embedded.processes import wait
from ops.ledger.recorder import Ledger, flush_to_show
from tests.worlds.closed_house import OPEN
from tests.worlds.two_servers import TwoServers

SECONDS = 10.0
SOON, LONG = 0.3, 3600.0
OPENS = {**OPEN, "rules": "classic@1"}
KEEPS = "INSERT INTO kept VALUES ('a')"


@pytest.fixture(scope="module")
def servers(tmp_path_factory: pytest.TempPathFactory) -> Iterator[TwoServers]:
    with closing(TwoServers(tmp_path_factory.mktemp("two"))) as servers:
        servers.run("CREATE TABLE projections.kept (of text)")
        servers.run("GRANT ALL ON projections.kept TO sabot_app")
        yield servers


@pytest.fixture
def soon(monkeypatch: pytest.MonkeyPatch) -> float:
    """How many seconds a connection waits before it looks why."""
    monkeypatch.setattr("ops.ledger.confirmed.FOR_STANDBY", SOON)
    return SOON


@pytest.fixture
def app(servers: TwoServers) -> Iterator[Connection]:
    servers.run("TRUNCATE projections.kept")
    with closing(servers.database.connect("sabot_app")) as connection:
        yield connection
    servers.back()


class Blocked:
    """Something that is done in a thread; `came`: its result or its error, once it has ended."""

    def __init__(self, act: Callable[[], Any]) -> None:
        self.came: list[Any] = []
        self._thread = threading.Thread(target=self._runs, args=(act,))
        self._thread.start()

    def _runs(self, act: Callable[[], Any]) -> None:
        try:
            self.came.append(act())
        except Exception as error:  # noqa: BLE001  (the test looks at it)
            self.came.append(error)

    def end(self) -> Any:
        self._thread.join(SECONDS)
        (came,) = self.came
        return came


def at_once(connection: Connection) -> None:
    connection.execute(KEEPS)


def in_a_block(connection: Connection) -> None:
    with connection.transaction():
        connection.execute(KEEPS)


def with_a_warning(connection: Connection) -> None:
    with connection.transaction():
        connection.execute("DO $$ BEGIN RAISE WARNING 'before the commit'; END $$")
        connection.execute(KEEPS)


def by_copy(connection: Connection) -> None:
    with connection.cursor().copy("COPY kept FROM STDIN") as copy:
        copy.write_row(("a",))


def prepared(connection: Connection) -> None:
    connection.result(connection.pgconn.send_prepare, b"keeps", KEEPS.encode())
    connection.result(connection.pgconn.send_query_prepared, b"keeps", [])


@pytest.mark.parametrize("commits", [at_once, in_a_block, with_a_warning, by_copy, prepared])
def test_a_wait_that_somebody_cancels_goes_on_until_the_standby_has_it(
    servers: TwoServers, app: Connection, monkeypatch: pytest.MonkeyPatch, commits
) -> None:
    monkeypatch.setattr("ops.ledger.confirmed.FOR_STANDBY", LONG)
    servers.away()
    blocked = Blocked(lambda: commits(app))
    for _ in range(3):
        assert wait(lambda: servers.cancels() == 1, SECONDS)  # none while it begins to wait again
    assert wait(servers.waiting, SECONDS)
    assert blocked.came == []
    servers.back()

    assert blocked.end() is None
    assert servers.on_second("SELECT count(*) FROM projections.kept") == [(1,)]


def test_a_session_that_somebody_ends_while_it_waits_is_no_success(
    servers: TwoServers, app: Connection
) -> None:
    servers.away()
    blocked = Blocked(lambda: at_once(app))
    assert wait(servers.terminates, SECONDS)

    assert isinstance(blocked.end(), psycopg.OperationalError)


def test_a_wait_that_is_cancelled_again_and_again_is_no_success(
    servers: TwoServers, app: Connection, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("ops.ledger.confirmed.FOR_STANDBY", LONG)
    servers.away()
    blocked = Blocked(lambda: at_once(app))
    wait(lambda: servers.cancels() and blocked.came, SECONDS)

    assert isinstance(blocked.end(), StandbyAway)


def test_a_standby_that_does_not_answer_is_told_and_the_connection_is_as_good_as_before(
    servers: TwoServers, app: Connection, soon: float
) -> None:
    servers.away()
    began = monotonic()
    with pytest.raises(StandbyAway, match=r"has not answered since \d\d:\d\d:\d\d, and nothing"):
        at_once(app)
    assert soon <= monotonic() - began < SECONDS
    assert app.execute("SELECT count(*) FROM kept").fetchone() == (1,)
    words = flush_to_show(app)
    servers.back()

    assert words is not None
    assert "may be lost" in str(words)
    assert flush_to_show(app) is None


def test_a_long_question_waits_for_nobody(
    servers: TwoServers, app: Connection, soon: float
) -> None:
    servers.away()
    with closing(servers.database.connect("sabot_app")) as other:
        blocked = Blocked(lambda: at_once(other))
        assert app.execute("SELECT 1 FROM pg_sleep(%s)", (3 * soon,)).fetchone() == (1,)
        assert isinstance(blocked.end(), StandbyAway)


@contextmanager
def speaking(servers: TwoServers, patience: float = 5.0) -> Iterator[Dispatcher]:
    casino = Casino(Ledger(servers.database))
    try:
        yield Dispatcher(casino, "test", patience)
    finally:
        casino.close()


def test_a_command_says_within_five_seconds_that_it_may_be_recorded_or_not(
    servers: TwoServers, app: Connection
) -> None:
    with speaking(servers) as dispatcher:
        servers.away()
        began = monotonic()
        with pytest.raises(OutcomeUnknown, match="the synchronous standby has not answered since"):
            dispatcher.dispatch({**OPENS, "id": "k-1"})
        assert monotonic() - began < SECONDS / 2
        servers.back()
        answer = dispatcher.dispatch({**OPENS, "id": "k-1"})

    assert answer.ok
    assert servers.on_second("SELECT count(*) FROM ledger.commands WHERE command_id = 'k-1'") == [
        (1,)
    ]


def test_a_feed_waits_for_the_standby_as_long_as_its_patience(
    servers: TwoServers, app: Connection, soon: float
) -> None:
    with speaking(servers, patience=60.0) as dispatcher:
        servers.away()
        blocked = Blocked(lambda: dispatcher.dispatch({**OPENS, "table": "B02", "id": "k-2"}))
        wait(lambda: bool(blocked.came), 6 * soon)
        before = [*blocked.came]
        servers.back()
        answer = blocked.end()

    assert ([], True) == (before, answer.ok)
    assert servers.on_second("SELECT count(*) FROM ledger.commands WHERE command_id = 'k-2'") == [
        (1,)
    ]


def test_a_command_of_the_shell_without_an_answer_names_the_line_that_repeats_it(
    servers: TwoServers, app: Connection, soon: float
) -> None:
    words = ["property", "set", "name", "Riverside & Sons", "--by", "S-11"]
    servers.away()
    unknown = CliRunner().invoke(cli, ["--database", servers.database.url, *words])
    servers.back()
    line = unknown.stderr.partition("This line repeats it, and it counts once: sabot ")[2]
    again = [CliRunner().invoke(cli, [*shlex.split(line), "--json"]) for _ in range(2)]

    assert (3, [0, 0]) == (unknown.exit_code, [each.exit_code for each in again]), again[0].output
    assert again[0].stdout == again[1].stdout
    (name,) = {json.loads(each.stdout)["id"] for each in again}
    count = f"SELECT count(*) FROM ledger.commands WHERE command_id = '{name}'"
    assert servers.on_second(count) == [(1,)]


def test_the_status_of_a_database_whose_standby_is_away_is_not_safe(
    servers: TwoServers, app: Connection, soon: float
) -> None:
    assert servers.database.status().ok
    servers.away()
    status = servers.database.status()

    assert not status.ok
    assert "the synchronous standby has not answered since" in status.advice[0]


def test_a_row_whose_commit_fails_is_an_error(database, superuser):
    superuser.execute("CREATE TABLE public.late (n int)")
    superuser.execute(
        "CREATE FUNCTION public.refuse() RETURNS trigger LANGUAGE plpgsql AS "
        "$$ BEGIN RAISE EXCEPTION 'no room' USING ERRCODE = 'disk_full'; END $$"
    )
    superuser.execute(
        "CREATE CONSTRAINT TRIGGER refuse AFTER INSERT ON public.late "
        "DEFERRABLE INITIALLY DEFERRED FOR EACH ROW EXECUTE FUNCTION public.refuse()"
    )
    with database.connect_as_is() as connection:
        wire, insert = connection.pgconn, b"INSERT INTO public.late VALUES (1) RETURNING n"
        result = connection.result(wire.send_query_params, insert, None)
        with pytest.raises(psycopg.errors.DiskFull):
            connection.execute(insert)

    assert result.status == psycopg.pq.ExecStatus.FATAL_ERROR
    assert b"no room" in result.error_message


def test_nobody_has_another_way_to_the_database() -> None:
    """A connection of the driver's own would believe a success that the standby does not have."""
    root = Path(__file__).parents[3]
    allowed = {"ops/ledger/confirmed.py", "ops/ledger/connection.py"}
    of_the_driver = ("psycopg.connect(", "Connection.connect(", "import AsyncConnection")
    ways = {
        str(file.relative_to(root))
        for package in ("ops", "projections", "domain")
        for file in (root / package).rglob("*.py")
        if any(each in file.read_text() for each in of_the_driver)
    }

    assert ways <= allowed | {"ops/ledger/database.py"}, ways
