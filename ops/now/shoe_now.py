"""The shoe on the table, as its terminal shows it."""

from msgspec import Struct

from domain.aggregates.shoe import Shoe, coups_within
from domain.rules import addresses


class ShoeNow(Struct, frozen=True):
    """The shoe on the table."""

    address: addresses.Shoe  # of an earlier day after a roll-over
    step: str  # loaded inspected shuffled cut burned ended reconciled
    ready: bool
    decks: int
    cards_left: int
    to_cut_card: int | None  # cards; None: it shows already
    holder: str  # `dealer`, `seat 3`, or a staff number
    commitment: str  # to the order of a shoe that deals its own cards; '': it does not
    last_coup: int | None  # set when the cut card showed
    waiting: tuple[str, ...] = ()  # cards that came when none was due, for the next coup

    @property
    def number(self) -> int:
        """Its number among the shoes of the day on which it was brought."""
        return self.address.number

    @property
    def generated(self) -> bool:
        """Whether it deals its own cards."""
        return self.commitment != ""

    @property
    def coups_to_cut_card(self) -> int | None:
        """About how many coups are left until the cut card; None when it shows."""
        return None if self.to_cut_card is None else coups_within(self.to_cut_card)


def shoe_now(shoe: Shoe) -> ShoeNow:
    """The shoe from its aggregate."""
    behind = shoe.cards_left - shoe.cut_card
    return ShoeNow(
        address=shoe.address,
        step=shoe.step,
        ready=shoe.ready,
        decks=shoe.decks,
        cards_left=shoe.cards_left,
        to_cut_card=None if shoe.cut_card_shown else max(behind, 0),
        holder=shoe.holder,
        commitment=shoe.commitment,
        last_coup=shoe.last_coup,
        waiting=tuple(shoe.waiting),
    )
