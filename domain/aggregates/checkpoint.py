"""A signed checkpoint of the record, and who outside the database has it."""

from datetime import datetime
from typing import Self
from uuid import UUID

from domain.aggregates.base import Aggregate
from domain.events import checkpoint as events
from domain.rules.addresses import stream_id


class Checkpoint(Aggregate, events.State):
    """One checkpoint of the house; there is at most one of each size."""

    MANY_CLOCKS = True

    @staticmethod
    def stream(size: int) -> UUID:
        """The stream of the checkpoint of this size."""
        return stream_id("checkpoint", str(size))

    # Commands
    @classmethod
    def sign(
        cls, *, size: int, root: str, key: str, note: str, commands: int, head: str, at: datetime
    ) -> Self:
        """Records a checkpoint that the house has signed."""
        signed = events.Signed(
            size=size, root=root, key=key, note=note, commands=commands, commands_head=head
        )
        return cls.begin(signed, cls.stream(size), at)

    def send(self, place: str) -> None:
        """Records that it was sent to a place; once for each."""
        if place not in self.sent_to:
            self.record(events.CheckpointSent(place=place))

    def cosign(self, witness: str, cosignature: str) -> None:
        """Records a witness's cosignature; once for each."""
        if witness not in self.cosigned_by:
            self.record(events.CheckpointCosigned(witness=witness, cosignature=cosignature))

    def refuse(self, witness: str, status: int, answer: str) -> None:
        """Records that a witness refused it; once for each."""
        if witness not in self.refused_by:
            self.record(events.WitnessRefused(witness=witness, status=status, answer=answer))
