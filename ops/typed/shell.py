"""A command as it is typed at a shell: its words and options, and the line of the feed they make.

`sabot bet B01 3 banker 100`: arguments in the table's order, amounts in major units; whatever
else a line may carry is an option of the same name. A terminal takes the same words.
"""

import re
from collections.abc import Callable, Iterable, Iterator, Mapping
from functools import cache
from types import UnionType
from typing import Annotated, Any, Protocol, Union, get_args, get_origin

import click
from msgspec.structs import FieldInfo, fields

from domain.rules.cards import apart
from domain.rules.gaming_day import GamingClock
from domain.rules.money import minor
from domain.rules.refusals import BadValue
from domain.rules.wording import Words
from ops.commands.command import (
    AT_A_SHELL,
    OF_DEVICES,
    Amount,
    Cards,
    Moment,
    Payment,
    free_text_of,
    help_of,
    metas_of,
)
from ops.commands.read import Line
from ops.commands.vocabulary import COMMANDS
from ops.ledger import clock
from ops.reports.moments import MOMENT, Typed
from ops.words.language import shown


class Place(Protocol):
    """Where something is typed: its currency and its clock."""

    @property
    def currency(self) -> str:
        """Three letters, as in USD."""

    @property
    def clock(self) -> GamingClock:
        """The clock that assigns moments to gaming days."""


BLANKS = "put a name with a blank in quotes, as in 'Mr. Jones'"
_PAIRS = ("opener", "closer", "chips", "taken", "given", "paid", "stakes")
_PAIR_OF = {"paid": "3=195", "stakes": "banker=100"}  # examples; all others are of chips


def renamed(words: str, name: Callable[[str], str]) -> str:
    """The words with every command name of the feed replaced by what `name` gives for it."""
    dotted = "|".join(re.escape(name) for name in COMMANDS if "." in name)
    names = rf"(?<![\w./-])(?:{dotted})(?![\w-]|\.\w)"
    return re.sub(names, lambda match: name(match[0]), words)


def with_typed_fields(refusal: str, command: str, typed: str | None = None) -> str:
    """A refusal of a command with its fields as they are typed: `--to-seat`, SEAT, `100=200`.

    `typed`: a terminal's line, of which only options have names; by default it is a shell's.
    """
    kind = COMMANDS.get(command)
    known = {field.encode_name for field in fields(kind)} if kind else set()
    if kind and isinstance(refusal, Words) and refusal.values.get("field") in known:
        values = dict(refusal.values)
        field = str(values.pop("field"))
        named = argument(field) if field in kind.arguments else option(field)
        is_typed = typed is None or (named.startswith("--") and named in typed)
        if {"value", "why"} == values.keys() and not is_typed:
            refusal = Words("{value} is not possible: {why}.", **values)
        else:
            refusal = Words(refusal.template, field=named, **values)
    return re.sub(
        "`([a-z0-9_]+)`",
        lambda name: f"`{option(name[1])}`" if name[1] in known else name[0],
        with_forms(shown(refusal)),
    )


def with_forms(refusal: str) -> str:
    """A refusal with the form in which its value is typed; a value of the feed is left out.

    Only 0 is the same as it was typed.
    """
    for on_the_feed, here in _forms_here().items():
        of_the_feed = rf"(?: cannot be (?!0:).*?)?: {re.escape(on_the_feed)}"
        refusal = re.sub(of_the_feed, f": {here}", refusal)
    return refusal


def argument(field: str) -> str:
    """A field of the feed as an argument."""
    return field.upper().replace("_", "-")


def option(field: str) -> str:
    """A field of the feed as an option."""
    return f"--{field.replace('_', '-')}"


@cache
def _forms_here() -> dict[str, str]:
    """How a value that the feed has in another form is typed, by its description there."""
    return {
        meta.description or "": (meta.extra or {})[AT_A_SHELL]
        for kind in COMMANDS.values()
        for field in fields(kind)
        for meta in metas_of(field)
        if AT_A_SHELL in (meta.extra or {})
    }


