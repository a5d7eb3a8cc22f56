"""Names and PINs: stored beside the record, because names may be erased and PINs are secret.

A PIN is stored as an argon2 hash over the PIN and a pepper, which is in a file, not in the
database.
"""

import hashlib
import hmac
import re
import secrets
from collections.abc import Iterable
from dataclasses import dataclass, field
from math import ceil

from domain.rules.pins import WRONG_PINS
from domain.rules.refusals import PinsSlowed
from domain.rules.wording import counted
from ops.ledger import pin_tries
from ops.ledger.appending import Statement
from ops.ledger.pepper import pepper, require_own
from ops.ledger.recorder import Ledger
from ops.ledger.row_seals import NAME, PATRON, TRIES, seal_of

_LETTERS = "23456789ABCDEFGHJKLMNPQRSTUVWXYZ"
_ONCE = secrets.token_bytes(32)  # this process's own
Secrets = tuple[str | None, str | None]  # hashes of the PIN, and of the one-time code


@dataclass(frozen=True, slots=True)  # so that nothing prints its secrets
class Proof:
    """The result of a PIN check at a terminal; it is in no line, no event and no answer."""

    right: bool
    session: str = ""  # SHA-256 of the terminal's token, in hex
    new_pin: str | None = field(default=None, repr=False)
    new_hash: str = field(default="", repr=False)  # of the new PIN, as it will be stored
    # The hashes it was checked against: the proof holds only while they are the person's.
    against: Secrets = field(default=(None, None), repr=False)
    waits: int = 0  # seconds until this machine may check a PIN again
    tries: int = 0  # PINs typed since the last right one, on all machines
    repeats: bool = False  # whether the new PIN is the same as the one before
    how: str = ""  # of an administrator's recovery: `recovery-secret` or `database-superuser`
    before: tuple[str, str] = ("", "")  # the sign-on that it replaces: number and `session`

    @property
    def new_digest(self) -> str:
        """The digest of what will be stored of the new PIN; '' without one."""
        return digest(self.new_hash) if self.new_hash else ""

    @property
    def typed(self) -> str:
        """The words for what was typed: a one-time code, if a new PIN was chosen with it."""
        return "one-time code" if self.new_pin else "PIN"

    def require_turn(self) -> None:
        """Refuses while this machine must wait after wrong PINs: PinsSlowed."""
        if self.waits:
            minutes = ceil(self.waits / 60)
            wait = (
                counted(minutes, "{n} minute", "{n} minutes")
                if minutes > 1
                else counted(self.waits, "{n} second", "{n} seconds")
            )
            raise PinsSlowed(wait=wait)


def digest(secret: str) -> str:
    """The SHA-256 in hex of a token, or of what is stored of a secret, as the record has it."""
    return hashlib.sha256(secret.encode()).hexdigest()


def code_for(command_id: str) -> str:
    """The one-time code of an enrolment: always the same for the same command.

    So it is stored nowhere, and a lost answer can be asked for again. It has 50 bits.
    """
    random = hmac.digest(pepper(), b"code:" + command_id.encode(), "sha256")
    return "".join(_LETTERS[byte % 32] for byte in random[:10])


def recovery_secret(command_id: str) -> str:
    """The recovery secret that a command issues: the same for the same command in this process.

    130 bits, derived from a key that only this process has, so that nobody can make it again.
    """
    random = hmac.digest(_ONCE, b"recovery:" + command_id.encode(), "sha256")
    letters = "".join(_LETTERS[byte % 32] for byte in random[:26])
    return "-".join(re.findall(".{1,5}", letters))


def save_recovery_secret(secret: str) -> Statement:
    """The statement that stores a recovery secret's hash in place of the one before."""
    return (
        "INSERT INTO people.recovery (digest) VALUES (%s) "
        "ON CONFLICT (only_one) DO UPDATE SET digest = excluded.digest",
        (hashed_recovery_secret(secret),),
    )


def hashed_recovery_secret(secret: str) -> str:
    """What is stored of a recovery secret, typed with or without hyphens, in any case."""
    return digest("".join(secret.upper().replace("-", " ").split()))


def _peppered(secret: str) -> bytes:
    typed = secret.encode(errors="surrogatepass")  # a terminal passes any bytes
    return hmac.digest(pepper(), typed, "sha256")


