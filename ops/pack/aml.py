"""The pack of a case of money laundering: all that happened in it, and the events it names, whole.

Beside each event of cash is that patron's cash of the day, so that the reports about it are there
with the digest of the file that was sent. Nobody's name is in it but the patron's number. It is
secret as the case is: who may read the case makes it, and that it was made is an event of it.
"""

from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING, Any
from zoneinfo import ZoneInfo

from msgspec.structs import asdict

from domain.aggregates.aml_case import AmlCase
from domain.aggregates.cash import CashDay
from domain.events.aml_case import AmlCaseExported
from domain.rules import addresses
from ops.ledger.reading import head_of, read_spans
from ops.pack.aml_paper import paper
from ops.pack.content import AmlContent
from ops.pack.events import SourceEvent, events_of_stream, linked, single_event
from ops.pack.handed import (
    handed_out,
    identified,
    in_two_files,
    known_as,
    of_the_house,
    until_the_last_step,
)
from ops.pack.pack import Pack
from ops.replay.aml_case import read_aml_case, read_without_texts, whose_cash
from ops.reports.aliases import Known, known_at
from ops.words.language import ENGLISH, reading

if TYPE_CHECKING:
    import psycopg

SHAPE = "sabot-aml-1"
OWN, CASH = "aml case", "cash day"  # what an event is about


def last_of_aml_case(connection: "psycopg.Connection[Any]", address: addresses.AmlCase) -> int:
    """The position of the last event of a case, and of what its pack has of others.

    Refuses: NotFound. Raises UnreadableEvent.
    """
    return _events(connection, address, head_of(connection))[-1].position


def pack_of_aml_case(
    connection: "psycopg.Connection[Any]", address: addresses.AmlCase, until: int | None = None
) -> Pack:
    """Makes the pack as of now, or as of a position; one program makes the same bytes of it.

    Refuses: NotFound. Raises UnreadableEvent.
    """
    end = head_of(connection) if until is None else until
    with reading(ENGLISH):
        content = _content(connection, address, end)
        return in_two_files(content, paper(content))


def _content(
    connection: "psycopg.Connection[Any]", address: addresses.AmlCase, end: int
) -> AmlContent:
    events = _events(connection, address, end)
    own = [each for each in events if each.about == OWN]
    file = read_aml_case(connection, address, own[-1].position)
    evidence = [each for each in events if each.position in file.positions]
    return AmlContent(
        **asdict(handed_out(connection, SHAPE, own, events, {})),
        aml_case=file.as_dict(ZoneInfo("UTC")) | {"summary": file.summary()},
        evidence=file.positions,
        cash_days=sorted({_cash_day(each) for each in events if each.about == CASH}),
        known_as=known_as(known_at(connection, end), _named(evidence, file.subjects)),
    )


def _events(
    connection: "psycopg.Connection[Any]", address: addresses.AmlCase, end: int
) -> list[SourceEvent]:
    """The events of the pack, in ledger order. Refuses: NotFound. Raises UnreadableEvent."""
    read_without_texts(connection, address, end)
    own = until_the_last_step(
        events_of_stream(connection, OWN, AmlCase.stream(address), end), AmlCaseExported
    )
    file = read_without_texts(connection, address, own[-1].position)
    spans = [range(each, each + 1) for each in file.positions]
    evidence = [single_event("evidence", each) for each in read_spans(connection, spans)]
    known, subjects = known_at(connection, end), file.subjects
    names = identified(connection, known, _named(evidence, subjects), end)
    around = _around(connection, evidence, subjects, known, end)
    house = of_the_house(connection, own, end)
    every = {each.position: each for each in (*evidence, *names, *around, *house, *own)}
    return linked(connection, [*every.values()])


def _around(
    connection: "psycopg.Connection[Any]",
    evidence: Sequence[SourceEvent],
    subjects: Sequence[str],
    known: Known,
    end: int,
) -> Iterator[SourceEvent]:
    """The cash of the day, under every name, of each subject and of whom an event is about."""
    days = {
        (name, each.recorded.gaming_day)
        for each in evidence
        for name in known.names(*_named([each], subjects))
    }
    for name, day in sorted(days):
        yield from events_of_stream(connection, CASH, CashDay.stream(name, day), end)


def _named(evidence: Sequence[SourceEvent], subjects: Sequence[str]) -> set[str]:
    """The subjects, and the names that events of evidence have."""
    named = (getattr(each.event, "patron", "") for each in evidence)
    cash = (name for each in evidence for name in whose_cash(each.event))
    return {*subjects, *filter(None, named), *cash}


def _cash_day(event: SourceEvent) -> str:
    return f"{event.event.patron}/{event.event.day}"
