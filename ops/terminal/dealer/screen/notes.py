"""What the screen says of lines that were typed: messages, the refusal, what is given back."""

from collections.abc import Sequence

from domain.rules.wording import counted
from ops.kit.outcome import Outcome
from ops.terminal.dealer.log import TYPED
from ops.terminal.dealer.phrases import with_rule
from ops.terminal.dealer.screen.messages import KINDS, MOST_MESSAGES, Kind, Message
from ops.terminal.dealer.screen.talks import Talks
from ops.terminal.dealer.screen.typed import Typed
from ops.words.language import _, shown


class Notes:
    """The messages, oldest first, and the refusal that stands in place of the hint."""

    def __init__(self, session: Talks, line: Typed) -> None:
        self._session = session
        self._line = line
        self.messages: list[Message] = []
        self.refusal = ""
        self._recalled = False  # whether the messages from before are among them

    def bring_back_draft(self, *, typed_ahead: bool) -> None:
        """Puts the draft on the line, selected, or in the history if keys wait for the line.

        Selected, because after a kill somebody else may be typing: no key is added to the draft.
        """
        draft = self._session.draft
        if not draft:
            return
        if typed_ahead:
            self._line.history.add(draft)
            self.add("note", _("Left from before, and in the history: {line}", line=draft))
            return
        self._line.give_back(draft)
        if not self._session.draft_refused:
            self.add("note", _("Half typed before, and on the line: {line}", line=draft))

    def tell(self, outcome: Outcome) -> None:
        """Shows the outcome of a line."""
        words = [each for each in outcome.words if each]
        if outcome.kind in ("done", "answered"):
            self.add("done" if outcome.kind == "done" else "note", *words)
            return
        if outcome.kind == "sign-on":
            self.add("done", *(words[:-1] if outcome.left else words))  # the dialog shows the rest
            return
        self.refusal = self.tell_refusal(outcome)

    def tell_refusal(self, outcome: Outcome) -> str:
        """Shows what was done before, then why the rest was refused, and by which rule."""
        done, (*more, why) = outcome.words[: outcome.done], outcome.words[outcome.done :]
        if outcome.rule and outcome.rule not in why:
            why = with_rule(why, outcome.rule)
        self.add("done", *done)
        if done:
            self.add("refused", _("Done in part. The line shows what is left to do."))
        self.add("refused", *more, why)
        return why

    def recall(self) -> None:
        """Shows once what was typed and answered here before, to whoever is known to be here."""
        if self._recalled:
            return
        self._recalled = True
        past = self._session.past
        before = [Message(KINDS[kind], words) for kind, words in past if kind in KINDS]
        if before:
            before.append(Message("note", _("Until here: before this terminal was started again.")))
        self.messages[:0] = before
        for kind, words in past:
            if kind == TYPED:
                self._line.history.add(words)

    def add(self, kind: Kind, *words: str) -> None:
        """Adds messages, and saves them for the next terminal."""
        for each in words:
            self._session.remember(kind, each)
        self.messages += [Message(kind, each) for each in words]
        del self.messages[:-MOST_MESSAGES]

    def give_back(self, left: str) -> None:
        """Puts a line back, selected, or in the history if something else is typed already."""
        if self._line.value:
            self._line.history.add(left)
            self.add("note", _("Not done, and in the history: {line}", line=left))
        else:
            self._line.give_back(left)

    def tell_unsent(self, unsent: Sequence[str]) -> None:
        """Names lines that were not sent, and adds them to the history."""
        if not unsent:
            return
        for line in unsent:
            self._line.history.add(line)
        words = counted(
            len(unsent),
            "{n} line was not sent: {lines}. The Up key brings it back.",
            "{n} lines were not sent: {lines}. The Up key brings them back.",
            lines="; ".join(unsent),
        )
        self.add("refused", shown(words))
