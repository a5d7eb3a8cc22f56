"""The board's rows, a table of the gaming day or an alert; `--json` prints their fields."""

from collections import Counter
from collections.abc import Mapping
from datetime import datetime
from typing import Any

from msgspec import Struct, to_builtins
from msgspec.structs import replace

from domain.aggregates.shoe import SOON
from domain.rules.house_rules import Pace
from domain.rules.wording import plain
from ops.reports.counted import Counted
from ops.verify.rounds import Round
from ops.words.meter_events import meter_called
from projections.ranks import SLIP, WRONG

PAST = "past"  # the gravity of alerts that are only counted


class Play(Struct, frozen=True):
    """How a stay has played so far, on all of its seats."""

    since: str
    coups: int  # with a settled wager
    average_wager: int | None  # of those coups, on all spots together; None: there is none


class AtWork(Struct, frozen=True):
    """Somebody who works at tables now, as their dealer or as their supervisor."""

    staff: str
    role: str
    tables: list[str]


class SeatCount(Struct, frozen=True):
    """A table's seats: how many are taken, of how many, and by whom."""

    taken: int
    total: int
    by: dict[str, str]  # seat to patron, in dealing order
    plays: dict[str, Play]  # by seat: how they play


class Due(Struct, frozen=True, kw_only=True, omit_defaults=True):
    """The command that is due; `hand`: for a card, or for a hand to turn."""

    action: str
    hand: str | None = None
    rule: str


class BoardRow(Struct, frozen=True, kw_only=True):
    """The state of one table, open or closed on this gaming day; amounts are minor units."""

    table: str
    day: str
    rules: str
    limits: dict[str, list[int]]  # by spot, the main bets first
    differential: int | None
    dealer: str
    supervisor: str
    seats: SeatCount
    patrons: int
    shoe: str | None  # in play
    coup: str | None  # of that shoe, the last one opened
    phase: str | None
    cards_left: int | None
    cut_card_shown: bool
    coups_to_cut_card: int | None  # roughly; None: no shoe, or the cut card shows
    last_coup_of_shoe: int | None
    hands_per_hour: int | None
    target_pace: Pace | None = None  # hands an hour that are wanted; None: any
    drop: int
    win: int
    win_estimated: bool = True
    tray: int | None  # the value that it should have; None: closed
    owed: int
    owing: int  # how many patrons
    due: Due | None
    last_coup_at: str | None
    idle_minutes: int | None
    held_by: list[str]  # cases
    open: bool = True
    closed_at: str | None = None

    @property
    def nears_cut_card(self) -> bool:
        """Whether the cut card shows or is near, so that commission has to be collected."""
        soon = self.coups_to_cut_card
        return self.cut_card_shown or (soon is not None and soon <= SOON)

    @property
    def must_collect(self) -> bool:
        """Whether the table's commission has to be collected now."""
        return bool(self.owed) and self.nears_cut_card


class Alert(Struct, frozen=True, kw_only=True):
    """An alert; one about the ledger itself has no `at`, `day` and `table`."""

    at: str | None = None
    day: str | None = None
    table: str | None = None
    coup: str | None = None
    kind: str
    alert: str  # the name for acknowledging it
    detail: Any  # the fields of the event that raised it
    gravity: str
    rank: int
    acknowledgeable: bool

    @property
    def presses(self) -> bool:
        """Whether the alert is urgent."""
        return self.gravity == "pressing"

    @property
    def rings(self) -> bool:
        """Whether it rings at a screen, once: cards or money are missing."""
        return self.rank == WRONG

    @property
    def is_slip(self) -> bool:
        """Whether it was a slip of the keys, which asks nothing of a pit boss."""
        return self.rank == SLIP

    @property
    def where(self) -> str:
        """The coup without its day, or the table."""
        if not self.coup:
            return self.table or "·"
        table, _, shoe, coup = self.coup.split("/")
        return f"{table} {shoe}/{coup}"


class PastAlerts(Struct, frozen=True):
    """A row of PAST_ALERTS: how many wait that are of closed gaming days and not urgent."""

    table: str
    kind: str
    rank: int
    many: int


class Unlikely(Struct, frozen=True):
    """A row of SEEN_NOW: what is on record that chance does not explain."""

    at: datetime
    table: str
    coup: str | None
    position: int  # of the event by which it was seen
    detail: Mapping[str, Any]


class AmlDue(Struct, frozen=True):
    """A row of DUE_NOW: a case of money laundering whose report is due soon, or was."""

    aml_case: str
    due_at: datetime
    decided: bool
    over: bool


class NotShown(Struct, frozen=True):
    """A row of NOT_SHOWN_NOW: an ID that was asked for and not shown, and no case has that."""

    position: int
    at: datetime
    name: str  # under which it was
    patron: str  # who that is now
    direction: str
    amount: int
    answer: str


