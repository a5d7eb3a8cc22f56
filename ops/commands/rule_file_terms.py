"""The terms on which a rule file takes the bets on each spot: its table `[terms]`."""

import re
from collections.abc import Callable, Collection, Mapping
from fractions import Fraction

from msgspec import UNSET

from domain.rules.choices import OF_RULE_FILES, one_of
from domain.rules.house_rules import FreeHands, HouseRules, SpotTerms
from domain.rules.house_rules.model import ALWAYS
from domain.rules.over_coups import OverCoups
from domain.rules.refusals import BadValue
from domain.rules.spots import in_order
from ops.commands.rule_file_tables import (
    HOW_TO_WRITE,
    FreeHandsTable,
    OverTable,
    TermsTable,
    Toml,
    quoted,
    table,
)

PART = re.compile(r"(?P<part>\d{1,6})(?:/(?P<of>\d{1,6})|(?P<percent>\s?%))?", re.ASCII)
Amount = Callable[[str, str], int]  # the minor units of a field's amount; refuses BadValue


def spot_terms(
    written: Mapping[str, Toml | str],
    base: HouseRules | None,
    offered: Collection[str],
    amount: Amount,
) -> dict[str, SpotTerms]:
    """The terms of each spot as written, or else as in the base. Refuses: BadValue."""
    terms = dict(base.terms) if base else {}
    for spot, stated in written.items():
        if spot not in offered:
            why = one_of(offered, spot, OF_RULE_FILES)
            raise BadValue(field="terms", value=quoted(spot), why=why)
        terms[spot] = _read(f"terms.{spot}", stated, amount)
    return {
        spot: terms[spot]
        for spot in sorted(terms, key=in_order)
        if spot in offered and terms[spot] != ALWAYS
    }


def free_hands(written: Toml | str) -> FreeHands | None:
    """How many coups are dealt without a bet; None: any number. Refuses: BadValue."""
    if written == "any":
        return None
    if isinstance(written, str):
        why = HOW_TO_WRITE["free_hands"]
        raise BadValue(field="free_hands", value=quoted(written), why=why)
    stated = table(written, FreeHandsTable, "free_hands.")
    return FreeHands(in_a_row=stated.in_a_row, at_start=stated.at_start)


def _read(field: str, stated: Toml | str, amount: Amount) -> SpotTerms:
    if stated == "none":
        return ALWAYS
    if isinstance(stated, str):
        raise BadValue(field=field, value=quoted(stated), why=HOW_TO_WRITE["terms"])
    written = table(stated, TermsTable, f"{field}.")
    most = written.most_won
    return SpotTerms(
        beside=tuple(written.beside),
        seats=tuple(written.seats),
        not_in_first=written.not_in_first,
        not_in_last=written.not_in_last,
        most_won=None if most is UNSET else amount(f"{field}.most_won", most),
        after_four=written.after_four.strip(),
        up_to=None if written.up_to is UNSET else _part(f"{field}.up_to", written.up_to),
        over=None if written.over is UNSET else _over(f"{field}.over", written.over),
    )


def _over(field: str, stated: Toml) -> OverCoups:
    """The coups by which a bet is decided (R-BET-9). Refuses: BadValue, MissingField."""
    written = table(stated, OverTable, f"{field}.")
    at_end = "returned" if written.at_end is UNSET else written.at_end
    if at_end not in ("returned", "lost"):
        raise BadValue(field=f"{field}.at_end", value=quoted(at_end), why=HOW_TO_WRITE["at_end"])
    return OverCoups(
        coups=written.coups,
        wins=written.wins.strip(),
        skips=written.skips.strip(),
        at_end="lost" if at_end == "lost" else "returned",
    )


def _part(field: str, written: str) -> tuple[int, int]:
    """A part as a fraction in lowest terms. Refuses: BadValue."""
    stated = PART.fullmatch(written.strip())
    of = int(stated["of"] or 1) * (100 if stated["percent"] else 1) if stated else 0
    if stated is None or not of:
        raise BadValue(field=field, value=quoted(written), why=HOW_TO_WRITE["up_to"])
    part = Fraction(int(stated["part"]), of)
    return part.numerator, part.denominator
