"""What somebody may ask to have been otherwise in a coup, each kind under its name.

`domain.review.what_if.parse` says how they are written.
"""

from typing import Literal, Protocol

from msgspec import Struct

from domain.rules.hands import Hand
from domain.rules.money import Rounding, digits, major
from domain.rules.refusals import BadValue

Disposition = Literal["carry", "burn", "dummy"]


class Change(Protocol):
    """One thing that was otherwise."""

    @property
    def subject(self) -> str:
        """What nobody may ask two things about at once."""

    def written(self, currency: str) -> str:
        """As `read` takes it, and as answers carry it."""


class CardIs(Struct, frozen=True):
    """Another card came at that place, from 1, in deal order."""

    n: int
    card: str

    @property
    def subject(self) -> str:
        """What it is about."""
        return f"card {self.n}"

    def written(self, _: str) -> str:
        """As `read` takes it."""
        return f"card {self.n} = {self.card}"


class ThirdCard(Struct, frozen=True):
    """A hand was given a third card, or was not, whatever the tableau says."""

    hand: Hand
    draws: bool

    @property
    def subject(self) -> str:
        """What it is about."""
        return f"{self.hand.title()}'s third card"

    def written(self, _: str) -> str:
        """As `read` takes it."""
        return f"{'' if self.draws else 'no-'}draw {self.hand}"


class _OfWager(Struct, frozen=True):
    """About what lay on a spot."""

    seat: int
    spot: str

    @property
    def subject(self) -> str:
        """What it is about."""
        return f"what seat {self.seat} has on {self.spot}"


class BetIs(_OfWager, frozen=True):
    """This lay on the spot, in minor units, and nothing else."""

    amount: int

    def written(self, currency: str) -> str:
        """As `read` takes it."""
        return f"bet {self.seat} {self.spot} {_plain(self.amount, currency)}"


class NoBet(_OfWager, frozen=True):
    """Nothing lay on the spot."""

    def written(self, _: str) -> str:
        """As `read` takes it."""
        return f"no-bet {self.seat} {self.spot}"


class BetMoved(_OfWager, frozen=True):
    """What lay on the one spot lay on the other, beside what was there."""

    to_seat: int
    to_spot: str

    def written(self, _: str) -> str:
        """As `read` takes it."""
        to_seat = "" if self.to_seat == self.seat else f"{self.to_seat} "
        return f"move {self.seat} {self.spot} to {to_seat}{self.to_spot}"


class RulesAre(Struct, frozen=True):
    """The coup was paid by another rule set."""

    name: str
    subject = "the rule set"

    def written(self, _: str) -> str:
        """As `read` takes it."""
        return f"rules {self.name}"


class RoundingIs(Struct, frozen=True):
    """Commission was rounded otherwise; what is not said is as `Rounding` has it."""

    rounding: Rounding
    subject = "the rounding"

    def written(self, currency: str) -> str:
        """As `read` takes it."""
        said, plain = self.rounding, Rounding()
        words: list[str] = ["rounding", said.mode]
        if said.unit != plain.unit:
            words.append(_plain(said.unit, currency))
        if said.minimum != plain.minimum:
            words.append(f"min {_plain(said.minimum, currency)}")
        if said.moment != plain.moment:
            words.append(said.moment)
        return " ".join(words)


class IsVoid(Struct, frozen=True):
    """Every stake was returned (R-IRR-4)."""

    subject = "whether it is void"

    def written(self, _: str) -> str:
        """As `read` takes it."""
        return "void"


class Then(Struct, frozen=True):
    """What became of the cards that the changed coup leaves over (R-IRR-1)."""

    disposition: Disposition
    subject = "the cards left over"

    def written(self, _: str) -> str:
        """As `read` takes it."""
        return f"then {self.disposition}"


class Misdraw(Struct, frozen=True):
    """What became of the card that came before the coup when none was due (R-IRR-1)."""

    disposition: Disposition
    subject = "the card that came when none was due"

    def written(self, _: str) -> str:
        """As `read` takes it."""
        return f"misdraw {self.disposition}"


def refused(change: str, why: str) -> BadValue:
    """The refusal of a change that makes no sense."""
    return BadValue(field="what-if", value=repr(change), why=why)


def _plain(amount: int, currency: str) -> str:
    """An amount without commas, and without zeros that say nothing: `200`, `12.50`."""
    text = major(amount, currency).replace(",", "")
    return text.removesuffix("." + "0" * digits(currency))
