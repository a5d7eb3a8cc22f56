"""A checkpoint: the size and the root of the record at a moment, signed by the house."""

from domain.events import base


class Event(base.Event):
    """Of one checkpoint."""

    NAMED_BY = ("size",)
    size: int = 0  # how many events it covers


class Signed(Event, topic="checkpoint.signed", first=True):
    """The house signed the record as it was."""

    root: str  # of the tree over the events, in hex
    key: str  # the key that signed, as a C2SP verifier key
    note: str  # the checkpoint as a C2SP signed note
    commands: int  # how many commands were answered by then
    commands_head: str  # the hash of the last of them, in hex


class State(base.State):
    """The checkpoint and who has it."""

    def __init__(self, signed: Signed) -> None:
        super().__init__(signed)
        self.size = signed.size
        self.root = signed.root
        self.note = signed.note
        self.sent_to: set[str] = set()
        self.cosigned_by: set[str] = set()
        self.refused_by: set[str] = set()


class CheckpointSent(Event, topic="checkpoint.checkpoint-sent"):
    """It was written or sent to a place outside the database."""

    place: str

    def apply(self, state: State) -> None:
        state.sent_to.add(self.place)


class CheckpointCosigned(Event, topic="checkpoint.checkpoint-cosigned"):
    """A witness saw it, and that it continues every earlier one that the witness saw."""

    witness: str  # its address
    cosignature: str  # its lines of the signed note

    def apply(self, state: State) -> None:
        state.cosigned_by.add(self.witness)


class WitnessRefused(Event, topic="checkpoint.witness-refused"):
    """A witness did not accept it: to the witness, the record does not continue."""

    witness: str
    status: int  # 409: it has seen a longer record; 422: the record was rewritten
    answer: str  # what the witness wrote

    def apply(self, state: State) -> None:
        state.refused_by.add(self.witness)
