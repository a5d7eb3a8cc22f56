"""Whoever gave a command is told what is known of it: nothing was sent, or it may be recorded."""

import re
import socket
import ssl
import threading
from contextlib import closing, contextmanager, suppress

import pytest
from click.testing import CliRunner

from ops.cli import cli
from ops.door import connection as door
from tests.worlds.certificates import Authority

NOTHING = "Nothing was sent."
UNKNOWN = "The command may be recorded or not: look before you type it again."
LINE = '{"command": "open", "table": "B01"}\n'


@pytest.fixture(autouse=True)
def impatient(monkeypatch, tmp_path):
    """A terminal that tries for a moment only."""
    monkeypatch.setattr(
        "ops.door.shell.Connection", lambda to, **_: door.Connection(to, patience=0)
    )
    monkeypatch.setenv("SABOT_HOME", str(tmp_path / "home"))
    (tmp_path / "home").mkdir()


@contextmanager
def listening(answer, options=()):
    """A server that does this with each connection: its port."""
    context = None
    if options:
        context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
        context.load_cert_chain(options[1], options[3])
    with socket.create_server(("127.0.0.1", 0)) as listens:

        def serve():
            while True:
                try:
                    line, _ = listens.accept()
                except OSError:
                    return
                with closing(line), suppress(OSError):
                    if context is None:
                        answer(line)
                        continue
                    with closing(context.wrap_socket(line, server_side=True)) as private:
                        answer(private)

        threading.Thread(target=serve, daemon=True).start()
        yield listens.getsockname()[1]
        listens.shutdown(socket.SHUT_RDWR)


def reads_and_leaves(line):
    """It is killed after it had the request, before it answers."""
    line.recv(1 << 16)


def typed(house, *words, text="", **env):
    return CliRunner().invoke(cli, ["--house", house, *words], input=text, env=env)


@pytest.fixture
def nowhere():
    """A port at which nobody listens."""
    with socket.create_server(("127.0.0.1", 0)) as held:
        return held.getsockname()[1]


def test_when_nobody_listens_nothing_was_sent(nowhere):
    refused = typed(f"http://127.0.0.1:{nowhere}", "table", "buy-in", "B01", "3", "100")
    feed = typed(f"http://127.0.0.1:{nowhere}", "feed", "--patience", "0", text=LINE)

    assert refused.exit_code == feed.exit_code == 3
    assert refused.stderr.endswith(f"connection refused. {NOTHING}\n")
    assert "later ones were not sent" in feed.stderr


def test_when_the_name_is_not_known_nothing_was_sent():
    refused = typed("http://no-such-house.invalid", "table", "buy-in", "B01", "3", "100")

    assert (refused.exit_code, NOTHING in refused.stderr) == (3, True)


def test_when_the_answer_is_lost_it_may_be_recorded():
    with listening(reads_and_leaves) as port:
        refused = typed(f"http://127.0.0.1:{port}", "table", "buy-in", "B01", "3", "100")
        feed = typed(f"http://127.0.0.1:{port}", "feed", "--patience", "0", text=LINE)

    known, line = refused.stderr.splitlines()
    assert known.endswith("The command may be recorded or not.")
    again = r"This line repeats it, and it counts once: sabot --house http://127.0.0.1:\d+ "
    assert re.fullmatch(rf"{again}table buy-in --id shell:[0-9a-f]{{32}} B01 3 100", line)
    assert "later ones were not sent" in feed.stderr  # a feed asks first what is on record


def test_a_reading_whose_answer_is_lost_has_no_line_of_its_own_to_be_repeated():
    with listening(reads_and_leaves) as port:
        refused = typed(f"http://127.0.0.1:{port}", "report", "coup")

    assert refused.stderr.endswith(f"{UNKNOWN}\n")


def test_an_id_that_was_typed_is_not_typed_twice():
    with listening(reads_and_leaves) as port:
        refused = typed(f"http://127.0.0.1:{port}", "open", "B01", "--id", "k 1")

    assert refused.stderr.endswith(" open B01 --id 'k 1'\n")


def test_what_was_sent_once_may_be_recorded_though_the_next_try_finds_nobody(tmp_path):
    with listening(reads_and_leaves) as port:
        tries = door.Connection(f"http://127.0.0.1:{port}", patience=0.5)
        tries._connect_again = tries._connect
        first = []

        def once():
            if first:
                raise ConnectionRefusedError("connection refused")
            first.append(1)
            return tries._connect_again()

        tries._connect = once
        with closing(tries), pytest.raises(door.HouseLost) as lost:
            tries.post("/api/shell", b"{}")

    assert "refused" in str(lost.value)
    assert lost.value.may_be_recorded == UNKNOWN


def test_a_house_whose_certificate_is_its_own_is_told_how_to_trust_it(tmp_path):
    authority = Authority(tmp_path)
    with listening(reads_and_leaves, authority.issue("127.0.0.1")) as port:
        house = f"https://127.0.0.1:{port}"
        refused = typed(house, "table", "buy-in", "B01", "3", "100", SABOT_HOUSE_CA="")
        trusting = typed(house, "open", "B01", SABOT_HOUSE_CA=str(authority.file))

    assert "SABOT_HOUSE_CA" in refused.stderr
    assert refused.stderr.endswith(f"{NOTHING}\n")
    assert len(refused.stderr.splitlines()) == 1
    assert " open --id shell:" in trusting.stderr.splitlines()[-1]


def test_another_house_s_certificate_is_not_a_matter_of_trust(tmp_path):
    authority = Authority(tmp_path)
    with listening(reads_and_leaves, authority.issue("sabot.example")) as port:
        refused = typed(
            f"https://127.0.0.1:{port}", "open", "B01", SABOT_HOUSE_CA=str(authority.file)
        )

    assert "is not valid for '127.0.0.1'" in refused.stderr
    assert "SABOT_HOUSE_CA" not in refused.stderr
    assert NOTHING in refused.stderr


@pytest.mark.parametrize(
    "words", [("open", "B01"), ("feed", "--patience", "0"), ("dealer", "B01", "--plain")]
)
def test_a_file_of_no_certificate_is_named(nowhere, tmp_path, words):
    refused = typed(
        f"https://127.0.0.1:{nowhere}", *words, text=LINE, SABOT_HOUSE_CA=str(tmp_path / "none")
    )

    assert refused.exit_code == 2
    assert f"SABOT_HOUSE_CA names {tmp_path / 'none'}" in refused.stderr
    assert "Traceback" not in refused.output


def test_an_address_that_is_none_is_told_by_a_feed_too():
    for address in ("sabot.example", "http://a.example sabot.example", "http://a:b", ","):
        refused = typed(address, "feed", text=LINE)

        assert (refused.exit_code, "is no address of a house" in refused.stderr) == (2, True)
