"""`sabot demo`: a newcomer's first minute."""

import os
import shlex
import sys
import time
from collections import Counter
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from datetime import timedelta
from pathlib import Path
from typing import TYPE_CHECKING, Any
from zoneinfo import ZoneInfo

import click

from domain.events import table_day
from domain.rules.addresses import Coup
from domain.rules.cards import symbol
from domain.rules.money import major
from domain.rules.roads import Bead, big_road
from ops.cli.audit.verify import walk
from ops.cli.session import dispatcher_on
from ops.commands.house_events import house
from ops.handlers.dispatcher import Dispatcher
from ops.ledger.database import Database, Say, SchemaOfOthers
from ops.ledger.embedded import Embedded
from ops.ledger.files import data_home
from ops.ledger.growth import how_many
from ops.replay.page import Page
from ops.replay.story import find
from ops.reports.ask import ask
from ops.reports.table import print_table
from ops.roads import text as road_text
from ops.simulation.demo import FIRST_DAY, CoupPlayed, evening, left_in_the_tray, play
from ops.simulation.evening import Evening
from ops.simulation.recorded_shoes import shoes
from ops.words import show
from projections import REPORTS

if TYPE_CHECKING:
    import psycopg
    from rich.console import Console, RenderableType
    from rich.text import Text

_STAGES = {
    "table.open": "{table} open for {day} under {rules}, dealer {by}, supervisor {with}",
    "shoe.load": "shoe loaded: {decks} decks, {serials[0]}",
    "shoe.inspect": "inspected",
    "shoe.shuffle": "shuffled by {method} {device}",
    "shoe.cut": "cut by seat {seat}",
    "shoe.burn": "burned: first card {card}, and as many more as its value",
    "shoe.cut-card": "the cut card shows: one more coup",
}


@click.command()
@click.option(
    "--home",
    type=click.Path(file_okay=False, path_type=Path),
    help="The directory of the demo's own database; default one beside your own ledger's.",
)
def demo(home: Path | None) -> None:
    """Deal a whole recorded shoe, in an embedded database of the demo's own."""
    page = show.console()
    place = home or _default_home()
    os.environ["SABOT_HOME"] = str(place)  # where its pepper is, too: others go on there
    database = Database(home=(embedded := Embedded(place)))
    embedded.is_a_program_s = True
    started = time.monotonic()
    page.print("Starting the demo's own PostgreSQL …", style="dim")
    with _ready(database, lambda words: page.print(words, style="dim")) as connection:
        server = connection.info.parameter_status("server_version")
        days = how_many(connection, table_day.Opened.TOPIC)
    _stage(page, f"database up: PostgreSQL {server}, in {time.monotonic() - started:.1f} s")
    dispatcher = dispatcher_on(database, "demo", made_up=True)
    made = _evening(days, left_in_the_tray(dispatcher) if days else {})
    coups = _play(page, dispatcher, made)
    _stage(page, "commission collected from everybody, shoe ended, table closed")
    page.print()
    print_table(ask(database, REPORTS["commission"], day=made.day.isoformat()))
    chain = walk(database)
    assert chain.ok
    page.print()
    _stage(page, f"chain verified: {chain.events:,} events, head {chain.head.hex()[:16]}…")
    chosen = _interesting(coups)
    page.print()
    with database.session("sabot_auditor") as connection:
        record = find(connection, Coup.parse(chosen.address))
        assert record.replay
        Page(record, record.replay, page, ZoneInfo(house(connection).zone)).print()
    _next(page, place, chosen)


@contextmanager
def _ready(database: Database, say: Say) -> Iterator["psycopg.Connection[Any]"]:
    """A connection to the demo's ledger; one that another version made is set aside first."""
    try:
        database.connect("sabot_app", say).close()
    except SchemaOfOthers:
        say("The demo's ledger is not one that this version can read")
        assert database.embedded is not None
        database.embedded.mark.remove()
    with database.session("sabot_app", say) as connection:
        yield connection


