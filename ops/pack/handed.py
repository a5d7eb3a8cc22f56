"""What the files of an inquiry, a case and an incident have in common."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from datetime import datetime
from typing import TYPE_CHECKING, Any

from msgspec import to_builtins

from domain.aggregates.patron import Patron
from domain.aggregates.property import PROPERTY_STREAM
from domain.events import patron
from domain.rules import addresses
from domain.rules.wording import plain
from ops.commands.house_events import house
from ops.pack.content import HandedOut, Owner, PackContent
from ops.pack.events import SourceEvent, events_of_stream, moment, names_the_house
from ops.pack.pack import CANONICAL_FORM, Pack, both, chain_of, content_of, signed_with
from ops.pack.printed import PackPaper
from ops.replay.story import find
from ops.reports.aliases import Known
from ops.words.pdf import pdf

if TYPE_CHECKING:
    import psycopg

_IDENTITY = (patron.Identified, patron.Separated)


def until_the_last_step(own: list[SourceEvent], exported: type) -> list[SourceEvent]:
    """Without the packs that were made of it last: otherwise no two would be the same."""
    steps = [n for n, each in enumerate(own) if not isinstance(each.event, exported)]
    return own[: steps[-1] + 1]


def of_the_house(
    connection: "psycopg.Connection[Any]", own: Sequence[SourceEvent], end: int
) -> list[SourceEvent]:
    """The house's name, money, zone and terms before the last of these events."""
    return [
        each
        for each in events_of_stream(connection, "property", PROPERTY_STREAM, end)
        if names_the_house(each) and each.position < own[-1].position
    ]


def identified(
    connection: "psycopg.Connection[Any]", known: Known, names: Iterable[str], end: int
) -> Iterator[SourceEvent]:
    """Of every name of these patrons: whom it was identified as, and which of it was ended."""
    for name in sorted(known.names(*names)):
        for each in events_of_stream(connection, "patron", Patron.stream(name), end):
            if isinstance(each.event, _IDENTITY):
                yield each


def known_as(known: Known, names: Iterable[str]) -> dict[str, str]:
    """Each alias of these patrons, and whom it was identified as in the end."""
    every = sorted(known.names(*names))
    return {name: known.who(name) for name in every if known.who(name) != name}


def whole_coups(
    connection: "psycopg.Connection[Any]", coups: Iterable[addresses.Coup], end: int
) -> dict[str, PackContent]:
    """The content of each coup's own pack. Refuses: CoupNotFinished. Raises UnreadableEvent."""
    return {str(each): content_of(connection, find(connection, each, end)) for each in coups}


def handed_out(
    connection: "psycopg.Connection[Any]",
    shape: str,
    own: Sequence[SourceEvent],
    events: Sequence[SourceEvent],
    coups: Mapping[str, PackContent],
) -> HandedOut:
    """What every such file has; `own`: of what it is about, among its `events`."""
    owner, last = house(connection, own[-1].position), events[-1]
    dated = {each.last_position: each.recorded_at for each in coups.values()}
    dated[last.position] = moment(last.recorded.recorded_at)
    return HandedOut(
        pack=shape,
        property=Owner(owner.name, owner.zone),
        currency=owner.currency,
        last_position=max(dated),
        recorded_at=dated[max(dated)],
        events=[each.row(owner.currency) for each in events],
        chain=chain_of(events, (own[0].position, own[-1].position)),
        canonical_form=CANONICAL_FORM,
        checkpoint=signed_with(connection, [each.recorded for each in events]),
    )


def in_two_files(content: HandedOut, paper: PackPaper) -> Pack:
    """The file, and the paper that was made from it."""
    printed = pdf("pack", paper, datetime.fromisoformat(content.recorded_at))
    return both(content.last_position, to_builtins(content, enc_hook=plain), printed)
