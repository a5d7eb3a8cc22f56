"""The token of the sign-on at this terminal, in a file that only its owner can read."""

import os
from pathlib import Path

from ops.ledger.files import data_home


def token_file() -> Path:
    """The file of this terminal's token."""
    return Path(_place())


def _place() -> str | Path:
    """Where the token is; no `Path` if none is needed, because each request of a feed asks."""
    return os.environ.get("SABOT_SESSION") or data_home() / "session"


def read_token() -> str:
    """The token as it is in its file, as in `D-204:secret`; '' for none."""
    try:
        with open(_place(), encoding="utf-8") as file:
            return file.read().strip()
    except (OSError, UnicodeDecodeError):
        return ""


def write_token(token: str) -> None:
    """Stores a token for later commands, readable by its owner only; '' deletes it."""
    path = token_file()
    if not token:
        path.unlink(missing_ok=True)
        return
    path.parent.mkdir(parents=True, exist_ok=True)
    fresh = path.with_name(f"{path.name}.{os.getpid()}.part")
    with os.fdopen(os.open(fresh, os.O_WRONLY | os.O_CREAT | os.O_TRUNC, 0o600), "w") as file:
        file.write(f"{token}\n")
    fresh.replace(path)
