"""The pack of an inquiry on paper: what happened in it, then each coup that it names.

In English: only surveillance hands it on. As with a coup's paper, it has nothing but what is in the
file.
"""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from datetime import datetime
from types import MappingProxyType
from zoneinfo import ZoneInfo

from msgspec import Struct

from domain.aggregates.shoe import Shoe
from domain.rules import addresses
from domain.rules.wording import Number
from ops.ledger.installed import label
from ops.pack import sections
from ops.pack.content import HandedOut, InquiryContent, PackContent, PackEvent
from ops.pack.paper import labels
from ops.pack.printed import Across, PackPaper, Row, Section, Verdict
from ops.pack.words import NOTHING, Wording, place, places, stated
from ops.words import language
from ops.words.event_values import run_on
from ops.words.language import shown
from ops.words.record_events import key_id
from ops.words.show import count


def paper(content: InquiryContent, coups: Mapping[str, PackContent]) -> PackPaper:
    """The template's values."""
    own = [each for each in content.events if each.about == "inquiry"]
    name = str(content.inquiry["inquiry"])
    summary = [
        ["Coups", ", ".join(coups) or NOTHING],
        ["Shoes", ", ".join(content.shoes) or NOTHING],
    ]
    return pack_paper(
        content,
        Front("Inquiry", name, str(content.inquiry["status"]), "Surveillance", "of surveillance"),
        own,
        summary=summary,
        sections=[story(own, content.property.zone), *_shoes(content), *of_coups(coups)],
        coups=coups,
    )


class Front(Struct, frozen=True):
    """What the first page is headed with, and who signs there; `about`: after what it is."""

    what: str  # as in `Inquiry`
    name: str
    status: str
    signs: str
    about: str = ""


def pack_paper(
    content: HandedOut,
    front: Front,
    own: Sequence[PackEvent],
    *,
    summary: Iterable[list[str]],
    sections: Sequence[Section],
    coups: Mapping[str, PackContent] = MappingProxyType({}),
    notes: Sequence[str] = (),
) -> PackPaper:
    """The paper of a pack that is about no single coup; `notes`: further words below each page."""
    return PackPaper(
        labels=labels(),
        title=" ".join(filter(None, [front.what, front.about])),
        address=front.name,
        heading=f"{front.what} {front.name}",
        day=f"Times of {content.property.zone}",
        house=content.property.name,
        called=front.status.capitalize(),
        phase="",
        gist=[],
        verdict=verdict(content, coups),
        summary=[*summary],
        layout=None,
        placard=None,
        sections=[*sections],
        proof=[*proof(content, own, f"The {front.what.lower()}")],
        signatures=[front.signs, "Has received it"],
        footer=footer(content, *notes),
    )


def footer(content: HandedOut, *more: str) -> str:
    """What is below each page: up to where the record is in it, further sentences, the program."""
    return shown(
        run_on(
            [
                f"The record up to position {Number(content.last_position)}.",
                f"Amounts in {content.currency}.",
                *more,
                f"{label()}.",
            ]
        )
    )


def verdict(content: HandedOut, coups: Mapping[str, PackContent]) -> Verdict:
    """Whether the coups agree with the rules, and whether the chain is good."""
    differ = [name for name, each in coups.items() if not each.replay.agrees]
    good = content.chain.good and all(each.chain.good for each in coups.values())
    words = ["The chain of hashes is good." if good else "THE CHAIN OF HASHES IS BROKEN."]
    if coups:
        words.append(
            f"Adjudicated again, the record DOES NOT AGREE: {', '.join(differ)}."
            if differ
            else "Adjudicated again from the cards and the wagers: every coup here agrees."
        )
    return Verdict(good=good and not differ, words=" ".join(words), lines=[])


def story(own: Iterable[PackEvent], zone: str, texts: Mapping[int, str] | None = None) -> Section:
    """Every event, in order; `texts`: what was written beside the record, by its position."""
    rows: list[Row | Across] = []
    for each in own:
        words = each.words or each.event
        rows.append(Row([moment_words(each.at, zone), words, people(each), place(each.position)]))
        if text := (texts or {}).get(each.position):
            rows.append(Across(text, ""))
    return Section("What happened", ["Moment", "", "By", "Record"], "rllr", rows, wide=1)


def aliases(known_as: Mapping[str, str]) -> Iterator[list[str]]:
    """Whom each alias was identified as; nothing without any."""
    if known_as:
        yield ["Known as", ", ".join(f"{alias}: {who}" for alias, who in known_as.items())]


def people(event: PackEvent) -> str:
    """Who did it, and with whom."""
    second = stated(event).get("approved_by")
    return " with ".join(filter(None, [event.actor or NOTHING, second]))


def moment_words(at: str, zone: str) -> str:
    """A moment in the house's time, to a tenth of a second."""
    return language.moment(datetime.fromisoformat(at).astimezone(ZoneInfo(zone)), places=1)


def _shoes(content: InquiryContent) -> Iterator[Section]:
    """The shoes, whose events are in the file card by card."""
    of_shoes = [each for each in content.events if each.about == "shoe"]
    if of_shoes:
        rows = [Row([each, *_of_shoe(of_shoes, each)]) for each in content.shoes]
        yield Section("Shoes", ["", "Events in the file", "Record"], "lrr", rows, wide=0)


def _of_shoe(events: list[PackEvent], shoe: str) -> list[str]:
    """How many events a shoe has in the file, and between which positions."""
    stream = str(Shoe.stream(addresses.Shoe.parse(shoe)))
    own = [each.position for each in events if each.originator_id == stream]
    return [f"{len(own):,}", f"{place(own[0])}{NOTHING}{place(own[-1])}"]


def of_coups(coups: Mapping[str, PackContent]) -> Iterator[Section]:
    """The tables of each coup, as on its own paper."""
    for name, each in coups.items():
        wording = Wording(each)
        yield Section(f"Coup {name}", [], "l", [], wide=0, note=f"{wording.called()}.")
        yield from sections.sections(wording)
        yield sections.on_duty(wording)


def proof(content: HandedOut, own: Sequence[PackEvent], what: str) -> Iterator[list[str]]:
    """Where the events are in the ledger, and how a stranger checks them."""
    chain = content.chain
    yield [what, places([each.position for each in own])]
    yield ["In the JSON file", f"{count(len(content.events), 'whole event')}, each with its hash"]
    yield ["Last event here", place(chain.head.position)]
    yield ["Its hash", chain.head.hash]
    if chain.broken:
        yield ["Hashes that are wrong", places(chain.broken)]
    if signed := content.checkpoint:
        yield ["Signed checkpoint", f"{signed.size:,} events, by {key_id(signed.key)}"]
        yield ["Its root", signed.root]
    yield ["To check both files", "scripts/verify_pack FILE.json: Python, and nothing else"]
