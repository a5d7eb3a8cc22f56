"""Cases of money laundering: what two people may decide, and how a report is filed."""

from datetime import date

from msgspec import Struct

from domain.rules.refusals import BadValue
from domain.rules.wording import Words

DECISIONS = ("report", "no-report")
FILINGS = ("initial", "amended")
MOST_SUBJECTS = 99  # whom a case is about, and so a report
NOT_SHOWN = ("refused", "without", "left")  # what somebody did who was asked for their ID
MOST_POSITIONS = 50  # of events that are evidence, in one note


class Filing(Struct, frozen=True, kw_only=True):
    """A report as it was filed."""

    filing: str
    reference: str
    filed_on: str
    late: bool
    sha256: str

    def require_day(self, about: str, first: date, before: str) -> None:
        """Refuses a day before what it is about, or before the report that it corrects: BadValue.

        `first`: the first day on which it can have been filed; `before`: the day of the newest
        report, '' for none.
        """
        earliest = max(first.isoformat(), before)
        if self.filed_on < earliest:
            raise BadValue(
                message=Words(
                    "A report about {about} was not filed on {day}: what it is about, or the "
                    "report before it, is of {earliest}. Write `filed_on` anew.",
                    about=about,
                    day=self.filed_on,
                    earliest=earliest,
                )
            )

    def require_order(self, about: str, before: int) -> None:
        """Refuses a second first report, and to amend what was not reported: BadValue."""
        if self.filing == "initial" and before:
            raise BadValue(
                message=Words(
                    "{about} was reported already. Write `amended`, if this report corrects it.",
                    about=about,
                )
            )
        if self.filing == "amended" and not before:
            raise BadValue(
                message=Words(
                    "{about} was not reported yet, so nothing is amended. Write `initial`.",
                    about=about,
                )
            )
