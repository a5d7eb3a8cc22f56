"""Patrons: who an alias really is, who is barred, and each patron's cash of a gaming day."""

from collections.abc import Iterator
from datetime import date

from domain.aggregates.cash import CashDay, NotShown
from domain.events.cash_day import IdentityNotShown
from domain.rules.refusals import BadValue, NotFound, TableClosed
from domain.rules.wording import Words
from ops.commands import patrons as commands
from ops.handlers.cash import Asked, cash_of, correct_cash_of, count_cash_of, miss_identity_of
from ops.handlers.cash_together import DIRECTIONS, name_agent
from ops.handlers.desk import Desk
from ops.handlers.handlers import handles
from ops.handlers.likeness import (
    patron_of,
    require_as_recorded,
    require_not_like_barred,
    take_name,
    tell_apart,
)
from ops.handlers.regrouped import regrouped
from ops.ledger.mapper import event_of
from ops.ledger.reading import read_command_at
from ops.reports.names import aliases_of, days_here


@handles(commands.PatronIdentify)
def identify(desk: Desk, command: commands.PatronIdentify) -> None:
    """Records that an alias is a patron; its barring, limits, break and cash go to the patron.

    Commission that the alias owes stays in the alias's account.
    """
    if desk.names.identity(command.patron_is) == command.patron:
        raise BadValue(
            message=Words(
                "{patron} is already identified as {alias}. Identify one of them, not both ways.",
                patron=command.patron_is,
                alias=command.patron,
            )
        )
    confirmed = command.confirmed
    take_name(desk, command.patron, confirmed=confirmed, same=command.patron_is)
    take_name(desk, command.patron_is, confirmed=confirmed, same=command.patron)
    with regrouped(desk, command.patron, command.patron_is):
        alias = patron_of(desk, command.patron)
        alias.identify(command.patron_is)
        patron = patron_of(desk, desk.names.identity(command.patron_is))
        patron.take_over(alias)
        for principal in dict.fromkeys(each for _, each in alias.plays_for if each):
            name_agent(desk, patron.patron, principal)
        _carry_cash(desk, command.patron, patron.patron)


def _carry_cash(desk: Desk, alias: str, patron: str) -> None:
    """Adds an alias's cash in and out of each gaming day to the patron's."""
    for day, known in _cash_days(desk, alias, alias):
        for direction in DIRECTIONS:
            if amount := known.totals[direction]:
                count_cash_of(desk, cash_of(desk, patron, day), direction, amount, name=alias)


def _cash_days(desk: Desk, alias: str, patron: str) -> Iterator[tuple[date, CashDay]]:
    """A patron's cash of each gaming day on which an alias of theirs sat at a table.

    An alias has sat down under its own aliases, too.
    """
    with desk.casino.ledger.connection() as connection:
        names = aliases_of(connection, alias)
        days = {day for name in (alias, *names) for day in days_here(connection, name)}
    for day in sorted(days):
        if cash := desk.casino.find(CashDay, CashDay.stream(patron, day)):
            yield day, cash


@handles(commands.PatronSeparate)
def separate(desk: Desk, command: commands.PatronSeparate) -> None:
    """Ends a wrong identification; the alias's cash is its own again, of each gaming day.

    A barring, limits and a break that the patron took over stay until somebody ends them.
    """
    signed = desk.signed(Words("Separating an alias"), command, command.reason)
    require_as_recorded(desk, command.patron)
    was = desk.names.identity(command.patron)
    approved = signed.reason, signed.requested_by, signed.approved_by
    with regrouped(desk, command.patron, was):
        patron_of(desk, command.patron).separate(*approved)
        for day, theirs in _cash_days(desk, command.patron, was):
            if command.patron in theirs.by_name:
                _give_back(desk, theirs, cash_of(desk, command.patron, day))


def _give_back(desk: Desk, theirs: CashDay, own: CashDay) -> None:
    """Takes the cash of an alias from a patron's day; it is the alias's own again."""
    for direction in DIRECTIONS:
        amount = theirs.by_name.get(own.patron, {}).get(direction, 0)
        if more := amount - own.totals[direction]:
            correct_cash_of(desk, own, direction, more)
        if amount:
            correct_cash_of(desk, theirs, direction, -amount, name=own.patron)


@handles(commands.PatronBar)
def bar(desk: Desk, command: commands.PatronBar) -> None:
    """Bars a patron from playing, under every name."""
    take_name(desk, command.patron, confirmed=command.confirmed)
    patron_of(desk, desk.names.identity(command.patron)).bar(command.reason, command.kind)


@handles(commands.PatronUnbar)
def unbar(desk: Desk, command: commands.PatronUnbar) -> None:
    """Lets a barred patron play again, by two people."""
    desk.require_two(Words("Letting a barred patron play again"), command)
    require_as_recorded(desk, command.patron)
    patron_of(desk, desk.names.identity(command.patron)).unbar(command.reason)


@handles(commands.PatronNoId)
def miss_identity(desk: Desk, command: commands.PatronNoId) -> None:
    """Records that somebody did not show the ID for which they were asked. Refuses: TableClosed."""
    if command.table and desk.table(command.table) is None:
        raise TableClosed(what=command.table)
    take_name(desk, command.patron, confirmed=command.confirmed)
    asked = NotShown(command.patron, command.table or "", command.answer)
    (direction,) = (each for each in DIRECTIONS if each == command.direction)
    miss_identity_of(desk, asked, Asked(command.patron, direction, command.amount))


@handles(commands.PatronWithdrawNoId)
def withdraw_missed_identity(desk: Desk, command: commands.PatronWithdrawNoId) -> None:
    """Withdraws that somebody did not show their ID. Refuses: NotFound, BadValue.

    A position names the ID of its whole command.
    """
    signed = desk.signed(Words("Withdrawing an ID that was not shown"), command, command.reason)
    with desk.casino.ledger.connection() as connection:
        rows = read_command_at(connection, command.position)
    for row in rows:
        event = event_of(row)
        if isinstance(event, IdentityNotShown):
            cash = desk.casino.find(CashDay, event.originator_id)
            assert cash is not None
            cash.withdraw_not_shown(event.originator_version, row.position, signed)
            return
    raise NotFound(
        message=Words(
            "There is no ID at #{position} that was not shown. `sabot report ids-not-shown` has "
            "the positions.",
            position=command.position,
        )
    )


@handles(commands.PatronTellApart)
def tell_two_apart(desk: Desk, command: commands.PatronTellApart) -> None:
    """Records that two names that look the same are two patrons', by two people."""
    desk.require_two(Words("Telling two patrons apart"), command)
    tell_apart(desk, command.patron, command.other, command.reason)


def require_welcome(desk: Desk, patron: str) -> None:
    """Refuses a patron who is barred, under whichever name, or one who looks the same.

    Refuses: PatronBarred.
    """
    if known := desk.names.record(patron):
        known.require_welcome()
    require_not_like_barred(desk, patron)
