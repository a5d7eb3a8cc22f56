"""Cash that a patron brings and takes again with little or no play between.

It is what somebody does who only wants other notes, or a receipt. Cash and play of a gaming day
count together over all tables and all names of a patron.
"""

from collections.abc import Iterator
from datetime import date

from domain.aggregates.cash import CashDay
from domain.aggregates.table_day import TableDay
from ops.handlers.desk import Desk
from ops.handlers.regimes import regime_of


def note_little_play(desk: Desk, cash: CashDay) -> None:
    """Notes once a day that a patron's cash went in and out with less play than the house asks."""
    house = desk.house()
    reported = regime_of(desk, date.fromisoformat(cash.day)).reporting_amount
    much = reported * house.little_play_cash // 100
    if not cash.could_be_little_play(much):
        return
    played = sum(_stakes(desk, cash.patron, date.fromisoformat(cash.day)))
    cash.note_play(played, house.little_play_share)


def _stakes(desk: Desk, patron: str, day: date) -> Iterator[int]:
    """What a patron staked on coups that were settled on a gaming day, wager by wager."""
    names = desk.play_clock.names(patron, day)
    for address in (each for each in desk.play_clock.tables(names, day) if each.day == day):
        of_day = desk.casino.find(TableDay, TableDay.stream(address))
        settled = (each for each in desk.coups(of_day) if each.phase == "settled") if of_day else ()
        yield from (w.stake for coup in settled for w in coup.wagers() if w.patron in names)
