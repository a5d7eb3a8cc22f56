"""The program of the manual that follows the record: it checks each event by itself."""

import json
from contextlib import closing
from http.client import HTTPConnection
from pathlib import Path
from runpy import run_path
from urllib.parse import urlsplit

import pytest

from ops.manual.topics import PAGES
from tests.worlds.every_command import both_forms
from tests.worlds.gaming_table import mouth_on
from tests.worlds.house_server import house_server

EXAMPLE = run_path(str(Path(PAGES) / "examples/following_events.py"))
followed, NotContinued = EXAMPLE["followed"], EXAMPLE["NotContinued"]


@pytest.fixture(scope="module")
def streamed(server, tmp_path_factory):
    """The lines of a stream with an event of every command, and what the ledger has of each."""
    with server.database() as database:
        with mouth_on(database) as dispatcher:
            for _, line in both_forms():
                dispatcher.dispatch(line)
        with database.connect("sabot_auditor") as connection:
            stored = connection.execute(
                "SELECT position, hash FROM ledger.events ORDER BY position"
            ).fetchall()
        with (
            house_server(database, tmp_path_factory.mktemp("house")) as house,
            closing(HTTPConnection(urlsplit(house.address).netloc, timeout=30)) as http,
        ):
            http.request("GET", "/api/events?after=0")
            answer, lines = http.getresponse(), []
            while sum(each.startswith("data: {") for each in lines) < len(stored):
                lines.append(answer.readline().decode().rstrip("\r\n"))
    return lines, [(position, bytes(each)) for position, each in stored]


def test_it_computes_the_hash_of_every_event_of_every_kind(streamed):
    lines, stored = streamed
    assert len(stored) > 200
    assert stored == [(position, hashed) for position, hashed, _ in followed(lines)]
    half = len(lines) // 2
    positions = dict(stored)
    at = next(json.loads(each[6:])["position"] for each in lines[half:] if each[:6] == "data: ")
    assert [*followed(lines[half:], positions[at - 1])][-1][:2] == stored[-1]


@pytest.mark.parametrize(
    "column",
    [
        *("stream", "version", "topic", "state", "position", "at", "day", "table"),
        *("actor", "command_id", "metadata", "hash"),
    ],
)
def test_an_event_with_any_other_column_does_not_follow(streamed, column):
    others = {
        **dict.fromkeys(("topic", "state", "table", "actor", "command_id", "metadata"), "other"),
        "stream": "00000000-0000-0000-0000-000000000001",
        "version": 99,
        "position": 2**40,
        "day": "2001-01-01",
        "at": "2001-01-01T00:00:00+00:00",
        "hash": "00" * 32,
    }
    event = json.loads(next(each for each in streamed[0] if each.startswith("data: {"))[6:])
    assert column in event["recorded"]
    event["recorded"][column] = others[column]
    with pytest.raises(NotContinued):
        list(followed([f"data: {json.dumps(event)}"]))


def test_an_event_that_is_left_out_is_noticed(streamed):
    lines = [each for each in streamed[0] if each.startswith("data: {")]
    with pytest.raises(NotContinued, match="Event #7 "):
        list(followed([*lines[:5], *lines[6:]]))
