"""What to write where only some words are taken: all of them or, of many, the nearest.

>>> one_of(("push", "pull"), "psh", "")
'write one of push, pull'
>>> one_of(map(str, range(100, 200)), "1O1", "`sabot numbers`")
'write one of 100 words; the nearest are 101, 110 and 111; `sabot numbers` lists all'
"""

import difflib
from collections.abc import Iterable

from domain.rules.wording import listed

OF_RULE_FILES = "`sabot manual rule-sets`"  # lists the words of rule files
MOST = 12  # words that a refusal lists; of more it names the nearest
NEAREST = 3


def one_of(words: Iterable[str], typed: object, place: str) -> str:
    """The end of a refusal of a word that is none of these; `place`: where all are listed."""
    return f"write one of {some_of(list(words), typed, place, 'words')}"


def some_of(words: list[str], typed: object, place: str, kind: str = "") -> str:
    """All of the words or, of many, how many of that kind there are and the nearest."""
    if len(words) <= MOST:
        return ", ".join(words)
    near = listed(nearest(words, str(typed)))
    return f"{len(words)} {kind}".rstrip() + f"; the nearest are {near}; {place} lists all"


def nearest(words: list[str], typed: str) -> list[str]:
    """The three words that somebody may have meant, the nearest first."""
    wanted = difflib.SequenceMatcher(b=typed.lower()[:80])

    def unlike(word: str) -> float:
        wanted.set_seq1(word)
        return -wanted.ratio()

    return sorted(words, key=unlike)[:NEAREST]
