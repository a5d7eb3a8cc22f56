"""What is owed of commission, win by win, under either moment of rounding (R-COM-1 to 3)."""

from fractions import Fraction

from msgspec import Struct, field

from domain.rules.money import Rounding

LET_GO = ("walked", "waived")  # without being paid; the first is taken back first


class Tab(Struct):
    """What a stay owes of one shoe.

    Rounded on collection, what accrued since the last time that nothing was owed is rounded as
    one sum; a part payment in between does not round it a second time. What was taken at payout
    was collected `alone`, so it is in no sum with others.
    """

    owed: int = 0
    sums: list[Fraction] = field(default_factory=lambda: [Fraction(0)])  # exact, each one sum
    wins: dict[str, tuple[int | None, Fraction]] = field(default_factory=dict)  # sum, how much
    let_go: dict[str, int] = field(default_factory=lambda: dict.fromkeys(LET_GO, 0))

    def charge_of(
        self, win: str, more: Fraction, rounding: Rounding, *, alone: bool = False
    ) -> int:
        """By how much the charge changes when this win accrues so much more, or less."""
        which, so_far = self._of(win, alone=alone)
        by_itself = which is None or rounding.moment == "per-win"
        before = so_far if by_itself else self.sums[which or 0]
        return rounding.charge(before + more) - rounding.charge(before)

    def add(self, win: str, more: Fraction, charged: int, *, alone: bool = False) -> None:
        """This win accrued so much more, or less."""
        which, so_far = self._of(win, alone=alone)
        self.wins[win] = which, so_far + more
        if which is not None:
            self.sums[which] += more
        self.owed += charged

    def _of(self, win: str, *, alone: bool) -> tuple[int | None, Fraction]:
        """In which sum a win is, and with how much; a new one begins in the last, or alone."""
        return self.wins.get(win, (None if alone else len(self.sums) - 1, Fraction(0)))

    def pay(self, part: int) -> None:
        """Collected, waived or walked; once nothing is owed, a new sum begins."""
        self.owed -= part
        if self.owed == 0:
            self.sums.append(Fraction(0))
