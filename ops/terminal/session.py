"""A terminal's work at one table: says what is typed, knows what it came to, follows the rest.

Two connections: one says lines, one line at a time; the other listens to the ledger in a thread
of its own, so that what others do is shown while somebody types. What is shown is true to one
position, and what is told is on disk.
"""

import threading
from collections.abc import Callable, Iterable, Sequence
from contextlib import suppress
from dataclasses import replace
from itertools import groupby
from typing import TYPE_CHECKING, Any
from uuid import uuid4

from domain.refusals import NotSignedOn, Refusal
from ops import show
from ops.authority import NOBODY, Authority, Token
from ops.casino import Casino
from ops.database import Database, LedgerLost, NotFit, OutcomeUnknown
from ops.dispatcher import Answer, Dispatcher
from ops.ledger.chain import Recorded
from ops.ledger.mapper import FactMapper, answered
from ops.ledger.recorder import Ledger, UnreadableEvent
from ops.sign_on import awaits_code, second_proof, sign_on, who_is_here
from ops.terminal import said
from ops.terminal.acts import Act, Help, NotUnderstood, SignOff, WhoOwes
from ops.terminal.follow import Follower
from ops.terminal.grammar import help_lines, parse
from ops.terminal.journal import Journal, Said
from ops.terminal.outcome import Link, Outcome, Second
from ops.terminal.table_now import TableNow

if TYPE_CHECKING:
    from domain.staff import StaffMember

PATIENCE = 2.0  # seconds in which a line is asked again under its id before nobody knows
LISTEN = 1.0  # seconds after which a quiet line is tried
AGAIN = 0.5  # seconds between two tries to reach the ledger
SEEN_SOON = 2.0  # seconds in which what was said is seen; later it is all the same on disk


