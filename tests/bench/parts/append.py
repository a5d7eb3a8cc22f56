"""Durable saves per second, compared with others that save the same bytes on the same server.

A coup of 25 events, then the one event of a bet, each in a stream of its own, by 1, 4 and 16
writers at once. `batched`: the commands of sixteen clients go through one connection together.
"""

from collections.abc import Callable, Iterator, Mapping
from contextlib import ExitStack
from functools import partial

from tests.bench.crew import Crew, Load
from tests.bench.figures import OURS, Figure, in_turn
from tests.bench.payload import Payload
from tests.bench.rivals import limit, message_db, stock
from tests.bench.rivals.emmett import NodeCrew
from tests.bench.setting import Setting

PART = "append"
STOCK, MESSAGE_DB, EMMETT, LIMIT = "eventsourcing", "Message DB", "Emmett", "limit"
FUNCTIONS = "eventsourcing, its functions"
BATCHED, BATCHED_LIMIT = "Sabot, batched", "limit, batched"
WRITERS = (1, 4, 16)
MOST = max(WRITERS)
_NAMES = {OURS: "sabot", STOCK: "eventsourcing", MESSAGE_DB: "messagedb", LIMIT: "limit"}
_BATCHED = {BATCHED: "batched", BATCHED_LIMIT: "batched_limit"}
WHAT = {"coup": "a coup of 25 events", "command": "a single command"}
Saver = Callable[[Payload, int, float], Load]


def name_of(payload: str, writers: int) -> str:
    """The name of a figure of this part."""
    return f"{WHAT[payload]}, {writers} {'writer' if writers == 1 else 'writers'}"


def measure(setting: Setting) -> Iterator[Figure]:
    """Saves per second, for each payload and number of writers."""
    with ExitStack() as stack:
        savers, skipped = _savers(setting, stack)
        for payload in WHAT:
            for writers in (1, MOST) if setting.quick else WRITERS:
                setting.say(name_of(payload, writers))
                yield from _figures(setting, savers, skipped, payload, writers)


def _savers(setting: Setting, stack: ExitStack) -> tuple[dict[str, Saver], dict[str, str]]:
    """Each way, with its writers on a database of its own; and the ways that are skipped."""
    names = _NAMES if setting.quick else {**_NAMES, FUNCTIONS: "eventsourcing_functions"}
    urls = {name: setting.new_database().url for name in (*names.values(), *_BATCHED.values())}
    for name in urls.keys() & {"eventsourcing", "eventsourcing_functions"}:
        stock.install(urls[name])
    limit.install(urls["limit"])
    limit.install(urls["batched_limit"])
    skipped = {}
    if setting.packages:
        message_db.install(urls["messagedb"], setting.packages)
        emmett = stack.enter_context(NodeCrew(setting.new_database().url, setting.packages))
    else:
        skipped = dict.fromkeys((MESSAGE_DB, EMMETT), setting.no_packages)
    crew = stack.enter_context(Crew(MOST, urls))
    savers: dict[str, Saver] = {
        way: partial(crew.run, name) for way, name in names.items() if way not in skipped
    }
    if setting.packages:
        savers[EMMETT] = emmett.run
    for way, name in _BATCHED.items():
        savers[way] = partial(_through_one, partial(crew.run, name))
    return savers, skipped


def _through_one(run: Saver, payload: Payload, _: int, seconds: float) -> Load:
    """The load of sixteen clients, which are threads of one process."""
    return run(payload, 1, seconds)


def _figures(
    setting: Setting,
    savers: Mapping[str, Saver],
    skipped: Mapping[str, str],
    payload: str,
    writers: int,
) -> Iterator[Figure]:
    loads: dict[str, list[Load]] = {}

    def one(way: str) -> float:
        load = savers[way](setting.payloads[payload], writers, setting.seconds)
        loads.setdefault(way, []).append(load)
        return load.rate

    ways = [way for way in savers if writers == MOST or way not in _BATCHED]
    rates = in_turn({way: partial(one, way) for way in ways}, setting.repeats)
    name = name_of(payload, writers)
    yield Figure(PART, name, "saves/s", rates, skipped, more_is_better=True)
    p99 = {way: [load.p99 for load in each] for way, each in loads.items()}
    yield Figure(PART, f"{name}: p99", "ms", p99, skipped)
