"""Signing on at the screen: whether somebody must, the dialog, and what comes of it."""

from ops.ledger.database import LedgerLost, NotFit, one_line
from ops.terminal.dealer.screen.dialogs import TRY_AGAIN, SignOn
from ops.terminal.dealer.screen.parts import Screen
from ops.terminal.dealer.screen.posts import Alone, CodeAsked, SignedOn
from ops.words.language import N_, _, shown
from ops.words.show import lost_words

ASKS = N_("Nobody is signed on at this terminal.")


class SigningOn:
    """The sign-on of one screen; what blocks runs in threads of the screen."""

    def __init__(self, screen: Screen) -> None:
        self._screen = screen
        self._dialog: SignOn | None = None  # while it is open
        self.who_is_asked = False  # whether it was asked who is here

    def look_who(self) -> None:
        """Asks once who is here, as soon as the ledger can be asked."""
        if not self.who_is_asked and self._screen.session.link.up:
            self._screen.apart(self._ask_who)

    def _ask_who(self) -> None:
        if self.is_alone():
            self._screen.tell(Alone())

    def is_alone(self) -> bool:
        """Whether somebody must sign on first; blocks. False while the ledger cannot be asked."""
        try:
            alone = self._screen.session.must_sign_on
        except (LedgerLost, NotFit):
            return False
        self.who_is_asked = True
        return alone

    def alone(self) -> None:
        """Asks for the sign-on."""
        self.ask(_(ASKS))

    def ask(self, words: str) -> None:
        """Opens the dialog, unless it is open."""
        if self._dialog is None:
            self._dialog = SignOn(
                words,
                lambda staff: self._screen.apart(self._ask_code, staff),
                lambda *typed: self._screen.apart(self._sign_on, *typed),
                self._screen.action_leave,
            )
            self._screen.ask_in_place(self._dialog)
            self._screen.push_screen(self._dialog, self._asked_to_sign_on)

    def _ask_code(self, staff: str) -> None:
        try:
            takes_code = self._screen.session.awaits_code(staff)
        except (LedgerLost, NotFit) as error:
            lost = f"{shown(lost_words(one_line(error)))} {_(TRY_AGAIN)}"
            self._screen.tell(CodeAsked(staff, lost=lost))
        else:
            self._screen.tell(CodeAsked(staff, takes_code=takes_code))

    def _sign_on(self, staff: str, secret: str, new_pin: str | None) -> None:
        self._screen.tell(SignedOn(self._screen.session.sign_on(staff, secret, new_pin)))

    def code_asked(self, event: CodeAsked) -> None:
        """Passes it to the dialog, if it is still open."""
        if self._dialog is None:
            return
        if event.lost:
            self._dialog.unasked(event.lost)
        else:
            self._dialog.asked(event.staff, takes_code=event.takes_code)

    def signed_on(self, event: SignedOn) -> None:
        """Closes the dialog, or shows there why the sign-on failed."""
        done = event.outcome.kind == "done"
        if self._dialog is not None and not done:
            self._dialog.judged(event.outcome)
            return
        if done:
            self._screen.notes.recall()
        self._screen.notes.tell(event.outcome)
        if done:
            self._screen.notes.refusal = ""
        if self._dialog is not None:
            self._dialog.dismiss(True)
        self._screen.draw()

    def _asked_to_sign_on(self, signed_on: bool | None) -> None:
        self._dialog = self._screen.line.onward = None
        self._screen.line.guarded = True
        if not signed_on:
            words = _("Nobody signed on. The next line you enter asks again.")
            self._screen.notes.add("note", words)
            self._screen.draw()
