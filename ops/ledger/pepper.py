"""The pepper: the house's secret file, from which its keys are made. It is not in the database.

The ledger knows its fingerprint, so that a home with another pepper records nothing.
"""

import hmac
import os
import secrets
from pathlib import Path
from typing import TYPE_CHECKING, Any

from ops.ledger.database import NotFit
from ops.ledger.files import data_home, write_secret

if TYPE_CHECKING:
    import psycopg

PEPPER = 32  # bytes
_FINGERPRINT = 16  # bytes
_REMEDY = (
    "If this is your house's ledger, put its pepper file there again: it is in every backup that "
    "`sabot db backup` made. `sabot manual drill` says what to do if it is lost for good."
)


def pepper_file() -> Path:
    """Where the pepper is, or would be."""
    return Path(os.environ.get("SABOT_PEPPER_FILE") or data_home() / "pepper")


def pepper(*, make: bool = True) -> bytes:
    """The house's pepper; made on first use, and the same file on each of its machines."""
    path = pepper_file()
    if not path.exists():
        if not make:
            raise NotFit(f"The pepper {path} is missing. Put the house's pepper file there again.")
        write_secret(path, secrets.token_bytes(PEPPER))
    content = path.read_bytes()
    if len(content) != PEPPER:
        raise NotFit(f"The pepper {path} is damaged. Put the house's pepper file there again.")
    return content


def derived_key(purpose: bytes, *, anew: bool) -> bytes:
    """A key of 32 bytes, derived from the pepper.

    `anew`: for encrypting or sealing, when a missing pepper may be made; opening and checking need
    the old one. Raises NotFit.
    """
    return hmac.digest(pepper(make=anew), b"key:" + purpose, "sha256")


def fingerprint() -> bytes:
    """What the ledger knows of the pepper in this home, which nobody can tell it from."""
    return derived_key(b"fingerprint", anew=True)[:_FINGERPRINT]


def require_own(connection: "psycopg.Connection[Any]") -> None:
    """Requires that this home has the ledger's pepper; a new ledger takes it as its own.

    A pepper is made only for a ledger that has none. Raises NotFit.
    """
    own = fingerprint() if pepper_file().exists() else None
    if _known(connection, own) is None:
        _known(connection, fingerprint())
    elif fault := fault_in(connection):
        raise NotFit(fault)


def fault_in(connection: "psycopg.Connection[Any]") -> str:
    """Why nothing can be recorded from this home, which lacks the ledger's pepper; or ''."""
    known = _known(connection, None)
    if known is None:
        return ""
    if not pepper_file().exists():
        return f"The pepper {pepper_file()} is missing, and this ledger has one. {_REMEDY}"
    if known != fingerprint():
        return f"The pepper {pepper_file()} is not this ledger's. {_REMEDY}"
    return ""


def _known(connection: "psycopg.Connection[Any]", given: bytes | None) -> bytes | None:
    """The fingerprint of the ledger's pepper; a ledger that has none takes the one given."""
    row = connection.execute("SELECT people.house_pepper(%s)", (given,)).fetchone()
    return row[0] if row else None


def replace(connection: "psycopg.Connection[Any]") -> None:
    """From now on the ledger's pepper is the one in this home, which is made if there is none.

    Raises NotFit if it is the ledger's already.
    """
    if _known(connection, None) is not None and not fault_in(connection):
        raise NotFit(
            f"{pepper_file()} is the house's pepper: it is not lost, and nothing was done. Keep a "
            "copy of it in a safe."
        )
    _add(connection, fingerprint())


def give_to_nobody(connection: "psycopg.Connection[Any]") -> None:
    """From now on the ledger's pepper is one that nobody has: nothing is recorded there."""
    _add(connection, secrets.token_bytes(_FINGERPRINT))


def _add(connection: "psycopg.Connection[Any]", known: bytes) -> None:
    connection.execute(
        "INSERT INTO people.peppers (number, fingerprint) "
        "SELECT coalesce(max(number), 0) + 1, %s FROM people.peppers",
        (known,),
    )
