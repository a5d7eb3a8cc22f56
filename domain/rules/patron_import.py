"""Patrons from a spreadsheet: what each row would make, into whose file it would go, and why.

Nothing in a file is replaced: a row adds what is not known yet. A row about somebody who may be
somebody else's patron is not taken until a person has answered.
"""

import re
from collections.abc import Iterable, Mapping
from contextlib import suppress
from datetime import date

from msgspec import Struct, field
from msgspec.structs import replace

from domain.rules.likeness import alike
from domain.rules.patron_files import DOCUMENTS, EMPTY, Contents, Document, DocumentRead
from domain.rules.wording import N_, Words

TEXTS = ("birth_date", "address", "occupation", "source_of_funds", "on_behalf_of", "languages")
DOCUMENT = ("document", "number", "issuer", "expires")
COLUMNS = ("patron", "name", *TEXTS, *DOCUMENT)
DAYS = ("birth_date", "expires")
LONGEST = {"address": 500, "source_of_funds": 500, "on_behalf_of": 500}
_LONGEST = 64
_FIRST_BORN, _LAST = "1880", "2200"
_PLAIN = re.compile(r"[^\x00-\x1f\x7f]+")

MADE, MERGED, SAME, ASKED, WRONG = "made", "merged", "same", "asked", "wrong"
WHY: Mapping[str, str] = {  # into whose file a row goes
    "number": N_("the number is on record"),
    "alias": N_("the number is an alias of theirs"),
    "document": N_("the same document is on their file"),
    "earlier": N_("an earlier row makes it"),
}
WHO: Mapping[str, str] = {  # why it may be somebody else
    "document": N_("the same document is on the file of {other}"),
    "person": N_("{other} has the same name and birth date"),
    "looks": N_("{other} looks the same"),
}


class Known(Struct, frozen=True):
    """A patron who is on record, with what is stored about them."""

    patron: str
    name: str = ""
    contents: Contents = EMPTY


class Row(Struct, frozen=True):
    """A row of the spreadsheet; the first one below the headings is number 2."""

    number: int
    cells: Mapping[str, str]


class Fault(Struct, frozen=True):
    """What is wrong in a cell."""

    column: str
    why: Words


class Planned(Struct, frozen=True):
    """What becomes of a row; `adds`: by column, what it adds to the file of `patron`."""

    row: int
    what: str
    patron: str = ""
    why: str = ""
    other: str = ""  # who it may be
    adds: Mapping[str, str] = field(default_factory=dict)
    stays: tuple[str, ...] = ()  # columns of which the file has something else
    faults: tuple[Fault, ...] = ()


class House(Struct):
    """Who is on record, as it would be after the rows so far; `holders`: whose a document is."""

    known: dict[str, Known]
    aliases: Mapping[str, str]
    apart: frozenset[str] = frozenset()  # numbers that somebody said are other people's
    made: set[str] = field(default_factory=set)  # by an earlier row
    holders: dict[DocumentRead, str] = field(default_factory=dict)

    def __post_init__(self) -> None:
        """Notes whose the documents are."""
        for each in list(self.known.values()):
            self.learn(each)

    def learn(self, known: Known) -> None:
        """Notes what is stored about a patron now."""
        self.known[known.patron] = known
        for document in known.contents.documents:
            self.holders.setdefault(document.as_read, known.patron)


def plan(rows: Iterable[Row], house: House) -> list[Planned]:
    """What becomes of each row, in their order."""
    return [_planned(row, house) for row in rows]


def _planned(row: Row, house: House) -> Planned:
    faults = tuple(faults_in(row.cells))
    if faults:
        return Planned(row.number, WRONG, faults=faults)
    named = row.cells.get("patron", "")
    holder = _holder_of(row.cells, house)
    patron, why = _whose(named, holder, house)
    if not patron:
        fault = Fault("patron", Words("it is empty, and no file has the same document"))
        return Planned(row.number, WRONG, faults=(fault,))
    for reason, other in _may_be(row.cells, patron, holder, house):
        if reason == "looks" or named not in house.apart:
            return Planned(row.number, ASKED, patron, reason, other)
    before = house.known.get(patron, Known(patron))
    adds, stays = _added(row.cells, before)
    if not adds and not why:
        fault = Fault("patron", Words("there is nothing but a number that is not on record"))
        return Planned(row.number, WRONG, faults=(fault,))
    what = (MERGED if why else MADE) if adds else SAME
    house.learn(_with(before, adds))
    if not why:
        house.made.add(patron)
    return Planned(row.number, what, patron, why, adds=adds, stays=stays)


