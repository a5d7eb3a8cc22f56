"""The demo's evening: a recorded shoe and seven patrons, seeded by the gaming day."""

from collections.abc import Iterator, Mapping
from datetime import date
from random import Random

from msgspec import Struct

from domain.rules.hands import Outcome
from domain.rules.house_rules import named
from ops.commands.command import Command
from ops.commands.read import Line
from ops.handlers.answer import Answer
from ops.handlers.dispatcher import Dispatcher
from ops.ledger.chain import Fields
from ops.simulation.evening import DealtShoe, Evening
from ops.simulation.habits import Habit
from ops.simulation.recorded_shoes import RecordedShoe

TABLE = "B01"
RULES = "dragon-bonus@1"
FIRST_DAY = date(2026, 11, 21)

PATRONS = (
    Habit(1, "P-10411", 1.0, (500_00,)),
    Habit(2, "P-10388", 0.5, (25_00, 50_00, 75_00)),
    Habit(3, "P-10417", 0.9, (100_00, 200_00), tie=25_00, pays_often=True),
    Habit(5, "grey-jacket", 0.1, (500_00, 1_000_00), dragon=50_00),
    Habit(6, "P-10502", 0.6, (100_00, 150_00), dragon=25_00),
    Habit(8, "lucky-eight", 0.5, (25_00, 800_00), tie=5_00),
    Habit(9, "P-10533", 0.7, (300_00,), pays_often=True),
)


class CoupPlayed(Struct, frozen=True):
    """A coup for the demo's display."""

    address: str
    cards: list[str]
    outcome: Outcome
    player_total: int
    banker_total: int
    staked: int
    owed: int  # commission owed at the table after it


def evening(
    day: date, recorded: RecordedShoe, times: int = 0, left: Mapping[str, int] | None = None
) -> Evening:
    """The demo's evening of that day; `times` is how often this shoe was dealt before.

    `left`: the chips that the evening before left in the tray.
    """
    serial = f"K-{recorded.shoe}-{times}" if times else f"K-{recorded.shoe}"
    return Evening(
        table=TABLE,
        day=day,
        rules=named(RULES),
        patrons=PATRONS,
        shoes=[DealtShoe(serial, recorded.decks, recorded.cards.split())],
        random=Random(day.toordinal()),  # noqa: S311  (a demo, not a shuffle)
        left=dict(left or {}),
    )


def left_in_the_tray(dispatcher: Dispatcher) -> Mapping[str, int]:
    """The chips that the last evening of the demo left; the table must have closed before."""
    casino = dispatcher.casino
    casino.begin(Command())
    day = casino.ask(lambda: dispatcher.desk.last_table_day(TABLE))
    return day.sessions[-1].closer_chips or {}


def play(dispatcher: Dispatcher, evening: Evening) -> Iterator[tuple[Line, CoupPlayed | None]]:
    """Sends line after line; the line that settles a coup comes with the coup."""
    cards: list[str] = []
    resulted: Fields = {}
    for line in evening.lines():
        answer = dispatcher.dispatch(line)
        if not answer.ok:
            msg = f"the demo was refused: {answer}"
            raise RuntimeError(msg)
        events = {event["type"]: event for event in answer.events}
        if "CardDealt" in events:
            cards.append(events["CardDealt"]["card"])
        resulted = events.get("Resulted", resulted)
        if "Settled" in events:
            yield line, _played(answer, cards, resulted, evening)
            cards = []
        else:
            yield line, None


def _played(answer: Answer, cards: list[str], resulted: Fields, evening: Evening) -> CoupPlayed:
    staked = sum(f["stakes"] for f in answer.events if f["type"] == "Settled")
    return CoupPlayed(
        address=answer.body["coup"],
        cards=cards,
        outcome=resulted["outcome"],
        player_total=resulted["player_total"],
        banker_total=resulted["banker_total"],
        staked=staked,
        owed=evening.owed,
    )
