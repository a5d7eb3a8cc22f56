"""Messages from other threads to the screen."""

from textual.message import Message

from ops.board.rows import Seen
from ops.kit.outcome import Outcome
from ops.ledger.database import LedgerLost
from ops.terminal.pit.sight import Looker
from ops.terminal.pit.view import View


class BoardChanged(Message):
    """The board has a new state, or the ledger is lost."""

    def __init__(self, state: Seen | LedgerLost, looker: Looker | None = None) -> None:
        super().__init__()
        self.state = state
        self.looker = looker


class Read(Message):
    """A page's contents, or `why` they cannot be read; neither while the ledger is lost."""

    def __init__(self, view: View, position: int, book: object = None, why: str = "") -> None:
        super().__init__()
        self.view = view
        self.position = position
        self.book = book
        self.why = why


class Answered(Message):
    """The outcome of an acknowledgement."""

    def __init__(self, outcome: Outcome) -> None:
        super().__init__()
        self.outcome = outcome
