"""How the house server runs: certificates, a stop in the middle, its log, counters and health."""

import json
import os
import signal
import socket
from contextlib import ExitStack, closing, contextmanager, suppress
from urllib.parse import urlsplit

import pytest

from ops.cli.audit.verify import walk
from ops.door.connection import Connection, HouseLost
from ops.simulation.run import Plan
from ops.web.server import Address, listener_at
from tests import ROOT
from tests.acceptance.channels import as_text, recorded, shell
from tests.waiting import until
from tests.worlds.certificates import Authority
from tests.worlds.house_server import house_server
from tests.worlds.programs import run

OPEN = ("table", "open", "B01", "classic@1", "--opener", "100=90")
PATIENCE = 60.0  # seconds after which a test fails rather than hangs
LINES = list(Plan(tables=2, coups=8, seed=5).lines([1, 2]))[:200]


@pytest.fixture
def house(database, tmp_path):
    with house_server(database, tmp_path / "house") as server:
        yield server


@pytest.fixture
def alone(database, tmp_path):
    """As `sabot serve` at a shell begins, runs and ends."""
    with house_server(database, tmp_path / "house", alone=True) as server:
        yield server


def test_an_answer_is_sent_at_once():
    """Its body would wait 40 ms for the receipt of its head."""
    with listener_at(Address(port=0)) as listener:
        with socket.create_connection(listener.getsockname(), PATIENCE):
            connection, _ = listener.accept()
        with connection:
            assert connection.getsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY)


# Certificates
@pytest.fixture
def authority(tmp_path):
    return Authority(tmp_path)


def test_a_terminal_that_trusts_the_authority_comes_in(database, tmp_path, authority):
    options = authority.issue("localhost", "127.0.0.1")
    with house_server(database, tmp_path / "house", *options, trusts=authority.file) as house:
        opened = house.terminal().run(*OPEN)

        assert house.address.startswith("https://127.0.0.1:")
        assert opened.exit_code == 0, opened.output
        assert house.terminal().get("/health")[0] == 200


@pytest.mark.parametrize(
    ("names", "expired", "why"),
    [
        (["127.0.0.1"], True, "certificate has expired"),
        (["sabot.example"], False, "is not valid for '127.0.0.1'"),
        (["127.0.0.1"], False, "unable to get local issuer certificate"),
    ],
)
def test_a_certificate_that_is_not_trusted_is_refused_in_words(
    database, tmp_path, authority, names, expired, why
):
    options = authority.issue(*names, expired=expired)
    stranger = Authority(tmp_path, "another")
    trusts = stranger.file if "issuer" in why else authority.file
    with house_server(database, tmp_path / "house", *options, trusts=trusts) as house:
        for words in (OPEN, ("feed", os.devnull), ("staff", "sign-on", "A-1")):
            refused = house.terminal().run(*words, text="")
            if words[0] != "feed":  # which had nothing to send
                assert refused.exit_code == 3
                assert "its certificate is not trusted here (" in refused.stderr
                assert why in refused.stderr
                assert len(refused.stderr.splitlines()) == 1
    assert [each for each in recorded(database) if not each[3].startswith("program-day")] == []


@pytest.mark.parametrize(
    ("scheme", "why"), [("http", "begin with https"), ("https", "begin with http")]
)
def test_a_wrong_scheme_is_told_in_a_few_words(database, tmp_path, authority, scheme, why):
    options = authority.issue("127.0.0.1") if scheme == "http" else ()
    with house_server(database, tmp_path / "house", *options) as house:
        connection = Connection(f"{scheme}://{urlsplit(house.address).netloc}", patience=0)
        with closing(connection), pytest.raises(HouseLost, match=why):
            connection.post("/api/commands", b"")


@pytest.mark.usefixtures("own_home")
@pytest.mark.parametrize(
    ("options", "why"),
    [
        (["--host", "0.0.0.0"], "PINs would go over the network unencrypted at 0.0.0.0."),
        (["--tls-cert", "{cert}"], "Give both --tls-cert and --tls-key, or neither."),
        (["--tls-cert", "{cert}", "--tls-key", "{cert}"], "no certificate and its key."),
        (["--tls-cert", "{none}", "--tls-key", "{cert}"], "does not exist"),
    ],
)
def test_a_server_that_would_not_be_safe_does_not_start(
    database, tmp_path, authority, options, why
):
    names = {"cert": str(authority.file), "none": str(tmp_path / "none.pem")}
    words = ["serve", "--port", "0", *(each.format(**names) for each in options)]
    done = run(["--database", database.url, *words], cwd=ROOT, timeout=PATIENCE)

    assert done.returncode == (1 if "its key." in why else 2)
    assert why in done.stderr
    assert "Traceback" not in done.stderr


