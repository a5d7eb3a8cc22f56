"""What whoever runs the server sees of it: its log, its counters, its health."""

import asyncio
import json
import logging
import threading
from contextlib import contextmanager

import pytest
from prometheus_client.parser import text_string_to_metric_families
from psycopg.conninfo import conninfo_to_dict

from ops import VERSION
from ops.web import news
from ops.web.log import log, mistake
from tests.acceptance.channels import as_text, recorded
from tests.ops.manual.pages import OTHER
from tests.waiting import until
from tests.worlds.closed_house import GUESS, PIN
from tests.worlds.house_server import house_server

OPEN = ("table", "open", "B01", "classic@1", "--opener", "100=90")
PATIENCE = 60.0  # seconds after which a test fails rather than hangs
NAMES = ("Annabel Archer", "Danforth", "Wilhelmina", "Grey-Jacket-Gentleman")


@pytest.fixture
def house(database, tmp_path):
    with house_server(database, tmp_path / "house") as server:
        yield server


# The log
@pytest.fixture
def evening(house):
    """Everybody signs on, mistypes, is named; and all the secrets that came up."""
    secrets = [PIN, GUESS, OTHER, *NAMES]
    boss, dealer = house.terminal("pit-1"), house.terminal("pit-2")
    boss.run("board", "--once")
    boss.run("staff", "approve-terminal", boss.key, "pit 1")
    first = boss.ask("staff", "enrol", "A-1", NAMES[0], "administrator")
    boss.sign_on("A-1", first["code"])
    codes = {
        staff: boss.ask("staff", "enrol", staff, name, role)["code"]
        for staff, name, role in (
            ("D-204", NAMES[1], "dealer"),
            ("S-11", NAMES[2], "supervisor"),
        )
    }
    shoe = house.home / "shoe.key"
    public = dealer.run("feed", "--key", str(shoe), "--new-key", "X-1").stdout.strip()
    boss.run("staff", "enrol", "X-1", "shoe", "device", "--public-key", public)
    dealer.send({"command": "open", "table": "B01"}, key=str(shoe))
    secrets += [first["code"], first["recovery_secret"], *codes.values()]
    secrets.append(shoe.read_text().split()[1])
    boss.run("staff", "change-pin", "A-1", types=(PIN, OTHER, OTHER))
    dealer.approved_by(boss).run("staff", "sign-on", "D-204", types=(codes["S-11"], PIN, PIN))
    dealer.sign_on("D-204", codes["D-204"])
    dealer.run("staff", "sign-on", "D-204", types=(GUESS,))
    dealer.run("staff", "sign-on", NAMES[1], types=(PIN,))
    dealer.run(*OPEN, "--with", "S-11", types=(GUESS,))
    boss.run("patron", "name", "P-1", NAMES[3])
    dealer.run("table", "seat", "B01", "3", NAMES[3])
    dealer.run(NAMES[2], PIN)
    dealer.run("staff", NAMES[1].lower(), PIN)
    secrets.append((dealer.home / "session").read_text().strip().partition(":")[2])
    secrets.append((boss.home / "session").read_text().strip().partition(":")[2])
    return dealer, [each for each in secrets if each]


def test_nothing_that_somebody_typed_is_in_the_log(house, evening):
    """Not where it belongs, and not where it was typed by mistake."""
    dealer, secrets = evening
    values = [PIN, GUESS, *NAMES]
    for wrong in values:
        dealer.send({"command": wrong, "table": wrong, "id": wrong})
        dealer.send({"command": "bet", "table": wrong, "seat": 3, "spot": wrong, "amount": wrong})
        dealer.send(
            {"command": "table.seat", "table": "B01", "seat": 3, "patron": wrong, "by": wrong}
        )
        dealer.send({wrong: wrong})
        dealer.run("feed", text=wrong)
        quoted = wrong.replace(" ", "%20")
        signed_off = {"Authorization": f"Bearer D-204:{PIN}"}
        for target in (
            f"/api/report/wagers.json?patron={quoted}",
            f"/api/{quoted}.json",
            f"/{quoted}",
        ):
            dealer.get(target, signed_off)
        body = json.dumps({"id": wrong, "words": [wrong, wrong], "typed": [wrong]}).encode()
        dealer.post("/api/shell", body)
        dealer.post("/api/shell", body[:-2])
        dealer.get("/api/board.json", {"Sabot-Terminal": quoted, "Sabot-Signed": quoted})
    written = house.log.read_bytes()
    lines = house.lines_of_log()

    assert len(secrets) > 10
    for secret in secrets:
        for form in (secret, secret.lower(), secret.replace(" ", "%20"), json.dumps(secret)[1:-1]):
            assert form.encode() not in written, secret
    assert len([each for each in lines if each["event"] == "command"]) >= 4 * len(values)
    assert {each["command"] for each in lines if each["event"] == "shell"} >= {
        "staff enrol", "staff sign-on", "staff change-pin", "patron name", "table open", "other",
    }  # fmt: skip


