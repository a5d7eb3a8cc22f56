"""A terminal's work at one table: sends what is typed, knows the outcome, follows what others do.

It has two connections: one sends lines, one after the other; the other listens to the ledger in a
thread of its own, so that what others do is shown while somebody types. The table is shown as of
one position of the ledger, and what is reported as done is on disk.
"""

import threading
from collections.abc import Callable, Iterable, Sequence
from contextlib import suppress

from msgspec.structs import replace

from domain.rules.pins import may_be_pin
from ops.commands.signed_on import NOBODY, Token
from ops.handlers.questions import AwaitsCode, MayBePast
from ops.kit.outcome import Link, Outcome, Second, refused, unsent
from ops.ledger.database import LedgerLost, NotFit
from ops.now.listener import Done
from ops.now.table_now import TableNow
from ops.terminal.dealer import feed_lines
from ops.terminal.dealer.entering import Entering
from ops.terminal.dealer.followed import Followed
from ops.terminal.dealer.house import PATIENCE, House
from ops.terminal.dealer.journal import Journal
from ops.terminal.dealer.late_entry import NOW, LateEntry
from ops.terminal.dealer.log import TYPED, Entry
from ops.terminal.dealer.phrases import NO_LINE
from ops.terminal.dealer.presence import Presence
from ops.terminal.dealer.prompts import help_lines
from ops.terminal.dealer.sender import Sender
from ops.terminal.dealer.table_words import owed_words, tray_answer
from ops.typed.acts import Act, Help, Late, NotUnderstood, SignOff, WhatTray, WhoOwes, Yes
from ops.typed.grammar import parse
from ops.words.event_values import run_on
from ops.words.events import sentences
from ops.words.language import _, shown


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
        self.followed = Followed(table, lambda: self.on_change())  # noqa: PLW0108  (faces set it)
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
        self._sender = Sender(house, self._journal, self._presence, self.followed)
        self._entering = Entering(house, self._sender)
        before = self._journal.late
        self.late = NOW if before.is_over else before  # when what is typed happened
        self._sending = threading.RLock()  # whoever holds it may ask the house
        self._follows = house.follow(table, self)
        self._closed = False

    def open(self, patience: float = 5.0) -> Outcome | None:
        """Reaches the ledger, or goes on trying after `patience` seconds.

        Returns what a screen shows first, or None.
        """
        self._follows.start()
        self.followed.wait_until(lambda: self.link.up, patience)
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
        if self._sender.unanswered is None:
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
    def link(self) -> Link:
        """Whether the ledger can be reached."""
        return self.followed.link

    @property
    def now(self) -> TableNow:
        """The table as it is shown here; in training the scene that the trainee judges.

        In a closed house no patron is named while nobody is signed on here.
        """
        return self.followed.shown

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
            nobody = self.followed.nameless = here.closed and not here.staff
            return nobody or (here.closed and self._presence.names_another_than(here))

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
            if outcome.kind != "done":
                return outcome
            self.followed.nameless = False
            who_deals = _who_deals(self.table, self.followed.table.dealer, staff)
            return replace(outcome, words=(*outcome.words, *who_deals))

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
            lines = self._entering.confirmed(typed)
        else:
            self._entering.drop_question()
            lines = list(map(self.late.stamped, feed_lines.lines_for(act, self.followed.table)))
        if not lines and not isinstance(act, Late | SignOff):
            return Outcome("answered", tuple(_answers(act, self.now)))
        if not self.link.up:
            return unsent(self.link.why, typed)
        self._resolve()
        match act:
            case SignOff():
                return self._sign_off(typed)
            case Late():
                return self._enter_late(act, typed)
        self._presence.settle_doubt()
        return self._entering.enter(typed, lines, second)

    def _enter_late(self, act: Late, typed: str) -> Outcome:
        """Begins late entry at a time of today's gaming day, changes the time, or ends it.

        Refused for a moment in the future. Raises LedgerLost.
        """
        late = LateEntry.at(act.time, self.followed.table.clock)
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
        outcome = self._entering.send(self._sender.ready(typed, [line]))
        if outcome.kind != "done":
            return outcome
        self._presence.left(here.staff)
        self._set_late(NOW)
        self.followed.nameless = here.closed
        return replace(outcome, kind="sign-on") if here.closed else outcome

    def _resolve(self) -> None:
        """Finds the outcome of the line whose answer was lost. Raises LedgerLost."""
        with self._sending:
            outcome = self._sender.resolve()
        if outcome:
            self.on_resolved(outcome)

    # What others do: called by the listener, in its thread.
    def saw(self, now: TableNow | None, read: int, news: Sequence[Done]) -> None:
        """Takes the table if it changed, and how far it was read; reports what others did."""
        self.followed.change(table=now, read=read)
        for done in news:
            if done.command_id in self._sender.own:
                continue
            words = shown(run_on(sentences(done.events, self.followed.table.currency)))
            if words and not self.followed.nameless:
                self.on_news(f"{done.actor or _('Somebody')}: {words}")

    def reached(self) -> None:
        """The ledger is back: finds what was in doubt, and who is here. Raises LedgerLost."""
        if self.link.up:
            return
        self._resolve()
        with suppress(NotFit), self._sending:
            here = self._presence.who()
            self.followed.nameless = here.closed and not here.staff
        self.followed.change(link=Link())

    def lost(self, why: str) -> None:
        """The ledger cannot be reached."""
        sent = self._sender.unanswered
        unanswered = sent.typed if sent else ""
        self.followed.change(link=Link(up=False, why=why, unanswered=unanswered))


def _who_deals(table: str, dealer: str, staff: str) -> Iterable[str]:
    """Signing on at a table does not make somebody its dealer: a relief is entered."""
    if dealer not in ("", staff):
        yield _(
            "{dealer} is the dealer of {table}. Type `dealer {staff}` when you take over.",
            dealer=dealer,
            table=table,
            staff=staff,
        )


def _answers(act: Act, now: TableNow) -> Iterable[str]:
    """The answer to a question."""
    match act:
        case Help(topic=topic):
            return (f"{keys}: {words}" for keys, words in help_lines(now, topic))
        case WhoOwes():
            return owed_words(now)
        case WhatTray():
            return tray_answer(now)
    return (_("`!` is for training only."),)
