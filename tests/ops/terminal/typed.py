"""An evening as a dealer types it: a recorded shoe, four patrons, commission now and then."""

import json
from collections.abc import Iterator
from random import Random

from ops.ledger.database import Database
from ops.simulation.recorded_shoes import shoes

SEATS = {1: "P-10411", 3: "P-10417", 5: "grey-jacket", 8: "王小明"}
DAY = "2026-11-21"
BETS = (
    "1b500 3b100t25 5p500dp50 8b1k",
    "1p100 3,5b200 8p50",
    "1,3b500 5 p 500 8t25p100",
    "3 banker 300 db 25",
    "1,3,5p50 8b150",
)


def preparation(day: str = DAY) -> Iterator[str]:
    """Until the first bet may be placed."""
    shoe = shoes()[0]
    yield f"table open dragon-bonus@1 --day {day} --opener 100=200 --opener 5=400 --with S-11"
    for seat, patron in SEATS.items():
        yield f"seat {seat} {patron}"
    yield f"shoe load {shoe.decks} --serials {shoe.shoe}"
    yield "inspect"
    yield "shuffle machine --device SH-2"
    yield "cut --seat 3"
    yield f"burn {shoe.burn_card.lower()}"


def coups(many: int = 80, seed: int = 7) -> Iterator[str]:
    """So many coups of the shoe; no line is the same as the one before it."""
    random = Random(seed)
    for coup in shoes()[0].coups[:many]:
        bets = random.choice(BETS)
        again = coup.n > 1 and random.random() < 0.4
        yield "=" if again else bets
        if random.random() < 0.3:
            yield "u"
        if random.random() < 0.5:
            yield "n"
        cards = "".join(coup.deal).lower()
        if random.random() < 0.5:
            yield cards
        else:
            yield cards[:8]
            if cards[8:]:
                yield cards[8:]
        yield "s"
        if coup.n % 20 == 0:
            yield "c 3"


def ending() -> Iterator[str]:
    """What is owed is paid, and the shoe ends, whatever its cut card says."""
    yield "c 1,3,5,8"
    yield 'end --reason "end of the evening" --with S-11'


def recorded(database: Database) -> list[tuple[object, ...]]:
    """What it came to, without moments, positions and ids."""
    with database.connect("sabot_auditor") as connection:
        rows = connection.execute(
            "SELECT originator_id, originator_version, topic, state FROM ledger.events "
            "ORDER BY 1, 2"
        ).fetchall()
    return [(*row[:3], {**json.loads(row[3]), "at": None}) for row in rows]


def without_starts(events: list[tuple[object, ...]]) -> list[tuple[object, ...]]:
    """The same without the starts of terminals; the ledger of each started one has some."""
    return [each for each in events if not str(each[2]).startswith("program-day.")]
