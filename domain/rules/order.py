"""The order of a generated shoe, and the commitment to it made beforehand (R-SHOE-5).

The commitment is recorded at the shuffle, order and secret at the end. Any HMAC tool computes the
commitment from order and secret.

>>> Order(["9C", "TH"], bytes(32)).commitment[:16]
'1be89772fbc24139'
"""

import hmac

from msgspec import Struct

SCHEME = "HMAC-SHA256 under the secret over the cards with single blanks between them, in hex"


class Order(Struct, frozen=True):
    """Every card of a shoe in the order of dealing, and 32 secret random bytes."""

    cards: list[str]
    secret: bytes

    @property
    def text(self) -> str:
        """The cards with single blanks between them."""
        return " ".join(self.cards)

    @property
    def commitment(self) -> str:
        """The HMAC of the order, by the recipe in SCHEME."""
        return hmac.digest(self.secret, self.text.encode(), "sha256").hex()
