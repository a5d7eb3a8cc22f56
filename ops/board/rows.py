"""The board's rows: a table that is open, and an alert; `--json` prints them field by field."""

from typing import Any

from msgspec import Struct

from domain.aggregates.shoe import SOON


class SeatCount(Struct, frozen=True):
    """How many chairs of a table are taken, of how many, and by whom."""

    taken: int
    total: int
    by: dict[str, str]  # seat to patron, in the order in which they are dealt


class Due(Struct, frozen=True, kw_only=True, omit_defaults=True):
    """The command that is due; `hand` where a card is, or where a hand is turned."""

    action: str
    hand: str | None = None
    rule: str


class BoardRow(Struct, frozen=True, kw_only=True):
    """How one open table stands; amounts are minor units."""

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
    coups_to_cut_card: int | None  # about; None: no shoe, or the cut card shows
    last_coup_of_shoe: int | None
    hands_per_hour: int | None
    drop: int
    win: int
    win_estimated: bool = True
    owed: int
    owing: int  # patrons
    due: Due | None
    last_coup_at: str | None
    idle_minutes: int | None
    held_by: list[str]  # cases

    @property
    def nears_cut_card(self) -> bool:
        """Whether it shows, or is about to: what is owed has to be collected."""
        soon = self.coups_to_cut_card
        return self.cut_card_shown or (soon is not None and soon <= SOON)

    @property
    def must_collect(self) -> bool:
        """Whether what is owed there has to be collected now."""
        return bool(self.owed) and self.nears_cut_card


class Alert(Struct, frozen=True, kw_only=True):
    """What needs a person; without `at`, `day` and `table` it is the ledger's own."""

    at: str | None = None
    day: str | None = None
    table: str | None = None
    coup: str | None = None
    kind: str
    alert: str  # the name by which it is acknowledged
    detail: Any  # the fields of the event that raised it; None: it is past
    gravity: str
    acknowledgeable: bool

    @property
    def presses(self) -> bool:
        """Whether somebody has to see to it at once."""
        return self.gravity == "pressing"

    @property
    def past(self) -> bool:
        """Whether it is of a gaming day that is closed."""
        return self.gravity == "past"
