"""Enters lines: asks first for what they need, which is a confirmation or a second person.

Nobody signs what they were not shown.
"""

from collections.abc import Iterable, Sequence
from itertools import chain

from msgspec.structs import replace

from domain.rules.refusals import (
    ChangedSince,
    ConfirmationNeeded,
    PinLocked,
    PinsSlowed,
    SecondPersonNeeded,
    WrongPin,
)
from domain.rules.wording import Words
from ops.commands.read import Line
from ops.handlers.answer import Answer
from ops.handlers.questions import Announced, IsPinAsNumber, SecondsOf, Sheet, Sheets, Signed
from ops.kit.outcome import Outcome, Second
from ops.terminal.dealer.house import House
from ops.terminal.dealer.journal import Sent
from ops.terminal.dealer.sender import Sender
from ops.typed.acts import NotUnderstood
from ops.words.language import N_, _, shown

OF_CASH = ("table.buy-in", "table.cash-out", "account.pay-in", "account.pay-out")
TAKES_TWO = N_("It takes a second person.")
# After these refusals another second person, or the same once more, may sign.
WRONG_SECOND = {
    each.__name__ for each in (SecondPersonNeeded, WrongPin, PinLocked, PinsSlowed, ChangedSince)
}
SAME_SECOND = {each.__name__ for each in (WrongPin, ChangedSince)}


class Entering:
    """What was asked about the lines of one terminal, and who answers it."""

    def __init__(self, house: House, sender: Sender) -> None:
        self._house = house
        self._sender = sender
        self._in_question: list[Line] = []  # lines refused until somebody confirms them
        self._questioned = ""  # as they were typed
        # The line that a second person was asked to sign, and what they were shown of each part.
        self._shown: tuple[str, list[Sheet]] = ("", [])
        self._announced_of = ""  # the line whose cash was announced before it is sent

    def confirmed(self, typed: str) -> list[Line]:
        """The lines that were asked about, as confirmed. Raises NotUnderstood if there are none."""
        if not self._in_question:
            raise NotUnderstood(typed, Words("Nothing is asked. Type `?` for help."))
        return [{**line, "confirmed": True} for line in self._in_question]

    def drop_question(self) -> None:
        """Something else was typed: nothing is asked any more."""
        self._in_question = []

    def enter(self, typed: str, lines: list[Line], second: Second | None) -> Outcome:
        """Sends the lines, or asks for the second person whom one of them needs.

        Raises LedgerLost.
        """
        asked, sheets = self._shown
        signs = second if second and asked == typed else None
        if signs and self._house.ask(IsPinAsNumber(signs.staff)):
            words = _("Type the staff number first, then its PIN.")
            return Outcome("second", (words,), left=typed, asks=tuple(_shown_of(sheets)))
        self._shown = ("", [])
        if signs:
            marks = tuple(each.mark for each in sheets)
            sent = self._sender.ready(typed, lines, signs)
            return self.send(sent, Signed(signs.staff, signs.pin, marks))
        signers = self._house.ask(SecondsOf([self._sender.by(line) for line in lines]))
        if any(each is not None for each in signers):
            return self._ask_second(typed, lines, next(filter(None, signers), ""))
        if ahead := self._announced(typed, lines):
            again = _("Enter it again to go on.")
            return Outcome("refused", (*ahead, again), left=typed)
        return self.send(self._sender.ready(typed, lines))

    def _announced(self, typed: str, lines: Sequence[Line]) -> tuple[str, ...]:
        """What the cash of a line brings about, once, before it is sent. Raises LedgerLost."""
        before, self._announced_of = self._announced_of, ""
        of_cash = [self._sender.by(each) for each in lines if each["command"] in OF_CASH]
        if not of_cash or typed == before or any("confirmed" in each for each in of_cash):
            return ()
        ahead = tuple(shown(each) for each in self._house.ask(Announced(of_cash)) if each)
        self._announced_of = typed if ahead else ""
        return ahead

    def _ask_second(self, typed: str, lines: Sequence[Line], signer: str) -> Outcome:
        """Asks for the second person, with what the lines would change.

        A line that no second person could make good is refused at once. Raises LedgerLost.
        """
        sheets = self._house.ask(Sheets([self._sender.by(line) for line in lines]))
        if sheets[0].refusal:
            self._ask_about(sheets[0].refusal, lines, typed)
            return self._sender.refusal(sheets[0].refusal, lines[0], typed)
        if not sheets[0].mark:
            return self.send(self._sender.ready(typed, lines), Signed(presumed=True))
        self._shown = typed, sheets
        confirmed = [self._questioned] if any("confirmed" in line for line in lines) else []
        asks = (*confirmed, *_shown_of(sheets), _(TAKES_TWO))
        return Outcome("second", asks, left=typed, signer=signer)

    def send(self, sent: Sent, signed: Signed | None = None) -> Outcome:
        """Sends lines; asks once more if it is for the second person that one is refused."""
        result = self._sender.send(sent, signed)
        if result.refusal is None:
            if result.outcome.kind == "done":
                self._in_question = []
            return result.outcome
        self._ask_about(result.refusal, result.lines_left, result.outcome.left)
        error = result.refusal.error
        if signed and not signed.presumed and error in WRONG_SECOND:
            return self._asked_again(result.outcome, error, result.lines_left)
        return result.outcome

    def _ask_about(self, answer: Answer, lines: Sequence[Line], typed: str) -> None:
        """Remembers lines that were refused until somebody confirms them."""
        if answer.error == ConfirmationNeeded.__name__:
            self._in_question = [_without(line, "id", "by") for line in lines]
            self._questioned = typed

    def _asked_again(self, outcome: Outcome, error: str, lines: Sequence[Line]) -> Outcome:
        """Asks for the second person once more, after why the one before did not do."""
        signer = lines[0]["with"] if error in SAME_SECOND else ""
        unsigned = [_without(line, "id", "by", "with") for line in lines]
        asked = self._ask_second(outcome.left, unsigned, signer)
        if asked.kind == "second":
            return replace(outcome, kind="second", signer=signer, asks=asked.words[:-1])
        before = outcome.words[: outcome.done]
        return replace(asked, words=(*before, *asked.words), done=outcome.done + asked.done)


def _shown_of(sheets: Iterable[Sheet]) -> Iterable[str]:
    """The sentences that the second person reads, each once."""
    return dict.fromkeys(chain(*(map(shown, each.words) for each in sheets)))


def _without(line: Line, *names: str) -> Line:
    return {name: value for name, value in line.items() if name not in names}
