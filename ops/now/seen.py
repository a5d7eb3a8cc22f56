"""What a terminal sees of its table at a moment, as it passes the door."""

from msgspec import Struct

from ops.now.listener import Done
from ops.now.table_now import TableNow


class TableSeen(Struct, frozen=True):
    """The table if it changed, the position up to which it was read, and what was done since."""

    now: TableNow | None
    read: int
    news: list[Done] = []
