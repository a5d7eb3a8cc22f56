"""Cash that a patron brings and takes again with little or no play between.

It is what somebody does who only wants other notes, or a receipt. Cash and play of a gaming day
count together over all tables and all names of a patron.
"""

from collections.abc import Iterator
from datetime import date
from typing import Any

from domain.aggregates.cash import CashDay
from domain.aggregates.table_day import TableDay
from domain.events import table_day
from domain.rules import addresses
from ops.handlers.desk import Desk
from ops.handlers.regimes import regime_of
from ops.ledger.mapper import event_of
from ops.ledger.reading import Wanted, read_events

_SEATED = 10_000  # events of one gaming day; no house seats so many patrons


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
    known: dict[str, bool] = {}
    for table in sorted(_tables(desk, patron, day)):
        of_day = desk.casino.find(TableDay, TableDay.stream(addresses.TableDay(table, day)))
        settled = (each for each in desk.coups(of_day) if each.phase == "settled") if of_day else ()
        for wager in (wager for coup in settled for wager in coup.wagers()):
            if known.setdefault(wager.patron, desk.names.same(wager.patron, patron)):
                yield wager.stake


def _tables(desk: Desk, patron: str, day: date) -> set[str]:
    """The tables at which a patron sat on a gaming day, under any name."""
    wanted = Wanted((table_day.PatronSeated.TOPIC,), days=(day, day))
    with desk.casino.ledger.connection() as connection:
        recorded = read_events(connection, 0, _SEATED, wanted=wanted)
    seated: list[tuple[str, Any]] = [(each.table_code, event_of(each)) for each in recorded]
    return {table for table, event in seated if desk.names.same(event.patron, patron)}
