"""Whether a card was burned before each coup of a shoe, or its omission recorded (R-SHOE-6)."""

from typing import Any

from domain.events import shoe


class Burns:
    """Follows the events of one shoe, in order."""

    def __init__(self) -> None:
        self._wanted = False  # a coup was dealt since a card was burned, or left out on record

    def missing(self, event: Any) -> bool:
        """Whether this is a coup's first card, although a card had to be burned before it."""
        match event:
            case shoe.BurnedBetween() | shoe.BurnLeftOut(rules_say="or-coup-counts"):
                self._wanted = False
            case shoe.CardDrawn() | shoe.CarriedCardDealt():
                before, self._wanted = self._wanted, True
                return before and event.n == 1
        return False
