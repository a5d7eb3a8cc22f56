"""The smallest things a dealer types: seats, spots, amounts and cards.

>>> amount_of("1.5k"), amount_of("012.50")
('1500', '12.50')
>>> seats_of("1-3, 7")
(1, 2, 3, 7)
"""

import re
from decimal import Decimal
from typing import NoReturn

from domain.rules.cards import SUIT_SPELLINGS, card
from domain.rules.wording import N_, Words
from ops.typed.acts import spots_by_key

_BLANK = re.compile(r"\s")  # of any script
_AT_A_SHELL = re.compile(r"^(?:sabot +)+", re.IGNORECASE)
WIDEST = 30  # seats: a wider range is a typing error


class Wrong(ValueError):
    """A line has this form, and something in it is wrong; `words` say what, and what to type."""

    def __init__(self, words: Words) -> None:
        super().__init__(words)
        self.words = words


def wrong(template: str, /, **values: object) -> NoReturn:
    """Raises Wrong with this message."""
    raise Wrong(Words(template, **values))


def pattern(text: str) -> re.Pattern[str]:
    """A pattern of ASCII letters and digits, so that no look-alike letter is taken for a card."""
    return re.compile(text, re.ASCII | re.IGNORECASE)


def one_line(typed: str) -> str:
    """The line with plain blanks, none around it, and without `sabot` before it."""
    return _AT_A_SHELL.sub("", _BLANK.sub(" ", typed).strip())


def _spots() -> str:
    """A pattern of all spots, longest first; after a digit no further digit may follow."""
    keys = spots_by_key()
    names = sorted({*keys, *keys.values()}, key=len, reverse=True)
    each = "|".join(f"{name}(?![0-9])" if name[-1].isdigit() else name for name in names)
    return rf"(?:{each})(?![a-z])"


NO_SPOT = N_("`{word}` is not a spot. Spots are `{spots}`.")
NO_CARD = N_("`{word}` is not a card. Type rank and suit: `9h`, `th`, or several: `9c5s7cqd`.")
NO_AMOUNT = N_("`{word}` is not an amount. Type it as `500`, `12.50` or `1.5k`.")
SEAT_TWICE = N_("Seat {seat} is in the line twice.")

ONE_SEAT = r"[0-9]{1,3}(?![0-9])"
SEATS_TEXT = rf"{ONE_SEAT}(?:-{ONE_SEAT})?(?:\s*,\s*{ONE_SEAT}(?:-{ONE_SEAT})?)*"
_WHOLE = r"(?:[0-9]{1,3}(?:,[0-9]{3}){1,3}|[0-9]{1,12})"  # 1,000 as on the screen, too
AMOUNT_TEXT = rf"{_WHOLE}(?:\.[0-9]{{1,4}})?(?![0-9.,])[km]?"
_SYMBOLS = "".join(each[1:] for each in SUIT_SPELLINGS.values())
_RANK, _SUIT = r"(?:10|[a2-9tjqk])", rf"(?:[cdhs]|[{_SYMBOLS}]\ufe0f?)"
_ORDERS = rf"{_RANK}{_SUIT}", rf"{_SUIT}{_RANK}"
CARD_TEXT = f"(?:{'|'.join(_ORDERS)})"
# Cards side by side: each with its rank first, or each with its suit.
CARDS_TEXT = f"(?:{'|'.join(rf'{each}(?:[ ,]*{each})*' for each in _ORDERS)})"
SEAT = pattern(ONE_SEAT)
SEATS = pattern(SEATS_TEXT)
AMOUNT = pattern(AMOUNT_TEXT)
CARD = pattern(CARD_TEXT)
VERB = pattern(r"[a-z][a-z0-9.-]*(?=\s|$)")
_CARDS = pattern(rf"\s*{CARDS_TEXT}\s*s?")
_OF_SEATS = pattern(rf"\s*(?:[a-z-]+\s*)?(?P<seats>{SEATS_TEXT})(?![0-9.])")
_QUOTED = re.compile(r"""(["'])(.*?)\1(?:\s+|$)""")
_WORD = re.compile(r"(\S+)(?:\s+|$)")


