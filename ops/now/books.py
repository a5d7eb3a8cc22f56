"""The contents of the pages above the board: a table, its shoes and coups, a coup, and debts.

Only reads. Each is read when its page is opened, and again when the ledger has grown.
"""

from collections import defaultdict
from typing import Any
from zoneinfo import ZoneInfo

from msgspec import Struct, convert
from msgspec.structs import replace

from domain.aggregates.coup import Coup
from domain.rules import addresses
from domain.rules.refusals import NotFound
from domain.rules.roads import Roads
from ops.board.rows import Seen
from ops.commands.house_events import house
from ops.ledger.database import Database
from ops.ledger.growth import next_of_stream
from ops.ledger.recorder import flush
from ops.now.follow import Follower
from ops.now.table_now import TableNow
from ops.replay import story as replay
from ops.replay.find_coup import coups_around
from ops.reports.ask import ask
from ops.roads import road
from projections import REPORTS

Row = dict[str, Any]  # of a report


class ShoeLog(Struct, frozen=True):
    """A shoe in the shoe log."""

    shoe: str
    decks: int | None
    inspected_by: str | None
    shuffle_method: str | None
    cut_by: str | None
    coups: int | None
    ended_why: str | None
    difference: int | None  # cards missing when it was counted; below 0: too many


class CardDealt(Struct, frozen=True):
    """A card, and the hand it went to."""

    hand: str
    card: str


class CoupException(Struct, frozen=True):
    """An exception at a coup."""

    kind: str


class CoupLine(Struct, frozen=True):
    """A coup of a shoe, with what was staked and paid, in minor units, and by whom."""

    coup: str
    opened_at: str
    phase: str
    dealer: str | None
    cards: list[CardDealt]
    outcome: str | None
    natural: bool | None
    player_total: int | None
    banker_total: int | None
    exceptions: list[CoupException]
    staked: int = 0
    paid: int = 0  # 0 until it is settled
    patrons: list[str] = []

    @property
    def number(self) -> str:
        """The coup's number in its shoe."""
        return self.coup.rpartition("/")[2]


class DayCounts(Struct, frozen=True):
    """What was counted at a table on its gaming day, in minor units; None: not counted yet."""

    opener: int
    fills: int
    credits: int
    closer: int | None
    drop: int | None
    win: int | None


class TableBook(Struct, frozen=True):
    """A table, and the shoes of its gaming day, the newest first; the day's counts if closed."""

    now: TableNow
    shoes: list[ShoeLog]
    counts: DayCounts | None = None


class ShoeBook(Struct, frozen=True):
    """A shoe: its log, its roads, and its coups, the newest first."""

    log: ShoeLog | None
    roads: Roads
    coups: list[CoupLine]


class CoupBook(Struct, frozen=True):
    """A coup as of a position; `goes_on` is the position of a later event of it."""

    record: replay.CoupRecord
    zone: ZoneInfo
    goes_on: int | None = None


class Debt(Struct, frozen=True):
    """The debt of one stay."""

    table: str
    patron: str
    owed: int  # minor units
    since_shoe: int
    since: str | None  # the moment of the oldest unpaid commission
    stay: str


class Books(Struct, frozen=True):
    """Reads each page on a connection of its own."""

    database: Database

    def table(self, code: str, day: str) -> TableBook:
        """The table now. Refuses: NotFound. Raises LedgerLost."""
        with self.database.session("sabot_auditor") as connection:
            now = Follower(connection, code).now
        if now.day is None:
            raise NotFound(what=f"table {code}")
        shoes = ask(self.database, REPORTS["shoe-log"], table=code, day=day).rows
        counts = (
            ask(self.database, REPORTS["table-win"], table=code, day=day).rows if now.closed else []
        )
        counted = convert(counts[0], DayCounts) if counts else None
        return TableBook(now, convert(shoes[::-1], list[ShoeLog]), counted)

    def shoe(self, shoe: str) -> ShoeBook:
        """A shoe from loaded to reconciled. Refuses: NotFound. Raises LedgerLost."""
        roads = road.find(self.database, addresses.Shoe.parse(shoe)).roads
        log = ask(self.database, REPORTS["shoe-log"], shoe=shoe).rows
        coups = ask(self.database, REPORTS["coup"], shoe=shoe).rows
        wagers = ask(self.database, REPORTS["wagers"], shoe=shoe).rows
        logged = convert(log[0], ShoeLog) if log else None
        return ShoeBook(logged, roads, _with_wagers(coups, wagers)[::-1])

    def coup(self, coup: str, steps: int = 0) -> CoupBook | None:
        """A coup from the ledger alone; with `steps` a later or earlier one, or None if none is.

        Refuses: NotFound. Raises LedgerLost.
        """
        address = addresses.Coup.parse(coup)
        with self.database.session("sabot_auditor") as connection:
            zone = ZoneInfo(house(connection).zone)
            if steps:
                beside = coups_around(connection, address).beside(address, steps)
                if beside is None:
                    return None
                address = beside
            record = replay.find(connection, address)
            flush(connection)
            return CoupBook(record, zone)

    def goes_on(self, record: replay.CoupRecord) -> int | None:
        """The position of the coup's first event after it was read, or None."""
        with self.database.session("sabot_auditor") as connection:
            return next_of_stream(connection, Coup.stream(record.address), record.last_position)

    def debts(self, seen: Seen) -> list[Debt]:
        """The unpaid commission at the open tables, of their present gaming days."""
        days = sorted({each.day for each in seen.open_tables})
        rows = [
            row
            for day in days
            for row in ask(self.database, REPORTS["commission"], day=day).rows
            if row["outstanding"]
        ]
        by_stay: dict[str, list[Row]] = defaultdict(list)
        for row in rows:
            by_stay[row["stay"]].append(row)
        return [_debt(stay, owed) for stay, owed in by_stay.items()]


def _debt(stay: str, rows: list[Row]) -> Debt:
    moments = [row["oldest_accrual"] for row in rows if row["oldest_accrual"]]
    return Debt(
        table=rows[0]["table"],
        patron=rows[0]["patron"],
        owed=sum(row["outstanding"] for row in rows),
        since_shoe=min(addresses.Shoe.parse(row["shoe"]).number for row in rows),
        since=min(moments, default=None),
        stay=stay,
    )


def _with_wagers(coups: list[Row], wagers: list[Row]) -> list[CoupLine]:
    by_coup: dict[str, list[Row]] = defaultdict(list)
    for each in wagers:
        by_coup[each["coup"]].append(each)
    return [_coup_line(each, by_coup[each["coup"]]) for each in coups]


def _coup_line(coup: Row, wagers: list[Row]) -> CoupLine:
    return replace(
        convert(coup, CoupLine),
        staked=sum(each["stake"] for each in wagers),
        paid=sum(each["paid"] or 0 for each in wagers),
        patrons=sorted({each["patron"] for each in wagers}),
    )
