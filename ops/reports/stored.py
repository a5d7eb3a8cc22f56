"""The values of a report's columns as JSON and CSV have them, made of what the database stores."""

from collections.abc import Callable, Mapping
from datetime import date, datetime
from decimal import Decimal
from fractions import Fraction
from typing import Any
from zoneinfo import ZoneInfo

from domain.rules.money import decimal_string
from ops.reports.computed import COMPUTED, DealtBy
from ops.words.access import act_words

Cell = Callable[[Any], Any]


def cell_of(name: str, kind: int, zone: ZoneInfo, dealt_by: DealtBy) -> Cell | None:
    """The function that makes a column's values, or None if they are unchanged."""
    if name in IN_WORDS and kind in _JSON:
        return IN_WORDS[name]
    if name in COMPUTED:
        return lambda value: COMPUTED[name](value, dealt_by)
    if name in _WITH_MOMENTS and kind in _JSON:
        return lambda value: _moments_in_zone(value, zone)
    cells: dict[int, Cell] = {
        _NUMERIC: _exact if name == "accrued" else _amount,
        _TIMESTAMPTZ: datetime.isoformat,
        _DATE: date.isoformat,
    }
    return cells.get(kind)


# PostgreSQL's numbers of types.
_NUMERIC, _TIMESTAMPTZ, _DATE, _JSON = 1700, 1184, 1082, (114, 3802)
_WITH_MOMENTS = ("exceptions", "components", "detail")
_OF_A_STRETCH = ("recorded_at", "recorded_until", "from", "to")  # moments in a late entry's detail
# Columns that the rows have in parts and the report has in words.
IN_WORDS: Mapping[str, Cell] = {"act": lambda act: str(act_words(act))}


def _exact(value: Decimal) -> str:
    return decimal_string(Fraction(value))


def _amount(value: Decimal) -> int | str:
    """Minor units as an integer, or as an exact decimal if there is a fraction."""
    return int(value) if value == value.to_integral_value() else _exact(value)


def _moments_in_zone(value: Any, zone: ZoneInfo) -> Any:
    return (
        [_in_zone(each, zone) for each in value]
        if isinstance(value, list)
        else _in_zone(value, zone)
    )


def _in_zone(value: Mapping[str, Any], zone: ZoneInfo) -> Mapping[str, Any]:
    """A value of several parts, with the moments in its texts moved to the time zone."""
    names = _OF_A_STRETCH if "recorded_until" in value else ("at", "recorded_at")
    moments = {name: value[name] for name in names if name in value}
    return dict(value) | {
        name: datetime.fromisoformat(each).astimezone(zone).isoformat()
        for name, each in moments.items()
    }
