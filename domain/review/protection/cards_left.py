"""The cards of a shoe in the order in which they left it, as they are known now."""

from collections.abc import Mapping, Sequence
from typing import Any

from msgspec import Struct, field

from domain.events import shoe
from domain.rules.odds import Pack, whole

Card = str | None  # None: one that left face down
SEEN = (  # each of these is one card that left, with its name
    *(shoe.CardDrawn.TOPIC, shoe.CardMisdrawn.TOPIC, shoe.CardDiscarded.TOPIC),
)
COUNTED = (shoe.Reconciled.TOPIC, shoe.Recounted.TOPIC)
PUT_RIGHT = (shoe.CardRenamed.TOPIC, shoe.CardTakenBack.TOPIC)  # one that had left before
TOPICS = (shoe.Burned.TOPIC, shoe.BurnedBetween.TOPIC, *SEEN, *PUT_RIGHT, *COUNTED)


class CardsLeft(Struct):
    """`left`: from the first burned card on; `rest`: those that were named when it was over."""

    left: list[Card] = field(default_factory=list)
    numbers: list[str] = field(default_factory=list)  # of each: coup and number there, or ''
    rest: list[str] = field(default_factory=list)

    @property
    def order(self) -> list[Card]:
        """All of them, those that never left at the end."""
        return [*self.left, *self.rest]

    def add(self, topic: str, fields: Mapping[str, Any]) -> None:
        """The shoe's next event. Raises ValueError if somebody altered a card away before it."""
        if topic == shoe.Burned.TOPIC:
            self._leave(fields["card"], *[None] * fields["face_down"])
        elif topic == shoe.BurnedBetween.TOPIC:
            self._leave(None)
        elif topic in SEEN:
            if fields.get("reason") != "foreign":  # that one was never the shoe's
                n = fields.get("n")
                self._leave(fields["card"], number=f"{fields['coup']}/{n}" if n else "")
        elif topic == shoe.CardRenamed.TOPIC:
            place = self._last(fields["was"], f"{fields['coup']}/{fields['n']}")
            self.left[place] = fields["card"]
        elif topic == shoe.CardTakenBack.TOPIC:
            place = self._last(fields["card"], str(fields["coup"]))
            del self.left[place], self.numbers[place]
        elif topic in COUNTED:
            self.rest = list(fields["cards"])

    def _leave(self, *cards: Card, number: str = "") -> None:
        self.left += cards
        self.numbers += [number] * len(cards)

    def _last(self, card: str, number: str) -> int:
        """The place of the last card of that name with this number; `3`: any of coup 3.

        One that was carried into its coup has no number: then of the last one of that name.
        """
        named = [place for place, each in enumerate(self.left) if each == card]
        asked = [place for place in named if f"{self.numbers[place]}/".startswith(f"{number}/")]
        return max(asked or named)


def unseen(decks: int, left: Sequence[Card]) -> Pack:
    """The cards that nobody saw leave. More of a card than the decks have are counted as all."""
    shoe, seen = whole(decks), Pack.of(card for card in left if card)
    pairs = zip(shoe.counts, seen.counts, strict=True)
    return Pack(tuple(max(there - gone, 0) for there, gone in pairs))
