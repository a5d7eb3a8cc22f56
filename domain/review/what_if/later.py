"""The later coups of a shoe, dealt again when a changed coup leaves cards over or takes more.

Cards left over are carried into the next coup, burned, or begin a dummy coup (R-IRR-1); cards
that are missing are the shoe's next. The cards after that keep their order, and each later coup
its wagers, until a coup ends where the recorded one did; after that nothing changes.

A card that was discarded (R-IRR-3) or burned when none was due stays out of play wherever the
coups fall. A void coup stays void: it takes no more cards than it had, if it was never finished.
A coup that is still in play is not dealt again.
"""

from collections.abc import Iterable, Sequence
from itertools import chain

from msgspec import Struct

from domain.review.difference import Difference, Paid, Played, differences, settled
from domain.review.what_if.redeal import Redealt, redeal
from domain.rules.hands import Result


class Left(Struct, frozen=True):
    """A card that left the shoe, and its place among those that did.

    `aside`: it was burned when none was due, so later coups do not get it.
    """

    place: int
    card: str
    aside: bool = False


class LaterCoup(Struct, frozen=True):
    """A later coup with its own wagers and other cards; `played` None: an added dummy coup."""

    played: Played | None
    hands: Redealt
    payments: tuple[Paid, ...]

    @property
    def short(self) -> bool:
        """Whether a card is due that is not on record."""
        return self.hands.due is not None and not (self.played and self.played.void)

    @property
    def recorded(self) -> Result | None:
        """The result of the recorded cards."""
        return redeal(self.played.cards).result if self.played else None

    @property
    def difference(self) -> tuple[Difference, ...]:
        """The change for each seat, compared with the record; none while a card is due."""
        final = self.played.final if self.played else None
        return () if self.short else differences(final or (), self.payments)


class LaterCoups(Struct, frozen=True):
    """The changed later coups. `in_step_at`: the coup after which nothing changes, or None."""

    coups: tuple[LaterCoup, ...]
    in_step_at: str | None

    @property
    def short(self) -> bool:
        """Whether the recorded cards run out."""
        return any(each.short for each in self.coups)


def deal_on(
    queue: Sequence[Left], recorded: Sequence[Left], later: Iterable[Played], *, dummy: bool
) -> LaterCoups:
    """Deals the later coups from a queue of cards that differs from the `recorded` one.

    `dummy`: whether a coup without bets comes first.
    """
    dealt_again: list[LaterCoup] = []
    cards, as_it_was = list(queue), list(recorded)
    for played in chain([None] if dummy else [], later):
        if played and played.final is None:
            break  # it is still in play, so there is nothing to compare with
        coup = _again(played, [each.card for each in cards])
        dealt_again.append(coup)
        if coup.short:
            break
        del cards[: len(coup.hands.dealt)]
        del as_it_was[: len(played.cards) if played else 0]
        if cards == as_it_was:
            return LaterCoups(tuple(dealt_again), played.address if played else None)
    return LaterCoups(tuple(dealt_again), None)


def _again(played: Played | None, cards: Sequence[str]) -> LaterCoup:
    if played is None:
        return LaterCoup(None, redeal(cards), ())
    unfinished = played.void and redeal(played.cards).due
    hands = redeal(cards[: len(played.cards)] if unfinished else cards)
    result = None if played.void else hands.result
    payments = settled(played.rules, played.wagers, result, played)
    return LaterCoup(played, hands, payments)
