"""The key of a terminal, and how each of its requests is signed.

A terminal makes an Ed25519 key at first use, and keeps it in a file that only its account can read.
A request is signed with its moment and a random number, so that nobody can send it again.
"""

import hashlib
import os
import socket
import time
from base64 import b64encode
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING

from ops.ledger.files import data_home, write_secret

if TYPE_CHECKING:
    from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey

TERMINAL, SIGNED = "Sabot-Terminal", "Sabot-Signed"  # headers
SEED = 32  # bytes


def signed_text(method: str, target: str, moment: str, once: str, body: bytes) -> bytes:
    """The text that is signed: the request, its moment in milliseconds, and the random number."""
    lines = ("sabot-request-1", method, target, moment, once, hashlib.sha256(body).hexdigest())
    return "\n".join(lines).encode()


def fingerprint(public: bytes) -> str:
    """The name of a terminal's key, as people read it out: 16 letters of its SHA-256.

    >>> fingerprint(bytes(32))
    '6668-7AAD-F862-BD77'
    """
    digits = hashlib.sha256(public).hexdigest()[:16].upper()
    return "-".join(digits[at : at + 4] for at in range(0, 16, 4))


class Terminal:
    """This terminal, with its key."""

    def __init__(self, file: Path | None = None) -> None:
        """`file`: of the key; by default in the account's directory."""
        self._file = file or data_home() / "terminal-key"

    def headers(self, method: str, target: str, body: bytes) -> dict[str, str]:
        """The headers of a signed request."""
        key, name = self._signing
        moment, once = str(time.time_ns() // 1_000_000), os.urandom(16).hex()
        signature = key.sign(signed_text(method, target, moment, once, body))
        return {TERMINAL: name, SIGNED: f"{moment} {once} {b64encode(signature).decode()}"}

    @cached_property
    def _signing(self) -> "tuple[Ed25519PrivateKey, str]":
        """The key, and the name under which it signs."""
        key = self._key()
        public = b64encode(key.public_key().public_bytes_raw()).decode()
        return key, f"{public} {_word(socket.gethostname())} {_word(_account())}"

    def _key(self) -> "Ed25519PrivateKey":
        from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey

        if not self._file.exists():
            write_secret(self._file, os.urandom(SEED))
        return Ed25519PrivateKey.from_private_bytes(self._file.read_bytes())


def _account() -> str:
    try:
        import pwd

        return pwd.getpwuid(os.getuid()).pw_name
    except (ImportError, KeyError):
        return os.environ.get("USERNAME", "")


def _word(text: str) -> str:
    """A name for a header: one word of plain letters."""
    return (
        "".join(each if each.isascii() and each.isprintable() else "?" for each in text).replace(
            " ", "_"
        )
        or "-"
    )
