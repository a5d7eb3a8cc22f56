"""A patron's cash of a gaming day: what it brings about is shown before it is taken or paid."""

from collections.abc import Iterable, Sequence
from datetime import date

from msgspec import Struct

from domain.aggregates.cash import NOBODY, CashDay, NotShown, Others
from domain.aggregates.table_day import TableDay
from domain.rules.patron_files import together
from domain.rules.refusals import CashNotTaken, ConfirmationNeeded
from domain.rules.regimes import Direction, Regime, Threshold
from domain.rules.wording import Words
from ops.handlers.cash_together import counted_with
from ops.handlers.desk import Desk
from ops.handlers.patron_files import files_of, today
from ops.handlers.regimes import regime_of
from ops.handlers.split_cash import note_pieces
from ops.words.cash import Ahead
from ops.words.patron_files import on_file_words


def cash_of(desk: Desk, patron: str, day: date) -> CashDay:
    """A patron's cash of a gaming day; a new one with the day's first cash."""
    cash = desk.casino.find(CashDay, CashDay.stream(patron, day))
    return cash or desk.casino.make(CashDay.begin_day(patron, day, desk.casino.moment))


def count_cash(
    desk: Desk,
    day: TableDay,
    name: str,
    amount: int,
    direction: Direction,
    *,
    confirmed: bool = False,
) -> CashDay:
    """Adds to the patron's cash of the gaming day, which covers all tables and all their names.

    `confirmed`: somebody saw who the patron is. Refuses: ConfirmationNeeded, CashNotTaken.
    """
    cash = cash_of(desk, desk.names.identity(name), day.address.day)
    regime = regime_of(desk, day.address.day)
    others = counted_with(desk, cash, direction, {*cash.names(direction), name})
    ahead = _ahead(desk, cash, Asked(name, direction, amount), regime, others)
    desk.ahead = ahead
    if ahead:
        desk.casino.answer_fields["cash"] = ahead.as_dict()
        _require_identity(desk, cash, regime, ahead, confirmed=confirmed)
    cash.count(direction, amount, regime, table=day.address.table, name=name, others=others)
    note_pieces(desk, cash, direction, amount)
    return cash


class Asked(Struct, frozen=True):
    """Cash that somebody asks about before it is there; `day`: None for today."""

    patron: str
    direction: Direction
    amount: int
    day: date | None = None


def cash_ahead(desk: Desk, asked: Asked) -> Ahead | None:
    """What cash would bring about if it were taken or paid now, and what is due still of the day.

    None for nothing.
    """
    cash, others, regime = _today(desk, asked)
    still = cash.due_still(asked.direction, regime, others)
    return _ahead(desk, cash, asked, regime, others, still)


def _today(desk: Desk, asked: Asked) -> tuple[CashDay, Others, Regime]:
    """The patron's cash of the day, whose else counts with it, and the regime."""
    day = asked.day or desk.house().clock.day_of(desk.casino.moment)
    cash = cash_of(desk, desk.names.identity(asked.patron), day)
    names = {*cash.names(asked.direction), asked.patron}
    return cash, counted_with(desk, cash, asked.direction, names), regime_of(desk, day)


def _ahead(
    desk: Desk,
    cash: CashDay,
    asked: Asked,
    regime: Regime,
    others: Others,
    still: Sequence[Threshold] = (),
) -> Ahead | None:
    """What the cash brings about, by the regime's own words; None for nothing.

    `still`: what was due before and is mentioned, too.
    """
    way = asked.direction
    brought = cash.brings(way, asked.amount, regime, others)
    brought += (each for each in still if each not in brought)
    if not (brought and regime.name):
        return None
    return Ahead(
        patron=asked.patron,
        day=date.fromisoformat(cash.day),
        direction=way,
        amount=asked.amount,
        total=asked.amount + cash.totals[way] + others.total(way),
        alike=tuple(sorted(each.patron for each in others.alike)),
        agents=tuple(sorted(each.patron for each in others.agents)),
        thresholds=tuple(brought),
        identity_seen=cash.identity_seen,
        currency=desk.house().currency,
        on_file=_on_file(desk, asked.patron, brought) if not cash.identity_seen else None,
    )


def _on_file(desk: Desk, patron: str, brought: Iterable[Threshold]) -> Words | None:
    """Whether an ID of the patron is on file, where one is due; it may be shown, and not stored."""
    if not any("identity" in each.due for each in brought):
        return None
    _, files = files_of(desk, patron)
    return on_file_words(together(files.values()) if files else None, today(desk))


def _require_identity(
    desk: Desk, cash: CashDay, regime: Regime, ahead: Ahead, *, confirmed: bool
) -> None:
    """Holds or refuses cash for which somebody has to see who the patron is, as the house says.

    What happened earlier and is entered late is only counted. Once seen is enough for a day.
    """
    due: list[Threshold] = [each for each in ahead.thresholds if "identity" in each.due]
    if not due or cash.identity_seen or regime.at_the_table == "say" or desk.casino.act.late:
        if due and confirmed and not cash.identity_seen:
            cash.see_identity(ahead.direction, ahead.amount, due)
        return
    if regime.at_the_table == "refuse":
        raise CashNotTaken(rule="R-CASH-2", so=ahead.words)
    if not confirmed:
        raise ConfirmationNeeded(
            rule="R-CASH-2",
            message=Words(
                "{so}. See the ID, then confirm that with `confirmed`; if it is not shown, record "
                "that with `patron no-id`.",
                so=ahead.words,
            ),
        )
    cash.see_identity(ahead.direction, ahead.amount, due)


def miss_identity_of(desk: Desk, not_shown: NotShown, asked: Asked) -> None:
    """Records ID that was not shown for cash of today, beside what that cash would have reached."""
    cash, others, regime = _today(desk, asked)
    due = cash.brings(asked.direction, asked.amount, regime, others) if regime.name else []
    cash.miss_identity(not_shown, asked.direction, asked.amount, due)


def count_cash_of(
    desk: Desk, cash: CashDay, direction: Direction, amount: int, *, name: str
) -> None:
    """Counts the cash of an alias of a patron, with that of everybody who counts together."""
    others = counted_with(desk, cash, direction, {*cash.names(direction), name})
    cash.count(direction, amount, _regime_of(desk, cash), name=name, others=others)
    note_pieces(desk, cash, direction)


def correct_cash_of(
    desk: Desk,
    cash: CashDay,
    direction: Direction,
    more: int,
    *,
    became: int = 0,
    transaction: int = 0,
    table: str = "",
    name: str = "",
) -> None:
    """Corrects cash of a patron's day, with that of everybody who counts together.

    `became`: what one transaction, at this position, really was, if that was wrong. Whose cash
    counted together with it only before is looked at by itself.
    """
    before = counted_with(desk, cash, direction)
    names, regime = cash.names_after(direction, name or cash.patron, more), _regime_of(desk, cash)
    is_left = cash.totals[direction] + more != 0
    others = counted_with(desk, cash, direction, names) if is_left else NOBODY
    of_one = {"became": became, "transaction": transaction}
    cash.correct(direction, more, regime, **of_one, table=table, name=name, others=others)
    if became:
        note_pieces(desk, cash, direction, became, instead_of=transaction)
    for each in before.every:
        if each not in others.every:
            each.look_again(direction, regime, counted_with(desk, each, direction))


def _regime_of(desk: Desk, cash: CashDay) -> Regime:
    return regime_of(desk, date.fromisoformat(cash.day))
