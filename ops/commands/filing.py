"""The command by which a report about cash counts as filed."""

from collections.abc import Mapping
from typing import Annotated, ClassVar

from domain.rules.aml import FILINGS
from domain.rules.permissions import OF_FILES, Permission
from ops.commands.command import Command, Day, EventNumber, Reason, Text, one_of
from ops.commands.patron_files import Sha256

FIELDS: Mapping[str, str] = {
    "reference": "The regulator's number, which acknowledges it.",
    "filing": "Whether it is the first report, or corrects an earlier one.",
    "filed_on": "The day on which it was filed; default today.",
    "sha256": "The SHA-256 of the file that was sent, in hexadecimal digits.",
    "withdrawn": "It was typed by mistake, or its number or day was: it is taken back, the newest "
    "first.",
    "text": "Why it is taken back.",
}


class FilingRecord(Command, tag="filing.record"):
    """Records that a patron's cash of a gaming day was reported, with the number of the report.

    A report about a case of money laundering is recorded with `aml filed`.
    """

    patron: Text
    of_day: Day
    reference: Text
    threshold: Text | None = None
    position: EventNumber | None = None
    filing: Annotated[str, one_of(FILINGS)] = "initial"
    filed_on: Day | None = None
    sha256: Sha256 | None = None
    withdrawn: bool = False
    text: Reason | None = None

    arguments = ("patron", "of_day", "reference", "text")
    permission = Permission(OF_FILES)
    example = "filing record P-10417 2026-11-21 31000123456789"
    field_help: ClassVar[Mapping[str, str]] = {
        "of_day": "The gaming day of the cash.",
        "threshold": "The threshold of the regime, as in ctr; default the one that is reported.",
        "position": "The buy-in or cash-out, where each is reported alone and there are several.",
        **FIELDS,
    }
