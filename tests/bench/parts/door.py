"""Lines a second through a house server, and how long each waits, beside writers without one.

Thin feeds have an address and a key, and send the next line when the last is answered, which means
on disk: by a wire, by one with TLS, by wires to two servers on one database, and by a request for
each line. The rivals write the one event of a command to the database itself, with as many writers,
sixteen at most.

One more feed deals beside fifty tables with a line a second each: first while no page is open but
its table's, then beside sixty pages of the pit, of tables, of displays and of electronic places.
"""

import time
from collections.abc import Iterator
from contextlib import ExitStack, closing
from functools import partial
from pathlib import Path
from tempfile import TemporaryDirectory

import psutil

from tests.bench.crew import Crew, Load
from tests.bench.evening import Evening, Waits, pages
from tests.bench.figures import Figure, in_turn, percentile
from tests.bench.parts.append import EMMETT, LIMIT, Saver
from tests.bench.rivals import limit
from tests.bench.rivals.emmett import NodeCrew
from tests.bench.setting import Setting
from tests.bench.thin import Door
from tests.worlds.certificates import Authority
from tests.worlds.house_server import HouseServer, house_server

PART = "door"
HTTP, TLS, TWO = "thin feeds", "thin feeds, TLS", "thin feeds, two servers"
POSTS = "thin feeds, a request a line"
DIRECT = "Sabot's ledger alone"
FEEDS = (1, 4, 16, 64)
LEAST = 1.0  # seconds of a repeat: a server's first moments are not its usual ones
WRITERS = 16  # processes of the crew; 64 feeds are four of each
SPENT = "server's processor time for each line, sixteen thin feeds"
NO_PAGES, PAGES = "no other page open", "sixty pages open"
ANSWERED, SHOWN, ON_PAGE = "its answer", "the dealer's screen", "the page of its table"
BUSY = "server's processor time, one feed beside fifty tables"


def name_of(feeds: int) -> str:
    """The name of a figure of this part."""
    return f"lines, {feeds} at once"


def waits_of(feeds: int) -> str:
    """The name of the figure of the waits."""
    return f"from a line to its answer, {feeds} at once: p99"


def beside(what: str, percent: int) -> str:
    """The name of the figure of a feed beside fifty tables."""
    return f"one feed beside fifty tables, from a line to {what}: p{percent}"


def measure(setting: Setting) -> Iterator[Figure]:
    """Lines a second for each number of feeds, their waits, and the server's processor time."""
    with ExitStack() as stack:
        house = _House(setting, stack)
        for feeds in (1, WRITERS) if setting.quick else FEEDS:
            setting.say(name_of(feeds))
            yield from house.figures(feeds)
        yield Figure(PART, SPENT, "µs", {HTTP: house.spent}, base=HTTP)
    setting.say("one feed beside fifty tables, without pages and beside sixty")
    yield from _mixed(setting)


def _mixed(setting: Setting) -> Iterator[Figure]:
    """The waits of one feed in an evening, and what the server uses, without and with pages."""
    waits: dict[str, list[Waits]] = {NO_PAGES: [], PAGES: []}
    with (
        TemporaryDirectory() as home,
        house_server(setting.new_database(), Path(home), alone=True) as server,
        closing(Evening(Door(server.address, home))) as evening,
    ):
        process = psutil.Process(server.process.pid)
        seconds = 5.0 if setting.quick else 20.0

        def one(way: str) -> float:
            with evening.open(pages() if way == PAGES else []):
                before, begun = _processor(process), time.monotonic()
                waits[way].append(evening.waits(seconds))
                return 100 * (_processor(process) - before) / (time.monotonic() - begun)

        used = in_turn({way: partial(one, way) for way in waits}, 1 if setting.quick else 3)
    for what, field in ((ANSWERED, "answered"), (SHOWN, "shown"), (ON_PAGE, "on_page")):
        for percent in (50, 99):
            runs = {
                way: [percentile(getattr(each, field), percent) for each in taken]
                for way, taken in waits.items()
            }
            yield Figure(PART, beside(what, percent), "ms", runs, base=NO_PAGES)
    yield Figure(PART, BUSY, "% of a core", used, base=NO_PAGES)


