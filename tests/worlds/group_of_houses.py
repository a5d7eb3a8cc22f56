"""Houses with ledgers of their own, and their logs as a group pulls them."""

from contextlib import closing, contextmanager

from ops.commands.casino import Casino
from ops.group import members
from ops.group.members import Member
from ops.handlers.dispatcher import Dispatcher
from ops.ledger.reading import head_of
from ops.ledger.recorder import Ledger
from ops.proof.stored import entries_of
from tests.worlds.other_house import OtherHouse


@contextmanager
def speaking(database, *, made_up=False):
    """Somebody who enters commands, at a house that may be made up."""
    with closing(Casino(Ledger(database), made_up=made_up)) as casino:
        yield Dispatcher(casino, "test")


def log_of(database, place):
    """The log of a ledger's every event, signed."""
    house = OtherHouse(place, f"{place.name}.example/baccarat")
    with database.session("sabot_auditor") as connection:
        house.entries = [*entries_of(connection, 0, head_of(connection))]
    return house.sign()


def added(house):
    """The house, in the group of this home."""
    members.add(Member(house.place.name, str(house.place), (house.key,)))
    return members.named(house.place.name)
