"""The ratios that are claimed, by name: of which figure, and of which two ways."""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass

from tests.bench.figures import OURS, Figure
from tests.bench.parts import (
    adjudicate,
    append,
    audit,
    clicks,
    commands,
    dear,
    door,
    feed,
    growth,
    memory,
    projecting,
    protection,
    read_side,
    replay,
    slow_disk,
    start_up,
    terminal,
)


@dataclass(frozen=True)
class Ratio:
    """A claim: the median of `way` divided by the median of `other`, in one figure."""

    name: str
    part: str
    figure: str
    way: str
    other: str
    description: str

    def of(self, figures: Iterable[Figure]) -> "Result":
        """The ratio's value, or why it has none."""
        here = [each for each in figures if (each.part, each.name) == (self.part, self.figure)]
        if not here:
            return Result(self, None, f"{self.part} was not measured")
        above, below = here[0].median(self.way), here[0].median(self.other)
        if above is None or not below:
            missing = self.way if above is None else self.other
            return Result(self, None, here[0].why_not(missing))
        return Result(self, above / below, spread=_spread(here[0], self.way, self.other))


@dataclass(frozen=True)
class Result:
    """A ratio's value, or why it has none; `spread`: the smallest and the largest of repeats."""

    ratio: Ratio
    value: float | None
    why: str = ""
    spread: tuple[float, float] | None = None


def _spread(figure: Figure, way: str, other: str) -> tuple[float, float]:
    """The smallest and the largest ratio of single repeats."""
    each = [
        above / below for above, below in zip(figure.runs[way], figure.runs[other], strict=True)
    ]
    return min(each), max(each)


def _growths() -> Iterator[Ratio]:
    """Each question to a ledger ten and a hundred times as large."""
    for name in (*growth.READ, *growth.WRITTEN):
        word = name.partition(",")[0].replace(" ", "_").replace("-", "_")
        for times, size in (("ten", growth.SIZES[1]), ("hundred", growth.SIZES[2])):
            about = f"{name}: with {size} over {growth.SIZES[0]}; the goal is {growth.GOAL}"
            ratio = f"growth_{word}_{times}"
            yield Ratio(ratio, growth.PART, name, size, growth.SIZES[0], about)


def _appends() -> Iterator[Ratio]:
    """Compared with each rival: a coup, a command, and the commands of sixteen clients together."""
    rivals = {
        "stock": append.STOCK,
        "message_db": append.MESSAGE_DB,
        "emmett": append.EMMETT,
        "limit": append.LIMIT,
    }
    for kind, payload, way in (
        ("coup", "coup", OURS),
        ("command", "command", OURS),
        ("batched", "command", append.BATCHED),
        ("batched_coup", "coup", append.BATCHED),
    ):
        figure = append.name_of(payload, append.MOST)
        for short, rival in rivals.items():
            about = f"{append.WHAT[payload]} by 16 writers: saves/s of {way} over {rival}"
            yield Ratio(f"append_{kind}_vs_{short}", append.PART, figure, way, rival, about)
        if way == append.BATCHED:
            name, other = f"append_{kind}_vs_batched_limit", append.BATCHED_LIMIT
            about = f"{append.WHAT[payload]} of 16 clients: saves/s of {way} over {other}"
            yield Ratio(name, append.PART, figure, way, other, about)


