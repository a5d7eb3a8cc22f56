"""Requests that are not answered, and what whoever sent one is shown."""

from typing import ClassVar


class TurnedAway(Exception):
    """A request is not answered; the words say why, and what to do."""

    status: int = 401  # of HTTP
    exit_status: ClassVar[int] = 1  # of the terminal
    wait: int = 0  # seconds until the request may come again; 0: nobody knows

    def __str__(self) -> str:
        return str(self.args[0]) if self.args else (self.__doc__ or "")


class NotTrusted(TurnedAway):
    """A request is not signed as it should be."""

    def __init__(self, words: str, status: int = 401) -> None:
        super().__init__(words)
        self.status = status


class NotThere(TurnedAway):
    """There is nothing at this address."""

    status = 404


class Busy(TurnedAway):
    """The house server is busy: try again in a moment."""

    status = 429
    exit_status = 75


class TooManyRefused(TurnedAway):
    """Too many lines of this terminal were refused within a minute."""

    status = 429
    exit_status = 75

    def __init__(self, most: int, wait: int) -> None:
        """`most`: lines that may be refused; `wait`: seconds until it may go on."""
        super().__init__(
            f"{most:,} lines of this terminal were refused within a minute. Look at what it sends; "
            f"its lines are taken again in {wait} seconds."
        )
        self.wait = wait


class TooManyWindows(TurnedAway):
    """Too many pages are open. Close some, in this browser or in another one."""

    status = 503
    exit_status = 75


class TooLong(TurnedAway):
    """The command took too long and was ended. Look before you try again."""

    status = 500
    exit_status = 3
