"""Lists of people who may not play, as a state or an operator gives them: who of it is here.

Somebody is the patron whose file has the same document, or the same name, its words in whatever
order, and birth date. Where only the names look the same, a person looks. A list of other houses
of a group has their numbers of patrons: those are sure where the houses number their patrons
together, and else a person looks. Nothing is stored about anybody else.
"""

import re
from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping
from itertools import permutations
from types import MappingProxyType
from typing import Literal

from msgspec import Struct
from msgspec.structs import replace

from domain.rules.likeness import looks
from domain.rules.patron_files import Document, DocumentRead
from domain.rules.patron_import import Fault, Known, Row, faults_in
from domain.rules.wording import N_, Words

_BETWEEN = re.compile(r"[\s,;،，、]+")  # the words of a name
_MANY = 4  # words of a name, of which every order is tried; of more, each as the first
COLUMNS = ("patron", "name", "birth_date", "document", "number", "issuer", "reference")
What = Literal["bar", "barred", "asked", "nobody", "wrong"]
WHY: Mapping[str, str] = {  # why a row is a patron
    "document": N_("the same document is on their file"),
    "person": N_("the name and the birth date are the same"),
    "looks": N_("the names look the same"),
    "number": N_("the number is the same"),
}


class Listed(Struct, frozen=True):
    """What becomes of a row: a patron whom it bars, who is barred, or may be meant; or nobody."""

    row: int
    what: What
    patron: str = ""
    why: str = ""
    reference: str = ""
    faults: tuple[Fault, ...] = ()


class Here(Struct, frozen=True):
    """The patrons who are here, by what a list knows of somebody; `barred`: who is already."""

    barred: frozenset[str]
    by_document: Mapping[DocumentRead, list[str]]
    by_look: Mapping[str, list[Known]]
    by_number: Mapping[str, str] = MappingProxyType({})
    same_numbers: bool = False

    @classmethod
    def of(
        cls,
        known: Iterable[Known],
        barred: Iterable[str],
        by_number: Mapping[str, str] = MappingProxyType({}),
        *,
        same_numbers: bool = False,
    ) -> "Here":
        """Makes it of who is on file, each by the number that they have as a patron.

        `by_number`: of each number of the list that is on record, whose it is. `same_numbers`: the
        list's houses number their patrons together with this one.
        """
        by_document, by_look = defaultdict(list), defaultdict(list)
        for each in known:
            for document in each.contents.documents:
                by_document[document.as_read].append(each.patron)
            for look in looks(each.name) if each.name else ():
                by_look[look].append(each)
        return cls(frozenset(barred), by_document, by_look, by_number, same_numbers)

    @property
    def unsure(self) -> frozenset[str]:
        """Why a row may be a patron, so that a person looks."""
        return frozenset({"looks"} if self.same_numbers else {"looks", "number"})


def listed(rows: Iterable[Row], here: Here) -> list[Listed]:
    """What becomes of each row, in their order; two for a row that is two patrons.

    A patron whom an earlier row bars is barred already.
    """
    barred = set(here.barred)
    every = []
    for each in (each for row in rows for each in _of_row(row, here)):
        again = each.what == "bar" and each.patron in barred
        every.append(replace(each, what="barred") if again else each)
        barred |= {each.patron} if each.what == "bar" else set()
    return every


def _of_row(row: Row, here: Here) -> Iterator[Listed]:
    if faults := (*faults_in(row.cells), *_without(row.cells)):
        yield Listed(row.number, "wrong", faults=faults)
        return
    meant = dict(_meant(row.cells, here))
    sure = {patron: why for patron, why in meant.items() if why not in here.unsure}
    reference = row.cells.get("reference", "")
    for patron, why in sorted((sure or meant).items()):
        what: What = "barred" if patron in here.barred else "bar" if sure else "asked"
        yield Listed(row.number, what, patron, why, reference)
    if not meant:
        yield Listed(row.number, "nobody", reference=reference)


def _without(cells: Mapping[str, str]) -> Iterator[Fault]:
    """The fault of a row that names nobody."""
    if not any(map(cells.get, ("name", "number", "patron"))):
        yield Fault("name", Words("it is empty, and there is no document"))


def _meant(cells: Mapping[str, str], here: Here) -> Iterator[tuple[str, str]]:
    """Who may be meant, and why: what is less sure first."""
    of_number = here.by_number.get(cells.get("patron", ""), "")
    if of_number and not here.same_numbers:
        yield of_number, "number"
    name, born = cells.get("name", ""), cells.get("birth_date", "")
    alike = {
        each.patron: each
        for ordered in _in_any_order(name)
        for look in looks(ordered)
        for each in here.by_look.get(look, ())
    }
    for patron, each in alike.items():
        theirs = each.contents.birth_date
        if not born or not theirs:
            yield patron, "looks"
        elif born == theirs:
            yield patron, "person"
    if of_number and here.same_numbers:
        yield of_number, "number"
    if number := cells.get("number", ""):
        document = Document(cells.get("document", ""), number, cells.get("issuer", ""), "", "", "")
        for patron in here.by_document.get(document.as_read, ()):
            yield patron, "document"


def _in_any_order(name: str) -> list[str]:
    """A name, and the same words in other orders, without the commas between them.

    >>> _in_any_order("Smith, Tom")
    ['Smith, Tom', 'Smith Tom', 'Tom Smith']
    """
    words = [each for each in _BETWEEN.split(name) if each]
    orders: Iterable[Iterable[str]] = permutations(words)
    if len(words) > _MANY:
        orders = (words[first:] + words[:first] for first in range(len(words)))
    return [*dict.fromkeys((name, *map(" ".join, orders)))]