class OpenIncident(Struct, frozen=True):
    """A row of OPEN_INCIDENTS: what happened on the floor, and is not closed."""

    incident: str
    at: datetime
    table: str  # '': at none
    kind: str
    text: str


class PauseSoon(Struct, frozen=True):
    """A seat whose patron should pause now or soon.

    `at`: when a rest is due, a break ends, or from when on they may not play.
    """

    table: str
    seat: int
    what: str  # no-play, for-barred, break, limit-near, limit-reached, rest-soon, or rest-due
    at: datetime | None = None


class MeterNow(Struct, frozen=True):
    """A meter, and the whole minor units in it as they are shown."""

    meter: str  # its spot, whose it is, its currency
    amount: int

    @property
    def name(self) -> str:
        """The meter as people call it."""
        return meter_called(self.meter)


class Seen(Struct, frozen=True):
    """The whole pit at one moment, at `position`.

    The most urgent tables come first, and last those that are closed.
    """

    house: str
    day: str
    at: datetime  # in the house's zone
    position: int
    currency: str
    tables: list[BoardRow]
    alerts: list[Alert]
    past: list[PastAlerts]
    placed: dict[str, str]  # by table of the house, open or not: the gaming day it was opened last
    only: str | None = None  # the table that was asked for
    verified: Round | None = None  # how far the record is verified in the present round
    counted: Counted | None = None  # how far the rows are, on a standby or while they are counted
    unlikely: list[Unlikely] = []  # only for who may read the report `protection`
    aml_due: list[AmlDue] = []  # only for who may read the report `aml-cases`
    not_shown: list[NotShown] = []  # only for who may read the report `ids-not-shown`
    meters: list[MeterNow] = []  # that the open tables feed
    pauses: list[PauseSoon] = []  # only for who may read the report `limits-used`
    unsettled: list[Alert] = []  # that were acknowledged, and what they are about is open still
    incidents: list[OpenIncident] = []  # only for who may read the report `incidents`
    day_before: str = ""  # the last gaming day before this one on which a table was open; or ''

    @property
    def win_estimated(self) -> bool:
        """Whether the win of a table among them is not counted yet."""
        return any(each.win_estimated for each in self.tables)

    @property
    def open_tables(self) -> list[BoardRow]:
        """The tables that are open."""
        return [each for each in self.tables if each.open]

    @property
    def since(self) -> str:
        """The first gaming day whose alerts are not past; of the whole pit."""
        return min([self.day, *(each.day for each in self.tables)])

    @property
    def on_the_floor(self) -> list[AtWork]:
        """Who works at the open tables: the supervisors, then the dealers."""
        at: dict[tuple[str, str], list[str]] = {}
        for role in ("supervisor", "dealer"):
            for each in sorted(self.open_tables, key=lambda row: row.table):
                if staff := getattr(each, role):
                    at.setdefault((role, staff), []).append(each.table)
        return [AtWork(staff, role, tables) for (role, staff), tables in at.items()]

    @property
    def counted_alerts(self) -> Counter[tuple[str, int]]:
        """How many alerts there are, by gravity and rank."""
        counted = Counter((each.gravity, each.rank) for each in self.alerts)
        for each in self.past:
            counted[PAST, each.rank] += each.many
        return counted

    @property
    def ringing(self) -> frozenset[str]:
        """The names of the alerts that ring."""
        return frozenset(each.alert for each in self.alerts if each.rings)

    def about(self, table: str) -> "Seen":
        """What of it is about one table, or about the ledger itself."""
        return replace(
            self,
            tables=[each for each in self.tables if each.table == table],
            alerts=[each for each in self.alerts if each.table in (table, None)],
            past=[each for each in self.past if each.table == table],
            unlikely=[each for each in self.unlikely if each.table == table],
            aml_due=[],
            not_shown=[],
            pauses=[each for each in self.pauses if each.table == table],
            unsettled=[each for each in self.unsettled if each.table == table],
            incidents=[each for each in self.incidents if each.table == table],
            only=table,
        )

    @property
    def of_the_pit(self) -> "Seen":
        """What of it a terminal's board has."""
        return replace(self, unlikely=[], aml_due=[], not_shown=[], incidents=[])

    def as_dict(self) -> dict[str, object]:
        """The board as JSON fields."""
        body: dict[str, object] = {
            "property": self.house,
            "gaming_day": self.day,
            "at": self.at.isoformat(timespec="seconds"),
            "position": self.position,
            "currency": self.currency,
            "tables": to_builtins(self.tables, enc_hook=plain),
            "alerts": to_builtins(self.alerts, enc_hook=plain),
            "round": self.verified and self.verified.as_dict(),
            "meters": to_builtins(self.meters),
            "past_alerts": to_builtins(self.past),
            "unsettled": to_builtins(self.unsettled, enc_hook=plain),
            "pauses": to_builtins(self.pauses, enc_hook=plain),
        }
        return body | (self.counted.as_dict() if self.counted else {})
