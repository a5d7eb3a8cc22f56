"""The pack of a case of money laundering: all that happened in it, and the events it names, whole.

Beside each event of cash is that patron's cash of the day, so that the reports about it are there
with the digest of the file that was sent. Nobody's name is in it but the patron's number. It is
secret as the case is: who may read the case makes it, and that it was made is an event of it.
"""

from collections.abc import Iterator, Sequence
from datetime import datetime
from typing import TYPE_CHECKING, Any
from zoneinfo import ZoneInfo

from msgspec import to_builtins

from domain.aggregates.aml_case import AmlCase
from domain.aggregates.cash import CashDay
from domain.aggregates.property import PROPERTY_STREAM
from domain.events.aml_case import AmlCaseExported
from domain.rules import addresses
from domain.rules.wording import plain
from ops.commands.house_events import house
from ops.ledger.reading import head_of, read_spans
from ops.pack.aml_paper import paper
from ops.pack.content import AmlContent, Owner
from ops.pack.events import (
    SourceEvent,
    events_of_stream,
    linked,
    moment,
    names_the_house,
    single_event,
)
from ops.pack.pack import CANONICAL_FORM, Pack, both, chain_of, signed_with
from ops.replay.aml_case import read_aml_case, read_without_texts
from ops.words.language import ENGLISH, reading
from ops.words.pdf import pdf

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
        printed = pdf("pack", paper(content), datetime.fromisoformat(content.recorded_at))
    return both(content.last_position, to_builtins(content, enc_hook=plain), printed)


def _content(
    connection: "psycopg.Connection[Any]", address: addresses.AmlCase, end: int
) -> AmlContent:
    events = _events(connection, address, end)
    own = [each for each in events if each.about == OWN]
    file = read_aml_case(connection, address, own[-1].position)
    owner, last = house(connection, own[-1].position), events[-1]
    return AmlContent(
        pack=SHAPE,
        aml_case=file.as_dict(ZoneInfo("UTC")) | {"summary": file.summary()},
        property=Owner(owner.name, owner.zone),
        currency=owner.currency,
        last_position=last.position,
        recorded_at=moment(last.recorded.recorded_at),
        evidence=file.positions,
        cash_days=sorted({_cash_day(each) for each in events if each.about == CASH}),
        events=[each.row(owner.currency) for each in events],
        chain=chain_of(events, (own[0].position, own[-1].position)),
        canonical_form=CANONICAL_FORM,
        checkpoint=signed_with(connection, [each.recorded for each in events]),
    )


def _events(
    connection: "psycopg.Connection[Any]", address: addresses.AmlCase, end: int
) -> list[SourceEvent]:
    """The events of the pack, in ledger order. Refuses: NotFound. Raises UnreadableEvent."""
    read_without_texts(connection, address, end)
    own = _until_the_last_step(events_of_stream(connection, OWN, AmlCase.stream(address), end))
    file = read_without_texts(connection, address, own[-1].position)
    spans = [range(each, each + 1) for each in file.positions]
    evidence = [single_event("evidence", each) for each in read_spans(connection, spans)]
    known = [
        each
        for each in events_of_stream(connection, "property", PROPERTY_STREAM, end)
        if names_the_house(each) and each.position < own[-1].position
    ]
    around = _around(connection, evidence, file.opened.patron, end)
    every = {each.position: each for each in (*evidence, *around, *known, *own)}
    return linked(connection, [*every.values()])


def _until_the_last_step(own: list[SourceEvent]) -> list[SourceEvent]:
    """A case without the packs that were made of it last: otherwise no two would be the same."""
    steps = [n for n, each in enumerate(own) if not isinstance(each.event, AmlCaseExported)]
    return own[: steps[-1] + 1]


def _around(
    connection: "psycopg.Connection[Any]", evidence: Sequence[SourceEvent], suspect: str, end: int
) -> list[SourceEvent]:
    """The cash of the day of the suspect, and of each patron whom an event of evidence names."""
    days = dict.fromkeys(day for each in evidence for day in _days(each, suspect))
    return [
        event
        for patron, day in days
        for event in events_of_stream(
            connection, CASH, CashDay.stream(patron, addresses.parse_day(day)), end
        )
    ]


def _days(event: SourceEvent, suspect: str) -> Iterator[tuple[str, str]]:
    """The patrons of an event, whose name in it may be an alias, and its gaming day."""
    for patron in filter(None, (getattr(event.event, "patron", ""), suspect)):
        yield patron, event.recorded.gaming_day.isoformat()


def _cash_day(event: SourceEvent) -> str:
    return f"{event.event.patron}/{event.event.day}"
