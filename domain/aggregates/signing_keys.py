"""The house's signing keys: only public keys are on record, each with what proves it."""

from datetime import datetime
from typing import Self

from domain.aggregates.base import Aggregate
from domain.aggregates.tray import Signed
from domain.events import signing_keys as events
from domain.rules.addresses import stream_id
from domain.rules.refusals import BadValue
from domain.rules.wording import Words

KEYS_STREAM = stream_id("signing-keys", "house")


class SigningKeys(Aggregate, events.State):
    """The keys of the house, the oldest first."""

    MANY_CLOCKS = True

    @property
    def current(self) -> str:
        """The key that signs now, as a C2SP verifier key."""
        return self.keys[-1]

    # Commands: decide; refuse, or record an event.
    @classmethod
    def introduce(cls, origin: str, key: str, second: str, statement: str, at: datetime) -> Self:
        """Introduces the first key, and its second one or ''."""
        introduced = events.Introduced(origin=origin, key=key, second=second, statement=statement)
        return cls.begin(introduced, KEYS_STREAM, at)

    def replace(self, key: str, second: str, statement: str, signed: Signed, *, lost: bool) -> None:
        """Replaces the key that signs now. Refuses a key that was used before: BadValue."""
        if key in self.keys:
            raise BadValue(message=Words("This key was introduced before. Make a new one."))
        self.record(
            events.KeyReplaced(
                key=key,
                second=second,
                before=self.current,
                statement=statement,
                lost=lost,
                **signed.fields,
            )
        )