def spot_text() -> re.Pattern[str]:
    """The pattern of a spot, of a rule set's own too as soon as the rule set is known."""
    return pattern(_spots())


def spot_of(text: str) -> str:
    """The spot's full name. Raises Wrong."""
    if not spot_text().fullmatch(text):
        no_spot(text)
    return spots_by_key().get(text.lower(), text.lower())


def no_spot(word: str) -> NoReturn:
    """Refuses a word that is no spot. Raises Wrong."""
    wrong(NO_SPOT, word=word, spots=" ".join(spots_by_key()))


def card_of(text: str) -> str:
    """A card as the record writes it. Raises Wrong."""
    if not CARD.fullmatch(text):
        wrong(NO_CARD, word=text)
    return card(text)


def cards_of(text: str) -> tuple[str, ...]:
    """The cards that stand side by side in a text, as the record writes them."""
    return tuple(card_of(each) for each in CARD.findall(text))


def seats_of(text: str) -> tuple[int, ...]:
    """Every seat of a list with ranges, in the order typed. Raises Wrong."""
    seats: list[int] = []
    for part in re.split(r"\s*,\s*", text):
        first, dash, last = part.partition("-")
        if dash and not int(first) < int(last) < int(first) + WIDEST:
            wrong(N_("`{part}` is not a range of seats. Type it as `1-4`."), part=part)
        seats.extend(range(int(first), int(last or first) + 1))
    for seat in seats:
        if seats.count(seat) > 1:
            wrong(SEAT_TWICE, seat=seat)
    return tuple(seats)


def seats_typed(typed: str) -> frozenset[int]:
    """The seats that a line begins with, as far as it is typed: `3 b`, `1-4b100`, `c 3`."""
    match = None if _CARDS.fullmatch(typed) else _OF_SEATS.match(typed)
    try:
        return frozenset(seats_of(match["seats"]) if match else ())
    except Wrong:
        return frozenset()


def amount_of(text: str) -> str:
    """Plain major units: `1.5k` as 1500. Raises Wrong when it is not typed as an amount."""
    if not AMOUNT.fullmatch(text):
        wrong(NO_AMOUNT, word=text)
    text = text.replace(",", "")
    thousands = {"k": 1_000, "m": 1_000_000}.get(text[-1].lower())
    if thousands is None:
        whole, point, rest = text.partition(".")
        return f"{int(whole)}{point}{rest}"
    shifted = f"{Decimal(text[:-1]) * thousands:f}"
    return shifted.rstrip("0").rstrip(".") if "." in shifted else shifted


def next_word(rest: str, wanted: re.Pattern[str]) -> tuple[str, str]:
    """The next word if it has this pattern, and the rest; else '' and all of it."""
    word = _WORD.match(rest)
    if not word or not wanted.fullmatch(word[1]):
        return "", rest
    return word[1], rest[word.end() :]


def unquoted(text: str) -> str | None:
    """The text between quotes, if all of it is quoted; else None."""
    quoted = _QUOTED.fullmatch(text)
    return quoted[2].strip() if quoted else None


def who_of(rest: str) -> tuple[tuple[int, ...], str, str]:
    """Seats, or else a patron's name, and what follows them. Raises Wrong."""
    listed = SEATS.match(rest)
    if listed and (listed.end() == len(rest) or rest[listed.end()].isspace()):
        return seats_of(listed[0]), "", rest[listed.end() :].strip()
    quoted = _QUOTED.match(rest)
    word = _WORD.match(rest)
    assert word is not None, "there is a word"
    name, end = (quoted[2], quoted.end()) if quoted else (word[1], word.end())
    if not name.strip() or (not quoted and (name[0] in "\"'" or name.startswith("--"))):
        wrong(
            N_("`{name}` is not a name. Put a name with a blank in quotes: `'Mr. Jones'`."),
            name=name.strip() or rest,
        )
    return (), name.strip(), rest[end:].strip()
