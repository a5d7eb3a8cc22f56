"""A real PostgreSQL for every test that asks: the embedded one, or SABOT_TEST_DATABASE_URL.

One server a run, one database a test, copied from a template that was upgraded once.
"""

import os
import shutil
from collections import deque
from collections.abc import Callable, Iterator
from contextlib import closing, contextmanager
from datetime import timedelta
from itertools import count
from pathlib import Path
from tempfile import TemporaryDirectory
from types import ModuleType

import psutil
import psycopg
import pytest
from hypothesis import HealthCheck, settings
from psycopg.conninfo import conninfo_to_dict, make_conninfo

from domain.rules.house_rules import _LEARNED
from domain.rules.place import Place
from domain.rules.spots import SPOT, THE_TRADES
from ops.commands.casino import Casino
from ops.handlers.dispatcher import Dispatcher
from ops.ledger.database import Database
from ops.ledger.embedded import Embedded
from ops.ledger.machine import here
from ops.ledger.recorder import Ledger
from ops.ledger.together import Writer
from ops.words.language import ENGLISH, speaking
from tests import VERIFY, module_of
from tests.worlds.clusters import copying
from tests.worlds.gaming_table import BEGINS, GamingTable
from tests.worlds.held_sessions import held_in, sessions_held
from tests.worlds.quick_pins import QUICK
from tests.worlds.shared_ledger import SharedLedger
from tests.worlds.states import TablesInStates
from tests.worlds.used_again import UsedAgain

# Generated cases take the time they take: a busy machine is no failure.
settings.register_profile("sabot", deadline=None, suppress_health_check=[HealthCheck.too_slow])
settings.load_profile("sabot")
_numbers = count(1)
HERE = Place("pit-1", "pit", here().mark)  # by which another process knows it, too
ELSEWHERE = Place("pit-2", "ann", "b2")
NOON = BEGINS.replace(hour=12)
MEMORY = Path("/dev/shm")
LEFT = 3  # databases that nobody asks any more, and that are still there
ENOUGH = 2 << 30  # bytes for each worker
# These begin first, rooms and files: a long file that began last would be waited for alone.
_LONGEST_FIRST = (
    *("test_garbled_rows.py", "faults", "simulation", "terminal", "acceptance", "disputes"),
    *("handlers", "ledger", "commands", "replay", "reports", "ops", "projections"),
)


# Files and rooms whose tests start programs of their own, a PostgreSQL among them.
_WITH_PROGRAMS = {
    *("faults", "test_embedded", "test_installed", "test_demo", "test_ends", "test_tour"),
    *("test_feed", "test_ledger_missing"),
}

# Rooms whose tests ask about the sessions of a database, or change its settings.
_OF_SESSIONS = {"ledger", "faults"}


def pytest_addoption(parser: pytest.Parser) -> None:
    """What `scripts/test --quick` asks for."""
    parser.addoption("--quick", action="store_true", help="only tests that need no database")


def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    """With `--no-loadscope-reorder` workers take files in this order."""
    if config.getoption("--quick"):
        left = [item for item in items if _asks_a_database(item)]
        config.hook.pytest_deselected(items=left)
        items[:] = [item for item in items if not _asks_a_database(item)]
    ranks = {name: n for n, name in enumerate(_LONGEST_FIRST)}
    items.sort(key=lambda item: min(ranks.get(each, len(ranks)) for each in item.path.parts))


def _asks_a_database(item: pytest.Item) -> bool:
    places = {*item.path.parts, item.path.stem}
    return "server" in getattr(item, "fixturenames", ()) or bool(_WITH_PROGRAMS & places)


@pytest.fixture(scope="session", autouse=True)
def nobody_signed_on(tmp_path_factory: pytest.TempPathFactory) -> Iterator[None]:
    """No test speaks with the token, or hashes with the pepper, of whoever runs it.

    Nor does it go on from what they verified.
    """
    place = tmp_path_factory.mktemp("house")
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("SABOT_SESSION", str(place / "session"))
        patch.setenv("SABOT_PEPPER_FILE", str(place / "pepper"))
        patch.setenv("SABOT_VERIFIED", str(place / "verified"))
        # Copies of one ledger know nothing of one another.
        patch.setenv("SABOT_ACKNOWLEDGED", "/dev/null")
        yield


@pytest.fixture(scope="session", autouse=True)
def noon() -> Iterator[None]:
    """Before the evening of the tests begins, on whichever day they run; and that may lie ahead."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr("ops.ledger.clock.wall_clock", lambda: NOON)
        patch.setattr("ops.commands.machine_time.FURTHEST_AHEAD", timedelta(days=31))
        yield


@pytest.fixture(scope="session", autouse=True)
def one_place() -> Iterator[None]:
    """Whatever the machine is called on which they run, and whoever runs them."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr("ops.ledger.machine.here", lambda: HERE)
        yield


@pytest.fixture(scope="session", autouse=True)
def quick_pins() -> Iterator[None]:
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr("argon2.PasswordHasher", QUICK)
        yield


