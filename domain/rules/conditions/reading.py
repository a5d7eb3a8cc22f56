"""Reads a condition: phrases joined by *and*, *or*, *not*, brackets, *at least two of (…, …)*.

>>> condition("banker wins on 6 with for cards")
Traceback (most recent call last):
    ...
domain.rules.conditions.reading.Unreadable: after 'banker wins on 6 with' write a number, not 'for'
"""

import re
from collections.abc import Callable, Iterator
from functools import cache, lru_cache
from itertools import product
from typing import Any

from msgspec import Struct

from domain.rules.choices import nearest
from domain.rules.conditions.facts import Condition, any_of, every, none, some_of
from domain.rules.conditions.phrases import PHRASES, Meaning
from domain.rules.conditions.slots import BOUNDS, CHOICES, MANY, NUMBERS
from domain.rules.wording import Words, either

LONGEST = 400  # characters
_WORD = re.compile(r"[(),]|[^\s(),]+")
_PART = re.compile(r"\{(?:(?P<name>\w+):)?(?P<slot>[\w ]+)\}|(?P<words>[^{}]+)")
_OPTIONAL = re.compile(r"\[([^]]*)\]")


class Unreadable(ValueError):
    """A condition that is no sentence of phrases; it says where, and what could be there."""


@lru_cache(maxsize=4096)
def condition(text: str) -> Condition:
    """The condition that a text states. Raises Unreadable."""
    reader = _Reader(tuple(_WORD.findall(text[:LONGEST])))
    read = reader.any_of(0)
    if read is None or read[1] < len(reader.words) or len(text) > LONGEST:
        raise Unreadable(reader.why())
    read_whole: Condition = read[0]
    return read_whole


Read = tuple[Any, int]  # what was read, and the place of the word after it


