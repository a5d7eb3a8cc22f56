"""A patron's file as FinCEN writes it: names apart, address in parts, countries by two letters.

>>> [each for each in name_parts("Mann, Janice Maria") or ()]
['Mann', 'Janice', 'Maria']
>>> name_parts("Janice Maria Mann") is None  # which of them is the last name?
True
>>> address_parts("12 Main St, Apt 4, Las Vegas, NV 89101-1234, US")
Address(street='12 Main St, Apt 4', city='Las Vegas', state='NV', zip='891011234', country='US')
>>> address_parts("Ring 1, 1010 Vienna, Austria").country
'AT'
>>> address_parts("Ring 1, Vienna")
"""

import re
from collections.abc import Collection, Mapping
from datetime import date

from msgspec import Struct

from domain.rules.countries import country_code, issuer_parts
from domain.rules.patron_files import Contents, Document, valid_document
from domain.rules.wording import Words
from ops.filings.lacks import ON_FILE, Lack
from ops.filings.tree import Element, filled

_WITH_STATES = ("US", "CA", "MX")  # whose addresses have a state, territory or province
_TYPES: Mapping[str, str] = {"driving-licence": "5", "passport": "6", "residence-permit": "7"}
_OTHER = "999"
_LONGEST = {"street": 100, "city": 50, "zip": 9}
_TWO = 2
# What a report may state as not known; an occupation is left out then, which FinCEN takes.
UNKNOWN = ("name", "birth_date", "address", "document", "occupation")


class Address(Struct, frozen=True):
    """An address in parts; `state`: '' outside the United States, Canada and Mexico."""

    street: str
    city: str
    state: str
    zip: str
    country: str


class Person(Struct, frozen=True):
    """A patron: the number, the name as it is stored, and the file; None for what is not there."""

    patron: str
    name: str | None
    contents: Contents

    def elements(self, day: date, unknown: Collection[str]) -> tuple["Elements", list[Lack]]:
        """What a report has of the patron, and what it lacks.

        `unknown`: what somebody says that the house cannot find out.
        """
        made, lacks = self._made(day, unknown)
        return made, [
            *(
                Lack(each, ON_FILE, f"without --unknown {each}")
                for each in UNKNOWN
                if each in unknown and self._is_on_file(each, day)
            ),
            *lacks,
        ]

    def _made(self, day: date, unknown: Collection[str]) -> tuple["Elements", list[Lack]]:
        lacks: list[Lack] = []
        made = Elements(
            names=self._names(unknown, lacks),
            address=self._address(unknown, lacks),
            birth=self._birth(unknown, lacks),
            document=self._document(day, unknown, lacks),
            occupation=self._occupation(unknown, lacks),
        )
        return made, lacks

    def _is_on_file(self, field: str, day: date) -> bool:
        """Whether a report could state it."""
        _, lacks = self._made(day, {*UNKNOWN} - {field})
        return not lacks

    def _names(self, unknown: Collection[str], lacks: list[Lack]) -> Mapping[str, str]:
        if "name" in unknown:
            return {"EntityLastNameUnknownIndicator": "Y", "FirstNameUnknownIndicator": "Y"}
        parts = name_parts(self.name or "")
        if parts is None:
            why = (
                Words("It is not clear which part is the last name: write that first, and a comma.")
                if self.name
                else Words("No name is stored.")
            )
            lacks.append(Lack("name", why, f"sabot patron name {self.patron} 'Last, First'"))
            return {}
        last, first, middle = parts
        return {
            "RawEntityIndividualLastName": last,
            "RawIndividualFirstName": first,
            "RawIndividualMiddleName": middle,
        }

    def _address(self, unknown: Collection[str], lacks: list[Lack]) -> Mapping[str, str]:
        if "address" in unknown:
            parts = ("City", "CountryCode", "StateCode", "StreetAddress", "ZIPCode")
            return {f"{each}UnknownIndicator": "Y" for each in parts}
        address = address_parts(self.contents.address)
        if address is None:
            words = Words(
                "Write street, city, postal code and country with commas between them; in the "
                "United States, Canada and Mexico the state by its letters before the code."
            )
            example = "'12 Main St, Las Vegas, NV 89101, US'"
            lacks.append(
                Lack("address", words, f"sabot patron file {self.patron} --address {example}")
            )
            return {}
        return {
            "RawCityText": address.city,
            "RawCountryCodeText": address.country,
            "RawStateCodeText": address.state,
            "RawStreetAddress1Text": address.street,
            "RawZIPCode": address.zip,
        }

    def _birth(self, unknown: Collection[str], lacks: list[Lack]) -> Mapping[str, str]:
        if "birth_date" in unknown:
            return {"BirthDateUnknownIndicator": "Y"}
        born = self.contents.birth_date
        if not "1900" <= born < "2100":
            how = f"sabot patron file {self.patron} --birth-date 1961-04-17"
            lacks.append(Lack("birth_date", Words("No birth date after 1899 is on file."), how))
        return {"IndividualBirthDateText": born.replace("-", "")}

    def _document(
        self, day: date, unknown: Collection[str], lacks: list[Lack]
    ) -> Mapping[str, str]:
        if "document" in unknown:
            return {"IdentificationPresentUnknownIndicator": "Y"}
        document = valid_document(self.contents, day)
        how = f"sabot patron document {self.patron} passport U1234567 AT --expires 2031-02-01"
        if document is None or not document.seen_on:
            words = Words("No identity document is on file that somebody saw and that holds.")
            lacks.append(Lack("document", words, how))
            return {}
        issuer = issuer_parts(document.issuer)
        if issuer is None:
            words = Words(
                "{issuer} is no country that FinCEN knows: write it in English or by two letters, "
                "with the state's letters after a hyphen, as in US-NV.",
                issuer=document.issuer,
            )
            lacks.append(Lack("document.issuer", words, how))
            return {}
        return _of_document(document, *issuer)

    def _occupation(self, unknown: Collection[str], lacks: list[Lack]) -> str:
        if "occupation" in unknown:
            return ""
        occupation = self.contents.occupation
        if not occupation:
            how = f"sabot patron file {self.patron} --occupation dentist"
            lacks.append(Lack("occupation", Words("No occupation is on file."), how))
        return occupation[:50].strip()


