"""The house as a terminal at a table asks it: here, on the record, or through the door."""

from typing import Protocol, TypeVar

import psycopg

from ops.commands.authority import Authority
from ops.commands.casino import Casino
from ops.commands.signed_on import NOBODY, Token
from ops.handlers.compared import compare_with, lines_of
from ops.handlers.dispatcher import Dispatcher
from ops.handlers.questions import Question, recorded
from ops.ledger.database import Database, LedgerLost, one_line
from ops.ledger.recorder import Ledger
from ops.now.listener import Listener, Watcher

PATIENCE = 2.0  # seconds in which a line is sent again under its id
CHANNEL = "terminal"
T = TypeVar("T")


class Follows(Protocol):
    """What follows a table, from `start` to `end`."""

    def start(self) -> None:
        """Begins to follow."""

    def end(self, patience: float) -> None:
        """Stops, and waits at most so many seconds for it."""


class House(Protocol):
    """What a terminal's session needs of the house."""

    name: str  # tells this house from others on this machine, and never changes

    @property
    def token(self) -> Token:
        """The token of the sign-on here."""

    def use(self, token: Token) -> None:
        """From now on the questions are asked with this token."""

    def ask(self, question: Question[T]) -> T:
        """The answer to a question. Raises LedgerLost, NotFit; OutcomeUnknown where it records."""

    def follow(self, table: str, watcher: Watcher) -> Follows:
        """Follows a table for a watcher."""

    def close(self) -> None:
        """Closes every connection."""


class HouseHere:
    """The house on this machine: its record can be reached from here."""

    def __init__(
        self, database: Database, *, token: Token = NOBODY, compares: bool = False
    ) -> None:
        """`compares`: it keeps what is acknowledged here, and compares each connection with it."""
        self._database = database
        embedded = database.embedded
        self.name = str(embedded.data) if embedded else database.given or ""
        self.dispatcher = Dispatcher(
            Casino(Ledger(database)), CHANNEL, patience=PATIENCE, token=token, in_person=True
        )
        self._acknowledged = lines_of(database) if compares else None
        if self._acknowledged:
            compare_with(self._acknowledged, self.dispatcher)

    @property
    def token(self) -> Token:
        """The token of the sign-on here."""
        return self.dispatcher.authority.token

    def use(self, token: Token) -> None:
        """From now on lines are sent with this token."""
        self.dispatcher.authority = Authority(self.dispatcher.casino, token)

    def ask(self, question: Question[T]) -> T:
        """The answer, from the record. Raises LedgerLost, OutcomeUnknown, NotFit."""
        try:
            answer = question.answered(self.dispatcher)
        except psycopg.Error as error:
            raise LedgerLost(one_line(error)) from error
        if self._acknowledged:
            self._acknowledged.note(recorded(question, answer))
        return answer

    def follow(self, table: str, watcher: Watcher) -> Listener:
        """Follows a table on a connection of its own."""
        return Listener(self._database, table, watcher)

    def close(self) -> None:
        """Closes the connection."""
        self.dispatcher.casino.close()