def _default_home() -> Path:
    return data_home() / "demo"


def _evening(played: int, left: Mapping[str, int]) -> Evening:
    """The next gaming day of the demo's house, with the next recorded shoe and these chips."""
    recorded = shoes()
    times, next_one = divmod(played, len(recorded))
    return evening(FIRST_DAY + timedelta(days=played), recorded[next_one], times, left)


def _stage(page: "Console", words: str, *more: "Text") -> None:
    from rich.text import Text

    page.print(Text.assemble(("✓ ", "green"), words, *more))


def _play(page: "Console", dispatcher: Dispatcher, made: Evening) -> list[CoupPlayed]:
    """Prints each stage, then every coup, with progress and the big road below."""
    from rich.console import Group
    from rich.live import Live
    from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn

    bar = Progress(TextColumn("coups"), BarColumn(), MofNCompleteColumn(), console=page)
    task = bar.add_task("coups", total=80)
    coups: list[CoupPlayed] = []
    with Live(console=page, refresh_per_second=10) as live:
        for line, coup in play(dispatcher, made):
            if line["command"] in _STAGES:
                shown = {
                    name: symbol(word) if name == "card" else word for name, word in line.items()
                }
                _stage(live.console, _STAGES[line["command"]].format(**shown))
            if coup:
                coups.append(coup)
                live.console.print(_line(coup))
                bar.update(task, completed=len(coups), total=max(len(coups), 80))
                live.update(Group(bar, _road(coups, page.width)))
        bar.update(task, total=len(coups))
    if not page.is_terminal:
        page.print()  # a live display ends its last line on terminals only
    return coups


def _line(coup: CoupPlayed) -> "RenderableType":
    from rich.text import Text

    number = coup.address.rpartition("/")[2]
    cards = Text(" ").join(show.card_text(card) for card in coup.cards)
    called = show.outcome_words(coup.outcome, coup.player_total, coup.banker_total)
    gap = " " * (24 - cards.cell_len)
    return Text.assemble(
        f"{number:>3}  ",
        cards,
        gap,
        (f"{called:<20}", show.STYLES[coup.outcome]),
        f"{major(coup.staked, 'USD'):>9}  owed {major(coup.owed, 'USD'):>8}",
    )


def _road(coups: list[CoupPlayed], width: int) -> "RenderableType":
    """The newest columns of the big road that fit, above the meaning of its marks."""
    from rich.text import Text

    drawn = road_text.big_road(big_road([Bead(coup.outcome) for coup in coups]), width - 2)
    fell = Counter(coup.outcome for coup in coups)
    legend = Text.assemble(
        *(
            each
            for outcome in ("banker", "player")
            for each in (
                (road_text.BEADS[outcome], show.STYLES[outcome]),
                f" {outcome.title()} {fell[outcome]}   ",
            )
        ),
        f"Tie {fell['tie']}: the number after a mark",
        f"   {drawn.cut}" if drawn.cut else "",
    )
    return Text("\n").join(Text("  ") + line for line in (*drawn.lines, legend))


def _interesting(coups: list[CoupPlayed]) -> CoupPlayed:
    """The coup to show: six cards, won by Banker, with the largest wagers."""
    return max(
        coups, key=lambda coup: (len(coup.cards) == 6, coup.outcome == "banker", coup.staked)
    )


def _next(page: "Console", home: Path, chosen: CoupPlayed) -> None:
    sabot = shlex.quote(str(Path(sys.executable).with_name("sabot")))
    begin = f"SABOT_DATABASE_URL= SABOT_HOME={shlex.quote(str(home))} {sabot}"
    shown = Coup.parse(chosen.address)
    other = Coup(shown.shoe, shown.number % 70 + 1)
    page.print("\nTry next", style="bold")
    for words in (
        f"report coup --day {shown.shoe.table_day.day}",
        f"replay {other}",
        "odds --rules dragon-bonus@1",
    ):
        page.print(f"  {begin} {words}", soft_wrap=True)
