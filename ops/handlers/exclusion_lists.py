"""Finds who of an exclusion list is here, and bars them."""

from collections.abc import Sequence

from msgspec.structs import replace

from domain.rules.exclusion_lists import COLUMNS, Here, Listed, listed
from domain.rules.patron_import import Row
from ops.handlers.answer import Answer
from ops.handlers.dispatcher import Dispatcher
from ops.handlers.patron_import import on_file, rows_of


def rows_of_list(content: bytes) -> list[Row]:
    """The rows of a list, as CSV. Refuses: BadValue."""
    return rows_of(content, COLUMNS)


def who_is_here(
    dispatcher: Dispatcher, rows: Sequence[Row], *, same_numbers: bool = False
) -> list[Listed]:
    """What becomes of each row, as things are now; files of aliases are their patrons'.

    `same_numbers`: the list's numbers of patrons are those of this house, too.
    """
    return dispatcher.casino.look(lambda: _here(dispatcher, rows, same_numbers=same_numbers))


def _here(dispatcher: Dispatcher, rows: Sequence[Row], *, same_numbers: bool) -> list[Listed]:
    names = dispatcher.desk.names
    given = {row.cells.get("patron", "") for row in rows} - {""}
    by_number = {each: names.identity(each) for each in given if any(names.known_as(each))}
    known = [
        replace(each, patron=names.identity(each.patron)) for each in on_file(dispatcher).values()
    ]
    here = {each.patron for each in known} | {*by_number.values()}
    barred = {each for each in here if (of := names.record(each)) and of.barred}
    return listed(rows, Here.of(known, barred, by_number, same_numbers=same_numbers))


def bar(dispatcher: Dispatcher, each: Listed, of_list: str, kind: str, by: str) -> Answer:
    """Bars the patron whom a row is. The record names the list, no person."""
    reason = " ".join(word for word in ("on the list", of_list, each.reference) if word)
    line = {"command": "patron.bar", "patron": each.patron, "reason": reason, "kind": kind}
    # Who is on file is on record: a name that looks like theirs was asked about then.
    return dispatcher.dispatch({**line, "confirmed": True, **({"by": by} if by else {})})
