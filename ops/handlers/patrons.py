"""Patrons: who an alias really is, who is barred, and each patron's cash of a gaming day."""

from domain.aggregates.cash import CashDay
from domain.rules.refusals import BadValue
from domain.rules.regimes import Direction
from domain.rules.wording import Words
from ops.commands import patrons as commands
from ops.handlers.cash import cash_of, correct_cash_of, count_cash_of
from ops.handlers.desk import Desk
from ops.handlers.handlers import handles
from ops.handlers.likeness import (
    patron_of,
    require_as_recorded,
    require_not_like_barred,
    take_name,
    tell_apart,
)

_DIRECTIONS: tuple[Direction, ...] = ("in", "out")


@handles(commands.PatronIdentify)
def identify(desk: Desk, command: commands.PatronIdentify) -> None:
    """Records that an alias is a patron; its barring and its cash of the day go to the patron.

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
    alias = patron_of(desk, command.patron)
    alias.identify(command.patron_is)
    patron = patron_of(desk, desk.names.identity(command.patron_is))
    if alias.barring and not patron.barring:
        patron.bar(f"known as {command.patron}", alias.barring)
    _carry_cash(desk, command.patron, patron.patron)


def _carry_cash(desk: Desk, alias: str, patron: str) -> None:
    """Adds an alias's cash in and out of today to the patron's."""
    day = desk.house().clock.day_of(desk.casino.moment)
    known = desk.casino.find(CashDay, CashDay.stream(alias, day))
    for direction in _DIRECTIONS:
        if known and known.totals[direction]:
            amount = known.totals[direction]
            count_cash_of(desk, cash_of(desk, patron, day), direction, amount, name=alias)


@handles(commands.PatronSeparate)
def separate(desk: Desk, command: commands.PatronSeparate) -> None:
    """Ends a wrong identification; the alias's cash of today is its own again.

    A barring that the patron took over from the alias stays until somebody ends it.
    """
    signed = desk.signed(Words("Separating an alias"), command, command.reason)
    require_as_recorded(desk, command.patron)
    was = desk.names.identity(command.patron)
    patron_of(desk, command.patron).separate(signed.reason, signed.requested_by, signed.approved_by)
    day = desk.house().clock.day_of(desk.casino.moment)
    theirs = desk.casino.find(CashDay, CashDay.stream(was, day))
    for direction in _DIRECTIONS:
        amount = theirs.by_name.get(command.patron, {}).get(direction, 0) if theirs else 0
        if theirs and amount:
            own = cash_of(desk, command.patron, day)
            if more := amount - own.totals[direction]:
                correct_cash_of(desk, own, direction, more)
            correct_cash_of(desk, theirs, direction, -amount, name=command.patron)


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


@handles(commands.PatronTellApart)
def tell_two_apart(desk: Desk, command: commands.PatronTellApart) -> None:
    """Records that two names that look the same are two patrons', by two people."""
    desk.require_two(Words("Telling two patrons apart"), command)
    tell_apart(desk, command.patron, command.other, command.reason)


def require_welcome(desk: Desk, patron: str) -> None:
    """Refuses a patron who is barred under any name, or under one that looks the same.

    Refuses: PatronBarred.
    """
    for known in desk.names.known_as(patron):
        known.require_welcome()
    require_not_like_barred(desk, patron)
