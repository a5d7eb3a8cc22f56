"""Refusals of which nothing is kept; those of lines decided together are checked together too."""

from collections.abc import Mapping
from uuid import UUID

from msgspec import Struct, field

from domain.rules.refusals import Refusal
from ops.commands.casino import Casino
from ops.ledger.appending import NotAppended
from ops.ledger.recorder import Ledger


def is_worth_keeping(refusal: Refusal, casino: Casino) -> bool:
    """Whether the answer is stored though no event was: the same line gets it again.

    Not at an electronic table's position: nobody is signed on, and patrons click by the thousand.
    """
    return refusal.stored and not casino.from_position


class Unkept(Struct, frozen=True):
    """What they relied on, and their ids: no append checks that it is still so."""

    seen: dict[UUID, int] = field(default_factory=dict)  # streams, each as it was seen first
    ids: list[str] = field(default_factory=list)

    def note(self, command_id: str, relied_on: Mapping[UUID, int]) -> None:
        """A line was refused."""
        self.ids.append(command_id)
        for stream, version in relied_on.items():
            self.seen.setdefault(stream, version)

    def require_still_so(self, ledger: Ledger) -> None:
        """Raises NotAppended if one was overtaken, or its id has an answer by now; LedgerLost."""
        if (self.seen and ledger.moved(self.seen)) or (self.ids and ledger.used_ids(self.ids)):
            raise NotAppended("conflict")
