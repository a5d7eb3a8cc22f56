"""Who is at a terminal: signed on by number and PIN, or in open house the dealer who was named.

Not for several threads at once.
"""

from collections.abc import Callable
from typing import TYPE_CHECKING, Any

from domain.rules.wording import Words
from ops.commands.authority import NOBODY, Authority, Token
from ops.handlers.answer import Answer
from ops.handlers.dispatcher import Dispatcher
from ops.handlers.sign_on import sign_off, sign_on, who_is_here
from ops.kit.outcome import Outcome, refused, unsent
from ops.ledger.database import LedgerLost, NotFit, OutcomeUnknown
from ops.words import show
from ops.words.events import sentences
from ops.words.failure import in_words
from ops.words.language import _, shown, speak, spoken

if TYPE_CHECKING:
    from domain.aggregates.staff import StaffMember


class Presence:
    """Who is at one terminal, and in which language it speaks to them."""

    def __init__(
        self,
        dispatcher: Dispatcher,
        table: str,
        named_dealer: str,
        save_token: Callable[[Token], None],
        forget_token: Callable[[str], None],
        saved_token: Callable[[], Token],
    ) -> None:
        """`named_dealer`: the dealer that was named when the terminal was opened."""
        self.named_dealer = named_dealer
        self._dispatcher = dispatcher
        self._table = table
        self._save_token = save_token
        self._forget_token = forget_token
        self._saved_token = saved_token
        self._own_language = spoken()  # of the terminal, while nobody is signed on
        self._unsure: Token | None = None  # of a sign-on whose answer was lost
        self._elsewhere = ""  # who was refused just now, because they are signed on elsewhere

    @property
    def token(self) -> Token:
        """The token that lines are sent with."""
        return self._dispatcher.authority.token

    @property
    def house_is_closed(self) -> bool:
        """Whether people type a PIN. Raises LedgerLost."""
        return self._dispatcher.authority.house_is_closed()

    def signed_on(self) -> "StaffMember | None":
        """Who is signed on here. Raises LedgerLost.

        The terminal speaks their language from now on, or its own if they chose none.
        """
        holder = who_is_here(self._dispatcher)
        speak((holder and holder.language) or self._own_language)
        return holder

    def holder(self) -> "StaffMember | None":
        """Who is signed on here, also by a sign-on whose answer was lost. Raises LedgerLost."""
        self._follow()
        holder = self.signed_on()
        if self._unsure and holder:
            self._is_here(self._unsure)
        self._unsure = None
        return holder

    def names_another_than(self, holder: "StaffMember | None") -> bool:
        """Whether the terminal was opened for a dealer other than the one who is signed on."""
        return holder is not None and self.named_dealer not in ("", holder.staff)

    def settle_doubt(self) -> None:
        """Before a line is sent: finds whether the sign-on is on record. Raises LedgerLost."""
        if self._unsure:
            self.holder()
        self._follow()

    def _follow(self) -> None:
        """Takes the token of a later sign-on of the same person on this machine."""
        saved, token = self._saved_token(), self.token
        if saved.staff == token.staff != "" and saved != token and not self._unsure:
            self._dispatcher.authority = Authority(self._dispatcher.casino, saved)

    def sign_on(self, staff: str, secret: str, new_pin: str | None) -> Outcome:
        """Signs a person on. After a lost answer, trying again gives the outcome.

        Whoever is signed on elsewhere is told so; trying again signs them off there.
        """
        elsewhere, self._elsewhere = self._elsewhere, ""
        try:
            if self._unsure and self._unsure.staff == staff and self.holder():
                return Outcome("done", (_("{staff} is signed on.", staff=staff),))
            answer, token = self._signed_on(staff, secret, new_pin, elsewhere=elsewhere == staff)
        except OutcomeUnknown as error:
            self._unsure = self.token
            unknown = _("It is not known yet whether {staff} is signed on.", staff=staff)
            return Outcome("lost", (f"{shown(show.lost_words(error.why))} {unknown}",))
        except LedgerLost as error:
            return unsent(error.why, "")
        except NotFit as error:
            return refused(in_words(error))
        if not answer.ok:
            return self._refused(answer, staff)
        self._is_here(token)
        return Outcome("done", tuple(map(shown, sentences(answer.body["events"], ""))))

    def _signed_on(
        self, staff: str, secret: str, new_pin: str | None, *, elsewhere: bool
    ) -> tuple[Answer, Token]:
        """The answer to a sign-on, after they were signed off elsewhere if they wanted that."""
        if elsewhere:
            left = sign_off(self._dispatcher, staff, secret)
            if not left.ok:
                return left, NOBODY
        return sign_on(self._dispatcher, staff, secret, new_pin, self._table, self._saved_token())

    def _refused(self, answer: Answer, staff: str) -> Outcome:
        """The outcome of a sign-on that was refused."""
        event: dict[str, Any] = next(iter(answer.body.get("events", ())), {})
        if event.get("why") != "signed-on-elsewhere":
            return refused(answer.reason, answer.body["rule"])
        assert isinstance(answer.refusal, Words)
        self._elsewhere = staff
        still = Words(
            "{staff} is still signed on at {place}, since {time}.", **answer.refusal.values
        )
        then = _("Enter again signs you off there.")
        return Outcome("refused", (shown(still), then), again=True)

    def _is_here(self, token: Token) -> None:
        """From now on lines are sent with this person's token."""
        self._unsure = None
        self.named_dealer = ""
        self._save_token(token)
        self.signed_on()

    def left(self, staff: str) -> None:
        """They signed off: the terminal speaks its own language until somebody signs on."""
        self._dispatcher.authority = Authority(self._dispatcher.casino, NOBODY)
        self._forget_token(staff)
        speak(self._own_language)

    def close(self) -> None:
        """The terminal ends; whatever the program prints then is in its own language."""
        speak(self._own_language)
