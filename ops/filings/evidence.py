"""The cash that a case has as evidence: that of its events, and all that an alert is about.

An alias counts as the patron as whom it is identified now, as in the cash log and a case's pack.
"""

from collections.abc import Iterator, Sequence
from collections.abc import Set as AbstractSet
from datetime import date
from typing import TYPE_CHECKING, Any

from msgspec import Struct

from domain.events import cash_day, table_money
from domain.review.replay import Line
from ops.filings.sar import Cash
from ops.ledger.database import Database
from ops.ledger.reading import read_command_at, read_spans
from ops.ledger.streams import lines
from ops.replay.aml_case import COUNTED, whose_cash
from ops.reports.aliases import known_at
from ops.reports.ask import Row, ask
from projections import REPORTS

if TYPE_CHECKING:
    import psycopg

# Alerts about a patron's cash of a day: all of it that went the same way.
_OF_THE_DAY = (
    cash_day.ReportingAmountNear,
    cash_day.ReportingAmountPassed,
    cash_day.LittlePlayNoted,
    cash_day.CashSplit,
)
_MOVED = (table_money.BoughtIn, table_money.CashedOut, table_money.CashCorrected)


class _About(Struct, frozen=True):
    """The cash that an event of a patron's day is about; `moved`: None for all of that day."""

    event: cash_day.Event
    names: AbstractSet[str]  # every name of whom it is about, as they are known now
    moved: AbstractSet[int] | None

    def has(self, row: Row) -> bool:
        """Whether a row of the cash log is part of it."""
        return (
            row["patron"] in self.names
            and self.event.day == str(row["day"])
            and getattr(self.event, "direction", row["direction"]) == row["direction"]
            and (self.moved is None or row["position"] in self.moved)
        )


class CashOfCase(Struct, frozen=True):
    """The cash of a case: what is evidence, and what the same people moved meanwhile and is not."""

    evidence: list[Cash]
    apart: list[Cash]


def cash_of_case(
    database: Database,
    positions: Sequence[int],
    subjects: Sequence[str],
    noticed_on: date,
    *,
    only_theirs: bool = False,
) -> CashOfCase:
    """The cash of these events, and that of the subjects beside it, under every name of theirs.

    Meanwhile: from the first day of the evidence to the last; without any on the day on which it
    was noticed. `only_theirs`: nothing of others is read, as on a page. Raises LedgerLost.
    """
    with database.session("sabot_app") as connection:
        known = known_at(connection)
    patrons = {known.who(each) for each in subjects}
    asked = sorted(patrons) if only_theirs else [None]
    rows = [row for each in asked for row in ask(database, REPORTS["cash-log"], patron=each).rows]
    evidence = _evidence(database, rows, positions)
    days = [each.day for each in evidence] or [noticed_on]
    used = {each.position for each in evidence}
    apart = [
        each
        for each in map(_cash, rows)
        if each.patron in patrons
        and min(days) <= each.day <= max(days)
        and each.position not in used
    ]
    return CashOfCase(evidence, apart)


def _evidence(database: Database, rows: Sequence[Row], positions: Sequence[int]) -> list[Cash]:
    """The cash of these events; of an alert, the patron's cash of that day. Raises LedgerLost."""
    if not positions:
        return []
    with database.session("sabot_app") as connection:
        every = lines(read_spans(connection, [range(each, each + 1) for each in positions]))
        moved, about = _moved(every), [*_about(connection, every)]
    return [
        _cash(row)
        for row in rows
        if row["position"] in moved or any(each.has(row) for each in about)
    ]


def _cash(row: Row) -> Cash:
    """A row of the cash log."""
    return Cash(
        day=date.fromisoformat(str(row["day"])),
        **{each: row[each] for each in ("amount", "patron", "direction", "table", "position")},
        at=str(row["at"]),
    )


def _moved(every: Sequence[Line]) -> set[int]:
    """The positions at which cash came or went, by these events or before they corrected it."""
    return {
        getattr(each.event, "position", each.position)
        for each in every
        if isinstance(each.event, _MOVED)
    }


def _about(connection: "psycopg.Connection[Any]", every: Sequence[Line]) -> Iterator[_About]:
    """What those of the events are about that are of a patron's day."""
    known = known_at(connection)
    for line in every:
        if isinstance(line.event, _OF_THE_DAY):
            moved = None
        elif isinstance(line.event, COUNTED):
            moved = _moved(lines(read_command_at(connection, line.position)))
        else:
            continue
        yield _About(line.event, known.names(*whose_cash(line.event)), moved)
