"""Whether somebody deals slower or faster than others do, with as many patrons at the table.

A stretch is what one dealer deals of one shoe. Its coups take longer with more patrons, so it is
compared with what others take for coups with as many. Chance: a stretch is as likely slower than
that as faster, by as much. Then so far to one side as all of a dealer's are together they come at
most so often (Hoeffding, J. Am. Statist. Assoc. 58, 1963; each stretch is one, however long, since
one slow patron makes all its coups slow).
"""

import math

from msgspec import Struct

from domain.review.protection.drawn import Known


class Stretches(Struct, frozen=True):
    """A dealer's stretches: coups, the seconds that they took, and that others take for such.

    `sum`, `squares`: of the logarithm of what each took beside what others take; as decimals.
    """

    many: int
    coups: int
    seconds: str
    others: str
    sum: str
    squares: str

    @property
    def an_hour(self) -> float:
        """Coups an hour."""
        return self.coups * 3600 / float(self.seconds)

    @property
    def others_an_hour(self) -> float:
        """Coups an hour that others deal with as many patrons."""
        return self.coups * 3600 / float(self.others)

    @property
    def slower(self) -> Known:
        """How much slower a stretch is on the average, as a logarithm."""
        mean = float(self.sum) / self.many
        return Known(mean, float(self.squares) / self.many**2)

    @property
    def chance(self) -> float:
        """How often chance brings them so far to one side, at most.

        >>> ten = Stretches(10, 600, "36000", "30000", "1.8", "0.324")
        >>> round(ten.an_hour), round(ten.others_an_hour), f"{ten.chance:.3f}"
        (60, 72, '0.013')
        """
        squares = float(self.squares)
        return min(2 * math.exp(-(float(self.sum) ** 2) / (2 * squares)), 1.0) if squares else 1.0
