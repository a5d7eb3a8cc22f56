"""Drop boxes: from the table to the count room, and the drop that they come to."""

from domain.aggregates.drop_box import DropBox
from domain.aggregates.table import Table
from domain.aggregates.table_day import TableDay
from domain.rules import addresses
from domain.rules.refusals import NotFound
from domain.rules.wording import Words
from ops.commands import boxes as commands
from ops.handlers.desk import Desk
from ops.handlers.handlers import handles


@handles(commands.BoxAttach)
def attach(desk: Desk, command: commands.BoxAttach) -> None:
    """Puts a box on a table, and has its table day wait for it. Refuses: TableClosed, BadValue."""
    day = desk.table_day(command.table)
    table = _table(desk, command.table)
    box = desk.casino.find(DropBox, DropBox.stream(command.box)) or desk.casino.make(
        DropBox.register(command.box, desk.casino.moment)
    )
    box.attach(str(day.address), emergency=command.emergency, by=desk.casino.actor)
    table.put_box_on(command.box)
    day.await_box(command.box)


@handles(commands.BoxRemove)
def remove(desk: Desk, command: commands.BoxRemove) -> None:
    """Takes a box off its table; it belongs to the shift in the middle of its time there."""
    box = _box(desk, command.box)
    middle = box.middle_until(desk.casino.moment)
    address = addresses.TableDay.parse(box.table_day)
    shift = desk.house().shift_of(middle, address.day)
    box.remove(shift, desk.casino.actor, command.second or "")
    _table(desk, address.table).take_box_off()


@handles(commands.BoxCarry)
def carry(desk: Desk, command: commands.BoxCarry) -> None:
    """Records that a box came to the count room."""
    _box(desk, command.box).carry(desk.casino.actor, command.second or "")


@handles(commands.BoxCount)
def count(desk: Desk, command: commands.BoxCount) -> None:
    """Counts a box; the last one of its table day sets the drop."""
    box = _box(desk, command.box)
    box.count(command.amount, desk.casino.actor, command.second or "", command.third)
    address = addresses.TableDay.parse(box.table_day)
    day = desk.casino.find(TableDay, TableDay.stream(address))
    assert day is not None
    day.count_box(command.box, command.amount)


def _box(desk: Desk, name: str) -> DropBox:
    """A box that the house has. Refuses: NotFound."""
    box = desk.casino.find(DropBox, DropBox.stream(name))
    if box is None:
        raise NotFound(what=Words("box {box}", box=name))
    return box


def _table(desk: Desk, code: str) -> Table:
    table = desk.table(code)
    assert table is not None
    return table
