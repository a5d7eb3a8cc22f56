"""The door: what a terminal without a login does, and what it may not."""

import json
import os
import resource
import select
import socket
import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor
from contextlib import closing
from http.client import HTTPConnection
from urllib.parse import urlsplit

import pytest

from ops.door.connection import Connection
from ops.door.device import Device
from ops.door.signature import Terminal
from tests import ROOT
from tests.acceptance.channels import json_of
from tests.faults import times
from tests.worlds.closed_house import GUESS, PIN
from tests.worlds.house_server import A_COUP, Prepared, house_server


def opening(table):
    return ("table", "open", table, "classic@1", "--opener", "100=90")


@pytest.fixture(scope="module")
def house(server, tmp_path_factory):
    """An open house, in which each test has a table of its own."""
    home = tmp_path_factory.mktemp("open") / "house"
    with server.database() as database, house_server(database, home) as house:
        yield house


@pytest.fixture(scope="module")
def quiet(server, tmp_path_factory):
    """An open house in which nothing is recorded: for tests that only ask, and are refused."""
    home = tmp_path_factory.mktemp("quiet") / "house"
    with (
        server.database() as database,
        house_server(database, home, "--refused-lines", "100000") as house,
    ):
        yield house


@pytest.fixture(scope="module")
def once_closed(server, tmp_path_factory):
    """A house whose administrator is signed on at pit-1, and a dealer at pit-2."""
    home = tmp_path_factory.mktemp("closed") / "house"
    with server.database() as database:
        with house_server(database, home) as house:
            boss, dealer = house.terminal("pit-1"), house.terminal("pit-2")
            boss.run("board", "--once")  # which makes its key
            assert boss.run("staff", "approve-terminal", boss.key, "pit 1").exit_code == 0
            boss.sign_on("A-1", boss.ask("staff", "enrol", "A-1", "Ann", "administrator")["code"])
            dealer.approved_by(boss).sign_on(
                "D-204", boss.ask("staff", "enrol", "D-204", "Dan", "dealer")["code"]
            )
            house.stop()
        yield Prepared(database, home)


@pytest.fixture
def closed(once_closed, server, tmp_path):
    """A copy of that house."""
    with once_closed.copy(server, tmp_path / "house") as house:
        yield house


def events_of(database, table, topic):
    with database.connect("sabot_auditor") as connection:
        return connection.execute(
            "SELECT topic, metadata FROM ledger.events WHERE table_code = %s AND topic = %s",
            (table, topic),
        ).fetchall()


def test_a_coup_is_dealt_by_a_terminal_that_has_no_database(house):
    pit = house.terminal()
    for words in (
        opening("B01"),
        *A_COUP,
    ):
        result = pit.run(*words)
        assert result.exit_code == 0, result.output
    replayed = pit.ask("replay", "B01")
    (metadata,) = {metadata for _, metadata in events_of(house.database, "B01", "coup.settled")}

    assert replayed["agrees"]
    assert json.loads(metadata)["terminal"].count("-") == 3
    assert replayed == json_of(house.database, "replay", "B01")
    assert pit.run("report", "wagers").output == pit.run("report", "wagers").output


def test_nothing_of_a_terminal_knows_a_database(quiet):
    pit = quiet.terminal()
    program = (
        "import sys; from ops.cli import cli\n"
        "try: cli(sys.argv[1:])\n"
        "except SystemExit: pass\n"
        "print(sorted({'psycopg', 'eventsourcing', 'argon2'} & set(sys.modules)))"
    )
    for words in (["board", "--once"], ["feed", "/dev/null"], ["bet", "B01", "3", "tie", "5"]):
        done = subprocess.run(
            [sys.executable, "-c", program, *words],
            cwd=ROOT,
            env={**os.environ, **pit.env},
            capture_output=True,
            text=True,
            check=True,
        )
        assert done.stdout.endswith("[]\n"), done


@pytest.mark.parametrize(
    ("words", "status"), [(["rules", "list", "--json"], 0), (["bet", "B01", "3", "tie", "5"], 1)]
)
def test_a_command_that_goes_through_the_door_ends_at_once_and_has_written_all(
    quiet, words, status
):
    program = (
        "import atexit; atexit.register(print, 'everything is freed')\n"
        "from ops.begin import main; main()"
    )
    done = subprocess.run(
        [sys.executable, "-c", program, *words],
        cwd=ROOT,
        env={**os.environ, **quiet.terminal().env},
        capture_output=True,
        text=True,
        check=False,
    )
    written = quiet.terminal().run(*words)

    assert (done.stdout, done.stderr) == (written.stdout, written.stderr)
    assert (done.returncode, written.exit_code) == (status, status)


