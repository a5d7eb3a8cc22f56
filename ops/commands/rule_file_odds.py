"""What a rule file writes as odds and as a part of a hundred."""

import re

from domain.rules.refusals import BadValue
from domain.rules.wagers import METER, PUSH, Odds, PayLine, PayTable
from ops.commands.rule_file_tables import HOW_TO_WRITE, SpotTable, Toml, quoted, table


def pays(spot: str, stated: Toml) -> PayTable:
    """What a spot pays, as written. Refuses: BadValue, MissingField, UnknownField."""
    where = f"spots.{spot}."
    written = table(stated, SpotTable, where)
    return tuple(_line(f"{where}pays", when, odds) for when, odds in written.pays.items())


def _line(field: str, when: str, text: str) -> PayLine:
    """A line of a pay table: odds, push, or what it pays of the meter (R-PROG-3)."""
    if text == METER:
        return PayLine(when, (1, 1), of_meter=True)
    if part := re.fullmatch(rf"(.+%) of the {METER}", text):
        return PayLine(when, rate_of(part[1], field, HOW_TO_WRITE["pays"]), of_meter=True)
    return PayLine(when, _odds(field, text))


def _odds(field: str, text: str) -> Odds:
    if text == "push":
        return PUSH
    match = re.fullmatch(r"([1-9][0-9]{0,5}):([1-9][0-9]{0,5})", text)
    if not match:
        why = (
            'write odds "to" one another, as in "9:1" or "1:2", or "push"; with a meter also '
            '"meter" or "10% of the meter"'
        )
        raise BadValue(field=field, value=quoted(text), why=why)
    return int(match[1]), int(match[2])


def rate_of(
    text: str, field: str = "commission.rate", why: str = HOW_TO_WRITE["rate"]
) -> tuple[int, int]:
    """A rate as it is written: `4.5%`. Refuses: BadValue."""
    match = re.fullmatch(r"([0-9]{1,3})(?:\.([0-9]{1,4}))?%", text)
    if not match:
        raise BadValue(field=field, value=quoted(text), why=why)
    decimals = match[2] or ""
    return int(match[1] + decimals), 100 * 10 ** len(decimals)