def test_a_line_of_the_log_has_command_table_coup_and_terminal(house):
    pit = house.terminal()
    pit.send(
        {"command": "table.open", "table": "B01", "rules": "classic@1", "opener": {}, "id": "n-1"},
        {"command": "table.seat", "table": "B01", "seat": 3, "patron": "P-1"},
        *({"command": f"shoe.{each}", "table": "B01"} for each in ("inspect", "cut")),
        {"command": "open", "table": "B01"},
    )
    lines = [each for each in house.lines_of_log() if each["event"] == "command"]
    done = [each for each in lines if each["outcome"] == "done"]

    assert [each["command"] for each in lines] == [
        "table.open", "table.seat", "shoe.inspect", "shoe.cut", "open",
    ]  # fmt: skip
    assert [each["outcome"] for each in lines[:3]] == ["done", "done", "ShoeNotReady"]
    assert {each["table"] for each in lines} == {"B01"}
    assert {each["terminal"] for each in lines} == {pit.key}
    assert all(each["position"] > 0 and each["timestamp"].endswith("Z") for each in done)
    assert lines[-1]["outcome"] not in ("done", None)


def test_a_mistake_is_logged_by_its_place_and_not_by_what_it_says(capsys):
    log.cache_clear()
    ours = log()
    try:
        raise ValueError(f"the PIN is {PIN}")
    except ValueError as error:
        mistake(ours, error, request="commands")
        logging.getLogger("library").exception("Something with %s", PIN)
    logging.getLogger("library").error("Sent by %s", NAMES[0])
    dies = threading.Thread(target=lambda: int(PIN + NAMES[0]))
    dies.start()
    dies.join()
    written = capsys.readouterr().err
    first, second, third, fourth = map(json.loads, written.splitlines())

    assert PIN not in written
    assert NAMES[0] not in written
    assert (first["kind"], first["request"]) == ("ValueError", "commands")
    assert first["places"][-1].startswith("tests/ops/web/test_watched.py:")
    assert second["kind"] == "ValueError"
    assert third["text"] == "Sent by %s"
    assert fourth["kind"] == "ValueError"


# The counters
def metrics(house):
    _, headers, content = house.terminal().get("/metrics")
    assert headers["Content-Type"].startswith("text/plain; version=0.0.4")
    return {
        (sample.name, *sorted(sample.labels.values())): sample.value
        for family in text_string_to_metric_families(content.decode())
        for sample in family.samples
    }


def test_the_counters_are_read_by_prometheus(house, database):
    pit = house.terminal()
    pit.run(*OPEN)
    pit.send(
        {"command": "table.seat", "table": "B01", "seat": 3, "patron": "P-1"},
        {"command": "table.seat", "table": "B01", "seat": 3, "patron": "P-2"},
    )
    pit.get("/api/nothing.json")
    counted = metrics(house)

    assert counted["sabot_commands_total", "done", "table.seat"] == 1
    assert counted["sabot_commands_total", "SeatTaken", "table.seat"] == 1
    assert counted["sabot_request_seconds_count", "commands"] == 1
    assert counted["sabot_request_seconds_count", "shell"] == 1
    assert counted["sabot_requests_refused_total", "422"] == 1
    assert counted["sabot_open", "events"] == 0
    assert counted["sabot_ledger_reachable",] == 1
    until(lambda: metrics(house)["sabot_ledger_position",] == len(recorded(database)))


def test_made_up_commands_make_no_further_counters(house):
    """Else anybody fills the memory, and the monitoring, with words of their own."""
    pit = house.terminal()
    pit.send({"command": "table.open"})
    pit.send(*({"command": f"nonsense-{n}", "table": f"T{n}"} for n in range(50)))
    counted = [each for each in metrics(house) if each[0] == "sabot_commands_total"]

    assert len(counted) == 2
    assert not [each for each in counted if "nonsense" in str(each)]


