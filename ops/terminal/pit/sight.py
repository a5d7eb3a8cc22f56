"""What the pit's terminal sees at one moment: the board, whether it can be reached, who looks."""

from functools import cached_property

from msgspec import Struct

from ops.board.board import Seen
from ops.board.folds import folds
from ops.board.rows import Alert, BoardRow
from ops.ledger.database import LedgerLost


class Looker(Struct, frozen=True):
    """Who looks, and why they may not say that an alert is in hand; '': they may."""

    staff: str = ""
    barred: str = ""


class Sight(Struct, frozen=True, dict=True):
    """The last state that was seen; `lost` when it may not be so any more."""

    seen: Seen
    looker: Looker
    lost: LedgerLost | None = None

    @cached_property
    def folds(self) -> list[list[Alert]]:
        """Alerts as they are told, the gravest first."""
        return folds(self.seen.alerts)

    def table(self, code: str) -> BoardRow | None:
        """The table as the board has it; None: it is not open."""
        return next((each for each in self.seen.tables if each.table == code), None)

    def folds_of(self, table: str | None) -> list[list[Alert]]:
        """Those of one table; None: of all."""
        return [fold for fold in self.folds if table in (None, fold[0].table)]


def needs_a_person(table: BoardRow, sight: Sight) -> bool:
    """Whether anything is told of it that is not over."""
    return (
        bool(table.held_by) or table.must_collect or any(map(matters, sight.folds_of(table.table)))
    )


def matters(fold: list[Alert]) -> bool:
    """Whether somebody should see to it; what was refused, and what is past, is over."""
    return fold[0].gravity in ("pressing", "notable")


def table_haystack(table: BoardRow, sight: Sight) -> str:
    """All by which a table may be looked for."""
    people = table.dealer, table.supervisor, *table.seats.by.values()
    kinds = (fold[0].kind for fold in sight.folds_of(table.table))
    return " ".join(filter(None, (table.table, table.rules, *people, *kinds)))
