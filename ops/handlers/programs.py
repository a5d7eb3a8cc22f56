"""The starts of long-running parts of the program."""

from domain.aggregates.program_day import ProgramDay
from domain.aggregates.property import PROPERTY_STREAM, Property
from ops import VERSION
from ops.commands import programs as commands
from ops.handlers.desk import Desk
from ops.handlers.handlers import handles
from ops.ledger import machine
from ops.ledger.installed import installed


@handles(commands.ProgramStarted)
def started(desk: Desk, command: commands.ProgramStarted) -> None:
    """Records the version and the digest of the files that this process runs from.

    It does not found the house: a board may be started before the first table opens.
    """
    casino = desk.casino
    new = Property.establish(casino.moment)
    house = casino.find(Property, PROPERTY_STREAM, rely=False) or new
    day = house.clock.day_of(casino.moment)
    starts = casino.find(ProgramDay, ProgramDay.stream(day)) or casino.make(
        ProgramDay.begin_day(day, casino.moment)
    )
    starts.start(
        command.part,
        command.at_table or "",
        version=VERSION,
        digest=installed().digest,
        machine=machine.here().machine,
    )
