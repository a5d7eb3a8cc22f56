"""Checks for sense of the meters of side bets, when a rule set is approved (R-PROG-1 to 6)."""

import re
from collections.abc import Callable, Iterator
from fractions import Fraction

from domain.rules.house_rules.model import HouseRules, Progressive
from domain.rules.money import major
from domain.rules.refusals import BadValue
from domain.rules.spots import MAIN_SPOTS

METER_OF = re.compile(r"table|house|pit [a-z0-9-]{1,24}", re.ASCII)
LARGEST_SEED = 10**12  # minor units; with six more digits a meter stays exact everywhere


def meter_faults(rules: HouseRules) -> Iterator[BadValue]:
    """Every fault of a meter, and each line that a meter pays which is not there."""
    for spot, offer in rules.spots.items():
        by_meter = [line.text for line in offer.pays if line.of_meter]
        if by_meter and spot not in rules.progressives:
            why = f"state its meter in [progressives.{spot}]"
            yield _fault(f"spots.{spot}.pays", by_meter[0], why)
    for spot, meter in rules.progressives.items():
        if spot in rules.spots:
            yield from _of_a_meter(rules, spot, meter)
        else:
            yield _fault(f"progressives.{spot}", "stated", "it is not offered")


def _of_a_meter(rules: HouseRules, spot: str, meter: Progressive) -> Iterator[BadValue]:
    field, say = f"progressives.{spot}", _say(rules)
    smallest = max(min(rules.chips, default=1), 1)
    if spot in MAIN_SPOTS or rules.terms_of(spot).most_won is not None:
        yield _fault(field, "stated", "only a side bet without most_won has a meter")
    by_the_cards = any(line.of_meter for line in rules.spots[spot].pays)
    if not by_the_cards and meter.must_hit_by is None:
        why = f"no line of spots.{spot}.pays is paid by the meter; or state must_hit_by"
        yield _fault(field, "stated", why)
    if not METER_OF.fullmatch(meter.of):
        yield _fault(f"{field}.of", repr(meter.of), "write table, house, or as in pit north")
    if not 0 < meter.seed <= LARGEST_SEED or meter.seed % smallest:
        why = f"write an amount that chips of {say(smallest)} can make"
        yield _fault(f"{field}.seed", say(meter.seed), why)
    above, most = meter.two_people_above, meter.must_hit_by
    if above is not None and (rules.accounts or not 0 <= above <= LARGEST_SEED):
        why = "write an amount; with game accounts leave it out, because nobody is there to sign"
        yield _fault(f"{field}.two_people_above", say(above), why)
    if most is not None and (not meter.seed < most <= LARGEST_SEED or most % smallest):
        why = f"write more than the seed {say(meter.seed)}, in chips of {say(smallest)}"
        yield _fault(f"{field}.must_hit_by", say(most), why)
    yield from _shares(field, meter)


def _shares(field: str, meter: Progressive) -> Iterator[BadValue]:
    together = Fraction(0)
    for name in ("share", "reserve"):
        taken, of = getattr(meter, name)
        if of < 1 or 10**6 % of or not 0 <= taken <= of or (name == "share" and not taken):
            yield _fault(f"{field}.{name}", f"{taken} of {of}", "write it as in 1.5% or 2500 ppm")
            return
        together += Fraction(taken, of)
    if together > 1:
        yield _fault(f"{field}.reserve", "too much", "both shares are more than the wager")


def _fault(field: str, value: object, why: str) -> BadValue:
    return BadValue(field=field, value=value, why=why)


def _say(rules: HouseRules) -> Callable[[int], str]:
    """Writes an amount in the rule set's currency."""
    return lambda amount: major(amount, rules.currency)