def save_enrolment(staff: str, name: str, code: str | None) -> Statement:
    """The statement that stores a staff number's name and one-time code; a device has none."""
    salt = secrets.token_hex(16)
    return (
        "INSERT INTO people.staff (staff, name, code_hash, salt, name_seal, tries_seal) "
        "VALUES (%s, %s, %s, %s, %s, %s) ON CONFLICT (staff) DO UPDATE SET "
        "name = excluded.name, pin_hash = NULL, code_hash = excluded.code_hash, tries = 0, "
        "salt = excluded.salt, name_seal = excluded.name_seal, tries_seal = excluded.tries_seal, "
        "last_hash = coalesce(people.staff.pin_hash, people.staff.last_hash)",
        (
            *(staff, name, hashed_code(code) if code else None, salt),
            *(seal_of(NAME, staff, digest(salt + name)), seal_of(TRIES, staff, 0)),
        ),
    )


def hashed_code(code: str) -> str:
    """What is stored of a one-time code."""
    return _peppered(code).hex()


def save_pin(staff: str, proof: Proof) -> Statement:
    """The statement that stores a new PIN, unless the old one was changed since the proof."""
    assert proof.new_pin is not None
    return (
        "UPDATE people.staff SET pin_hash = %s, code_hash = NULL, last_hash = NULL "
        "WHERE staff = %s "
        "AND pin_hash IS NOT DISTINCT FROM %s AND code_hash IS NOT DISTINCT FROM %s",
        (proof.new_hash, staff, *proof.against),
    )


def _right(against: Secrets, secret: str) -> bool:
    """Whether the PIN or code is right; takes as long for a number without PIN, or unknown."""
    pin_hash, code_hash = against
    if pin_hash is not None:
        return _is_pin(pin_hash, secret)
    _hash(secret)
    typed_hash = hashed_code(secret.strip().upper())
    return code_hash is not None and _same(code_hash, typed_hash)


def _same(stored: str, typed: str) -> bool:
    """Whether two digests are the same; what is stored may be any text."""
    return hmac.compare_digest(stored.encode(), typed.encode())


def _hash(pin: str) -> str:
    from argon2 import PasswordHasher

    return PasswordHasher().hash(_peppered(pin))


def _is_pin(pin_hash: str, secret: str) -> bool:
    from argon2 import PasswordHasher
    from argon2.exceptions import VerificationError

    try:
        return PasswordHasher().verify(pin_hash, _peppered(secret))
    except (VerificationError, ValueError):  # ValueError: what is stored is no hash
        return False


def _storable(text: str) -> bool:
    """Whether the database can store the text; a terminal passes any bytes."""
    try:
        text.encode()
    except UnicodeEncodeError:
        return False
    return "\x00" not in text


