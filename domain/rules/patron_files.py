"""What a patron's file has: who somebody is, by which document, and how high the risk is.

It is stored beside the record and is in no event.

>>> passport = Document("passport", "X1", "AT", "2031-02-01", "C-1", "2026-11-21")
>>> file = Contents(documents=(passport,))
>>> valid_document(file, date(2031, 2, 1)) == passport, valid_document(file, date(2031, 2, 2))
(True, None)
>>> list(due_of(file, date(2031, 2, 2)))
['document-expired']
"""

from collections.abc import Iterable, Iterator, Mapping
from datetime import date

from msgspec import Struct, json
from msgspec.structs import replace

from domain.rules.countries import issuer_read
from domain.rules.wording import N_

# Identity documents, each with how it is called in a sentence.
DOCUMENTS: Mapping[str, str] = {
    "passport": N_("a passport"),
    "identity-card": N_("an identity card"),
    "driving-licence": N_("a driving licence"),
    "residence-permit": N_("a residence permit"),
    "other": N_("another document"),
}
RISKS = ("low", "medium", "high")  # each higher than the one before
NO_DOCUMENT, EXPIRED, VALID = "no-document", "document-expired", "document-valid"
OVERDUE, EXPOSED, HIGH = "review-overdue", "exposed", "high-risk"
NO_SOURCE = "no-source-of-funds"  # where the law asks: politically exposed, or a high risk


DocumentRead = tuple[str, str, tuple[str, str]]  # its kind, its number, who issued it


class Document(Struct, frozen=True):
    """An identity document; `expires`: its last day, '' for none. Days as in 2031-02-01."""

    kind: str
    number: str
    issuer: str
    expires: str
    seen_by: str
    seen_on: str

    @property
    def numbered(self) -> tuple[str, str]:
        """Its kind and number, however those are typed."""
        return numbered(self.kind, self.number)

    @property
    def as_read(self) -> "DocumentRead":
        """What is the same of one document, however two people typed it."""
        return *self.numbered, issuer_read(self.issuer)

    def holds_on(self, day: date) -> bool:
        """Whether it has not expired."""
        return not self.expires or self.expires >= day.isoformat()


def numbered(kind: str, number: str) -> tuple[str, str]:
    """A kind of document and its number, however those are typed.

    >>> numbered("passport", "u 12-3") == numbered("passport", "U123")
    True
    """
    return kind, "".join(each for each in number if each.isalnum()).casefold()


class Contents(Struct, frozen=True, omit_defaults=True):
    """All of a file; '' for what is not known."""

    birth_date: str = ""
    address: str = ""
    occupation: str = ""
    source_of_funds: str = ""
    on_behalf_of: str = ""  # for whom they play, if not for themselves
    languages: str = ""
    photo: str = ""  # where the picture is
    photo_digest: str = ""  # its SHA-256
    exposed: bool = False  # politically, by themselves or by somebody near to them
    risk: str = ""
    risk_reason: str = ""
    review_by: str = ""  # the last day on which the risk holds without being looked at again
    hold: str = ""  # why the file may not be erased, as in a subpoena
    documents: tuple[Document, ...] = ()

    def parts_unlike(self, other: "Contents") -> list[str]:
        """The parts in which two files differ; all that belongs to the risk is one part."""
        fields = self.__struct_fields__
        names = (each for each in fields if getattr(self, each) != getattr(other, each))
        return list(dict.fromkeys(_PART_OF.get(name, name) for name in names))


def together(files: Iterable[Contents]) -> Contents:
    """What the first file says, with the documents of all, and exposed if any of them is.

    For a patron with a file of their own and files under aliases.
    """
    first, *others = files
    return replace(
        first,
        documents=(*first.documents, *(d for each in others for d in each.documents)),
        exposed=first.exposed or any(each.exposed for each in others),
    )


_PART_OF = {"risk_reason": "risk", "review_by": "risk", "photo_digest": "photo"}
EMPTY = Contents()


def stored(contents: Contents) -> str:
    """A file as it is stored: the same file is the same text."""
    return json.encode(contents).decode()


def read_stored(text: str) -> Contents:
    """A file from what is stored. Raises msgspec.MsgspecError."""
    return json.decode(text, type=Contents)


def valid_document(contents: Contents, day: date) -> Document | None:
    """The document that holds longest, of those that have not expired; None if there is none."""
    holding = [each for each in contents.documents if each.holds_on(day)]
    return max(holding, key=lambda each: each.expires or "9999", default=None)


def is_lower(risk: str, than: str) -> bool:
    """Whether one risk is lower than another; none is lower than any."""
    return [*("",), *RISKS].index(risk) < [*("",), *RISKS].index(than)


def due_of(contents: Contents, day: date) -> Iterator[str]:
    """What somebody has to see to in a file."""
    if not contents.documents:
        yield NO_DOCUMENT
    elif not valid_document(contents, day):
        yield EXPIRED
    if contents.review_by and contents.review_by < day.isoformat():
        yield OVERDUE
    if contents.exposed:
        yield EXPOSED
    if contents.risk == "high":
        yield HIGH
    if (contents.exposed or contents.risk == "high") and not contents.source_of_funds:
        yield NO_SOURCE