def faults_in(cells: Mapping[str, str]) -> Iterable[Fault]:
    """What is wrong in a row, column by column; no fault repeats what the cell says."""
    for column, text in cells.items():
        longest = LONGEST.get(column, _LONGEST)
        if text and (not _PLAIN.fullmatch(text) or len(text) > longest):
            yield Fault(column, Words("write one line, 1 to {most} characters", most=longest))
        elif text and column in DAYS and not _is_day(text):
            yield Fault(column, Words("write a date, as in 2026-11-21"))
    kind = cells.get("document", "")
    if kind and kind not in DOCUMENTS:
        words = Words("write one of {words}", words=", ".join(DOCUMENTS))
        yield Fault("document", words)
    given = [name for name in DOCUMENT if cells.get(name)]
    for name in ("document", "number", "issuer"):
        if given and not cells.get(name):
            yield Fault(name, Words("it is empty, and {column} is not", column=given[0]))


def _is_day(text: str) -> bool:
    with suppress(ValueError):
        return _FIRST_BORN < text < _LAST and date.fromisoformat(text).isoformat() == text
    return False


def _whose(named: str, holder: str, house: House) -> tuple[str, str]:
    """Into whose file a row goes, and why; no reason for a patron who is not on record."""
    if not named:
        return holder, "document"
    if named in house.made:
        return named, "earlier"
    if named in house.aliases:
        return house.aliases[named], "alias"
    return named, "number" if named in house.known else ""


def _holder_of(cells: Mapping[str, str], house: House) -> str:
    """Whose file has the document of a row, or ''."""
    if not cells.get("number"):
        return ""
    return house.holders.get(_document(cells).as_read, "")


def _document(cells: Mapping[str, str]) -> Document:
    """The document of a row, which nobody has seen."""
    kind, number, issuer, expires = (cells.get(name, "") for name in DOCUMENT)
    return Document(kind, number, issuer, expires, seen_by="", seen_on="")


def _may_be(
    cells: Mapping[str, str], patron: str, holder: str, house: House
) -> Iterable[tuple[str, str]]:
    """Who else a row may be about, and why."""
    if holder and holder != patron:
        yield "document", holder
    name, born = cells.get("name", ""), cells.get("birth_date", "")
    for other in house.known.values():
        if other.patron == patron:
            continue
        if name and born and (other.name, other.contents.birth_date) == (name, born):
            yield "person", other.patron
        if patron not in house.known and alike(patron, other.patron):
            yield "looks", other.patron


def _added(cells: Mapping[str, str], before: Known) -> tuple[dict[str, str], tuple[str, ...]]:
    """What a row adds to a file, and the columns of which the file has something else."""
    adds, stays = {}, []
    for column in ("name", *TEXTS):
        text = cells.get(column, "")
        stored = before.name if column == "name" else getattr(before.contents, column)
        if text and not stored:
            adds[column] = text
        elif text and text != stored:
            stays.append(column)
    document = _document(cells)
    same = [each for each in before.contents.documents if each.numbered == document.numbered]
    if document.number and not same:
        adds |= {name: cells[name] for name in DOCUMENT if cells.get(name)}
    elif document.number:
        stays += [] if same[0].as_read == document.as_read else ["issuer"]
        stays += [] if document.expires in ("", same[0].expires) else ["expires"]
    return adds, tuple(stays)


def _with(before: Known, adds: Mapping[str, str]) -> Known:
    """A patron with what a row adds."""
    contents = replace(
        before.contents, **{name: text for name, text in adds.items() if name in TEXTS}
    )
    if adds.get("number"):
        contents = replace(contents, documents=(*contents.documents, _document(adds)))
    return Known(before.patron, adds.get("name") or before.name, contents)


def lines_of(planned: Planned) -> list[dict[str, object]]:
    """The lines of the feed that do what is planned, but for the name."""
    patron = {"patron": planned.patron}
    lines: list[dict[str, object]] = []
    if texts := {name: text for name, text in planned.adds.items() if name in TEXTS}:
        lines.append({"command": "patron.file", **patron, **texts, "confirmed": True})
    if planned.adds.get("number"):
        document = {name: planned.adds[name] for name in DOCUMENT if name in planned.adds}
        document["kind"] = document.pop("document")
        answered = {"unseen": True, "confirmed": True}  # `_may_be` has asked about the document
        lines.append({"command": "patron.document", **patron, **document, **answered})
    return lines