def test_a_command_of_the_shell_repeated_with_its_id_counts_once(house):
    pit = house.terminal()
    words = ["property", "set", "name", "Riverside", "--by", "S-11"]
    first = pit.ask(*words)
    again = pit.ask(*words, "--id", first["id"])

    assert first["id"].startswith("shell:")
    assert (True, first) == (first["ok"], again)


def test_a_feed_is_answered_in_order_and_a_file_sent_again_counts_once(house):
    pit = house.terminal()
    lines = [
        {"command": "table.open", "table": "B02", "rules": "classic@1", "opener": {"10000": 9}},
        {"command": "table.seat", "table": "B02", "seat": 3, "patron": "P-1"},
        {"command": "nonsense"},
    ]
    named = [{**line, "id": f"n-{n}"} for n, line in enumerate(lines)]
    first = pit.send(*named)
    again = pit.send(*named)
    unreadable = pit.run("feed", text='{"command": "bet"\nxx\n{}\n')

    assert [each["ok"] for each in first] == [True, True, False]
    assert again == first
    errors = [json.loads(each)["error"] for each in unreadable.stdout.splitlines()]
    assert errors == ["BadLine", "BadLine", "MissingField"]
    assert unreadable.exit_code == 2
    assert len(events_of(house.database, "B02", "table-day.opened")) == 1


def test_readings_are_given_as_json_by_name(house):
    pit = house.terminal()
    pit.run(*opening("B03"))
    status, _, content = pit.get("/api/report/wagers.json?table=B03")
    missing, _, words = pit.get("/api/replay.json?coup=B03")
    unknown, *_ = pit.get("/api/bet.json?table=B03")

    assert (status, json.loads(content)["report"]) == (200, "wagers")
    assert (missing, json.loads(words)["error"]) == (404, "NotFound")
    assert unknown == 422


def test_files_are_written_at_the_terminal_and_nowhere_else(house, tmp_path):
    pit = house.terminal()
    pit.run(*opening("B04"))
    file = tmp_path / "here" / "wagers.pdf"
    file.parent.mkdir()
    written = pit.run("report", "wagers", "--pdf", str(file))

    assert written.exit_code == 0
    assert str(file) in written.output
    assert file.read_bytes().startswith(b"%PDF")


@pytest.mark.parametrize(
    "words",
    [
        ("db", "status", "--json"),
        ("projections", "run"),
        ("projections", "rebuild"),
        ("audit", "key", "new"),
        ("audit", "--", "checkpoint"),
        ("staff", "recover", "A-1"),
        ("staff", "--", "recover", "A-1"),
        ("serve",),
        ("demo",),
        ("--database", "postgresql://elsewhere/x", "board", "--once"),
        ("--language", "pt", "db", "down"),
        ("dealer", "B01"),
        ("audit", "verify", "--against", "/etc/passwd"),
        ("feed", "/etc/passwd"),
    ],
)
def test_what_works_on_the_server_s_own_machine_does_not_come_through(quiet, words):
    asked = {"id": "x", "words": list(words), "typed": [], "terminal": {"PATH": "/evil"}}
    status, content = quiet.terminal().post("/api/shell", json.dumps(asked).encode())
    answer = json.loads(content)

    assert (status, answer["status"]) == (200, 2), answer
    assert "root:" not in answer.get("err", "") + answer.get("out", "")


@pytest.mark.parametrize(
    "words",
    [("rules", "check", "/etc/passwd"), ("audit", "prove", "--consistent", "/etc/passwd", "1")],
)
def test_a_file_of_the_server_is_read_by_nobody(quiet, words):
    asked = {"id": "x", "words": list(words)}
    _, content = quiet.terminal().post("/api/shell", json.dumps(asked).encode())
    line = {"command": "rules.approve", "file": "/etc/passwd", "by": "A-1", "with": "S-11"}
    (answer,) = quiet.terminal().send(line)

    assert "no such file" in json.loads(content)["err"]
    assert "no such file" in answer["message"]


def test_a_rule_set_is_read_from_the_terminal_s_own_file(quiet, tmp_path):
    file = tmp_path / "ours.toml"
    file.write_text('name = "ours@1"\nbased_on = "classic@1"\nsource = "our own"\n')
    checked = quiet.terminal().run("rules", "check", str(file))

    assert "ours@1 is a valid rule set" in checked.output


def test_a_shell_without_a_key_is_no_terminal(quiet):
    body = json.dumps({"id": "x", "words": ["board", "--once"]})
    with closing(HTTPConnection(urlsplit(quiet.address).netloc, timeout=30)) as http:
        http.request("POST", "/api/shell", body)
        assert http.getresponse().status == 401


