"""What to write where only some words are taken: all of them or, of many, the nearest.

>>> one_of(("push", "pull"), "psh", "")
'write one of push, pull'
>>> one_of(map(str, range(100, 200)), "1O1", "`sabot numbers`")
'write one of 100 words; the nearest are 101, 110 and 111; `sabot numbers` lists all'
"""

import difflib
from collections.abc import Iterable

from domain.rules.wording import N_, Words, listed

OF_RULE_FILES = "`sabot manual rule-sets`"  # lists the words of rule files
MOST = 12  # words that a refusal lists; of more it names the nearest
NEAREST = 3


def one_of(words: Iterable[str], typed: object, place: str) -> str:
    """The end of a refusal of a word that is none of these; `place`: where all are listed."""
    each = list(words)
    if len(each) <= MOST:
        return Words("write one of {words}", words=_in_a_row(each))
    return Words(
        "write one of {n} words; the nearest are {near}; {place} lists all",
        n=len(each),
        near=listed(nearest(each, str(typed))),
        place=place,
    )


def some_of(words: list[str], typed: object, place: str) -> str:
    """All of the words or, of many, how many there are and the nearest."""
    if len(words) <= MOST:
        return _in_a_row(words)
    near = listed(nearest(words, str(typed)))
    return Words(
        "{n}; the nearest are {near}; {place} lists all", n=len(words), near=near, place=place
    )


def _in_a_row(words: Iterable[str]) -> str:
    return listed(words, N_("{some}, {last}"))


def nearest(words: list[str], typed: str) -> list[str]:
    """The three words that somebody may have meant, the nearest first."""
    wanted = difflib.SequenceMatcher(b=typed.lower()[:80])

    def unlike(word: str) -> float:
        wanted.set_seq1(word)
        return -wanted.ratio()

    return sorted(words, key=unlike)[:NEAREST]