@pytest.fixture(scope="session", autouse=True)
def one_cluster(tmp_path_factory: pytest.TempPathFactory) -> Iterator[None]:
    """No server that begins in this process waits for `initdb` again."""
    run = copying(tmp_path_factory.mktemp("cluster"))
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr("ops.ledger.embedded.programs.Programs.run", run)
        yield


@pytest.fixture(autouse=True)
def english() -> Iterator[None]:
    """Each test begins in English, whatever the one before it spoke."""
    with speaking(ENGLISH):
        yield


@pytest.fixture(autouse=True)
def spots_of_the_trade() -> Iterator[None]:
    """What a rule set of a test names itself is no spot of the next one."""
    yield
    if named := SPOT.keys() - {*THE_TRADES}:
        _LEARNED.clear()  # or who learns the rule set again would not name them
        for spot in named:
            del SPOT[spot]


class Server:
    """A server on which a superuser may make databases.

    `strategy`: of copying. Files are copied sooner than pages are logged, where no disk is waited
    for; what the first connection to a database reads together is then copied along.
    """

    def __init__(self, url: str, strategy: str = "WAL_LOG") -> None:
        self.url = url
        self.strategy = strategy
        self.worker = os.environ.get("PYTEST_XDIST_WORKER", "main")
        self.connection = psycopg.connect(url, autocommit=True)
        self._left: deque[str] = deque()
        self._clean: list[UsedAgain] = []
        self._in_use: dict[str, UsedAgain] = {}
        self.template = f"sabot_template_{os.getpid()}"
        self.run(f"DROP DATABASE IF EXISTS {self.template}")
        self.run(f"CREATE DATABASE {self.template} ENCODING 'UTF8' TEMPLATE template0")
        Database(self.address(self.template)).upgrade()
        Database(self.address(self.template)).connect("sabot_app").close()

    def run(self, sql: str) -> None:
        self.connection.execute(sql)

    def close(self) -> None:
        for each in self._clean:
            each.close()
            self._left.append(each.name)
        for name in self._left:
            self._drop(name)
        self.connection.close()

    def address(self, database: str) -> str:
        return make_conninfo(**{**conninfo_to_dict(self.url), "dbname": database})

    @contextmanager
    def database_used_again(self) -> Iterator[Database]:
        """One with nothing in it, that was another test's before."""
        if not self._clean:
            name = self._copy(self.template)
            self._clean.append(UsedAgain(name, self.address(name)))
        used = self._clean.pop()
        self._in_use[used.name] = used
        with held_in(used.sessions):
            yield Database(used.address)
        del self._in_use[used.name]
        if used.clean():
            self._clean.append(used)
        else:
            used.close()
            self._leave(used.name)

    @contextmanager
    def database(self, like: Database | None = None) -> Iterator[Database]:
        """One of its own, as empty as the others, or `like` another."""
        template = conninfo_to_dict(like.url)["dbname"] if like else self.template
        if template in self._in_use:
            self._in_use[template].close()  # nobody else may have a session at what is copied
        name = self._copy(template)
        try:
            yield Database(self.address(name))
        finally:
            self._leave(name)

    def _copy(self, template: str) -> str:
        name = f"sabot_test_{os.getpid()}_{next(_numbers)}"
        self.run(f"CREATE DATABASE {name} TEMPLATE {template} STRATEGY {self.strategy}")
        # A copy has what was revoked in the database, and not what was revoked of it.
        self.run(f"REVOKE TEMPORARY ON DATABASE {name} FROM PUBLIC")
        self.run(f"GRANT TEMPORARY ON DATABASE {name} TO sabot_projector")
        return name

    def _leave(self, name: str) -> None:
        """Dropped when the next ones are left: its sessions have ended by then.

        While one ends, a drop looks again a tenth of a second later, and thousands are dropped.
        """
        self.run(f"SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE datname = '{name}'")
        self._left.append(name)
        while len(self._left) > LEFT:
            self._drop(self._left.popleft())

    def _drop(self, name: str) -> None:
        self.run(f"DROP DATABASE {name} WITH (FORCE)")


@pytest.fixture(scope="session")
def in_memory(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Path]:
    """Where a server's files are: in memory if there is plenty, or most of the time is waiting.

    What is asked of a disk, `tests/faults` asks of servers of their own.
    """
    workers = int(os.environ.get("PYTEST_XDIST_WORKER_COUNT", "1"))
    if not (MEMORY.is_dir() and os.access(MEMORY, os.W_OK)):
        free = 0
    else:
        free = min(shutil.disk_usage(MEMORY).free, psutil.virtual_memory().available)
    if free < workers * ENOUGH:
        yield tmp_path_factory.mktemp("sabot")
        return
    with TemporaryDirectory(prefix="sabot-test-", dir=MEMORY) as place:
        Path(place).chmod(0o755)  # under root the server is somebody else's
        yield Path(place)


