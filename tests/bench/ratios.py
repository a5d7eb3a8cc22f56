"""The ratios that are claimed, by name: of which figure, which way over which other."""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass

from tests.bench.figures import OURS, Figure
from tests.bench.parts import (
    adjudicate,
    append,
    audit,
    commands,
    feed,
    memory,
    projecting,
    read_side,
    replay,
    slow_disk,
    start_up,
    terminal,
)


@dataclass(frozen=True)
class Ratio:
    """A claim: the median of `way` over the median of `other`, in one figure."""

    name: str
    part: str
    figure: str
    way: str
    other: str
    says: str

    def of(self, figures: Iterable[Figure]) -> "Found":
        """What it came to."""
        here = [each for each in figures if (each.part, each.name) == (self.part, self.figure)]
        if not here:
            return Found(self, None, f"{self.part} was not asked for")
        above, below = here[0].median(self.way), here[0].median(self.other)
        if above is None or not below:
            missing = self.way if above is None else self.other
            return Found(self, None, here[0].why_not(missing))
        return Found(self, above / below, spread=_spread(here[0], self.way, self.other))


@dataclass(frozen=True)
class Found:
    """A ratio, or why there is none; `spread`: the least and the most of single repeats."""

    ratio: Ratio
    value: float | None
    why: str = ""
    spread: tuple[float, float] | None = None


def _spread(figure: Figure, way: str, other: str) -> tuple[float, float]:
    """Of the ratios of each repeat, in which both had their turn."""
    each = [
        above / below for above, below in zip(figure.runs[way], figure.runs[other], strict=True)
    ]
    return min(each), max(each)


def _appends() -> Iterator[Ratio]:
    """Beside each rival: a coup, a command, and sixteen clients' commands together."""
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
            says = f"{append.WHAT[payload]} by 16 writers: saves/s of {way} over {rival}"
            yield Ratio(f"append_{kind}_vs_{short}", append.PART, figure, way, rival, says)
        if way == append.BATCHED:
            name, other = f"append_{kind}_vs_batched_limit", append.BATCHED_LIMIT
            says = f"{append.WHAT[payload]} of 16 clients: saves/s of {way} over {other}"
            yield Ratio(name, append.PART, figure, way, other, says)


RATIOS = (
    *_appends(),
    Ratio(
        *("slow_disk_vs_locked_flush", slow_disk.PART, slow_disk.NAME, OURS, slow_disk.LOCKED),
        "saves/s on a slow disk, the lock let go before the flush, over held through it",
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
    Ratio(
        *("lag_loaded_vs_idle", read_side.PART, read_side.LAG, read_side.LOADED, read_side.IDLE),
        "from an answer to its rows: while two others write, over idle",
    ),
    Ratio(
        *("replay_growth", replay.PART, replay.NAME, read_side.LARGE, read_side.SMALL),
        "a coup told again: out of ten times as many events, over the small ledger",
    ),
    Ratio(
        *("verify_vs_bare_sha256", audit.PART, audit.VERIFY, OURS, audit.BARE),
        "audit verify over SHA-256 alone of the same bytes",
    ),
    Ratio(
        *("verify_growth", audit.PART, audit.GROWTH, read_side.LARGE, read_side.SMALL),
        "audit verify, for each event: of ten times as many events, over the small ledger",
    ),
    Ratio(
        *("adjudicate_vs_reading", adjudicate.PART, adjudicate.NAME, OURS, adjudicate.READ),
        "every coup adjudicated again, over reading the events alone",
    ),
    *(
        Ratio(name, start_up.PART, start_up.NAME, way, start_up.IMPORTS, says)
        for name, way, says in (
            ("help_vs_imports", start_up.HELP, "processor of --help over that of the imports"),
            ("one_shot_vs_imports", start_up.BET, "processor of a bet over that of the imports"),
            ("report_vs_imports", start_up.REPORT, "processor of a report over the imports"),
            ("odds_vs_imports", start_up.ODDS, "processor of the exact odds over the imports"),
        )
    ),
    Ratio(
        *("one_shot_vs_python", start_up.PART, start_up.NAME, start_up.BET, start_up.BARE),
        "processor of a bet over that of Python alone",
    ),
    *(
        Ratio(name, memory.PART, figure, memory.TEN_TIMES, memory.LITTLE, says)
        for name, figure, says in (
            ("feed_memory_growth", memory.FED, "peak memory of a feed ten times as long"),
            ("rebuild_memory_growth", memory.REBUILT, "peak memory of a rebuild ten times as long"),
        )
    ),
    Ratio(
        *("terminal_vs_said", terminal.PART, f"{terminal.NAME}, 80×24"),
        *(terminal.SCREEN, terminal.ALONE),
        "from Enter to the screen, over the same command said without a terminal",
    ),
)
WORST = Ratio(
    *("report_growth_worst", read_side.PART, "", read_side.LARGE, read_side.SMALL),
    "the report that grows most: out of ten times as many events, over the small ledger",
)
NAMES = tuple(each.name for each in (*RATIOS, WORST))


def ratios(figures: Iterable[Figure]) -> list[Found]:
    """All of them, in order."""
    here = list(figures)
    return [*(each.of(here) for each in RATIOS), _worst(here)]


def _worst(figures: list[Figure]) -> Found:
    """Of all reports the one whose answer takes most longer."""
    found = [
        (large / small, each.name, each)
        for each in figures
        if each.part == read_side.PART
        and (large := each.median(read_side.LARGE))
        and (small := each.median(read_side.SMALL))
    ]
    if not found:
        return Found(WORST, None, f"{read_side.PART} was not asked for, or of one ledger")
    value, name, figure = max(found, key=lambda each: each[:2])
    spread = _spread(figure, read_side.LARGE, read_side.SMALL)
    return Found(WORST, value, f"the report {name}", spread)