# People
def test_people_sign_on_with_a_pin_that_only_the_server_checks(closed):
    dealer = closed.terminal("pit-2")
    opened = dealer.ask(*opening("B01"), "--with", "A-1")
    again = dealer.run("staff", "sign-off", "D-204")
    after = dealer.ask("table", "seat", "B01", "3", "P-1")

    assert opened["error"] in ("SecondPersonNeeded", "NotPermitted")
    assert again.exit_code == 0
    assert after["error"] == "NotSignedOn"
    assert not (dealer.home / "session").exists()
    assert not (dealer.home / "no-pepper").exists()


def test_a_token_is_worth_nothing_at_another_terminal(closed):
    dealer = closed.terminal("pit-2")
    thief = closed.terminal("pit-9").approved_by(closed.terminal("pit-1"))
    (thief.home / "session").write_text((dealer.home / "session").read_text())
    stolen = thief.ask("table", "limits", "B01", "--minimum", "50")
    bearer = f"Bearer {(dealer.home / 'session').read_text().strip()}"
    unsigned, *_ = dealer.get("/api/report/access.json", {"Authorization": bearer})

    assert stolen["error"] == "NotSignedOn"
    assert unsigned == 401
    assert dealer.ask("table", "limits", "B01", "--minimum", "50")["error"] != "NotSignedOn"


def test_a_token_that_was_chosen_before_the_sign_on_is_replaced(closed):
    boss = closed.terminal("pit-1")
    dealer = closed.terminal("pit-3").approved_by(boss)
    code = boss.ask("staff", "enrol", "D-205", "Dee", "dealer")["code"]
    (dealer.home / "session").write_text("D-205:chosen-by-an-attacker\n")
    dealer.sign_on("D-205", code)

    assert (dealer.home / "session").read_text() != "D-205:chosen-by-an-attacker\n"
    (dealer.home / "session").write_text("D-205:chosen-by-an-attacker\n")
    assert dealer.ask("table", "limits", "B01", "--minimum", "50")["error"] == "NotSignedOn"


def test_pins_guessed_in_parallel_from_many_places_lock_the_number(closed):
    boss = closed.terminal("pit-1")
    guests = [closed.terminal(f"guest-{n}").approved_by(boss) for n in range(12)]
    with ThreadPoolExecutor(4) as pool:  # the server answers them at the same time
        guesses = list(pool.map(_guess, guests))

    assert set(guesses) <= {"WrongPin", "PinLocked", "PinsSlowed"}
    assert "PinLocked" in guesses
    right = closed.terminal("pit-2").ask("staff", "sign-on", "D-204", types=(PIN,))
    assert right["error"] == "PinLocked"


def _guess(guest):
    """The error that a guess at a terminal gets; it does not touch this process's environment."""
    words = ["staff", "sign-on", "D-204", "--json"]
    body = json.dumps({"id": guest.home.name, "words": words, "typed": [GUESS]}).encode()
    headers = Terminal(guest.home / "terminal-key").headers("POST", "/api/shell", body)
    with closing(HTTPConnection(urlsplit(guest.server.address).netloc, timeout=60)) as http:
        http.request("POST", "/api/shell", body, headers)
        return json.loads(json.loads(http.getresponse().read())["out"])["error"]


def test_a_terminal_that_nobody_approved_learns_its_name_and_nothing_else(closed):
    stranger = closed.terminal("pit-8")
    for words in (["board", "--once"], ["staff", "sign-on", "D-204"], ["audit", "verify"]):
        refused = stranger.run(*words)
        assert refused.exit_code == 1
        assert stranger.key in refused.stderr
    (answer,) = [stranger.post("/api/commands", b'{"command": "open", "table": "B01"}\n')]
    unsigned, *_ = stranger.get("/api/rules/list.json")
    made_up, *_ = stranger.get("/api/rules/list.json", {"Authorization": "Bearer A-1:guess"})

    assert (answer[0], unsigned, made_up) == (403, 401, 401)


@pytest.fixture
def shoe(closed, tmp_path):
    """A reading shoe with a key of its own, which the house has enrolled."""
    device = Device.make(tmp_path / "shoe.key", "X-1")
    enrol = ("staff", "enrol", "X-1", "Reading shoe", "device", "--public-key", device.public)
    assert closed.terminal("pit-1").run(*enrol).exit_code == 0
    return device


