"""Openers that are not the closer before them: asked about, signed by two people, and on record.

Between a closer and the next opener a tray is locked, so no chip may come or go.
"""

from domain.aggregates.table import Table
from domain.aggregates.table_day import TableDay
from domain.events.table_counts import OpenerDiffered
from domain.rules import addresses
from domain.rules.refusals import ConfirmationNeeded
from domain.rules.wording import N_, Amount, Words
from ops.commands.table import TableOpen, TableReopen
from ops.handlers.desk import Desk

_ASKED = {
    0: N_("{day} closed with {closer}, and the opener is {opener} in other chips"),
    1: N_("{day} closed with {closer}, and the opener is {opener}: {off} more"),
    -1: N_("{day} closed with {closer}, and the opener is {opener}: {off} less"),
}


def asked_about(
    desk: Desk, before: TableDay | None, session: int, command: TableOpen | TableReopen
) -> OpenerDiffered | None:
    """How the opener differs from the last closer, once that was confirmed by two people, or None.

    Refuses: ConfirmationNeeded, SecondPersonNeeded.
    """
    if before is None:
        return None
    differs = before.opener_after(len(before.sessions), command.opener, session)
    if differs is None:
        return None
    if not command.confirmed:
        currency = before.rules.currency
        sign = (differs.difference > 0) - (differs.difference < 0)
        raise ConfirmationNeeded(
            so=Words(
                _ASKED[sign],
                day=before.address,
                closer=Amount(differs.closer_total, currency),
                opener=Amount(differs.opener_total, currency),
                off=Amount(abs(differs.difference), currency),
            )
        )
    desk.require_two(Words("Opening with other chips than were left"), command)
    return differs


def compare_opener(desk: Desk, day: TableDay, session: int) -> None:
    """Records an opener that differs from the closer before it, after it was corrected."""
    closed, of = session - 1, day
    if closed == 0:
        table = desk.casino.find(Table, Table.stream(day.address.table))
        assert table is not None
        if table.last_day != day.address.day.isoformat() or table.day_before is None:
            return
        of = _day(desk, day.address.table, table.day_before)
        closed = len(of.sessions)
    day.note(of.opener_after(closed, day.opener_of(session), session))


def compare_next_opener(desk: Desk, day: TableDay, closed: int) -> None:
    """Records that the opener after a session differs from its closer, which was counted again."""
    if closed < len(day.sessions):
        day.note(day.opener_after(closed, day.opener_of(closed + 1), closed + 1))
        return
    table = desk.casino.find(Table, Table.stream(day.address.table))
    assert table is not None
    if table.last_day and table.day_before == day.address.day.isoformat():
        after = _day(desk, day.address.table, table.last_day)
        after.note(day.opener_after(closed, after.opener_of(1), 1))


def _day(desk: Desk, table: str, day: str) -> TableDay:
    address = addresses.TableDay(table, addresses.parse_day(day))
    of_day = desk.casino.find(TableDay, TableDay.stream(address))
    assert of_day is not None
    return of_day
