"""The pepper: the house's secret file, from which its keys are made. It is not in the database."""

import hmac
import os
import secrets
from pathlib import Path

from ops.ledger.database import NotFit
from ops.ledger.files import data_home, write_secret

PEPPER = 32  # bytes


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
