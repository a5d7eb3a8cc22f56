"""How much a patron plays: limits, breaks, and what the dealer is shown of them (R-PLAY-3)."""

from collections.abc import Mapping
from datetime import date, datetime, timedelta

from msgspec import Struct

from domain.aggregates.cash import CashDay
from domain.aggregates.patron import Patron
from domain.aggregates.table_day import TableDay
from domain.rules.play_limits import OF_CASH
from domain.rules.play_used import Played, Used, rests_of, used
from domain.rules.refusals import BadValue, MissingField, PlayPaused
from domain.rules.seating import Stay
from domain.rules.wording import Words, last_day_of
from ops.commands import play_limits as commands
from ops.handlers.carded import require_card_for_cash
from ops.handlers.desk import Desk
from ops.handlers.handlers import handles
from ops.handlers.likeness import patron_of, require_as_recorded
from ops.handlers.play_clock import first_day
from ops.handlers.regimes import regime_of
from ops.words.play_events import pause_words


class AtSeat(Struct, frozen=True):
    """A patron at a seat."""

    number: int
    patron: str


@handles(commands.PatronLimit)
def limit(desk: Desk, command: commands.PatronLimit) -> None:
    """Sets, changes or lifts a limit. Refuses: MissingField, BadValue."""
    stated = _stated(command)
    require_as_recorded(desk, command.patron)
    today = desk.house().clock.day_of(desk.casino.moment)
    waits = timedelta(days=regime_of(desk, today).raise_after)
    patron_of(desk, desk.names.identity(command.patron)).limit(
        command.kind,
        command.period,
        stated,
        whose=command.whose,
        waits=waits if command.whose == "patron" else timedelta(0),
    )


def _stated(command: commands.PatronLimit) -> int | None:
    """The limit: minor units, or of time minutes; None if it is lifted."""
    ours, other = command.amount, command.minutes
    if command.kind == "time":
        ours, other = other, ours
    if other is not None:
        raise BadValue(
            message=Words("Give `minutes` with a limit of time, and an amount with any other.")
        )
    if ours is None and not command.lifted:
        if command.kind == "time":
            raise MissingField(message=Words("How long? Give `minutes`, or `lifted` for no limit."))
        raise MissingField(message=Words("How much? Give an amount, or `lifted` for no limit."))
    if ours is not None and command.lifted:
        raise BadValue(message=Words("Give a limit, or `lifted` for no limit, and not both."))
    return ours


@handles(commands.PatronBreak)
def take_break(desk: Desk, command: commands.PatronBreak) -> None:
    """Begins a break, or makes one longer. Refuses: BadValue."""
    require_as_recorded(desk, command.patron)
    patron = patron_of(desk, desk.names.identity(command.patron))
    patron.take_break(command.ends, command.whose)


def require_may_play(desk: Desk, table: TableDay, seat: int, name: str) -> None:
    """Refuses play of who is barred, in a seat or not, in a break, and of who needs a rest.

    Refuses: PatronBarred, PlayPaused.
    What happened earlier is entered as it was. A break may only be shown, as the house has it.
    """
    if desk.casino.act.late:
        return
    patron = desk.names.record(name)
    if patron:
        patron.require_welcome()
        ends = patron.break_until
        if ends and ends > desk.casino.moment:
            _pause(desk, table, AtSeat(seat, name), ends)
            return
    _require_rested(desk, table, AtSeat(seat, name), patron)


def _require_rested(desk: Desk, table: TableDay, seat: AtSeat, known: Patron | None) -> None:
    """Refuses play of who has played so long that a rest is due (R-PLAY-4): PlayPaused.

    By the regime, or by a limit of time. Shortly before, the dealer is shown when it will be due.
    """
    day, moment = table.address.day, desk.casino.moment
    limits = known.limits if known else {}
    rests = rests_of(regime_of(desk, day).rests, limits, desk.house().clock, day, moment)
    if not rests:
        return
    since = first_day(day, max(each.longest for each in rests))
    sat = desk.play_clock.sittings(seat.patron, table, since)
    sitting = max((each.since for each in sat if each.until is None), default=moment)
    if due := [ends for each in rests if (ends := each.ends(sat, moment))]:
        _pause(desk, table, seat, max(due), since=sitting)
    elif left := [n for each in rests if (n := each.minutes_left(sat, moment)) is not None]:
        patron = patron_of(desk, desk.names.identity(seat.patron))
        patron.announce_rest(table.address.table, seat.number, min(left), sitting)


def require_may_deposit(desk: Desk, table: TableDay, stay: Stay, seat: int, amount: int) -> None:
    """Refuses cash of who may not play, or over a limit: PatronBarred, PlayPaused.

    Where a limit is nearly used with it, the dealer is shown so, once a sitting.
    """
    require_may_play(desk, table, seat, stay.patron)
    require_card_for_cash(desk, table, seat, stay.patron, amount)
    patron = desk.names.record(stay.patron)
    counted = [each.with_more(amount) for each in _used(desk, table, patron)] if patron else []
    if any(each.left < 0 for each in counted):
        _pause(desk, table, AtSeat(seat, stay.patron), None)
    elif patron and any(each.is_near for each in counted) and not desk.casino.act.late:
        fullest = max(counted, key=lambda each: each.percent)
        sits_since = table.seating.began[stay.address]
        patron.near_limit(table.address.table, seat, fullest, sits_since)


def _used(desk: Desk, table: TableDay, patron: Patron) -> list[Used]:
    """Each limit of cash of a patron that holds now, with what counts against it so far."""

    def cash(day: date) -> Mapping[str, int]:
        known = desk.casino.find(CashDay, CashDay.stream(patron.patron, day))
        return known.totals if known else {"in": 0, "out": 0}

    day, clock = table.address.day, desk.house().clock
    played = Played(cash, lambda since: desk.play_clock.sittings(patron.patron, table, since))
    return [*used(patron.limits, played, clock, day, desk.casino.moment, OF_CASH)]


def _pause(
    desk: Desk,
    table: TableDay,
    seat: AtSeat,
    until: datetime | None,
    since: datetime | None = None,
) -> None:
    """Refuses play, or shows why it should pause and goes on, as the house's regime has it.

    `until`: the end of a break or rest; None for a limit. `since`: of a rest, since when they sit.
    What happened earlier is entered as it was. Refuses: PlayPaused.
    """
    if desk.casino.act.late:
        return
    ends = _written(desk, until) if until else ""
    so = pause_words(seat.number, ends)
    if regime_of(desk, table.address.day).at_the_seat == "refuse":
        raise PlayPaused(rule="R-PLAY-3", message=so)
    desk.pause = so
    patron = patron_of(desk, desk.names.identity(seat.patron))
    patron.play_on(table.address.table, seat.number, ends, since)


def _written(desk: Desk, moment: datetime) -> str:
    """The end of a pause by the house's clock: without its date if that is today's.

    One that ends with a day is written as that day.
    """
    local, now = desk.local(moment), desk.local(desk.casino.moment)
    if last := last_day_of(local):
        return last.isoformat()
    return f"{local:%H:%M}" if local.date() == now.date() else f"{local:%Y-%m-%d %H:%M}"
