"""What a second person is shown before they sign, and what they sign: a decided command.

The command is decided and not recorded; what its events change is shown. When it is recorded, it is
decided anew, and refused if that is not what was shown.
"""

import hashlib
from collections.abc import Mapping, Sequence
from typing import Any

from msgspec import Struct, json

from domain.rules.refusals import ChangedSince
from domain.rules.wording import Words, plain
from ops.commands.second_person import ANYBODY
from ops.ledger.chain import Fields
from ops.ledger.secrets import Proof
from ops.words import to_sign as words_to_sign
from ops.words.dated import moment_in

# With a secret, each time it is decided.
_MADE_ANEW = ("RecoverySecretIssued", "CodeIssued", "FileChanged", "TextWritten")
Events = Sequence[Fields]  # of an answer


class ToSign(Struct, frozen=True):
    """The events that a line would record now, and what else whoever signs must know."""

    events: Events = ()
    currency: str = ""
    beside: tuple[Words, ...] = ()

    @property
    def words(self) -> tuple[Words, ...]:
        """What the events change, in sentences."""
        whoever = Words("whoever signs")
        named = [_replaced(each, {ANYBODY: whoever}) for each in self.events]
        return words_to_sign.to_sign(named, self.currency, self.beside)

    @property
    def mark(self) -> str:
        """A digest of what is shown: another one, if anything of it but a moment is another."""
        shown = [_bare(self.events), list(map(str, self.beside))]
        return hashlib.sha256(json.encode(shown, enc_hook=plain)).hexdigest()

    def require_same(self, events: Events, second: str) -> str:
        """The digest of what was shown, with the name of who signed. Refuses: ChangedSince.

        Moments may differ, as deadlines do that begin when it is signed, and secrets made anew.
        """
        signed = {ANYBODY: second}
        shown, now = ([_bare(_replaced(each, signed)) for each in some]
                      for some in (self.events, events))  # fmt: skip
        if shown != now:
            raise ChangedSince
        words = words_to_sign.to_sign(list(events), self.currency, self.beside)
        return words_to_sign.digest(words)


class Signature(Struct, frozen=True):
    """A second person's signature: what was shown, and the PIN as checked; None in open house.

    `presumed`: no PIN was asked for, because with any signature only a refusal can be recorded.
    """

    shown: ToSign
    proof: Proof | None = None
    presumed: bool = False


NOTHING_TO_SIGN = Signature(ToSign(), presumed=True)


def _replaced(value: Any, names: Mapping[str, str]) -> Any:
    """The value, with names in it replaced."""
    match value:
        case dict():
            return {name: _replaced(each, names) for name, each in value.items()}
        case list() | tuple():
            return [_replaced(each, names) for each in value]
        case str() if value in names:
            return names[value]
    return value


def _bare(value: Any) -> Any:
    """The value without the moments in it, and without the digest of a secret made anew."""
    match value:
        case dict():
            secret = value.get("type") in _MADE_ANEW
            fields = {name: each for name, each in value.items() if not secret or name != "digest"}
            return {name: _bare(each) for name, each in fields.items()}
        case list() | tuple():
            return [_bare(each) for each in value]
        case str() if moment_in(value):
            return ""
    return value
