"""A click at an electronic table until it is placed, and until its own page shows it.

Every position has its page open and clicks a chip every few seconds, at one house server; compared
with one position that is alone.
"""

import asyncio
import json
import statistics
import time
from collections.abc import Iterator
from pathlib import Path
from tempfile import TemporaryDirectory
from urllib.parse import urlsplit

import psutil

from tests.bench.figures import Figure
from tests.bench.setting import Setting
from tests.worlds.house_server import house_server

PART = "clicks"
PLACED, SHOWN, WORST, CPU = (
    "click to placed, median",
    "click to its page, median",
    "click to placed, 99th percentile",
    "server's processor time per table and second",
)
ALONE, MANY = "one position", "every seat taken"
SEATS = 7
EVERY = 4.0  # seconds between two clicks of a position
CHIP = 1_00


class Position:
    """A page that is open, and a finger."""

    def __init__(self, address: str, table: str, seat: int, coup: str) -> None:
        split = urlsplit(address)
        self._host, self._port = split.hostname, split.port
        self._place, self._coup = f"{table}/{seat}", coup
        self._staked = 0
        self._shown: asyncio.Future[float] | None = None
        self.placed: list[float] = []  # seconds, as are those
        self.shown: list[float] = []

    async def play(self, offset: float, clicks: int) -> None:
        """Opens the page, then clicks; `offset`: seconds before the first click."""
        reader, writer = await self._connected()
        writer.write(self._request("GET", f"/live/play/{self._place}"))
        following = asyncio.create_task(self._follow(reader))
        answers, hand = await self._connected()
        begun = time.monotonic()
        for nth in range(clicks):
            await asyncio.sleep(max(0.0, begun + offset + nth * EVERY - time.monotonic()))
            await self._click(answers, hand, nth)
        following.cancel()
        for each in (writer, hand):
            each.close()

    async def _click(
        self, answers: asyncio.StreamReader, hand: asyncio.StreamWriter, nth: int
    ) -> None:
        self._staked += CHIP
        self._shown = asyncio.get_running_loop().create_future()
        number = f"{self._place}/{nth}".encode().hex().rjust(32, "0")
        bet = {"id": number, "coup": self._coup, "stakes": {"banker": self._staked}}
        begun, answer = time.monotonic(), {"ok": False, "error": "Conflict"}
        while answer["error"] == "Conflict":  # the page sends it again
            hand.write(self._request("POST", f"/play/{self._place}/bets", json.dumps(bet).encode()))
            head = await answers.readuntil(b"\r\n\r\n")
            size = int(head.lower().partition(b"content-length:")[2].split(b"\r\n")[0])
            answer = json.loads(await answers.readexactly(size))
        assert answer["ok"], answer
        self.placed.append(time.monotonic() - begun)
        self.shown.append(await asyncio.wait_for(self._shown, 30) - begun)

    async def _follow(self, reader: asyncio.StreamReader) -> None:
        while line := await reader.readline():
            shows = f"&#34;placed&#34;: {{&#34;banker&#34;: {self._staked}}}".encode()
            if self._shown and not self._shown.done() and shows in line:
                self._shown.set_result(time.monotonic())

    async def _connected(self) -> tuple[asyncio.StreamReader, asyncio.StreamWriter]:
        return await asyncio.open_connection(self._host, self._port, limit=1 << 20)

    def _request(self, method: str, path: str, body: bytes = b"") -> bytes:
        host = f"{self._host}:{self._port}"
        return (
            f"{method} {path} HTTP/1.1\r\nHost: {host}\r\nOrigin: http://{host}\r\n"
            f"Sec-Fetch-Site: same-origin\r\nContent-Type: application/json\r\n"
            f"Content-Length: {len(body)}\r\n\r\n"
        ).encode() + body


def measure(setting: Setting) -> Iterator[Figure]:
    """One position alone, then all of them; the same clicks at each."""
    tables, clicks = (4, 3) if setting.quick else (29, 8)
    setting.say(f"clicks at {tables * SEATS} positions")
    with (
        TemporaryDirectory() as home,
        house_server(setting.new_database(), Path(home), alone=True) as server,
    ):
        positions = [
            Position(server.address, table, seat, coup)
            for table, coup in _opened(server, tables)
            for seat in range(1, SEATS + 1)
        ]
        process = psutil.Process(server.process.pid)
        runs: dict[str, dict[str, list[float]]] = {}
        for way, some in ((ALONE, positions[:1]), (MANY, positions[1:])):
            before, begun = _processor(process), time.monotonic()
            asyncio.run(_play(some, clicks))
            used = (_processor(process) - before) / (time.monotonic() - begun)
            placed = sorted(1000 * each for one in some for each in one.placed)
            shown = [1000 * each for one in some for each in one.shown]
            runs[way] = {
                PLACED: [statistics.median(placed)],
                WORST: [placed[len(placed) * 99 // 100]],
                SHOWN: [statistics.median(shown)],
                CPU: [1000 * used / (1 if way == ALONE else tables)],
            }
    for name in (PLACED, WORST, SHOWN, CPU):
        yield Figure(PART, name, "ms", {way: each[name] for way, each in runs.items()}, base=ALONE)


async def _play(positions: list[Position], clicks: int) -> None:
    step = EVERY / len(positions)
    await asyncio.gather(
        *(each.play(1.0 + nth * step, clicks) for nth, each in enumerate(positions))
    )


def _opened(server: object, tables: int) -> Iterator[tuple[str, str]]:
    """Electronic tables with an account at every seat, each with its coup open for bets."""
    boss = server.terminal("pit-1")  # type: ignore[attr-defined]
    for number in range(1, tables + 1):
        table = {"table": f"E{number:02}"}
        lines = [{"command": "table.open", "rules": "electronic@1", "opener": {}, **table}]
        for seat in range(1, SEATS + 1):
            who = {"seat": seat, **table}
            lines += [
                {"command": "table.seat", "patron": f"P-{number}-{seat}", **who},
                {"command": "account.pay-in", "amount": 500_00, **who},
            ]
        lines += [
            {"command": "shoe.load", "decks": 8, **table},
            {"command": "shoe.inspect", **table},
            {"command": "shoe.shuffle", "method": "generated", **table},
            {"command": "open", **table},
        ]
        answers = boss.send(*lines)
        assert all(each["ok"] for each in answers), answers
        yield table["table"], answers[-1]["coup"]


def _processor(process: psutil.Process) -> float:
    """Seconds of the server; the database's own are not in it."""
    used = process.cpu_times()
    return used.user + used.system
