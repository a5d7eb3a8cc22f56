"""What a report was narrowed to and no event ever named: more likely mistyped than without rows."""

from collections.abc import Iterator, Mapping
from typing import TYPE_CHECKING, Any
from uuid import UUID

from domain.rules.addresses import Shoe, stream_id
from domain.rules.wording import N_, Words
from ops.ledger.database import Database
from ops.ledger.reading import read_stream
from ops.reports.ask import ask
from ops.reports.names import names_like
from projections import REPORTS

if TYPE_CHECKING:
    import psycopg

_SENTENCES = {
    "table": N_("The record has no table {name}."),
    "shoe": N_("The record has no shoe {name}."),
    "patron": N_("The record has no patron {name}."),
}


def never_named(
    database: Database, narrowed: Mapping[str, str | None]
) -> Iterator[tuple[str, Words]]:
    """Each such table, shoe and patron, and a sentence with names that look the same."""
    streams = dict(_streams(narrowed))
    if not streams:
        return
    with database.session("sabot_auditor") as connection:
        for what in [each for each in streams if not read_stream(connection, streams[each])]:
            name = str(narrowed[what])
            sentence = Words(_SENTENCES[what], name=name)
            if what != "patron":
                yield name, sentence
            elif not _is_rated(database, name):
                yield name, _with_alike(connection, sentence, name)


def _is_rated(database: Database, name: str) -> bool:
    """Whether a patron played, or may have: rows that a full disk keeps behind do not tell."""
    answer = ask(database, REPORTS["ratings"], or_behind=True, patron=name)
    return bool(answer.raw or (answer.counted and answer.counted.disk_full))


def _streams(narrowed: Mapping[str, str | None]) -> Iterator[tuple[str, UUID]]:
    """The streams of the table, the shoe and the patron that are named."""
    if table := narrowed.get("table"):
        yield "table", stream_id("table", table)
    if shoe := narrowed.get("shoe"):
        yield "shoe", stream_id("shoe", shoe, Shoe.parse(shoe).table_day.day)
    if patron := narrowed.get("patron"):
        yield "patron", stream_id("patron", patron)


def _with_alike(connection: "psycopg.Connection[Any]", sentence: Words, name: str) -> Words:
    """The sentence with the patrons on record whose names look the same, if there are any."""
    if known := names_like(connection, name):
        alike = ", ".join(known)
        return Words("{sentence} These look the same: {known}.", sentence=sentence, known=alike)
    return sentence
