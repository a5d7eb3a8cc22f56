"""`sabot serve --reading` on a standby: pages, questions and events; a command where it leads."""

import json
from collections.abc import Iterator
from contextlib import closing, contextmanager
from http.client import HTTPConnection
from urllib.parse import urlsplit

import pytest

from ops.door.connection import Connection
from ops.ledger.cluster import server_of
from ops.ledger.embedded.processes import wait
from projections import REPORTS
from tests.acceptance.channels import json_of
from tests.worlds.browsers import PlainBrowser
from tests.worlds.gaming_table import DAY, GamingTable, disputed, mouth_on, trouble
from tests.worlds.house_server import HouseServer, house_server
from tests.worlds.two_servers import TwoServers

COUP = f"B04/{DAY}/1/1"
PAGES = (
    *("/", "/tables/B04", "/wall", "/wall/B04", "/cases", "/cases/C-2026-0001", "/ledger"),
    *("/ledger/3", "/reports", f"/coups/{COUP}", f"/coups/{COUP}.json", f"/shoes/B04/{DAY}/1"),
    *("/patrons/P-10417", f"/stays/B04/{DAY}/stay-1", f"/days/{DAY}", "/staff/D-204"),
    *("/rules/R-DRAW-3", "/sign-on", "/api/board.json", "/api/report/coup.json", "/metrics"),
    *(f"/reports/{name}" for name in REPORTS),
)
BUY_IN = {"command": "table.buy-in", "table": "B04", "seat": 3, "amount": 100_00, "by": "D-204"}
ONLY_READS = "this database is a standby, from which you can only read; its leader is"
SECONDS = 20.0


@pytest.fixture(scope="module")
def servers(tmp_path_factory: pytest.TempPathFactory) -> Iterator[TwoServers]:
    with closing(TwoServers(tmp_path_factory.mktemp("two"))) as servers:
        with mouth_on(servers.database) as dispatcher:
            disputed(trouble(GamingTable(dispatcher, "B04").open().prepare()))
        for name in REPORTS:
            json_of(servers.database, "report", name)
        json_of(servers.database, "board")
        assert wait(servers.caught_up, SECONDS)
        yield servers


@pytest.fixture(scope="module")
def house(servers: TwoServers, tmp_path_factory: pytest.TempPathFactory) -> Iterator[HouseServer]:
    place = tmp_path_factory.mktemp("house") / "house"
    with house_server(servers.standby, place, "--reading") as house:
        yield house


def commands(servers: TwoServers) -> object:
    return servers.run("SELECT count(*), max(number) FROM ledger.commands")


@contextmanager
def stream(house: HouseServer, target: str):
    with closing(HTTPConnection(urlsplit(house.address).netloc, timeout=SECONDS)) as http:
        http.request("GET", target)
        yield http.getresponse()


def test_every_page_of_a_standby_answers(house: HouseServer) -> None:
    browser = PlainBrowser(house.address)
    answers = {page: browser.get(page)[0] for page in PAGES}

    assert {page: status for page, status in answers.items() if status != 200} == {}
    assert "Read from a standby: counted up to" in browser.get("/")[1]
    assert "Read from a standby: counted up to" in browser.get("/reports/coup")[1]
    read = [each for each in house.lines_of_log() if each["event"] == "read"]
    assert {"board", "report coup"} <= {each["command"] for each in read}


def test_its_health_is_that_it_reads_and_records_nothing(house: HouseServer) -> None:
    status, _, content = house.terminal().get("/health")
    reads, _, _ = house.terminal().get("/health/reading")

    assert (status, reads) == (503, 200)
    assert json.loads(content)["why"].startswith(ONLY_READS)


def test_a_command_to_it_says_where_the_leader_is_by_every_way(
    servers: TwoServers, house: HouseServer
) -> None:
    before, terminal = commands(servers), house.terminal()
    body = f"{json.dumps({**BUY_IN, 'id': 'k-1'})}\n".encode()
    status, answer = terminal.post("/api/commands", body)
    typed = terminal.run("table", "buy-in", "B04", "3", "100")
    send = {"ask": "send", "lines": [{**BUY_IN, "id": "k-2"}]}
    asked, question = terminal.post("/api/questions", json.dumps(send).encode())
    form = PlainBrowser(house.address).post("/cases", {"coup": COUP, "patron": "P-1"})
    fed = terminal.run("feed", "--patience", "0", text=body.decode())

    assert (status, json.loads(answer)["error"]) == (503, "OnStandby")
    assert (asked, json.loads(question)["error"]) == (503, "OnStandby")
    assert ONLY_READS in json.loads(answer)["why"]
    assert (typed.exit_code, ONLY_READS in typed.stderr) == (3, True)
    assert ONLY_READS in form[1]
    assert (fed.exit_code, ONLY_READS in fed.stderr) == (3, True), fed.output
    assert commands(servers) == before


def test_whoever_follows_sees_what_the_leader_records(
    servers: TwoServers, house: HouseServer
) -> None:
    (head,) = servers.run("SELECT max(position) FROM ledger.events")[0]
    with stream(house, f"/api/events?after={head}") as answer:
        with mouth_on(servers.database) as dispatcher:
            GamingTable(dispatcher, "B05").open()
        lines = [answer.readline() for _ in range(6)]

    assert any(b"B05" in line for line in lines), lines


@pytest.mark.parametrize("target", ["/api/board?started=1", "/api/tables/B04/now?by=D-204"])
def test_a_screen_is_shown_a_table_of_a_standby(house: HouseServer, target: str) -> None:
    with pytest.MonkeyPatch.context() as patch:
        for name, value in house.terminal().env.items():
            patch.setenv(name, value)
        with (
            closing(Connection(house.address, patience=0)) as connection,
            connection.stream(target, SECONDS) as answer,
        ):
            first = answer.readline()

    assert (answer.status, first[:1] not in b"{") == (200, True), first


def test_once_it_is_promoted_it_takes_commands_and_counts(
    servers: TwoServers, house: HouseServer
) -> None:
    terminal = house.terminal()
    with servers.database.session("sabot_auditor") as connection:
        system, _, timeline = server_of(connection).partition("/")
    promoted = servers.promote()
    assert wait(lambda: terminal.get("/health")[0] == 200, SECONDS)
    seated = terminal.run("table", "seat", "B05", "8", "P-8")
    board = json_of(promoted, "board")

    assert seated.exit_code == 0, seated.output
    assert "promoted" in {each["event"] for each in house.lines_of_log()}
    assert "counted_up_to" not in board
    with promoted.session("sabot_auditor") as connection:
        assert server_of(connection) == f"{system}/{int(timeline) + 1}"
    assert "record restored" not in {each["kind"] for each in board["alerts"]}
    browser = PlainBrowser(house.address)
    assert wait(lambda: "Read from a standby" not in browser.get("/")[1], SECONDS)
