"""A currency transaction report (FinCEN form 112) of one patron and one gaming day.

Its amounts are those of the report `ctr`: each direction that passed the amount, over all tables,
rounded up to whole dollars as the form wants it.
"""

from collections.abc import Collection, Iterator, Mapping, Sequence
from datetime import date
from typing import Any

from msgspec import Struct
from msgspec.structs import replace

from domain.rules.wording import Words, listed
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
from ops.filings.patron import Elements, Person
from ops.filings.tree import Batch, Element, Field, filled

FORM = "FinCEN Form 112"  # as the regime's paper names it
_ON_OWN_BEHALF, _FOR_ANOTHER, _ON_WHOSE_BEHALF = "50", "17", "23"
OF_PRINCIPAL = "on_behalf_of"  # what fields of the one for whom somebody plays begin with
_KINDS: Mapping[str, str] = {"in": "18", "out": "28"}  # chips bought, chips redeemed
UNKNOWN_PRIOR = "0" * 14  # where the number of the report that is amended is not known


class Asked(Struct, frozen=True, kw_only=True):
    """What a report is made of; `amends`: the number of the one that it corrects, '' for none.

    `principal`: for whom the person plays; None for nobody, or if no file says who that is. Who
    was identified since may be the person, which is a lack.
    """

    person: Person
    day: date
    rows: Sequence[Mapping[str, Any]]  # of the report `ctr`, one for each direction
    filed_on: date
    amends: str = ""
    unknown: Collection[str] = ()
    principal: Person | None = None

    @property
    def is_own_principal(self) -> bool:
        """Whether the person plays on behalf of themselves, by the file."""
        return self.principal is not None and self.principal.patron == self.person.patron


def ctr(asked: Asked, filer: Filer | None, lacks: Sequence[Lack] = ()) -> Batch:
    """The report. Raises Lacks, with everything that is missing; `lacks`: what is known to be."""
    person, more = asked.person.elements(asked.day, asked.unknown)
    principal, of_principal = _principal(asked)
    missing = [*lacks, *more, *of_principal, *_of_the_cash(asked)]
    if missing or filer is None:
        raise Lacks(missing)
    totals = {each["direction"]: whole(each["total"]) for each in asked.rows}
    amounts = {
        "IndividualEntityCashInAmountText": totals.get("in", ""),
        "IndividualEntityCashOutAmountText": totals.get("out", ""),
    }
    parties = [
        transmitter(filer),
        transmitter_contact(filer),
        institution(INSTITUTION, filer),
        institution(LOCATION, filer, amounts),
        *_people(asked, person, principal, amounts),
        office(filer),
    ]
    activity = Element(
        "Activity",
        [
            *([Field("EFilingPriorDocumentNumber", asked.amends)] if asked.amends else []),
            Field("FilingDateText", compact(asked.filed_on)),
            _association(asked),
            *parties,
            _transactions(asked, totals),
        ],
    )
    sums = sum(map(int, totals.values()))
    counts = {"TotalAmount": sums, "PartyCount": len(parties), "ActivityCount": 1}
    return Batch("CTRX", counts, activity)


def _principal(asked: Asked) -> tuple[Elements | None, list[Lack]]:
    """Who the person plays for, and what the report lacks of them."""
    if asked.principal is None or asked.is_own_principal:
        return None, []
    mark = f"{OF_PRINCIPAL}."
    unknown = [each.removeprefix(mark) for each in asked.unknown if each.startswith(mark)]
    elements, lacks = asked.principal.elements(asked.day, unknown)
    return elements, [replace(each, field=f"{mark}{each.field}") for each in lacks]


def _people(
    asked: Asked, person: Elements, principal: Elements | None, amounts: Mapping[str, str]
) -> Iterator[Element]:
    """Whoever brought or took the cash, and for whom."""
    if principal is None:
        yield _party(asked, _ON_OWN_BEHALF, person, amounts)
        return
    yield _party(asked, _FOR_ANOTHER, person, amounts)
    yield _party(asked, _ON_WHOSE_BEHALF, principal, amounts)


def _party(asked: Asked, kind: str, person: Elements, amounts: Mapping[str, str]) -> Element:
    several = _several(asked) and kind != _ON_WHOSE_BEHALF
    return filled(
        "Party",
        {
            "ActivityPartyTypeCode": kind,
            **person.birth,
            **amounts,
            "MultipleTransactionsPersonsIndividualsIndicator": "Y" if several else "",
        },
        person.name,
        *person.about,
    )


def _of_the_cash(asked: Asked) -> list[Lack]:
    """What the cash lacks: names that look the same may be one person, or two."""
    alike = sorted({name for row in asked.rows for name in row["alike"] or ()})
    lacks = []
    if alike:
        words = Words(
            "The total has cash of {names}, whose names look the same: say who they are.",
            names=listed(alike),
        )
        how = f"sabot patron identify {alike[0]} {asked.person.patron}"
        lacks.append(Lack("total", words, how))
    if asked.person.contents.on_behalf_of and asked.principal is None:
        words = Words(
            "They play for somebody else, whom a report names too. Write the number under which "
            "that person has a file here."
        )
        how = f"sabot patron file {asked.person.patron} --on-behalf-of P-10418"
        lacks.append(Lack(OF_PRINCIPAL, words, how))
    if asked.is_own_principal:
        words = Words(
            "By the file they play on behalf of {patron}, and that is they themselves. Empty that "
            "part, or write for whom they play.",
            patron=asked.person.contents.on_behalf_of,
        )
        how = f"sabot patron file {asked.person.patron} --clear {OF_PRINCIPAL}"
        lacks.append(Lack(OF_PRINCIPAL, words, how))
    return lacks


def _association(asked: Asked) -> Element:
    amended = bool(asked.amends)
    return Element(
        "ActivityAssociation",
        [
            Field("CorrectsAmendsPriorReportIndicator", "Y" if amended else ""),
            Field("FinCENDirectBackFileIndicator", ""),
            Field("InitialReportIndicator", "" if amended else "Y"),
        ],
    )


def _several(asked: Asked) -> bool:
    return sum(len(each["components"]) for each in asked.rows) > 1


def _transactions(asked: Asked, totals: Mapping[str, str]) -> Element:
    return Element(
        "CurrencyTransactionActivity",
        [
            Field("AggregateTransactionIndicator", "Y" if _several(asked) else ""),
            *(
                Field(f"{each}Indicator", "")
                for each in (
                    *("ArmoredCarService", "ATM", "MailDepositShipment", "NightDeposit"),
                    "SharedBranching",
                )
            ),
            Field("TotalCashInReceiveAmountText", totals.get("in", "")),
            Field("TotalCashOutAmountText", totals.get("out", "")),
            Field("TransactionDateText", compact(asked.day)),
            *(
                Element(
                    "CurrencyTransactionActivityDetail",
                    [
                        Field("CurrencyTransactionActivityDetailTypeCode", _KINDS[direction]),
                        Field("DetailTransactionAmountText", total),
                        Field("OtherCurrencyTransactionActivityDetailText", ""),
                        Field("OtherForeignCurrencyCountryText", ""),
                    ],
                )
                for direction, total in totals.items()
            ),
        ],
    )
