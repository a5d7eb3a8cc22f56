"""Sends lines of the feed, and finds the outcome of those whose answer was lost."""

from collections.abc import Iterable
from contextlib import suppress

from msgspec import Struct
from msgspec.structs import replace

from domain.rules.refusals import NotSignedOn
from ops.commands.read import Line
from ops.door.fresh_id import fresh_id
from ops.handlers.answer import Answer
from ops.handlers.questions import Resolve, Send, Signed
from ops.kit.outcome import Link, Outcome, Second, refused
from ops.ledger.database import LedgerLost, NotFit, one_line
from ops.now.table_now import TableNow
from ops.terminal.dealer import feed_lines
from ops.terminal.dealer.followed import Followed
from ops.terminal.dealer.house import House
from ops.terminal.dealer.journal import Journal, Sent
from ops.terminal.dealer.presence import Presence
from ops.terminal.dealer.refused import refusal_words
from ops.terminal.dealer.table_words import replaced_words, unsettled_words
from ops.typed.acts import NotUnderstood
from ops.typed.grammar import parse
from ops.words import show
from ops.words.events import sentences
from ops.words.language import N_, _, shown


class Result(Struct, frozen=True):
    """The outcome of lines that were sent, and if one was refused its answer and what is left."""

    outcome: Outcome
    refusal: Answer | None = None
    lines_left: list[Line] = []


class Sender:
    """Sends lines, one after the other, each stored in the journal before it is sent."""

    def __init__(
        self, house: House, journal: Journal, presence: Presence, followed: Followed
    ) -> None:
        self.unanswered = journal.last  # the line whose outcome is not known yet
        self.own: set[str] = set()  # ids of this terminal's lines
        self._house = house
        self._journal = journal
        self._presence = presence
        self._followed = followed

    def by(self, line: Line) -> Line:
        """The line with the person who enters it: in a closed house, the one who is signed on."""
        who = self._presence.named_dealer or (
            "" if self._presence.token.staff else self._followed.table.dealer
        )
        return {**line, "by": who} if who else line

    def ready(self, typed: str, lines: Iterable[Line], second: Second | None = None) -> Sent:
        """The lines as they are sent: with an id, who enters them and who signs them."""
        beside = {"with": second.staff} if second else {}
        return Sent(
            typed, [{**self.by(each), **beside, "id": f"terminal:{fresh_id()}"} for each in lines]
        )

    def send(self, sent: Sent, signed: Signed | None = None) -> Result:
        """Sends line after line, with who signed them, until one is refused."""
        try:
            self._journal.begin(sent)
        except OSError as error:
            why = _(
                "Nothing was sent: this terminal cannot save what is typed ({error}).",
                error=error.strerror,
            )
            return Result(Outcome("unsent", (why,), left=sent.typed))
        self.own.update(line["id"] for line in sent.lines)
        self.unanswered = sent
        before = self._followed.table
        try:
            answers = self._house.ask(Send(sent.lines, signed))
        except LedgerLost as error:
            return Result(self._lost(sent, one_line(error)))
        self.unanswered = None
        return self._answered(sent, answers, before)

    def _answered(self, sent: Sent, answers: Iterable[Answer], before: TableNow) -> Result:
        """The result, once the table is shown as it is after the lines."""
        words: list[str] = []
        position = 0
        for done, (line, answer) in enumerate(zip(sent.lines, answers, strict=False)):
            position = answer.position or position
            if not answer.ok:
                if answer.error == NotSignedOn.__name__:
                    self._nobody_is_here()
                self._followed.see(position)
                outcome = self.refusal(answer, line, _left(sent, done), words)
                return Result(outcome, answer, sent.lines[done:])
            words += self._words(line, answer, before)
        self._followed.see(position)
        return Result(Outcome("done", tuple(words)))

    def _nobody_is_here(self) -> None:
        """Shows no names, and speaks the terminal's own language."""
        self._followed.nameless = True
        with suppress(LedgerLost, NotFit):
            self._presence.who()

    def _words(self, line: Line, answer: Answer, before: TableNow | None = None) -> Iterable[str]:
        """What happened; `before`: the table before it, if that is known."""
        yield from map(shown, sentences(answer.events, self._followed.table.currency))
        yield from replaced_words(line, before) if before else ()
        yield from unsettled_words(line, answer.body)

    def _lost(self, sent: Sent, why: str) -> Outcome:
        self._followed.change(link=Link(up=False, why=why, unanswered=sent.typed))
        then = _("The outcome of `{line}` is shown when the ledger is back.", line=sent.typed)
        return Outcome("lost", (f"{then} {shown(show.lost_words(why))}",))

    def resolve(self) -> Outcome | None:
        """The outcome of the line whose answer was lost, or None if there is none.

        Raises LedgerLost.
        """
        if self.unanswered is None:
            return None
        outcome = self._resolved(self.unanswered)
        self.unanswered = None
        return outcome

    def _resolved(self, sent: Sent) -> Outcome:
        words: list[str] = []
        for done, line in enumerate(sent.lines):
            self.own.add(line["id"])
            answer = self._house.ask(Resolve(line))
            if answer is None:
                missing = N_("The rest of `{line}` is not on record.")
                whole = N_("`{line}` is not on record.")
                words_now = _(missing if done else whole, line=sent.typed)
                left = _left(sent, done)
                return Outcome("unsent", (*words, words_now), left=left, done=len(words))
            if not answer.ok:
                return self.refusal(answer, line, _left(sent, done), words)
            words += self._words(line, answer)
        return Outcome("done", (_("`{line}` is on record:", line=sent.typed), *words))

    def refusal(self, answer: Answer, line: Line, left: str, before: Iterable[str] = ()) -> Outcome:
        """The outcome of a refusal; if nobody is signed on, somebody signs on and it goes on."""
        words = refusal_words(answer, line, self._followed.table, left)
        outcome = refused(words, answer.rule, left, before)
        nobody = answer.error == NotSignedOn.__name__
        return replace(outcome, kind="sign-on") if nobody else outcome


def _left(sent: Sent, done: int) -> str:
    """The part of a line that is not done: as it was typed, or the rest of it."""
    if not done:
        return sent.typed
    with suppress(NotUnderstood):  # an older grammar's line, which was cut off
        return feed_lines.rest_of(parse(sent.typed), sent.lines[done:]).words
    return ""