class People:
    """The tables of names and PINs, on the application's connection. Raises LedgerLost."""

    def __init__(self, ledger: Ledger) -> None:
        self.ledger = ledger

    def require_pepper(self) -> None:
        """Requires that this home has the ledger's pepper: no other is made, and no PIN is tried.

        Raises NotFit.
        """
        with self.ledger.stream_connection() as connection:
            require_own(connection)

    def awaits_code(self, staff: str) -> bool:
        """Whether the number has a one-time code and no PIN yet."""
        pin_hash, code_hash = self.secrets(staff)
        return pin_hash is None and code_hash is not None

    def chose_pin(self, staff: str) -> bool:
        """Whether the number has a PIN."""
        pin_hash, _ = self.secrets(staff)
        return pin_hash is not None

    def proof(self, staff: str, secret: str, new_pin: str | None = None) -> Proof:
        """Checks a PIN, or the one-time code of a number without PIN.

        It is counted as wrong before it is checked, so that every guess counts.
        """
        self.require_pepper()
        number = staff if _storable(staff) else ""
        with pin_tries.turn():
            typed = pin_tries.count(self.ledger, number)
            if typed.waits:
                return Proof(right=False, waits=typed.waits)
            against = self.secrets(staff)
            right = _right(against, secret) and typed.tries <= WRONG_PINS
            if right:
                pin_tries.forgive(self.ledger, number)
        repeats = right and new_pin is not None and self._is_last(staff, new_pin)
        return Proof(
            right=right,
            new_pin=new_pin,
            new_hash=_hash(new_pin) if new_pin else "",
            against=against,
            tries=typed.tries,
            repeats=repeats,
        )

    def _is_last(self, staff: str, pin: str) -> bool:
        """Whether this is the number's PIN, or its PIN before it was enrolled again."""
        with self.ledger.connection() as connection:
            row = connection.execute(
                "SELECT coalesce(pin_hash, last_hash) FROM people.staff WHERE staff = %s", (staff,)
            ).fetchone()
        return bool(row and row[0] and _is_pin(row[0], pin))

    def recovery_proof(self, secret: str) -> Proof:
        """Checks a recovery secret."""
        stored = self.recovery_digest()
        typed = hashed_recovery_secret(secret) if _storable(secret) else ""
        right = stored is not None and _same(stored, typed)
        return Proof(right=right, against=(stored, None), how="recovery-secret")

    def recovery_digest(self) -> str | None:
        """The digest of the recovery secret, or None if there is none."""
        with self.ledger.connection() as connection:
            row = connection.execute("SELECT digest FROM people.recovery").fetchone()
        return row[0] if row else None

    def is_recovery_secret(self, secret: str) -> bool:
        """Whether this is the recovery secret that is valid now."""
        return self.recovery_proof(secret).right

    def others_with_pin(self, staff: str) -> list[str]:
        """The numbers of everybody else who has a PIN."""
        with self.ledger.connection() as connection:
            rows = connection.execute(
                "SELECT staff FROM people.staff WHERE staff <> %s AND pin_hash IS NOT NULL",
                (staff,),
            ).fetchall()
        return [each for (each,) in rows]

    def as_enrolled(self, typed: str) -> str:
        """A staff number as it is enrolled, in capitals or not; as it was typed, if nobody has it.

        No two numbers differ in capitals alone.
        """
        if not _storable(typed):
            return typed
        with self.ledger.connection() as connection:
            row = connection.execute(
                "SELECT staff FROM people.staff WHERE lower(staff) = lower(%s)"
                " ORDER BY staff = %s DESC LIMIT 1",
                (typed, typed),
            ).fetchone()
        return row[0] if row else typed

    def numbers(self) -> list[str]:
        """Every staff number that was ever enrolled."""
        with self.ledger.connection() as connection:
            rows = connection.execute("SELECT staff FROM people.staff ORDER BY staff").fetchall()
        return [each for (each,) in rows]

    def secrets(self, staff: str) -> Secrets:
        """The hashes of a number's PIN and one-time code; None for what it does not have."""
        if not _storable(staff):
            return None, None
        with self.ledger.connection() as connection:
            row = connection.execute(
                "SELECT pin_hash, code_hash FROM people.staff WHERE staff = %s", (staff,)
            ).fetchone()
        return row or (None, None)

    def name(self, staff: str) -> str | None:
        """The name of a staff number, or None."""
        with self.ledger.connection() as connection:
            row = connection.execute(
                "SELECT name FROM people.staff WHERE staff = %s", (staff,)
            ).fetchone()
        return row[0] if row else None

    def patron_name(self, patron: str) -> str | None:
        """The name of a patron, or None if none is stored."""
        with self.ledger.connection() as connection:
            row = connection.execute(
                "SELECT name FROM people.patrons WHERE patron = %s", (patron,)
            ).fetchone()
        return row[0] if row else None

    def names_of_patrons(self, patrons: Iterable[str]) -> dict[str, str]:
        """The names of these patrons, of whom a name is stored."""
        with self.ledger.connection() as connection:
            rows = connection.execute(
                "SELECT patron, name FROM people.patrons WHERE patron = ANY(%s)", (list(patrons),)
            ).fetchall()
        return dict(rows)

    def all_patrons(self) -> dict[str, str]:
        """Every patron of whom a name is stored, with the name."""
        with self.ledger.connection() as connection:
            rows = connection.execute("SELECT patron, name FROM people.patrons").fetchall()
        return dict(rows)

    def patrons_named(self, part: str, most: int) -> dict[str, str]:
        """The patrons whose name has this in it, with their names."""
        with self.ledger.connection() as connection:
            rows = connection.execute(
                "SELECT patron, name FROM people.patrons"
                " WHERE position(lower(%s) IN lower(name)) > 0 ORDER BY name LIMIT %s",
                (part, most),
            ).fetchall()
        return dict(rows)

    def staff_named(self, part: str, most: int) -> dict[str, str]:
        """The staff numbers whose name has this in it, with their names."""
        with self.ledger.connection() as connection:
            rows = connection.execute(
                "SELECT staff, name FROM people.staff"
                " WHERE position(lower(%s) IN lower(name)) > 0 ORDER BY name LIMIT %s",
                (part, most),
            ).fetchall()
        return dict(rows)

    def name_patron(self, patron: str, name: str) -> None:
        """Stores a patron's name."""
        salt = secrets.token_hex(16)
        seal = seal_of(PATRON, patron, digest(salt + name))
        with self.ledger.connection() as connection:
            connection.execute(
                "INSERT INTO people.patrons VALUES (%s, %s, %s, %s) ON CONFLICT (patron) DO UPDATE "
                "SET name = excluded.name, salt = excluded.salt, seal = excluded.seal",
                (patron, name, salt, seal),
            )
