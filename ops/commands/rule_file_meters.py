"""The meters of a rule file, one a spot: its table `[progressives]` (R-PROG-1, R-PROG-2)."""

import re
from collections.abc import Collection, Mapping

from msgspec import UNSET

from domain.rules.choices import OF_RULE_FILES, one_of
from domain.rules.house_rules import HouseRules, Progressive
from domain.rules.refusals import BadValue
from domain.rules.spots import in_order
from ops.commands.rule_file_odds import rate_of
from ops.commands.rule_file_tables import HOW_TO_WRITE, ProgressiveTable, Toml, quoted, table
from ops.commands.rule_file_terms import Amount


def meters(
    written: Mapping[str, Toml | str],
    base: HouseRules | None,
    offered: Collection[str],
    amount: Amount,
) -> dict[str, Progressive]:
    """The meter of each spot as written, or else as in the base. Refuses: BadValue."""
    stated = dict(base.progressives) if base else {}
    for spot, terms in written.items():
        if terms == "none":
            stated.pop(spot, None)
            continue
        if spot not in offered:
            why = one_of(offered, spot, OF_RULE_FILES)
            raise BadValue(field="progressives", value=quoted(spot), why=why)
        stated[spot] = _read(f"progressives.{spot}", terms, amount)
    return {spot: stated[spot] for spot in sorted(stated, key=in_order) if spot in offered}


def _read(field: str, stated: Toml | str, amount: Amount) -> Progressive:
    if isinstance(stated, str):
        raise BadValue(field=field, value=quoted(stated), why=HOW_TO_WRITE["progressives"])
    written = table(stated, ProgressiveTable, f"{field}.")
    reserve, above, most = written.reserve, written.two_people_above, written.must_hit_by
    return Progressive(
        of=written.of,
        seed=amount(f"{field}.seed", written.seed),
        share=_part(f"{field}.share", written.share),
        reserve=(0, 1) if reserve is UNSET else _part(f"{field}.reserve", reserve),
        two_people_above=None if above is UNSET else amount(f"{field}.two_people_above", above),
        must_hit_by=None if most is UNSET else amount(f"{field}.must_hit_by", most),
    )


def _part(field: str, text: str) -> tuple[int, int]:
    """A part of each wager: a percentage, or parts in a million. Refuses: BadValue."""
    if match := re.fullmatch(r"([0-9]{1,7}) ppm", text):
        return int(match[1]), 1_000_000
    return rate_of(text, field, HOW_TO_WRITE["share"])
