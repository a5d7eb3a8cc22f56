"""A page of a long list: it begins after a row, or ends before one, whatever arrives meanwhile.

The address of a page has that row's place, which is what the list is sorted by. So a page that is
loaded again, gone back to or sent to somebody begins at the same row, also if that row is gone.
"""

from bisect import bisect_left, bisect_right
from collections.abc import Mapping, Sequence
from contextlib import suppress

from msgspec import DecodeError, Struct, json

from domain.rules.refusals import BadValue
from domain.rules.wording import Words

Place = tuple[int | str, ...]  # the values that a row is sorted by; no other row has the same


class Turn(Struct, frozen=True):
    """Which page somebody asks for; neither: the first."""

    after: str = ""
    before: str = ""

    @classmethod
    def of(cls, query: Mapping[str, str]) -> "Turn":
        """What a page's address asks for."""
        return cls(query.get("after", ""), query.get("before", ""))


FIRST = Turn()


class Part(Struct, frozen=True):
    """Which rows are on a page; `before` and `after`: in the addresses of those beside it."""

    rows: range
    before: str = ""
    after: str = ""


def part_of(places: Sequence[Place], turn: Turn, most: int, *, last_first: bool = False) -> Part:
    """The page of at most so many rows that is asked for. Refuses: BadValue.

    `places`: of all rows, rising. `last_first`: the list is read from its end, as rows are counted.
    """
    many = len(places)
    begin = 0
    if turn.after and places:
        after = place_in(turn.after, "after", places[0])
        begin = many - bisect_left(places, after) if last_first else bisect_right(places, after)
    elif turn.before and places:
        before = place_in(turn.before, "before", places[0])
        end = many - bisect_right(places, before) if last_first else bisect_left(places, before)
        begin = max(0, end - most)
    rows = range(begin, min(begin + most, many))

    def name(row: int) -> str:
        return place_words(places[many - 1 - row if last_first else row])

    return Part(
        rows,
        before=name(rows.start) if rows and rows.start else "",
        after=name(rows.stop - 1) if rows and rows.stop < many else "",
    )


def place_words(place: Sequence[int | str]) -> str:
    """A place for an address."""
    return json.encode(place).decode()


def place_in(text: str, name: str, example: Place) -> Place:
    """A place as it is in an address; `example`: another one of the list. Refuses: BadValue."""
    with suppress(DecodeError, TypeError):
        place = tuple(json.decode(text))
        if [*map(type, place)] == [*map(type, example)] and not any(
            "\0" in str(each) for each in place
        ):
            return place
    why = Words("take the address of the next page from the page before")
    raise BadValue(field=name, value=repr(text[:80]), why=why)
