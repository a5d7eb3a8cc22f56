"""Lines through the door: what a request may cost, and that what is recorded is answered."""

import asyncio
import json
from contextlib import closing
from http.client import HTTPConnection
from threading import get_ident
from urllib.parse import urlsplit

import pytest

from ops.door.connection import Connection
from ops.door.lines import LONGEST, MOST
from ops.door.signature import Terminal
from ops.handlers.answer import Answer
from ops.web.app import Doors
from ops.web.callers import Caller
from ops.web.line_answer import LineAnswer
from ops.web.lines import FEW, Wanted
from ops.web.log import LinesLogged, _Unfailing
from ops.web.meters import Meters
from ops.web.tokens import NOBODY
from tests.worlds.house_server import house_server

OPEN = {"command": "table.open", "table": "B01", "rules": "classic@1", "opener": {"10000": 9}}
SEAT = {"command": "table.seat", "table": "B01", "seat": 3, "patron": "P-1"}
BUY_IN = {"command": "table.buy-in", "table": "B01", "seat": 3, "amount": 100_00}
BUDGET = 300


@pytest.fixture(scope="module")
def house(server, tmp_path_factory):
    """An open house in which few lines may be refused."""
    home = tmp_path_factory.mktemp("lines") / "house"
    with (
        server.database() as database,
        house_server(database, home, "--refused-lines", str(BUDGET)) as house,
    ):
        yield house


def jsonl(*lines):
    return b"".join(
        each if isinstance(each, bytes) else json.dumps(each).encode() + b"\n" for each in lines
    )


def asked(terminal, *lines, target="/api/commands"):
    """The status of a request, and its answers."""
    status, content = terminal.post(target, jsonl(*lines))
    return status, [json.loads(each) for each in content.decode().splitlines()]


def of(answers, field="error"):
    return [answer.get(field) for answer in answers]


# What a request may cost
def test_a_request_has_no_more_lines_than_that(house):
    status, (refused,) = asked(house.terminal("pit-1"), b"\n" * (MOST + 1))
    most, answers = asked(house.terminal("pit-1"), b"\n" * 100)

    assert (status, most, len(answers)) == (413, 200, 100)
    assert f"Send {MOST:,} at once at most" in refused["message"]


def test_a_terminal_whose_lines_are_refused_is_told_to_wait_and_no_other_waits(house):
    bad, good = house.terminal("pit-2"), house.terminal("pit-3")
    status, answers = asked(bad, *([{}] * (BUDGET + 20)))
    after, (refusal,) = asked(bad, OPEN)
    shell, told = bad.post("/api/shell", b'{"id": "x", "words": ["rules", "list"]}')
    other, _ = asked(good, {})

    assert (status, len(answers)) == (200, BUDGET)
    assert (after, refusal["error"]) == (429, "TooManyRefused")
    assert 0 < refusal["wait"] <= 60
    assert f"{BUDGET} lines of this terminal were refused within a minute" in refusal["message"]
    assert (shell, json.loads(told)["error"], other) == (429, "TooManyRefused", 200)


def test_a_feed_that_is_told_to_wait_waits_and_sends_the_rest(house, monkeypatch):
    waited = []
    monkeypatch.setattr("ops.door.feed.time.sleep", waited.append)
    monkeypatch.setattr("ops.door.feed.BUSY", 0.0)
    posts = []
    post = Connection.post

    def counted(self, *asked):
        posts.append(asked)
        if len(posts) == 3:
            raise KeyboardInterrupt  # a minute is long
        return post(self, *asked)

    monkeypatch.setattr(Connection, "post", counted)
    result = house.terminal("pit-4").run("feed", text="{}\n" * (BUDGET + 20))

    assert len(result.stdout.splitlines()) == BUDGET
    assert len(waited) == 1
    assert "Look at what it sends" in result.stderr


def test_lines_that_are_refused_alike_are_one_line_of_the_log(house):
    before = house.log.stat().st_size
    asked(house.terminal("pit-5"), b"\n" * 200)
    logged = [json.loads(each) for each in house.log.read_bytes()[before:].splitlines()]

    assert sum(each["times"] for each in logged) == 200
    assert len(logged) == 2
    assert {each["outcome"] for each in logged} == {"BadLine"}


def test_no_file_of_a_log_that_is_full_takes_an_answer_away():
    with open("/dev/full", "w") as full:
        log = _Unfailing(full)
        log.write("x" * 100_000)
        log.flush()
        full.buffer.raw.close()


