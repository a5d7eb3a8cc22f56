"""The regulator's own file from a case's page: what its forms offer, and what is missing still.

The file is made by `sabot filing`, in a process of its own, as at a shell.
"""

import json
from collections.abc import Iterator, Mapping, Sequence

from msgspec import Struct
from msgspec.structs import replace

from domain.rules.wording import Words
from ops.filings.austrac import FIELDS
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

# Each report with the file that is made of it.
KINDS: Mapping[str, str] = {"sar": ".xml", "ctr": ".xml", "smr": ".csv", "ttr": ".csv"}
_OF_DAYS = ("ctr", "ttr")
_FINCEN, _AUSTRAC = "USD", "AUD"  # whose reports they are, by what the house counts in
_THRESHOLD = "ttr"
_DRAFT = ".pdf"
_OF_FINCEN = ("sar", "ctr")
_HOUSES = ("filer", "austrac")  # whose fields are those of the house
_TICKED = "unknown-"


class Lacking(Struct, frozen=True):
    """A field that is missing: why, and the command that fills it."""

    field: str
    message: str
    how: str


class Form(Struct, frozen=True):
    """A report that may be made from a case's page."""

    kind: str  # of KINDS
    heading: Words
    make: Words
    value: str  # of the button that makes the file
    days: list[tuple[str, str]]  # each subject with a day of cash that is reported; of a day's
    activities: list[tuple[str, str]]  # each with its words
    unknown: list[tuple[str, str]]


def is_of_a_day(kind: str) -> bool:
    """Whether it is about a patron's day, not about the case."""
    return kind in _OF_DAYS


def offered(database: Database, subjects: Sequence[str], currency: str) -> list[Form]:
    """The forms of a case's page: of the regulator whose currency the house counts in."""
    made: list[Form] = []
    for kind in {_FINCEN: _OF_FINCEN, _AUSTRAC: ("smr", "ttr")}.get(currency, ()):
        days = _days(database, kind, subjects) if is_of_a_day(kind) else []
        if reads(f"filing {kind}") and (days or not is_of_a_day(kind)):
            made.append(_form(kind, subjects, days, currency))
    return made


def _form(kind: str, subjects: Sequence[str], days: list[tuple[str, str]], currency: str) -> Form:
    fields = UNKNOWN if currency == _FINCEN else FIELDS
    unknown = [(each, shown(words.UNKNOWN[each])) for each in fields]
    of_others = [
        (f"{patron}.{each}", f"{patron}: {called}")
        for patron in subjects[1:]
        for each, called in unknown
    ]
    heading, make = words.REPORTS[kind]
    return Form(
        kind=kind,
        heading=heading,
        make=make,
        value=KINDS[kind].removeprefix("."),
        days=days,
        activities=[(each, shown(Words(called))) for each, (*_, called) in ACTIVITIES.items()]
        if kind == "sar"
        else [],
        unknown=unknown if is_of_a_day(kind) else unknown + of_others,
    )


def with_others(form: Form, lacks: Sequence[Lacking], typed: Mapping[str, str]) -> Form:
    """The form with a box for what is missing, or was ticked, of people who have none in it yet.

    They are no subjects: somebody of the case plays for them, or for the same person.
    """
    fields = UNKNOWN if form.kind in _OF_FINCEN else FIELDS
    there = {value for value, _ in form.unknown}
    ticked = (each.removeprefix(_TICKED) for each in typed if each.startswith(_TICKED))
    further = [
        (each, f"{who}: {shown(words.UNKNOWN[field])}")
        for each in dict.fromkeys([*(one.field for one in lacks), *ticked])
        for who, _, field in [each.rpartition(".")]
        if each not in there and who and who not in _HOUSES and field in fields
    ]
    return replace(form, unknown=[*form.unknown, *further])


def _days(database: Database, kind: str, subjects: Sequence[str]) -> list[tuple[str, str]]:
    """Each subject with each gaming day of whose cash there is such a report."""
    days: list[tuple[str, str]] = []
    for patron in subjects:
        rows = ask(database, REPORTS["ctr"], patron=patron).rows
        of_form = (
            str(each["day"])
            for each in rows
            if each["total"]
            and (
                each["threshold"] == _THRESHOLD if kind == "ttr" else FORM in (each["paper"] or "")
            )
        )
        days += [(patron, day) for day in dict.fromkeys(of_form)]
    return days


def ending_of(kind: str, form: Mapping[str, str]) -> str:
    """The kind of file that a form asks for."""
    return _DRAFT if form.get("form") == "pdf" else KINDS[kind]


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
