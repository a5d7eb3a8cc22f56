"""The changes to a coup that somebody may ask about, each kind a class.

`domain.review.what_if.parse` reads them as people write them.
"""

from typing import Literal, Protocol

from msgspec import Struct

from domain.rules.hands import Hand
from domain.rules.money import Rounding, digits, major
from domain.rules.refusals import BadValue

Disposition = Literal["carry", "burn", "dummy"]


class Change(Protocol):
    """One thing that was different."""

    @property
    def subject(self) -> str:
        """The subject, about which only one change is allowed at once."""

    def written(self, currency: str) -> str:
        """The text that `read` takes, and that answers show."""


class CardIs(Struct, frozen=True):
    """Another card came at that place, from 1, in deal order."""

    n: int
    card: str

    @property
    def subject(self) -> str:
        """The subject of the change."""
        return f"card {self.n}"

    def written(self, _: str) -> str:
        """The text that `read` takes."""
        return f"card {self.n} = {self.card}"


class ThirdCard(Struct, frozen=True):
    """A hand was given a third card, or was not, whatever the tableau says."""

    hand: Hand
    draws: bool

    @property
    def subject(self) -> str:
        """The subject of the change."""
        return f"{self.hand.title()}'s third card"

    def written(self, _: str) -> str:
        """The text that `read` takes."""
        return f"{'' if self.draws else 'no-'}draw {self.hand}"


class _OfWager(Struct, frozen=True):
    """A change to the wager on a spot."""

    seat: int
    spot: str

    @property
    def subject(self) -> str:
        """The subject of the change."""
        return f"seat {self.seat}'s wager on {self.spot}"


class BetIs(_OfWager, frozen=True):
    """The wager on the spot was this, in minor units."""

    amount: int

    def written(self, currency: str) -> str:
        """The text that `read` takes."""
        return f"bet {self.seat} {self.spot} {_plain(self.amount, currency)}"


class NoBet(_OfWager, frozen=True):
    """There was no wager on the spot."""

    def written(self, _: str) -> str:
        """The text that `read` takes."""
        return f"no-bet {self.seat} {self.spot}"


class BetMoved(_OfWager, frozen=True):
    """The wager on one spot was on another, added to the wager there."""

    to_seat: int
    to_spot: str

    def written(self, _: str) -> str:
        """The text that `read` takes."""
        to_seat = "" if self.to_seat == self.seat else f"{self.to_seat} "
        return f"move {self.seat} {self.spot} to {to_seat}{self.to_spot}"


class RulesAre(Struct, frozen=True):
    """The coup was paid by another rule set."""

    name: str
    subject = "the rule set"

    def written(self, _: str) -> str:
        """The text that `read` takes."""
        return f"rules {self.name}"


class RoundingIs(Struct, frozen=True):
    """Commission was rounded differently; the defaults are those of `Rounding`."""

    rounding: Rounding
    subject = "the rounding"

    def written(self, currency: str) -> str:
        """The text that `read` takes."""
        rounding, plain = self.rounding, Rounding()
        words: list[str] = ["rounding", rounding.mode]
        if rounding.unit != plain.unit:
            words.append(_plain(rounding.unit, currency))
        if rounding.minimum != plain.minimum:
            words.append(f"min {_plain(rounding.minimum, currency)}")
        if rounding.moment != plain.moment:
            words.append(rounding.moment)
        return " ".join(words)


class IsVoid(Struct, frozen=True):
    """Every stake was returned (R-IRR-4)."""

    subject = "whether it is void"

    def written(self, _: str) -> str:
        """The text that `read` takes."""
        return "void"


class Then(Struct, frozen=True):
    """The disposition of cards that the changed coup does not take (R-IRR-1)."""

    disposition: Disposition
    subject = "the cards left over"

    def written(self, _: str) -> str:
        """The text that `read` takes."""
        return f"then {self.disposition}"


class Misdraw(Struct, frozen=True):
    """The disposition of the card that came before the coup when none was due (R-IRR-1)."""

    disposition: Disposition
    subject = "the card that came when none was due"

    def written(self, _: str) -> str:
        """The text that `read` takes."""
        return f"misdraw {self.disposition}"


def refused(change: str, why: str) -> BadValue:
    """The refusal of a change that is impossible."""
    return BadValue(field="--what-if", value=repr(change), why=why)


def _plain(amount: int, currency: str) -> str:
    """An amount without commas and without zero cents: `200`, `12.50`."""
    text = major(amount, currency).replace(",", "")
    return text.removesuffix("." + "0" * digits(currency))
