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
_NOBODYS = b""  # the fingerprint of an opened archive's pepper
_REMEDY = (
    "If this is your house's ledger, bring back the pepper of its home: it is in every backup that "
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
        raise NotFit(_damaged(path))
    return content


def _damaged(path: Path) -> str:
    return f"The pepper {path} is damaged. {_REMEDY}"


def derived_key(purpose: bytes, *, anew: bool) -> bytes:
    """A key of 32 bytes, derived from the pepper.

    `anew`: for encrypting or sealing, when a missing pepper may be made; opening and checking need
    the old one. Raises NotFit.
    """
    return _derived(pepper(make=anew), purpose)


def _derived(content: bytes, purpose: bytes) -> bytes:
    return hmac.digest(content, b"key:" + purpose, "sha256")


def fingerprint() -> bytes:
    """What the ledger knows of the pepper in this home, which nobody can tell it from."""
    return _fingerprint_of(pepper())


def _fingerprint_of(content: bytes) -> bytes:
    return _derived(content, b"fingerprint")[:_FINGERPRINT]


def require_own(connection: "psycopg.Connection[Any]") -> None:
    """Requires that this home has the ledger's pepper; a new ledger takes it as its own.

    A pepper is made only for a ledger that has none. Raises NotFit.
    """
    if _known(connection) is None:
        connection.execute("SELECT people.house_pepper(%s)", (fingerprint(),))
    if fault := fault_in(connection):
        raise NotFit(fault)


def fault_in(connection: "psycopg.Connection[Any]", file: Path | None = None) -> str:
    """Why nothing can be recorded nor a seal be checked with this home's pepper; '' if it can.

    A ledger that knows no pepper yet takes any. `file`: the pepper of another home.
    """
    known, file = _known(connection), file or pepper_file()
    if known is None:
        return ""
    if known == _NOBODYS:
        return "This ledger is an archive that was opened: no pepper is its own."
    if not file.exists():
        return f"The pepper {file} is missing, and this ledger has one. {_REMEDY}"
    content = file.read_bytes()
    if len(content) != PEPPER:
        return _damaged(file)
    if known != _fingerprint_of(content):
        return (
            f"This home's pepper is not the one that this ledger was written with: {file}. "
            f"{_REMEDY}"
        )
    return ""


def is_foreign(connection: "psycopg.Connection[Any]") -> bool:
    """Whether this home has a pepper, and the ledger has another one."""
    return pepper_file().exists() and _known(connection) != _NOBODYS and bool(fault_in(connection))


def _known(connection: "psycopg.Connection[Any]") -> bytes | None:
    """The fingerprint of the ledger's pepper; None if it has none yet."""
    row = connection.execute("SELECT people.known_pepper()").fetchone()
    return row[0] if row else None


def replace(connection: "psycopg.Connection[Any]") -> None:
    """From now on the ledger's pepper is the one in this home, which is made if there is none.

    Raises NotFit if it is the ledger's already.
    """
    if _known(connection) is not None and not fault_in(connection):
        raise NotFit(
            f"{pepper_file()} is the house's pepper: it is not lost, and nothing was done. Keep a "
            "copy of it in a safe."
        )
    _add(connection, fingerprint())


def give_to_nobody(connection: "psycopg.Connection[Any]") -> None:
    """From now on the ledger's pepper is one that nobody has: nothing is recorded there."""
    _add(connection, _NOBODYS)


def _add(connection: "psycopg.Connection[Any]", known: bytes) -> None:
    connection.execute(
        "INSERT INTO people.peppers (number, fingerprint) "
        "SELECT coalesce(max(number), 0) + 1, %s FROM people.peppers",
        (known,),
    )
