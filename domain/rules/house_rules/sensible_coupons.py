"""Checks for sense of the coupons that a rule set takes, when it is approved (R-PROMO-1)."""

from collections.abc import Iterator

from domain.rules.choices import OF_RULE_FILES, one_of
from domain.rules.house_rules.model import ALWAYS, HouseRules
from domain.rules.refusals import BadValue


def coupon_faults(rules: HouseRules) -> Iterator[BadValue]:
    """Every fault of the terms of coupons."""
    for kind, terms in rules.coupons.items():
        field = f"coupons.{kind}"
        if rules.accounts:
            why = "with game accounts nobody lays a coupon on the table; leave it out"
            yield BadValue(field=field, value="stated", why=why)
        if not terms.spots or len(set(terms.spots)) < len(terms.spots):
            why = "write different spots on which it is taken"
            yield BadValue(field=f"{field}.spots", value=list(terms.spots), why=why)
        for spot in terms.spots:
            if spot not in rules.spots:
                why = one_of(rules.spots, spot, OF_RULE_FILES)
                yield BadValue(field=f"{field}.spots", value=repr(spot), why=why)
            elif spot in rules.progressives or rules.terms_of(spot) != ALWAYS:
                why = "a coupon is taken only where bets have no terms and no meter of their own"
                yield BadValue(field=f"{field}.spots", value=repr(spot), why=why)
        if terms.commission == "taken-off" and "banker" not in terms.spots:
            why = "it does not lie on banker, so leave it out"
            yield BadValue(field=f"{field}.commission", value=terms.commission, why=why)
