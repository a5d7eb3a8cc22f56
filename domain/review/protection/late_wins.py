"""Whether wagers that won and were entered once the coup was decided are one patron's too often.

A past-poster who waits for the result wins each time. That alone says nothing: an honest patron,
too, asks for a bet that was forgotten when it won, and nobody for one that lost. So what is asked
is whose they are.

Chance: of the patrons who won something in that coup, each is as likely to be the one whose bet was
forgotten or typed too low. Who bets on many spots, or puts chips down late, is so more often; so
the gambler (`beside.py`) beside each of those patrons is paid as if theirs were `EVEN_IF` times as
likely as each other's: by chance he never holds x units but in one of x patrons for whom that is
not too little, however often one looks. Which dealer, table or evening forgets much makes no
difference, because only those are compared who won in the same coup. Where nobody else won nothing
is learned, and of several such wagers in a coup the first one counts.
"""

from domain.review.protection.beside import Beside

EVEN_IF = 3  # times as likely to be forgotten as another patron's


class LateWins(Beside):
    """A gambler beside one patron; `right`: the wager was theirs, `wrong`: another's."""

    def after(self, others: int, *, theirs: bool) -> "LateWins":
        """What he holds after a coup in which they won, and so many others.

        >>> LateWins().after(2, theirs=True).held > 1 > LateWins().after(2, theirs=False).held
        True
        >>> LateWins().after(0, theirs=True) == LateWins()
        True
        """
        if not others:
            return self
        return self.paid(1, EVEN_IF / (EVEN_IF + others), right=theirs)
