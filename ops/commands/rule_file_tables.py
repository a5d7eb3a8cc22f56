"""The tables of a rule file: the fields of each, and how a mistake in one is refused."""

import json
import re
from typing import Any, TypeVar

import msgspec
from msgspec import UNSET, Struct, UnsetType

from domain.rules.choices import OF_RULE_FILES, some_of
from domain.rules.refusals import BadValue, MissingField, UnknownField

SUBJECT = "A rule set"

Toml = dict[str, object]  # a table of the file that is not read yet
Stated = dict[str, Any]  # the terms that a file states, by their names in a rule set
T = TypeVar("T", bound="Table")


class Table(Struct, forbid_unknown_fields=True):
    """A table of the file; a field that it leaves out is UNSET."""


class RuleFile(Table):
    """The whole file."""

    name: str
    source: str
    based_on: str | UnsetType = UNSET
    currency: str | UnsetType = UNSET
    decks: int | UnsetType = UNSET
    decks_allowed: list[int] | UnsetType = UNSET
    dealing: str | UnsetType = UNSET
    squeeze: str | UnsetType = UNSET
    increment: str | UnsetType = UNSET
    chips: list[str] | UnsetType = UNSET
    seats: list[int] | UnsetType = UNSET
    cut_card: int | UnsetType = UNSET
    burn: str | UnsetType = UNSET
    burn_face_down: int | UnsetType = UNSET
    burn_between: str | UnsetType = UNSET
    misdraw: str | UnsetType = UNSET
    outside_limits: str | UnsetType = UNSET
    accounts: bool | UnsetType = UNSET
    clock: Toml | UnsetType = UNSET
    pace: Toml | str | UnsetType = UNSET
    differential: str | UnsetType = UNSET
    both_sides: str | UnsetType = UNSET
    free_hands: Toml | str | UnsetType = UNSET
    limits: dict[str, Toml] = {}
    terms: dict[str, Toml | str] = {}
    progressives: dict[str, Toml | str] = {}
    coupons: dict[str, Toml | str] = {}
    spots: dict[str, Toml | str] = {}
    commission: Toml = {}


FIELDS = tuple(each.name for each in msgspec.structs.fields(RuleFile))


class LimitTable(Table):
    """The limits of a spot, or of `main`."""

    minimum: str | UnsetType = UNSET
    maximum: str | UnsetType = UNSET


class TermsTable(Table):
    """When a bet on a spot is taken, up to what, and the most that all bets on it win in a coup."""

    beside: list[str] = []
    seats: list[int] = []
    not_in_first: int = 0
    not_in_last: int = 0
    most_won: str | UnsetType = UNSET
    after_four: str = ""
    up_to: str | UnsetType = UNSET
    over: Toml | UnsetType = UNSET


class OverTable(Table):
    """The next coups, by which a bet on a spot is decided."""

    coups: int
    wins: str
    skips: str = ""
    at_end: str | UnsetType = UNSET


class ProgressiveTable(Table):
    """The meter of a spot."""

    of: str
    seed: str
    share: str
    reserve: str | UnsetType = UNSET
    two_people_above: str | UnsetType = UNSET
    must_hit_by: str | UnsetType = UNSET


class CouponTable(Table):
    """Where a kind of coupon is taken, and what it wins."""

    spots: list[str]
    pays: str | UnsetType = UNSET
    on_push: str | UnsetType = UNSET
    commission: str | UnsetType = UNSET


class FreeHandsTable(Table):
    """How many coups are dealt without a bet."""

    in_a_row: int
    at_start: int = 0


class SpotTable(Table):
    """The odds of a spot, by condition; with a key, it is the rule set's own spot."""

    pays: dict[str, str]
    key: str | UnsetType = UNSET
    cloth: str | UnsetType = UNSET
    row: int | UnsetType = UNSET
    labels: dict[str, str] | UnsetType = UNSET


class CommissionTable(Table):
    """The commission on Banker."""

    rate: str | UnsetType = UNSET
    timing: str | UnsetType = UNSET
    rounding: Toml | UnsetType = UNSET


class ClockTable(Table):
    """The pace of a table that deals by itself; whole seconds."""

    betting_seconds: int | UnsetType = UNSET
    card_seconds: int | UnsetType = UNSET
    coups_per_hour: int | UnsetType = UNSET
    fault_seconds: int | UnsetType = UNSET


class PaceTable(Table):
    """The coups an hour that are wanted."""

    slowest: int
    fastest: int


