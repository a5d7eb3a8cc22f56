"""Commands about a patron's file. What they say of the patron is stored beside the record."""

from collections.abc import Mapping
from typing import Annotated, ClassVar

import msgspec
from msgspec import Meta

from domain.rules.patron_files import DOCUMENTS, RISKS
from domain.rules.permissions import BOSSES, OF_FILES, Permission
from ops.commands.command import Command, Day, Reason, Text, one_of

TEXTS = (
    *("birth_date", "address", "occupation", "source_of_funds", "on_behalf_of"),
    *("languages", "photo", "photo_digest", "hold"),
)
PARTS = (*TEXTS, "exposed")
Sha256 = Annotated[
    str, Meta(pattern=r"^[0-9a-f]{64}\Z", description="write 64 digits 0 to 9 and a to f")
]


class PatronFile(Command, tag="patron.file"):
    """Writes into a patron's file: what is given replaces what was there.

    The record has which parts were changed. What they say is stored beside it: `patron show` shows
    it, and `patron erase` erases it.
    """

    patron: Text
    birth_date: Day | None = None
    address: Reason | None = None
    occupation: Text | None = None
    source_of_funds: Reason | None = None
    on_behalf_of: Reason | None = None
    from_day: Day | None = None
    confirmed: bool = False
    languages: Text | None = None
    photo: Reason | None = None
    photo_digest: Sha256 | None = None
    exposed: bool = False
    hold: Reason | None = None
    clear: Annotated[
        list[Annotated[str, one_of(PARTS)]],
        Meta(max_length=len(PARTS), description="write parts, of " + ", ".join(PARTS)),
    ] = msgspec.field(default_factory=list)

    arguments = ("patron",)
    permission = Permission(OF_FILES)
    example = "patron file P-10417 --birth-date 1980-04-17 --occupation dentist"
    field_help: ClassVar[Mapping[str, str]] = {
        "birth_date": "The day of birth.",
        "address": "Where they live.",
        "occupation": "What they do for a living.",
        "source_of_funds": "Where the money comes from that they play with.",
        "on_behalf_of": "For whom they play, if not for themselves: by number, if known.",
        "from_day": "The gaming day from which they play for them; default today.",
        "confirmed": "True if nobody is known under the number for whom they play: it is one.",
        "languages": "What they speak.",
        "photo": "Where the picture is: a path or an address. Sabot stores no picture.",
        "photo_digest": "The SHA-256 of the picture, in hexadecimal digits.",
        "exposed": "They, or somebody near to them, are politically exposed.",
        "hold": "Why the file may not be erased, as a subpoena; `--clear hold` ends that.",
        "clear": "A part to be emptied, as in occupation; repeat it.",
    }


class PatronDocument(Command, tag="patron.document"):
    """Records an identity document that somebody has seen; the same number again replaces it."""

    patron: Text
    kind: Annotated[str, one_of(DOCUMENTS)]
    number: Text
    issuer: Text
    expires: Day | None = None
    unseen: bool = False
    withdrawn: bool = False
    reason: Reason | None = None
    confirmed: bool = False

    arguments = ("patron", "kind", "number", "issuer")
    permission = Permission(OF_FILES)
    example = "patron document P-10417 passport U1234567 Austria --expires 2031-02-01"
    field_help: ClassVar[Mapping[str, str]] = {
        "number": "Its number.",
        "issuer": "The country or the authority that issued it.",
        "expires": "Its last day; left out, it has none.",
        "unseen": "It is copied from a list, and nobody here has seen it.",
        "withdrawn": "It was typed by mistake: it is taken out of the file. Give `reason`.",
        "reason": "Why it is taken out. It is on record; write nothing there that the file says.",
        "confirmed": "True if it has expired, or is on somebody else's file too, and belongs here.",
    }


class PatronRisk(Command, tag="patron.risk"):
    """Rates the risk of a patron, and until when; a lower one than before takes two people."""

    patron: Text
    risk: Annotated[str, one_of(RISKS)]
    reason: Reason
    review: Day

    arguments = ("patron", "risk", "reason")
    permission = Permission(OF_FILES, ("pit-boss", "surveillance"), two_in_open_house=True)
    example = "patron risk P-10417 high 'pays for others' --review 2027-05-31"
    field_help: ClassVar[Mapping[str, str]] = {
        "risk": "How high it is.",
        "reason": "Why. It is stored beside the record, with the file.",
        "review": "The day by which somebody looks at it again.",
    }


class PatronErase(Command, tag="patron.erase"):
    """Erases a patron's name and file. The record does not change: neither is in it."""

    patron: Text
    reason: Reason = ""

    arguments = ("patron",)
    permission = Permission((*BOSSES, "surveillance", "administrator"))
    example = "patron erase P-10417 --reason 'asked for it'"


PERSONAL = frozenset({"patron.file", "patron.document", "patron.risk"})