def parameters(name: str) -> list[click.Parameter]:
    """The arguments of a command in their order, then its options."""
    kind = COMMANDS[name]
    known = {field.encode_name: field for field in fields(kind)}
    free = free_text_of(kind)
    arguments = [_argument(word, known.get(word), free=word == free) for word in kind.arguments]
    options = [
        _option(word, field, help_of(kind, word))
        for word, field in known.items()
        if word not in (*kind.arguments, *OF_DEVICES)
        and not ("who" in kind.arguments and word in ("seat", "patron"))
    ]
    return [*arguments, *options]


def _argument(word: str, field: FieldInfo | None, *, free: bool) -> click.Argument:
    """An argument of a command; `who` is no field but a seat or a patron.

    `free`: one's own words, which need no quotes.
    """
    required = field is None or field.required
    metavar = "SEAT|PATRON" if word == "who" else argument(word)
    return click.Argument(
        [word],
        metavar=metavar if required else f"[{metavar}]",
        nargs=-1 if free or word in ("remaining", "wagers", "patrons") else 1,
        required=required,
    )


def _option(word: str, field: FieldInfo, words: str) -> click.Option:
    if field.type is bool:
        return click.Option([option(word), word], is_flag=True, help=words)
    multiple = word in _PAIRS or any(get_origin(each) is list for each in get_args(field.type))
    return click.Option(
        [option(word), word],
        multiple=multiple,
        required=field.required,
        metavar=MOMENT if Moment in _types(field.type) else "…" if multiple else "TEXT",
        help=words,
    )


def require_utf8(field: str, typed: str | tuple[str, ...]) -> None:
    """The shell passes any bytes on. Refuses: BadValue, when they are not text."""
    for word in (typed,) if isinstance(typed, str) else typed:
        try:
            word.encode()
        except UnicodeEncodeError:
            raise BadValue(field=field, value=ascii(word), why="it is not UTF-8") from None


def line_of(name: str, spoken: Mapping[str, Any], house: Place) -> Line:
    """A typed command as a line of the feed. Refuses: BadValue."""
    line: Line = {"command": name}
    for word, value in spoken.items():
        if value is None or value is False or value == ():
            continue
        if isinstance(value, str | tuple):
            require_utf8(word, value)
        if isinstance(value, tuple) and word == free_text_of(COMMANDS[name]):
            line[word] = " ".join(value)
        elif word == "who":
            seat = _number(value)
            line["seat" if seat else "patron"] = int(value) if seat else value
        elif isinstance(value, tuple) and _are_cards(name, word):
            line[word] = _cards(value)
        else:
            line[word] = _value(word, _types_of(name, word), value, house)
    return line


@cache
def _types_of(name: str, word: str) -> frozenset[Any]:
    """The types of a command's field; none if it is no field, or the command is the house's own."""
    return frozenset(
        each
        for field in (fields(COMMANDS[name]) if name in COMMANDS else ())
        if field.encode_name == word
        for each in _types(field.type)
    )


def _types(annotation: Any) -> Iterator[Any]:
    """What a value, or one of several, may be: of an optional amount None, `Amount` and int."""
    yield annotation
    if get_origin(annotation) in (Annotated, UnionType, Union, list):
        for each in get_args(annotation):
            yield from _types(each)


def _value(word: str, types: frozenset[Any], value: Any, house: Place) -> Any:
    currency = house.currency
    if types & {Amount, Payment}:
        return _minor(word, value, currency)
    if Moment in types:
        return _moment(word, value, house)
    if word in _PAIRS:
        return dict(_pairs(word, value, currency))
    if word in _READ:
        return _READ[word](value, house)
    if isinstance(value, tuple):
        return [_value(word, types, each, house) for each in value]
    number = isinstance(value, str) and int in types and word != "value" and _number(value)
    return int(value) if number else value


def _are_cards(name: str, word: str) -> bool:
    """Whether a field of a command is a list of cards."""
    return any(each.encode_name == word and each.type == Cards for each in fields(COMMANDS[name]))


def _cards(words: Iterable[str]) -> list[str]:
    """Cards as they are typed, with blanks or commas between them."""
    return [card for word in words for card in apart(word)]


def _remaining(words: tuple[str, ...], house: Place) -> int | list[str]:
    """How many cards remain in the shoe, or which."""
    return int(words[0]) if len(words) == 1 and _number(words[0]) else _cards(words)


