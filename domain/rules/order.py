"""The order of a generated shoe, and what binds its generator to it beforehand (R-SHOE-5).

The commitment is recorded at the shuffle, order and secret at the end; with any HMAC tool the
one follows from the others.

>>> Order(["9C", "TH"], bytes(32)).commitment[:16]
'1be89772fbc24139'
"""

import hmac

from msgspec import Struct

SCHEME = "HMAC-SHA256 under the secret over the cards with single blanks between them, in hex"


class Order(Struct, frozen=True):
    """Every card of a shoe as it will leave it, and 32 bytes that nobody can guess."""

    cards: list[str]
    secret: bytes

    @property
    def text(self) -> str:
        """The cards with single blanks between them."""
        return " ".join(self.cards)

    @property
    def commitment(self) -> str:
        """As SCHEME says."""
        return hmac.digest(self.secret, self.text.encode(), "sha256").hex()
