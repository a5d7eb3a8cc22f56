"""The coupons that a rule file takes, by kind: its table `[coupons]` (R-PROMO-1, R-PROMO-2)."""

from collections.abc import Collection, Mapping
from typing import get_args, get_type_hints

from msgspec.structs import replace

from domain.rules.choices import OF_RULE_FILES, one_of
from domain.rules.coupons import KINDS
from domain.rules.house_rules import CouponTerms, HouseRules
from domain.rules.refusals import BadValue
from ops.commands.rule_file_tables import HOW_TO_WRITE, CouponTable, Toml, quoted, stated_in, table


def coupons(
    written: Mapping[str, Toml | str], base: HouseRules | None, offered: Collection[str]
) -> dict[str, CouponTerms]:
    """The terms of each kind as written, or else as in the base. Refuses: BadValue.

    A spot that the base has and the file does not offer is left out of what the base takes.
    """
    stated = dict(base.coupons) if base else {}
    for kind, before in stated.items():
        stated[kind] = replace(
            before, spots=tuple(spot for spot in before.spots if spot in offered)
        )
    for kind, terms in written.items():
        if kind not in KINDS:
            why = one_of(KINDS, kind, OF_RULE_FILES)
            raise BadValue(field="coupons", value=quoted(kind), why=why)
        if terms == "none":
            stated.pop(kind, None)
        else:
            stated[kind] = _read(f"coupons.{kind}", terms)
    return {kind: stated[kind] for kind in KINDS if kind in stated and stated[kind].spots}


def _read(field: str, stated: Toml | str) -> CouponTerms:
    if isinstance(stated, str):
        raise BadValue(field=field, value=quoted(stated), why=HOW_TO_WRITE["coupons"])
    written = table(stated, CouponTable, f"{field}.")
    if not written.spots:
        raise BadValue(field=f"{field}.spots", value="[]", why=HOW_TO_WRITE["beside"])
    chosen = stated_in(written, "pays", "on_push", "commission")
    for name, value in chosen.items():
        choices = get_args(get_type_hints(CouponTerms)[name])
        if value not in choices:
            why = one_of(choices, value, OF_RULE_FILES)
            raise BadValue(field=f"{field}.{name}", value=quoted(value), why=why)
    return CouponTerms(spots=tuple(written.spots), **chosen)
