"""Commands of a case of money laundering, of which nobody at the tables may learn.

What people write in one is stored beside the record.
"""

from collections.abc import Mapping
from typing import Annotated, ClassVar

import msgspec
from msgspec import Meta

from domain.rules.aml import DECISIONS, FILINGS, MOST_POSITIONS
from domain.rules.permissions import OF_AML, Permission
from ops.commands.command import Command, Day, Reason, Text, one_of
from ops.commands.filing import FIELDS
from ops.commands.patron_files import Sha256

Positions = Annotated[
    list[Annotated[int, Meta(ge=1, le=2**53, description="write a position, as in 48213")]],
    Meta(
        max_length=MOST_POSITIONS,
        description=f"write up to {MOST_POSITIONS} positions, as in [48213]",
    ),
]
_EVIDENCE: Mapping[str, str] = {
    "positions": "The position of an event that is evidence, as in 48213; repeat it.",
}


class AmlOpen(Command, tag="aml.open"):
    """Opens a case about a patron who may launder money; the answer names it.

    Only surveillance and auditors learn of it. The regime says by when a report is due.
    """

    patron: Text
    text: Reason
    alert: Text | None = None
    positions: Positions = msgspec.field(default_factory=list)
    detected: Day | None = None
    urgent: bool = False

    arguments = ("patron", "text")
    permission = Permission(OF_AML)
    example = "aml open P-10417 'cash in and out, no play'"
    option_help: ClassVar[Mapping[str, str]] = _EVIDENCE
    field_help: ClassVar[Mapping[str, str]] = {
        "text": "What is suspicious. It is stored beside the record.",
        "alert": "The alert that began it, as in little-play/48213.",
        "positions": "The positions of events that are evidence.",
        "detected": "The day on which it was noticed; default today.",
        "urgent": "It cannot wait: the shorter term of the regime counts, if it has one.",
    }


class OnAmlCase(Command, kw_only=True):
    """A command about one case of money laundering."""

    aml_case: Text

    arguments: ClassVar[tuple[str, ...]] = ("aml_case",)


class AmlNote(OnAmlCase, tag="aml.note"):
    """Adds a note to a case, with events that are evidence."""

    text: Reason
    positions: Positions = msgspec.field(default_factory=list)
    narrative: bool = False

    arguments = ("aml_case", "text")
    permission = Permission(OF_AML)
    example = "aml note AML-2026-0001 'chips left with him' --narrative"
    option_help: ClassVar[Mapping[str, str]] = _EVIDENCE
    field_help: ClassVar[Mapping[str, str]] = {
        "text": "What somebody saw, asked or did. It is stored beside the record.",
        "positions": "The positions of events that are evidence.",
        "narrative": "The text goes into the report to the regulator, as it is.",
    }


class AmlSubject(OnAmlCase, tag="aml.subject"):
    """Names one more patron in a case, who acts together with those in it; a report has all."""

    patron: Text
    text: Reason
    withdrawn: bool = False

    arguments = ("aml_case", "patron", "text")
    permission = Permission(OF_AML)
    example = "aml subject AML-2026-0001 P-10418 'buys in beside him'"
    field_help: ClassVar[Mapping[str, str]] = {
        "text": "Why, and what their part was. It is stored beside the record.",
        "withdrawn": "The case is not about them: somebody named them by mistake.",
    }


class AmlDecide(OnAmlCase, tag="aml.decide"):
    """Decides whether a case is reported to the regulator, by two people."""

    decision: Annotated[str, one_of(DECISIONS)]
    text: Reason

    arguments = ("aml_case", "decision", "text")
    permission = Permission(OF_AML, OF_AML, must=True, two_in_open_house=True)
    example = "aml decide AML-2026-0001 report 'no source for it' --with AU-1"
    field_help: ClassVar[Mapping[str, str]] = {
        "decision": "Whether it is reported.",
        "text": "Why. It is stored beside the record.",
    }


class AmlFiled(OnAmlCase, tag="aml.filed"):
    """Records that a report about a case was filed, with the number by which it was acknowledged.

    One that corrects it is `amended`.
    """

    reference: Text
    filing: Annotated[str, one_of(FILINGS)] = "initial"
    filed_on: Day | None = None
    sha256: Sha256 | None = None
    withdrawn: bool = False
    text: Reason | None = None

    arguments = ("aml_case", "reference", "text")
    permission = Permission(OF_AML)
    example = "aml filed AML-2026-0001 31000123456789"
    field_help: ClassVar[Mapping[str, str]] = {
        **FIELDS,
        "text": "Why it is taken back. It is stored beside the record.",
    }


class AmlClose(OnAmlCase, tag="aml.close"):
    """Closes a case, once it is decided, and reported if that was decided."""

    text: Reason

    arguments = ("aml_case", "text")
    permission = Permission(OF_AML)
    example = "aml close AML-2026-0001 'reported, watched from now on'"
    field_help: ClassVar[Mapping[str, str]] = {
        "text": "What came of it. It is stored beside the record."
    }


class AmlExport(OnAmlCase, tag="aml.export"):
    """Writes the pack of a case, which a stranger can check, and records its checksums."""

    permission = Permission(OF_AML)
    example = "aml export AML-2026-0001 --into packs"


PERSONAL = frozenset({"aml.open", "aml.note", "aml.subject", "aml.decide", "aml.close"})
