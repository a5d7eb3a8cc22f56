"""Names and PINs, beside the record: what may be erased, and what proves who somebody is.

PINs are kept as argon2 hashes over the PIN and a pepper, which lives in a file and in no database.
"""

import hashlib
import hmac
import os
import re
import secrets
from contextlib import suppress
from dataclasses import dataclass, field
from math import ceil
from pathlib import Path

from domain.rules.pins import WRONG_PINS
from domain.rules.refusals import PinsSlowed
from domain.rules.wording import counted
from ops.ledger import pin_tries
from ops.ledger.appending import Statement
from ops.ledger.database import NotFit
from ops.ledger.recorder import Ledger

PEPPER = 32  # bytes
_LETTERS = "23456789ABCDEFGHJKLMNPQRSTUVWXYZ"
_ONCE = secrets.token_bytes(32)  # this process's own
Secrets = tuple[str | None, str | None]  # hashes of the PIN, and of the one-time code


@dataclass(frozen=True, slots=True)  # so that nothing prints its secrets
class Proof:
    """What somebody proved at the terminal; it stands in no line, no event and no answer."""

    right: bool
    session: str = ""  # SHA-256 of the token that the terminal keeps, in hex
    new_pin: str | None = field(default=None, repr=False)
    # What it was proved by; another PIN since then undoes it, and it proves nobody else.
    against: Secrets = field(default=(None, None), repr=False)
    waits: int = 0  # seconds, before a PIN is judged at this place again
    tries: int = 0  # PINs that were typed since the last right one, wherever
    repeats: bool = False  # whether the new PIN is the one before
    how: str = ""  # of an administrator's recovery: `recovery-secret` or `database-superuser`
    before: tuple[str, str] = ("", "")  # whose sign-on the terminal keeps, and its `session`

    @property
    def typed(self) -> str:
        """What was typed; whoever types a one-time code chooses a PIN with it."""
        return "one-time code" if self.new_pin else "PIN"

    def require_turn(self) -> None:
        """Refuses: PinsSlowed, where too many were wrong."""
        if self.waits:
            minutes = ceil(self.waits / 60)
            wait = (
                counted(minutes, "{n} minute", "{n} minutes")
                if minutes > 1
                else counted(self.waits, "{n} second", "{n} seconds")
            )
            raise PinsSlowed(wait=wait)


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
    return "".join(_LETTERS[byte % 32] for byte in told[: 26 if role == "device" else 10])


def recovery_secret(command_id: str) -> str:
    """The secret that a command is answered with: the same for the same command in this process.

    130 bits, made of a key that no file and no database has, so that nobody can make it again.
    """
    told = hmac.digest(_ONCE, b"recovery:" + command_id.encode(), "sha256")
    letters = "".join(_LETTERS[byte % 32] for byte in told[:26])
    return "-".join(re.findall(".{1,5}", letters))


def keeps_secret(secret: str) -> Statement:
    """Its digest, in place of the one before."""
    return (
        "INSERT INTO people.recovery (digest) VALUES (%s) "
        "ON CONFLICT (only_one) DO UPDATE SET digest = excluded.digest",
        (_secret_digest(secret),),
    )


def _secret_digest(secret: str) -> str:
    """However it is typed: with or without its hyphens, in small letters."""
    return digest("".join(secret.upper().replace("-", " ").split()))


def _peppered(secret: str) -> bytes:
    said = secret.encode(errors="surrogatepass")  # a terminal hands on any bytes
    return hmac.digest(_pepper(), said, "sha256")


def enrolled(staff: str, name: str, code: str) -> Statement:
    """The name of a staff number, and the code with which it chooses a PIN."""
    return (
        "INSERT INTO people.staff VALUES (%s, %s, NULL, %s) ON CONFLICT (staff) DO UPDATE SET "
        "name = excluded.name, pin_hash = NULL, code_hash = excluded.code_hash, tries = 0, "
        "last_hash = coalesce(people.staff.pin_hash, people.staff.last_hash)",
        (staff, name, _peppered(code).hex()),
    )


def chosen(staff: str, proof: Proof) -> Statement:
    """The PIN that somebody chose, unless it was changed since they proved who they are."""
    assert proof.new_pin is not None
    return (
        "UPDATE people.staff SET pin_hash = %s, code_hash = NULL, last_hash = NULL "
        "WHERE staff = %s "
        "AND pin_hash IS NOT DISTINCT FROM %s AND code_hash IS NOT DISTINCT FROM %s",
        (_hash(proof.new_pin), staff, *proof.against),
    )


def _right(against: Secrets, secret: str) -> bool:
    """It takes about as long for a number that has no PIN, and for one that is nobody's."""
    pin_hash, code_hash = against
    if pin_hash is not None:
        return _is_pin(pin_hash, secret)
    _hash(secret)
    said = _peppered(secret.strip().upper()).hex()
    return code_hash is not None and hmac.compare_digest(code_hash, said)


def _hash(pin: str) -> str:
    from argon2 import PasswordHasher

    return PasswordHasher().hash(_peppered(pin))


def _is_pin(pin_hash: str, secret: str) -> bool:
    from argon2 import PasswordHasher
    from argon2.exceptions import VerificationError

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
        """Whether this is the PIN, or the code where a PIN is still to be chosen.

        It counts as a wrong one before it is judged: no guess is free, whatever comes of it.
        """
        number = staff if _storable(staff) else ""
        typed = pin_tries.count(self.ledger, number)
        if typed.waits:
            return Proof(right=False, waits=typed.waits)
        against = self.secrets(staff)
        right = _right(against, secret) and typed.tries <= WRONG_PINS
        if right:
            pin_tries.forgive(self.ledger, number)
        repeats = right and new_pin is not None and self._is_last(staff, new_pin)
        return Proof(
            right=right, new_pin=new_pin, against=against, tries=typed.tries, repeats=repeats
        )

    def _is_last(self, staff: str, pin: str) -> bool:
        """Whether it is the PIN that they have, or had before a new code."""
        with self.ledger.connection() as connection:
            row = connection.execute(
                "SELECT coalesce(pin_hash, last_hash) FROM people.staff WHERE staff = %s", (staff,)
            ).fetchone()
        return bool(row and row[0] and _is_pin(row[0], pin))

    def recovery_proof(self, secret: str) -> Proof:
        """Whether this is the recovery secret."""
        kept = self.recovery_digest()
        said = _secret_digest(secret) if _storable(secret) else ""
        right = kept is not None and hmac.compare_digest(kept, said)
        return Proof(right=right, against=(kept, None), how="recovery-secret")

    def recovery_digest(self) -> str | None:
        """Of the secret with which an administrator is let in again; None: there is none."""
        with self.ledger.connection() as connection:
            row = connection.execute("SELECT digest FROM people.recovery").fetchone()
        return row[0] if row else None

    def is_recovery_secret(self, secret: str) -> bool:
        """Whether it is the one that is kept now."""
        return self.recovery_proof(secret).right

    def others_with_pin(self, staff: str) -> list[str]:
        """Everybody else who has chosen a PIN."""
        with self.ledger.connection() as connection:
            rows = connection.execute(
                "SELECT staff FROM people.staff WHERE staff <> %s AND pin_hash IS NOT NULL",
                (staff,),
            ).fetchall()
        return [each for (each,) in rows]

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
