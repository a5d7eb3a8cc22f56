"""Seals of rows beside the record: who has no pepper can neither alter, add nor swap one.

What changes too often for an event, as a counter does, or may not be in one, as a name, has a seal
in its row. Like those of commands it is made with a key that is not in the database.
"""

import hmac

from ops.ledger.chain import field
from ops.ledger.pepper import derived_key

DEVICE_LINES, NAME, TRIES = (
    "number of a device's lines",
    "name of a staff number",
    "count of wrong PINs",
)
PATRON, FILE, AML_TEXT, PLACE, SESSION = (
    "name of a patron",
    "file of a patron",
    "text of a case of money laundering",
    "count of wrong PINs of a machine",
    "place of a sign-on",
)


def row_key(*, anew: bool) -> bytes:
    """The key of this house's row seals; `anew`: a missing pepper may be made. Raises NotFit."""
    return derived_key(b"rows beside the record", anew=anew)


def seal_of(what: str, *fields: str | int) -> bytes:
    """The seal of a row, or of a part of it: what it is, whose, and what it says."""
    return sealed_row(row_key(anew=True), what, *map(str, fields))


def sealed_row(key: bytes, what: str, *fields: str) -> bytes:
    """The seal of a row with this key."""
    return hmac.digest(key, b"".join(field(each.encode()) for each in (what, *fields)), "sha256")
