"""A terminal's work at one table: sends what is typed, knows the outcome, follows what others do.

It has two connections: one sends lines, one after the other; the other listens to the ledger in a
thread of its own, so that what others do is shown while somebody types. The table is shown as of
one position of the ledger, and what is reported as done is on disk.
"""

import threading
from collections.abc import Callable, Iterable, Sequence
from contextlib import suppress
from itertools import chain
from uuid import uuid4

from msgspec.structs import replace

from domain.rules.pins import may_be_pin
from domain.rules.refusals import (
    ChangedSince,
    ConfirmationNeeded,
    NotSignedOn,
    PinLocked,
    PinsSlowed,
    SecondPersonNeeded,
    WrongPin,
)
from domain.rules.wording import Words
from ops.commands.authority import NOBODY, Token
from ops.commands.read import Line
from ops.handlers.answer import Answer
from ops.handlers.questions import (
    AwaitsCode,
    IsPinAsNumber,
    MayBePast,
    Resolve,
    SecondsOf,
    Send,
    Sheet,
    Sheets,
    Signed,
)
from ops.kit.outcome import Link, Outcome, Second, refused, unsent
from ops.ledger.database import LedgerLost, NotFit, one_line
from ops.now.listener import Done
from ops.now.table_now import TableNow
from ops.terminal.dealer import feed_lines
from ops.terminal.dealer.house import PATIENCE, House
from ops.terminal.dealer.journal import Journal, Sent
from ops.terminal.dealer.late_entry import NOW, LateEntry
from ops.terminal.dealer.log import TYPED, Entry
from ops.terminal.dealer.phrases import NO_LINE
from ops.terminal.dealer.presence import Presence
from ops.terminal.dealer.prompts import help_lines
from ops.terminal.dealer.refused import refusal_words
from ops.terminal.dealer.table_words import (
    owed_words,
    replaced_words,
    tray_answer,
    unsettled_words,
)
from ops.typed.acts import Act, Help, Late, NotUnderstood, SignOff, WhatTray, WhoOwes, Yes
from ops.typed.grammar import parse
from ops.words import show
from ops.words.event_values import run_on
from ops.words.events import sentences
from ops.words.language import N_, _, shown

TAKES_TWO = N_("It takes a second person.")
# After these refusals another second person, or the same once more, may sign.
WRONG_SECOND = {
    each.__name__ for each in (SecondPersonNeeded, WrongPin, PinLocked, PinsSlowed, ChangedSince)
}
SAME_SECOND = {each.__name__ for each in (WrongPin, ChangedSince)}
SEEN_SOON = 2.0  # seconds in which an entry is shown; later it is on disk all the same


