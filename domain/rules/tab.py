"""Commission owed, win by win, rounded per win or on collection (R-COM-1 to 3)."""

from fractions import Fraction

from msgspec import Struct, field

from domain.rules.money import Rounding

LET_GO = ("walked", "waived")  # written off unpaid; the first is owed again first


class Tab(Struct):
    """The commission that a stay owes for one shoe.

    Where commission is rounded on collection, everything that accrued since nothing was owed is
    rounded as one sum; a part payment does not round it a second time. Commission taken at payout
    is rounded `alone`.
    """

    owed: int = 0  # less than 0: so much is owed to the patron
    sums: list[Fraction] = field(default_factory=lambda: [Fraction(0)])  # exact; rounded one by one
    wins: dict[str, tuple[int | None, Fraction]] = field(default_factory=dict)  # its sum, amount
    let_go: dict[str, int] = field(default_factory=lambda: dict.fromkeys(LET_GO, 0))

    def charge_of(
        self, win: str, more: Fraction, rounding: Rounding, *, alone: bool = False
    ) -> int:
        """The change in the charge when this win accrues `more`, which may be negative."""
        which, so_far = self._of(win, alone=alone)
        by_itself = which is None or rounding.moment == "per-win"
        before = so_far if by_itself else self.sums[which or 0]
        return rounding.charge(before + more) - rounding.charge(before)

    def add(self, win: str, more: Fraction, charged: int, *, alone: bool = False) -> None:
        """Accrues `more` for this win, which may be negative."""
        which, so_far = self._of(win, alone=alone)
        self.wins[win] = which, so_far + more
        if which is not None:
            self.sums[which] += more
        self.owed += charged

    def _of(self, win: str, *, alone: bool) -> tuple[int | None, Fraction]:
        """A win's sum and its amount; a new win joins the last sum, or is alone."""
        return self.wins.get(win, (None if alone else len(self.sums) - 1, Fraction(0)))

    def take_back(self, part: int) -> None:
        """Owes a part again that was not paid; a sum that it ended goes on, if it is the last.

        A part below 0, which the house owes, begins and ends no sum.
        """
        ended = part > 0 and self.owed == 0 and len(self.sums) > 1
        if ended and self.sums[-1] == 0 and not self._last_is_used:
            self.sums.pop()
        self.owed += part

    @property
    def _last_is_used(self) -> bool:
        return any(which == len(self.sums) - 1 for which, _ in self.wins.values())

    def pay(self, part: int) -> None:
        """Takes off a part collected or written off; when nothing is owed, a new sum begins."""
        self.owed -= part
        if part > 0 and self.owed == 0:
            self.sums.append(Fraction(0))
