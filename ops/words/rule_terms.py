"""The terms of a rule set as people say them, from how an event has them.

>>> term_words("main minimum"), value_words("main minimum", "2500", "USD")
('minimum', '25.00')
>>> term_words("commission rate"), value_words("commission rate", "4, 100", "USD")
('commission', '4%')
>>> term_words("spots dragon-7 limit maximum")
'maximum on Dragon 7'
"""

from collections.abc import Mapping
from fractions import Fraction

from domain.rules.wording import N_, Amount, Words, as_words, listed
from ops.words.terms import spot_called

_TERMS: Mapping[str, str] = {
    "chips": N_("chips"),
    "seats": N_("seats"),
    "increment": N_("wagers in steps of"),
    "differential": N_("the most by which Player and Banker wagers may differ"),
    "decks_allowed": N_("decks"),
    "dealing": N_("dealing"),
    "pace slowest": N_("the fewest coups an hour that are wanted"),
    "pace fastest": N_("the most coups an hour that are wanted"),
    "main minimum": N_("minimum"),
    "main maximum": N_("maximum"),
    "commission rate": N_("commission"),
    "commission timing": N_("the commission is taken"),
    "commission rounding mode": N_("rounding of the commission"),
    "commission rounding unit": N_("the commission is rounded to"),
    "commission rounding moment": N_("the commission is rounded at"),
    "commission rounding minimum": N_("the least commission"),
}
_OF_A_SPOT: Mapping[str, str] = {
    "limit minimum": N_("minimum on {spot}"),
    "limit maximum": N_("maximum on {spot}"),
    "pays": N_("{spot} pays"),
    "key": N_("key of {spot}"),
    "cloth": N_("{spot} on the layout"),
    "row": N_("row of {spot}"),
}
_VALUES: Mapping[str, str] = {
    "face-up": N_("face up"),
    "face-down": N_("face down"),
    "squeeze": N_("in a squeeze"),
    "at-payout": N_("at the payout"),
    "deferred": N_("later"),
    "in-the-odds": N_("in the odds"),
    "exact": N_("none"),
    "nearest": N_("to the nearest"),
    "up": N_("up"),
    "per-win": N_("each win"),
    "on-collection": N_("the collection"),
}
_AMOUNTS = ("increment", "differential", "minimum", "maximum", "unit")


def term_words(term: str) -> str:
    """What a term is about; one that is not known as it is, with blanks."""
    if term in _TERMS:
        return Words(_TERMS[term])
    spot, _, part = term.removeprefix("own_spots ").removeprefix("spots ").partition(" ")
    if part in _OF_A_SPOT:
        return Words(_OF_A_SPOT[part], spot=spot_called(spot))
    return term.replace("_", " ")


def value_words(term: str, value: str, currency: str) -> str:
    """What a term says; `–` if the rule set does not have it."""
    if not value:
        return "–"
    if term.endswith("rate"):
        above, _, below = value.partition(", ")
        if above.isdigit() and below.isdigit() and int(below):
            return f"{float(Fraction(int(above), int(below)) * 100):g}%"
    if term == "chips":
        chips = [each for each in value.split(", ") if each.isdigit()]
        return listed(
            [str(Amount(int(each), currency, short=True)) for each in chips], N_("{some}, {last}")
        )
    if term.endswith(_AMOUNTS) and value.isdigit():
        return as_words(Amount(int(value), currency))
    return Words(_VALUES[value]) if value in _VALUES else value
