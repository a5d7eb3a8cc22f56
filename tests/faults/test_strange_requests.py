"""No header, cookie, path, parameter or field makes the server trip: it refuses in words."""

import asyncio
import re
import time
from contextlib import suppress
from random import Random
from urllib.parse import quote, urlencode

import click
import pytest
from starlette.routing import Route

from ops.cli.at_the_door import reading_words
from ops.door.signature import SIGNED, TERMINAL, Terminal
from ops.web.app import application
from ops.web.budget import Budget
from ops.web.house import House
from ops.web.shells import Answered
from tests import ROOT
from tests.faults import SEED, times

NASTY = (
    "", " ", "[", "http://[", "http://[::1", "//", "x:y:z", "x:99999", "localhost:8000:1", "\x00",
    "9" * 400, "9" * 5_000, "-1", "1e999", "0x10", "NaN", "١٢٣", "²", "\ud7ff", "\U0010ffff",
    "ÿ" * 70, "a" * 3_000, "%00", "%ff", "%", "%%41", "../..", "..\\..", "<b>", "{}", "[]", "null",
    "'", '"', ";", "=", "==", "a=b=c", "&", "?", "#", ",", "\t", "\x7f", "\x85", "\u2028", "\u202e",
    "gzip, deflate", "bytes=0-1", "bytes=5-1", "bytes=-0", "bytes=a-b,0-", "W/\"", "*", "Bearer",
    "Bearer :", "Device  ", "Bearer \xff:\xff", "2026-13-41", "0001-01-01", "9999-12-31", "B01",
    "10:00", "24:61", "2026-11-21T99:99", "2026-11-21T10:00+99:99", "B01/2026-11-21/1/1",
    "C-2026-1", "stay-1", "S-11:open", "e" * 64, "\"\\400\"", "\"\\9\"", "Wed, 31 Feb 2026 25:61",
)  # fmt: skip
HEADERS = (
    "Host", "Origin", "Cookie", "Authorization", TERMINAL, SIGNED, "Sec-Fetch-Site", "Accept",
    "Accept-Language", "Content-Length", "Content-Type", "Content-Encoding", "Transfer-Encoding",
    "Last-Event-ID", "If-None-Match", "If-Modified-Since", "If-Range", "Range", "Expect", "Via",
    "X-Forwarded-For", "X-Forwarded-Proto", "Forwarded", "Referer", "Connection", "User-Agent",
)  # fmt: skip
COOKIES = ("sabot-browser", "sabot-sign-on", "sabot-language", "__Host-sabot-browser", "x")
FIELD = re.compile(r'(?:name="|form\[?\.?(?:get\()?"|params\.get\("|_number\(request, ")(\w+)"')
FIELDS = sorted(
    {
        found
        for file in (ROOT / "ops" / "web").rglob("*.*")
        if file.suffix in (".py", ".html")
        for found in FIELD.findall(file.read_text())
    }
)
AT_ONCE = 16  # requests: most of the time of one is spent waiting for the database
UNSPENT = 1_000_000  # refused lines: whoever asks is never told to wait instead of being read
NO_ROUTE = ("/nothing", "/static/sabot.js", "/static/nothing", "//", "/reports/")


class _Deaf(House):
    """No process is started for a command; the words of a reading are read as it would."""

    def shell(self, caller, asked):
        run = self._run(caller, asked)
        if run.asked.query is not None:
            with suppress(click.UsageError):
                reading_words(run.asked.words, run.asked.query)
        return Answered(1, err="Refused.\n")


class Strange:
    """Requests of one seed."""

    def __init__(self, seed: int, routes, terminal: Terminal) -> None:
        self.random, self.terminal = Random(seed), terminal
        self.routes = [(each.path, each.methods) for each in routes if isinstance(each, Route)]
        self.routes += [(each, {"GET"}) for each in NO_ROUTE]

    def text(self) -> str:
        dice = self.random.random()
        if dice < 0.7:
            return self.random.choice(NASTY)
        if dice < 0.85:
            return "".join(self.random.choices(NASTY, k=2))[:6_000]
        return "".join(chr(self.random.randrange(0x250)) for _ in range(self.random.randrange(20)))

    def head(self) -> list[tuple[bytes, bytes]]:
        named = {"host": "localhost:8000", "cookie": f"sabot-browser={'e' * 64}"}
        if self.random.random() < 0.6:
            named |= {"origin": "http://localhost:8000", "sec-fetch-site": "same-origin"}
        for _ in range(self.random.randrange(3)):
            named[self.random.choice(HEADERS).lower()] = self.text()
        if self.random.random() < 0.3:
            named["cookie"] += f"; {self.random.choice(COOKIES)}={self.text()}"
        head = [(name.encode(), _bytes(value)) for name, value in named.items()]
        return head + (self.random.choices(head, k=1) if self.random.random() < 0.05 else [])

    def signed(self, method: str, path: str, body: bytes) -> list[tuple[bytes, bytes]]:
        """The headers of a terminal, of which one word may be another."""
        made = self.terminal.headers(method, path, body)
        name = self.random.choice([*made])
        words = made[name].split(" ")
        words[self.random.randrange(len(words))] = self.text()
        made[name] = " ".join(words)
        return [(each.lower().encode(), _bytes(value)) for each, value in made.items()]

    def one(self):
        """Method, path, query, headers and body."""
        path, methods = self.random.choice(self.routes)
        path = re.sub(r"\{(\w+)(:\w+)?\}", lambda _: self.part(), path)
        method = self.random.choice(sorted(methods))
        if self.random.random() < 0.03:
            method = self.random.choice(["PUT", "TRACE", "OPTIONS", "HEAD", "DELETE"])
        form = {self.random.choice(FIELDS): self.text() for _ in range(self.random.randrange(4))}
        query = urlencode(form).encode()
        if self.random.random() < 0.1:
            query = _bytes(self.text()).replace(b"#", b"")
        body = b""
        if method == "POST":
            body = self.random.choice([query, _bytes(self.text()), b'{"words": ["board"]}'])
            query = self.random.choice([b"", query])
        head = self.head()
        if self.random.random() < 0.15:
            head += self.signed(method, path, body)
        return method, path, query, head, body

    def part(self) -> str:
        return self.random.choice(["B01", "3", "B01/2026-11-21/1/1", self.text(), self.text()])


