"""How a patron of a made-up evening plays, and how exactly a dealer pays."""

from msgspec import Struct

PASSES = 0.15  # the share of coups on which most patrons bet nothing


class Habit(Struct, frozen=True):
    """A patron's way to play: how often Banker, the stakes, and the side bets."""

    seat: int
    patron: str
    banker: float  # the share of Banker bets, the rest Player
    stakes: tuple[int, ...]
    tie: int = 0
    dragon: int = 0
    pays_often: bool = False
    sorts: bool = False  # sees on its back whether the first card is good for Player
    knows: float = 0.0  # the share of coups whose winner they know; they bet their most on it
    posts: float = 0.0  # the share of coups on which they bet only once cards are out
    learns_ties: float = 0.0  # the share of Ties that the dealer signals to them before
    counts: str = ""  # the spot on which they bet their most while the cards left favour it
    offsets: int = 0  # the seat of a patron whose bets they offset; 0: nobody's
    brings: int = 0  # the cash of an evening, in minor units; 0: five times their largest stake
    cashes: bool = False  # cashes out what they have left, before they leave
    here: tuple[int, int | None] = (0, None)  # from which coup on, and up to which
    passes: float = PASSES
    apart: float = 2.0  # seconds after the one before them, when they sit down and leave


class Hands(Struct, frozen=True):
    """How exactly a dealer pays, and how often the tray is counted between two closers.

    What is paid wrong is a chip that the record knows nothing of, until the tray is counted.
    """

    slips: float = 0.0  # the share of winning payments with a chip more or less, by mistake
    overpays: float = 0.0  # of those to the first patron with a chip more, who is in with them
    counts_every: int = 0  # coups; 0: at closing only