# What is recorded is answered
def test_a_line_that_is_too_deep_or_too_long_is_refused_between_others_that_are_answered(house):
    deep, long = b"[" * 50_000 + b"\n", b'"' + b"x" * LONGEST + b'"\n'
    pit = house.terminal("pit-6")
    asked(pit, {**OPEN, "table": "B06"}, {**SEAT, "table": "B06"})
    buy_in = {**BUY_IN, "table": "B06"}
    status, answers = asked(pit, buy_in, deep, buy_in, long, buy_in)
    fed = pit.run("feed", text=jsonl(buy_in, deep, buy_in).decode())

    assert (status, of(answers, "ok")) == (200, [True, False, True, False, True])
    assert of(answers) == [None, "BadLine", None, "BadLine", None]
    assert "nested too deeply" in answers[1]["message"]
    assert "longer than 262,144 bytes" in answers[3]["message"]
    assert fed.exit_code == 2
    assert [json.loads(each)["ok"] for each in fed.stdout.splitlines()] == [True, False, True]


@pytest.mark.parametrize("target", ["/api/shell", "/api/questions"])
def test_a_request_that_is_too_deep_is_refused_in_words(house, target):
    status, content = house.terminal("pit-7").post(target, b'{"x": ' + b"[" * 50_000)

    assert (status, "nested too deeply" in content.decode()) == (400, True)


class _Broken(LinesLogged):
    def note(self, answered, terminal):
        raise RecursionError


class _House:
    meters = Meters()

    class lines:  # noqa: N801
        @staticmethod
        async def answers(caller, body, wanted):
            for n in (1, 2):
                yield [LineAnswer({}, Answer({"ok": True, "n": n}))]


def test_a_log_that_cannot_be_written_takes_no_answer_away(capsys):
    doors = Doors(_House, NOBODY)
    doors._lines = _Broken(doors.log)

    async def all_of_them():
        return [each async for each in doors._answers(Caller(), b"", Wanted())]

    assert asyncio.run(all_of_them()) == [b'{"ok":true,"n":1}\n', b'{"ok":true,"n":2}\n']


def test_a_large_piece_of_answers_is_written_beside_the_loop(monkeypatch):
    class house(_House):  # noqa: N801
        class lines:  # noqa: N801
            @staticmethod
            async def answers(caller, body, wanted):
                for count in (FEW, 100):
                    yield [LineAnswer({}, Answer({"ok": True}))] * count

    doors, where = Doors(house, NOBODY), []
    monkeypatch.setattr(doors._lines, "note", lambda *_: where.append(get_ident()) or {})

    async def all_of_them():
        return [each async for each in doors._answers(Caller(), b"", Wanted())]

    pieces = asyncio.run(all_of_them())

    assert [each.count(b"\n") for each in pieces] == [FEW, 100]
    assert where[0] == get_ident()
    assert where[1] != get_ident()


# What is recorded counts once
@pytest.fixture
def recorded_request(tmp_path):
    """A signed request, as somebody recorded it."""

    def made(terminal, body, target="/api/commands"):
        headers = Terminal(terminal.home / "terminal-key").headers("POST", target, body)

        def send(house):
            with closing(HTTPConnection(urlsplit(house.address).netloc, timeout=60)) as http:
                http.request("POST", target, body, headers)
                answer = http.getresponse()
                return answer.status, answer.read().decode()

        return send

    return made


def bought_in(database):
    """How many buy-ins are on record."""
    with database.connect("sabot_auditor") as connection:
        return connection.execute(
            "SELECT count(*) FROM ledger.events WHERE topic = 'table-day.bought-in'"
        ).fetchone()[0]


def test_a_recorded_request_counts_once_whoever_receives_it(database, tmp_path, recorded_request):
    shell = {"id": "", "words": ["table", "buy-in", "B01", "3", "100", "--json"]}
    with (
        house_server(database, tmp_path / "house") as first,
        house_server(database, tmp_path / "house", name="second") as second,
    ):
        pit = first.terminal()
        assert of(asked(pit, OPEN, SEAT)[1], "ok") == [True, True]
        by_line = recorded_request(pit, jsonl(BUY_IN, {**BUY_IN, "id": None}))
        by_shell = recorded_request(pit, jsonl(shell), "/api/shell")
        answered, at_shell = by_line(first), by_shell(first)
        assert (answered[0], at_shell[0], by_line(first)[0]) == (200, 200, 409)
        assert (by_line(second), by_shell(second)) == (answered, at_shell)
        first.process.kill()
        first.process.wait()
        first.start()
        assert (by_line(first), by_shell(first)) == (answered, at_shell)

    assert bought_in(database) == 3
