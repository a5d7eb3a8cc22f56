"""A suspicious activity report (FinCEN form 111) of one case of money laundering.

Its days and its amount are those of the cash that is evidence; its narrative is made of the case's
notes that go into a report. Each patron whom the case is about is a subject of it, whose role is
that of their own cash: who bought chips, who had them redeemed, or both.
"""

from collections.abc import Collection, Mapping, Sequence
from datetime import date

from msgspec import Struct
from msgspec.structs import replace

from domain.rules.wording import N_, Number, Words
from ops.filings.filer import Filer
from ops.filings.lacks import Lack, Lacks
from ops.filings.parties import (
    INSTITUTION,
    LOCATION,
    compact,
    institution,
    office,
    transmitter,
    transmitter_contact,
    whole,
)
from ops.filings.patron import UNKNOWN, Elements, Person
from ops.filings.tree import Batch, Element, Field, filled

_SUBJECT = "33"
# By what somebody types: FinCEN's type and subtype, and what it is called.
ACTIVITIES: Mapping[str, tuple[str, str, str]] = {
    "below-amount": ("1", "114", N_("transactions below the amount of a CTR")),
    "avoids-report": ("1", "112", N_("a transaction altered or cancelled to avoid a CTR")),
    "chips-walked": ("12", "1201", N_("chips walked away with")),
    "little-play": ("12", "1202", N_("little play with large transactions")),
    "unknown-chips": ("12", "1204", N_("chips from nobody knows where")),
    "several-names": ("4", "405", N_("one person with several identities")),
    "false-identity": ("4", "409", N_("questionable or false identification")),
    "refuses-documents": ("4", "404", N_("a request for documents refused or avoided")),
    "for-another": ("8", "809", N_("somebody who moves another one's cash (a straw man)")),
    "source-of-funds": ("8", "821", N_("funds from nobody knows where")),
}
_PIECE, _PIECES = 4000, 5  # characters of a narrative, and in how many parts it may be


# A subject's role, by the directions of their cash.
_ROLES: Mapping[frozenset[str], str] = {
    frozenset(): "",
    frozenset({"in"}): "PurchaserSenderIndicator",
    frozenset({"out"}): "PayeeReceiverIndicator",
    frozenset({"in", "out"}): "BothPurchaserSenderPayeeReceiveIndicator",
}


class Cash(Struct, frozen=True):
    """Cash that is evidence: its gaming day, minor units, whose it is now, and `in` or `out`.

    `at`: its moment at the house, as JSON has it; `position`: in the record.
    """

    day: date
    amount: int
    patron: str
    direction: str
    at: str = ""
    table: str = ""
    position: int = 0


class Asked(Struct, frozen=True, kw_only=True):
    """What a report is made of; `amends`: the number of the one that it corrects, '' for none.

    `subjects`: whom the case was opened about first. `unknown`: fields of that one; of the others
    with their number, as in `P-10418.name`.
    """

    aml_case: str
    subjects: Sequence[Person]
    cash: Sequence[Cash]
    narrative: str
    activities: Sequence[str]
    filed_on: date
    noticed_on: date  # the day of what is suspicious where no cash moved
    amends: str = ""
    unknown: Collection[str] = ()


def sar(asked: Asked, filer: Filer | None, lacks: Sequence[Lack] = ()) -> Batch:
    """The report. Raises Lacks, with everything that is missing; `lacks`: what is known to be."""
    subjects, of_subjects = _subjects(asked)
    missing = [*lacks, *of_subjects, *_of_the_case(asked)]
    if missing or filer is None:
        raise Lacks(missing)
    total = whole(sum(each.amount for each in asked.cash))
    amended = "CorrectsAmendsPriorReport" if asked.amends else "InitialReport"
    activity = Element(
        "Activity",
        [
            *([Field("EFilingPriorDocumentNumber", asked.amends)] if asked.amends else []),
            Field("FilingDateText", compact(asked.filed_on)),
            filled("ActivityAssociation", {f"{amended}Indicator": "Y"}),
            transmitter(filer),
            transmitter_contact(filer),
            institution(INSTITUTION, filer),
            office(filer),
            institution(LOCATION, filer, {"SellingPayingLocationIndicator": "Y"}, last=True),
            *(_subject(each, person, asked, filer) for each, person in subjects),
            _suspicious(asked, total),
            *_narrative(asked.narrative),
        ],
    )
    counts = {
        "TotalAmount": int(total),
        "PartyCount": len(subjects),
        "ActivityCount": 1,
        "ActivityAttachmentCount": 0,
        "AttachmentCount": 0,
    }
    return Batch("SARX", counts, activity)


