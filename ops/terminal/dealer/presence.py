"""Who is at a terminal: signed on by number and PIN, or in open house the dealer who was named.

Not for several threads at once.
"""

from collections.abc import Callable

from domain.rules.wording import Words
from ops.commands.signed_on import NOBODY, Token
from ops.handlers.answer import Answer
from ops.handlers.questions import Here, SignOn, WhoIsHere
from ops.handlers.sign_on import new_token
from ops.kit.outcome import Outcome, refused, unsent
from ops.ledger.database import LedgerLost, NotFit, OutcomeUnknown
from ops.terminal.dealer.house import House
from ops.words import show
from ops.words.events import sentences
from ops.words.failure import in_words
from ops.words.language import _, shown, speak, spoken


class Presence:
    """Who is at one terminal, and in which language it speaks to them."""

    def __init__(
        self,
        house: House,
        table: str,
        named_dealer: str,
        save_token: Callable[[Token], None],
        forget_token: Callable[[str], None],
        saved_token: Callable[[], Token],
    ) -> None:
        """`named_dealer`: the dealer that was named when the terminal was opened."""
        self.named_dealer = named_dealer
        self._house = house
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
        return self._house.token

    @property
    def house_is_closed(self) -> bool:
        """Whether people type a PIN. Raises LedgerLost."""
        return self._house.ask(WhoIsHere()).closed

    def who(self) -> Here:
        """Who is signed on here. Raises LedgerLost.

        The terminal speaks their language from now on, or its own if they chose none.
        """
        here = self._house.ask(WhoIsHere())
        speak(here.language or self._own_language)
        return here

    def holder(self) -> Here:
        """Who is signed on here, also by a sign-on whose answer was lost. Raises LedgerLost."""
        self._follow()
        here = self.who()
        if self._unsure and here.staff:
            self._is_here(self._unsure)
        self._unsure = None
        return here

    def names_another_than(self, here: Here) -> bool:
        """Whether the terminal was opened for a dealer other than the one who is signed on."""
        return here.staff != "" and self.named_dealer not in ("", here.staff)

    def settle_doubt(self) -> None:
        """Before a line is sent: finds whether the sign-on is on record. Raises LedgerLost."""
        if self._unsure:
            self.holder()
        self._follow()

    def _follow(self) -> None:
        """Takes the token of a later sign-on of the same person on this machine."""
        saved, token = self._saved_token(), self.token
        if saved.staff == token.staff != "" and saved != token and not self._unsure:
            self._house.use(saved)

    def sign_on(self, staff: str, secret: str, new_pin: str | None) -> Outcome:
        """Signs a person on. After a lost answer, trying again gives the outcome.

        Whoever is signed on elsewhere is told so; trying again signs them off there.
        """
        elsewhere, self._elsewhere = self._elsewhere, ""
        token = new_token(staff)
        try:
            if self._unsure and self._unsure.staff == staff and self.holder().staff:
                return Outcome("done", (_("{staff} is signed on.", staff=staff),))
            before = self._saved_token().text
            answer = self._house.ask(
                SignOn(staff, secret, new_pin, self._table, token.text, before, elsewhere == staff)
            )
        except OutcomeUnknown as error:
            self._unsure = token
            self._house.use(token)
            unknown = _("It is not known yet whether {staff} is signed on.", staff=staff)
            return Outcome("lost", (f"{shown(show.lost_words(error.why))} {unknown}",))
        except LedgerLost as error:
            return unsent(error.why, "")
        except NotFit as error:
            return refused(in_words(error))
        if not answer.ok:
            return self._refused(answer, staff)
        of = (each["staff"] for each in answer.events if each["type"] == "SignedOn")
        self._is_here(Token(next(of, staff), token.secret))  # as it is enrolled
        return Outcome("done", tuple(map(shown, sentences(answer.events, ""))))

    def _refused(self, answer: Answer, staff: str) -> Outcome:
        """The outcome of a sign-on that was refused."""
        event = (answer.events or [{}])[0]
        if event.get("why") != "signed-on-elsewhere":
            return refused(answer.reason, answer.rule)
        assert answer.refusal
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
        self._house.use(token)
        self._save_token(token)
        self.who()

    def left(self, staff: str) -> None:
        """They signed off: the terminal speaks its own language until somebody signs on."""
        self._house.use(NOBODY)
        self._forget_token(staff)
        speak(self._own_language)

    def close(self) -> None:
        """The terminal ends; whatever the program prints then is in its own language."""
        speak(self._own_language)