class Session:
    """One terminal at one table. Faces set `on_change`, `on_news` and `on_resolved` first.

    They are called in other threads: when the table changed, when somebody else did something, and
    when the outcome of a line is known whose answer was lost.
    """

    def __init__(
        self,
        house: House,
        table: str,
        *,
        by: str = "",
        save_token: Callable[[Token], None] = lambda token: None,
        forget_token: Callable[[str], None] = lambda staff: None,
        saved_token: Callable[[], Token] = lambda: NOBODY,
        training: bool = False,
    ) -> None:
        """`save_token` saves it for the commands that follow, `forget_token` removes it.

        `saved_token` reads the saved one, which another terminal may have written.
        """
        self.table = table
        self.training = training
        self._true = TableNow(table)  # as of the position that was read last
        self.link = Link(up=False, why=Words("it was not reached yet"))
        self.on_change: Callable[[], None] = lambda: None
        self.on_news: Callable[[str], None] = lambda words: None
        self.on_resolved: Callable[[Outcome], None] = lambda outcome: None
        self._house = house
        self._presence = Presence(house, table, by, save_token, forget_token, saved_token)
        self._journal = Journal.at(house.name, table)
        self._log = self._journal.log
        self.draft = self._journal.draft
        self.draft_refused = self._journal.draft_refused
        self.unsent = self._journal.unsent
        self._unanswered = self._journal.last  # its outcome is not known yet
        self._in_question: list[Line] = []  # lines refused until somebody confirms them
        self._questioned = ""  # as they were typed
        # The line that a second person was asked to sign, and what they were shown of each part.
        self._shown: tuple[str, list[Sheet]] = ("", [])
        before = self._journal.late
        self.late = NOW if before.is_over else before  # when what is typed happened
        self._sending = threading.RLock()  # whoever holds it may ask the house
        self._moved = threading.Condition()  # `now`, `link`, or how far was read
        self._read = -1
        self._unnamed = True  # no names are shown until somebody is known to be here
        self._own: set[str] = set()  # ids of this terminal's lines
        self._follows = house.follow(table, self)
        self._closed = False

    def open(self, patience: float = 5.0) -> Outcome | None:
        """Reaches the ledger, or goes on trying after `patience` seconds.

        Returns what a screen shows first, or None.
        """
        self._follows.start()
        with self._moved:
            self._moved.wait_for(lambda: self.link.up, patience)
        return None

    def close(self) -> None:
        """Ends; what was typed and not entered is kept for the next terminal at this table."""
        if self._closed:
            return
        self._closed = True
        self._follows.end(PATIENCE)
        if not self._sending.acquire(timeout=PATIENCE):
            return  # a line has no answer, and stays in the journal as such
        self._house.close()
        self._presence.close()
        if self._unanswered is None:
            with suppress(OSError):
                self._journal.close()
        self._journal.release()

    def keep(self, draft: str, waiting: Sequence[str] = (), *, refused: bool = False) -> None:
        """Saves the line as typed so far and the lines that wait, at every key.

        `refused`: the draft was entered and is not done.
        """
        with suppress(OSError):  # a line that cannot be saved is not sent, and the dealer is warned
            self._journal.keep(draft, waiting, refused=refused)

    def take(self, typed: str) -> None:
        """Saves a line that is about to be sent, so that a kill does not lose it."""
        with suppress(OSError):
            self._journal.take(typed)
        self.remember(TYPED, typed)

    @property
    def past(self) -> list[Entry]:
        """What was typed and answered here before this terminal was started, oldest first."""
        return [] if self.training else self._log.past

    def remember(self, kind: str, words: str) -> None:
        """Saves what is shown, for the terminal that is started after this one."""
        if not self.training:
            with suppress(OSError):
                self._log.write(kind, words)

    @property
    def now(self) -> TableNow:
        """The table as it is shown here; in training the scene that the trainee judges.

        In a closed house no patron is named while nobody is signed on here.
        """
        return self._true.without_names() if self._unnamed else self._true

    @property
    def task(self) -> tuple[str, ...]:
        """In training the task; else nothing."""
        return ()

    @property
    def over(self) -> bool:
        """Whether a training course has ended."""
        return False

    # Who is here. All of these raise LedgerLost.
    @property
    def asks_pin(self) -> bool:
        """Whether people type a PIN; in open house they do not."""
        with self._sending:
            return self._presence.house_is_closed

    @property
    def must_sign_on(self) -> bool:
        """Whether somebody must sign on here before anything is entered."""
        with self._sending:
            here = self._presence.holder()
            self._unnamed = here.closed and not here.staff
            return self._unnamed or (here.closed and self._presence.names_another_than(here))

    @property
    def signed_on(self) -> str:
        """The number of whoever is signed on here, and stays so when the terminal ends; else ''."""
        return self._presence.token.staff

    def awaits_code(self, staff: str) -> bool:
        """Whether they sign on with a one-time code, and choose a PIN."""
        with self._sending:
            return self._house.ask(AwaitsCode(staff))

    def sign_on(self, staff: str, secret: str, new_pin: str | None = None) -> Outcome:
        """Signs a person on. After a lost answer, trying again gives the outcome."""
        with self._sending:
            outcome = self._presence.sign_on(staff, secret, new_pin)
            self._unnamed = self._unnamed and outcome.kind != "done"
            return replace(outcome, words=(*outcome.words, *self._who_deals(outcome, staff)))

    def _who_deals(self, outcome: Outcome, staff: str) -> Iterable[str]:
        """Signing on at a table does not make somebody its dealer: a relief is entered."""
        dealer = self._true.dealer
        if outcome.kind == "done" and dealer not in ("", staff):
            yield _(
                "{dealer} is the dealer of {table}. Type `dealer {staff}` when you take over.",
                dealer=dealer,
                table=self.table,
                staff=staff,
            )

    # What is typed.
    def say(self, typed: str, second: Second | None = None) -> Outcome:
        """Sends a line; its outcome is on disk when it returns, and as a rule shown.

        Digits alone are no line, but may be a PIN: nothing of them is kept, sent or answered.
        """
        if may_be_pin(typed):
            return refused(_(NO_LINE))
        with self._sending:
            try:
                outcome = self._outcome(typed, second)
            except NotUnderstood as error:
                outcome = refused(shown(error.words), left=typed)
            except LedgerLost as error:
                outcome = unsent(error.why, typed)
            with suppress(OSError):
                self._journal.let_go(outcome.left)
            return outcome

    def _outcome(self, typed: str, second: Second | None) -> Outcome:
        act = parse(typed)
        if isinstance(act, Yes):
            lines = self._confirmed(typed)
        else:
            self._in_question = []
            lines = list(map(self.late.stamped, feed_lines.lines_for(act, self._true)))
        if not lines and not isinstance(act, Late | SignOff):
            return Outcome("answered", tuple(self._answers(act)))
        if not self.link.up:
            return unsent(self.link.why, typed)
        self._resolve()
        match act:
            case SignOff():
                return self._sign_off(typed)
            case Late():
                return self._enter_late(act, typed)
        self._presence.settle_doubt()
        return self._signed_and_sent(typed, lines, second)

    def _signed_and_sent(self, typed: str, lines: list[Line], second: Second | None) -> Outcome:
        """Sends the lines, or asks for the second person whom one of them needs.

        Nobody signs what they were not shown.
        """
        asked, seen = self._shown
        if second and asked == typed and self._house.ask(IsPinAsNumber(second.staff)):
            words = _("Type the staff number first, then its PIN.")
            return Outcome("second", (words,), left=typed, asks=tuple(_shown_of(seen)))
        self._shown = ("", [])
        if second and asked == typed:
            sent = Sent(typed, [self._signed(line, second) for line in lines])
            marks = tuple(each.mark for each in seen)
            return self._send(sent, Signed(second.staff, second.pin, marks))
        signers = self._house.ask(SecondsOf([self._by(line) for line in lines]))
        if any(each is not None for each in signers):
            return self._ask_second(typed, lines, next(filter(None, signers), ""))
        return self._send(Sent(typed, [self._signed(line) for line in lines]))

    def _ask_second(self, typed: str, lines: Sequence[Line], signer: str) -> Outcome:
        """Asks for the second person, with what the lines would change.

        Nobody is asked for what is refused whoever signs. Raises LedgerLost.
        """
        shown = self._house.ask(Sheets([self._by(line) for line in lines]))
        if shown[0].refusal:
            self._ask_about(shown[0].refusal, lines, typed)
            return _refusal(shown[0].refusal, lines[0], self._true, typed, ())
        if not shown[0].mark:
            sent = Sent(typed, [self._signed(line) for line in lines])
            return self._send(sent, Signed(presumed=True))
        self._shown = typed, shown
        confirmed = [self._questioned] if any("confirmed" in line for line in lines) else []
        asks = (*confirmed, *_shown_of(shown), _(TAKES_TWO))
        return Outcome("second", asks, left=typed, signer=signer)

    def _confirmed(self, typed: str) -> list[Line]:
        """The lines that were asked about, as confirmed. Raises NotUnderstood if there are none."""
        if not self._in_question:
            raise NotUnderstood(typed, Words("Nothing is asked. Type `?` for help."))
        return [{**line, "confirmed": True} for line in self._in_question]

    def _ask_about(self, answer: Answer, lines: Sequence[Line], typed: str) -> None:
        """Remembers lines that were refused until somebody confirms them."""
        if answer.body["error"] == ConfirmationNeeded.__name__:
            self._in_question = [_without(line, "id", "by") for line in lines]
            self._questioned = typed

    def _enter_late(self, act: Late, typed: str) -> Outcome:
        """Begins late entry at a time of today's gaming day, changes the time, or ends it.

        Refused for a moment in the future. Raises LedgerLost.
        """
        late = LateEntry.at(act.time, self._true.clock)
        if why := self._house.ask(MayBePast(late.moment)):
            return refused(shown(why), left=typed)
        words = late.words(before=self.late)
        self._set_late(late)
        return Outcome("done", (words,))

    def _set_late(self, late: LateEntry) -> None:
        self.late = late
        with suppress(OSError):  # only a kill would show it
            self._journal.enter_late(late)
        self.on_change()

    def _send(self, sent: Sent, signed: Signed | None = None) -> Outcome:
        """Sends line after line, with who signed them, until one is refused."""
        try:
            self._journal.begin(sent)
        except OSError as error:
            why = _(
                "Nothing was sent: this terminal cannot save what is typed ({error}).",
                error=error.strerror,
            )
            return Outcome("unsent", (why,), left=sent.typed)
        self._own.update(line["id"] for line in sent.lines)
        self._unanswered = sent
        words: list[str] = []
        before, position = self._true, 0
        try:
            answers = self._house.ask(Send(sent.lines, signed))
        except LedgerLost as error:
            return self._lose(sent, one_line(error))
        for done, (line, answer) in enumerate(zip(sent.lines, answers, strict=False)):
            position = answer.body.get("position") or position
            if not answer.ok:
                self._unanswered = None
                if answer.body["error"] == NotSignedOn.__name__:
                    self._unnamed = True
                    with suppress(LedgerLost, NotFit):
                        self._presence.who()  # nobody: the terminal's own language
                self._see(position)
                left = _left(sent, done)
                self._ask_about(answer, sent.lines[done:], left)
                outcome = _refusal(answer, line, self._true, left, words)
                if not signed or signed.presumed or answer.body["error"] not in WRONG_SECOND:
                    return outcome
                return self._asked_again(outcome, answer, sent.lines[done:])
            words += self._words(line, answer, before)
        self._unanswered = None
        self._in_question = []
        self._see(position)
        return Outcome("done", tuple(words))

    def _asked_again(self, outcome: Outcome, answer: Answer, lines: Sequence[Line]) -> Outcome:
        """Asks for the second person once more, after why the one before did not do."""
        signer = lines[0]["with"] if answer.body["error"] in SAME_SECOND else ""
        asked = self._ask_second(outcome.left, list(map(_unsigned, lines)), signer)
        if asked.kind == "second":
            return replace(outcome, kind="second", signer=signer, asks=asked.words[:-1])
        before = outcome.words[: outcome.done]
        return replace(asked, words=(*before, *asked.words), done=outcome.done + asked.done)

    def _sign_off(self, typed: str) -> Outcome:
        """Signs off whoever is here; in a closed house somebody else signs on next."""
        here = self._presence.holder()
        if not here.staff:
            if not here.closed:
                words = _(
                    "Nobody signs on here yet. When you take over, type `dealer` and your number."
                )
                return refused(words)
            return Outcome("sign-on", (_("Nobody is signed on here."),))
        line = {"command": "staff.sign-off", "staff": here.staff}
        outcome = self._send(Sent(typed, [self._signed(line)]))
        if outcome.kind != "done":
            return outcome
        self._presence.left(here.staff)
        self._set_late(NOW)
        self._unnamed = here.closed
        return replace(outcome, kind="sign-on") if here.closed else outcome

    def _answers(self, act: Act) -> Iterable[str]:
        """The answer to a question."""
        match act:
            case Help(topic=topic):
                return (f"{keys}: {words}" for keys, words in help_lines(self.now, topic))
            case WhoOwes():
                return owed_words(self.now)
            case WhatTray():
                return tray_answer(self.now)
        return (_("`!` is for training only."),)

    def _by(self, line: Line) -> Line:
        """The line with who enters it; in a closed house that is whoever signed on."""
        who = self._presence.named_dealer or (
            "" if self._presence.token.staff else self._true.dealer
        )
        return {**line, "by": who} if who else line

    def _signed(self, line: Line, second: Second | None = None) -> Line:
        beside = {"with": second.staff} if second else {}
        return {**self._by(line), **beside, "id": f"terminal:{uuid4()}"}

    def _words(self, line: Line, answer: Answer, before: TableNow | None = None) -> Iterable[str]:
        """What happened; `before`: the table before it, if that is known."""
        yield from map(shown, sentences(answer.body["events"], self._true.currency))
        yield from replaced_words(line, before) if before else ()
        yield from unsettled_words(line, answer.body)

    def _see(self, position: int) -> None:
        """Waits until the entry is shown."""
        with self._moved:
            self._moved.wait_for(lambda: self._read >= position or not self.link.up, SEEN_SOON)

    # Lines whose answer was lost.
    def _lose(self, sent: Sent, why: str) -> Outcome:
        self._show(link=Link(up=False, why=why, unanswered=sent.typed))
        then = _("The outcome of `{line}` is shown when the ledger is back.", line=sent.typed)
        return Outcome("lost", (f"{then} {shown(show.lost_words(why))}",))

    def _resolve(self) -> None:
        """Finds the outcome of the line whose answer was lost. Raises LedgerLost."""
        with self._sending:
            if self._unanswered is None:
                return
            outcome = self._resolved(self._unanswered)
            self._unanswered = None
        self.on_resolved(outcome)

    def _resolved(self, sent: Sent) -> Outcome:
        words: list[str] = []
        for done, line in enumerate(sent.lines):
            self._own.add(line["id"])
            answer = self._house.ask(Resolve(line))
            if answer is None:
                missing = N_("The rest of `{line}` is not on record.")
                whole = N_("`{line}` is not on record.")
                words_now = _(missing if done else whole, line=sent.typed)
                left = _left(sent, done)
                return Outcome("unsent", (*words, words_now), left=left, done=len(words))
            if not answer.ok:
                return _refusal(answer, line, self._true, _left(sent, done), words)
            words += self._words(line, answer)
        return Outcome("done", (_("`{line}` is on record:", line=sent.typed), *words))

    # What others do: called by the listener, in its thread.
    def saw(self, now: TableNow | None, read: int, news: Sequence[Done]) -> None:
        """The table if it changed, the position up to which it was read, and what happened."""
        self._show(now=now, read=read)
        self._hear(news)

    def reached(self) -> None:
        """The ledger is back: finds what was in doubt. Raises LedgerLost."""
        if not self.link.up:
            self._resolve()
            self._learn_who()
            self._show(link=Link())

    def _learn_who(self) -> None:
        """Finds who is here: whether names are shown, and in which language."""
        with suppress(NotFit), self._sending:
            here = self._presence.who()
            self._unnamed = here.closed and not here.staff

    def lost(self, why: str) -> None:
        """The ledger cannot be reached."""
        sent = self._unanswered
        self._show(link=Link(up=False, why=why, unanswered=sent.typed if sent else ""))

    def _show(
        self, *, link: Link | None = None, now: TableNow | None = None, read: int | None = None
    ) -> None:
        with self._moved:
            self.link = link or self.link
            self._true = now or self._true
            self._read = self._read if read is None else read
            self._moved.notify_all()
        if link or now:
            self.on_change()

    def _hear(self, news: Iterable[Done]) -> None:
        """Reports what somebody else did."""
        for done in news:
            if done.command_id in self._own:
                continue
            words = shown(run_on(sentences(done.events, self._true.currency)))
            if words and not self._unnamed:
                self.on_news(f"{done.actor or _('Somebody')}: {words}")


def _left(sent: Sent, done: int) -> str:
    """The part of a line that is not done: as it was typed, or the rest of it."""
    if not done:
        return sent.typed
    with suppress(NotUnderstood):  # an older grammar's line, which was cut off
        return feed_lines.rest_of(parse(sent.typed), sent.lines[done:]).words
    return ""


def _shown_of(sheets: Iterable[Sheet]) -> Iterable[str]:
    """What is shown of lines to whoever signs them, each sentence once."""
    return dict.fromkeys(chain(*(map(shown, each.words) for each in sheets)))


def _unsigned(line: Line) -> Line:
    """The line without who sends it."""
    return _without(line, "id", "by", "with")


def _without(line: Line, *names: str) -> Line:
    return {name: value for name, value in line.items() if name not in names}


def _refusal(
    answer: Answer, line: Line, now: TableNow, left: str, before: Iterable[str]
) -> Outcome:
    """The outcome of a refusal; if nobody is signed on, somebody signs on here and it goes on."""
    outcome = refused(refusal_words(answer, line, now, left), answer.body["rule"], left, before)
    nobody = answer.body["error"] == NotSignedOn.__name__
    return replace(outcome, kind="sign-on") if nobody else outcome