def field_of(asked_about: Person, subjects: Sequence[Person], field: str) -> str:
    """A field of a subject, by the name that is typed: with their number, but for the first."""
    return field if asked_about == subjects[0] else f"{asked_about.patron}.{field}"


def _subjects(asked: Asked) -> tuple[list[tuple[Person, Elements]], list[Lack]]:
    """What the report has of each subject, and what it lacks of them."""
    subjects, lacks = [], []
    for person in asked.subjects:
        unknown = [
            each for each in UNKNOWN if field_of(person, asked.subjects, each) in asked.unknown
        ]
        elements, more = person.elements(asked.filed_on, unknown)
        subjects.append((person, elements))
        lacks += [
            replace(each, field=field_of(person, asked.subjects, each.field)) for each in more
        ]
    return subjects, lacks


def _subject(person: Person, elements: Elements, asked: Asked, filer: Filer) -> Element:
    own = frozenset(each.direction for each in asked.cash if each.patron == person.patron)
    fields = {**elements.birth, "NoKnownAccountInvolvedIndicator": "Y"}
    if role := _ROLES[own]:
        fields[role] = "Y"
    return filled(
        "Party",
        {"ActivityPartyTypeCode": _SUBJECT, **dict(sorted(fields.items()))},  # as in the schema
        elements.name,
        *elements.about,
        filled(
            "PartyAssociation",
            {
                "CustomerIndicator": "Y",
                "SubjectRelationshipFinancialInstitutionTINText": filer.ein,
            },
        ),
    )


def _of_the_case(asked: Asked) -> list[Lack]:
    """What the case lacks."""
    lacks = []
    if not asked.narrative:
        words = Words("No note goes into the report: write what happened.")
        lacks.append(Lack("narrative", words, f"sabot aml note {asked.aml_case} '…' --narrative"))
    if len(asked.narrative) > _PIECE * _PIECES:
        words = Words(
            "The notes for it have {count} characters, and FinCEN takes {most}.",
            count=Number(len(asked.narrative)),
            most=Number(_PIECE * _PIECES),
        )
        lacks.append(Lack("narrative", words, "write the rest into an amended report"))
    if not asked.activities:
        words = Words("Nobody named what kind of activity it is.")
        lacks.append(Lack("activity", words, "--activity little-play"))
    return lacks


def _suspicious(asked: Asked, total: str) -> Element:
    days = [each.day for each in asked.cash] or [asked.noticed_on]
    of_days = {
        "SuspiciousActivityFromDateText": compact(min(days)),
        "SuspiciousActivityToDateText": compact(max(days)),
    }
    return filled(
        "SuspiciousActivity",
        of_days | {"TotalSuspiciousAmountText": total}
        if asked.cash
        else {"NoAmountInvolvedIndicator": "Y"} | of_days,
        *(
            filled(
                "SuspiciousActivityClassification",
                {"SuspiciousActivitySubtypeID": subtype, "SuspiciousActivityTypeID": kind},
            )
            for kind, subtype, _ in dict.fromkeys(ACTIVITIES[each] for each in asked.activities)
        ),
    )


def _narrative(text: str) -> list[Element]:
    pieces = [text[begin : begin + _PIECE] for begin in range(0, len(text), _PIECE)]
    return [
        filled(
            "ActivityNarrativeInformation",
            {"ActivityNarrativeSequenceNumber": str(number), "ActivityNarrativeText": piece},
        )
        for number, piece in enumerate(pieces, 1)
    ]
