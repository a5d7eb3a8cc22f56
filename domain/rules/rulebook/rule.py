"""A rule of record, and where rules come from."""

from collections.abc import Mapping

from msgspec import Struct

from domain.rules.wording import N_

# Where rules come from. Five rule sets were each made from a printed description of the game; their
# own `source`, which is on record for ever, calls them seeds.
TABLEAU = "58 Pa. Code 631a.11; N.J.A.C. 13:69F-3.9"
FACE_UP = "the printed game of rule set classic@1"
SQUEEZE = "the printed game of rule set big-table@1"
DRAGON = "the printed game of rule set dragon-bonus@1"
ELECTRONIC = "the printed game of rule set electronic@1; 58 Pa. Code 605a.2; 9 NYCRR 5321.12"
SEEDS = "the printed games of all five rule sets"
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
