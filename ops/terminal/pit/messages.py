"""What other threads bring to the screen."""

from textual.message import Message

from ops.board.board import Seen
from ops.kit.outcome import Outcome
from ops.ledger.database import LedgerLost
from ops.terminal.pit.sight import Looker
from ops.terminal.pit.view import View


class Heard(Message):
    """The board told something."""

    def __init__(self, told: Seen | LedgerLost, looker: Looker | None = None) -> None:
        super().__init__()
        self.told = told
        self.looker = looker


class Read(Message):
    """A page has what it asked for; or `why` not; neither, while the ledger is lost."""

    def __init__(self, view: View, position: int, book: object = None, why: str = "") -> None:
        super().__init__()
        self.view = view
        self.position = position
        self.book = book
        self.why = why


class Answered(Message):
    """What became of an acknowledgement."""

    def __init__(self, outcome: Outcome) -> None:
        super().__init__()
        self.outcome = outcome
