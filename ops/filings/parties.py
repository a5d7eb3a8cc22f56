"""The parties that every report has: who transmits it, who files it, whom to ask."""

from collections.abc import Mapping
from datetime import date
from types import MappingProxyType

from ops.filings.filer import KINDS, Filer
from ops.filings.tree import Element, filled

TRANSMITTER, CONTACT, INSTITUTION, OFFICE, LOCATION = "35", "37", "30", "8", "34"
_IRS = "7"  # examines casinos
_EIN, _TIN, _CONTROL_CODE = "2", "4", "28"
_CASINO = "1"
_CENTS = 100


def compact(day: date) -> str:
    """A date as FinCEN writes it."""
    return day.strftime("%Y%m%d")


def whole(amount: int) -> str:
    """An amount of cents in whole dollars, rounded up."""
    return str(-(-amount // _CENTS))


def identification(kind: str, number: str) -> Element:
    """A number of the house."""
    return filled(
        "PartyIdentification",
        {"PartyIdentificationNumberText": number, "PartyIdentificationTypeCode": kind},
    )


def name_of(full: str) -> Element:
    """A legal name."""
    return filled("PartyName", {"PartyNameTypeCode": "L", "RawPartyFullName": full})


def address_of(filer: Filer) -> Element:
    """Where the house is."""
    return filled(
        "Address",
        {
            "RawCityText": filer.city,
            "RawCountryCodeText": "US",
            "RawStateCodeText": filer.state,
            "RawStreetAddress1Text": filer.street,
            "RawZIPCode": filer.zip,
        },
    )


def phone_of(filer: Filer) -> Element:
    """The number to call."""
    return filled("PhoneNumber", {"PhoneNumberText": filer.phone})


def organization(filer: Filer) -> Element:
    """That the house is a casino, and of which kind."""
    return filled(
        "OrganizationClassificationTypeSubtype",
        {"OrganizationSubtypeID": KINDS[filer.kind], "OrganizationTypeID": _CASINO},
    )


def transmitter(filer: Filer) -> Element:
    """Who transmits the file: the house itself."""
    return filled(
        "Party",
        {"ActivityPartyTypeCode": TRANSMITTER},
        name_of(filer.name),
        address_of(filer),
        phone_of(filer),
        identification(_TIN, filer.ein),
        identification(_CONTROL_CODE, filer.control_code),
    )


def transmitter_contact(filer: Filer) -> Element:
    """Whom to ask about the file."""
    return filled("Party", {"ActivityPartyTypeCode": CONTACT}, name_of(filer.contact))


def institution(
    kind: str, filer: Filer, more: Mapping[str, str] = MappingProxyType({}), *, last: bool = False
) -> Element:
    """The house, as who files it or as where it happened; `more`: fields, at the end if `last`."""
    regulator = {"PrimaryRegulatorTypeCode": _IRS}
    return filled(
        "Party",
        {
            "ActivityPartyTypeCode": kind,
            **({**regulator, **more} if last else {**more, **regulator}),
        },
        name_of(filer.name),
        address_of(filer),
        identification(_EIN, filer.ein),
        organization(filer),
    )


def office(filer: Filer) -> Element:
    """The office to ask about the report."""
    return filled(
        "Party", {"ActivityPartyTypeCode": OFFICE}, name_of(filer.contact), phone_of(filer)
    )
