"""A report on paper, marked as a draft: every field with the regulator's name for it."""

from collections.abc import Iterator, Sequence
from datetime import datetime

from msgspec import Struct

from ops.filings.tree import Batch, Element, Field, on_paper
from ops.words.language import N_, _
from ops.words.pdf import pdf

_DRAFT = N_("DRAFT - this is not the file that is sent")


class Block(Struct, frozen=True):
    """A part of the report: its name, and its fields with their texts."""

    title: str
    rows: list[tuple[str, str]]


class Paper(Struct, frozen=True):
    """The template's values."""

    title: str
    draft: str
    blocks: list[Block]
    footer: str


def draft(batch: Batch, title: str, made: datetime) -> bytes:
    """The PDF of FinCEN's file."""
    return printed(list(_blocks(batch.activity)), title, batch.form, made)


def printed(blocks: Sequence[Block], title: str, form: str, made: datetime) -> bytes:
    """The PDF of a report, part by part."""
    footer = f"{form} · {made:%Y-%m-%d %H:%M}"
    paper = Paper(title=title, draft=_(_DRAFT), blocks=[*blocks], footer=footer)
    return pdf("filing", paper, made)


def _blocks(activity: Element) -> Iterator[Block]:
    own = [(each.name, each.text) for each in activity.parts if isinstance(each, Field)]
    yield Block(activity.name, own)
    for part in activity.parts:
        if isinstance(part, Element):
            rows = [(path.partition("/")[2], text) for path, text in on_paper(part)]
            yield Block(part.name, rows)
