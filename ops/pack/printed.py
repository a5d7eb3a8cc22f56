"""What the template `pack.typ` prints: its values, as text in the reader's language."""

from collections.abc import Sequence

from msgspec import Struct


class Face(Struct, frozen=True):
    """The print of a card; `red`: diamonds and hearts."""

    rank: str
    suit: str
    red: bool


class CardCell(Struct, frozen=True):
    """A cell with a card in it."""

    card: Face


class Row(Struct, frozen=True):
    """A row of a table: a text or a card in each column."""

    cells: Sequence[str | CardCell]
    wrong: bool = False  # the record disagrees with the rules here
    begins: bool = False  # the first of a seat, with a line above it
    total: bool = False


class Across(Struct, frozen=True):
    """A sentence across the columns, with its rule and its place in the record."""

    across: str
    rule: str
    place: str = ""


class Section(Struct, frozen=True):
    """A table with its title, and the sentences before and after it.

    `aligned` has a letter for each column (l, r, c); the column `wide` takes the free width.
    With `cards`, the placard of the third card stands below the table.
    """

    title: str
    head: Sequence[str]
    aligned: str
    rows: Sequence[Row | Across]
    wide: int
    note: str = ""
    after: str = ""
    cards: bool = False


class Verdict(Struct, frozen=True):
    """Whether the record is good; each line: about what, as recorded, as adjudicated."""

    good: bool
    words: str
    lines: list[list[str]]


class Spot(Struct, frozen=True):
    """A spot of the layout, and whether it wins with these cards."""

    spot: str
    label: str
    wins: bool


class Chip(Struct, frozen=True):
    """A wager, with its result; '' before there is one."""

    amount: str
    result: str


class Seat(Struct, frozen=True):
    """A seat, its patron, and their wagers by spot."""

    seat: str
    patron: str
    wagers: dict[str, Chip]


class HandCard(Face, frozen=True):
    """A card of a hand; `n`: as which it left the shoe."""

    n: str


class Hand(Struct, frozen=True):
    """A hand with its total."""

    name: str
    cards: list[HandCard]
    total: str
    wins: bool


class TableLayout(Struct, frozen=True):
    """The table when betting closed: rows of spots, seats, and the two hands."""

    rows: list[list[Spot]]
    seats: list[Seat]
    hands: list[Hand]


class ThirdCard(Struct, frozen=True):
    """The placard for Banker's third card; `at`: row and column of the cell that decided."""

    rows: list[str]
    at: list[int]
    why: str


class PackPaper(Struct, frozen=True, kw_only=True):
    """A paper, in the order of its parts; pairs are a name and its value."""

    labels: dict[str, str]  # the template's own words
    title: str
    address: str
    heading: str
    day: str
    house: str
    called: str
    phase: str
    gist: list[list[str]]
    verdict: Verdict
    summary: list[list[str]]
    layout: TableLayout | None
    placard: ThirdCard | None
    sections: list[Section]
    proof: list[list[str]]
    signatures: list[str]
    footer: str
