"""Whether a patron is right more often than chance allows, with more money when they are.

Chance: of the coups that are no Tie, Banker wins 50.7% with eight full decks, and the cards that
are left move that by a few thousandths. So a wager on a side has at most the share in `AT_MOST`,
whatever the patron saw on the roads. Beside it a gambler (`beside.py`) copies the patron, paid at
fair odds for that share. Who knows a part of the cards, marks them, or bets when the cards are
known is right beyond that; so is who is paid on wagers made late.
"""

from domain.review.protection.beside import Beside
from domain.rules.spots import OPPOSITE

LEFT = 52  # cards: with fewer, their order may say more than the share has room for
# The most that the cards left let a side win of the coups that are no Tie.
AT_MOST = {"banker": 0.517, "player": 0.503}


class Copied(Beside):
    """A gambler who copies one patron, after each coup on which they bet."""

    def after(self, winner: str, on_winner: int, on_loser: int) -> "Copied":
        """What he holds after a coup that was no Tie; the patron's stakes in minor units.

        >>> Copied().after("banker", 100_00, 0).held > 1 > Copied().after("player", 0, 5_00).held
        True
        >>> Copied().after("banker", 100_00, 100_00) == Copied()
        True
        """
        net = on_winner - on_loser
        if net == 0:
            return self
        share = AT_MOST[winner if net > 0 else OPPOSITE[winner]]
        return self.paid(abs(net), share, right=net > 0)
