"""Whether what is recorded of a shoe can be true (R-CARD-3, R-SHOE-4, R-SHOE-5).

From its events alone: per card nothing exceeds the decks, the rest was counted without a
difference, and a generated shoe dealt the order that it was bound to.
"""

from collections import Counter
from collections.abc import Iterator, Sequence
from typing import Any

from msgspec import Struct, field

from domain.events import shoe
from domain.rules.cards import DECK
from domain.rules.order import Order


class Check(Struct, frozen=True):
    """What was looked at, whether it holds, and what was found."""

    name: str
    ok: bool
    found: str


class _Record(Struct):
    """A shoe's events, as far as the checks ask."""

    decks: int
    left: list[str | None] = field(default_factory=list)  # in order; None: burned face down
    commitment: str = ""
    revealed: Any = None
    reconciled: Any = None
    ended: bool = False

    def tell(self, event: Any) -> None:
        """One event after the other."""
        match event:
            case shoe.Shuffled():
                self.commitment = event.commitment
            case shoe.Burned():
                self.left += [event.card, *[None] * event.face_down]
            case shoe.CardDiscarded(reason="foreign"):
                pass  # it was never the shoe's
            case shoe.CardDrawn() | shoe.CardMisdrawn() | shoe.CardDiscarded():
                self.left.append(event.card)
            case shoe.Ended():
                self.ended = True
            case shoe.OrderRevealed():
                self.revealed = event
            case shoe.Reconciled():
                self.reconciled = event

    @property
    def known(self) -> Counter[str]:
        """How often each card is known by name, in the shoe or out of it."""
        counted = self.reconciled
        named = [*counted.cards, *counted.burned] if counted else []
        return Counter([*filter(None, self.left), *named])

    @property
    def all_named(self) -> bool:
        """Whether nothing is only counted any more."""
        counted = self.reconciled
        return bool(
            counted
            and len(counted.cards) == counted.remaining
            and len(counted.burned) == self.left.count(None)
        )


def audit(events: Sequence[Any]) -> list[Check]:
    """Every check that the events allow so far, first event first."""
    if not events or not isinstance(events[0], shoe.Loaded):
        return [Check("record", False, "it does not begin with the shoe's loading")]
    record = _Record(events[0].decks)
    for event in events[1:]:
        record.tell(event)
    return [*_cards(record), *_count(record), *_order(record)]


def _cards(record: _Record) -> Iterator[Check]:
    known = record.known
    wrong = [card for card in sorted(known) if known[card] > record.decks or card not in DECK]
    if record.all_named:
        wrong = [card for card in sorted({*DECK, *known}) if known[card] != record.decks]
    told = ", ".join(f"{card} {known[card]} times" for card in wrong)
    good = f"exactly {record.decks}" if record.all_named else f"at most {record.decks}"
    yield Check("cards", not wrong, f"{told} of {record.decks}" if wrong else f"{good} of each")


def _count(record: _Record) -> Iterator[Check]:
    counted = record.reconciled
    if counted is None:
        return
    difference = counted.remaining + len(record.left) - 52 * record.decks
    told = f"{counted.remaining} remained after {len(record.left)} had left"
    yield Check("count", difference == 0, f"{told}, difference {difference}")


def _order(record: _Record) -> Iterator[Check]:
    if not record.commitment:
        return
    if record.revealed is None:
        why = "the shoe has ended without it" if record.ended else "told when the shoe ends"
        yield Check("order", not record.ended, why)
        return
    cards = record.revealed.order
    yield _commitment(record, cards)
    whole = Counter(cards) == Counter(list(DECK) * record.decks)
    yield Check("order", whole, f"{'' if whole else 'not '}exactly {record.decks} of each card")
    yield _sequence(record, cards)


def _commitment(record: _Record, cards: list[str]) -> Check:
    try:
        made = Order(cards, bytes.fromhex(record.revealed.secret)).commitment
    except ValueError:
        return Check("commitment", False, "the secret is not hexadecimal")
    good = made == record.commitment
    told = "order and secret make it again" if good else f"order and secret make {made}"
    return Check("commitment", good, told)


def _sequence(record: _Record, cards: list[str]) -> Check:
    """Every card that left, or was named at the end, stands at its place in the order."""
    counted = record.reconciled
    rest = list(counted.cards) if counted else []
    burned = iter(counted.burned if counted else ())
    left = [card if card is not None else next(burned, None) for card in record.left]
    for n, (ordered, card) in enumerate(zip(cards, [*left, *rest], strict=False), 1):
        if card is not None and card != ordered:
            return Check("sequence", False, f"card {n} is {ordered} in the order and was {card}")
    if len(left) + len(rest) > len(cards):
        return Check("sequence", False, f"the order has {len(cards)} cards and more left the shoe")
    return Check("sequence", True, f"{len(left)} cards left in this order")
