"""Reads the changes of a what-if question, each written in a few words.

    card 5 = KH                        another card at that place
    draw player, no-draw banker        a third card given, or missed, against the tableau
    bet 3 banker 200                   a wager placed, or of another size
    no-bet 3 banker                    a wager that was not placed
    move 3 banker to player            a wager on another spot, at its own seat or
    move 3 banker to 5 banker          at another one
    rules classic@1                    another rule set
    rounding up 1 on-collection        another rounding of the commission
    void                               every stake returned
    then burn                          the disposition of cards left over (R-IRR-1)
    misdraw burn                       the disposition of a card that came before it, not due

Amounts are in major units, as people write them. Pure.

>>> read("card 5 =  4h", "USD")
CardIs(n=5, card='4H')
>>> read("bet 3 banker 1,200.50", "USD").written("USD")
'bet 3 banker 1200.50'
>>> read("card 5 = 1C", "USD")
Traceback (most recent call last):
    ...
domain.rules.refusals.BadValue: --what-if cannot be 'card 5 = 1C': '1C' is no card: write rank \
then suit, A 2-9 T J Q K and C D H S, as in `9C` or `TH`.
"""

import re
from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from typing import get_args

from msgspec import Struct

from domain.review.what_if.changes import (
    BetIs,
    BetMoved,
    CardIs,
    Change,
    Disposition,
    IsVoid,
    Misdraw,
    NoBet,
    RoundingIs,
    RulesAre,
    Then,
    ThirdCard,
    refused,
)
from domain.rules.cards import card
from domain.rules.choices import OF_RULE_FILES, one_of
from domain.rules.money import LARGEST_AMOUNT, Rounding, minor
from domain.rules.refusals import UnknownCard
from domain.rules.spots import SPOT
from domain.rules.wording import Words


class _Form(Struct, frozen=True):
    """The form of a change: its pattern, its maker, and an example."""

    pattern: re.Pattern[str]
    make: Callable[[re.Match[str], str], Change]
    example: str


def _form(pattern: str, make: Callable[[re.Match[str], str], Change], example: str) -> _Form:
    return _Form(re.compile(pattern, re.IGNORECASE), make, example)


def _card_is(match: re.Match[str], _: str) -> Change:
    n = int(match["n"])
    if not 1 <= n <= 6:
        msg = f"a coup has six cards at most, and no card {n}"
        raise ValueError(msg)
    try:
        return CardIs(n, card(match["card"]))
    except UnknownCard as refusal:
        raise ValueError(str(refusal).removesuffix(".")) from None


def _third_card(match: re.Match[str], _: str) -> Change:
    players = match["hand"].lower() == "player"
    return ThirdCard("player" if players else "banker", draws=not match["no"])


def _bet_is(match: re.Match[str], currency: str) -> Change:
    amount = _amount(match["amount"], currency)
    if amount == 0:
        msg = "for no wager write no-bet"
        raise ValueError(msg)
    return BetIs(int(match["seat"]), _spot(match["spot"]), amount)


def _bet_moved(match: re.Match[str], _: str) -> Change:
    seat, spot = int(match["seat"]), _spot(match["spot"])
    to_seat, to_spot = int(match["to_seat"] or seat), _spot(match["to_spot"])
    if (seat, spot) == (to_seat, to_spot):
        msg = "the wager is there already"
        raise ValueError(msg)
    return BetMoved(seat, spot, to_seat, to_spot)


def _rounding_is(match: re.Match[str], currency: str) -> Change:
    mode, plain = match["mode"].lower(), Rounding()
    if mode == "exact" and match["unit"]:
        msg = "exact rounding has no unit"
        raise ValueError(msg)
    unit = _amount(match["unit"], currency) if match["unit"] else plain.unit
    if unit == 0:
        msg = "the unit must be more than 0"
        raise ValueError(msg)
    minimum = _amount(match["minimum"], currency) if match["minimum"] else plain.minimum
    moment = (match["moment"] or plain.moment).lower()
    if minimum and moment != "per-win":
        msg = "a minimum is for each win, so write per-win"
        raise ValueError(msg)
    return RoundingIs(
        Rounding(mode=mode, unit=unit, minimum=minimum, moment=moment)  # type: ignore[arg-type]
    )


