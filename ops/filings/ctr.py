"""A currency transaction report (FinCEN form 112) of one patron and one gaming day.

Cash of several who play for one person is in one report (31 CFR 1021.313): each with their own
cash, then that person with the cash of them all; what they brought themselves is a part by itself.

Its amounts are those of the report `ctr`: each direction that passed the amount, over all tables,
rounded up to whole dollars as the form wants it.
"""

from collections.abc import Collection, Iterator, Mapping, Sequence
from datetime import date
from types import MappingProxyType
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
from ops.filings.patron import UNKNOWN, Elements, Person
from ops.filings.tree import Batch, Element, Field, filled

FORM = "FinCEN Form 112"  # as the regime's paper names it
_ON_OWN_BEHALF, _FOR_ANOTHER, _ON_WHOSE_BEHALF = "50", "17", "23"
OF_PRINCIPAL = "on_behalf_of"  # what fields of the one for whom somebody plays begin with
_KINDS: Mapping[str, str] = {"in": "18", "out": "28"}  # chips bought, chips redeemed
UNKNOWN_PRIOR = "0" * 14  # where the number of the report that is amended is not known


class Asked(Struct, frozen=True, kw_only=True):
    """What a report is made of; `amends`: the number of the one that it corrects, '' for none.

    `person`: who is asked about. `unknown`: fields as `field_of` calls them.
    """

    person: Person
    day: date
    rows: Sequence[Mapping[str, Any]]  # of the report `ctr`, one for each direction
    filed_on: date
    amends: str = ""
    unknown: Collection[str] = ()
    people: Sequence[Person] = ()  # who brought or took the cash; nobody: the one asked about
    principals: Mapping[str, Person] = MappingProxyType({})  # of these, by the number
    unnamed: Collection[str] = ()  # whose file says for whom they play, and nobody is called so
    for_themselves: bool = False  # whether the file names the person themselves

    @property
    def movers(self) -> Sequence[Person]:
        """Who brought or took the cash; with names that look the same, who is asked about."""
        alike = any(row["alike"] for row in self.rows)
        return [self.person] if alike or not self.people else self.people

    @property
    def everybody(self) -> Sequence[Person]:
        """Each person of the report once."""
        every = (self.person, *self.movers, *self.principals.values())
        return [*{each.patron: each for each in every}.values()]

    def field_of(self, person: Person, field: str) -> str:
        """A field of a person, by the name that is typed."""
        if person.patron == self.person.patron:
            return field
        (first, *_) = (*self.principals.values(), None)
        begin = OF_PRINCIPAL if first and first.patron == person.patron else person.patron
        return f"{begin}.{field}"

    def amounts(self, movers: Collection[str]) -> Mapping[str, str]:
        """Each direction that is reported with what these moved, in whole dollars."""
        alone = len(self.movers) == 1
        sums = {
            row["direction"]: row["total"]
            if alone
            else sum(each["amount"] for each in row["components"] if each["patron"] in movers)
            for row in self.rows
        }
        return {direction: whole(amount) for direction, amount in sums.items() if amount}

    def is_several(self, movers: Collection[str]) -> bool:
        """Whether these moved cash more than once."""
        components = [each for row in self.rows for each in row["components"]]
        alone = len(self.movers) == 1
        return sum(alone or each["patron"] in movers for each in components) > 1


def ctr(asked: Asked, filer: Filer | None, lacks: Sequence[Lack] = ()) -> Batch:
    """The report. Raises Lacks, with everything that is missing; `lacks`: what is known to be."""
    elements, of_people = _elements(asked)
    missing = [*lacks, *of_people, *_of_the_cash(asked)]
    if missing or filer is None:
        raise Lacks(missing)
    totals = {each["direction"]: whole(each["total"]) for each in asked.rows}
    parties = [
        transmitter(filer),
        transmitter_contact(filer),
        institution(INSTITUTION, filer),
        institution(LOCATION, filer, _of_party(totals)),
        *_people(asked, elements),
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


def _elements(asked: Asked) -> tuple[Mapping[str, Elements], list[Lack]]:
    """What the report has of each person, and what it lacks of them."""
    elements, lacks = dict[str, Elements](), list[Lack]()
    for person in asked.everybody:
        unknown = [each for each in UNKNOWN if asked.field_of(person, each) in asked.unknown]
        elements[person.patron], more = person.elements(asked.day, unknown)
        lacks += [replace(each, field=asked.field_of(person, each.field)) for each in more]
    return elements, lacks


def _people(asked: Asked, elements: Mapping[str, Elements]) -> Iterator[Element]:
    """Whoever brought or took the cash, and for whom."""
    for each in asked.movers:
        kind = _FOR_ANOTHER if each.patron in asked.principals else _ON_OWN_BEHALF
        yield _party(asked, kind, elements[each.patron], {each.patron})
    for principal in dict.fromkeys(each.patron for each in asked.principals.values()):
        agents = {who for who, whom in asked.principals.items() if whom.patron == principal}
        yield _party(asked, _ON_WHOSE_BEHALF, elements[principal], agents)


def _of_party(amounts: Mapping[str, str]) -> Mapping[str, str]:
    return {
        "IndividualEntityCashInAmountText": amounts.get("in", ""),
        "IndividualEntityCashOutAmountText": amounts.get("out", ""),
    }


def _party(asked: Asked, kind: str, person: Elements, movers: Collection[str]) -> Element:
    several = kind != _ON_WHOSE_BEHALF and asked.is_several(movers)
    return filled(
        "Party",
        {
            "ActivityPartyTypeCode": kind,
            **person.birth,
            **_of_party(asked.amounts(movers)),
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
    for agent in asked.unnamed:
        words = Words(
            "They play for somebody else, whom a report names too. Write the number under which "
            "that person has a file here."
        )
        how = f"sabot patron file {agent} --on-behalf-of P-10418 --from-day {asked.day}"
        own = agent == asked.person.patron
        lacks.append(Lack(OF_PRINCIPAL if own else f"{agent}.{OF_PRINCIPAL}", words, how))
    if asked.for_themselves:
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