@pytest.mark.usefixtures("own_home")
def test_a_port_that_is_taken_is_told_in_words(database, house):
    port = urlsplit(house.address).port
    result = shell(database, "serve", "--port", str(port))

    assert result.exit_code == 1
    assert result.stderr == (
        f"Nothing can listen at 127.0.0.1, port {port}: address already in use. Give another "
        "--host or --port, or end what listens there.\n"
    )


# The end of it
@contextmanager
def nothing_is_appended(database):
    """Every append waits until the block ends."""
    with database.connect_as_is() as connection, connection.transaction():
        connection.execute("LOCK TABLE locks.ledger IN SHARE UPDATE EXCLUSIVE MODE")
        yield


def somebody_waits(database):
    with database.connect_as_is() as connection:
        return connection.execute(
            "SELECT 1 FROM pg_locks JOIN pg_database ON pg_database.oid = database "
            "WHERE NOT granted AND relation = 'locks.ledger'::regclass "
            "AND datname = current_database()"
        ).fetchone()


def takes_no_connection(house):
    split = urlsplit(house.address)
    try:
        socket.create_connection((split.hostname, split.port)).close()
    except ConnectionRefusedError:
        return True
    return False


def answers_in(file):
    whole, _, _ = file.read_text().rpartition("\n")  # the feed may be writing the next one
    return [json.loads(line) for line in whole.splitlines() if line.startswith("{")]


@contextmanager
def a_follower(house):
    """Whose stream of events has no end of its own."""
    split = urlsplit(house.address)
    with socket.create_connection((split.hostname, split.port)) as follower:
        follower.sendall(b"GET /api/events?after=0 HTTP/1.1\r\nHost: localhost\r\n\r\n")
        assert follower.recv(12) == b"HTTP/1.1 200"
        yield


def test_what_came_before_the_stop_is_answered_and_recorded(alone, server, database, tmp_path):
    """Two hundred lines are in the server, which has written none of them, when it is stopped.

    It does not wait for whoever follows.
    """
    out = tmp_path / "answers"
    feed = alone.terminal().begin("feed", "--patience", "0", out=out)
    with a_follower(alone), ExitStack() as appending:
        appending.enter_context(nothing_is_appended(database))
        feed.stdin.write(as_text(LINES).encode())
        feed.stdin.close()
        until(lambda: somebody_waits(database))
        alone.process.send_signal(signal.SIGTERM)
        until(lambda: takes_no_connection(alone))
        assert alone.process.poll() is None
        appending.close()
        status = feed.wait(PATIENCE)
        stopped = alone.process.wait(PATIENCE)
    log = alone.log.read_text()
    with server.database() as without:
        expected = shell(without, "feed", input=as_text(LINES))
        assert [each["ok"] for each in answers_in(out)] == [
            json.loads(line)["ok"] for line in expected.stdout.splitlines()
        ]

    assert (stopped, status) == (0, expected.exit_code)
    assert len(answers_in(out)) == len(LINES)
    assert alone.lines_of_log()[-1]["event"] == "ended"
    assert "graceful shutdown exceeded" not in log
    assert '"level": "error"' not in log, log


def test_what_came_by_a_wire_before_the_stop_is_answered_and_the_wire_ends(
    alone, database, tmp_path, request
):
    """One that is idle, and one whose line is not written yet when the server is stopped."""
    outs, feeds = [tmp_path / "idle", tmp_path / "busy"], []
    for out in outs:
        feeds.append(alone.terminal(out.name).begin("feed", "--patience", "0", out=out))
        request.addfinalizer(feeds[-1].kill)
        for n, line in enumerate(LINES[:2]):  # the second opens the wire
            say(feeds[-1], {**line, "id": f"{out.name}-{n}"})
            until(lambda out=out, n=n: len(answers_in(out)) > n)
    with nothing_is_appended(database):
        say(feeds[1], {**LINES[2], "id": "busy-2"})
        until(lambda: somebody_waits(database))
        alone.process.send_signal(signal.SIGTERM)
        until(lambda: takes_no_connection(alone))
        assert alone.process.poll() is None
    until(lambda: len(answers_in(outs[1])) == 3)
    stopped = alone.process.wait(PATIENCE)
    for feed in feeds:
        feed.communicate(timeout=PATIENCE)

    assert stopped == 0
    assert 3 not in [feed.returncode for feed in feeds]  # nothing was lost
    assert answers_in(outs[1])[2]["id"] == "busy-2"
    assert "graceful shutdown exceeded" not in alone.log.read_text()


