"""The state of the pit's terminal: the board, whether it is current, and who looks."""

from functools import cached_property

from msgspec import Struct

from ops.board.folds import folds
from ops.board.rows import Alert, BoardRow, Seen
from ops.ledger.database import LedgerLost


class Looker(Struct, frozen=True):
    """The person at the terminal, and why they may not acknowledge alerts, or '' if they may."""

    staff: str = ""
    barred: str = ""


class Sight(Struct, frozen=True, dict=True):
    """The last state that was read; `lost` while the ledger cannot be reached."""

    seen: Seen
    looker: Looker
    lost: LedgerLost | None = None

    @cached_property
    def alerts(self) -> list[Alert]:
        """The alerts that ask something of a person."""
        return [each for each in self.seen.alerts if not each.is_slip]

    @cached_property
    def folds(self) -> list[list[Alert]]:
        """The alerts folded into lines, the most urgent first, without slips of the keys."""
        return folds(self.alerts)

    def table(self, code: str) -> BoardRow | None:
        """The table on the board, open or closed on this gaming day, or None."""
        return next((each for each in self.seen.tables if each.table == code), None)

    def folds_of(self, table: str | None) -> list[list[Alert]]:
        """The alerts of one table, or of all for None."""
        return [fold for fold in self.folds if table in (None, fold[0].table)]


def needs_a_person(table: BoardRow, sight: Sight) -> bool:
    """Whether the table is held, has commission to collect, or an alert that is not over."""
    return (
        bool(table.held_by) or table.must_collect or any(map(matters, sight.folds_of(table.table)))
    )


def matters(fold: list[Alert]) -> bool:
    """Whether somebody should act on it; refused entries and closed days are over."""
    return fold[0].gravity in ("pressing", "notable")


def table_haystack(table: BoardRow, sight: Sight) -> str:
    """The words that the filter searches for a table."""
    people = table.dealer, table.supervisor, *table.seats.by.values()
    kinds = (fold[0].kind for fold in sight.folds_of(table.table))
    return " ".join(filter(None, (table.table, table.rules, *people, *kinds)))
