"""Whom a page is drawn for: in their language, with what they may do and where they may go."""

from collections.abc import Iterator
from contextlib import contextmanager

from markupsafe import Markup
from msgspec import Struct

from ops.commands.reader import Asked
from ops.commands.rights import Rights, read_by, rights_of_reader
from ops.finding import opening
from ops.words.language import ENGLISH, reading


class Viewer(Struct, frozen=True):
    """One of those who see a page alike."""

    language: str = ENGLISH
    rights: Rights = Rights()

    @property
    def name(self) -> tuple[str, ...]:
        """By which pages that are alike are known."""
        role = self.rights.role
        return self.language, "open house" if role is None else role, self.rights.table


@contextmanager
def drawn_for(viewer: Viewer) -> Iterator[None]:
    """What is drawn in the block is for them. Raises UnknownLanguage."""
    with reading(viewer.language), read_by(viewer.rights):
        yield


def opens(href: str) -> bool:
    """Whether an address of this house shows them what it is about."""
    return opening.opens(rights_of_reader(), href)


def may(command: str) -> bool:
    """Whether they may give a command."""
    return rights_of_reader().may_give(command)


def acknowledges(kind: str) -> bool:
    """Whether they may take an alert of this kind off the board."""
    return rights_of_reader().may_acknowledge(kind)


def reads(what: str) -> bool:
    """Whether a command that reads would show them something."""
    return rights_of_reader().may_read(Asked(what))


def staff(number: str | None) -> Markup:
    """A number of staff that leads to their page, with how they are known behind it, if it is said.

    A dot for nobody.
    """
    if not number:
        return Markup("·")
    name, blank, how = number.partition(" ")
    return link(opening.page_about("staff", name), name) + blank + how


def whose(patron: str) -> Markup:
    """A patron that leads to their page; nothing for nobody."""
    return link(opening.page_about("patron", patron), patron) if patron else Markup("")


def link(href: str, words: object, **more: str) -> Markup:
    """Words that lead there, or the words alone for whom nothing is shown there."""
    if not opens(href):
        return Markup("{}").format(words)
    attributes = Markup("").join(
        Markup(' {}="{}"').format(name.replace("_", "-").strip("-"), value)
        for name, value in more.items()
    )
    return Markup('<a href="{}"{}>{}</a>').format(href, attributes, words)
