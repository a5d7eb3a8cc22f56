"""The roads of a shoe, from the coups that are on record.

A coup is on the roads as soon as it has its outcome: not while a card of it is face down, and no
longer once it is void. A dummy coup is included, because displays mark every coup dealt, whether or
not anybody bet on it.
"""

from collections.abc import Iterable, Iterator, Mapping
from typing import Generic, Literal, TypeVar

import msgspec
from msgspec import Struct

from domain.events import shoe as shoe_events
from domain.rules import addresses
from domain.rules.hands import Hand
from domain.rules.refusals import NotFound
from domain.rules.roads import Bead, Colour, Derived, Mark, Roads, roads
from ops.ledger.database import Database
from ops.ledger.reading import read_newest_first
from ops.reports.ask import ask
from ops.reports.readable import readable
from projections import REPORTS

_LETTERS = {"banker": "B", "player": "P", "tie": "T", "red": "R", "blue": "B"}


class CardDealt(Struct, frozen=True):
    """A card, and the hand it went to; None while it is face down."""

    hand: str
    card: str | None


class CoupOnRoads(Struct, frozen=True):
    """What the roads need of a row of the report `coup`."""

    coup: str
    phase: str
    cards: list[CardDealt]
    outcome: Literal["player", "banker", "tie"] | None
    natural: bool | None

    @property
    def bead(self) -> Bead:
        """The mark of the coup, once it has its outcome."""
        assert self.outcome is not None
        return Bead(
            outcome=self.outcome,
            player_pair=self._pair("player"),
            banker_pair=self._pair("banker"),
            natural=bool(self.natural),
        )

    def _pair(self, hand: str) -> bool:
        """Whether the first two cards of a hand are of one rank."""
        first, second = [str(each.card)[0] for each in self.cards if each.hand == hand][:2]
        return first == second


class ShoeRoads(Struct, frozen=True):
    """A shoe's roads as of a position of the ledger."""

    address: addresses.Shoe
    position: int
    coups: tuple[str, ...]  # the address of each bead's coup
    roads: Roads


_BRING_A_SHOE = shoe_events.Loaded.TOPIC, shoe_events.CameAlong.TOPIC


def shoe_meant(database: Database, name: str) -> addresses.Shoe:
    """A shoe by its address, or the last shoe of a table or of a table day.

    Refuses: BadValue, NotFound.
    """
    table, _, day = name.partition("/")
    if not addresses.TABLE_CODE.fullmatch(table) or day.count("/"):
        return addresses.Shoe.parse(name)
    on = addresses.parse_day(day) if day else None
    with database.session("sabot_auditor") as connection:
        last = next(read_newest_first(connection, table, _BRING_A_SHOE, on), None)
    if last is None:
        raise NotFound(what=f"shoe of {name} yet: load one, or name it as in B01/2026-11-21/1")
    return addresses.Shoe.parse(msgspec.json.decode(last.state)["shoe"])


def find(database: Database, address: addresses.Shoe) -> ShoeRoads:
    """The roads of a shoe up to now. Refuses: NotFound."""
    shoe = str(address)
    answer = ask(database, REPORTS["coup"], shoe=shoe)
    if not answer.rows and not ask(database, REPORTS["shoe-log"], shoe=shoe).rows:
        raise NotFound(what=f"shoe {shoe}")
    with readable():
        rows = answer.rows_as(CoupOnRoads)
        seen = [each for each in rows if each.phase in ("resulted", "settled")]
        return ShoeRoads(
            address=address,
            position=answer.position,
            coups=tuple(each.coup for each in seen),
            roads=roads(each.bead for each in seen),
        )


class Cell(Struct, frozen=True):
    """A mark of a road derived from the big road, with its place, from 0."""

    column: int
    row: int
    what: str


class BeadCell(Struct, frozen=True):
    """A coup on the bead plate."""

    column: int
    row: int
    what: str
    coup: str
    player_pair: bool
    banker_pair: bool
    natural: bool


class BigRoadCell(Struct, frozen=True):
    """A mark of the big road with its ties; `tie` if the shoe begins with ties."""

    column: int
    row: int
    what: str
    ties: int
    player_pair: bool
    banker_pair: bool
    natural: bool


AnyCell = TypeVar("AnyCell", Cell, BeadCell, BigRoadCell)


class Road(Struct, Generic[AnyCell], frozen=True):
    """A road as a word of letters, and cell by cell."""

    sequence: str
    cells: list[AnyCell]


class RoadAnswer(Struct, frozen=True, kw_only=True):
    """All the roads of a shoe, as JSON fields."""

    shoe: str
    position: int
    coups: int
    counts: dict[str, int]
    bead_plate: Road[BeadCell]
    big_road: Road[BigRoadCell]
    big_eye_boy: Road[Cell]
    small_road: Road[Cell]
    cockroach_pig: Road[Cell]
    preview: Mapping[
        Hand, Mapping[Derived, Colour | None]
    ]  # the mark of each side on each derived road


def answer_of(shoe_roads: ShoeRoads) -> RoadAnswer:
    """The roads of a shoe as fields."""
    drawn = shoe_roads.roads
    return RoadAnswer(
        shoe=str(shoe_roads.address),
        position=shoe_roads.position,
        coups=len(drawn.beads),
        counts=drawn.counts(),
        bead_plate=Road(_word(bead.outcome for bead in drawn.beads), list(_beads(shoe_roads))),
        big_road=Road(
            _word(entry.side for entry in drawn.big_road if entry.side),
            [
                BigRoadCell(
                    entry.place.column,
                    entry.place.row,
                    entry.side or "tie",
                    entry.ties,
                    entry.player_pair,
                    entry.banker_pair,
                    entry.natural,
                )
                for entry in drawn.big_road
            ],
        ),
        **{road: _derived(marks) for road, marks in drawn.derived.items()},
        preview=drawn.preview,
    )


def _beads(shoe_roads: ShoeRoads) -> Iterator[BeadCell]:
    drawn = shoe_roads.roads
    for coup, bead, at in zip(shoe_roads.coups, drawn.beads, drawn.bead_plate, strict=True):
        pairs = bead.player_pair, bead.banker_pair
        yield BeadCell(at.column, at.row, bead.outcome, coup, *pairs, bead.natural)


def _derived(marks: tuple[Mark, ...]) -> Road[Cell]:
    cells = [Cell(mark.place.column, mark.place.row, mark.colour) for mark in marks]
    return Road(_word(mark.colour for mark in marks), cells)


def _word(kinds: Iterable[str]) -> str:
    return "".join(_LETTERS[kind] for kind in kinds)
