"""The coups of a table day, in the order in which they were opened: from one to the next."""

from bisect import bisect_right
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import TYPE_CHECKING, Any

from domain.addresses import Coup as Address
from domain.addresses import TableDay
from domain.coup import Coup
from ops.ledger.chain import COLUMNS, Recorded
from ops.lines import lines

if TYPE_CHECKING:
    import psycopg


@dataclass(frozen=True)
class Coups:
    """The coups of one table day."""

    addresses: Sequence[Address]
    opened: Sequence[datetime]

    def beside(self, address: Address, steps: int) -> Address | None:
        """So many coups on, or back; None: there is none."""
        place = self.addresses.index(address) + steps
        return self.addresses[place] if 0 <= place < len(self.addresses) else None

    def at(self, moment: datetime) -> Address | None:
        """The coup that was opened last by then; None: before the first."""
        place = bisect_right(self.opened, moment)
        return self.addresses[place - 1] if place else None


def coups_of(connection: "psycopg.Connection[Any]", day: TableDay) -> Coups:
    """Every coup whose beginning can be read."""
    rows = connection.execute(
        f"SELECT {COLUMNS} FROM ledger.events "  # noqa: S608
        "WHERE gaming_day = %s AND table_code = %s AND topic = %s ORDER BY position",
        (day.day, day.table, Coup.Created.TOPIC),
        binary=True,
    )
    told = lines(Recorded(*row) for row in rows)
    opened = [line for line in told if isinstance(line.fact, Coup.Created)]
    return Coups([Address.parse(line.fact.coup) for line in opened], [line.at for line in opened])
