"""When two names look the same: Unicode's compatibility forms, case folding and confusables.

The table is that of Unicode's confusables (UTS 39), version 15.1, from a package that is pinned.
What neither folds is read from Unicode's names of characters: small capitals, letters in a circle,
with a stroke or a hook. A newer table changes what is asked from then on, and nothing that was
decided. Accents, and blanks and punctuation but between two digits, make no other name.

>>> alike("P-9", "ｐ-9"), alike("P-10", "Р-1О"), alike("P-9", "P-8")
(True, True, False)
>>> alike("Ann Archer", "AnnArchér"), alike("P-100", "P100"), alike("P-1-11", "P-11-1")
(True, True, False)
>>> alike("Ann", "ᴀɴɴ"), alike("P-12", "🅿-❶❷")
(True, True)
"""

import json
import re
from collections.abc import Mapping
from functools import cache, lru_cache
from importlib.resources import files
from unicodedata import category, normalize, numeric
from unicodedata import name as called

TABLE = 151  # the version of Unicode, times ten
SHAPES = TABLE * 10 + 2  # the version of what `looks` answers: raise it whenever that changes
_ACCENTS = dict.fromkeys(range(0x300, 0x370))  # removes the marks over and under letters
_LETTER = re.compile(
    r"(?:.* )?(?:LATIN|INDICATOR SYMBOL)(?: CAPITAL| SMALL)? LETTER (?:SMALL )?(?:CAPITAL )?"
    r"([A-Z])(?: WITH .*)?"
)
_MARK = "\u200e"  # around letters of scripts that run to the left


@lru_cache(maxsize=65_536)
def looks(name: str) -> frozenset[str]:
    """What a name looks like; two names look the same if they have one of these in common.

    Case is folded before the skeleton is made, after it, and between the two steps of it: a Greek
    capital may look like a Latin one, though their small letters differ.
    """
    plain = normalize("NFKC", name)
    latin = "".join(map(_letter_named, plain))
    texts = {plain, latin, _unseparated(plain), _unseparated(latin)}
    return frozenset(shape for text in texts for shape in _shapes(text) if shape)


def _letter_named(character: str) -> str:
    """The letter, or the number in a circle, that Unicode's name of a character names, or itself.

    >>> [*map(_letter_named, "ʀ🅰⓬øяé")]
    ['R', 'A', '12', 'O', 'я', 'E']
    """
    name = "" if character.isascii() else called(character, "")
    if letter := _LETTER.fullmatch(name):
        return letter[1]
    return (
        f"{numeric(character):g}"
        if "CIRCLED" in name and numeric(character, -1) >= 0
        else character
    )


def _shapes(plain: str) -> tuple[str, ...]:
    latin = "".join(each if each.isascii() else _prototypes().get(each, each) for each in plain)
    return _skeleton(plain.casefold()), _skeleton(plain).casefold(), _skeleton(latin.casefold())


def _unseparated(text: str) -> str:
    """The text without what separates its letters; between two digits it is a hyphen.

    >>> _unseparated("Ann O'Leary"), _unseparated("P-10 1")
    ('AnnOLeary', 'P10-1')
    """
    name, separated = "", False
    for each in text:
        if _separates(each):
            separated = True
            continue
        between_digits = separated and name[-1:].isdigit() and each.isdigit()
        name += f"-{each}" if between_digits else each
        separated = False
    return name


def _separates(character: str) -> bool:
    """Whether it is a blank, a hyphen, a dot, an apostrophe or the like, and looks like no letter.

    >>> [each for each in "a1-. '|一é" if _separates(each)]
    ['-', '.', ' ', "'"]
    """
    prototype, kind = _prototypes().get(character, character), category(character)[0]
    return kind in "PZ" or prototype == "'" or (kind in "SC" and not prototype[0].isalnum())


def alike(name: str, other: str) -> bool:
    """Whether two names look the same; nobody looks like anybody."""
    if name == other or not name or not other:
        return name == other
    return not looks(name).isdisjoint(looks(other))


def _skeleton(text: str) -> str:
    """The skeleton of UTS 39 without accents; which of two look-alikes stands for both is ours."""
    table = _prototypes()
    bare = normalize("NFD", text).translate(_ACCENTS)
    likened = normalize("NFD", "".join(table.get(each, each) for each in bare))
    return likened.translate(_ACCENTS)


@cache
def _prototypes() -> Mapping[str, str]:
    """For each letter that looks like another, the one that stands for all of them."""
    source = files("confusable_homoglyphs") / "confusables.json"
    partners: dict[str, list[str]] = {}
    for letter, pairs in json.loads(source.read_text("utf-8")).items():
        partners.setdefault(letter.strip(_MARK), []).extend(
            pair["c"].strip(_MARK) for pair in pairs
        )
    # The package has each pair both ways. A letter has one prototype; a prototype has many letters.
    single = {
        letter: others[0]
        for letter, others in partners.items()
        if len(letter) == len(others) == 1
        and (len(others[0]) > 1 or len(partners[others[0]]) > 1 or others[0] < letter)
    }
    return {letter: _resolved(prototype, single) for letter, prototype in single.items()}


def _resolved(prototype: str, single: Mapping[str, str]) -> str:
    """The prototype, with each of its letters replaced by its own prototype."""
    while (further := "".join(single.get(each, each) for each in prototype)) != prototype:
        prototype = further
    return prototype
