"""The rows of patrons beside whom somebody bets against chance, each question in its own table."""

from datetime import date

from domain.review.protection.beside import Beside
from projections.rows import Row

# The columns that each such table has, beside what its question looks at in the coup.
COLUMNS = """
    patron     text   NOT NULL PRIMARY KEY,
    coup       text   NOT NULL,  -- the last one
    before     jsonb  NOT NULL,  -- who bets beside them, before that coup
    after      jsonb  NOT NULL,  -- and after it
    gaming_day date   NOT NULL,  -- of that coup
    most       double precision NOT NULL  -- that was held on that day, before that coup
"""


class BesidePatron(Row):
    """A patron's last coup, and who bets beside them; each question says what kind of gambler."""

    patron: str
    coup: str
    before: Beside
    after: Beside
    gaming_day: date
    most: float = 0.0

    def go_on(self, coup: str, gaming_day: date) -> None:
        """Begins another coup."""
        now = self.after.held
        self.most = max(self.most, now) if gaming_day == self.gaming_day else 0.0
        self.coup, self.gaming_day, self.before = coup, gaming_day, self.after
