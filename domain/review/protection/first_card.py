"""Whether a patron's side follows the first card of the coup, which nobody should know.

Who recognises good cards by their backs, edge-sorted or marked, bets on Player when the first card,
which is Player's, is a 6 to 9 (Ivey v Genting [2017] UKSC 67); so does who bets once it is drawn.

Chance: the first card is equally likely to be any of those that have not been seen, so it is good
with just the share of good cards among them, whatever the patron saw on the roads and whichever
cards they counted. Beside it a gambler (`beside.py`) wagers on a good card when the patron bets on
Player, and on another one when they bet on Banker.
"""

from collections.abc import Sequence

from domain.review.protection.beside import Beside
from domain.rules.cards import DECK

GOOD = "6789"  # ranks
_GOOD_CARDS = frozenset(card for card in DECK if card[0] in GOOD)
_GOOD_OF_A_DECK, _DECK = len(_GOOD_CARDS), len(DECK)


def is_good(card: str) -> bool:
    """Whether a first card makes Player win more often than not.

    >>> is_good("9C"), is_good("5H"), is_good("10D"), is_good("KD")
    (True, False, False, False)
    """
    return card in _GOOD_CARDS


def share_of_good(decks: int, seen: Sequence[str | None]) -> float:
    """The share of good cards among those that have not been seen; None: left face down.

    >>> share_of_good(8, []) == 4 / 13
    True
    >>> share_of_good(1, ["9C", None, "KD"])
    0.3
    """
    named = "".join(filter(None, seen))  # in one text they are counted sooner
    good = sum(map(named.count, GOOD))
    return (_GOOD_OF_A_DECK * decks - good) / (_DECK * decks - len(named) // 2)


class OnFirstCard(Beside):
    """A gambler on the first card beside one patron; `right`: their side was that of the card."""

    def after(self, share: float, *, good: bool, on_player: int, on_banker: int) -> "OnFirstCard":
        """What he holds after a coup; `share`: of good cards before it. Stakes in minor units.

        >>> OnFirstCard().after(0.3, good=True, on_player=5_00, on_banker=0).held > 1
        True
        >>> OnFirstCard().after(0.3, good=True, on_player=0, on_banker=5_00).held < 1
        True
        """
        net = on_player - on_banker
        if net == 0 or not 0 < share < 1:
            return self
        chance = share if net > 0 else 1 - share
        return self.paid(abs(net), chance, right=good == (net > 0))
