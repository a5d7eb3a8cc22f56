"""What the size of the record costs: the same questions to ledgers of 10⁴, 10⁵ and 10⁶ events.

Each ledger is the same evening again, day after day. What is asked is of one day, one coup or one
event, so that only what grows without need makes the larger ledger slower. Below each figure are
its causes: how long PostgreSQL planned and executed, how many rows and blocks it read for one
question, and what read the most rows. A save and an idle night add events, and come last.
"""

from collections.abc import Callable, Iterator
from datetime import datetime
from functools import partial
from typing import Any

from msgspec import Struct

from domain.rules.addresses import Coup
from ops.board.board import Board
from ops.cli.audit.verify import walk
from ops.ledger.database import Database
from ops.ledger.reading import head_of
from ops.replay.story import find
from ops.reports.ask import ask
from ops.reports.moments import Typed
from projections import REPORTS
from tests.bench import ways
from tests.bench.causes import HEAD, causes_of, row_of
from tests.bench.figures import Figure, in_turn, timed
from tests.bench.multiplied import multiply
from tests.bench.setting import Setting
from tests.stories import as_dict

PART = "growth"
SIZES = ("10⁴ events", "10⁵ events", "10⁶ events")
SAVES = 50  # of which one repeat is the mean
VERIFY, NIGHT, APPEND = "audit verify, each event", "first report after an idle night", "append"
READ = ("wagers", "exceptions", "board", "replay", "as-of", VERIFY)
WRITTEN = (NIGHT, APPEND)
GOAL = 1.3  # times as long as on the smallest ledger
Way = Callable[[], object]


class Sample(Struct, frozen=True):
    """One ledger, and what is asked of it: a day, a coup and a moment in its middle."""

    database: Database
    events: int
    day: str
    coup: Coup
    moment: Typed
    evening: datetime  # the last one, on which the board looks

    @classmethod
    def of(cls, events: int, database: Database) -> "Sample":
        """The middle of a ledger."""
        with database.session("sabot_auditor") as connection:
            row = connection.execute(
                "SELECT gaming_day, convert_from(state, 'UTF8')::json ->> 'coup', recorded_at"
                " FROM ledger.events WHERE topic = 'coup.opened' AND position >= %s"
                " ORDER BY position LIMIT 1",
                (events // 2,),
            ).fetchone()
            last = connection.execute(
                "SELECT convert_from(state, 'UTF8')::json ->> 'at'"
                " FROM ledger.events ORDER BY position DESC LIMIT 1"
            ).fetchone()
        assert row
        assert last
        evening = datetime.fromisoformat(last[0])
        return cls(database, events, str(row[0]), Coup.parse(row[1]), Typed(row[2]), evening)

    def questions(self) -> dict[str, Way]:
        """What is asked, by its name in READ."""
        board = Board(self.database, now=lambda: self.evening)
        report = partial(ask, self.database)
        asked: list[Way] = [
            partial(report, REPORTS["wagers"], day=self.day),
            partial(report, REPORTS["exceptions"], day=self.day),
            board.once,
            self._replayed,
            partial(report, REPORTS["commission"], self.moment, day=self.day),
            partial(walk, self.database, jobs=1),
        ]
        return dict(zip(READ, asked, strict=True))

    def _replayed(self) -> Any:
        with self.database.session("sabot_auditor") as connection:
            return as_dict(find(connection, self.coup))


def measure(setting: Setting) -> Iterator[Figure]:
    """Milliseconds of each question on each ledger, in turn, with the causes."""
    samples = dict(zip(SIZES, (Sample.of(*each) for each in setting.growing), strict=False))
    asked = {size: each.questions() for size, each in samples.items()}
    for name in READ:
        setting.say(f"{name}, small to large")
        yield _figure(name, {size: each[name] for size, each in asked.items()}, samples, setting)
    if setting.given:
        return
    nights = {size: partial(_night, setting, each.database) for size, each in samples.items()}
    setting.say(NIGHT)
    yield Figure(PART, NIGHT, "ms", in_turn(nights, 3), base=SIZES[0])
    setting.say(APPEND)
    saves = {size: _saves(setting, each.database) for size, each in samples.items()}
    yield Figure(PART, APPEND, "ms", in_turn(saves, setting.repeats * 3), base=SIZES[0])


def _figure(
    name: str, asked: dict[str, Way], samples: dict[str, Sample], setting: Setting
) -> Figure:
    works = {size: timed(way) for size, way in asked.items()}
    repeats = setting.repeats if name == VERIFY else setting.repeats * 5
    runs = in_turn(works, repeats)
    if name == VERIFY:
        runs = {
            size: [each * 1000 / samples[size].events for each in took]
            for size, took in runs.items()
        }
        return Figure(PART, name, "µs", runs, base=SIZES[0])
    causes = [HEAD, *(row_of(size, causes_of(way)) for size, way in asked.items())]
    return Figure(PART, name, "ms", runs, base=SIZES[0], causes=causes)


def _night(setting: Setting, database: Database) -> float:
    """A night is dealt while nobody asks, then the first report."""
    with database.session("sabot_auditor") as connection:
        head = head_of(connection)
    multiply(database, setting.evening, head + 1, lambda _: None)
    return timed(partial(ask, database, REPORTS["commission"]))()


def _saves(setting: Setting, database: Database) -> Callable[[], float]:
    save, payload = ways.sabot(database.url), setting.payloads["command"]
    several = timed(lambda: [save(payload) for _ in range(SAVES)])
    return lambda: several() / SAVES