class Session:
    """One terminal at one table. Faces set `on_change`, `on_heard` and `on_resolved` first.

    They are called in other threads: something is shown otherwise now; somebody else did
    something; it is known what a line came to whose answer was lost.
    """

    def __init__(
        self,
        database: Database,
        table: str,
        *,
        by: str = "",
        token: Token = NOBODY,
        keep_token: Callable[[Token], None] = lambda token: None,
        forget_token: Callable[[str], None] = lambda staff: None,
        training: bool = False,
    ) -> None:
        """`keep_token` for the commands that follow; `forget_token` of whoever signed off."""
        self.table = table
        self.training = training
        self.now = TableNow(table)
        self.link = Link(up=False, why="it was not reached yet")
        self.on_change: Callable[[], None] = lambda: None
        self.on_heard: Callable[[str], None] = lambda words: None
        self.on_resolved: Callable[[Outcome], None] = lambda outcome: None
        self._who = by
        self._keep_token = keep_token
        self._forget_token = forget_token
        self._unsure: Token | None = None  # of a sign-on whose answer was lost
        self._database = database
        self._dispatcher = Dispatcher(
            Casino(Ledger(database)), "terminal", patience=PATIENCE, token=token
        )
        self._journal = Journal.at(database, table)
        self.draft = self._journal.draft
        self.unsent = self._journal.unsent
        self._untold = self._journal.last  # nobody knows yet what it came to
        self._saying = threading.RLock()
        self._moved = threading.Condition()
        self._ending = threading.Event()
        self._own: set[str] = set()  # ids of this terminal's lines
        self._listener = threading.Thread(target=self._listen, name="listener", daemon=True)

    @property
    def who(self) -> str:
        """Who deals here: whoever said so, else whom the table has as its dealer."""
        return self._dispatcher.authority.token.staff or self._who or self.now.dealer

    def open(self, patience: float = 5.0) -> Outcome | None:
        """Reaches the ledger, if it can be reached so soon; else it is told and tried again.

        What there is to tell first, when the table is shown.
        """
        self._listener.start()
        with self._moved:
            self._moved.wait_for(lambda: self.link.up or self._ending.is_set(), patience)
        return None

    def close(self) -> None:
        """What was typed and not said is kept for the next terminal at this table."""
        if self._ending.is_set():
            return
        self._ending.set()
        self._listener.join(LISTEN + PATIENCE)
        self._dispatcher.casino.close()
        if self._untold is None:
            with suppress(OSError):
                self._journal.end()
        self._journal.close()

    def keep(self, draft: str, waiting: Sequence[str] = ()) -> None:
        """What is typed so far and what waits behind a line that is said, at every key."""
        with suppress(OSError):  # whoever says a line is told
            self._journal.keep(draft, waiting)

    def take(self, typed: str) -> None:
        """The line is entered, and about to be said; from here on a kill does not lose it."""
        with suppress(OSError):
            self._journal.take(typed)

    # Who is here.
    @property
    def asks_pin(self) -> bool:
        """Whether people prove who they are; in open house they are believed. Raises LedgerLost."""
        with self._saying:
            return self._dispatcher.authority.house_is_closed()

    @property
    def must_sign_on(self) -> bool:
        """Whether nobody is heard here before they sign on. Raises LedgerLost."""
        with self._saying:
            return self.asks_pin and self._holder() is None

    def awaits_code(self, staff: str) -> bool:
        """Whether they sign on with a one-time code, and choose a PIN. Raises LedgerLost."""
        with self._saying:
            return awaits_code(self._dispatcher, staff)

    def sign_on(self, staff: str, secret: str, new_pin: str | None = None) -> Outcome:
        """Work begins. When the answer was lost, trying it again tells what became of it."""
        with self._saying:
            try:
                return self._sign_on(staff, secret, new_pin)
            except OutcomeUnknown as error:
                self._unsure = self._dispatcher.authority.token
                why = f"The ledger cannot be reached: {error.why}."
                return Outcome("lost", (f"{why} Nobody knows whether {staff} is signed on.",))
            except LedgerLost as error:
                return self._unreached(error.why, "")
            except NotFit as error:
                return _refused(str(error), None, "")

    def _sign_on(self, staff: str, secret: str, new_pin: str | None) -> Outcome:
        if self._unsure and self._unsure.staff == staff and self._holder():
            return Outcome("done", (f"{staff} is signed on.",))
        answer, token = sign_on(self._dispatcher, staff, secret, new_pin, table=self.table)
        if not answer.ok:
            return _refused(answer.body["message"], answer.body["rule"], "")
        self._is_here(token)
        return Outcome("done", tuple(self._words(answer)))

    def _holder(self) -> "StaffMember | None":
        """Who is signed on here, a sign-on included whose answer was lost. Raises LedgerLost."""
        holder = who_is_here(self._dispatcher)
        if self._unsure and holder:
            self._is_here(self._unsure)
        self._unsure = None
        return holder

    def _is_here(self, token: Token) -> None:
        """From now on it is they who say what is typed, whoever was said to deal before."""
        self._unsure = None
        self._who = ""
        self._keep_token(token)

    def _sign_off(self, typed: str) -> Outcome:
        """Whoever is here goes; in a closed house somebody else signs on next."""
        closed, holder = self.asks_pin, self._holder()
        if holder is None:
            return _refused("Nobody is signed on here.", None, "")
        line = {"command": "staff.sign-off", "staff": holder.staff}
        outcome = self._send(Said(typed, [self._signed(line, None)]), None)
        if outcome.kind != "done":
            return outcome
        self._dispatcher.authority = Authority(self._dispatcher.casino, NOBODY)
        self._forget_token(holder.staff)
        return replace(outcome, kind="sign-on") if closed else outcome

    # What is typed.
    def say(self, typed: str, second: Second | None = None) -> Outcome:
        """What became of a line; it is on disk and in `now` when this comes back."""
        with self._saying:
            try:
                return self._say(typed, second)
            except (NotUnderstood, Refusal) as refusal:
                return _refused(str(refusal), getattr(refusal, "rule", None), typed)
            except LedgerLost as error:
                return self._unreached(error.why, typed)
            finally:
                with suppress(OSError):
                    self._journal.give_back()

    def _say(self, typed: str, second: Second | None) -> Outcome:
        act = parse(typed)
        lines = said.lines_for(act, self.now)
        signs_off = isinstance(act, SignOff)
        if not lines and not signs_off:
            return Outcome("told", tuple(self._asked(act)))
        if not self.link.up:
            return self._unreached(self.link.why, typed)
        self._resolve()
        if signs_off:
            return self._sign_off(typed)
        if self._unsure:
            self._holder()
        if second is None and any(map(self._dispatcher.needs_second, map(self._by, lines))):
            return Outcome("second", ("It takes a second person.",), left=typed)
        return self._send(Said(typed, [self._signed(line, second) for line in lines]), second)

    def _send(self, what: Said, second: Second | None) -> Outcome:
        """Line after line, until one is refused."""
        proof = second_proof(self._dispatcher, second.staff, second.pin) if second else None
        try:
            self._journal.begin(what)
        except OSError as error:
            why = f"This terminal cannot keep what is typed: {error.strerror}. Nothing was sent."
            return Outcome("lost", (why,), left=what.typed)
        self._own.update(line["id"] for line in what.lines)
        self._untold = what
        words: list[str] = []
        for done, line in enumerate(what.lines):
            try:
                answer = self._dispatcher.dispatch(line, second=proof)
            except LedgerLost as error:
                return self._lost(error.why)
            if not answer.ok:
                self._untold = None
                self._see(answer)
                return _refused_at(answer, _left(what, done), words)
            words += self._words(answer)
        self._untold = None
        self._see(answer)
        return Outcome("done", tuple(words))

    def _asked(self, act: Act) -> Iterable[str]:
        """What a question is answered."""
        match act:
            case Help(topic=topic):
                return (f"{keys}: {words}" for keys, words in help_lines(self.now, topic))
            case WhoOwes():
                return said.owed_words(self.now)
        return ("Nobody claims anything here: `!` is for training.",)

    def _by(self, line: dict[str, Any]) -> dict[str, Any]:
        """The line with who says it; in a closed house that is whoever signed on."""
        signed_on = self._dispatcher.authority.token.staff
        who = self._who or ("" if signed_on else self.now.dealer)
        return {**line, "by": who} if who else line

    def _signed(self, line: dict[str, Any], second: Second | None) -> dict[str, Any]:
        beside = {"with": second.staff} if second else {}
        return {**self._by(line), **beside, "id": f"terminal:{uuid4()}"}

    def _words(self, answer: Answer) -> Iterable[str]:
        return show.told_words(answer.body["events"], self.now.currency)

    def _see(self, answer: Answer) -> None:
        """Waits until what was said is shown."""
        position = answer.body.get("position") or 0
        with self._moved:
            self._moved.wait_for(lambda: self.now.position >= position, SEEN_SOON)

    # What nobody knows.
    def _unreached(self, why: str, typed: str) -> Outcome:
        return Outcome(
            "lost", (f"The ledger cannot be reached: {why}. Nothing was sent.",), left=typed
        )

    def _lost(self, why: str) -> Outcome:
        assert self._untold is not None
        typed = self._untold.typed
        self._show(Link(up=False, why=why, unanswered=typed))
        then = f"What became of `{typed}` is told when it is back."
        return Outcome("lost", (f"The ledger cannot be reached: {why}. {then}",))

    def _resolve(self) -> None:
        """What became of the line that nobody knows of. Raises LedgerLost."""
        with self._saying:
            if self._untold is None:
                return
            outcome = self._resolved(self._untold)
            self._untold = None
        self.on_resolved(outcome)

    def _resolved(self, untold: Said) -> Outcome:
        words: list[str] = []
        for done, line in enumerate(untold.lines):
            self._own.add(line["id"])
            answer = self._dispatcher.resolve(line)
            if answer is None:
                what = f"What is left of `{untold.typed}`" if done else f"`{untold.typed}`"
                told = f"{what} is not on record, and is on the line again."
                return Outcome("refused", (*words, told), left=_left(untold, done))
            if not answer.ok:
                return _refused_at(answer, _left(untold, done), words)
            words += self._words(answer)
        return Outcome("done", (f"`{untold.typed}` is on record:", *words))

    # What others do.
    def _listen(self) -> None:
        """Until the terminal is closed; again and again while the ledger cannot be reached."""
        while not self._ending.is_set():
            try:
                self._follow()
            except Exception as error:  # noqa: BLE001 - whatever it is, it is told on the screen
                untold = self._untold.typed if self._untold else ""
                self._show(Link(up=False, why=_why(error), unanswered=untold))
                self._ending.wait(AGAIN)

    def _follow(self) -> None:
        with self._database.session("sabot_projector") as connection:
            connection.execute("LISTEN sabot_ledger")
            follower = Follower(connection, self.table)
            self.now = follower.now
            self._resolve()
            self._show(Link(), follower.now)
            while not self._ending.is_set():
                list(connection.notifies(timeout=LISTEN, stop_after=1))
                news = follower.catch_up()
                if not self.link.up:  # it was lost for whoever says lines, and not here
                    self._resolve()
                    self._show(Link(), follower.now)
                if news:
                    self._show(self.link, follower.now)
                    self._hear(news)

    def _show(self, link: Link, now: TableNow | None = None) -> None:
        with self._moved:
            self.link, self.now = link, now or self.now
            self._moved.notify_all()
        self.on_change()

    def _hear(self, news: Iterable[Recorded]) -> None:
        """What somebody else did, command by command."""
        for (command_id, actor), events in groupby(
            news, lambda each: (each.command_id, each.actor)
        ):
            if command_id in self._own:
                continue
            facts = [answered(_mapper.to_domain_event(event)) for event in events]  # type: ignore[arg-type]
            words = " ".join(show.told_words(facts, self.now.currency))
            if words:
                self.on_heard(f"{actor or 'Somebody'}: {words}")


_mapper = FactMapper()


def _why(error: Exception) -> str:
    match error:
        case LedgerLost():
            return error.why
        case NotFit() | UnreadableEvent():
            return str(error).removesuffix(".")
    return f"the program made a mistake, {error!r}"


def _left(what: Said, done: int) -> str:
    """What is still to be said of a line of which so much is done: as it was typed, or the rest."""
    return said.rest_of(parse(what.typed), what.lines[done:]).words if done else what.typed


def _refused_at(answer: Answer, left: str, before: Iterable[str]) -> Outcome:
    outcome = _refused(answer.body["message"], answer.body["rule"], left, before)
    away = answer.body["error"] == NotSignedOn.__name__
    return replace(outcome, kind="sign-on") if away else outcome


def _refused(message: str, rule: str | None, left: str, before: Iterable[str] = ()) -> Outcome:
    return Outcome("refused", (*before, message), rule or "", left)
