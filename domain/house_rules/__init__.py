"""Named, versioned rule sets as data, one file each, with their sources.

A rule set never changes under its name: what differs is another version. The `digest` pins
the content, and a table day records both.

>>> named("dragon-bonus@1").decks
8
>>> named("dragon@9")
Traceback (most recent call last):
    ...
domain.refusals.UnknownRules: There is no rule set 'dragon@9'; there are big-table@1, classic@1, \
dragon-bonus@1, electronic@1, tie-eight@1.
"""

from domain.house_rules.big_table import BIG_TABLE
from domain.house_rules.classic import CLASSIC
from domain.house_rules.dragon_bonus import DRAGON_BONUS
from domain.house_rules.electronic import ELECTRONIC
from domain.house_rules.model import Commission, HouseRules, Limit, Spot
from domain.house_rules.tie_eight import TIE_EIGHT
from domain.refusals import UnknownRules

__all__ = ["RULE_SETS", "Commission", "HouseRules", "Limit", "Spot", "named"]

RULE_SETS = {
    rules.name: rules for rules in (BIG_TABLE, CLASSIC, DRAGON_BONUS, ELECTRONIC, TIE_EIGHT)
}


def named(name: str) -> HouseRules:
    """The rule set of that name and version. Refuses: UnknownRules."""
    try:
        return RULE_SETS[name]
    except KeyError:
        raise UnknownRules(rules=name, known=", ".join(sorted(RULE_SETS))) from None
