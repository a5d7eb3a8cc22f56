"""The spots of the layout, each with every name that people and programs have for it.

The trade's usual ones are here; a rule set names more of its own (R-BET-1, R-BET-2).

>>> SPOT["panda-8"].label, SPOT["panda-8"].key
('Panda 8', 'p8')
"""

from collections.abc import Collection, Mapping

from msgspec import Struct

from domain.rules.wording import Words

A_NAME = r"^[a-z][a-z0-9-]{0,31}\Z"  # of a spot, as a pattern


class Spot(Struct, frozen=True):
    """One place on the layout for wagers."""

    name: str  # in the record, and on the feed
    label: str  # for people
    key: str  # as a dealer types it
    rule: str  # that says how it is paid
    row: int  # on the layout, from the patron's edge; spots of one row are side by side
    cloth: str = ""  # on the layout, where the label is too long for it
    labels: Mapping[str, str] = {}  # in other languages, of a spot that a rule set names

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
THE_TRADES = tuple(spot.name for spot in _ALL)
SPOT: dict[str, Spot] = {spot.name: spot for spot in _ALL}  # and those that rule sets name
MAIN_SPOTS = THE_TRADES[:3]
OPPOSITE = {"player": "banker", "banker": "player"}
_OWN_ROW = max(spot.row for spot in _ALL) + 1
_PLACES = {name: n for n, name in enumerate(THE_TRADES)}


class OwnSpot(Struct, frozen=True, kw_only=True, omit_defaults=True):
    """What a rule set says of a spot that it names itself; its label is its name, in words.

    `labels`: in other languages. `cloth`: on the layout, where the label is too long for it.
    """

    key: str
    cloth: str = ""
    row: int | None = None
    labels: Mapping[str, str] = {}


def know(name: str, own: OwnSpot) -> None:
    """Has a spot of a rule set among all others, to be typed and drawn."""
    if name not in _PLACES:
        row = _OWN_ROW if own.row is None else own.row
        SPOT[name] = Spot(name, _in_words(name), own.key, "R-BET-2", row, own.cloth, own.labels)


def own_label(label: str, language: str) -> str:
    """A label in a language, if a rule set named the spot so and says it in that language."""
    spot = SPOT.get("-".join(label.lower().split()))
    return spot.labels.get(language, label) if spot and spot.labels else label


def in_order(spot: str) -> tuple[int, str]:
    """The place of a spot in the order in which a dealer pays: the trade's, then others by name."""
    return _PLACES.get(spot, len(_PLACES)), spot


def rows(offered: Collection[str]) -> list[list[str]]:
    """These spots in rows of the layout, from the dealer's edge; a row of nothing is left out.

    A rule set's own spot, for which it states no row, has one for itself.
    """
    by_row: dict[tuple[int, str], list[str]] = {}
    for spot in sorted(offered, key=in_order):
        row = SPOT[spot].row if spot in SPOT else _OWN_ROW
        by_row.setdefault((row, spot if row == _OWN_ROW else ""), []).append(spot)
    return [by_row[row] for row in sorted(by_row, reverse=True)]


def spot_label(spot: str) -> Words:
    """The label of a spot, of a hand or of a side that won."""
    return Words(SPOT[spot].label if spot in _PLACES else _in_words(spot))


def _in_words(name: str) -> str:
    """A spot's name as people write it: `Lucky Nines` for `lucky-nines`."""
    return " ".join(word[:1].upper() + word[1:] for word in name.split("-"))
