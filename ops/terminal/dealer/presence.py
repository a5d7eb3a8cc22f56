"""Who is at a terminal: signed on by number and PIN in a closed house, believed in an open one.

Not for threads: whoever says lines asks here too, one after the other.
"""

from collections.abc import Callable
from typing import TYPE_CHECKING

from ops.commands.authority import NOBODY, Authority, Token
from ops.handlers.dispatcher import Dispatcher
from ops.handlers.sign_on import sign_on, who_is_here
from ops.kit.outcome import Outcome, refused, unsent
from ops.ledger.database import LedgerLost, NotFit, OutcomeUnknown
from ops.words import show
from ops.words.events import sentences
from ops.words.language import shown, speak, spoken

if TYPE_CHECKING:
    from domain.aggregates.staff import StaffMember


class Presence:
    """Whoever is at one terminal, and how they came there."""

    def __init__(
        self,
        dispatcher: Dispatcher,
        table: str,
        said_by: str,
        save_token: Callable[[Token], None],
        forget_token: Callable[[str], None],
        saved_token: Callable[[], Token],
    ) -> None:
        """`said_by`: who deals, as somebody said when the terminal was opened."""
        self.said_by = said_by
        self._dispatcher = dispatcher
        self._table = table
        self._save_token = save_token
        self._forget_token = forget_token
        self._saved_token = saved_token
        self._own_language = spoken()  # of the terminal, while nobody is signed on
        self._unsure: Token | None = None  # of a sign-on whose answer was lost

    @property
    def token(self) -> Token:
        """With which lines are said."""
        return self._dispatcher.authority.token

    @property
    def house_is_closed(self) -> bool:
        """Whether people prove who they are. Raises LedgerLost."""
        return self._dispatcher.authority.house_is_closed()

    def holder(self) -> "StaffMember | None":
        """Who is signed on here, a sign-on included whose answer was lost. Raises LedgerLost."""
        self._follow()
        holder = who_is_here(self._dispatcher)
        if self._unsure and holder:
            self._is_here(self._unsure)
        self._unsure = None
        return holder

    def settle_doubt(self) -> None:
        """Before a line is said: whether the sign-on was heard. Raises LedgerLost."""
        if self._unsure:
            self.holder()
        self._follow()

    def _follow(self) -> None:
        """The same person may have signed on again, at another terminal with the same file."""
        kept, token = self._saved_token(), self.token
        if kept.staff == token.staff != "" and kept != token and not self._unsure:
            self._dispatcher.authority = Authority(self._dispatcher.casino, kept)

    def sign_on(self, staff: str, secret: str, new_pin: str | None) -> Outcome:
        """Work begins. When the answer was lost, trying it again tells what became of it."""
        try:
            if self._unsure and self._unsure.staff == staff and self.holder():
                return Outcome("done", (f"{staff} is signed on.",))
            answer, token = sign_on(
                self._dispatcher, staff, secret, new_pin, self._table, self._saved_token()
            )
        except OutcomeUnknown as error:
            self._unsure = self.token
            nobody_knows = f"Nobody knows whether {staff} is signed on."
            return Outcome("lost", (f"{show.lost_words(error.why)} {nobody_knows}",))
        except LedgerLost as error:
            return unsent(error.why, "")
        except NotFit as error:
            return refused(str(error))
        if not answer.ok:
            return refused(answer.reason, answer.body["rule"])
        self._is_here(token)
        return Outcome("done", tuple(map(shown, sentences(answer.body["events"], ""))))

    def _is_here(self, token: Token) -> None:
        """From now on it is they who say what is typed, whoever was said to deal before."""
        self._unsure = None
        self.said_by = ""
        self._save_token(token)
        if (holder := who_is_here(self._dispatcher)) and holder.language:
            speak(holder.language)

    def left(self, staff: str) -> None:
        """They signed off; whoever comes next signs on."""
        self._dispatcher.authority = Authority(self._dispatcher.casino, NOBODY)
        self._forget_token(staff)
        speak(self._own_language)