class _House:
    """Servers by HTTP and by TLS and two on one database, and the crews that write."""

    def __init__(self, setting: Setting, stack: ExitStack) -> None:
        self._setting = setting
        self.spent: list[float] = []  # microseconds of the server for each line
        home = Path(stack.enter_context(TemporaryDirectory()))
        authority = Authority(home)
        served = partial(self._served, stack, home)
        self._server, http = served("http")
        _, tls = served("tls", *authority.issue("127.0.0.1"), trusts=authority.file)
        _, two = served("two")
        other = stack.enter_context(house_server(two.database, home / "two", name="other"))
        doors = {
            "thin_feed": Door(http.address, str(home / "http")),
            "tls_feed": Door(tls.address, str(home / "tls"), str(authority.file)),
            "two_feeds": Door(f"{two.address},{other.address}", str(home / "two")),
        }
        doors["four_thin_feeds"] = doors["posting_feed"] = doors["thin_feed"]
        direct = {name: setting.new_database().url for name in ("sabot", "limit")}
        limit.install(direct["limit"])
        crew = stack.enter_context(
            Crew(WRITERS, {**direct, **{w: str(d) for w, d in doors.items()}})
        )
        self._ways: dict[str, Saver] = {
            name: partial(crew.run, way)
            for name, way in {
                HTTP: "thin_feed",
                TLS: "tls_feed",
                TWO: "two_feeds",
                POSTS: "posting_feed",
                DIRECT: "sabot",
                LIMIT: "limit",
            }.items()
        }
        self._four: Saver = partial(crew.run, "four_thin_feeds")
        self._skipped = {}
        if setting.packages:
            rival = stack.enter_context(NodeCrew(setting.new_database().url, setting.packages))
            self._ways[EMMETT] = rival.run
        else:
            self._skipped = {EMMETT: setting.no_packages}

    def _served(
        self, stack: ExitStack, home: Path, name: str, *options: str, trusts: Path | None = None
    ) -> tuple[psutil.Process, HouseServer]:
        server = stack.enter_context(
            house_server(
                self._setting.new_database(), home / name, *options, trusts=trusts, alone=True
            )
        )
        return psutil.Process(server.process.pid), server

    def figures(self, feeds: int) -> Iterator[Figure]:
        """Lines a second and waits of this many feeds, beside as many writers."""
        loads: dict[str, list[Load]] = {}
        payload, seconds = self._setting.payloads["command"], max(LEAST, self._setting.seconds)

        def one(way: str) -> float:
            save = self._four if (way, feeds) == (HTTP, 64) else self._ways[way]
            before = _processor(self._server)
            load = save(payload, min(feeds, WRITERS), seconds)
            if (way, feeds) == (HTTP, WRITERS):
                used = _processor(self._server) - before
                self.spent.append(1e6 * used / (load.rate * seconds))
            loads.setdefault(way, []).append(load)
            return load.rate

        ways = [way for way in self._ways if feeds <= WRITERS or way not in (TLS, TWO, POSTS)]
        rates = in_turn({way: partial(one, way) for way in ways}, self._setting.repeats)
        yield Figure(
            PART, name_of(feeds), "lines/s", rates, self._skipped, more_is_better=True, base=HTTP
        )
        waits = {way: [load.p99 for load in each] for way, each in loads.items()}
        yield Figure(PART, waits_of(feeds), "ms", waits, self._skipped, base=HTTP)


def _processor(process: psutil.Process) -> float:
    """Seconds that the server used; the database's own are not in it."""
    used = process.cpu_times()
    return used.user + used.system
