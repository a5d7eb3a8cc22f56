"""Checks the seals of commands: one that no program of this house gave has none of its seals."""

from collections import deque
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from ops.ledger.database import NotFit
from ops.ledger.pepper import fault_in
from ops.ledger.seals import sealing_key
from ops.verify.diagnosis import Wrong
from ops.verify.faults import MOST
from ops.verify.scanning import Command

if TYPE_CHECKING:
    import psycopg


def why_unchecked(connection: "psycopg.Connection[Any]") -> str:
    """Why no seal can be checked with the pepper of this home; '' if seals can be.

    A seal that another pepper made is nobody's change.
    """
    try:
        sealing_key(anew=False)
    except NotFit as error:
        return fault_in(connection) or str(error)
    return fault_in(connection)


class Seals:
    """The seals of commands, as far as they were checked, in the order of recording.

    Commands before the first good seal may have been sealed with a pepper that was lost since; all
    later ones were sealed with the pepper of this machine, or by nobody.
    """

    def __init__(self, first_good: int | None = None, *, checked: bool) -> None:
        """`checked`: this home has the ledger's pepper, so that they can be."""
        self._first_good = first_good  # the number of that command
        self._unsealed: deque[Command] = deque(maxlen=MOST)  # the last of them
        self._first_unsealed: int | None = None
        self._key = sealing_key(anew=False) if checked else b""

    def check(self, command: Command, digests: bytes) -> None:
        """Checks a command; `digests`: of its events."""
        if not self._key:
            return
        if command.is_sealed(self._key, digests):
            self._first_good = min(self._first_good or command.number, command.number)
        else:
            self._first_unsealed = min(self._first_unsealed or command.number, command.number)
            self._unsealed.append(command)

    def pass_over(self, first: Command) -> None:
        """Takes commands for sealed that were checked already; `first`: of them."""
        if self._key:
            self._first_good = min(self._first_good or first.number, first.number)

    @property
    def first_good(self) -> int | None:
        """The number of the first command whose seal is good."""
        return self._first_good

    @property
    def all_good(self) -> bool:
        """Whether every command so far is sealed, as far as that can be checked."""
        return self._first_unsealed is None

    def wrong(self) -> Sequence[Wrong]:
        """Each command that was appended past the house's programs, in words."""
        return [
            ([each], _words(each))
            for each in self._unsealed
            if each.number > (self._first_good or each.number)
        ]

    def not_checked(self) -> list[str]:
        """Sentences about what could not be checked."""
        if self._first_unsealed is None:
            return []
        if self._first_good is None:
            return ["The seals of commands: none was made with the pepper of this machine."]
        if self._first_unsealed < self._first_good:
            return [
                f"The seals of the commands before number {self._first_good:,}: they were not "
                "made with the pepper of this machine."
            ]
        return []


def _words(command: Command) -> str:
    return (
        f"No program of the house sealed command {command.command_id.decode(errors='replace')}, "
        f"number {command.number:,}: somebody appended it with the application's login, but "
        "without the pepper; or its answer or events were changed later."
    )
