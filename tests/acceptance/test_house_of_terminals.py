"""The page of the house server, command by command, over TLS."""

import shlex
import subprocess
from contextlib import ExitStack

import pytest

from ops.manual.topics import topic
from tests.acceptance.channels import shell
from tests.ops.manual.pages import blocks
from tests.worlds.closed_house import PIN
from tests.worlds.house_server import house_server
from tests.worlds.shells import on_a_terminal

HERE = 5  # commands on the server's machine; the last of them is the server itself
MOST = 10


def commands():
    _, block = next(blocks(topic("server").text, "console"))
    return block.strip().splitlines()


@pytest.fixture
def certificate(tmp_path):
    """As the page makes it, for this machine."""
    words = "openssl req -x509 -newkey ed25519 -nodes -days 365 -subj /CN=localhost -addext"
    files = ["-keyout", str(tmp_path / "house.key"), "-out", str(tmp_path / "house.pem")]
    own = [*words.split(), "subjectAltName=DNS:localhost", *files]
    subprocess.run(own, check=True, capture_output=True)
    return tmp_path


@pytest.fixture
def machine(certificate, monkeypatch):
    """The server's machine, whose session and pepper are its own."""
    home = certificate / "house"
    home.mkdir()
    monkeypatch.setenv("SABOT_HOME", str(home))
    monkeypatch.setenv("SABOT_PEPPER_FILE", str(home / "pepper"))
    monkeypatch.setenv("SABOT_SESSION", str(home / "session"))
    return home


def code_in(result):
    return result.output.partition("One-time code: ")[2].partition(".")[0]


def test_ten_commands_make_a_house_of_terminals(database, machine, certificate, monkeypatch):
    monkeypatch.setenv("SABOT_HOUSE_CA", str(certificate / "house.pem"))
    here, there = commands()[:HERE], commands()[HERE:]
    codes = {}
    for words in map(shlex.split, here[:-1]):
        types = [codes[words[3]], PIN, PIN] if words[2] == "sign-on" else []
        result = shell(database, *words[1:], input="".join(f"{each}\n" for each in types))
        assert result.exit_code == 0, result.output
        codes[words[3]] = code_in(result)
    serve = shlex.split(here[-1])[2:]
    options = [
        *serve[:2],
        *(str(certificate / each) if "." in each else each for each in serve[4:]),
    ]
    with ExitStack() as stack:
        server = stack.enter_context(house_server(database, machine, *options))
        server.address = server.address.replace("0.0.0.0", "localhost")
        server.terminal("pit-2").sign_on("S-11", codes["S-11"])
        export, *rest = there
        assert export.startswith("export SABOT_HOUSE=https://")
        for words in map(shlex.split, rest):
            pit = server.terminal("pit-1")
            if "--with" in words:
                program = ["-m", "ops.cli", *words[1:]]
                shown, status = on_a_terminal(database, pit.home, program, PIN, env=pit.env)
            else:
                types = [codes["D-204"], PIN, PIN] if words[2] == "sign-on" else []
                result = pit.run(*words[1:], types=types)
                shown, status = result.output, result.exit_code
            assert status == 0, (words, shown)
        stranger = server.terminal("pit-3")
        monkeypatch.delenv("SABOT_HOUSE_CA")
        untrusted = stranger.run("board", "--once")

    assert len(here) + len(there) <= MOST
    assert "B01" in shown
    assert untrusted.exit_code == 3
    assert "its certificate is not trusted here" in untrusted.stderr
