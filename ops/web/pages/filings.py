"""The regulator's own file from a case's page: what its forms offer, and what is missing still.

The file is made by `sabot filing`, in a process of its own, as at a shell.
"""

import json
from collections.abc import Iterator, Mapping, Sequence

from msgspec import Struct

from domain.rules.wording import Words
from ops.filings.ctr import FORM
from ops.filings.patron import UNKNOWN
from ops.filings.sar import ACTIVITIES
from ops.ledger.database import Database
from ops.reports.ask import ask
from ops.web.pages.viewer import reads
from ops.web.shells import Answered
from ops.words import aml_on_pages as words
from ops.words.language import shown
from projections import REPORTS

KINDS = ("sar", "ctr")
_DOLLARS = "USD"
_DRAFT = ".pdf"


class Lacking(Struct, frozen=True):
    """A field that is missing: why, and the command that fills it."""

    field: str
    message: str
    how: str


class Offered(Struct, frozen=True):
    """What the forms of a case's page offer to whoever reads it."""

    sar: bool
    days: list[tuple[str, str]]  # each subject with a day of cash that is reported
    activities: list[tuple[str, str]]  # each with its words
    unknown: list[tuple[str, str]]
    of_others: list[tuple[str, str]]  # what may not be known of the other subjects


def offered(database: Database, subjects: Sequence[str], currency: str) -> Offered:
    """What is offered: nothing where the house counts in another currency than FinCEN."""
    days: list[tuple[str, str]] = []
    if currency == _DOLLARS and reads("filing ctr"):
        for patron in subjects:
            rows = ask(database, REPORTS["ctr"], patron=patron).rows
            of_form = (str(each["day"]) for each in rows if FORM in (each["paper"] or ""))
            days += [(patron, day) for day in dict.fromkeys(of_form)]
    unknown = [(each, shown(words.UNKNOWN[each])) for each in UNKNOWN]
    return Offered(
        sar=currency == _DOLLARS and reads("filing sar"),
        days=days,
        activities=[(each, shown(Words(called))) for each, (*_, called) in ACTIVITIES.items()],
        unknown=unknown,
        of_others=[
            (f"{patron}.{each}", f"{patron}: {called}")
            for patron in subjects[1:]
            for each, called in unknown
        ],
    )


def ending_of(form: Mapping[str, str]) -> str:
    """The kind of file that a form asks for."""
    return _DRAFT if form.get("form") == "pdf" else ".xml"


def line_of(kind: str, form: Mapping[str, str], ending: str, about: Sequence[str]) -> list[str]:
    """What is typed at a shell for a form's file; `about`: a case, or a patron and a day."""
    option = "draft" if ending == _DRAFT else "into"
    asked = [f"--{option}={about[0]}-{kind}{ending}", "--json"]
    if number := form.get("amends", "").strip():
        asked.append(f"--amends={number}")
    return ["filing", kind, *asked, *_ticked(form), "--", *about]


def _ticked(form: Mapping[str, str]) -> Iterator[str]:
    """The boxes of a form, each with a name of its own."""
    for option in ("activity", "unknown"):
        ticked = (name for name in form if name.startswith(f"{option}-") and form[name])
        yield from (f"--{option}={name.removeprefix(f'{option}-')}" for name in ticked)


def lacking(answer: Answered) -> list[Lacking]:
    """What a report lacks, field by field; nothing if it was made, or refused for something else.

    `answer`: of a line that asks for JSON.
    """
    try:
        body = json.loads(answer.out)
    except ValueError:
        return []
    return [Lacking(**each) for each in body.get("lacks", ())]
