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
    typed = commands()
    at = next(n for n, each in enumerate(typed) if each.startswith("export SABOT_HOUSE=https://"))
    (*here, serve, approve), there = typed[:at], typed[at + 1 :]
    codes = {}
    for words in map(shlex.split, here):
        types = [codes[words[3]], PIN, PIN] if words[2] == "sign-on" else []
        result = shell(database, *words[1:], input="".join(f"{each}\n" for each in types))
        assert result.exit_code == 0, result.output
        codes[words[3]] = code_in(result)
    host, address, _, _, *files = shlex.split(serve)[2:]
    options = [host, address, *(str(certificate / each) if "." in each else each for each in files)]
    with ExitStack() as stack:
        server = stack.enter_context(house_server(database, machine, *options, alone=True))
        server.address = server.address.replace("0.0.0.0", "localhost")
        with monkeypatch.context() as second:
            second.setenv("SABOT_SESSION", str(machine / "session-of-s-11"))
            types = "".join(f"{each}\n" for each in (codes["S-11"], PIN, PIN))
            assert shell(database, "staff", "sign-on", "S-11", input=types).exit_code == 0
        pit = server.terminal("pit-1")
        refused = pit.run("board", "--once")
        assert pit.key in refused.stderr
        words = [pit.key if each.count("-") == 3 else each for each in shlex.split(approve)[1:]]
        assert shell(database, *words).exit_code == 0
        for words in map(shlex.split, there):
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

    assert len(typed) <= MOST
    assert "B01" in shown
    assert untrusted.exit_code == 3
    assert "its certificate is not trusted here" in untrusted.stderr