def _then(match: re.Match[str], _: str) -> Change:
    return Then(_disposition(match))


def _misdraw(match: re.Match[str], _: str) -> Change:
    return Misdraw(_disposition(match))


def _disposition(match: re.Match[str]) -> Disposition:
    disposition = match["disposition"].lower()
    return next(each for each in get_args(Disposition) if each == disposition)


def _spot(text: str) -> str:
    if text.lower() not in SPOT:
        msg = f"there is no spot {text}; {one_of(SPOT, text, OF_RULE_FILES)}"
        raise ValueError(msg)
    return text.lower()


def _amount(text: str, currency: str) -> int:
    amount = minor(text, currency)
    if amount > LARGEST_AMOUNT:
        msg = f"{text} is too large an amount"
        raise ValueError(msg)
    return amount


_SEAT = r"(?P<seat>[0-9]{1,3})"
_SPOT = r"(?P<spot>[a-z0-9-]+)"
_MONEY = r"[0-9,]+(?:\.[0-9]+)?"
_FORMS: Mapping[str, _Form] = {
    "card": _form(
        r"card (?P<n>[0-9]{1,3}) ?= ?(?P<card>\w+)",
        _card_is,
        "card 5 = KH",
    ),
    "draw": _form(r"(?P<no>)draw (?P<hand>player|banker)", _third_card, "draw banker"),
    "no-draw": _form(r"(?P<no>no-)draw (?P<hand>player|banker)", _third_card, "no-draw banker"),
    "bet": _form(rf"bet {_SEAT} {_SPOT} (?P<amount>{_MONEY})", _bet_is, "bet 3 banker 200"),
    "no-bet": _form(
        rf"no-bet {_SEAT} {_SPOT}",
        lambda match, _: NoBet(int(match["seat"]), _spot(match["spot"])),
        "no-bet 3 banker",
    ),
    "move": _form(
        rf"move {_SEAT} {_SPOT} to (?:(?P<to_seat>[0-9]{{1,3}}) )?(?P<to_spot>[a-z0-9-]+)",
        _bet_moved,
        "move 3 banker to player, or move 3 banker to 5 banker",
    ),
    "rules": _form(
        r"rules (?P<name>\S+)", lambda match, _: RulesAre(match["name"]), "rules classic@1"
    ),
    "rounding": _form(
        rf"rounding (?P<mode>exact|nearest|up)(?: (?P<unit>{_MONEY}))?"
        rf"(?: min (?P<minimum>{_MONEY}))?(?: (?P<moment>per-win|on-collection))?",
        _rounding_is,
        "rounding exact, rounding up 1 min 0.25, or rounding up 1 on-collection",
    ),
    "void": _form(r"void", lambda match, _: IsVoid(), "void"),
    "then": _form(
        r"then (?P<disposition>carry|burn|dummy)", _then, "then carry, then burn or then dummy"
    ),
    "misdraw": _form(
        r"misdraw (?P<disposition>carry|burn|dummy)",
        _misdraw,
        "misdraw carry, misdraw burn or misdraw dummy",
    ),
}


def read(text: str, currency: str) -> Change:
    """The change that a text describes, with amounts in major units. Refuses: BadValue."""
    written = " ".join(text.split())
    form = _FORMS.get(written.partition(" ")[0].lower())
    if form is None:
        words = ", ".join(_FORMS)
        raise refused(text, Words("begin with one of {words}, as in card 5 = KH", words=words))
    match = form.pattern.fullmatch(written)
    if match is None:
        raise refused(text, f"write as in {form.example}")
    try:
        return form.make(match, currency)
    except ValueError as error:
        raise refused(text, str(error)) from None


def read_all(texts: Sequence[str], currency: str) -> tuple[Change, ...]:
    """The changes of one question. Refuses: BadValue."""
    changes = tuple(read(text, currency) for text in texts)
    times = Counter(change.subject for change in changes)
    for text, change in zip(texts, changes, strict=True):
        if times[change.subject] > 1:
            raise refused(text, f"another change is about {change.subject} as well")
    return changes