RATIOS = (
    *_appends(),
    Ratio(
        *("slow_disk_vs_locked_flush", slow_disk.PART, slow_disk.NAME, OURS, slow_disk.LOCKED),
        "saves/s on a slow disk, with the lock released before the flush, over held through it",
    ),
    Ratio(
        *("commands_one_table_vs_single_inserts", commands.PART, commands.NAMES[1]),
        *(OURS, commands.ROWS),
        "whole commands a second at one table over single rows inserted durably",
    ),
    Ratio(
        *("commands_twenty_tables_vs_single_inserts", commands.PART, commands.NAMES[20]),
        *(OURS, commands.ROWS),
        "whole commands a second at twenty tables over rows by as many processes",
    ),
    Ratio(
        *("feed_one_table_vs_single_inserts", feed.PART, feed.ONE_TABLE, OURS, feed.ROWS),
        "lines a second, each answered before the next, over single rows inserted durably",
    ),
    Ratio(
        *("feed_bulk_vs_single_inserts", feed.PART, feed.IN_BULK, OURS, feed.ROWS),
        "lines a second of a piped file over single rows inserted durably",
    ),
    Ratio(
        *("projections_vs_transaction_per_event", projecting.PART, projecting.ALL),
        *(OURS, projecting.EACH),
        "events a second into the rows of all projections over a transaction for each event",
    ),
    Ratio(
        *("projections_vs_set_based", projecting.PART, projecting.TWO),
        *(OURS, projecting.SET_BASED),
        "events a second into wagers and commission over hand-written SQL for the same rows",
    ),
    *(
        Ratio(
            *(f"protection_{patrons}_{short}", protection.PART, protection.name_of(patrons)),
            *(way, protection.READ),
            f"processor time of a coup of {patrons} patrons, {about}, over reading its events",
        )
        for patrons in protection.PATRONS
        for short, way, about in (
            ("vs_reading", OURS, "in a rebuild"),
            ("live_vs_reading", protection.LIVE, "as it is dealt"),
        )
    ),
    Ratio(
        *("lag_loaded_vs_idle", read_side.PART, read_side.LAG, read_side.LOADED, read_side.IDLE),
        "from an answer to its rows: while two others write, over idle",
    ),
    Ratio(
        *("replay_growth", replay.PART, replay.NAME, read_side.LARGE, read_side.SMALL),
        "time of a replay: in a ledger of ten times as many events, over the small ledger",
    ),
    Ratio(
        *("verify_vs_bare_sha256", audit.PART, audit.VERIFY, OURS, audit.BARE),
        "audit verify over SHA-256 alone of the same bytes",
    ),
    Ratio(
        *("verify_growth", audit.PART, audit.GROWTH, read_side.LARGE, read_side.SMALL),
        "time of audit verify for each event: of ten times as many events, over the small ledger",
    ),
    Ratio(
        *("verify_two_cores", audit.PART, audit.GROWTH, audit.TWO, read_side.LARGE),
        "time of audit verify of the large ledger on two cores, over one core",
    ),
    Ratio(
        *("verify_again_growth", audit.PART, audit.AGAIN, read_side.LARGE, read_side.SMALL),
        "time of audit verify again: of ten times as many events, over the small ledger",
    ),
    Ratio(
        *("checkpoint_growth", audit.PART, audit.CHECKPOINT, read_side.LARGE, read_side.SMALL),
        "time of a signed checkpoint: of ten times as many events, over the small ledger",
    ),
    Ratio(
        *("adjudicate_vs_reading", adjudicate.PART, adjudicate.NAME, OURS, adjudicate.READ),
        "time of adjudicating every coup again, over reading the events alone",
    ),
    *(
        Ratio(name, start_up.PART, start_up.NAME, way, start_up.IMPORTS, about)
        for name, way, about in (
            ("help_vs_imports", start_up.HELP, "processor time of --help over that of the imports"),
            ("one_shot_vs_imports", start_up.BET, "processor time of a bet over the imports"),
            ("terminal_vs_imports", start_up.BY_DOOR, "processor time of a bet at a terminal"),
            ("report_vs_imports", start_up.REPORT, "processor time of a report over the imports"),
            ("odds_vs_imports", start_up.ODDS, "processor time of exact odds over the imports"),
        )
    ),
    Ratio(
        *("one_shot_vs_python", start_up.PART, start_up.NAME, start_up.BET, start_up.BARE),
        "processor time of a bet over that of Python alone",
    ),
    *(
        Ratio(name, memory.PART, figure, memory.TEN_TIMES, memory.LITTLE, about)
        for name, figure, about in (
            ("feed_memory_growth", memory.FED, "peak memory of a feed ten times as long"),
            ("rebuild_memory_growth", memory.REBUILT, "peak memory of a rebuild ten times as long"),
        )
    ),
    Ratio(
        *("terminal_vs_said", terminal.PART, f"{terminal.NAME}, 80×24"),
        *(terminal.SCREEN, terminal.ALONE),
        "from Enter to the screen, over the same command without a terminal",
    ),
    *(
        Ratio(name, clicks.PART, figure, clicks.MANY, clicks.ALONE, about)
        for name, figure, about in (
            ("click_placed_growth", clicks.PLACED, "click to placed, every seat over one alone"),
            ("click_shown_growth", clicks.SHOWN, "click to its page, every seat over one alone"),
        )
    ),
    *(
        Ratio(name, dear.PART, dear.LATE, way, dear.QUIET, f"{about}, over a quiet house")
        for name, way, about in (
            ("door_p99_one_vs_quiet", dear.ONE, "99th of 100 waits of a table beside one sender"),
            ("door_p99_three_vs_quiet", dear.THREE, "the same beside three senders"),
        )
    ),
    *(
        Ratio(name, door.PART, door.name_of(16), way, other, f"{about}, sixteen of each")
        for name, way, other, about in (
            ("door_sixteen_vs_emmett", door.HTTP, append.EMMETT, "lines a second over commits"),
            ("door_sixteen_vs_limit", door.HTTP, append.LIMIT, "lines a second over commits"),
            ("door_sixteen_tls_vs_http", door.TLS, door.HTTP, "lines a second by TLS over HTTP"),
            ("door_two_servers_vs_one", door.TWO, door.HTTP, "lines a second through two over one"),
        )
    ),
    *(
        Ratio(name, door.PART, figure, door.PAGES, door.NO_PAGES, f"{about}, beside sixty pages")
        for name, figure, about in (
            (
                "door_pages_answered_p99",
                door.beside(door.ANSWERED, 99),
                "from a line to its answer",
            ),
            ("door_pages_shown_p99", door.beside(door.SHOWN, 99), "from a line to the screen"),
            ("door_pages_processor", door.BUSY, "processor time of the server"),
        )
    ),
    Ratio(
        *("door_one_vs_ledger", door.PART, door.name_of(1), door.DIRECT, door.HTTP),
        "from a line to its answer over an append without a server, one writer",
    ),
    *_growths(),
)
WORST = Ratio(
    *("report_growth_worst", read_side.PART, "", read_side.LARGE, read_side.SMALL),
    "the report that slows down most: with ten times as many events, over the small ledger",
)
NAMES = tuple(each.name for each in (*RATIOS, WORST))


def ratios(figures: Iterable[Figure]) -> list[Result]:
    """The results of all ratios, in order."""
    here = list(figures)
    return [*(each.of(here) for each in RATIOS), _worst(here)]


def _worst(figures: list[Figure]) -> Result:
    """The result of the report that slows down most on the large ledger."""
    growths = [
        (large / small, each.name, each)
        for each in figures
        if each.part == read_side.PART
        and (large := each.median(read_side.LARGE))
        and (small := each.median(read_side.SMALL))
    ]
    if not growths:
        return Result(WORST, None, f"{read_side.PART} was not measured, or with one ledger only")
    value, name, figure = max(growths, key=lambda each: each[:2])
    spread = _spread(figure, read_side.LARGE, read_side.SMALL)
    return Result(WORST, value, f"the report {name}", spread)