class _Reader:
    """Reads word by word, and keeps how far it came and what could have been there."""

    def __init__(self, words: tuple[str, ...]) -> None:
        self.words = words
        self._furthest = 0
        self._wanted: dict[str, None] = {}

    def why(self) -> Words:
        """What is wrong, and where."""
        before = " ".join(self.words[: self._furthest])
        word = self.words[self._furthest] if self._furthest < len(self.words) else ""
        near = either(nearest(list(self._wanted), word))
        if not word:
            return Words(
                "it ends too soon: after '{before}' write {near}", before=before, near=near
            )
        if not before:
            return Words("begin with {near}, not with '{word}'", near=near, word=word)
        return Words(
            "after '{before}' write {near}, not '{word}'", before=before, near=near, word=word
        )

    # Sentences.
    def any_of(self, place: int) -> Read | None:
        """One of several, joined by `or`."""
        return self._joined(place, "or", self._every, any_of)

    def _every(self, place: int) -> Read | None:
        return self._joined(place, "and", self._one, every)

    def _joined(self, place: int, word: str, read: "Reads", join: "Joins") -> Read | None:
        each = read(place)
        some = []
        while each is not None:
            some.append(each[0])
            place = each[1]
            if not self._is_next(place, word):
                return (some[0] if len(some) == 1 else join(some)), place
            each = read(place + 1)
        return None

    def _one(self, place: int) -> Read | None:
        if self._is_next(place, "not"):
            each = self._one(place + 1)
            return each and (none(each[0]), each[1])
        if self._is_next(place, "("):
            each = self.any_of(place + 1)
            return (each[0], each[1] + 1) if each and self._is_next(each[1], ")") else None
        return self._several(place) or self._phrase(place) or self._introduced(place)

    def _introduced(self, place: int) -> Read | None:
        """`both … and …`, `either … or …`: as without the first word."""
        for word, read in (("both", self._every), ("either", self.any_of)):
            if self._is_next(place, word):
                return read(place + 1)
        return None

    def _several(self, place: int) -> Read | None:
        """`at least two of (…, …)`."""
        many = self._some(place)
        if not many or not (self._is_next(many[1], "of") and self._is_next(many[1] + 1, "(")):
            return None
        each, some = self.any_of(many[1] + 2), []
        while each is not None:
            some.append(each[0])
            if self._is_next(each[1], ")"):
                return some_of(many[0], some), each[1] + 1
            each = self.any_of(each[1] + 1) if self._is_next(each[1], ",") else None
        return None

    # Phrases.
    def _phrase(self, place: int) -> Read | None:
        """The longest phrase that begins there."""
        matches = [
            (read[1], n, meaning, read[0])
            for n, (parts, meaning) in enumerate(_phrases())
            if (read := self._parts(parts, place))
        ]
        if not matches:
            return None
        after, _, meaning, values = max(matches, key=lambda each: (each[0], -each[1]))
        return meaning(**values), after

    def _parts(self, parts: "Parts", place: int) -> Read | None:
        values = {}
        for part in parts:
            if isinstance(part, Slot):
                read = self._slot(part.takes, place)
                if read is None:
                    return None
                values[part.name], place = read
            elif self._is_next(place, *part):
                place += 1
            else:
                return None
        return values, place

    def _slot(self, takes: str, place: int) -> Read | None:
        if takes == "number":
            return self._number(place)
        if takes == "span":
            return self._span(place)
        if takes == "some":
            return self._some(place)
        choices = CHOICES[takes]
        for phrase in _longest_first(takes):
            after = self._after(place, phrase)
            if after:
                return choices[phrase], after
        return None

    # Numbers.
    def _number(self, place: int) -> Read | None:
        if place < len(self.words) and self.words[place] in NUMBERS:
            return NUMBERS[self.words[place]], place + 1
        self._want(place, "a number")
        return None

    def _span(self, place: int) -> Read | None:
        bounded = self._bounded(place)
        if bounded:
            return bounded
        first = self._number(place)
        if first is None:
            return None
        if not self._is_next(first[1], "to"):
            return range(first[0], first[0] + 1), first[1]
        last = self._number(first[1] + 1)
        return last and (range(first[0], last[0] + 1), last[1])

    def _some(self, place: int) -> Read | None:
        """How many: `at least two`, `exactly 3`, `no`."""
        number = self._number(place)
        return self._bounded(place) or (number and (range(number[0], number[0] + 1), number[1]))

    def _bounded(self, place: int) -> Read | None:
        for bound in BOUNDS:
            after = self._after(place, bound)
            if after:
                number = self._number(after)
                if number is None:
                    return None
                least = 0 if bound == "at most" else number[0]
                most = MANY if bound == "at least" else number[0] + 1
                return range(least, most), number[1]
        return None

    def _is_next(self, place: int, *words: str) -> bool:
        """Whether one of these words is there; they are kept as what could be there."""
        if place < len(self.words) and self.words[place] in words:
            return True
        for word in words:
            self._want(place, word)
        return False

    def _after(self, place: int, phrase: str) -> int | None:
        """The place after these words, if they stand there; the rest of them is noted."""
        words = phrase.split()
        for n, word in enumerate(words):
            if place + n >= len(self.words) or self.words[place + n] != word:
                self._want(place + n, " ".join(words[n:]))
                return None
        return place + len(words)

    def _want(self, place: int, word: str) -> None:
        if place > self._furthest:
            self._furthest, self._wanted = place, {}
        if place == self._furthest:
            self._wanted[word] = None


Reads = Callable[[int], Read | None]
Joins = Callable[[list[Condition]], Condition]


class Slot(Struct, frozen=True):
    """A place in a phrase: the name of its value, and what may stand there."""

    name: str
    takes: str


Parts = tuple[Slot | tuple[str, ...], ...]


@cache
def _phrases() -> tuple[tuple[Parts, Meaning], ...]:
    """Every phrase, once with and once without each part that may be left out."""
    return tuple(
        (_parts(words), meaning)
        for phrase, meaning in PHRASES.items()
        for words in _written(phrase)
    )


def _written(phrase: str) -> Iterator[str]:
    for left_in in product((True, False), repeat=len(_OPTIONAL.findall(phrase))):
        parts = _OPTIONAL.split(phrase)  # every second one may be left out
        yield "".join(part for n, part in enumerate(parts) if n % 2 == 0 or left_in[n // 2])


def _parts(phrase: str) -> Parts:
    parts: list[Slot | tuple[str, ...]] = []
    for each in _PART.finditer(phrase):
        if each["slot"]:
            parts.append(Slot(each["name"] or each["slot"], each["slot"]))
        else:
            parts.extend(tuple(word.split("|")) for word in each["words"].split())
    return tuple(parts)


@cache
def _longest_first(takes: str) -> tuple[str, ...]:
    return tuple(sorted(CHOICES[takes], key=lambda phrase: -len(phrase.split())))