@pytest.mark.parametrize(
    ("sent", "status"),
    [
        ({}, 200),
        ({"Via": "1.1 proxy"}, 403),
        ({"Via": "1.1 proxy", "Authorization": "Bearer the-token"}, 200),
        ({"Via": "1.1 proxy", "Authorization": "Bearer another"}, 403),
        ({"Via": "1.1 proxy", "Authorization": "Bearer "}, 403),
        ({"Via": "1.1 proxy", "Authorization": "Bearer \xff"}, 403),
    ],
    ids=str,
)
def test_the_counters_are_for_this_machine_and_whoever_has_the_token(counting, sent, status):
    assert counting.terminal().get("/metrics", sent)[0] == status


@pytest.fixture(scope="module")
def counting(server, tmp_path_factory):
    """A server that gives its counters to whoever has a token."""
    place = tmp_path_factory.mktemp("counting")
    (place / "token").write_text("the-token\n")
    with (
        server.database() as database,
        house_server(database, place / "house", "--metrics-token", str(place / "token")) as house,
    ):
        yield house


def test_without_a_token_nobody_elsewhere_has_the_counters(house):
    for sent in ({"Via": "x"}, {"Via": "x", "Authorization": "Bearer "}):
        assert house.terminal().get("/metrics", sent)[0] == 403


# The health
@contextmanager
def away(server, database):
    """Nobody reaches this database, and whoever was connected is not any more."""
    name = conninfo_to_dict(database.url)["dbname"]
    server.run(f"ALTER DATABASE {name} ALLOW_CONNECTIONS false")
    server.run(f"SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE datname = '{name}'")
    try:
        yield
    finally:
        server.run(f"ALTER DATABASE {name} ALLOW_CONNECTIONS true")


def health(house):
    status, _, content = house.terminal().get("/health")
    return status, json.loads(content)


def test_health_is_503_while_the_database_is_away_and_200_after(house, server, database, tmp_path):
    pit, out = house.terminal(), tmp_path / "answers"
    assert pit.run(*OPEN).exit_code == 0
    well = health(house)
    with away(server, database):
        until(lambda: health(house)[0] == 503)
        ill = health(house)
        reachable = metrics(house)["sabot_ledger_reachable",]
        feed = pit.begin("feed", out=out)
        line = {"command": "table.seat", "table": "B01", "seat": 3, "patron": "P-1", "id": "n-1"}
        feed.stdin.write(as_text([line]).encode())
        feed.stdin.close()
        until(lambda: metrics(house).get(("sabot_requests_refused_total", "503")))
    until(lambda: health(house)[0] == 200)

    assert feed.wait(PATIENCE) == 0
    assert json.loads(out.read_text())["ok"]
    assert [well, health(house)] == [(200, {"ok": True, "version": VERSION})] * 2
    assert (ill[1]["ok"], reachable) == (False, 0)
    assert ill[1]["why"]
    seated = [each for each in recorded(database) if each[3] == "table-day.patron-seated"]
    assert len(seated) == 1
    assert house.lines_of_log()[-1]["level"] == "info"


def test_a_database_that_says_nothing_is_away(database, monkeypatch):
    """As one is whose machine was unplugged: the connection is there, and nothing comes."""
    silent, answers = threading.Event(), threading.Event()
    answers.set()
    asked = news.last_event

    def last_event(connection):
        if not answers.is_set():
            silent.set()
            answers.wait(PATIENCE)
        return asked(connection)

    monkeypatch.setattr(news, "last_event", last_event)
    monkeypatch.setattr(news, "SILENT", 0.5)

    async def listen():
        loop = asyncio.get_running_loop()
        heard = news.News(database)
        begins = heard.lost
        await loop.run_in_executor(None, until, lambda: not heard.lost)
        answers.clear()
        silent.wait(PATIENCE)
        await loop.run_in_executor(None, until, lambda: heard.lost)
        lost = heard.lost
        answers.set()
        await loop.run_in_executor(None, until, lambda: not heard.lost)
        heard.close()
        return begins, lost

    assert asyncio.run(listen()) == ("the server is starting", "the database does not answer")
