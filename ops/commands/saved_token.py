"""The token of the sign-on at this terminal, in a file that only its owner can read."""

import os
from pathlib import Path

from ops.commands.authority import NOBODY, Token
from ops.ledger.secrets import data_home


def token_file() -> Path:
    """The file of this terminal's token."""
    return Path(os.environ.get("SABOT_SESSION") or data_home() / "session")


def saved_token() -> Token:
    """The token of the sign-on at this terminal, or NOBODY."""
    try:
        return Token.read(token_file().read_text())
    except (OSError, UnicodeDecodeError):
        return NOBODY


def save_token(token: Token) -> None:
    """Stores a token for later commands, readable by its owner only."""
    path = token_file()
    path.parent.mkdir(parents=True, exist_ok=True)
    fresh = path.with_name(f"{path.name}.{os.getpid()}.part")
    with os.fdopen(os.open(fresh, os.O_WRONLY | os.O_CREAT | os.O_TRUNC, 0o600), "w") as file:
        file.write(f"{token.staff}:{token.secret}\n")
    fresh.replace(path)


def forget_token(staff: str) -> None:
    """Deletes the token of this staff number, after a sign-off."""
    if saved_token().staff == staff:
        token_file().unlink(missing_ok=True)
