"""The house through its server's door, for a terminal that has no database."""

import threading
from http import HTTPStatus
from http.client import HTTPException
from typing import TypeVar
from urllib.parse import quote, urlencode

import msgspec

from ops.commands.signed_on import NOBODY, Token
from ops.door.acknowledged import LinesHere
from ops.door.coded import decoded, encoded
from ops.door.connection import (
    QUESTIONS,
    Connection,
    HouseLost,
    HouseRestored,
    WiredConnection,
    why,
)
from ops.door.stream import AGAIN, BEAT, OPEN, TurnedAway, followed, object_of
from ops.handlers.questions import Question, Resolve, Send, SignOn, recorded
from ops.ledger.database import LedgerLost, NewestMissing, OutcomeUnknown
from ops.now.listener import Watcher
from ops.now.seen import TableSeen
from ops.now.table_now import TableNow
from ops.terminal.dealer.house import PATIENCE
from ops.words.show import MISTAKEN

RECORDING = (Send, SignOn, Resolve)  # what may be on record though its answer is lost
T = TypeVar("T")


class HouseThere:
    """A house server, asked by this terminal."""

    def __init__(self, address: str, *, token: Token = NOBODY, by: str = "") -> None:
        """`by`: who deals, in open house. Raises NoHouse."""
        self.name = address
        self._by = by
        self._token = token
        self._acknowledged = LinesHere(address)
        self._connection = WiredConnection(
            address, PATIENCE, token=self._bearer, acknowledged=self._acknowledged
        )
        self._follows: list[FollowsThere] = []

    def _bearer(self) -> str:
        return self._token.text if self._token.staff else ""

    @property
    def token(self) -> Token:
        """The token of the sign-on here."""
        return self._token

    def use(self, token: Token) -> None:
        """From now on the house is asked with this token; it is followed anew with it, too."""
        if token != self._token:
            self._token = token
            for each in self._follows:
                each.cut()

    def ask(self, question: Question[T]) -> T:
        """The answer of the house server. Raises LedgerLost; OutcomeUnknown where it records."""
        try:
            status, content = self._connection.post(QUESTIONS, encoded(question))
        except HouseRestored as error:
            raise NewestMissing(error) from error
        except HouseLost as error:
            unknown = error.sent and isinstance(question, RECORDING)
            raise (OutcomeUnknown if unknown else LedgerLost)(error) from error
        if status == HTTPStatus.OK:
            answer: T = decoded(content, question.kind_of_answer)
            self._acknowledged.note(recorded(question, answer))
            return answer
        refused = object_of(content)
        if status < HTTPStatus.INTERNAL_SERVER_ERROR:
            return question.turned_away(refused)
        unknown = refused.get("error") == OutcomeUnknown.__name__
        mistaken = status == HTTPStatus.INTERNAL_SERVER_ERROR
        words = MISTAKEN if mistaken else refused.get("why") or refused.get("message") or status
        raise (OutcomeUnknown if unknown else LedgerLost)(words)

    def follow(self, table: str, watcher: Watcher) -> "FollowsThere":
        """Follows a table by the server's stream."""
        connection = Connection(self.name, token=self._bearer)
        follows = FollowsThere(connection, table, watcher, self._by)
        self._follows.append(follows)
        return follows

    def close(self) -> None:
        """Closes the connection."""
        self._connection.close()


class FollowsThere:
    """A table, followed in a thread of its own; a stream that breaks is opened again."""

    def __init__(self, connection: Connection, table: str, watcher: Watcher, by: str) -> None:
        self._connection = connection
        self._table = table
        self._watcher = watcher
        self._starts: dict[str, str] = {"by": by}  # until the start of this terminal is on record
        self._read = 0
        self._ending = threading.Event()
        self._anew = threading.Event()  # the stream was broken here, to be opened anew
        self._thread = threading.Thread(target=self._run, name="follows", daemon=True)

    def start(self) -> None:
        """Begins to follow."""
        self._thread.start()

    def end(self, patience: float) -> None:
        """Stops, and waits at most so many seconds for it."""
        self._ending.set()
        self.cut()
        if self._thread.is_alive():
            self._thread.join(patience)

    def cut(self) -> None:
        """Opens the stream anew, as after a sign-on."""
        self._anew.set()
        self._connection.cut()

    def _run(self) -> None:
        while not self._ending.is_set():
            try:
                self._follow()
            except TurnedAway as error:
                self._watcher.saw(TableNow(self._table), 0, [])  # nothing more is shown here
                self._lose(error)
            except (HTTPException, LedgerLost, OSError, msgspec.MsgspecError) as error:
                if self._anew.is_set():
                    continue
                self._lose(error)
            self._ending.wait(AGAIN)

    def _lose(self, error: Exception) -> None:
        if not self._ending.is_set():
            own = isinstance(error, TurnedAway | LedgerLost)
            self._watcher.lost(str(error).rstrip(".") if own else why(error))

    def _follow(self) -> None:
        asked = urlencode({"after": self._read, **self._starts})
        self._anew.clear()
        target = f"/api/tables/{quote(self._table, safe='')}/now?{asked}"
        for kind, text in followed(self._connection, target):
            if self._ending.is_set():
                return
            self._take(kind, text)

    def _take(self, kind: str, text: str) -> None:
        if kind == OPEN:
            self._starts = {}
        elif kind == "seen":
            seen: TableSeen = decoded(text.encode(), TableSeen)
            self._read = seen.read
            self._watcher.saw(seen.now, seen.read, seen.news)
            self._watcher.reached()
        elif kind == "lost":
            self._watcher.lost(text)
        elif kind == BEAT and self._read:
            self._watcher.reached()
