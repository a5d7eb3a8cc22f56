"""What somebody may read and do, for who shows it to them: nothing else is offered."""

from collections.abc import Iterator
from contextlib import contextmanager
from contextvars import ContextVar

from msgspec import Struct

from domain.aggregates.staff import StaffMember
from domain.rules.inquiries import SECRET_COMMANDS
from domain.rules.permissions import NOT_FOR_EVERYBODY, OF_AML, of_alert
from ops.commands.reader import Asked, reading_for
from ops.commands.vocabulary import COMMANDS


class Rights(Struct, frozen=True):
    """The rights of a role; of somebody at a table, where the role reads about its own only.

    `role`: '' for nobody who is signed on, None in open house, where nobody is refused.
    """

    role: str | None = ""
    table: str = ""

    @classmethod
    def of(cls, holder: StaffMember | None) -> "Rights":
        """The rights of a person who is signed on in a closed house; None: nobody is."""
        return cls(holder.role, holder.table or "") if holder else cls()

    def may_read(self, asked: Asked) -> bool:
        """Whether it would be shown to them."""
        reading = reading_for(asked)
        if reading is None or self.role is None:
            return True
        return reading.grants(self.role, self.table, asked.table)

    def may_learn(self, kind: str) -> bool:
        """Whether they may learn that there is an alert of this kind."""
        return self.role is None or of_alert(kind).is_for(self.role)

    def may_acknowledge(self, kind: str) -> bool:
        """Whether they take an alert of this kind off the board."""
        return self.role is None or self.role in of_alert(kind).acknowledged_by

    @property
    def hidden_kinds(self) -> list[str]:
        """The kinds of alerts of which they may not learn."""
        return [kind for kind in NOT_FOR_EVERYBODY if not self.may_learn(kind)]

    @property
    def hidden_commands(self) -> list[str]:
        """The first words of commands of which they may not learn, refused ones too."""
        return [] if self.role is None or self.role in OF_AML else [*SECRET_COMMANDS]

    def may_give(self, command: str) -> bool:
        """Whether their role gives a command by this name."""
        return self.role is None or COMMANDS[command].permission.grants(self.role)


OF_OPEN_HOUSE = Rights(None)
_READER: ContextVar[Rights] = ContextVar("reader", default=Rights())  # noqa: B039  (it is frozen)


def rights_of_reader() -> Rights:
    """The rights of the reader now; outside of `read_by` those of nobody."""
    return _READER.get()


@contextmanager
def read_by(rights: Rights) -> Iterator[None]:
    """What is read in the block is read for somebody with these rights."""
    before = _READER.set(rights)
    try:
        yield
    finally:
        _READER.reset(before)
