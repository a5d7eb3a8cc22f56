"""The names under which a patron is known: a house number and aliases."""

from collections.abc import Iterable, Iterator

from domain.aggregates.patron import Patron
from domain.rules.likeness import alike
from domain.rules.refusals import NotFound
from domain.rules.wording import Words
from ops.commands.casino import Casino


class KnownNames:
    """The names of patrons, followed from identification to identification."""

    def __init__(self, casino: Casino) -> None:
        self._casino = casino

    def same(self, patron: str, other: str) -> bool:
        """Whether two names are known to be the same patron."""
        return patron == other or self.identity(patron) == self.identity(other)

    def identity(self, patron: str) -> str:
        """The name that a patron is known by now, after every identification."""
        *_, last = (patron, *(each.identity for each in self.known_as(patron)))
        return last

    def record(self, patron: str) -> Patron | None:
        """The record of the patron whom a name stands for: barring, limits and breaks are there.

        None if nothing is recorded about them. What an alias had, the patron took over.
        """
        *_, last = (None, *self.known_as(patron))
        return last

    def known_as(self, patron: str) -> Iterator[Patron]:
        """The records of a patron under this name and each name they were identified as."""
        seen: set[str] = set()
        while patron not in seen:
            seen.add(patron)
            known = self._casino.find(Patron, Patron.stream(patron))
            if known is None:
                return
            yield known
            patron = known.identity


def not_here(patron: str, among: Iterable[str], message: Words) -> NotFound:
    """The refusal of a name that is not among these; it says which of them looks the same."""
    near = next((each for each in sorted(among) if alike(patron, each)), None)
    if near is None:
        return NotFound(message=message)
    return NotFound(
        message=Words(
            "{message} {near} looks the same: use that name if it is who you mean.",
            message=message,
            near=near,
        )
    )
