"""Reads a spreadsheet of patrons, plans what it would make, and takes it line by line."""

import csv
import io
from collections.abc import Iterable, Iterator, Sequence

from domain.rules.choices import some_of
from domain.rules.patron_files import EMPTY, read_stored
from domain.rules.patron_import import COLUMNS, House, Known, Planned, Row, lines_of, plan
from domain.rules.refusals import BadValue
from domain.rules.wording import Words
from ops.handlers.answer import Answer
from ops.handlers.dispatcher import Dispatcher
from ops.ledger.patron_files import stored_files
from ops.ledger.secrets import People
from ops.reports.names import patrons_of
from ops.words.csv_cells import unguarded

_MOST = 100_000  # rows


def rows_of(content: bytes, columns: Sequence[str] = COLUMNS) -> list[Row]:
    """The rows of a CSV file of these columns, each with what its cells say. Refuses: BadValue."""
    try:
        text = content.decode("utf-8-sig")
    except UnicodeDecodeError:
        raise BadValue(
            message=Words("The file is not UTF-8. Save it as CSV UTF-8, then import that.")
        ) from None
    first = text.partition("\n")[0]
    delimiter = ";" if first.count(";") > first.count(",") else ","
    read = csv.reader(io.StringIO(text), delimiter=delimiter)
    headings = [each.strip().lower().replace(" ", "_") for each in next(read, [])]
    _require_headings(headings, columns)
    return list(_rows(read, headings))


def _require_headings(headings: Sequence[str], columns: Sequence[str]) -> None:
    for each in headings:
        if each not in columns:
            raise BadValue(
                message=Words(
                    "There is no column {name}: {takes}.",
                    name=repr(each[:40]),
                    takes=some_of(list(columns), each, "`sabot manual patron-files`"),
                )
            )
        if headings.count(each) > 1:
            raise BadValue(message=Words("The column {name} is there twice.", name=each))
    if not headings:
        raise BadValue(message=Words("The file is empty. Its first row names the columns."))


def _rows(read: Iterable[list[str]], headings: Sequence[str]) -> Iterator[Row]:
    for number, cells in enumerate(read, 2):
        if number > _MOST:
            raise BadValue(message=Words("The file has too many rows. Import it in parts."))
        if any(each.strip() for each in cells):
            if len(cells) > len(headings):
                words = Words("Row {row} has more cells than there are columns.", row=number)
                raise BadValue(message=words)
            texts = (unguarded(" ".join(each.split())) for each in cells)
            yield Row(number, dict(zip(headings, texts, strict=False)))


def planned(dispatcher: Dispatcher, rows: Sequence[Row], apart: Iterable[str]) -> list[Planned]:
    """What becomes of each row, as things are now. Raises LedgerLost."""
    named_apart = frozenset(apart)
    return dispatcher.casino.look(lambda: plan(rows, _house(dispatcher, rows, named_apart)))


def _house(dispatcher: Dispatcher, rows: Sequence[Row], apart: frozenset[str]) -> House:
    """Who is on record: everybody with a file or a name, and whom the rows name."""
    names = dispatcher.desk.names
    named = {name for row in rows if (name := row.cells.get("patron", ""))}
    with dispatcher.casino.ledger.connection() as connection:
        aliases = {n: p for n, p in patrons_of(connection, named).items() if n != p}
    on_record = {name for name in named if next(names.known_as(name), None)} - aliases.keys()
    known = on_file(dispatcher)
    for patron in {*on_record, *aliases.values()} - known.keys():
        known[patron] = Known(patron)
    return House(known, aliases, apart)


def on_file(dispatcher: Dispatcher) -> dict[str, Known]:
    """Everybody who has a file or a name, with both. Raises LedgerLost."""
    ledger = dispatcher.casino.ledger
    with ledger.connection() as connection:
        files = {each: read_stored(text) for each, text in stored_files(connection).items()}
    names = People(ledger).all_patrons()
    return {
        patron: Known(patron, names.get(patron, ""), files.get(patron, EMPTY))
        for patron in {*files, *names}
    }


def take(dispatcher: Dispatcher, each: Planned, by: str) -> Answer | None:
    """Does what is planned for a row: the first refusal or the last answer; None for a name."""
    answer = None
    for line in lines_of(each):
        answer = dispatcher.dispatch({**line, **({"by": by} if by else {})})
        if not answer.ok:
            return answer
    if name := each.adds.get("name"):
        People(dispatcher.casino.ledger).name_patron(each.patron, name)
    return answer
