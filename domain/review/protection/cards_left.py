"""The cards of a shoe in the order in which they left it, as they are known now."""

from collections.abc import Mapping
from typing import Any

from msgspec import Struct, field

from domain.events import shoe

Card = str | None  # None: one that left face down
SEEN = (  # each of these is one card that left, with its name
    *(shoe.CardDrawn.TOPIC, shoe.CardMisdrawn.TOPIC, shoe.CardDiscarded.TOPIC),
)
COUNTED = (shoe.Reconciled.TOPIC, shoe.Recounted.TOPIC)
TOPICS = (
    *(shoe.Burned.TOPIC, shoe.BurnedBetween.TOPIC, *SEEN),
    *(shoe.CardRenamed.TOPIC, shoe.CardTakenBack.TOPIC, *COUNTED),
)


class CardsLeft(Struct):
    """`left`: from the first burned card on; `rest`: those that were named when it was over."""

    left: list[Card] = field(default_factory=list)
    rest: list[str] = field(default_factory=list)

    @property
    def order(self) -> list[Card]:
        """All of them, those that never left at the end."""
        return [*self.left, *self.rest]

    def add(self, topic: str, fields: Mapping[str, Any]) -> None:
        """The shoe's next event. Raises ValueError if somebody altered a card away before it."""
        if topic == shoe.Burned.TOPIC:
            self.left += [fields["card"], *[None] * fields["face_down"]]
        elif topic == shoe.BurnedBetween.TOPIC:
            self.left.append(None)
        elif topic in SEEN:
            if fields.get("reason") != "foreign":  # that one was never the shoe's
                self.left.append(fields["card"])
        elif topic == shoe.CardRenamed.TOPIC:
            self.left[self._last(fields["was"])] = fields["card"]
        elif topic == shoe.CardTakenBack.TOPIC:
            del self.left[self._last(fields["card"])]
        elif topic in COUNTED:
            self.rest = list(fields["cards"])

    def _last(self, card: str) -> int:
        """The place of the last card of that name."""
        return len(self.left) - 1 - self.left[::-1].index(card)
