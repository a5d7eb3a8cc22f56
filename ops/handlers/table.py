"""A table's gaming day: opened, its limits and staff, its drop counted, closed or rolled over."""

from collections.abc import Mapping
from datetime import date, timedelta

from domain.aggregates.commission import require_settled
from domain.aggregates.coup import Coup
from domain.aggregates.property import PROPERTY_STREAM, Property
from domain.aggregates.table import Table
from domain.aggregates.table_day import TableDay
from domain.rules import addresses
from domain.rules.chips import Chips
from domain.rules.refusals import AlreadyOpen, BadValue, PatronBarred
from domain.rules.seating import Stay
from domain.rules.wording import N_, Words
from ops.commands import table as commands
from ops.handlers.accounts import pay_all_by_ticket, pay_in_ticket, require_empty
from ops.handlers.corrections import void_coup
from ops.handlers.coup import settle_by_the_cards
from ops.handlers.desk import Desk
from ops.handlers.handlers import handles
from ops.handlers.house import require_currency, rules_named, rules_on_record
from ops.handlers.openers import asked_about, compare_next_opener
from ops.handlers.over_coups import leave_unused
from ops.handlers.patrons import require_welcome
from ops.handlers.seats import MOST_SEATS, take_chair
from ops.handlers.slips import require_none_under_way
from ops.handlers.trays import chips_of_the_day


@handles(commands.TableOpen)
def open_table(desk: Desk, command: commands.TableOpen) -> None:
    """Opens a table for a gaming day; the first one ever also founds the house.

    The first table with a rule set records the set. Refuses: AlreadyOpen, BadValue.
    """
    casino, now = desk.casino, desk.casino.moment
    house = desk.house()
    rules = rules_named(desk, command.rules)
    require_currency(house, rules)
    house.require_amounts()
    rules_on_record(desk, rules).require_same(rules)
    day = addresses.parse_day(command.day) if command.day else house.clock.day_of(now)
    _require_day(desk, day, house, late=command.late)
    desk.require_chips(rules, command.opener)
    address = addresses.TableDay(command.table, day)
    table = desk.table(command.table) or desk.new_table(command.table)
    before = desk.last_table_day(command.table) if table.last_day else None
    table.open_day_of(day)
    if casino.find(TableDay, TableDay.stream(address)):
        raise AlreadyOpen(
            message=Words(
                "{table} was already open and closed on {day}. Open it again with `table reopen`, "
                "or for another `day`, as in `{next}`.",
                table=command.table,
                day=day.isoformat(),
                next=(day + timedelta(days=1)).isoformat(),
            )
        )
    differs = asked_about(desk, before, 1, command)
    after = casino.make(
        TableDay.open(
            address,
            house,
            rules,
            command.opener,
            at=casino.moment,
            dealer=casino.actor,
            supervisor=command.second or "",
        )
    )
    after.note(differs)
    if before:
        _hold_on(desk, before, after)


def _require_day(desk: Desk, day: date, house: Property, *, late: bool) -> None:
    """Refuses a day after tomorrow, and in a closed house a past day without `late`: BadValue."""
    asked = desk.casino.asked
    latest, today = desk.casino.time.latest(asked), house.clock.day_of(asked)
    if latest is None:  # a simulation may open any day
        return
    if day > house.clock.day_of(latest) + timedelta(days=1):
        template = N_("{day} is too far ahead. A table opens for today, {today}, or tomorrow.")
    elif day < today and house.closed and not late:
        template = N_(
            "Gaming day {day} is over; today's is {today}. Enter it late, with `late` and `at`."
        )
    else:
        return
    raise BadValue(message=Words(template, day=day.isoformat(), today=today.isoformat()))


def _hold_on(desk: Desk, before: TableDay, after: TableDay) -> None:
    """Puts the new day on hold too, if a case held the day before and still does."""
    for case in [each for each in before.held_by if desk.case(each).holds]:
        after.hold(case, desk.casino.actor)


@handles(commands.TableLimits)
def limit(desk: Desk, command: commands.TableLimits) -> None:
    """Changes limits from the next coup on; an open coup keeps its own."""
    desk.table_day(command.table).limit(
        command.spot, command.minimum, command.maximum, command.differential
    )


@handles(commands.TableDealer)
def relieve_dealer(desk: Desk, command: commands.TableDealer) -> None:
    """Puts another dealer in charge of the cards."""
    desk.table_day(command.table).relieve_dealer(command.staff)


