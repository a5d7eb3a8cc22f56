"""Finds what people call by no name of its own: a kind with its number, a word of a page.

`case 1`, `table 4`, `fill`, `who owes`: in English and in the reader's language. Whoever shows it
leaves out what may not be opened.
"""

import re
from collections.abc import Callable, Iterable, Iterator, Mapping
from datetime import datetime
from string import ascii_uppercase
from typing import TYPE_CHECKING, Any

from domain.aggregates.table import Table
from domain.rules import addresses
from domain.rules.wording import Words
from ops.finding.hits import Hit, find
from ops.ledger.searching import last_of_each
from ops.manual.sections import commands, sections
from ops.words import found
from ops.words.alerts import KINDS
from ops.words.columns import about_here, title_here
from ops.words.language import shown
from projections import REPORTS

if TYPE_CHECKING:
    import psycopg

MOST = 5  # of a kind of page
_SHORTEST = 3  # bytes of a word that is looked for: a letter of China's has as many
_NUMBERED = re.compile(r"(?P<what>.+?)\s*(?P<number>\d{1,6})")
_OF_YEAR: Mapping[str, Callable[[int, int], object]] = {
    "case": addresses.Case,
    "inquiry": addresses.Inquiry,
    "incident": addresses.Incident,
    "slip": "{}-{}".format,
}


def worded(connection: "psycopg.Connection[Any]", text: str, now: datetime) -> list[Hit]:
    """What somebody may mean by a kind and its number, or by words."""
    text = " ".join(text.casefold().split())
    typed = _NUMBERED.fullmatch(text)
    numbered = _numbered(connection, typed["what"], int(typed["number"]), now) if typed else ()
    return [*numbered] or _by_words(text)


def _numbered(
    connection: "psycopg.Connection[Any]", what: str, number: int, now: datetime
) -> Iterator[Hit]:
    """A paper of this year or of the last one, or a table, by its number alone."""
    kind = next((each for each, words in found.CALLED.items() if what in _each_of(words)), "")
    if kind == "table":
        yield from (Hit(kind, code) for code in tables_numbered(connection, number))
    elif kind:
        for year in (now.year, now.year - 1):
            yield from find(connection, str(_OF_YEAR[kind](year, number)), now)


def tables_numbered(connection: "psycopg.Connection[Any]", number: int) -> Iterator[str]:
    """The tables whose code is a letter and this number."""
    streams = {Table.stream(code): code for code in (f"{e}{number:02}" for e in ascii_uppercase)}
    yield from (streams[stream] for stream in last_of_each(connection, [*streams]))


def _by_words(text: str) -> list[Hit]:
    """Reports, pages, commands and headings of the manual, a few of each."""
    words = text.split()
    if not words or any(len(each.encode()) < _SHORTEST for each in words):
        return []
    called = [
        Hit("report", name, Words(REPORTS[name].about))
        for name, words_for in found.ASKED_OF_REPORTS.items()
        if _each_of(words_for) & {text, _one_of(text)}
    ]
    waiting = [
        Hit("alerts", kind)
        for kind, called in KINDS.items()
        if {text, _one_of(text)} & {called, shown(Words(called)).casefold()}
    ]
    listed = [Hit("page", at, title) for at, title in found.PAGES.items() if _has(words, title)]
    given = [Hit("command", name, does) for name, does in commands().items()
             if _has(words, name, does)]  # fmt: skip
    headed = [
        Hit("topic", f"{each.topic}#{each.slug}", each.heading)
        for each in sections()
        if _has(words, each.heading)
    ]
    kinds = (waiting, called or _reports(words), listed, given, headed)
    return [hit for hits in kinds for hit in hits[:MOST]]


def _reports(words: list[str]) -> list[Hit]:
    """Reports by the words of their titles and of what they show."""
    return [
        Hit("report", each.name, Words(each.about))
        for each in REPORTS.values()
        if _has(words, each.title, each.about, title_here(each), about_here(each))
    ]


def _has(words: Iterable[str], *texts: str) -> bool:
    """Whether each word begins a word of these texts, as they are or in the reader's language.

    Languages whose letters are not those of English may write words without blanks.
    """
    having = " ".join([*texts, *(shown(each) for each in texts if isinstance(each, Words))])
    return all(
        any(re.search(_begins(each), having.casefold()) for each in (word, _one_of(word)))
        for word in words
    )


def _begins(word: str) -> str:
    """The pattern of a word's beginning."""
    return (r"\b" if word[0].isascii() else "") + re.escape(word)


def _one_of(words: str) -> str:
    """English words in the singular, if the last of them is in the plural.

    >>> _one_of("late bets"), _one_of("inquiries"), _one_of("loss")
    ('late bet', 'inquiry', 'loss')
    """
    if words.endswith("ies") and len(words) > _SHORTEST + 1:
        return f"{words[:-3]}y"
    plural = words.endswith("s") and not words.endswith("ss") and len(words) > _SHORTEST
    return words[:-1] if plural else words


def _each_of(words: Words) -> set[str]:
    """What people say for it, in English and in the reader's language."""
    return {each.strip().casefold() for text in (words, shown(words)) for each in text.split(",")}
