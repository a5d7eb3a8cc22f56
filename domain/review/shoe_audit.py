"""Checks of the record of a shoe (R-CARD-3, R-SHOE-1, R-SHOE-4, R-SHOE-5).

No card came more often than there are decks, the rest was counted without a difference, a
generated shoe dealt the order that it was committed to, and the cards follow neither the order of
new decks nor that of an earlier shoe, do not clump, and come as from whole decks.
"""

import math
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from types import MappingProxyType
from typing import Any

from msgspec import Struct, field
from msgspec.structs import asdict

from domain.events import shoe
from domain.review.protection.cards_left import CardsLeft
from domain.review.protection.clumps import (
    NEIGHBOUR,
    NEXT_RANK,
    RANK,
    SUIT,
    VALUE,
    Clump,
    Clumps,
)
from domain.review.protection.following import Followed
from domain.review.protection.looking import AgainstChance
from domain.review.protection.new_deck import new_deck
from domain.review.protection.repeated_slug import repeated_slug
from domain.review.protection.spread import Spread, spread
from domain.review.protection.whole_decks import NotWhole, WholeDecks
from domain.rules.cards import DECK
from domain.rules.order import Order
from domain.rules.protection_levels import CLUMP, EARLIER_SHOE, NEW_DECK, NOT_WHOLE, SELDOM


class Check(Struct, frozen=True):
    """A check, whether it is good, and its result in words."""

    name: str
    ok: bool
    result: str


class Earlier(Struct, frozen=True):
    """The cards of an earlier shoe as they left it, then those left over; None: not known."""

    decks: int
    cards: list[str | None]


class _Record(Struct):
    """The contents of a shoe that the checks need."""

    decks: int
    cards: CardsLeft = field(default_factory=CardsLeft)
    commitment: str = ""
    revealed: Any = None
    reconciled: Any = None
    ended: bool = False

    def add(self, event: Any) -> None:
        """Adds the next event."""
        self.cards.add(event.TOPIC, asdict(event))
        match event:
            case shoe.Shuffled():
                self.commitment = event.commitment
            case shoe.Ended():
                self.ended = True
            case shoe.OrderRevealed():
                self.revealed = event
            case shoe.Reconciled() | shoe.Recounted():
                self.reconciled = event

    @property
    def left(self) -> list[str | None]:
        """The cards in the order in which they left; None: burned face down."""
        return self.cards.left

    @property
    def known(self) -> Counter[str]:
        """The number of each card that is known by name, in the shoe or out of it."""
        counted = self.reconciled
        named = [*counted.cards, *counted.burned] if counted else []
        return Counter([*filter(None, self.left), *named])

    @property
    def all_named(self) -> bool:
        """Whether every card is named, and none only counted."""
        counted = self.reconciled
        return bool(
            counted
            and len(counted.cards) == counted.remaining
            and len(counted.burned) == self.left.count(None)
        )


def audit(
    events: Sequence[Any],
    earlier: Mapping[str, Earlier] = MappingProxyType({}),
    levels: Mapping[str, int] = MappingProxyType({}),
) -> list[Check]:
    """Every check that the events allow so far, from the first event on.

    `earlier`: those of the table, by address, the oldest first.
    `levels`: by question, how seldom chance must do as much, where the house set it.
    """
    if not events or not isinstance(events[0], shoe.Loaded):
        return [Check("record", False, "it does not begin with the shoe's loading")]
    record = _Record(events[0].decks)
    for event in events[1:]:
        record.add(event)
    return [*_cards(record), *_count(record), *_order(record), *_chance(record, earlier, levels)]


def earlier_shoe(events: Sequence[Any]) -> Earlier:
    """A shoe beside which later ones are looked at, by its events from the loading on."""
    cards = CardsLeft()
    for event in events:
        cards.add(event.TOPIC, asdict(event))
    return Earlier(events[0].decks, cards.order)


def _cards(record: _Record) -> Iterator[Check]:
    known = record.known
    wrong = [card for card in sorted(known) if known[card] > record.decks or card not in DECK]
    if record.all_named:
        wrong = [card for card in sorted({*DECK, *known}) if known[card] != record.decks]
    words = ", ".join(f"{card} {known[card]} times" for card in wrong)
    good = f"exactly {record.decks}" if record.all_named else f"at most {record.decks}"
    yield Check("cards", not wrong, f"{words} of {record.decks}" if wrong else f"{good} of each")


