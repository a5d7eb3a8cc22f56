"""Rows that follow on one another: each has the hash that its predecessor's makes of it."""

from collections.abc import Sequence
from typing import Any

from ops.archive.files import COMMANDS, EVENTS, Kind
from ops.ledger.chain import GENESIS, link, link_command

_LINK = {EVENTS.name: link, COMMANDS.name: link_command}
_PLACE = {EVENTS.name: "position", COMMANDS.name: "number"}


class Chain:
    """A chain from one place on: how far it is good, and the hash there."""

    def __init__(self, kind: Kind, at: int = 0, head: bytes = GENESIS) -> None:
        self.at = at
        self.head = head
        self._link: Any = _LINK[kind.name]
        self._place = _PLACE[kind.name]

    def take(self, rows: Sequence[Any]) -> bool:
        """Takes the rows that follow, up to the first that does not; whether all of them did."""
        for row in rows:
            if getattr(row, self._place) != self.at + 1 or self._link(self.head, row) != row.hash:
                return False
            self.at, self.head = self.at + 1, row.hash
        return True
