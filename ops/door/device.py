"""The key of a device, which signs its lines, and the numbers of those.

A device numbers its lines: 1, 2, 3 and so on. Where it does not, `sabot feed` does, and keeps the
last number in a file beside the key.
"""

import json
import os
import sys
from base64 import b64decode, b64encode
from binascii import Error as NotBase64
from collections.abc import Mapping
from hashlib import sha256
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from ops.door.signature import SEED, Terminal
from ops.ledger.files import write_secret, write_whole

if TYPE_CHECKING:
    from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey

FIELD = "device_n"


class NoKey(click.UsageError):
    """A file has no key of a device; the words say what to do."""


class Device(Terminal):
    """A device with its number and its key, from a file."""

    def __init__(self, file: Path) -> None:
        """Raises NoKey."""
        super().__init__(file)
        self._last_file = file.with_name(f"{file.name}.last")
        try:
            self.number, seed = file.read_text().split()
            self._seed = b64decode(seed, validate=True)
        except (OSError, ValueError, NotBase64):
            self._seed = b""
        if len(self._seed) != SEED:
            raise NoKey(
                f"{file} is no key of a device. Make one with `sabot feed --key {file} --new-key "
                "NUMBER`."
            )

    @classmethod
    def make(cls, file: Path, number: str) -> "Device":
        """Makes the key of a device in a new file, for its account only. Raises NoKey."""
        if os.path.lexists(file):
            raise NoKey(f"{file} is there already. Name a new file, so that no key is lost.")
        try:
            write_secret(file, f"{number} {b64encode(os.urandom(SEED)).decode()}\n".encode())
        except OSError as error:
            raise NoKey(f"{file} was not written: {error.strerror}.") from None
        return cls(file)

    @property
    def public(self) -> str:
        """The public half of its key, in base64."""
        return b64encode(self._key().public_key().public_bytes_raw()).decode()

    def headers(self, method: str, target: str, body: bytes) -> dict[str, str]:
        """The headers of a signed request."""
        signed = super().headers(method, target, body)
        return {**signed, "Authorization": f"Device {self.number}"}

    def numbered(self, lines: list[bytes]) -> list[bytes]:
        """The lines, with the next numbers for those that have none. Raises NoKey.

        The last number is on disk before the lines go out, so that none is given twice.
        """
        last = before = self._last()
        done: list[bytes] = []
        for line in lines:
            if _is_without_number(line):
                last += 1
                done.append(f'{{"{FIELD}": {last}, '.encode() + line.lstrip()[1:])
            else:
                done.append(line)
        if last > before:
            try:
                write_whole(self._last_file, f"{last}\n".encode())
            except OSError as error:
                raise NoKey(f"{self._last_file} was not written: {error.strerror}.") from None
        return done

    def id_of(self, line: Mapping[str, Any]) -> str | None:
        """The id of a line: its own, or the one that the house makes of its number."""
        own: str | None = line.get("id")
        if own is not None:
            return own
        digest = sha256(self.public.encode()).hexdigest()
        return f"{self.number}/{digest[:16]}/{line[FIELD]}" if FIELD in line else None

    def _last(self) -> int:
        try:
            return int(self._last_file.read_text())
        except FileNotFoundError:
            return 0
        except (OSError, ValueError):
            raise NoKey(f"{self._last_file} has no number. Write the last one into it.") from None

    def _key(self) -> "Ed25519PrivateKey":
        from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey

        return Ed25519PrivateKey.from_private_bytes(self._seed)


def device_of(file: Path | None, new: str | None) -> Device | None:
    """The device whose key is in a file; None without one. Raises NoKey.

    `new`: the number of a device whose key is made there; its public half is printed, and the
    command ends.
    """
    if new is None:
        return Device(file) if file else None
    if file is None or not new or new.split() != [new]:
        raise NoKey("Name the file of the new key and the device, as in --key FILE --new-key X-1.")
    device = Device.make(file, new)
    sys.stdout.write(f"{device.public}\n")
    sys.stderr.write(
        f"Enrol it with `sabot staff enrol {new} NAME device --public-key {device.public}`.\n"
    )
    sys.exit(0)


def _is_without_number(line: bytes) -> bool:
    """Whether it is a JSON object with fields and without a number."""
    try:
        fields = json.loads(line)
    except (ValueError, RecursionError):
        return False
    return isinstance(fields, dict) and bool(fields) and FIELD not in fields