class RoundingTable(Table):
    """How commission is rounded."""

    mode: str | UnsetType = UNSET
    unit: str | UnsetType = UNSET
    minimum: str | UnsetType = UNSET
    moment: str | UnsetType = UNSET


_AMOUNT = 'write an amount in quotes, as in "25.00"'
_NUMBER = "write a whole number, as in 8"
_NUMBERS = "write whole numbers, as in [6, 8]"
_A_TABLE = "write a table, as in [limits]"
HOW_TO_WRITE = {
    **dict.fromkeys(("increment", "minimum", "maximum", "differential", "unit"), _AMOUNT),
    **dict.fromkeys(("most_won", "seed", "two_people_above", "must_hit_by"), _AMOUNT),
    **dict.fromkeys(("share", "reserve"), 'write a part of each wager, as in "1.5%" or "2500 ppm"'),
    "of": "write whose meter it is in quotes: table, house, or as in pit north",
    "coupons": 'write a table for each kind of coupon, or "none" for one that is not taken',
    "on_push": 'write "returned" or "used"',
    "progressives": 'write a table for each spot with a meter, or "none"',
    **dict.fromkeys(("decks", "cut_card", "burn_face_down"), _NUMBER),
    **dict.fromkeys((*ClockTable.__struct_fields__, *PaceTable.__struct_fields__), _NUMBER),
    **dict.fromkeys(("not_in_first", "not_in_last", "in_a_row", "at_start"), _NUMBER),
    "free_hands": 'write a table, as in {in_a_row = 3, at_start = 1}, or "any"',
    "beside": 'write spots, as in ["player", "banker"]',
    "after_four": 'write what the first four cards must be, as in "first two player cards make 5"',
    "up_to": 'write a part of the bet beside it in quotes, as in "1/2", "1" or "50%"',
    "over": 'write a table, as in {coups = 3, wins = "banker wins"}',
    "coups": "write how many coups it is on, as in 3",
    "wins": 'write by what it wins a coup, as in "banker wins"',
    "skips": 'write which coups are not counted, as in "tie"',
    "at_end": 'write "returned" or "lost", for what is not decided when the shoe ends',
    "terms": 'write a table for each spot, or "none" for a bet that is always taken',
    **dict.fromkeys(("decks_allowed", "seats"), _NUMBERS),
    **dict.fromkeys(("limits", "commission", "clock"), _A_TABLE),
    "accounts": "write true or false",
    "chips": 'write amounts in quotes, as in ["1.00", "5.00"]',
    "rate": 'write a part of a hundred in quotes, as in "5%"',
    "rounding": 'write a table, as in {mode = "up", unit = "1.00"}',
    "pace": 'write {slowest = 40, fastest = 80}, or "none"',
    "spots": 'write a table for each spot, or "none" for one that is not offered',
    "row": _NUMBER,
    "labels": 'write a text for each language, as in {de = "Glückssechs"}',
    "pays": 'write odds in quotes for each condition, as in {"tie" = "9:1"}',
}


def table(stated: Toml, kind: type[T], where: str) -> T:
    """A table of the file as its kind. Refuses: UnknownField, MissingField, BadValue."""
    fields = {field.name: field for field in msgspec.structs.fields(kind)}
    for name in stated:
        if name not in fields:
            subject = where.rstrip(".") or SUBJECT
            takes = some_of(list(fields), name, OF_RULE_FILES)
            raise UnknownField(command=subject, field=name, takes=takes)
    for name, field in fields.items():
        if field.required and name not in stated:
            raise MissingField(command=where.rstrip(".") or SUBJECT, field=name)
    try:
        return msgspec.convert(stated, kind)
    except msgspec.ValidationError as error:
        name = re.findall(r"`\$\.([a-z_]+)", str(error))[0]
        why = HOW_TO_WRITE.get(name, "write a text in quotes")
        raise BadValue(field=where + name, value=quoted(stated[name]), why=why) from None


def stated_in(written: Table, *names: str) -> Stated:
    """The fields of these names that the file states."""
    stated = {name: getattr(written, name) for name in names}
    return {name: value for name, value in stated.items() if value is not UNSET}


def quoted(value: object) -> str:
    """A value as a refusal repeats it: as JSON, at most 80 characters."""
    text = json.dumps(value, ensure_ascii=False, default=str)
    return text if len(text) <= 80 else text[:77] + "…"
