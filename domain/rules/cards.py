"""Cards, ranks and what they count (R-CARD-1 to R-CARD-3).

A card is its text, rank then suit: `9C`, `TH`. People and devices write it in other ways too.

>>> points("TH"), points("AS"), points("9C")
(0, 1, 9)
>>> card("10h"), card("♥10"), card("d7")
('TH', 'TH', '7D')
>>> card("1C")
Traceback (most recent call last):
    ...
domain.rules.refusals.UnknownCard: '1C' is no card: write rank then suit, A 2-9 T J Q K and C D H \
S, as in `9C` or `TH`.
"""

from domain.rules.refusals import UnknownCard

RANKS = "A23456789TJQK"
SUITS = "CDHS"
DECK = tuple(rank + suit for rank in RANKS for suit in SUITS)
SYMBOLS = {"C": "♣", "D": "♦", "H": "♥", "S": "♠"}

# Rank and suit in either order, ten as T or 10, a suit as its letter or either of its symbols.
SUIT_SPELLINGS = {"C": "C♣♧", "D": "D♦♢", "H": "H♥♡", "S": "S♠♤"}
SPELLINGS = {
    written: card
    for card in DECK
    for rank in (card[0], *(("10",) if card[0] == "T" else ()))
    for suit in SUIT_SPELLINGS[card[1]]
    for written in (rank + suit, suit + rank)
}
_DRAWN_AS_EMOJI = "\ufe0f"  # follows a suit on some keyboards

POINTS = dict(zip(RANKS, (1, 2, 3, 4, 5, 6, 7, 8, 9, 0, 0, 0, 0), strict=True))
_POINTS_OF_CARD = {card: POINTS[card[0]] for card in DECK}


def card(text: str) -> str:
    """The card that a dealer or a device wrote, in capitals. Refuses: UnknownCard."""
    written = text.strip().upper()
    known = SPELLINGS.get(written) or SPELLINGS.get(written.replace(_DRAWN_AS_EMOJI, ""))
    if known is None:
        raise UnknownCard(card=text)
    return known


def apart(text: str) -> list[str]:
    """The words of a text that has cards with blanks or commas between them."""
    return text.replace(",", " ").split()


def points(card: str) -> int:
    """The value of a card: ace 1, ten and faces 0 (R-CARD-1)."""
    return _POINTS_OF_CARD[card]


def burn_count(card: str, *, ace: int = 1) -> int:
    """The number of further cards that an exposed one burns: 10 for ten and faces (R-SHOE-2)."""
    return ace if card[0] == "A" else points(card) or 10


def symbol(card: str) -> str:
    """The card for people: `9♣`, `10♥`."""
    return card[0].replace("T", "10") + SYMBOLS[card[1]]