def _count(record: _Record) -> Iterator[Check]:
    counted = record.reconciled
    if counted is None:
        return
    difference = counted.remaining + len(record.left) - 52 * record.decks
    words = f"{counted.remaining} remained after {len(record.left)} had left"
    yield Check("count", difference == 0, f"{words}, difference {difference}")


def _order(record: _Record) -> Iterator[Check]:
    if not record.commitment:
        return
    if record.revealed is None:
        why = "the shoe ended without it" if record.ended else "revealed when the shoe ends"
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
    words = "matches order and secret" if good else f"order and secret give {made}"
    return Check("commitment", good, words)


def _sequence(record: _Record, cards: list[str]) -> Check:
    """Compares the cards that left, or were named at the end, with the order."""
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


def _chance(
    record: _Record, earlier: Mapping[str, Earlier], levels: Mapping[str, int]
) -> Iterator[Check]:
    """Whether the cards come as by chance: those that are dealt, and those of the shoes before."""
    decks = record.decks

    def one_in(question: str) -> int:
        return levels.get(question, SELDOM)

    of_decks = new_deck(decks).see_all(record.left)
    yield _followed("shuffle", of_decks, "a new deck", one_in(NEW_DECK))
    if earlier:
        orders = {shoe: each.cards for shoe, each in earlier.items()}
        again = repeated_slug(decks, orders).see_all(record.left)
        shoe_before = again.what.order if again.what else ""
        yield _followed("earlier shoes", again, f"shoe {shoe_before}", one_in(EARLIER_SHOE))
    yield _clumped(Clumps(decks).see_all(record.left), one_in(CLUMP))
    alike = [each.cards for each in earlier.values() if each.decks == decks]
    yield _not_whole(WholeDecks(decks, alike).see_all(record.left), one_in(NOT_WHOLE))
    if record.ended:
        seen = [card for card in record.left if card]
        yield from _numbers([*spread(decks, seen)], one_in(CLUMP))


def _followed(name: str, seen: AgainstChance[Followed], order: str, one_in: int) -> Check:
    run = seen.what
    if seen.odds < one_in or run is None:
        return Check(name, True, "the cards follow no other order")
    return Check(
        name,
        False,
        f"cards {run.first} to {run.last} follow {order}; {_seldom(seen.odds)}",
    )


_CLUMPS = {
    SUIT: "cards of the same suit",
    RANK: "cards of the same rank",
    VALUE: "cards of the same value",
    NEXT_RANK: "cards of neighbouring ranks",
    NEIGHBOUR: "neighbours of a new deck",
}


def _clumped(seen: AgainstChance[Clump], one_in: int) -> Check:
    clump = seen.what
    if seen.odds < one_in or clump is None:
        return Check("clumps", True, "cards that are alike come as far apart as by chance")
    words = f"{_CLUMPS[clump.likeness]} come together, about {clump.back} apart"
    return Check("clumps", False, f"{words}; {_seldom(seen.odds)}")


def _not_whole(seen: AgainstChance[NotWhole], one_in: int) -> Check:
    it = seen.what
    if seen.odds < one_in or it is None:
        return Check("whole decks", True, "each rank and suit comes as often as by chance")
    shoes = "this shoe" if it.shoes == 1 else f"the last {it.shoes} shoes"
    words = f"of {it.of} cards in {shoes}, {it.came} are {it.kind} and not about {it.expected}"
    return Check("whole decks", False, f"{words}; {_seldom(seen.odds)}")


def _numbers(numbers: Sequence[Spread], one_in: int) -> Iterator[Check]:
    """Those of a shoe that is over. Of all of them together one fails in so many shoes."""
    for each in numbers:
        words = f"{each.score:+z.1f} standard deviations"
        if each.free:
            words = f"chi-squared {each.score:.1f} with {each.free} degrees of freedom"
        fine = each.chance * one_in * len(numbers) >= 1
        yield Check(each.what, fine, f"{words}; as much by chance in {each.chance:.2g} of shoes")


def _seldom(odds: float) -> str:
    return f"by chance less than once in 10^{int(math.log10(odds))} shoes"
