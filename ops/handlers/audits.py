"""Audits of a gaming day's master figures."""

from domain.aggregates.day_audit import DayAudit
from domain.rules import addresses
from domain.rules.refusals import BadValue
from domain.rules.wording import Words
from ops.commands import audits as commands
from ops.handlers.desk import Desk
from ops.handlers.handlers import handles
from ops.ledger.growth import tables_open
from ops.ledger.reading import head_of


@handles(commands.MasterAudit)
def audit_master(desk: Desk, command: commands.MasterAudit) -> None:
    """Records an audit of a gaming day, at the position of the report. Refuses: BadValue."""
    casino, day = desk.casino, addresses.parse_day(command.day)
    if day > desk.house().clock.day_of(casino.moment):
        raise BadValue(
            message=Words("Gaming day {day} has not begun. Audit it when it is over.", day=day)
        )
    with casino.ledger.connection() as connection:
        newest = head_of(connection)
        position = newest if command.position is None else command.position
        still_open = tables_open(connection, day, position)
    if still_open:
        raise BadValue(
            message=Words(
                "Gaming day {day} was still open at {tables} at position {position}. Close it "
                "there, and audit the report after that.",
                day=day,
                tables=", ".join(still_open),
                position=position,
            )
        )
    audits = casino.find(DayAudit, DayAudit.stream(day)) or casino.make(
        DayAudit.begin_day(day, casino.moment)
    )
    audits.audit(position, newest, command.text or "", casino.actor)
