"""The pay table of each spot, "to" and never "for" (R-BET-1, R-BET-2, R-PAY-1 to 4).

A pay table is read from the top; the first line that fits the finished coup decides.

>>> from domain.rules.hands import play
>>> coup = play(["9C", "5S", "7C", "QD", "9S"]).result
>>> judge(PLAYER, coup)
PayLine(when='player wins', pays=(1, 1), of_meter=False)
>>> judge(BANKER, coup) is None
True
>>> winnings(100_00, (19, 20))
9500
"""

from fractions import Fraction
from typing import Literal

from msgspec import Struct

from domain.rules.conditions import condition
from domain.rules.hands import Hand, Result
from domain.rules.money import decimal_string

Odds = tuple[int, int]
PUSH: Odds = (0, 1)
METER = "meter"


class PayLine(Struct, frozen=True, omit_defaults=True):
    """When the coup ended so, the stake wins `pays[0]` for each `pays[1]` staked; PUSH returns it.

    `when` is a condition, as `domain.rules.conditions` reads it. `of_meter`: all that it pays
    share `pays[0]` of `pays[1]` parts of the spot's meter instead (R-PROG-3).
    """

    when: str
    pays: Odds
    of_meter: bool = False

    @property
    def text(self) -> str:
        """What it pays, as it is recorded: `8:1`, `meter`, `10% of the meter`."""
        to, each = self.pays
        if not self.of_meter:
            return f"{to}:{each}"
        percent = decimal_string(Fraction(to * 100, each))
        return METER if to == each else f"{percent}% of the {METER}"


PayTable = tuple[PayLine, ...]
TIE_RETURNS = PayLine("tie", PUSH)
PLAYER: PayTable = (PayLine("player wins", (1, 1)), TIE_RETURNS)
BANKER: PayTable = (PayLine("banker wins", (1, 1)), TIE_RETURNS)
BANKER_19_TO_20: PayTable = (PayLine("banker wins", (19, 20)), TIE_RETURNS)
BANKER_HALF_ON_6: PayTable = (PayLine("banker wins on 6", (1, 2)), *BANKER)
BANKER_PUSHES_ON_7: PayTable = (PayLine("banker wins on 7 with three cards", PUSH), *BANKER)
TIE_8_TO_1: PayTable = (PayLine("tie", (8, 1)),)
TIE_9_TO_1: PayTable = (PayLine("tie", (9, 1)),)
DRAGON_7: PayTable = (PayLine("banker wins on 7 with three cards", (40, 1)),)
PANDA_8: PayTable = (PayLine("player wins on 8 with three cards", (25, 1)),)
LUCKY_6: PayTable = (
    PayLine("banker wins on 6 with two cards", (12, 1)),
    PayLine("banker wins on 6 with three cards", (20, 1)),
)


def dragon_bonus(
    side: Hand,
    by_margin: tuple[int, ...] = (30, 10, 6, 4, 2, 1),
    natural_win: int = 1,
    natural_tie: Odds = PUSH,
) -> PayTable:
    """The Dragon Bonus on one side (R-PAY-2); `by_margin`: to 1, for a win by 9, 8 … 4."""
    return (
        PayLine(f"{side} wins with a natural", (natural_win, 1)),
        PayLine("natural tie", natural_tie),
        *(
            PayLine(f"{side} wins by {margin} without a natural", (to, 1))
            for margin, to in zip(range(9, 3, -1), by_margin, strict=True)
        ),
    )


def pair(side: Hand) -> PayTable:
    """The pair bet on one side's first two cards (R-PAY-3)."""
    return (PayLine(f"first two {side} cards are a pair", (11, 1)),)


def judge(table: PayTable, result: Result) -> PayLine | None:
    """The line that pays or returns the wager; None: it loses."""
    for line in table:
        if condition(line.when).holds(result):
            return line
    return None


def verdict(line: PayLine | None) -> Literal["win", "push", "lose"]:
    """The result of a wager that this line decided."""
    if line is None:
        return "lose"
    return "push" if line.pays == PUSH else "win"


def winnings(stake: int, odds: Odds) -> int:
    """The minor units won beside the stake, rounded down."""
    return stake * odds[0] // odds[1]


def odds_text(table: PayTable, line: PayLine | None) -> str | None:
    """The odds of the line that decided; a spot with only one line shows it for lost wagers too."""
    if line is not None and line.pays != PUSH:
        return line.text
    paying = [each for each in table if each.pays != PUSH]
    return paying[0].text if len(paying) == 1 else None
