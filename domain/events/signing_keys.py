"""The keys with which the house signs checkpoints of the record, each signed by the one before."""

from domain.events import base


class Introduced(base.Event, topic="signing-keys.introduced", first=True):
    """The house has its first signing key."""

    origin: str  # the name of this record in every checkpoint, for good
    key: str  # the public key, as a C2SP verifier key of Ed25519
    second: str  # a second one, of ML-DSA-44; '' for none
    statement: str  # a signed note that names the keys, signed by the first


class State(base.State):
    """The keys so far."""

    def __init__(self, first: Introduced) -> None:
        super().__init__(first)
        self.origin = first.origin
        self.keys = [first.key]  # the oldest first
        self.second = first.second  # of the present key


class KeyReplaced(base.Event, topic="signing-keys.key-replaced"):
    """Another key signs from now on."""

    key: str
    second: str
    before: str
    statement: str  # a signed note that names them, signed by the new key and by the one before
    lost: bool  # True: the key before was lost, so it did not sign
    reason: str
    requested_by: str
    approved_by: str

    def apply(self, state: State) -> None:
        state.keys.append(self.key)
        state.second = self.second
