"""A hundred kinds of requests that are cheap to send and dear to serve, each with a name.

Whoever sends them: an approved terminal with nobody signed on, a dealer's and a surveillance
officer's, a surveillance officer's browser, a watcher's, and a stranger. Shared by the faults,
which count what was acknowledged, and by the bench, which measures how long a table waits.
"""

import gzip
import json
import socket
from collections.abc import Callable, Mapping
from contextlib import closing, suppress
from dataclasses import dataclass
from http.client import HTTPException, HTTPResponse
from pathlib import Path
from urllib.parse import urlencode, urlsplit

from ops.door.lines import LONGEST, MOST
from ops.door.signature import SIGNED, Terminal

MEGA = (1 << 20) - 1_000  # bytes: nearly the largest request
PATIENCE = 150.0  # seconds for an answer
GLANCE = 0.3  # seconds for which a stream is looked at before it is dropped
NOBODY, DEALER, OFFICER = "nobody", "dealer", "officer"  # at terminals
READER, WATCHER, STRANGER = "reader", "watcher", "stranger"  # in browsers
Headers = Mapping[str, str]


@dataclass(frozen=True)
class Kind:
    """A kind of request: who sends what. `dropped`: nobody waits for its answer's end."""

    name: str
    who: str
    target: str
    body: bytes = b""
    method: str = "POST"
    headers: tuple[tuple[str, str], ...] = ()
    dropped: bool = False
    spoilt: Callable[[dict[str, str]], None] = lambda _: None  # makes its signature wrong
    raw: bytes = b""  # is sent in place of a request


@dataclass(frozen=True)
class Answer:
    """What one request was answered; status 0: nothing, as the connection was closed."""

    kind: str
    status: int
    content: bytes

    @property
    def is_in_words(self) -> bool:
        """Whether whoever asked knows what they were told."""
        if 200 <= self.status < 400:
            return True
        return 400 <= self.status < 500 and bool(self.content.strip())


class Sender:
    """Sends as one of those who send; signs as a terminal, or shows a browser's cookies."""

    def __init__(self, address: str, key: Path | None = None, cookies: Headers | None = None):
        """`key`: the home of a terminal; `cookies`: of a browser; a stranger has neither."""
        split = urlsplit(address)
        self._at = (str(split.hostname), int(split.port or 80))
        self._origin = address
        self._home, self._cookies = key, cookies or {}

    def send(self, kind: Kind) -> Answer:
        """What a request of this kind is answered."""
        with closing(socket.create_connection(self._at, timeout=PATIENCE)) as line:
            with suppress(OSError):  # it is answered before all of it was sent
                line.sendall(kind.raw or self._request(kind))
            if kind.dropped:
                line.settimeout(GLANCE)
            try:
                answer = HTTPResponse(line, method=kind.method)
                answer.begin()
                content = answer.read(1_000) if kind.dropped else answer.read()
            except (OSError, HTTPException):
                return Answer(kind.name, 0, b"")
            return Answer(kind.name, answer.status, content)

    def _request(self, kind: Kind) -> bytes:
        body = kind.body
        headers = {"Host": "{}:{}".format(*self._at), "Connection": "close"}
        headers |= {"Content-Length": str(len(body))} if kind.method == "POST" else {}
        headers |= self._proof(kind, body)
        lines = [f"{kind.method} {kind.target} HTTP/1.1"]
        lines += [f"{name}: {value}" for name, value in (*headers.items(), *kind.headers)]
        return "\r\n".join([*lines, "", ""]).encode() + body

    def _proof(self, kind: Kind, body: bytes) -> dict[str, str]:
        if self._home:
            made = Terminal(self._home / "terminal-key").headers(kind.method, kind.target, body)
            kind.spoilt(made)
            session = self._home / "session"
            token = session.read_text().strip() if session.exists() else ""
            return made | ({"Authorization": f"Bearer {token}"} if token else {})
        form = "application/x-www-form-urlencoded"
        sent = {"Origin": self._origin, "Sec-Fetch-Site": "same-origin", "Content-Type": form}
        cookies = "; ".join(f"{name}={value}" for name, value in self._cookies.items())
        return (sent if kind.method == "POST" else {}) | ({"Cookie": cookies} if cookies else {})


def _jsonl(line: object, times: int = MOST) -> bytes:
    return (json.dumps(line).encode() + b"\n") * times


def _wrong_key(made: dict[str, str]) -> None:
    moment, once, signature = made[SIGNED].split(" ")
    made[SIGNED] = f"{moment} {once} {signature[:-4]}AA=="


def _wrong_clock(made: dict[str, str]) -> None:
    made[SIGNED] = f"0 {made[SIGNED].partition(' ')[2]}"


