"""Where a house's log is read from: its server, another web server, a directory."""

import socket
import threading
from contextlib import contextmanager
from datetime import UTC, datetime
from functools import partial
from http.server import SimpleHTTPRequestHandler, ThreadingHTTPServer

import pytest

from ops.group import members, sources
from ops.group.following import Following
from ops.group.members import Member, NoMember
from ops.group.pulling import held_of, pull
from tests.acceptance.channels import json_of
from tests.waiting import until
from tests.worlds.files import files_of
from tests.worlds.gaming_table import GamingTable, evening, mouth_on
from tests.worlds.other_house import OtherHouse
from tests.worlds.serving_log import signing

NOW = datetime(2026, 11, 29, 20, 14, tzinfo=UTC)


@pytest.fixture(autouse=True)
def home(tmp_path, monkeypatch):
    monkeypatch.setenv("SABOT_HOME", str(tmp_path / "group"))


def added(address, key, token=""):
    members.add(Member("riverside", address, (key,), token))
    return members.named("riverside")


def test_a_house_is_pulled_from_its_server_while_it_grows(server, tmp_path):
    with server.database() as database, signing(database, tmp_path) as (house, key):
        member = added(f"{house.address}/log", key, str(tmp_path / "token"))
        assert "signed nothing yet" in pull(member, NOW).away
        with mouth_on(database) as dispatcher:
            evening(dispatcher)
        first = json_of(database, "audit", "checkpoint")["size"]
        assert pull(member, NOW).events == first > 100
        with mouth_on(database) as dispatcher:
            GamingTable(dispatcher, "B09").open().prepare()
        second = json_of(database, "audit", "checkpoint")["size"]

        pulled = pull(member, NOW)
        assert (pulled.events, pulled.new, pulled.stopped) == (second, second - first, "")
        json_of(database, "audit", "export", "--tiles", str(tmp_path / "exported"))
        exported = files_of(tmp_path / "exported")
        assert exported == {path: files_of(member.log)[path] for path in exported}
        (tmp_path / "token").write_text("another")
        away = pull(member, NOW)
        assert (away.events, away.away) == (second, "it answered 403 to checkpoint")


def test_who_follows_is_woken_when_the_house_signs(server, tmp_path):
    """It looks by itself once in ten minutes: the house's server says when."""
    with server.database() as database, signing(database, tmp_path) as (house, key):
        with mouth_on(database) as dispatcher:
            evening(dispatcher)
        first = json_of(database, "audit", "checkpoint")["size"]
        member = added(f"{house.address}/log", key, str(tmp_path / "token"))
        following = Following(600.0, lambda: [member], lambda one: pull(one, NOW))
        following.begin()
        try:
            until(lambda: held_of(member).events == first)
            with mouth_on(database) as dispatcher:
                GamingTable(dispatcher, "B09").open().prepare()
            second = json_of(database, "audit", "checkpoint")["size"]
            until(lambda: held_of(member).events == second)
        finally:
            following.end()
        assert house.terminal().get("/log/news", {"Authorization": "Bearer x"})[0] == 403


class Quiet(SimpleHTTPRequestHandler):
    protocol_version = "HTTP/1.1"

    def log_message(self, *_):
        """Writes nothing."""


@contextmanager
def web_server(place):
    """Somebody else's web server on a directory; its address."""
    with ThreadingHTTPServer(("127.0.0.1", 0), partial(Quiet, directory=place)) as there:
        threading.Thread(target=there.serve_forever, daemon=True).start()
        yield f"http://127.0.0.1:{there.server_port}"
        there.shutdown()


def test_any_web_server_may_have_the_files(tmp_path):
    house = OtherHouse(tmp_path / "served").grow(600)
    with web_server(tmp_path) as address:
        member = added(f"{address}/served", house.key)
        assert pull(member, NOW).events == 600
        house.grow(1000)
        assert pull(member, NOW).new == 400
    assert "it cannot be reached" in pull(member, NOW).away


def test_a_server_that_does_not_answer_is_away_and_nothing_is_lost(tmp_path, monkeypatch):
    monkeypatch.setattr(sources, "SECONDS", 0.2)
    house = OtherHouse(tmp_path / "served").grow(600)
    with socket.create_server(("127.0.0.1", 0)) as silent:
        member = added(f"http://127.0.0.1:{silent.getsockname()[1]}", house.key)
        assert "it cannot be reached: timed out" in pull(member, NOW).away


def test_a_directory_that_is_not_there_is_away_until_it_is(tmp_path):
    house = OtherHouse(tmp_path / "usb")
    member = added(str(tmp_path / "usb"), house.key)
    assert "is not there" in pull(member, NOW).away
    house.grow(9)
    assert (pull(member, NOW).events, pull(member, NOW).away) == (9, "")


def test_a_token_that_is_not_there_and_an_answer_too_long_are_away(tmp_path, monkeypatch):
    house = OtherHouse(tmp_path / "served").grow(9)
    with web_server(tmp_path) as address:
        member = added(f"{address}/served", house.key, str(tmp_path / "none"))
        assert "its token cannot be read" in pull(member, NOW).away
        (tmp_path / "none").write_text("t")
        monkeypatch.setattr(sources, "LARGEST", 100)
        assert pull(member, NOW).away == "checkpoint has more than 100 bytes"


@pytest.mark.parametrize("address", ["http://riverside.example/log", "ftp://riverside.example"])
def test_no_record_goes_over_the_network_unencrypted(address):
    with pytest.raises(NoMember, match="Give an https address"):
        added(address, OtherHouse(None).key)