class Elements(Struct, frozen=True):
    """What a report has of a patron, by FinCEN's names."""

    names: Mapping[str, str]
    address: Mapping[str, str]
    birth: Mapping[str, str]
    document: Mapping[str, str]
    occupation: str

    @property
    def name(self) -> Element:
        """The name, as the legal one."""
        unknown = {each: text for each, text in self.names.items() if each.endswith("Indicator")}
        known = {each: text for each, text in self.names.items() if each not in unknown}
        return filled("PartyName", {**unknown, "PartyNameTypeCode": "L", **known})

    @property
    def about(self) -> list[Element]:
        """What comes after the name. The house stores no tax number."""
        return [
            filled("Address", self.address),
            filled("PartyIdentification", {"TINUnknownIndicator": "Y"}),
            filled("PartyIdentification", self.document),
            *(
                [filled("PartyOccupationBusiness", {"OccupationBusinessText": self.occupation})]
                if self.occupation
                else []
            ),
        ]


def _of_document(document: Document, country: str, state: str) -> Mapping[str, str]:
    kind = _TYPES.get(document.kind, _OTHER)
    return {
        "OtherIssuerCountryText": country,
        "OtherIssuerStateText": state,
        "OtherPartyIdentificationTypeText": document.kind.replace("-", " ")
        if kind == _OTHER
        else "",
        "PartyIdentificationNumberText": document.number[:25].strip(),
        "PartyIdentificationTypeCode": kind,
    }


def name_parts(name: str) -> tuple[str, str, str] | None:
    """Last, first and middle name, of `Last, First Middle` or of two words; None otherwise."""
    last, comma, given = (" ".join(each.split()) for each in name.partition(","))
    if not comma:
        words = last.split()
        return (words[1], words[0], "") if len(words) == _TWO else None
    first, _, middle = given.partition(" ")
    return (last[:150], first[:35], middle[:35].strip()) if last and first else None


def address_parts(address: str) -> Address | None:
    """The parts of an address with commas between them; None if they are not clear."""
    parts = [" ".join(each.split()) for each in address.split(",")]
    country = country_code(parts[-1])
    if country is None or "" in parts:
        return None
    return _with_state(parts[:-1], country) if country in _WITH_STATES else _other(parts, country)


def _with_state(parts: list[str], country: str) -> Address | None:
    """Of `street, city, NV 89101`."""
    match = re.fullmatch(r"([A-Z]{2,3}) ([A-Za-z0-9 -]{3,10})", parts[-1]) if parts else None
    return _checked(parts[:-1], match[1], match[2], country) if match else None


def _other(parts: list[str], country: str) -> Address | None:
    """Of `street, 1010 Vienna, Austria`, or `street, city, 1010, Austria`."""
    *street, last, _ = parts
    if match := re.fullmatch(r"(?=.*[0-9])([A-Za-z0-9 -]{3,9}) (\D+)", last):
        return _checked([*street, match[2]], "", match[1], country)
    has_code = re.search(r"[0-9]", last) and len(last) <= _LONGEST["zip"] + 1
    return (
        _checked(street, "", last, country) if has_code else _checked(parts[:-1], "", "", country)
    )


def _checked(parts: list[str], state: str, code: str, country: str) -> Address | None:
    *street, city = parts or [""]
    address = Address(", ".join(street), city, state, re.sub(r"[ -]", "", code), country)
    fits = all(len(getattr(address, name)) <= most for name, most in _LONGEST.items())
    return address if address.street and address.city and fits else None