def _bytes(text: str) -> bytes:
    """As a network may bring it in a head: no line ends in it."""
    made = text.encode(errors="replace")
    return bytes(each for each in made if each not in (0, 10, 13)).strip()


async def answer(app, method, path, query, head, body):
    """Status and body; whoever asks hangs up when everything is sent."""
    sent = [{"type": "http.request", "body": body, "more_body": False}]
    status, content, headers = 0, b"", {}

    async def receive():
        return sent.pop() if sent else {"type": "http.disconnect"}

    async def send(message):
        nonlocal status, content, headers
        if message["type"] == "http.response.start":
            status, headers = message["status"], dict(message["headers"])
        content += message.get("body", b"")

    scope = {
        "type": "http", "asgi": {"version": "3.0", "spec_version": "2.3"}, "http_version": "1.1",
        "method": method, "path": path, "raw_path": quote(path).encode(), "query_string": query,
        "root_path": "", "scheme": "http", "headers": head, "client": ("127.0.0.1", 4711),
        "server": ("127.0.0.1", 8000), "state": {},
    }  # fmt: skip
    await app(scope, receive, send)
    return status, content, headers


async def answered(app, *request):
    """What `answer` gives; 500 where nothing of ours caught what went wrong."""
    try:
        return await answer(app, *request)
    except Exception as error:  # noqa: BLE001  (it is the finding)
        return 500, repr(error).encode(), {}


@pytest.fixture
def house(database):
    return _Deaf(database, lambda _: Answered(0), Budget(UNSPENT))


def asked(house, requests, is_kept=lambda _: True):
    """What each request is answered, of those answers that are kept."""

    async def all_of_them():
        app = application(house)
        async with app.others.router.lifespan_context(app.others):
            answers, left = [], iter(requests(app.others.routes))

            async def send():
                for each in left:
                    got = await answered(app, *each)
                    if is_kept(got):
                        answers.append((each, got))

            await asyncio.gather(*(send() for _ in range(AT_ONCE)))
            return answers

    return asyncio.run(all_of_them())


def trips(got) -> bool:
    """Whether the server tripped over a request, or answered without its safe headers."""
    status, content, headers = got
    words = b"made a mistake" in content
    return words or not 200 <= status < 500 or b"x-frame-options" not in headers


def test_no_strange_request_makes_the_server_trip(house, tmp_path):
    many = times(200, 100_000)
    terminal = Terminal(tmp_path / "key")

    def requests(routes):
        strange = Strange(SEED, routes, terminal)
        return (strange.one() for _ in range(many))

    begun = time.monotonic()
    wrong = asked(house, requests, trips)
    took = time.monotonic() - begun
    print(f"\n{many:,} strange requests, {len(wrong)} of which it tripped over, in {took:.0f} s")

    assert wrong == []


HOST = (b"host", b"localhost:8000")
KNOWN = {
    "an origin with half a bracket": ("/", b"", [HOST, (b"origin", b"http://[")]),
    "a host with half a bracket": ("/", b"", [(b"host", b"[")]),
    "two hosts": ("/", b"", [HOST, (b"host", b"localhost")]),
    "a query that is no letters": ("/api/board.json", b"table=\xff", [HOST]),
    "a position of 5,000 digits": ("/api/events", b"after=" + b"9" * 5_000, [HOST]),
}


@pytest.mark.parametrize("name", KNOWN)
def test_what_a_parser_trips_over_is_a_bad_request(house, name):
    path, query, head = KNOWN[name]
    ((_, (status, content, _)),) = asked(house, lambda _: [("GET", path, query, head, b"")])

    assert status == 400
    assert b"request cannot be read" in content or b"whole number" in content


@pytest.mark.parametrize("path", ["/ledger/{}", "/play/E01/{}", "/live/play/E01/{}"])
def test_a_number_in_a_path_that_no_database_holds_leads_nowhere(house, path):
    request = ("GET", path.format("9" * 5_000), b"", [HOST], b"")
    ((_, (status, _, _)),) = asked(house, lambda _: [request])

    assert status == 404


@pytest.mark.parametrize("moment", ["9" * 400, "9" * 5_000, "x", "", "1e3"])
def test_a_moment_that_is_none_is_a_bad_request(house, tmp_path, moment):
    made = Terminal(tmp_path / "key").headers("POST", "/api/commands", b"")
    made[SIGNED] = " ".join([moment, *made[SIGNED].split(" ")[1:]])
    head = [HOST, *((name.lower().encode(), value.encode()) for name, value in made.items())]
    ((_, (status, _, _)),) = asked(house, lambda _: [("POST", "/api/commands", b"", head, b"")])

    assert status == 400


@pytest.mark.parametrize("number", ["王", "\u0101", "", "a b"])
def test_a_staff_number_of_other_letters_is_refused_in_words(house, number):
    """In an open house, where nothing but its form is checked: a cookie has no such letters."""
    head = [HOST, (b"origin", b"http://localhost:8000")]
    form = urlencode({"staff": number}).encode()
    ((_, (status, content, _)),) = asked(house, lambda _: [("POST", "/sign-on", b"", head, form)])

    assert (status, b"staff cannot be" in content) == (422, True)
