"""A closed house in which B01 is dealt line by line, while others send what is dear to serve."""

import json
import threading
import time
from collections import defaultdict
from collections.abc import Callable, Collection, Iterator, Sequence
from contextlib import closing, contextmanager
from http.client import HTTPConnection
from itertools import starmap
from pathlib import Path
from urllib.parse import urlsplit

import psutil

from ops.door.signature import Terminal as Key
from tests.worlds.browsers import PlainBrowser
from tests.worlds.closed_house import PIN
from tests.worlds.dear_requests import (
    DEALER,
    NOBODY,
    OFFICER,
    READER,
    STRANGER,
    WATCHER,
    Answer,
    Kind,
    Sender,
)
from tests.worlds.house_server import HouseServer, Terminal, house_server

PAUSE = 0.01  # seconds between an answer and the dealer's next line
EVERYBODY = (DEALER, OFFICER, NOBODY, STRANGER, READER, WATCHER)
UNSPENT = "1000000"  # refused lines: every request is served, none only told to wait


class AttackedHouse:
    """A server, the terminal at which B01 is dealt, and those who send."""

    def __init__(self, server: HouseServer, senders: Collection[str]) -> None:
        """`senders`: those who send; a browser takes a while to come in."""
        self.server = server
        boss = server.terminal("pit-1")
        _begin(boss)
        _done(boss.send(_approval(boss)))
        (first,) = _done(boss.send(_enrolment("A-1", "administrator")))
        _sign_on(boss, "A-1", first["code"])
        people = {
            "D-204": "dealer",
            "D-205": "dealer",
            "V-1": "surveillance",
            "V-2": "surveillance",
        }
        people["S-11"] = "supervisor"  # whose PIN is guessed
        enrolled = _done(boss.send(*starmap(_enrolment, people.items())))
        codes = dict(zip(people, (each["code"] for each in enrolled), strict=True))
        self._dealing = self._signed_on(boss, "pit-2", "D-204", codes)
        come_in: dict[str, Callable[[], Sender]] = {
            DEALER: lambda: Sender(server.address, self._signed_on(boss, "pit-3", "D-205", codes)),
            OFFICER: lambda: Sender(server.address, self._signed_on(boss, "pit-4", "V-1", codes)),
            NOBODY: lambda: Sender(server.address, self._approved(boss, "pit-5").home),
            STRANGER: lambda: Sender(server.address),
            READER: lambda: self._browser(boss, codes["V-2"]),
            WATCHER: lambda: self._browser(boss),
        }
        self._senders = {who: come_in[who]() for who in senders}

    def _approved(self, boss: Terminal, name: str) -> Terminal:
        terminal = self.server.terminal(name)
        _done(boss.send(_approval(terminal)))
        return terminal

    def _signed_on(self, boss: Terminal, name: str, staff: str, codes: dict[str, str]) -> Path:
        terminal = self._approved(boss, name)
        _sign_on(terminal, staff, codes[staff])
        return terminal.home

    def _browser(self, boss: Terminal, code: str = "") -> Sender:
        """A watcher's browser, or with the code of V-2 theirs."""
        browser = PlainBrowser(self.server.address).approved_by(boss)
        if code:
            chosen = {"staff": "V-2", "pin": code, "new": PIN, "again": PIN}
            status, text = browser.post("/sign-on", chosen)
            assert status == 303, text
        return Sender(self.server.address, cookies=browser.cookies)

    def dealt(self, kinds: Sequence[Kind], senders: int, seconds: float) -> "Dealt":
        """What the dealer and the senders met; each kind is sent for so many seconds, or once.

        Each sender is in another place of the list. No kind: only the dealer, for so many seconds.
        """
        dealt = Dealt(psutil.Process(self.server.process.pid))
        stop = threading.Event()
        dealing = threading.Thread(target=self._deal, args=(dealt, stop))
        dealing.start()
        try:
            if not kinds:
                time.sleep(seconds)
            step = max(1, len(kinds) // max(1, senders))
            threads = [
                threading.Thread(
                    target=self._attack,
                    args=(dealt, [*kinds[nth * step :], *kinds[: nth * step]], seconds),
                )
                for nth in range(senders if kinds else 0)
            ]
            for each in threads:
                each.start()
            for each in threads:
                each.join()
        finally:
            stop.set()
            dealing.join()
        return dealt

    def _attack(self, dealt: "Dealt", kinds: Sequence[Kind], seconds: float) -> None:
        for kind in kinds:
            begun = time.monotonic()
            while True:
                dealt.answers.append(self._senders[kind.who].send(kind))
                if time.monotonic() - begun >= seconds:
                    break
            dealt.sent.append((kind.name, begun, time.monotonic()))

    def _deal(self, dealt: "Dealt", stop: threading.Event) -> None:
        signs = Key(self._dealing / "terminal-key")
        token = {"Authorization": f"Bearer {(self._dealing / 'session').read_text().strip()}"}
        target = "/api/commands"
        with closing(HTTPConnection(urlsplit(self.server.address).netloc, timeout=60)) as http:
            while not stop.wait(PAUSE):
                n = len(dealt.lines)
                line = {
                    "command": "bet", "id": f"dealt-{dealt.name}-{n}", "table": "B01",
                    "seat": 3, "spot": "banker", "amount": 100_00 * (1 + n % 2),
                }  # fmt: skip
                body = json.dumps(line).encode()
                begun = time.monotonic()
                http.request("POST", target, body, {**token, **signs.headers("POST", target, body)})
                answer = http.getresponse()
                content = answer.read()
                dealt.note(str(line["id"]), begun, time.monotonic(), json.loads(content))


class Dealt:
    """Every line of the dealer, with its answer; every answer to those who sent beside it."""

    def __init__(self, server: psutil.Process) -> None:
        self._server = server
        self.name = str(time.monotonic_ns())
        self.lines: list[str] = []  # their ids
        self.refused: list[object] = []
        self.answers: list[Answer] = []
        self.sent: list[tuple[str, float, float]] = []  # a kind, from when to when
        self._waits: list[tuple[float, float]] = []  # when a line was sent, when it was answered
        self._began = self._most = self._server.memory_info().rss

    def note(self, name: str, begun: float, ended: float, answer: dict[str, object]) -> None:
        """A line of the dealer was answered."""
        self.lines.append(name)
        self._waits.append((begun, ended))
        self._most = max(self._most, self._server.memory_info().rss)
        if not answer.get("ok"):
            self.refused.append(answer)

    @property
    def grown(self) -> int:
        """By how many bytes the server's memory grew at most."""
        return self._most - self._began

    @property
    def waits(self) -> list[float]:
        """How long each line waited for its answer, in milliseconds."""
        return [1000 * (ended - begun) for begun, ended in self._waits]

    def longest(self) -> list[tuple[float, str]]:
        """The longest wait beside each kind in milliseconds, the longest of them first."""
        waits: dict[str, float] = defaultdict(float)
        for name, since, until in self.sent:
            for begun, ended in self._waits:
                if begun < until and ended > since:
                    waits[name] = max(waits[name], 1000 * (ended - begun))
        return sorted(((wait, name) for name, wait in waits.items()), reverse=True)


@contextmanager
def attacked_house(
    database, home: Path, senders: Collection[str] = EVERYBODY
) -> Iterator[AttackedHouse]:
    """A server until the block ends."""
    with house_server(database, home, "--refused-lines", UNSPENT) as server:
        yield AttackedHouse(server, senders)


def _begin(boss: Terminal) -> None:
    """B01 and B02 are opened before the house is closed, and a coup of each is open for bets."""
    for table in ("B01", "B02"):
        lines = (
            {"command": "table.open", "rules": "classic@1", "opener": {"10000": 90}},
            {"command": "table.seat", "seat": 3, "patron": f"P-{table}"},
            {"command": "shoe.load", "decks": 8},
            {"command": "shoe.inspect"},
            {"command": "shoe.shuffle", "method": "hand"},
            {"command": "shoe.cut"},
            {"command": "shoe.burn", "card": "3D"},
            {"command": "bet", "seat": 3, "spot": "banker", "amount": 100_00},
        )
        _done(boss.send(*({**line, "table": table} for line in lines)))


def _done(answers: list[dict[str, str]]) -> list[dict[str, str]]:
    assert all(each["ok"] for each in answers), answers
    return answers


def _enrolment(staff: str, role: str) -> dict[str, str]:
    return {"command": "staff.enrol", "staff": staff, "name": f"Name of {staff}", "role": role}


def _approval(terminal: Terminal) -> dict[str, str]:
    Key(terminal.home / "terminal-key").headers("GET", "/", b"")  # which makes its key
    name = terminal.home.name
    return {"command": "staff.approve-terminal", "terminal": terminal.key, "name": name}


def _sign_on(terminal: Terminal, staff: str, code: str) -> None:
    """Signs on for the first time, with all that is typed in one request."""
    asked = {"id": f"on {staff}", "words": ["staff", "sign-on", staff], "typed": [code, PIN, PIN]}
    status, content = terminal.post("/api/shell", json.dumps(asked).encode())
    answer = json.loads(content)
    assert (status, answer.get("status")) == (200, 0), answer
    (terminal.home / "session").write_text(answer["token"])
