"""Names and PINs, beside the record: what may be erased, and what proves who somebody is.

PINs are kept as argon2 hashes over the PIN and a pepper, which lives in a file and in no database.
"""

import hashlib
import hmac
import os
import secrets
from dataclasses import dataclass
from pathlib import Path

from ops.ledger.recorder import Ledger, Statement


@dataclass(frozen=True)
class Proof:
    """What somebody proved at the terminal; it stands in no line, no event and no answer."""

    right: bool
    session: str = ""  # SHA-256 of the token that the terminal keeps, in hex
    new_pin: str | None = None


def data_home() -> Path:
    """Where this account keeps what belongs to the house and not to the record."""
    from platformdirs import user_data_path

    return Path(os.environ.get("SABOT_HOME") or user_data_path("sabot"))


def _pepper() -> bytes:
    """A secret of the house's; made on first use, and the same file on every machine of it."""
    path = Path(os.environ.get("SABOT_PEPPER_FILE") or data_home() / "pepper")
    path.parent.mkdir(parents=True, exist_ok=True)
    try:
        descriptor = os.open(path, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600)
    except FileExistsError:
        return path.read_bytes()
    with os.fdopen(descriptor, "wb") as file:
        pepper = secrets.token_bytes(32)
        file.write(pepper)
        file.flush()
        os.fsync(file.fileno())
    return pepper


def digest(token: str) -> str:
    """A token as the record keeps it."""
    return hashlib.sha256(token.encode()).hexdigest()


def code_for(command_id: str) -> str:
    """The one-time code that an enrolment is answered with: the same for the same command.

    So that it is kept nowhere, and a lost answer can be asked for again.
    """
    told = hmac.digest(_pepper(), b"code:" + command_id.encode(), "sha256")
    letters = "23456789ABCDEFGHJKLMNPQRSTUVWXYZ"
    return "".join(letters[byte % 32] for byte in told[:10])


def _peppered(secret: str) -> bytes:
    return hmac.digest(_pepper(), secret.encode(), "sha256")


def enrolled(staff: str, name: str, code: str) -> Statement:
    """The name of a staff number, and the code with which it chooses a PIN."""
    return (
        "INSERT INTO people.staff VALUES (%s, %s, NULL, %s) ON CONFLICT (staff) DO UPDATE SET "
        "name = excluded.name, pin_hash = NULL, code_hash = excluded.code_hash",
        (staff, name, _peppered(code).hex()),
    )


def chosen(staff: str, pin: str) -> Statement:
    """The PIN that somebody chose; the code is used up."""
    from argon2 import PasswordHasher

    return (
        "UPDATE people.staff SET pin_hash = %s, code_hash = NULL WHERE staff = %s",
        (PasswordHasher().hash(_peppered(pin)), staff),
    )


class People:
    """The side tables, on the application's connection. Raises LedgerLost."""

    def __init__(self, ledger: Ledger) -> None:
        self.ledger = ledger

    def awaits_code(self, staff: str) -> bool:
        """Whether a PIN is still to be chosen, with the one-time code."""
        pin_hash, code_hash = self._secrets(staff)
        return pin_hash is None and code_hash is not None

    def right(self, staff: str, secret: str) -> bool:
        """Whether this is the PIN, or the code where a PIN is still to be chosen."""
        from argon2 import PasswordHasher
        from argon2.exceptions import VerificationError

        pin_hash, code_hash = self._secrets(staff)
        if pin_hash is None:
            said = _peppered(secret.strip().upper()).hex()
            return code_hash is not None and hmac.compare_digest(code_hash, said)
        try:
            return PasswordHasher().verify(pin_hash, _peppered(secret))
        except VerificationError:
            return False

    def _secrets(self, staff: str) -> tuple[str | None, str | None]:
        with self.ledger.connection() as connection:
            row = connection.execute(
                "SELECT pin_hash, code_hash FROM people.staff WHERE staff = %s", (staff,)
            ).fetchone()
        return row or (None, None)

    def patron_name(self, patron: str) -> str | None:
        """What a patron is called, where that is kept."""
        with self.ledger.connection() as connection:
            row = connection.execute(
                "SELECT name FROM people.patrons WHERE patron = %s", (patron,)
            ).fetchone()
        return row[0] if row else None

    def name_patron(self, patron: str, name: str) -> None:
        """Keeps what a patron is called."""
        with self.ledger.connection() as connection:
            connection.execute(
                "INSERT INTO people.patrons VALUES (%s, %s) "
                "ON CONFLICT (patron) DO UPDATE SET name = excluded.name",
                (patron, name),
            )

    def erase_patron(self, patron: str) -> bool:
        """Forgets what a patron is called; the record stays whole. False: nothing was kept."""
        with self.ledger.connection() as connection:
            gone = connection.execute("DELETE FROM people.patrons WHERE patron = %s", (patron,))
        return gone.rowcount > 0
