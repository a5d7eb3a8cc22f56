"""Carded play: above an amount a patron plays by card or not at all (R-PLAY-5).

>>> rules = [Carded(above=0, source=""), Carded(above=500_00, tables=("B01",), source="")]
>>> at_table(rules, "B02").asks(1), at_table(rules, "B01").asks(500_00)
(True, False)
>>> Carded(above=0, cards="P-*", source="").is_a_card("P-10417")
True
"""

from collections.abc import Iterable
from datetime import date
from fnmatch import fnmatchcase

from msgspec import Struct


class Carded(Struct, frozen=True, kw_only=True, omit_defaults=True):
    """From which amount a patron plays by card, and at which tables."""

    above: int  # minor units; 0: every chip, and the seat
    source: str
    tables: tuple[str, ...] = ()  # (): all that no other rule names
    cards: str = ""  # the names that are on cards, as in `P-*`; '': who has a file
    first_day: date = date.min  # from which it is the law

    def asks(self, amount: int) -> bool:
        """Whether so much is played by card alone."""
        return amount > self.above

    @property
    def asks_at_the_seat(self) -> bool:
        """Whether nobody sits down without a card."""
        return self.above == 0

    def is_a_card(self, name: str) -> bool:
        """Whether a name is on a card of the house, by its form."""
        return bool(self.cards) and fnmatchcase(name, self.cards)


def at_table(rules: Iterable[Carded], table: str) -> Carded | None:
    """The rule of a table: of those that name it, else of those that name none, the lowest."""
    every = [*rules]
    here = [each for each in every if table in each.tables]
    here = here or [each for each in every if not each.tables]
    return min(here, key=lambda each: each.above, default=None)
