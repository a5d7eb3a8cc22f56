"""The spots of the layout, each with every name that people and programs have for it.

A side bet is one line here, and the pay table that a rule set gives it (R-BET-1, R-PAY-1 to 4).

>>> SPOT["panda-8"].label, SPOT["panda-8"].key
('Panda 8', 'p8')
"""

from collections.abc import Mapping

from msgspec import Struct

from domain.rules.wording import Words, as_words


class Spot(Struct, frozen=True):
    """One place on the layout for wagers."""

    name: str  # in the record, and on the feed
    label: str  # for people
    key: str  # as a dealer types it
    rule: str  # that says how it is paid
    row: int  # on the layout, from the patron's edge; spots of one row are side by side
    cloth: str = ""  # on the layout, where the label is too long for it

    @property
    def printed(self) -> str:
        """The label as it is printed on the layout."""
        return self.cloth or self.label


# In the order in which a dealer pays them.
_ALL = (
    Spot("player", "Player", "p", "R-PAY-1", 0),
    Spot("banker", "Banker", "b", "R-PAY-1", 1),
    Spot("tie", "Tie", "t", "R-PAY-1", 2),
    Spot("dragon-player", "Dragon Player", "dp", "R-PAY-2", 6, "Dragon P"),
    Spot("dragon-banker", "Dragon Banker", "db", "R-PAY-2", 6, "Dragon B"),
    Spot("pair-player", "Player Pair", "pp", "R-PAY-3", 7, "Pair P"),
    Spot("pair-banker", "Banker Pair", "pb", "R-PAY-3", 7, "Pair B"),
    Spot("dragon-7", "Dragon 7", "d7", "R-PAY-4", 5),
    Spot("panda-8", "Panda 8", "p8", "R-PAY-4", 5),
    Spot("lucky-6", "Lucky 6", "l6", "R-PAY-4", 4),
    Spot("small-tiger", "Small Tiger", "ts", "R-PAY-4", 9),
    Spot("big-tiger", "Big Tiger", "tb", "R-PAY-4", 9),
    Spot("tiger", "Tiger", "tg", "R-PAY-4", 8),
    Spot("tiger-tie", "Tiger Tie", "tt", "R-PAY-4", 3),
)
SPOT: Mapping[str, Spot] = {spot.name: spot for spot in _ALL}
SPOTS = tuple(SPOT)
MAIN_SPOTS = SPOTS[:3]
ROWS = tuple(  # of the layout, from the dealer's edge
    tuple(spot.name for spot in _ALL if spot.row == row)
    for row in sorted({spot.row for spot in _ALL}, reverse=True)
)
OPPOSITE = {"player": "banker", "banker": "player"}


def spot_label(spot: str) -> Words:
    """The label of a spot, of a hand or of a side that won; an unknown name unchanged."""
    return Words(SPOT[spot].label) if spot in SPOT else as_words(spot)