@handles(commands.TableSupervisor)
def relieve_supervisor(desk: Desk, command: commands.TableSupervisor) -> None:
    """Puts another supervisor in charge of the table."""
    desk.table_day(command.table).relieve_supervisor(command.staff)


@handles(commands.TableDrop)
def count_drop(desk: Desk, command: commands.TableDrop) -> None:
    """Records the drop of the named day, else of the table's last day. Refuses: NotFound."""
    desk.named_day(command.table, command.day).count_drop(
        command.amount, confirmed=command.confirmed
    )


@handles(commands.TableDropRecount)
def recount_drop(desk: Desk, command: commands.TableDropRecount) -> None:
    """Counts the drop of a day again, by two people."""
    signed = desk.signed(Words("Counting a drop again"), command, command.reason)
    desk.named_day(command.table, command.day).recount_drop(command.amount, signed)


@handles(commands.TableRecount)
def recount(desk: Desk, command: commands.TableRecount) -> None:
    """Counts the tray of a closed table again, by two people."""
    signed = desk.signed(Words("Counting a tray again"), command, command.reason)
    day = desk.named_day(command.table, command.day)
    desk.require_chips(day.rules, command.closer)
    day.recount_closer(
        command.closer,
        desk.house(),
        counted_by=signed.requested_by or day.dealer,
        signed_by=signed.approved_by or day.supervisor,
        reason=signed.reason,
    )
    compare_next_opener(desk, day, len(day.sessions) if day.closed else len(day.sessions) - 1)


@handles(commands.TableReopen)
def reopen(desk: Desk, command: commands.TableReopen) -> None:
    """Opens the table's closed gaming day again. Refuses: BadValue, AlreadyOpen."""
    signed = desk.signed(Words("Opening a table again"), command, command.reason)
    day = desk.last_table_day(command.table)
    table = desk.table(command.table)
    assert table is not None
    house = desk.house()
    _require_same_day(desk, day, house, late=command.late)
    desk.require_chips(day.rules, command.opener)
    differs = asked_about(desk, day, len(day.sessions) + 1, command) if day.closed else None
    day.reopen(
        command.opener,
        signed,
        **chips_of_the_day(desk, day),
    )
    day.note(differs)
    table.open_day_of(day.address.day)


def _require_same_day(desk: Desk, day: TableDay, house: Property, *, late: bool) -> None:
    """Refuses to reopen a gaming day that is over, or was rolled over: BadValue."""
    today = house.clock.day_of(desk.casino.moment)
    if day.closed and day.why_closed == "closed" and (late or today <= day.address.day):
        return
    if day.closed:
        raise BadValue(
            message=Words(
                "{day} cannot be opened again: that gaming day is over. Open the table for a new "
                "one, with `table open`.",
                day=day.address,
            )
        )


@handles(commands.TableColourChange)
def change_colour(desk: Desk, command: commands.TableColourChange) -> None:
    """Changes chips for chips of the same worth. Refuses: TableClosed, BadValue."""
    day = desk.table_day(command.table)
    desk.require_chips(day.rules, command.taken, command.given)
    day.change_colour(command.taken, command.given)


@handles(commands.TableShiftCount)
def count_shift(desk: Desk, command: commands.TableShiftCount) -> None:
    """Counts the tray at the end of a shift. Refuses: TableClosed, CoupNotFinished, BadValue."""
    day, house = desk.table_day(command.table), desk.house()
    desk.require_chips(day.rules, command.chips)
    coup = desk.coup(desk.shoe(day)) if day.shoe else None
    if coup:
        coup.require_finished()
    day.count_shift(
        command.shift or day.shift_to_count(house, desk.casino.moment),
        command.chips,
        house,
        **chips_of_the_day(desk, day),
        counted_by=desk.casino.actor or day.dealer,
        signed_by=command.second or day.supervisor,
    )


@handles(commands.TableClose)
def close(desk: Desk, command: commands.TableClose) -> None:
    """Closes a table; refused while a shoe is in play or commission is owed.

    What a correction put on the account of somebody who has left stays there: nobody could pay it
    out. Refuses: also AccountNotEmpty.
    """
    day = desk.table_day(command.table)
    require_settled(desk.stays.accounts(day))
    here = {stay.address for stay in day.seats.values()}
    require_empty(each for each in desk.stays.game_accounts(day) if each.stay in here)
    _close(desk, day, command, "closed")


