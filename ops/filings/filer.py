"""What FinCEN has to know of the house, from a file that somebody writes once: `filer.toml`.

name = "Riverside Casino LLC"        # the legal name
ein = "123456789"                    # nine digits
street = "1 River Road"
city = "Las Vegas"
state = "NV"
zip = "89101"
kind = "state"                       # state, tribal or card-club
control_code = "TBSATEST"            # the transmitter control code of BSA E-Filing
contact = "Compliance office"
phone = "7025550100"
"""

import re
import tomllib
from collections.abc import Mapping
from pathlib import Path

from msgspec import Struct

from domain.rules.wording import N_, Words
from ops.filings.lacks import Lack

KINDS: Mapping[str, str] = {"state": "101", "tribal": "102", "card-club": "103"}
_WRITTEN: Mapping[str, tuple[str, str]] = {  # each field: its pattern, and the pattern in words
    "name": (r".{1,150}", N_("the legal name, up to 150 characters")),
    "ein": (r"[0-9]{9}", N_("nine digits, without a hyphen")),
    "street": (r".{1,100}", N_("street and number, up to 100 characters")),
    "city": (r".{1,50}", N_("the city, up to 50 characters")),
    "state": (r"[A-Z]{2}", N_("two letters, as in NV")),
    "zip": (r"[0-9]{5}([0-9]{4})?", N_("five or nine digits")),
    "kind": ("|".join(KINDS), N_("state, tribal or card-club")),
    "control_code": (r"[A-Z0-9]{8}", N_("the eight characters that BSA E-Filing gave")),
    "contact": (r".{1,150}", N_("the office to ask, up to 150 characters")),
    "phone": (r"[0-9]{10}", N_("ten digits, without signs")),
}


class Filer(Struct, frozen=True):
    """The house, as FinCEN knows it."""

    name: str
    ein: str
    street: str
    city: str
    state: str
    zip: str
    kind: str
    control_code: str
    contact: str
    phone: str


def read_filer(file: Path) -> tuple[Filer | None, list[Lack]]:
    """What the file says, or what it lacks; one that is not there lacks everything."""
    known, lacks = read_stated(file, _WRITTEN, "filer")
    return (None if lacks else Filer(**known)), lacks


def read_stated(
    file: Path, written: Mapping[str, tuple[str, str]], called: str
) -> tuple[Mapping[str, str], list[Lack]]:
    """What a file says of a house, or what it lacks: of each field a pattern, and that in words."""
    try:
        stated = tomllib.loads(file.read_text(encoding="utf-8-sig"))
    except FileNotFoundError:
        stated = {}
    except (OSError, ValueError) as error:
        unreadable = Words("The file cannot be read: {why}", why=str(error))
        return {}, [Lack(called, unreadable, str(file))]
    lacks = [
        Lack(f"{called}.{name}", Words(how), f'{file}: {name} = "…"')
        for name, (pattern, how) in written.items()
        if not re.fullmatch(pattern, _text(stated, name))
    ]
    return {name: _text(stated, name) for name in written}, lacks


def _text(stated: Mapping[str, object], name: str) -> str:
    """A field without blanks around it, as FinCEN takes it; '' for none."""
    value = stated.get(name, "")
    return " ".join(value.split()) if isinstance(value, str) else ""
