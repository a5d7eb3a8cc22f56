"""Coupons as pages show them: where one lies, and what became of it.

>>> str(lying_words("match-play", 25_00, "banker", "USD"))
'match play of 25.00 on Banker'
"""

from collections.abc import Mapping

from domain.rules.wording import N_, Amount, Words
from ops.words.rule_terms import kind_called
from ops.words.terms import spot_called

# By how it ended, and whether the dealer keeps it.
_BECAME: Mapping[tuple[str, bool], str] = {
    ("win", True): N_("wins, collected"),
    ("lose", True): N_("loses, collected"),
    ("push", True): N_("neither wins nor loses, collected"),
    ("push", False): N_("neither wins nor loses, goes back"),
    ("withdrawn", False): N_("never lay there, goes back"),
}
TAKEN_BACK = N_("taken back before the first card")
RETURNED = N_("goes back: the coup is void")


def lying_words(kind: str, worth: int, spot: str, currency: str) -> Words:
    """A coupon on the layout, without its number."""
    return Words(
        "{kind} of {worth} on {spot}",
        kind=kind_called(kind),
        worth=Amount(worth, currency),
        spot=spot_called(spot),
    )


def became(ended: str, *, used: bool) -> str:
    """What became of a coupon, for a reader's language; as it ended if that is none of these."""
    return _BECAME.get((ended, used), ended)
