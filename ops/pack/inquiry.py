"""The pack of an inquiry: all that happened in it, the coups and the shoes that it names, whole.

Each coup is there as in its own pack, so that `scripts/verify_pack` deals and pays it again. It is
secret as the inquiry is: surveillance and auditors make it, and that it was made is an event of it.
"""

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any
from zoneinfo import ZoneInfo

from msgspec import Struct
from msgspec.structs import asdict

from domain.aggregates.coup import Coup
from domain.aggregates.inquiry import Inquiry
from domain.aggregates.shoe import Shoe
from domain.events import shoe as shoe_events
from domain.rules import addresses
from domain.rules.refusals import NotFound
from domain.rules.wording import Words
from ops.ledger.reading import head_of, read_stream
from ops.pack.content import InquiryContent, PackContent
from ops.pack.events import SourceEvent, events_of_stream, linked
from ops.pack.handed import handed_out, in_two_files, of_the_house, whole_coups
from ops.pack.inquiry_paper import paper
from ops.pack.pack import Pack, as_fields, require_turned
from ops.replay.inquiry import Evidence, InquiryFile, read_inquiry
from ops.replay.story import find
from ops.words.language import ENGLISH, reading

if TYPE_CHECKING:
    import psycopg

SHAPE = "sabot-inquiry-1"


class _Named(Struct, frozen=True):
    """The coups and the shoes that an inquiry names."""

    coups: list[addresses.Coup]
    shoes: list[addresses.Shoe]

    @classmethod
    def by(cls, file: InquiryFile) -> "_Named":
        """What the evidence of an inquiry names."""
        every = list(file.evidence)
        return cls(
            [addresses.Coup.parse(name) for name in _names(every, "coup")],
            [addresses.Shoe.parse(name) for name in _names(every, "shoe")],
        )


def _names(evidence: list[Evidence], about: str) -> list[str]:
    return sorted(each.name for each in evidence if each.about == about)


def last_of_inquiry(connection: "psycopg.Connection[Any]", address: addresses.Inquiry) -> int:
    """The position of the last event of an inquiry, and of the streams that it names.

    Refuses: NotFound. Raises UnreadableEvent.
    """
    recorded, file = read_inquiry(connection, address)
    named = _Named.by(file)
    streams = [*map(Coup.stream, named.coups), *map(Shoe.stream, named.shoes)]
    every = [recorded, *(read_stream(connection, each) for each in streams)]
    return max(each[-1].position for each in every if each)


def pack_of_inquiry(
    connection: "psycopg.Connection[Any]", address: addresses.Inquiry, until: int | None = None
) -> Pack:
    """Makes the pack as of now, or as of a position; one program makes the same bytes of it.

    Refuses: NotFound, CoupNotFinished. Raises UnreadableEvent.
    """
    end = head_of(connection) if until is None else until
    file = read_inquiry(connection, address, end)[1]
    named = _Named.by(file)
    with reading(ENGLISH):
        coups = whole_coups(connection, named.coups, end)
        content = _content(connection, address, file, named, coups, end)
        return in_two_files(content, paper(content, coups))


def _content(
    connection: "psycopg.Connection[Any]",
    address: addresses.Inquiry,
    file: InquiryFile,
    named: _Named,
    coups: Mapping[str, PackContent],
    end: int,
) -> InquiryContent:
    own = events_of_stream(connection, "inquiry", Inquiry.stream(address), end)
    shoes = [event for each in named.shoes for event in _events_of_shoe(connection, each, end)]
    events = linked(connection, [*own, *shoes, *of_the_house(connection, own, end)])
    return InquiryContent(
        **asdict(handed_out(connection, SHAPE, own, events, coups)),
        inquiry=file.as_dict(ZoneInfo("UTC")),
        shoes=[str(each) for each in named.shoes],
        coups={name: as_fields(each) for name, each in coups.items()},
    )


def _events_of_shoe(
    connection: "psycopg.Connection[Any]", shoe: addresses.Shoe, end: int
) -> list[SourceEvent]:
    """Every event of a shoe. Refuses: NotFound; CoupNotFinished while a card lies face down."""
    events = events_of_stream(connection, "shoe", Shoe.stream(shoe), end)
    if not events:
        raise NotFound(what=Words("shoe {shoe}", shoe=shoe))
    begun = [each.event for each in events if isinstance(each.event, shoe_events.CoupBegun)]
    for each in begun[-1:]:
        require_turned(find(connection, addresses.Coup(shoe, each.coup), end))
    return events
