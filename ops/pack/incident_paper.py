"""The pack of an incident on paper: what happened, who was in it, its money, the coups around it.

In English, as the paper of an inquiry. It has nothing but what is in the file.
"""

from collections.abc import Iterator, Mapping

from msgspec import convert

from domain.rules import addresses
from ops.pack.content import IncidentContent, PackContent
from ops.pack.inquiry_paper import (
    Front,
    aliases,
    moment_words,
    of_coups,
    pack_paper,
    story,
)
from ops.pack.printed import PackPaper, Row, Section
from ops.pack.words import NOTHING, place
from ops.replay.incident import Summary
from ops.words import language
from ops.words.incident_events import kind_called, outcome_called, place_called
from ops.words.language import shown


def paper(content: IncidentContent, coups: Mapping[str, PackContent]) -> PackPaper:
    """The template's values."""
    summary = convert(content.incident["summary"], Summary)
    name, zone = str(content.incident["incident"]), content.property.zone
    own = [each for each in content.events if each.about == "incident"]
    return pack_paper(
        content,
        Front("Incident", name, summary.status, "Security"),
        own,
        summary=_summary(content, summary),
        sections=[
            story(own, zone),
            *_money(content, summary),
            *_cameras(summary, zone),
            *_around(content, zone),
            *of_coups(coups),
        ],
        coups=coups,
        notes=["People are in it by number; the house knows whose each number is."],
    )


def _summary(content: IncidentContent, summary: Summary) -> Iterator[list[str]]:
    yield ["Kind", shown(kind_called(summary.kind)).capitalize()]
    yield ["Table", summary.table or NOTHING]
    yield ["Gaming day", language.day(addresses.parse_day(summary.day))]
    yield ["Shift", summary.shift or NOTHING]
    for label, people in (
        ("Patrons", summary.patrons),
        ("Staff", summary.staff),
        ("Others", summary.guests),
    ):
        yield [label, ", ".join(people) or NOTHING]
    yield from aliases(content.known_as)
    yield ["Outcome", shown(outcome_called(summary.outcome)) if summary.outcome else NOTHING]


def _money(content: IncidentContent, summary: Summary) -> Iterator[Section]:
    """Money between two places, and what the house keeps after it."""
    rows = [
        Row(
            [
                language.amount(each.amount, content.currency),
                shown(place_called(each.from_place)),
                shown(place_called(each.to_place)),
                each.table_day or NOTHING,
                f"{each.requested_by} with {each.approved_by}",
                language.amount(each.balance, content.currency),
                place(each.position),
            ]
        )
        for each in summary.money
    ]
    if rows:
        head = ["Amount", "From", "To", "Tray of", "By", "The house keeps", "Record"]
        yield Section("Money", head, "rllllrr", rows, wide=4, after=_BELOW)


_BELOW = "Below 0: what the house gave."


def _cameras(summary: Summary, zone: str) -> Iterator[Section]:
    """What cameras saw, by the record's clock and by their own."""
    rows = [
        Row(
            [
                each.camera,
                moment_words(each.by_record, zone),
                moment_words(each.at, zone),
                f"{each.ahead / 1000:+z,.3f} s",
            ]
        )
        for each in summary.cameras
    ]
    if rows:
        head = ["Camera", "By the record", "By its own clock", "Which is ahead by"]
        yield Section("Cameras", head, "lrrr", rows, wide=0)


def _around(content: IncidentContent, zone: str) -> Iterator[Section]:
    """The coups at the table before and after each moment."""
    rows = [
        Row([moment_words(each.at, zone), each.before or NOTHING, each.after or NOTHING])
        for each in content.around
    ]
    if rows:
        head = ["Moment", "Coup begun before", "Coup begun after"]
        yield Section("Coups around it", head, "rll", rows, wide=1)