BET = {"command": "bet", "table": "B02", "seat": 3, "spot": "banker", "amount": 100_00}
ENROL = {"command": "staff.enrol", "staff": "X", "name": "X", "role": "dealer"}
LINES = {
    "a megabyte of newlines": b"\n" * MEGA,
    "1,000 newlines": b"\n" * MOST,
    "1,000 empty lines of JSON": b"{}\n" * MOST,
    "1,000 unreadable lines": b"{\n" * MOST,
    "1,000 lines that are no text": b"\xff\xfe\n" * MOST,
    "1,000 unknown commands": _jsonl({"command": "nonsense"}),
    "1,000 commands with an unknown field": _jsonl({**BET, "nonsense": 1}),
    "one line nested 500,000 deep": b"[" * 500_000 + b"\n",
    "1,000 lines nested 16 deep": (b"[" * 16 + b"]" * 16 + b"\n") * MOST,
    "1,000 lines nested 500 deep": (b'{"a":' * 150 + b"1" + b"}" * 150 + b"\n") * MOST,
    "three lines of the longest": (b'"' + b"x" * (LONGEST - 3) + b'"\n') * 3,
    "one line of a megabyte": b'"' + b"x" * MEGA + b'"\n',
    "long strings": _jsonl({**BET, "table": "B" * 1_000}, 900),
    "a number of 200,000 digits": b'{"command":"bet","amount":' + b"9" * 200_000 + b"}\n",
    "a million names in one line": b"{" + b'"a":1,' * 40_000 + b'"a":1}\n',
    "escaped letters": b'{"command":"' + b"\\ud83d\\ude00" * 20_000 + b'"}\n',
    "1,000 bets at a table that is not open": _jsonl({**BET, "table": "B77"}),
    "900 tables that nobody has seen": b"".join(
        _jsonl({**BET, "table": f"X{n}"}, 1) for n in range(900)
    ),
    "1,000 bets at the dealing table": _jsonl({**BET, "table": "B01", "seat": 9}),
    "1,000 bets": b"".join(
        _jsonl({**BET, "amount": 100_00 * (1 + n % 9)}, 1) for n in range(MOST)
    ),
    "1,000 lines with one id": _jsonl({**BET, "id": "the same"}),
    "1,000 bets that were sent before": b"".join(
        _jsonl({**BET, "id": f"sent before {n}"}, 1) for n in range(MOST)
    ),
    "1,000 enrolments": _jsonl(ENROL),
}  # fmt: skip
SHELL = {
    "a replay": ["replay", "B01", "--json"],
    "a replay of nothing": ["replay", "B99/2026-01-01/1/1"],
    "the board": ["board", "--once", "--json"],
    "a road": ["road", "B01"],
    "exact odds": ["odds", "classic@1", "--json"],
    "a rule": ["rule"],
    "the rule sets": ["rules", "list"],
    "1,000 words": ["report", *["x"] * 1_000],
    "a long word": ["report", "x" * 500_000],
    "a simulation": ["simulate", "--tables", "50", "--coups", "500", "--out", "-"],
    "a demo": ["demo"],
    "a table to play at": ["play"],
    "a database to stop": ["db", "down"],
    "a manual": ["manual", "dealer"],
    "a wrong PIN": ["staff", "sign-on", "S-11"],
}
OFFICERS_SHELL = {
    "audit verify": ["audit", "verify", "--json"],
    "audit verify on every core": ["audit", "verify", "--jobs", "64", "--json"],
    "audit adjudicate": ["audit", "adjudicate", "--json"],
    "readjudicate": ["readjudicate", "--json"],
    "all wagers": ["report", "wagers", "--json"],
    "all coups": ["report", "coup", "--json"],
    "all readings": ["report", "readings", "--json"],
    "all exceptions": ["report", "exceptions", "--json"],
    "the events as CSV": ["export", "events", "--format", "csv", "--into", "events"],
    "the wagers as Parquet": [
        "export",
        "report",
        "wagers",
        "--format",
        "parquet",
        "--into",
        "wagers",
    ],
    "projections checked": ["projections", "check"],
}
PAGES = (
    "/", "/tables/B01", "/tables/B02", "/wall", "/wall/B01", "/cases", "/ledger",
    "/ledger?kind=coup.wager-placed", "/ledger?command=nobody&actor=nobody", "/ledger/1",
    "/ledger/999999999999999999", "/reports", "/reports/wagers", "/reports/wagers.csv",
    "/reports/wagers.parquet", "/reports/wagers.json", "/reports/coup.pdf", "/reports/readings",
    "/reports/shoe-log", "/patrons/P-1", "/rules/R-DRAW-3", "/play/B01/3",
)  # fmt: skip
STREAMS = ("/live/pit", "/live/wall", "/live/wall/B01", "/live/tables/B01", "/live/watch/B01")
READ = ("board", "report/wagers", "report/coup", "road/B01", "replay/B01")
_HOST = b"Host: 127.0.0.1\r\n"
RAW = {
    "half a head": b"GET / HTTP/1.1\r\nHost: 127.0",
    "half a body": b"POST /sign-on HTTP/1.1\r\n" + _HOST + b"Content-Length: 1000000\r\n\r\nx",
    "a head of 60,000 bytes": b"GET / HTTP/1.1\r\n" + _HOST + b"X: " + b"x" * 60_000 + b"\r\n\r\n",
    "a head of a megabyte": b"GET / HTTP/1.1\r\n" + _HOST + b"X: " + b"x" * MEGA + b"\r\n\r\n",
    "500 headers": b"GET / HTTP/1.1\r\n" + _HOST + b"X: y\r\n" * 500 + b"\r\n",
    "an address of 60,000 letters": b"GET /" + b"x" * 60_000 + b" HTTP/1.1\r\n" + _HOST + b"\r\n",
    "no HTTP at all": b"\x16\x03\x01\x02\x00\x01" * 100,
    "100 requests in one line": (b"GET /wall HTTP/1.1\r\n" + _HOST + b"\r\n") * 100,
    "a body in 5,000 chunks": b"POST /api/commands HTTP/1.1\r\n" + _HOST
    + b"Transfer-Encoding: chunked\r\n\r\n" + b"1\r\nx\r\n" * 5_000 + b"0\r\n\r\n",
}  # fmt: skip
ASKED = {
    "an answer that is the same": ("/static/sabot.js", (("If-None-Match", '"x",' * 2_000),)),
    "1,000 ranges of a file": ("/static/sabot.js", (("Range", "bytes=" + "0-1," * 1_000 + "1-2"),)),
    "10,000 languages": ("/sign-on", (("Accept-Language", "zh-Hant;q=0.1," * 3_000),)),
    "many cookies": ("/", (("Cookie", "a=b; " * 8_000),)),
    "the schema": ("/api/schema", ()),
    "the counters": ("/metrics", ()),
    "health": ("/health", ()),
    "a display": ("/watch/B01", ()),
}
FORMS = {
    "a wrong PIN": urlencode({"staff": "S-11", "pin": "081599"}).encode(),
    "a form of 100,000 fields": b"a=b&" * 100_000,
    "a PIN of a megabyte": b"staff=S-11&pin=" + b"9" * (MEGA - 100),
}