def _close(
    desk: Desk, day: TableDay, command: commands.TableClose | commands.TableRollOver, why: str
) -> Table:
    require_none_under_way(desk, day)
    desk.require_chips(day.rules, command.closer)
    house = desk.casino.find(Property, PROPERTY_STREAM)
    table = desk.table(command.table)
    assert house is not None
    assert table is not None
    day.close(
        command.closer,
        house,
        **chips_of_the_day(desk, day),
        confirmed=command.confirmed,
        why=why,
        counted_by=desk.casino.actor or day.dealer,
        signed_by=command.second or day.supervisor,
    )
    table.close_day()
    return table


@handles(commands.TableRollOver)
def roll_over(desk: Desk, command: commands.TableRollOver) -> None:
    """Closes the day and opens the next in one step; patrons keep their seats, chips stay.

    A shoe in play goes on. A patron who keeps their seat brings forward what they owe (R-COM-4),
    and what is on their game account; everybody else has to settle first.
    Refuses, besides what a closing refuses: CoupNotFinished, PatronBarred.
    """
    day = desk.table_day(command.table)
    seated = dict(sorted(day.seats.items()))
    _require_welcome(desk, seated)
    if day.shoe:  # so that every coup is over on the day on which it was opened
        leave_unused(desk, desk.shoe(day), "rolled-over")
    owing = [account for account in desk.stays.accounts(day) if account.owed]
    require_settled(
        account
        for account in owing
        if not any(desk.names.same(stay.patron, account.patron) for stay in seated.values())
    )
    tickets = pay_all_by_ticket(desk, day)
    table = _close(desk, day, command, "rolled-over")
    after = _next_day(desk, day, table, command.closer)
    for seat, stay in seated.items():
        take_chair(desk, after, seat, stay.patron, most=MOST_SEATS, continues=stay.address)
        if stay.address in day.as_it_wins and len(after.chairs_of(after.seats[seat])) == 1:
            after.choose_timing(after.seats[seat], "as-it-wins")
    for seat, ticket in tickets.items():
        pay_in_ticket(desk, after, seat, ticket)
    for account in owing:
        stay = next(
            each for each in after.seats.values() if desk.names.same(each.patron, account.patron)
        )
        account.carry_forward(desk.stays.account(stay.address))


def _next_day(desk: Desk, day: TableDay, table: Table, opener: Chips) -> TableDay:
    """The day after, with the shoe in play, the limits and the cases of this one."""
    casino, house = desk.casino, desk.house()
    begins = max(day.address.day + timedelta(days=1), house.clock.day_of(casino.moment))
    address = addresses.TableDay(day.address.table, begins)
    table.open_day_of(begins)
    after = casino.make(
        TableDay.open(
            address,
            house,
            day.rules,
            opener,
            at=casino.moment,
            dealer=day.dealer,
            supervisor=day.supervisor,
            continues=day,
        )
    )
    if after.shoe:
        desk.shoe(after).come_along(address)
    if (day.limits, day.differential) != (after.limits, after.differential):
        after.take_limits(day)
    _hold_on(desk, day, after)
    return after


def _require_welcome(desk: Desk, seated: Mapping[int, Stay]) -> None:
    """Refuses to keep the seat of a patron who was barred meanwhile: PatronBarred."""
    for seat, stay in seated.items():
        try:
            require_welcome(desk, stay.patron)
        except PatronBarred as refusal:
            refusal.reword(
                Words(
                    "{patron} on seat {seat} is barred. Free the seat with `table leave`, then "
                    "roll the table over.",
                    patron=stay.patron,
                    seat=seat,
                )
            )
            raise


@handles(commands.TableLockUp)
def lock_up(desk: Desk, command: commands.TableLockUp) -> None:
    """Locks a table up. Refuses: TableClosed, TableLockedUp."""
    day = desk.table_day(command.table)
    coup = _coup_in_play(desk, day)
    address = str(coup.address) if coup else ""
    day.lock_up(command.why, address, command.reason, desk.casino.actor)


@handles(commands.TableUnlock)
def unlock(desk: Desk, command: commands.TableUnlock) -> None:
    """Settles the coup of a locked table or returns every stake. Refuses: BadValue."""
    signed = desk.signed(Words("Unlocking a table"), command, command.reason)
    day = desk.table_day(command.table)
    day.require_locked_up()
    coup = _coup_in_play(desk, day)
    if coup and command.how == "settle":
        settle_by_the_cards(desk, coup, command)
    elif coup:
        void_coup(desk, coup, command.reason, signed.approved_by)
    day.unlock(command.how, str(coup.address) if coup else "", signed)


def _coup_in_play(desk: Desk, day: TableDay) -> Coup | None:
    """The coup that is not over, or None."""
    coup = desk.coup(desk.shoe(day)) if day.shoe else None
    return None if coup is None or coup.over else coup