@pytest.fixture
def two_houses(database, tmp_path):
    """Two servers of one house."""
    home = tmp_path / "house"
    with house_server(database, home) as one, house_server(database, home, name="two") as two:
        yield one, two


def test_who_knows_two_servers_asks_the_one_that_is_there(two_houses):
    one, two = two_houses
    terminal = one.terminal(address=f"{one.address}, {two.address}")
    asked = [terminal.run(*OPEN)]
    one.stop(signal.SIGKILL)
    asked += [terminal.run("table", "seat", "B01", "3", "P-3"), terminal.run("board", "--once")]
    one.start()
    two.stop()
    asked += [terminal.run("table", "seat", "B01", "5", "P-5")]

    assert [each.exit_code for each in asked] == [0, 0, 0, 0], [each.output for each in asked]


def test_a_feed_whose_server_ends_in_the_middle_goes_on_at_the_other(two_houses, tmp_path):
    one, two = two_houses
    out = tmp_path / "answers"
    address = f"{one.address} {two.address}"
    feed = one.terminal(address=address).begin("feed", out=out)
    for n, line in enumerate(LINES[:60]):
        if n in (20, 40):
            ended = one if n == 20 else two
            ended.stop(signal.SIGKILL)
        say(feed, {**line, "id": f"k-{n}"})
        until(lambda n=n: len(answers_in(out)) > n)
        if n == 20:
            ended.start()
    feed.communicate(timeout=PATIENCE)

    assert [each["id"] for each in answers_in(out)] == [f"k-{n}" for n in range(60)]


def say(feed, line):
    feed.stdin.write(as_text([line]).encode())
    feed.stdin.flush()


def test_a_shell_s_command_that_came_before_the_stop_is_finished(alone, database, tmp_path):
    """By Ctrl-C too, which every process of the server's terminal gets."""
    out = tmp_path / "answer"
    with nothing_is_appended(database):
        asked = alone.terminal().begin(*OPEN, "--json", out=out)
        until(lambda: somebody_waits(database))
        for child in children_of(alone.process.pid):
            os.kill(child, signal.SIGINT)
        alone.process.send_signal(signal.SIGINT)
        until(lambda: takes_no_connection(alone))

    assert asked.wait(PATIENCE) == 0
    asked.stdin.close()
    assert answers_in(out)[0]["ok"]
    assert alone.process.wait(PATIENCE) == 0


def children_of(pid):
    import psutil

    return [each.pid for each in psutil.Process(pid).children(recursive=True)]


@pytest.mark.parametrize("by", [signal.SIGTERM, signal.SIGKILL])
def test_whatever_was_answered_is_on_record_and_a_file_sent_again_is_answered_alike(
    house, server, database, tmp_path, by
):
    """The feed gives up at once, and somebody sends the whole file again, twice over."""
    with server.database() as without:
        expected = shell(without, "feed", input=as_text(LINES)).stdout.splitlines()
    parts = [LINES[at : at + 9] for at in range(0, len(LINES), 9)]
    for attempt in range(2):
        out = tmp_path / f"answers-{attempt}"
        feed = house.terminal().begin("feed", "--patience", "0", out=out)
        for n, part in enumerate(parts):
            try:
                feed.stdin.write(as_text(part).encode())
                feed.stdin.flush()
            except BrokenPipeError:  # the feed gave up
                break
            if n == 4 + 6 * attempt:
                until(lambda out=out: answers_in(out))
                house.stop(by)
        with suppress(BrokenPipeError):
            feed.stdin.close()
        assert feed.wait(PATIENCE) == 3
        answered = [each["id"] for each in answers_in(out)]
        with database.connect("sabot_auditor") as connection:
            stored = connection.execute(
                "SELECT count(*) FROM ledger.commands WHERE command_id = ANY(%s)", (answered,)
            ).fetchone()[0]
        assert 0 < len(answered) < len(LINES)
        assert stored == len(answered)
        house.start()
    through = house.terminal().run("feed", text=as_text(LINES))

    assert essence(through.stdout.splitlines()) == essence(expected)
    for attempt in range(2):
        answers = (tmp_path / f"answers-{attempt}").read_text().splitlines()
        given = [line for line in answers if line.startswith("{")]
        assert given == through.stdout.splitlines()[: len(given)]
    assert walk(database).ok
    with database.connect("sabot_auditor") as connection:
        found = connection.execute("SELECT command_id FROM ledger.commands").fetchall()
    ids = [each for (each,) in found if not each.startswith("start:")]
    assert sorted(ids) == sorted({line["id"] for line in LINES})


def essence(lines):
    """Answers without positions: the server's own start is on record before them."""
    return [{**json.loads(line), "position": None} for line in lines]
