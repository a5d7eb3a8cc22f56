"""One rule of record, and what rules are about."""

from collections.abc import Mapping

from msgspec import Struct

from domain.rules.wording import N_

FAMILIES: Mapping[str, str] = {
    "CARD": N_("Cards and totals"),
    "DEAL": N_("Dealing"),
    "DRAW": N_("Third cards"),
    "WIN": N_("The result"),
    "BET": N_("Wagers"),
    "PAY": N_("Payment"),
    "PROG": N_("Meters"),
    "COM": N_("Commission"),
    "SHOE": N_("The shoe"),
    "IRR": N_("Irregularities"),
    "ACC": N_("Game accounts"),
}


class Rule(Struct, frozen=True):
    """One rule of record."""

    number: str
    sentence: str  # one or two, as a new dealer learns them
    source: str
    enforced: tuple[str, ...]  # the modules that hold everybody to it, the first one foremost

    @property
    def family(self) -> str:
        """What the rule is about: `Irregularities`."""
        return FAMILIES[self.number.split("-")[1]]


def rule(number: str, sentence: str, source: str, *enforced: str) -> Rule:
    """A rule, by the modules of the domain that enforce it."""
    return Rule(number, sentence, source, tuple(f"domain.{module}" for module in enforced))
