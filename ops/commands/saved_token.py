"""The token of the sign-on at this terminal, as the program uses it."""

from ops.commands.signed_on import Token
from ops.door.session_file import read_token, write_token


def saved_token() -> Token:
    """The token of the sign-on at this terminal, or NOBODY."""
    return Token.read(read_token())


def save_token(token: Token) -> None:
    """Stores a token for later commands."""
    write_token(token.text)


def forget_token(staff: str) -> None:
    """Deletes the token of this staff number, after a sign-off."""
    if saved_token().staff == staff:
        write_token("")
