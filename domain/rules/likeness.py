"""When two names look the same: Unicode's compatibility forms, case folding and confusables.

The table is that of Unicode's confusables (UTS 39), version 15.1, from a package that is pinned.
What neither folds is read from Unicode's names of characters: small capitals, letters in a circle,
with a stroke or a hook; numbers of any script. A newer table changes what is asked from then on,
and nothing that was decided. Accents, and blanks and punctuation but between two digits, make no
other name.

>>> alike("P-9", "ｐ-9"), alike("P-10", "Р-1О"), alike("P-9", "P-8")
(True, True, False)
>>> alike("Ann Archer", "AnnArchér"), alike("P-100", "P100"), alike("P-1-11", "P-11-1")
(True, True, False)
>>> alike("Ann", "ᴀɴɴ"), alike("P-12", "🅿-❶❷"), alike("P-66", "P-٦๖")
(True, True, True)
"""

import json
import re
from collections.abc import Iterator, Mapping, Sequence
from functools import cache, lru_cache
from importlib.resources import files
from itertools import product
from math import prod
from unicodedata import category, normalize, numeric
from unicodedata import name as called

Faces = tuple[str, ...]  # what a character may be taken for
TABLE = 151  # the version of Unicode, times ten
SHAPES = TABLE * 10 + 3  # the version of what `looks` answers: raise it whenever that changes
_MOST = 64  # looks of one name, and some
_ACCENTS = dict.fromkeys(range(0x300, 0x370))  # removes the marks over and under letters
_LETTER = re.compile(
    r"(?:.* )?(?:LATIN|INDICATOR SYMBOL)(?: CAPITAL| SMALL)? LETTER (?:SMALL )?(?:CAPITAL )?"
    r"([A-Z])(?: WITH .*)?"
)
# Letters that look like ours and that the table leaves out.
_LEFT_OUT = {"Ⲁ": "A", "Ⲃ": "B", "Ⲍ": "Z"}
_MARK = "\u200e"  # around letters of scripts that run to the left


@lru_cache(maxsize=65_536)
def looks(name: str) -> frozenset[str]:
    """What a name looks like; two names look the same if they have one of these in common.

    Every letter is taken for each that it may be taken for, whatever the others are taken for;
    where that is too much, first for letters and digits of ours, then all of them in the same way.
    """
    return frozenset(
        normalize("NFD", "".join(look)).translate(_ACCENTS)
        for faces in _spelled(normalize("NFC", name))
        for look in _each_look(faces)
        if look
    )


def _each_look(faces: Sequence[Faces]) -> Iterator[Faces]:
    yield tuple(each[0] for each in faces)
    ours = [tuple(face for face in each if face.isascii()) or each for each in faces]
    for some in (faces, ours):
        if prod(map(len, some)) <= _MOST:
            yield from product(*some)
            return
    for n in range(max(map(len, ours))):
        yield tuple(each[min(n, len(each) - 1)] for each in ours)


def _spelled(letters: str) -> Iterator[list[Faces]]:
    """The faces of each letter, with what separates them, and with but a hyphen between two digits.

    A number that is no digit, a Roman one for one, may be taken for a digit or for letters.
    """
    yield [_faces(each) for each in letters]
    for digit in (str.isdigit, _valued):
        name: list[Faces] = []
        separated, last = False, ""
        for each in letters:
            if _separates(each):
                separated = True
                continue
            if separated and last and digit(last) and digit(each):
                name.append(("-",))
            name.append(_faces(each))
            separated, last = False, each
        yield name


@lru_cache(maxsize=8_192)
def _faces(character: str) -> Faces:
    """What a character may be taken for: itself, the letter or the number in its Unicode name.

    Case is folded before its skeleton is made and after it: a Greek capital may look like a Latin
    one, though their small letters differ. What looks like no letter of ours may in the other case.

    >>> _faces("I"), _faces("к"), _faces("٥"), _faces("Ⅵ")
    (('i', 'l'), ('ĸ', 'k'), ('o', '5'), ('vi', 'vl', '6'))
    """
    plain = normalize("NFKC", character)
    bare = "".join(each for each in plain if not _separates(each)) or plain
    forms = [bare, "".join(map(_letter_named, bare))]
    if not _skeleton(bare.casefold()).isascii():
        forms += [bare.upper(), bare.lower()]
    if _valued(character):
        forms.append(f"{numeric(character):g}")
    return tuple(
        dict.fromkeys(face for form in forms for face in (_folded(form), _folded(_skeleton(form))))
    )


def _valued(character: str) -> bool:
    """Whether it is a whole number by Unicode's data, of whatever script."""
    return numeric(character, -1) >= 0 and numeric(character).is_integer()


def _folded(text: str) -> str:
    while (further := _skeleton(text.casefold())) != text:
        text = further
    return text


def _letter_named(character: str) -> str:
    """The letter that Unicode's name of a character names, or itself.

    >>> [*map(_letter_named, "ʀ🅰øяé")]
    ['R', 'A', 'O', 'я', 'E']
    """
    letter = _LETTER.fullmatch("" if character.isascii() else called(character, ""))
    return letter[1] if letter else character


@cache
def _separates(character: str) -> bool:
    """Whether it is a blank, a hyphen, a dot, an apostrophe or the like, and looks like no letter.

    >>> [each for each in "a1-. '|一é🅐⑴" if _separates(each)]
    ['-', '.', ' ', "'"]
    """
    if _valued(character) or _letter_named(character) != character:
        return False
    if len(plain := normalize("NFKC", character)) > 1:
        return all(map(_separates, plain))
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
    return {letter: _resolved(single[letter], single) for letter in single} | _LEFT_OUT


def _resolved(prototype: str, single: Mapping[str, str]) -> str:
    """The prototype, with each of its letters replaced by its own prototype."""
    while (further := "".join(single.get(each, each) for each in prototype)) != prototype:
        prototype = further
    return prototype
