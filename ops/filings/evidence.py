"""The cash that a case has as evidence: that of its events, and all that an alert is about."""

from collections.abc import Sequence
from datetime import date, datetime

from domain.events import cash_day
from ops.filings.sar import Cash
from ops.ledger.database import Database
from ops.ledger.reading import read_spans
from ops.ledger.streams import lines
from ops.reports.ask import Row, ask
from projections import REPORTS

# Alerts about a patron's cash of a day: all of it that went the same way.
_OF_THE_DAY = (
    cash_day.ReportingAmountNear,
    cash_day.ReportingAmountPassed,
    cash_day.LittlePlayNoted,
)


def cash_that_is_evidence(database: Database, positions: Sequence[int]) -> list[Cash]:
    """The cash of these events; of an alert, the patron's cash of that day. Raises LedgerLost."""
    if not positions:
        return []
    with database.session("sabot_app") as connection:
        recorded = read_spans(connection, [range(each, each + 1) for each in positions])
    counted = [
        (line.event, line.at) for line in lines(recorded) if isinstance(line.event, cash_day.Event)
    ]
    return [
        Cash(date.fromisoformat(str(row["day"])), row["amount"])
        for row in ask(database, REPORTS["cash-log"]).rows
        if row["position"] in positions or any(_is_about(*each, row) for each in counted)
    ]


def _is_about(event: cash_day.Event, at: datetime, row: Row) -> bool:
    """Whether an event of a patron's cash of a day is about a buy-in or a cash-out.

    `at`: when the event happened.
    """
    whose = {event.patron, *getattr(event, "alike", ())}
    same_way = getattr(event, "direction", row["direction"]) == row["direction"]
    if row["patron"] not in whose or event.day != str(row["day"]) or not same_way:
        return False
    if isinstance(event, cash_day.CashCounted):
        return event.amount == row["amount"] and at == datetime.fromisoformat(row["at"])
    return isinstance(event, _OF_THE_DAY)
