"""A patron's file in words: its parts, its documents, and what is due about it."""

from collections.abc import Iterator, Mapping
from datetime import date, datetime

from domain.rules.patron_files import (
    DOCUMENTS,
    EXPIRED,
    EXPOSED,
    HIGH,
    NO_DOCUMENT,
    NO_SOURCE,
    OVERDUE,
    Contents,
    Document,
    due_of,
    valid_document,
)
from domain.rules.wording import N_, Words, listed
from ops.words.event_values import Event, Values, Wording, run_on, worded_with
from ops.words.language import minute
from ops.words.terms import barring_called

PARTS: Mapping[str, str] = {
    "name": N_("name"),
    "birth_date": N_("birth date"),
    "address": N_("address"),
    "occupation": N_("occupation"),
    "source_of_funds": N_("source of funds"),
    "on_behalf_of": N_("on behalf of"),
    "languages": N_("languages"),
    "photo": N_("photo"),
    "exposed": N_("politically exposed"),
    "risk": N_("risk"),
    "hold": N_("not to be erased"),
    "documents": N_("identity documents"),
}
_OF_DOCUMENT: Mapping[str, str] = {  # as a spreadsheet has them
    "document": N_("identity document"),
    "issuer": N_("issuer of the document"),
    "expires": N_("last day of the document"),
}
RISK_WORDS: Mapping[str, str] = {"low": N_("low"), "medium": N_("medium"), "high": N_("high")}
_DUE: Mapping[str, str] = {
    NO_DOCUMENT: N_("No identity document is on file."),
    EXPIRED: N_("Every identity document on file has expired."),
    OVERDUE: N_("The review of the risk is overdue."),
    EXPOSED: N_("The patron is politically exposed."),
    NO_SOURCE: N_("No source of funds is on file."),
    HIGH: N_("The risk is high."),
}


def part_called(part: str) -> Words | str:
    """A part of a file; one that a newer version records, as it is."""
    called = PARTS.get(part) or _OF_DOCUMENT.get(part)
    return Words(called) if called else part


def document_words(document: Document) -> Words:
    """A document with all that the file has about it."""
    seen = Words("not seen here")
    if document.seen_on:
        seen = Words("seen by {who} on {day}", who=document.seen_by or "?", day=document.seen_on)
    until = Words("until {day}", day=document.expires) if document.expires else Words("no end")
    return Words(
        "{called} {number}, {issuer}, {until}; {seen}",
        called=Words(DOCUMENTS[document.kind]),
        number=document.number,
        issuer=document.issuer,
        until=until,
        seen=seen,
    )


def lines_of(contents: Contents) -> Iterator[tuple[Words, Words | str]]:
    """What a file says, each part with its value; a document has a line of its own."""
    for part in PARTS:
        match part:
            case "name":
                continue
            case "documents":
                for each in contents.documents:
                    yield Words(PARTS[part]), document_words(each)
            case "risk" if contents.risk:
                yield Words(PARTS[part]), _risk_words(contents)
            case "exposed" if contents.exposed:
                yield Words(PARTS[part]), Words("yes")
            case "photo" if contents.photo_digest:
                digest = contents.photo_digest
                photo = Words("{photo}, SHA-256 {digest}", photo=contents.photo, digest=digest)
                yield Words(PARTS[part]), photo
            case _ if part not in ("risk", "exposed") and (value := getattr(contents, part)):
                yield Words(PARTS[part]), value


def _risk_words(contents: Contents) -> Words:
    return Words(
        "{risk}, to be reviewed by {day}: {reason}",
        risk=Words(RISK_WORDS[contents.risk]),
        day=contents.review_by,
        reason=contents.risk_reason,
    )


def on_file_words(contents: Contents | None, day: date) -> Words:
    """Whether an identity document is on file, without its number."""
    if contents is None or not contents.documents:
        return Words("no ID is on file")
    document = valid_document(contents, day)
    if document is None:
        return Words("every ID on file has expired")
    called, until = Words(DOCUMENTS[document.kind]), document.expires
    if not document.seen_on and not until:
        return Words("{called} is on file, not seen here yet", called=called)
    if not document.seen_on:
        return Words("{called} is on file until {day}, not seen here yet", called=called, day=until)
    if not until:
        return Words("{called} is on file", called=called)
    return Words("{called} is on file until {day}", called=called, day=until)


def barred_words(patron: str, kind: str, since: str, reason: str) -> Words:
    """That a patron may not play, since when and why."""
    return Words(
        "{patron} may not play since {when}: {kind}. Reason: {reason}",
        patron=patron,
        when=minute(datetime.fromisoformat(since)),
        kind=barring_called(kind),
        reason=reason,
    )


def due_words(contents: Contents, day: date) -> list[Words]:
    """What somebody has to see to, each as a sentence."""
    return [Words(_DUE[each]) for each in due_of(contents, day)]


def _changed(event: Event, values: Values) -> Words:
    parts = listed(part_called(each) for each in event["parts"])
    changed = worded_with(N_("The file of {patron} is changed: {parts}."), values, parts=parts)
    if not event.get("approved_by"):
        return changed
    return run_on([changed, worded_with(N_("It is lower, agreed with {approved_by}."), values)])


def _erased(event: Event, values: Values) -> Words:
    parts = listed(part_called(each) for each in event["parts"])
    return worded_with(N_("Erased of {patron}: {parts}."), values, parts=parts)


FILES: Mapping[str, Wording] = {
    "PatronFileBegun": None,
    "FileChanged": _changed,
    "FileErased": _erased,
}
