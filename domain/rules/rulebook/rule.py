"""A rule of record, and where rules come from."""

from collections.abc import Mapping

from msgspec import Struct

from domain.rules.wording import N_

# Where rules come from. A seed is one of the five descriptions of the game that the rule sets
# classic@1, big-table@1, tie-eight@1, dragon-bonus@1 and electronic@1 are made from.
TABLEAU = "58 Pa. Code 631a.11; N.J.A.C. 13:69F-3.9"
FACE_UP = "seed 000_12146a3e"
SQUEEZE = "seed 001_cfe116c2"
DRAGON = "seed 003_c0d30843"
ELECTRONIC = "seed 004_a379723b; 58 Pa. Code 605a.2; 9 NYCRR 5321.12"
SEEDS = "all five seeds"
OWN = "Sabot's own rule"
FAMILIES: Mapping[str, str] = {
    "CARD": N_("Cards and totals"),
    "DEAL": N_("Dealing"),
    "DRAW": N_("Third cards"),
    "WIN": N_("The result"),
    "BET": N_("Wagers"),
    "PAY": N_("Payment"),
    "PROG": N_("Meters"),
    "PROMO": N_("Coupons"),
    "COM": N_("Commission"),
    "SHOE": N_("The shoe"),
    "IRR": N_("Irregularities"),
    "ACC": N_("Game accounts"),
    "CASH": N_("Cash"),
    "FLOOR": N_("The floor"),
    "PLAY": N_("Limits and breaks"),
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
    """A rule that these modules of the domain enforce."""
    return Rule(number, sentence, source, tuple(f"domain.{module}" for module in enforced))
