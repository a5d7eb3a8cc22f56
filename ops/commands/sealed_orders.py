"""The orders of generated shoes, kept beside the record until it tells them (R-SHOE-5).

Encrypted under a key made from the house's pepper, so that who reads the database, or a backup
of it, cannot know the next card.
"""

import secrets

from domain.aggregates.shoe import Shoe
from domain.rules.cards import DECK
from domain.rules.order import Order
from domain.rules.refusals import OrderLost
from domain.rules.wording import Words
from ops.commands.casino import Casino
from ops.ledger.database import NotFit
from ops.ledger.secrets import derived_key

SECRET = 32  # bytes
_NONCE = 12
_PURPOSE = b"sabot sealed orders"


class SealedOrders:
    """Made at the shuffle, opened at every card, thrown away when the shoe has told it."""

    def __init__(self, casino: Casino) -> None:
        self.casino = casino
        self._opened: dict[str, Order] = {}  # by commitment

    def make(self, shoe: Shoe) -> str:
        """A new order for a shoe, sealed in the same transaction as its shuffle; its commitment."""
        cards = list(DECK) * shoe.decks
        secrets.SystemRandom().shuffle(cards)
        order = Order(cards, secrets.token_bytes(SECRET))
        sealed = _seal(order, _label(shoe, order.commitment))
        self.casino.beside.append(
            ("INSERT INTO sealed.orders VALUES (%s, %s)", (str(shoe.address), sealed))
        )
        return order.commitment

    def next_card(self, shoe: Shoe) -> str:
        """The card that leaves the shoe now. Refuses: CardNotInShoe, OrderLost."""
        shoe.require_cards()
        return self.of(shoe).cards[shoe.next_from_order]

    def of(self, shoe: Shoe) -> Order:
        """The order of a shoe. Refuses: OrderLost, when nobody can know it any more."""
        if shoe.commitment not in self._opened:
            self._opened[shoe.commitment] = self._open(shoe)
        return self._opened[shoe.commitment]

    def throw_away(self, shoe: Shoe) -> None:
        """The record has the order now."""
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
            raise OrderLost(shoe=shoe.address, why=Words("it is not stored any more"))
        return _opened(bytes(row[0]), shoe)


def _label(shoe: Shoe, commitment: str) -> bytes:
    """What binds a sealed order to its shoe: another one's row does not open in its place."""
    return f"{shoe.address} {commitment}".encode()


def _seal(order: Order, label: bytes) -> bytes:
    from cryptography.hazmat.primitives.ciphers.aead import AESGCM

    nonce = secrets.token_bytes(_NONCE)
    told = order.secret + order.text.encode()
    return nonce + AESGCM(derived_key(_PURPOSE, anew=True)).encrypt(nonce, told, label)


def _opened(sealed: bytes, shoe: Shoe) -> Order:
    from cryptography.exceptions import InvalidTag
    from cryptography.hazmat.primitives.ciphers.aead import AESGCM

    label = _label(shoe, shoe.commitment)
    try:
        key = derived_key(_PURPOSE, anew=False)
        told = AESGCM(key).decrypt(sealed[:_NONCE], sealed[_NONCE:], label)
    except (InvalidTag, ValueError):
        why = Words("the pepper on this machine is not the one that sealed it")
        raise OrderLost(shoe=shoe.address, why=why) from None
    except NotFit as error:
        raise OrderLost(shoe=shoe.address, why=str(error).rstrip(".")) from None
    return Order(told[SECRET:].decode().split(" "), told[:SECRET])
