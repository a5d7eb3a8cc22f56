"""A shoe as its page shows it: its log, its roads, its coups with what was staked and paid."""

from collections import defaultdict

from msgspec import Struct
from msgspec.structs import replace

from domain.rules import addresses
from domain.rules.roads import Roads
from ops.ledger.database import Database
from ops.reports.ask import ask
from ops.roads import road
from ops.roads.road import CardDealt
from projections import REPORTS


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


class CoupException(Struct, frozen=True):
    """An exception at a coup."""

    kind: str


class WagerLine(Struct, frozen=True):
    """A wager of a shoe, in minor units; `paid` is None until it is settled."""

    coup: str
    patron: str
    stake: int
    paid: int | None


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


class ShoeBook(Struct, frozen=True):
    """A shoe: its log, its roads, and its coups, the newest first."""

    log: ShoeLog | None
    roads: Roads
    coups: list[CoupLine]


def read_shoe(database: Database, shoe: str) -> ShoeBook:
    """A shoe from loaded to reconciled. Refuses: NotFound. Raises LedgerLost."""
    roads = road.find(database, addresses.Shoe.parse(shoe)).roads
    log = ask(database, REPORTS["shoe-log"], shoe=shoe).rows_as(ShoeLog)
    coups = ask(database, REPORTS["coup"], shoe=shoe).rows_as(CoupLine)
    wagers = ask(database, REPORTS["wagers"], shoe=shoe).rows_as(WagerLine)
    return ShoeBook(log[0] if log else None, roads, _with_wagers(coups, wagers)[::-1])


def _with_wagers(coups: list[CoupLine], wagers: list[WagerLine]) -> list[CoupLine]:
    by_coup: dict[str, list[WagerLine]] = defaultdict(list)
    for each in wagers:
        by_coup[each.coup].append(each)
    return [_coup_line(each, by_coup[each.coup]) for each in coups]


def _coup_line(coup: CoupLine, wagers: list[WagerLine]) -> CoupLine:
    return replace(
        coup,
        staked=sum(each.stake for each in wagers),
        paid=sum(each.paid or 0 for each in wagers),
        patrons=sorted({each.patron for each in wagers}),
    )