def sent_by(device, closed, *lines):
    """What the server answers to the lines of a device, which nobody approved a terminal for."""
    with closing(Connection(closed.address, patience=2, device=device)) as connection:
        body = b"".join(json.dumps(each).encode() + b"\n" for each in lines)
        return connection.post("/api/commands", body)


def test_a_device_comes_in_by_its_own_key_and_sends_what_happens_in_the_game(closed, shoe):
    draw = {"command": "draw", "table": "B01", "card": "9C"}
    status, content = sent_by(shoe, closed, {**draw, "device_n": 1})
    stranger = Device.make(closed.home / "stranger.key", "X-1")
    by_a_stranger, why = sent_by(stranger, closed, {**draw, "device_n": 2})
    with closing(Connection(closed.address, patience=2, device=shoe)) as connection:
        at_a_shell, _ = connection.post("/api/shell", b'{"id": "shell:1", "words": ["board"]}')
    closed.terminal("pit-1").run("staff", "retire", "X-1")
    after, _ = sent_by(shoe, closed, {**draw, "device_n": 2})

    assert (status, json.loads(content)["error"]) == (200, "TableClosed")
    assert (by_a_stranger, "X-1 is no device of this house with the key" in str(why)) == (403, True)
    assert (at_a_shell, after) == (403, 403)


def test_a_device_with_a_new_key_comes_in_by_that_one_only(closed, shoe, tmp_path):
    new = Device.make(tmp_path / "new.key", "X-1")
    enrol = ("staff", "enrol", "X-1", "Reading shoe", "device", "--public-key", new.public)
    assert closed.terminal("pit-1").run(*enrol).exit_code == 0
    line = {"command": "draw", "table": "B01", "card": "9C", "device_n": 1}

    assert sent_by(shoe, closed, line)[0] == 403
    assert sent_by(new, closed, line)[0] == 200


def test_a_file_of_lines_goes_by_a_device_at_a_terminal_that_nobody_approved(closed, shoe):
    line = json.dumps({"command": "draw", "table": "B01", "card": "9C"})
    key = str(closed.home.parent / "shoe.key")
    answered = closed.terminal("pit-7").run("feed", "--key", key, types=(line, line))

    assert [json.loads(each)["error"] for each in answered.stdout.splitlines()] == [
        "TableClosed",
        "TableClosed",
    ]


def test_a_terminal_that_was_retired_is_out_at_once_and_for_good(closed):
    boss, dealer = closed.terminal("pit-1"), closed.terminal("pit-2")
    assert dealer.run("rules", "list").exit_code == 0
    boss.run("staff", "retire-terminal", dealer.key, "--reason", "stolen")
    again = boss.ask("staff", "approve-terminal", dealer.key, "pit 2")
    refused = dealer.run("staff", "sign-on", "D-204", types=(PIN,))

    assert "was retired" in refused.stderr
    assert (again["ok"], "for good" in again["message"]) == (False, True)


def test_a_dealer_approves_no_terminal(closed):
    dealer, other = closed.terminal("pit-2"), closed.terminal("pit-7")
    other.run("board", "--once")

    assert dealer.ask("staff", "approve-terminal", other.key, "x")["error"] == "NotPermitted"


def test_what_was_typed_is_in_no_log(closed):
    closed.terminal("pit-2").run("staff", "sign-on", "D-204", types=(GUESS,))
    log = closed.log.read_text()

    assert '"event": "shell"' in log
    for secret in (PIN, GUESS, "Ann", "Dan"):
        assert secret not in log
    token = (closed.terminal("pit-1").home / "session").read_text().strip().partition(":")[2]
    assert token not in log


# Requests
@pytest.mark.parametrize(
    ("target", "body", "status"),
    [
        ("/api/commands", b"x" * (1 << 20) + b"yy", 413),
        ("/api/shell", b"", 400),
        ("/api/shell", b"[]", 400),
        ("/api/shell", b'{"id": "x", "words": ["bet"], "extra": {"a"', 400),
        ("/api/shell", b'{"id": "x", "words": "bet"}', 400),
        ("/api/nothing", b"", 404),
        ("/api/../etc/passwd", b"", 404),
    ],
)
def test_requests_that_are_none(quiet, target, body, status):
    assert quiet.terminal().post(target, body)[0] == status


@pytest.mark.parametrize("header", ["X-Forwarded-For", "Forwarded", "X-Real-IP", "Via"])
def test_whoever_comes_by_a_proxy_is_not_the_server_s_own_machine(quiet, header):
    status, _, content = quiet.terminal().get("/api/rules/list.json", {header: "127.0.0.1"})

    assert (status, json.loads(content)["error"]) == (403, "NotTrusted")


