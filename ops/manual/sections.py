"""The manual section by section, to be searched; and every command with its line in it.

>>> [section.heading for section, _ in search("cookie script")]
['What a browser may do']
>>> commands()["dispute decide"].startswith("Decides")
True
"""

import re
from collections.abc import Iterator, Mapping
from functools import cache

from msgspec import Struct

from ops.manual.topics import Topic, topic, topics

_HEADING = re.compile(r"^#{1,6} (.+)$", re.MULTILINE)
_FENCED = re.compile(r"^```.*?^```$", re.MULTILINE | re.DOTALL)
_COMMAND = re.compile(r"^\| `sabot ([^`]+)` \| ([^|]*)\|", re.MULTILINE)
_LONGEST = 160  # letters of a line that is shown


class Section(Struct, frozen=True):
    """A heading of a topic with what stands below it; `slug`: its name in an address."""

    topic: str
    heading: str
    slug: str
    text: str


def slug_of(heading: str) -> str:
    """A heading as a part of an address: `what-a-browser-may-do`."""
    return re.sub(r"[^a-z0-9]+", "-", heading.lower()).strip("-")


@cache
def sections() -> tuple[Section, ...]:
    """Every section of the manual, in the order of its topics."""
    return tuple(section for page in topics() for section in _of(page))


def _of(page: Topic) -> Iterator[Section]:
    """The sections of a page; a line of a block of code is no heading."""
    blanked = _FENCED.sub(lambda block: " " * len(block[0]), page.text)
    heads = [*_HEADING.finditer(blanked)]
    ends = [head.start() for head in heads[1:]] + [len(page.text)]
    for head, end in zip(heads, ends, strict=True):
        heading = head[1].replace("`", "").strip()
        yield Section(page.name, heading, slug_of(heading), page.text[head.end() : end].strip())


def search(text: str) -> list[tuple[Section, str]]:
    """The sections that have every word, with the first line that has one of them."""
    words = text.lower().split()
    if not words:
        return []
    having = (each for each in sections() if _has(f"{each.heading} {each.text}", words))
    return [(each, _line(each, words)) for each in having]


def _has(text: str, words: list[str]) -> bool:
    return all(word in text.lower() for word in words)


def _line(section: Section, words: list[str]) -> str:
    lines = section.text.splitlines() or [""]
    best = max(lines, key=lambda line: sum(word in line.lower() for word in words))
    plain = re.sub(r"[`|*]+", " ", best)
    return " ".join(plain.split())[:_LONGEST]


@cache
def commands() -> Mapping[str, str]:
    """What each command does, by its words: `dispute decide`."""
    page = topic("commands")
    assert page
    return {words: what.strip() for words, what in _COMMAND.findall(page.text)}


def command_in(words: str) -> str:
    """The command with which these words begin, the first one of a noun, or '' for none."""
    parts = words.removeprefix("sabot ").split()
    names = [" ".join(parts[:n]) for n in (3, 2, 1) if n <= len(parts)]
    named = (name for name in names if name in commands())
    of_noun = (each for each in commands() if len(parts) == 1 and each.startswith(f"{parts[0]} "))
    return next(named, "") or next(of_noun, "")
