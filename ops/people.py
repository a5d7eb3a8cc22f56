"""Names and PINs, beside the record: what may be erased, and what proves who somebody is.

PINs are kept as argon2 hashes over the PIN and a pepper, which lives in a file and in no database.
"""

import hashlib
import hmac
import os
import secrets
from contextlib import suppress
from dataclasses import dataclass, field
from pathlib import Path

from ops.database import NotFit
from ops.ledger.recorder import Ledger, Statement

PEPPER = 32  # bytes
Secrets = tuple[str | None, str | None]  # hashes of the PIN, and of the one-time code


@dataclass(frozen=True)
class Proof:
    """What somebody proved at the terminal; it stands in no line, no event and no answer."""

    right: bool
    session: str = ""  # SHA-256 of the token that the terminal keeps, in hex
    new_pin: str | None = field(default=None, repr=False)
    # What it was proved by; another PIN since then undoes it, and it proves nobody else.
    against: Secrets = field(default=(None, None), repr=False)


def data_home() -> Path:
    """Where this account keeps what belongs to the house and not to the record."""
    from platformdirs import user_data_path

    return Path(os.environ.get("SABOT_HOME") or user_data_path("sabot"))


def _pepper(*, make: bool = True) -> bytes:
    """A secret of the house's; made on first use, and the same file on every machine of it."""
    path = Path(os.environ.get("SABOT_PEPPER_FILE") or data_home() / "pepper")
    if not path.exists():
        if not make:
            raise NotFit(f"There is no pepper in {path}: put the house's own there again.")
        _make_pepper(path)
    pepper = path.read_bytes()
    if len(pepper) != PEPPER:
        raise NotFit(f"The pepper in {path} is not whole: put the house's own there again.")
    return pepper


def _make_pepper(path: Path) -> None:
    """Whole or not at all, whoever else makes one at the same time."""
    path.parent.mkdir(parents=True, exist_ok=True)
    fresh = path.with_name(f"{path.name}.{os.getpid()}.part")
    with os.fdopen(os.open(fresh, os.O_WRONLY | os.O_CREAT | os.O_TRUNC, 0o600), "wb") as file:
        file.write(secrets.token_bytes(PEPPER))
        file.flush()
        os.fsync(file.fileno())
    with suppress(FileExistsError):
        os.link(fresh, path)
    fresh.unlink()


def derived_key(purpose: bytes, *, anew: bool) -> bytes:
    """32 bytes that whoever has the pepper can make again, and nobody else.

    `anew`: for what is sealed now; what was sealed before needs the pepper that was there then.
    """
    return hmac.digest(_pepper(make=anew), b"key:" + purpose, "sha256")


def digest(token: str) -> str:
    """A token as the record keeps it."""
    return hashlib.sha256(token.encode()).hexdigest()


def code_for(command_id: str, role: str) -> str:
    """The code that an enrolment is answered with: the same for the same command.

    So that it is kept nowhere, and a lost answer can be asked for again. A person's is typed
    once, 50 bits; a device's is its key and stays, 130 bits.
    """
    told = hmac.digest(_pepper(), b"code:" + command_id.encode(), "sha256")
    letters = "23456789ABCDEFGHJKLMNPQRSTUVWXYZ"
    return "".join(letters[byte % 32] for byte in told[: 26 if role == "device" else 10])


def _peppered(secret: str) -> bytes:
    said = secret.encode(errors="surrogatepass")  # a terminal hands on any bytes
    return hmac.digest(_pepper(), said, "sha256")


def enrolled(staff: str, name: str, code: str) -> Statement:
    """The name of a staff number, and the code with which it chooses a PIN."""
    return (
        "INSERT INTO people.staff VALUES (%s, %s, NULL, %s) ON CONFLICT (staff) DO UPDATE SET "
        "name = excluded.name, pin_hash = NULL, code_hash = excluded.code_hash",
        (staff, name, _peppered(code).hex()),
    )


def chosen(staff: str, proof: Proof) -> Statement:
    """The PIN that somebody chose, unless it was changed since they proved who they are."""
    from argon2 import PasswordHasher

    assert proof.new_pin is not None
    return (
        "UPDATE people.staff SET pin_hash = %s, code_hash = NULL WHERE staff = %s "
        "AND pin_hash IS NOT DISTINCT FROM %s AND code_hash IS NOT DISTINCT FROM %s",
        (PasswordHasher().hash(_peppered(proof.new_pin)), staff, *proof.against),
    )


def _right(against: Secrets, secret: str) -> bool:
    from argon2 import PasswordHasher
    from argon2.exceptions import VerificationError

    pin_hash, code_hash = against
    if pin_hash is None:
        said = _peppered(secret.strip().upper()).hex()
        return code_hash is not None and hmac.compare_digest(code_hash, said)
    try:
        return PasswordHasher().verify(pin_hash, _peppered(secret))
    except VerificationError:
        return False


def _storable(text: str) -> bool:
    """A terminal hands on any bytes, and the database takes text."""
    try:
        text.encode()
    except UnicodeEncodeError:
        return False
    return "\x00" not in text


class People:
    """The side tables, on the application's connection. Raises LedgerLost."""

    def __init__(self, ledger: Ledger) -> None:
        self.ledger = ledger

    def awaits_code(self, staff: str) -> bool:
        """Whether a PIN is still to be chosen, with the one-time code."""
        pin_hash, code_hash = self.secrets(staff)
        return pin_hash is None and code_hash is not None

    def chose_pin(self, staff: str) -> bool:
        """Whether they have a PIN; a one-time code is for the sign-on only."""
        pin_hash, _ = self.secrets(staff)
        return pin_hash is not None

    def proof(self, staff: str, secret: str, new_pin: str | None = None) -> Proof:
        """Whether this is the PIN, or the code where a PIN is still to be chosen."""
        against = self.secrets(staff)
        return Proof(right=_right(against, secret), new_pin=new_pin, against=against)

    def secrets(self, staff: str) -> Secrets:
        """What a staff number proves itself by; what is no text is nobody's number."""
        if not _storable(staff):
            return None, None
        with self.ledger.connection() as connection:
            row = connection.execute(
                "SELECT pin_hash, code_hash FROM people.staff WHERE staff = %s", (staff,)
            ).fetchone()
        return row or (None, None)

    def name(self, staff: str) -> str | None:
        """What a staff number is called."""
        with self.ledger.connection() as connection:
            row = connection.execute(
                "SELECT name FROM people.staff WHERE staff = %s", (staff,)
            ).fetchone()
        return row[0] if row else None

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