def test_a_line_that_cannot_be_read_is_named_by_its_place_in_the_file(quiet):
    many = "".join(f'{{"command": "nonsense", "table": "{n:060}"}}\n' for n in range(2_000))
    answers = quiet.terminal().run("feed", text=f"{many}\u2028xx\n").stdout.split("\n")[:-1]

    assert len(answers) == 2_001
    assert json.loads(answers[-1])["line"] == 2_001


def test_a_feed_stops_at_the_first_refused_line(quiet):
    lines = "".join('{"command": "open", "table": "B01"}\n' for _ in range(3))
    stopped = quiet.terminal().run("feed", "--stop-on-error", text=lines)

    assert stopped.exit_code == 1
    assert len(stopped.stdout.splitlines()) == 1


def test_answers_are_stored_nowhere_and_run_nothing(quiet):
    _, headers, content = quiet.terminal().get("/api/schema")
    json.loads(content)

    assert headers["Cache-Control"] == "no-store"
    assert headers["Content-Security-Policy"] == "default-src 'none'"
    assert headers["Server"] is None


# Many, slow, and streams
def test_thousands_of_connections_that_say_nothing_hinder_nobody(house):
    """In full counts as many as this machine lets one process open, and ten thousand at most."""
    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    resource.setrlimit(resource.RLIMIT_NOFILE, (hard, hard))
    idle = []
    try:
        host, port = urlsplit(house.address).netloc.split(":")
        for _ in range(min(times(600, 10_000), hard - 500)):
            try:
                idle.append(socket.create_connection((host, int(port)), timeout=5))
            except OSError:
                break
        answered = house.terminal().run("rules", "list")
        readable, _, _ = select.select(idle[:1], [], [], 30)
        ended = bool(readable) and idle[0].recv(1) == b""
    finally:
        for each in idle:
            each.close()
        resource.setrlimit(resource.RLIMIT_NOFILE, (soft, hard))

    assert ended
    assert len(idle) > 500
    assert answered.exit_code == 0, answered.output


def test_a_request_that_never_ends_is_cut_off(quiet):
    host, port = urlsplit(quiet.address).netloc.split(":")
    with socket.create_connection((host, int(port)), timeout=60) as slow:
        slow.sendall(b"POST /api/commands HTTP/1.1\r\nHost: x\r\nContent-Length: 1000\r\n\r\n{")
        begun = slow.recv(1000)

    assert b" 408 " in begun


def test_whoever_follows_hears_of_every_event_in_order_and_only_once(house):
    pit = house.terminal()
    heard = []
    with closing(HTTPConnection(urlsplit(house.address).netloc, timeout=30)) as http:
        http.request("GET", "/api/events?after=0&table=B05")
        answer = http.getresponse()
        pit.run(*opening("B05"))
        pit.run("table", "seat", "B05", "3", "P-1")
        while not any(each["type"] == "PatronSeated" for each in heard):
            line = answer.readline()
            if line.startswith(b"data:"):
                heard.append(json.loads(line[5:]))
    with house.database.connect("sabot_auditor") as connection:
        recorded = connection.execute(
            "SELECT position FROM ledger.events WHERE table_code = 'B05' ORDER BY position"
        ).fetchall()

    positions = [each["position"] for each in heard]
    assert positions == [position for (position,) in recorded][: len(positions)]
    assert {each["table"] for each in heard} == {"B05"}


def test_who_follows_is_whoever_may_export_events(closed):
    dealer = closed.terminal("pit-2")
    bearer = f"Bearer {(dealer.home / 'session').read_text().strip()}"
    status, *_ = dealer.get("/api/events?after=0", {"Authorization": bearer})

    assert status in (401, 403)


def test_a_stream_of_events_ends_with_the_sign_on_of_whoever_follows(closed):
    boss = closed.terminal("pit-1")
    pit = closed.terminal("pit-5").approved_by(boss)
    pit.sign_on("O-1", boss.ask("staff", "enrol", "O-1", "Olga", "auditor")["code"])
    with pytest.MonkeyPatch.context() as patch:
        for name, value in pit.env.items():
            patch.setenv(name, value)
        with Connection(closed.address).stream("/api/events?after=0", 20) as answer:
            first = answer.readline()
            boss.run("staff", "sign-off", "O-1")
            rest = answer.read().decode()

    assert first.startswith(b"id: 1")
    assert "event: ended" in rest
    assert "NotSignedOn" in rest.rpartition("event: ended")[2]


def test_a_feed_at_a_terminal_prints_the_schema(quiet):
    assert json.loads(quiet.terminal().run("feed", "--schema").stdout)["$defs"]