@pytest.fixture(scope="session")
def server(in_memory: Path) -> Iterator[Server]:
    given = os.environ.get("SABOT_TEST_DATABASE_URL")
    if given:
        with closing(Server(given)) as server:
            yield server
        return
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr("ops.ledger.embedded.place.ROOT", in_memory)
        embedded = Embedded(in_memory / "home")
        embedded.ensure_running()
    try:
        strategy = "FILE_COPY" if in_memory.is_relative_to(MEMORY) else "WAL_LOG"
        with closing(Server(embedded.url(), strategy)) as server:
            for setting in ("wal_init_zero = off", "max_wal_size = '1GB'"):
                server.run(f"ALTER SYSTEM SET {setting}")  # hundreds of databases come and go
            server.run("SELECT pg_reload_conf()")
            yield server
    finally:
        embedded.destroy()


@pytest.fixture
def database(server: Server, request: pytest.FixtureRequest) -> Iterator[Database]:
    """An empty ledger, upgraded; one of its own where sessions or settings are what is asked."""
    own = "superuser" in request.fixturenames or _OF_SESSIONS & {*request.path.parts}
    with server.database() if own else server.database_used_again() as database:
        yield database


@pytest.fixture
def own_home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """What begins here begins in a new home: a home is of one house."""
    monkeypatch.setenv("SABOT_HOME", str(tmp_path / "home"))


@pytest.fixture
def casino(database: Database) -> Iterator[Casino]:
    """A process's view of an empty house."""
    casino = Casino(Ledger(database))
    yield casino
    casino.close()


@pytest.fixture
def dispatcher(casino: Casino) -> Dispatcher:
    """Lines in, answers out, on an empty ledger."""
    return Dispatcher(casino, "test")


@pytest.fixture
def another(database: Database) -> Iterator[Callable[[], Dispatcher]]:
    """More dispatchers on the same ledger, each as if in a process of its own."""
    made: list[Casino] = []

    def make() -> Dispatcher:
        made.append(Casino(Ledger(database)))
        return Dispatcher(made[-1], "test")

    yield make
    for each in made:
        each.close()


@pytest.fixture
def writer(database: Database) -> Iterator[Writer]:
    """What appends for several threads together."""
    with closing(Writer(database)) as writer:
        yield writer


@pytest.fixture
def at_place(monkeypatch: pytest.MonkeyPatch) -> Callable[[Place], None]:
    """What follows is typed there."""
    return lambda place: monkeypatch.setattr("ops.ledger.machine.here", lambda: place)


@pytest.fixture
def patient(monkeypatch: pytest.MonkeyPatch) -> None:
    """No place has to wait, however much is guessed there."""
    monkeypatch.setattr("ops.ledger.pin_tries.seconds_to_wait", lambda wrong: 0)


@pytest.fixture
def pit(dispatcher: Dispatcher) -> GamingTable:
    """Table B01 with three patrons, before its first coup."""
    return GamingTable(dispatcher).open().prepare()


@pytest.fixture(scope="module")
def tables(server: Server) -> Iterator[TablesInStates]:
    """One ledger for all tests of a file, which bring each a table of their own."""
    with server.database() as database, sessions_held():
        tables = TablesInStates(database)
        yield tables
        tables.close()


@pytest.fixture
def held() -> Iterator[None]:
    """What connects meanwhile does it by sessions that are held: for who connects often."""
    with sessions_held():
        yield


@pytest.fixture(scope="module")
def shared(server: Server) -> Iterator[SharedLedger]:
    """One ledger for all tests of a file, with tables of their own."""
    with server.database() as database, sessions_held(), closing(SharedLedger(database)) as shared:
        yield shared


@pytest.fixture(scope="module")
def agreeing(shared: SharedLedger) -> Iterator[SharedLedger]:
    """The same; after the last test of the file its reports agree, and a rebuild is alike."""
    yield shared
    shared.require_agreed()


@pytest.fixture(scope="module")
def settled(server: Server) -> Iterator[Database]:
    """B01 has settled a coup, and seat 3 owes 5.00; B02 takes bets."""
    with server.database() as database, sessions_held():
        tables = TablesInStates(database)
        tables.bring("B01", "settled")
        tables.bring("B02", "betting")
        tables.close()
        yield database


@pytest.fixture(scope="module")
def stranger() -> ModuleType:
    """`scripts/verify_pack`, to be called."""
    return module_of(VERIFY)


@pytest.fixture
def projector(database: Database) -> Iterator[psycopg.Connection[tuple[object, ...]]]:
    """Whoever grows rows."""
    with database.connect("sabot_projector") as connection:
        yield connection


@pytest.fixture
def superuser(database: Database) -> Iterator[psycopg.Connection[tuple[object, ...]]]:
    """The database administrator, who may do anything."""
    with database.connect_as_is() as connection:
        yield connection


@pytest.fixture
def golden() -> Path:
    """Where texts to compare with are kept."""
    return Path(__file__).parent / "golden"
