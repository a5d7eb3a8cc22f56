"""The recorded shoes that come with Sabot; `data/README.md` names their source."""

import gzip
from pathlib import Path

import msgspec
from msgspec import Struct

SHOES = Path(__file__).parent / "data" / "shoes_40.jsonl.gz"


class RecordedCoup(Struct, frozen=True):
    """A coup as recorded by the other engine."""

    n: int
    start: int
    deal: list[str]
    player: list[str]
    banker: list[str]
    pt: int
    bt: int
    winner: str
    natural: bool
    player_pair: bool
    banker_pair: bool


class RecordedShoe(Struct, frozen=True):
    """All cards of a shoe in the order of drawing, with its coups."""

    shoe: str
    decks: int
    cards: str
    burn_card: str
    burned_including_first: int
    coups: list[RecordedCoup]


def shoes() -> list[RecordedShoe]:
    """All recorded shoes, in order."""
    with gzip.open(SHOES) as lines:
        return [msgspec.json.decode(line, type=RecordedShoe) for line in lines]