def _wagers(words: Iterable[str], house: Place) -> list[Line]:
    """Bets as a dealer types them: `1-4b100 5-7p50`. Refuses: BadValue.

    The table is not known here, so `p8500`, which is 500 on Panda 8 at some tables, needs a blank.
    """
    # Only `bets` needs the grammar, which takes long to load.
    from ops.typed.grammar import Bets, NotUnderstood, parse

    typed, why = " ".join(words), "type seats, spot and amount, as in 1-4b100 5p50t25"
    try:
        act = parse(typed)
    except NotUnderstood as refusal:
        raise BadValue(field="wagers", value=repr(typed), why=refusal.why.rstrip(".")) from None
    if not isinstance(act, Bets) or act.repeats:
        raise BadValue(field="wagers", value=repr(typed), why=why)
    doubts = [wager.doubt for _, wager in act.wagers if wager.glued]
    if doubts:
        raise BadValue(message=doubts[0])
    return [
        {"seat": seat, "spot": wager.spot, "amount": _minor("wagers", wager.amount, house.currency)}
        for seat, wager in act.wagers
    ]


def _patrons(words: Iterable[str], house: Place) -> list[Line]:
    """Seat and name in turn: `1 P-10411, 3 P-10417`. Refuses: BadValue."""
    typed = list(words)
    pairs = list(zip(typed[::2], typed[1::2], strict=False))
    if len(typed) % 2 or not all(_number(seat) for seat, _ in pairs):
        why = f"type seat and name in turn, as in 1 P-10411, 3 P-10417; {BLANKS}"
        raise BadValue(field="patrons", value=repr(" ".join(typed)), why=why)
    return [{"seat": int(seat), "patron": patron.removesuffix(",")} for seat, patron in pairs]


def _evidence(texts: Iterable[str], house: Place) -> list[Line]:
    return [_seen(text, house) for text in texts]


def _seen(text: str, house: Place) -> Line:
    """A camera's evidence: its name, the moment, and how far its clock is ahead."""
    match = re.fullmatch(
        r"(.*?\S)\s+((?:[0-9-]{10}[T\s])?\S+:\S+)(?:\s+([+-]?[0-9]{1,9}))?", text.strip()
    )
    at = Typed.of(match[2]) if match else None
    if not match or at is None or at.time_of_day:
        why = (
            "type camera, date and time, then how many milliseconds the camera's clock is ahead: "
            "CAM-14 2026-11-21T20:14:05 +1500"
        )
        raise BadValue(field="evidence", value=repr(text), why=why)
    camera, _, ahead = match.groups()
    seen = at.today(house.clock, clock.wall_clock()).isoformat()
    return {"camera": camera, "at": seen, **({"ahead": int(ahead)} if ahead else {})}


def _moment(word: str, text: str, house: Place) -> str:
    """The moment meant: a time of day is that of today's gaming day. Refuses: BadValue."""
    return Typed.required(text, option(word)).today(house.clock, clock.wall_clock()).isoformat()


def _pairs(word: str, given: Iterable[str], currency: str) -> Iterable[tuple[str, int]]:
    seen = set()
    for text in given:
        left, equals, right = text.partition("=")
        if not equals:
            why = f"type it as in {_PAIR_OF.get(word, '100=20')}"
            raise BadValue(field=word, value=repr(text), why=why)
        if word in ("paid", "stakes"):
            pair = left, _minor(word, right, currency)
        elif _number(right):
            pair = str(_minor(word, left, currency)), int(right)
        else:
            raise BadValue(field=word, value=repr(text), why="a count is a whole number")
        if pair[0] in seen:
            raise BadValue(field=word, value=repr(text), why=f"{left} is given twice")
        seen.add(pair[0])
        yield pair


def _minor(word: str, text: str, currency: str) -> int:
    try:
        units = minor(text, currency)
    except ValueError:
        units = -1
    if units < 0:
        why = f"type an amount of {currency}, as in 100 or 12.50"
        raise BadValue(field=word, value=repr(text), why=why)
    return units


def _number(text: str) -> bool:
    return text.isascii() and text.isdecimal() and len(text) < 16  # longer ones no field takes


_READ: Mapping[str, Callable[[Any, Place], Any]] = {
    "remaining": _remaining,
    "wagers": _wagers,
    "patrons": _patrons,
    "evidence": _evidence,
}
