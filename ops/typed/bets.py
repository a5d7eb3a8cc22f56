"""A line that begins with a seat or `=`: groups of wagers, what is repeated, what is taken back.

A blank divides groups where a seat list begins; a letter after an amount is the same group's
next spot. Nothing is taken back in a line that does anything else.
"""

import re
from decimal import Decimal

from ops.typed.acts import SPOT_KEYS, Act, Bets, Group, TakeBack, Wager
from ops.typed.tokens import (
    AMOUNT,
    CARD,
    CARDS_ARE,
    SEATS,
    SPOT,
    SPOTS_ARE,
    amount_of,
    pattern,
    seats_of,
    spot_of,
    wrong,
)
from ops.typed.written import seats_text

_WORD = pattern(r"[^\s=]+")
_LETTERS = pattern(r"[^\s=0-9]+")
_APART = pattern(r"(?:d7|l6)[0-9]")
_NEARLY_A_CARD = pattern(r"[0-9]{1,2}\s?[a-z]{1,2}")  # no amount: it was meant as one
_FIRST_CARDS = pattern(rf"(?:{CARD.pattern}\s*)+")


def read(line: str) -> Act:
    """Bets, or a TakeBack. Raises Wrong."""
    reader = _Reader(line)
    groups: list[Group] = []
    same: list[int] = []
    everybody = False
    while reader.more:
        if reader.sign("="):
            if everybody:
                wrong("= stands in it twice.")
            everybody = True
            continue
        seats = reader.seats()
        if reader.sign("="):
            if not reader.apart:
                wrong("write a blank after =, before what comes next.")
            same.extend(seats)
            continue
        spot = reader.spot_to_take_back()
        if reader.sign("-"):
            act = TakeBack(seats, spot)
            if groups or same or everybody or reader.more:
                wrong(f"take back on a line of its own: {act.words}")
            return act
        groups.append(Group(seats, reader.wagers(seats)))
    return _each_once(Bets(tuple(groups), tuple(same), everybody))


def _each_once(act: Bets) -> Bets:
    """Of two amounts on one spot nobody knows which lies there."""
    places = [(seat, wager.spot) for seat, wager in act.wagers]
    for seat, spot in places:
        if places.count((seat, spot)) > 1:
            wrong(f"seat {seat} on {spot} stands in it twice.")
    for seat in act.same:
        if act.same.count(seat) > 1:
            wrong(f"seat {seat} stands in it twice.")
    return act


class _Reader:
    """Where one has got to in the line, blanks passed; `apart`: there was one, or the end."""

    def __init__(self, line: str) -> None:
        self.line = line
        self.at = 0
        self.apart = True

    @property
    def more(self) -> str:
        """What is left."""
        return self.line[self.at :]

    def _pass(self, length: int) -> None:
        left = self.more[length:]
        self.apart = not left or left[0].isspace()
        self.at = len(self.line) - len(left.lstrip())

    def take(self, wanted: re.Pattern[str]) -> str | None:
        """What is wanted, if it stands here."""
        found = wanted.match(self.line, self.at)
        if found:
            self._pass(len(found[0]))
        return found[0] if found else None

    def sign(self, sign: str) -> bool:
        """Whether it stands here; then it is passed."""
        here = self.more.startswith(sign)
        if here:
            self._pass(1)
        return here

    def word(self) -> str:
        """What stands here, to be told of."""
        found = _WORD.match(self.line, self.at)
        return found[0] if found else self.more[:1]

    def seats(self) -> tuple[int, ...]:
        """One or more. Raises Wrong."""
        typed = self.take(SEATS)
        if typed is None:
            wrong(f"{self.word()} is no seat; write seat, spot and amount, as in 3 b 500.")
        return seats_of(typed)

    def spot_to_take_back(self) -> str:
        """The spot that stands before a minus sign, which is next; '' if none does."""
        before = self.at, self.apart
        spot = self.take(SPOT)
        if spot and self.more.startswith("-"):
            return spot_of(spot)
        self.at, self.apart = before
        return ""

    def wagers(self, seats: tuple[int, ...]) -> tuple[Wager, ...]:
        """Of one group: up to the end, or to what begins with a digit or `=`. Raises Wrong."""
        wagers: list[Wager] = []
        while not wagers or (self.more and self.more[0] not in "=0123456789"):
            wagers.append(self._wager(seats))
        if not self.apart:
            wrong(f"write a blank before {self.word() or self.more[0]}.")
        return tuple(wagers)

    def _wager(self, seats: tuple[int, ...]) -> Wager:
        if not self.more:
            these = seats_text(seats)
            wrong(f"say spot and amount too: {these} b 500; or {these} = or {these} -")
        spot = self.take(SPOT)
        if spot is None:
            wrong(self._no_spot())
        glued = not self.apart
        typed = self.take(AMOUNT)
        if typed is None:
            said = f"{self.word()} is no amount" if self.more[:1].isdigit() else "no amount stands"
            wrong(f"{said} on {spot}; write it as 500, 12.50 or 1.5k.")
        amount = amount_of(typed)
        if not Decimal(amount):
            back = TakeBack(seats, spot_of(spot)).words
            wrong(f"nothing lies on {spot} then; to take it back write {back}")
        other = SPOT_KEYS.get(spot.lower() + typed[0], "") if glued else ""
        return Wager(spot_of(spot), amount, other)

    def _no_spot(self) -> str:
        """It may have been meant as cards, or a blank is missing."""
        if _APART.match(self.more):
            return f"write a blank after {self.more[:2]}, before its amount."
        cards = _FIRST_CARDS.match(self.line)
        if cards and self.at < cards.end():
            word = self.line[cards.end() :].strip()
            return f"{word} is no card; write rank and suit, as in 9h, th or 9c5s7cqd."
        if _NEARLY_A_CARD.fullmatch(self.line):
            these = f"{CARDS_ARE}; a wager has seat, spot and amount, as in 3 b 500"
            return f"{self.line} is no card: {these}."
        letters = _LETTERS.match(self.line, self.at)
        return f"{letters[0] if letters else self.word()} is no spot; {SPOTS_ARE}."
