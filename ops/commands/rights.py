"""What somebody may read and do, for who shows it to them: nothing else is offered."""

from msgspec import Struct

from domain.aggregates.staff import StaffMember
from ops.commands.reader import Asked, reading_of
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
        reading = reading_of(asked.what)
        if reading is None or self.role is None:
            return True
        return reading.grants(self.role, self.table, asked.table)

    def may_give(self, command: str) -> bool:
        """Whether their role gives a command by this name."""
        return self.role is None or COMMANDS[command].permission.grants(self.role)


OF_OPEN_HOUSE = Rights(None)