def _kinds() -> tuple[Kind, ...]:
    every_road = "/api/report/wagers.json"
    made = [
        Kind(f"{name}, {who}", who, "/api/commands", body)
        for name, body in LINES.items()
        for who in (NOBODY, DEALER)
    ]
    made += [
        Kind(f"{name}, {who}", who, "/api/shell", _asked(words))
        for who, some in ((DEALER, SHELL), (OFFICER, OFFICERS_SHELL))
        for name, words in some.items()
    ]
    made += [Kind(f"page {page}", READER, page, method="GET") for page in PAGES]
    made += [Kind(f"read {it}", OFFICER, f"/api/{it}.json", method="GET") for it in READ]
    made += [
        Kind(f"stream {each}, {who}", who, each, method="GET", dropped=True)
        for each in STREAMS
        for who in (READER, WATCHER)
    ]
    made.append(Kind("all events", OFFICER, "/api/events?after=0", method="GET", dropped=True))
    made += [Kind(name, STRANGER, "", raw=raw, dropped=True) for name, raw in RAW.items()]
    made += [
        Kind(name, STRANGER, target, method="GET", headers=headers)
        for name, (target, headers) in ASKED.items()
    ]
    made += [Kind(f"{name}, form", WATCHER, "/sign-on", body) for name, body in FORMS.items()]
    zipped, in_gzip = gzip.compress(b"\n" * (64 << 20), 1), (("Content-Encoding", "gzip"),)
    return (
        *made,
        Kind("64 MB in gzip", DEALER, "/api/commands", zipped, headers=in_gzip),
        Kind("a wrong key", DEALER, "/api/commands", b"\n" * MEGA, spoilt=_wrong_key),
        Kind("a wrong clock", DEALER, "/api/commands", b"\n" * MEGA, spoilt=_wrong_clock),
        Kind("a stranger's lines", STRANGER, "/api/commands", b"{}\n" * MOST),
        Kind("a stranger's report", STRANGER, every_road, method="GET"),
        Kind("a deep command", DEALER, "/api/shell", b'{"x": ' + b"[" * 500_000),
        Kind("a deep question", DEALER, "/api/questions", b'{"x": ' + b"[" * 500_000),
    )  # fmt: skip


def _asked(words: list[str]) -> bytes:
    asked = {"id": "", "words": words, "typed": ["081599"] * 3}
    return json.dumps(asked).encode()


KINDS = _kinds()
