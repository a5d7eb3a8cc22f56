"""A line that begins with a seat or `=`: groups of wagers, what is repeated, what is taken back.

A blank divides groups where a seat list begins; a letter after an amount is the same group's
next spot. Nothing is taken back in a line that does anything else.
"""

import re
from decimal import Decimal
from typing import NoReturn

from domain.rules.spots import spot_label
from domain.rules.wording import N_
from ops.typed.acts import Act, Bets, Group, TakeBack, Wager, spots_by_key
from ops.typed.tokens import (
    AMOUNT,
    CARD,
    NO_AMOUNT,
    NO_CARD,
    SEAT_TWICE,
    SEATS,
    amount_of,
    no_spot,
    pattern,
    seats_of,
    spot_of,
    spot_text,
    wrong,
)
from ops.typed.written import seats_text

_WORD = pattern(r"[^\s=]+")
_LETTERS = pattern(r"[^\s=0-9]+")
_APART = pattern(r"(?:d7|l6)[0-9]")
_NEARLY_A_CARD = pattern(r"[0-9]{1,2}\s?[a-z]{1,2}")  # no amount: it was meant as a card
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
                wrong(N_("`=` is in the line twice."))
            everybody = True
            continue
        seats = reader.seats()
        if reader.sign("="):
            if not reader.apart:
                wrong(N_("Type a blank after `=`."))
            same.extend(seats)
            continue
        spot = reader.spot_to_take_back()
        if reader.sign("-"):
            act = TakeBack(seats, spot)
            if groups or same or everybody or reader.more:
                wrong(N_("Take back in a line of its own: `{line}`."), line=act.words)
            return act
        groups.append(Group(seats, reader.wagers(seats)))
    return _each_once(Bets(tuple(groups), tuple(same), everybody))


def _each_once(act: Bets) -> Bets:
    """Refuses two amounts on one spot. Raises Wrong."""
    places = [(seat, wager.spot) for seat, wager in act.wagers]
    for seat, spot in places:
        if places.count((seat, spot)) > 1:
            wrong(
                N_("Seat {seat} on {spot} is in the line twice."),
                seat=seat,
                spot=spot_label(spot),
            )
    for seat in act.same:
        if act.same.count(seat) > 1:
            wrong(SEAT_TWICE, seat=seat)
    return act


class _Reader:
    """A place in the line, behind blanks; `apart`: a blank is before it, or it is the end."""

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
        """The text with this pattern, if it is next; else None."""
        match = wanted.match(self.line, self.at)
        if match:
            self._pass(len(match[0]))
        return match[0] if match else None

    def sign(self, sign: str) -> bool:
        """Whether this sign is next; then it is passed."""
        here = self.more.startswith(sign)
        if here:
            self._pass(1)
        return here

    def word(self) -> str:
        """The next word, to be shown."""
        match = _WORD.match(self.line, self.at)
        return match[0] if match else self.more[:1]

    def seats(self) -> tuple[int, ...]:
        """The seats that come next. Raises Wrong."""
        typed = self.take(SEATS)
        if typed is None:
            wrong(
                N_("`{word}` is not a seat. Type seat, spot and amount: `3 b 500`."),
                word=self.word(),
            )
        return seats_of(typed)

    def spot_to_take_back(self) -> str:
        """The spot before a minus sign, if that is next; else ''."""
        before = self.at, self.apart
        spot = self.take(spot_text())
        if spot and self.more.startswith("-"):
            return spot_of(spot)
        self.at, self.apart = before
        return ""

    def wagers(self, seats: tuple[int, ...]) -> tuple[Wager, ...]:
        """The wagers of one group, up to a digit, a `=` or the end. Raises Wrong."""
        wagers: list[Wager] = []
        while not wagers or (self.more and self.more[0] not in "=0123456789"):
            wagers.append(self._wager(seats))
        if not self.apart:
            wrong(N_("Type a blank before `{word}`."), word=self.word() or self.more[0])
        return tuple(wagers)

    def _wager(self, seats: tuple[int, ...]) -> Wager:
        if not self.more:
            wrong(
                N_("Type spot and amount too: `{seats} b 500`, or `{seats} =`, or `{seats} -`."),
                seats=seats_text(seats),
            )
        spot = self.take(spot_text())
        if spot is None:
            self._refuse_spot()
        glued = not self.apart
        typed = self.take(AMOUNT)
        if typed is None:
            if self.more[:1].isdigit():
                wrong(NO_AMOUNT, word=self.word())
            wrong(
                N_("There is no amount after `{spot}`. Type it as `500`, `12.50` or `1.5k`."),
                spot=spot,
            )
        amount = amount_of(typed)
        if not Decimal(amount):
            back = TakeBack(seats, spot_of(spot)).words
            wrong(N_("A bet of 0 is no bet. To take a bet back type `{line}`."), line=back)
        other = spots_by_key().get(spot.lower() + typed[0], "") if glued else ""
        return Wager(spot_of(spot), amount, other)

    def _refuse_spot(self) -> NoReturn:
        """Raises Wrong: it may have been meant as cards, or a blank is missing."""
        if _APART.match(self.more):
            wrong(N_("Type a blank between `{spot}` and its amount."), spot=self.more[:2])
        cards = _FIRST_CARDS.match(self.line)
        if cards and self.at < cards.end():
            wrong(NO_CARD, word=self.line[cards.end() :].strip())
        if _NEARLY_A_CARD.fullmatch(self.line):
            wrong(
                N_("`{word}` is not a card, and a bet has seat, spot and amount: `3 b 500`. "
                   "Ranks are `a 2-9 t j q k`, suits `c d h s`."),
                word=self.line,
            )  # fmt: skip
        letters = _LETTERS.match(self.line, self.at)
        no_spot(letters[0] if letters else self.word())
