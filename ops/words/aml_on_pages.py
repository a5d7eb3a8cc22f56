"""The words of the pages about cases of money laundering.

>>> now = datetime.fromisoformat("2026-11-21T20:00:00+00:00")
>>> str(due_words(now + timedelta(days=2, hours=4), now).left)
'2 days 4 hours left'
"""

from collections.abc import Mapping
from datetime import datetime, timedelta

from msgspec import Struct

from domain.rules.wording import N_, Words, worded
from ops.words.durations import DAY, duration
from ops.words.time_left import left_words

CASES = worded("page: cases of money laundering", "Money laundering")
EACH_CASE = worded("list of pages: what the page has", "cases: what is due, evidence, decisions")
OPEN_CASE = worded("heading and button: about a patron who may launder money", "Open a case")
OPEN_ABOUT_IT = worded("button: of an alert about cash", "Open a case of money laundering")
PATRON = worded("field", "Patron")
WHY = worded("field: of a case of money laundering", "What is suspicious")
ALERT = worded("field: the alert that began it", "From the alert")
POSITIONS = worded("field: of events, with commas between", "Events that are evidence (#)")
NOTICED = worded("field: the day on which it was noticed", "Noticed on (empty: today)")
URGENT = worded("box: the shorter term of the regime counts", "It cannot wait")
NOTE = worded("heading and button: on a case", "Add a note")
NARRATIVE = worded("box: of a note", "Its text goes into the report, as it is")
SUBJECT = worded("heading and button: on a case, of who acts together", "Name one more patron")
PART = worded("field: of one more patron of a case", "Why, and what their part was")
WITHDRAWN = worded("box: of a patron whom somebody named in a case", "It is not about them")
DECIDE = worded("heading and button: two people do", "Decide")
DECISION = worded("field", "Decision")
GROUNDS = worded("field: why it is decided so", "Why")
FILED = worded("heading and button: a report was filed with the regulator", "Record the report")
AMENDED = worded("heading and button: one that corrects the first", "Record an amended report")
TYPED_WRONG = worded("before the number of a report", "Typed wrong:")
TAKE_BACK = worded("button: a report that was typed wrong", "Take it back")
REFERENCE = worded("field", "Number of the acknowledgement")
FILED_ON = worded("field", "Filed on (empty: today)")
SHA256 = worded("field: of the file that was filed", "SHA-256 of the file")
CLOSE = worded("heading and button", "Close the case")
RESULT = worded("field: of a case that is closed", "What came of it")
EVIDENCE = worded("heading: events", "Evidence")
TERM = worded("label: by when a report is due", "Report due")
NO_TERM = worded("value: the regime names no day", "no term is known")
REPORTS_FILED = worded("label: what the regulator has", "Filed")
DECIDED = worded("label", "Decided")
NOTICED_ON = worded("label", "Noticed on")
LATE = worded("of a report", "late")
SAR = worded("heading: FinCEN's file", "The suspicious activity report (FinCEN form 111)")
CTR = worded("heading: FinCEN's file", "A currency transaction report (FinCEN form 112)")
OF_DAY = worded("field: the gaming day of the cash that is reported", "Cash of")
ACTIVITY = worded("boxes: what kind of suspicious activity it is", "What it is")
NOT_KNOWN = worded("boxes: what a report states as not known", "The house could not find out")
UNKNOWN: Mapping[str, Words] = {
    "name": worded("box: a report states it as not known", "the name"),
    "birth_date": worded("box: a report states it as not known", "the birth date"),
    "address": worded("box: a report states it as not known", "the address"),
    "document": worded("box: a report states it as not known", "an identity document"),
    "occupation": worded("box: a report states it as not known", "the occupation"),
}
AMENDS = worded(
    "field: of a report that corrects another", "Number of the report that it corrects (if any)"
)
SMR = worded("heading: AUSTRAC's report, on a sheet", "The suspicious matter report (AUSTRAC)")
TTR = worded("heading: AUSTRAC's report, on a sheet", "A threshold transaction report (AUSTRAC)")
MAKE_XML = worded("button: FinCEN's own file", "File for BSA E-Filing")
MAKE_SHEET = worded("button: of AUSTRAC's report", "Sheet to type from (CSV)")
# Each report with its heading, and the button that makes its file.
REPORTS: Mapping[str, tuple[Words, Words]] = {
    "sar": (SAR, MAKE_XML),
    "ctr": (CTR, MAKE_XML),
    "smr": (SMR, MAKE_SHEET),
    "ttr": (TTR, MAKE_SHEET),
}
CASH_OF_EVIDENCE: Mapping[str, Words] = {
    "in": worded("field: cash of a case that is evidence", "Cash in"),
    "out": worded("field: cash of a case that is evidence", "Cash out"),
}
APART = worded(
    "heading: cash of whom a case is about, on the days of its evidence",
    "Cash of these days that is no evidence",
)
MAKE_DRAFT = worded("button: of a report, on paper", "PDF to look at")
MISSING = worded("heading: fields of a report that cannot be made yet", "What is missing")
PATTERNS = worded("link: to a report", "Whose cash moves unlike that of the others")
STATUS: Mapping[str, str] = {
    "open": N_("open"),
    "decided": N_("decided"),
    "filed": N_("filed"),
    "closed": N_("closed"),
}


class Due(Struct, frozen=True):
    """By when a report is due, and what is left of it."""

    at: datetime
    left: Words
    overdue: bool


def due_words(at: datetime, now: datetime) -> Due:
    """A term that is still to be met."""
    return Due(at, left_words(at, now, ""), at < now)


def age_words(opened_at: datetime, now: datetime) -> Words:
    """For how long a case is open, in whole days once it is a day."""
    age = now - opened_at
    whole = age - age % timedelta(days=1) if age > timedelta(seconds=DAY) else age
    return Words("open for {time}", time=duration(whole))


def suspicion(pattern: str, beside: str | None, times: int, of: int) -> Words:
    """What is suspicious about a row of `aml-patterns`, to begin a case with."""
    if beside:
        return Words(
            "{pattern}, with {beside}: on {times} of {of} days",
            pattern=Words(pattern), beside=beside, times=times, of=of,
        )  # fmt: skip
    return Words("{pattern}: on {times} of {of} days", pattern=Words(pattern), times=times, of=of)
