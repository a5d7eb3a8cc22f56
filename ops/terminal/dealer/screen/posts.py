"""What threads post to the screen, because the session blocks and the screen never waits."""

from textual.message import Message

from ops.kit.outcome import Outcome


class Changed(Message):
    """The table changed, or whether the ledger can be reached."""


class News(Message):
    """Somebody else did something at the table."""

    def __init__(self, words: str) -> None:
        super().__init__()
        self.words = words


class Opened(Message):
    """The session is open; `alone`: somebody must sign on first."""

    def __init__(self, first: Outcome | None, *, alone: bool) -> None:
        super().__init__()
        self.first = first
        self.alone = alone


class Alone(Message):
    """Somebody must sign on first, as is known only now."""


class CodeAsked(Message):
    """Whether a person signs on with a code is known, or why the ledger cannot say."""

    def __init__(self, staff: str, *, takes_code: bool = False, lost: str = "") -> None:
        super().__init__()
        self.staff = staff
        self.takes_code = takes_code
        self.lost = lost


class SignedOn(Message):
    """The outcome of a sign-on is known."""

    def __init__(self, outcome: Outcome) -> None:
        super().__init__()
        self.outcome = outcome


class Resolved(Message):
    """The outcome of a line whose answer was lost is known."""

    def __init__(self, outcome: Outcome) -> None:
        super().__init__()
        self.outcome = outcome


class Answered(Message):
    """The outcome of a line is known."""

    def __init__(self, line: str, outcome: Outcome, *, signed: bool, asks_pin: bool) -> None:
        super().__init__()
        self.line = line
        self.outcome = outcome
        self.signed = signed
        self.asks_pin = asks_pin
