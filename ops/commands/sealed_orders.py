"""The orders of generated shoes, stored encrypted until the shoe ends (R-SHOE-5).

The key is made from the house's pepper, so that a reader of the database, or of a backup, cannot
know the next card.
"""

import hashlib
import secrets

from domain.aggregates.shoe import Shoe
from domain.rules.cards import DECK
from domain.rules.order import Order
from domain.rules.refusals import OrderLost
from domain.rules.wording import Words
from ops.commands.casino import Casino
from ops.ledger.database import NotFit
from ops.ledger.pepper import derived_key

SECRET = 32  # bytes
_NONCE = 12
_PURPOSE = b"sabot sealed orders"


class SealedOrders:
    """Orders made at the shuffle, read at every card, deleted when the record shows them."""

    def __init__(self, casino: Casino) -> None:
        self.casino = casino
        self._opened: dict[str, Order] = {}  # by commitment

    def make(self, shoe: Shoe) -> tuple[str, str]:
        """Makes and seals an order in the transaction of the shuffle.

        Returns its commitment, and the SHA-256 in hex of the encrypted order.
        """
        cards = list(DECK) * shoe.decks
        secrets.SystemRandom().shuffle(cards)
        order = Order(cards, secrets.token_bytes(SECRET))
        sealed = _seal(order, _label(shoe, order.commitment))
        self.casino.beside.append(
            ("INSERT INTO sealed.orders VALUES (%s, %s)", (str(shoe.address), sealed))
        )
        return order.commitment, hashlib.sha256(sealed).hexdigest()

    def next_card(self, shoe: Shoe) -> str:
        """The next card of the shoe. Refuses: CardNotInShoe, OrderLost."""
        shoe.require_cards()
        return self.of(shoe).cards[shoe.next_from_order]

    def of(self, shoe: Shoe) -> Order:
        """The order of a shoe. Refuses: OrderLost, if it cannot be decrypted."""
        if shoe.commitment not in self._opened:
            self._opened[shoe.commitment] = self._open(shoe)
        return self._opened[shoe.commitment]

    def throw_away(self, shoe: Shoe) -> None:
        """Deletes the order of a shoe, after it is recorded."""
        self._opened.pop(shoe.commitment, None)
        self.casino.beside.append(
            ("DELETE FROM sealed.orders WHERE shoe = %s", (str(shoe.address),))
        )

    def _open(self, shoe: Shoe) -> Order:
        with self.casino.ledger.connection() as connection:
            row = connection.execute(
                "SELECT sealed FROM sealed.orders WHERE shoe = %s", (str(shoe.address),)
            ).fetchone()
        if row is None:
            raise OrderLost(shoe=shoe.address, why=Words("it is no longer stored"))
        return _opened(bytes(row[0]), shoe)


def _label(shoe: Shoe, commitment: str) -> bytes:
    """Binds a sealed order to its shoe, so that another shoe's row does not decrypt for it."""
    return f"{shoe.address} {commitment}".encode()


def _seal(order: Order, label: bytes) -> bytes:
    from cryptography.hazmat.primitives.ciphers.aead import AESGCM

    nonce = secrets.token_bytes(_NONCE)
    plain = order.secret + order.text.encode()
    return nonce + AESGCM(derived_key(_PURPOSE, anew=True)).encrypt(nonce, plain, label)


def _opened(sealed: bytes, shoe: Shoe) -> Order:
    from cryptography.exceptions import InvalidTag
    from cryptography.hazmat.primitives.ciphers.aead import AESGCM

    label = _label(shoe, shoe.commitment)
    try:
        key = derived_key(_PURPOSE, anew=False)
        plain = AESGCM(key).decrypt(sealed[:_NONCE], sealed[_NONCE:], label)
    except (InvalidTag, ValueError):
        why = Words("the pepper on this machine is not the one that sealed it")
        raise OrderLost(shoe=shoe.address, why=why) from None
    except NotFit as error:
        raise OrderLost(shoe=shoe.address, why=str(error).rstrip(".")) from None
    return Order(plain[SECRET:].decode().split(" "), plain[:SECRET])
