"""Whether a stretch of an earlier shoe came again: cards that were kept together in the shuffle.

A stretch is looked for forwards and backwards, whole or with other cards riffled into it. This is
how the "Tran Organization" took 868,000 dollars from one casino in ninety minutes of October 2005:
somebody wrote down the cards that were dealt, and a bribed dealer did not shuffle them (indictment
of 22 May 2007, S.D. Cal.).
"""

from collections import Counter
from collections.abc import Mapping, Sequence

from domain.review.protection.following import Gambler
from domain.rules.cards import DECK

BACKWARDS = " backwards"
EARLIER = 6  # shoes of the table beside which the cards of one are looked at


def repeated_slug(decks: int, earlier: Mapping[str, Sequence[str | None]]) -> Gambler:
    """A gambler who guesses that cards leave a shoe as they left an earlier one, by its address."""
    known = {shoe: [card for card in order if card] for shoe, order in earlier.items()}
    back = {f"{shoe}{BACKWARDS}": order[::-1] for shoe, order in known.items()}
    return Gambler(Counter(DECK * decks), {**known, **back})
