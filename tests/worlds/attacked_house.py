"""A closed house in which B01 is dealt line by line, while others send what is dear to serve."""

import json
import threading
import time
from collections import defaultdict
from collections.abc import Iterator, Sequence
from contextlib import closing, contextmanager
from http.client import HTTPConnection
from pathlib import Path
from urllib.parse import urlsplit

import psutil

from ops.door.signature import Terminal
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
from tests.worlds.house_server import HouseServer, house_server

PAUSE = 0.01  # seconds between an answer and the dealer's next line
UNSPENT = "1000000"  # refused lines: every request is served, none only told to wait


class AttackedHouse:
    """A server, the terminal at which B01 is dealt, and those who send."""

    def __init__(self, server: HouseServer) -> None:
        self.server = server
        boss = server.terminal("pit-1")
        _begin(boss)
        boss.run("staff", "approve-terminal", boss.key, "pit 1")
        boss.sign_on("A-1", boss.ask("staff", "enrol", "A-1", "Ann", "administrator")["code"])
        people = {"D-204": "dealer", "D-205": "dealer", "S-11": "supervisor"}
        people |= dict.fromkeys(("V-1", "V-2"), "surveillance")
        codes = {
            staff: boss.ask("staff", "enrol", staff, staff, role)["code"]
            for staff, role in people.items()
        }
        self._dealing = self._signed_on(boss, "pit-2", "D-204", codes)
        self._senders = {
            DEALER: Sender(server.address, self._signed_on(boss, "pit-3", "D-205", codes)),
            OFFICER: Sender(server.address, self._signed_on(boss, "pit-4", "V-1", codes)),
            NOBODY: Sender(server.address, server.terminal("pit-5").approved_by(boss).home),
            STRANGER: Sender(server.address),
        }
        for who in (READER, WATCHER):
            browser = PlainBrowser(server.address).approved_by(boss)
            if who == READER:
                chosen = {"staff": "V-2", "pin": codes["V-2"], "new": PIN, "again": PIN}
                status, text = browser.post("/sign-on", chosen)
                assert status == 303, text
            self._senders[who] = Sender(server.address, cookies=browser.cookies)

    def _signed_on(self, boss, name: str, staff: str, codes: dict[str, str]) -> Path:
        terminal = self.server.terminal(name).approved_by(boss)
        terminal.sign_on(staff, codes[staff])
        return terminal.home

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
        signs = Terminal(self._dealing / "terminal-key")
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
def attacked_house(database, home: Path) -> Iterator[AttackedHouse]:
    """A server until the block ends."""
    with house_server(database, home, "--refused-lines", UNSPENT) as server:
        yield AttackedHouse(server)


def _begin(boss) -> None:
    """B01 and B02 are opened before the house is closed, and a coup of each is open for bets."""
    for table in ("B01", "B02"):
        for words in (
            ("table", "open", table, "classic@1", "--opener", "100=90"),
            ("table", "seat", table, "3", f"P-{table}"),
            ("shoe", "load", table, "8"),
            ("shoe", "inspect", table),
            ("shoe", "shuffle", table, "hand"),
            ("shoe", "cut", table),
            ("shoe", "burn", table, "3D"),
            ("bet", table, "3", "banker", "100"),
        ):
            done = boss.run(*words)
            assert done.exit_code == 0, done.output
