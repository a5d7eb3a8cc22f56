"""The terms on which a rule file takes the bets on each spot: its table `[terms]`."""

from collections.abc import Collection, Mapping

from domain.rules.choices import OF_RULE_FILES, one_of
from domain.rules.house_rules import HouseRules, SpotTerms
from domain.rules.house_rules.model import ALWAYS
from domain.rules.refusals import BadValue
from domain.rules.spots import in_order
from ops.commands.rule_file_tables import HOW_TO_WRITE, TermsTable, Toml, quoted, table


def spot_terms(
    written: Mapping[str, Toml | str], base: HouseRules | None, offered: Collection[str]
) -> dict[str, SpotTerms]:
    """The terms of each spot as written, or else as in the base. Refuses: BadValue."""
    terms = dict(base.terms) if base else {}
    for spot, stated in written.items():
        if spot not in offered:
            why = one_of(offered, spot, OF_RULE_FILES)
            raise BadValue(field="terms", value=quoted(spot), why=why)
        terms[spot] = _read(f"terms.{spot}", stated)
    return {
        spot: terms[spot]
        for spot in sorted(terms, key=in_order)
        if spot in offered and terms[spot] != ALWAYS
    }


def _read(field: str, stated: Toml | str) -> SpotTerms:
    if stated == "none":
        return ALWAYS
    if isinstance(stated, str):
        raise BadValue(field=field, value=quoted(stated), why=HOW_TO_WRITE["terms"])
    written = table(stated, TermsTable, f"{field}.")
    return SpotTerms(
        beside=tuple(written.beside),
        seats=tuple(written.seats),
        not_in_first=written.not_in_first,
        not_in_last=written.not_in_last,
    )
