"""The rows of patrons beside whom somebody bets against chance, each question in its own table."""

from datetime import date
from typing import TypeVar

from msgspec import field

from domain.review.protection.beside import Beside
from projections.rows import Row

B = TypeVar("B", bound=Beside)
# The columns that each such table has, beside what its question looks at in the coup.
COLUMNS = """
    patron     text   NOT NULL PRIMARY KEY,
    coup       text   NOT NULL,  -- the last one
    free       double precision NOT NULL,  -- before that coup, as are guesses to wrong
    guesses    jsonb  NOT NULL,
    largest    bigint NOT NULL,  -- minor units
    "right"    int    NOT NULL,
    wrong      int    NOT NULL,
    gaming_day date   NOT NULL,  -- of that coup
    most       double precision NOT NULL  -- that was held on that day, before that coup
"""


class BesidePatron(Row):
    """A patron's last coup, and who bets beside them as he was before it."""

    patron: str
    coup: str
    free: float = field(default_factory=lambda: Beside().free)
    guesses: list[float] = field(default_factory=lambda: Beside().guesses)
    largest: int = 0
    right: int = 0
    wrong: int = 0
    gaming_day: date
    most: float = 0.0

    def before(self, kind: type[B]) -> B:
        """Who bets beside them, before that coup."""
        return kind(self.free, self.guesses, self.largest, self.right, self.wrong)

    def go_on(self, after: Beside, coup: str, gaming_day: date) -> None:
        """Begins another coup; `after`: who bets beside them after the last one."""
        self.most = max(self.most, after.held) if gaming_day == self.gaming_day else 0.0
        self.coup, self.gaming_day = coup, gaming_day
        self.free, self.guesses, self.largest = after.free, after.guesses, after.largest
        self.right, self.wrong = after.right, after.wrong
