"""The dealer's screen: the table now, what is due, and one line to type on."""

from collections.abc import Callable, Mapping, Sequence
from datetime import datetime
from functools import partial
from typing import Any, ClassVar, Protocol
from zoneinfo import ZoneInfo

from rich.text import Text
from textual import events
from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.containers import Horizontal
from textual.message import Message as Posted
from textual.widgets import Input, Static

from domain.rules.wording import counted
from ops.kit.app import Face
from ops.kit.outcome import Link, Outcome, Second
from ops.ledger import clock as house_clock
from ops.ledger.database import LedgerLost, NotFit, one_line
from ops.now.table_now import TableNow
from ops.terminal.dealer import prompts
from ops.terminal.dealer.due import shoe_line
from ops.terminal.dealer.feed_lines import may_ask_who
from ops.terminal.dealer.late_entry import LateEntry
from ops.terminal.dealer.log import TYPED, Entry
from ops.terminal.dealer.phrases import with_rule
from ops.terminal.dealer.screen.dialogs import (
    TRY_AGAIN,
    Help,
    InPlace,
    Messages,
    SecondPerson,
    Sheet,
    SignOn,
)
from ops.terminal.dealer.screen.keys import SUPERVISOR
from ops.terminal.dealer.screen.messages import KINDS, MOST_MESSAGES, Kind, Message
from ops.terminal.dealer.screen.page import Page, View
from ops.terminal.dealer.screen.queue import Queue
from ops.terminal.dealer.screen.roads import VIEWS
from ops.terminal.dealer.screen.typed import Typed
from ops.typed.acts import NotUnderstood
from ops.typed.grammar import parse
from ops.typed.tokens import seats_typed
from ops.words.language import N_, _, shown
from ops.words.show import lost_words

NOT_SENT = N_("Nothing was sent: the ledger cannot be reached. What you typed stays.")
LOOKS_BACK = N_("all messages, the newest at the bottom")
ASKS = N_("Nobody is signed on at this terminal.")
CHECKING = N_("Checking whether a second person must sign. Your keys are kept.")
SIGNED = N_("Signed: waiting for the answer. Your keys are kept.")


class Talks(Protocol):
    """What the screen needs of a session; `ops.terminal.dealer.session.Session` is one."""

    link: Link
    training: bool
    late: LateEntry
    draft: str
    draft_refused: bool
    unsent: tuple[str, ...]
    on_change: Callable[[], None]
    on_news: Callable[[str], None]
    on_resolved: Callable[[Outcome], None]

    @property
    def now(self) -> TableNow:
        """The table to show."""

    @property
    def asks_pin(self) -> bool:
        """Whether people type a PIN; blocks. Raises LedgerLost."""

    @property
    def must_sign_on(self) -> bool:
        """Whether somebody must sign on first; blocks. Raises LedgerLost."""

    def awaits_code(self, staff: str) -> bool:
        """Whether they sign on with a one-time code; blocks. Raises LedgerLost."""

    def sign_on(self, staff: str, secret: str, new_pin: str | None = None) -> Outcome:
        """Signs a person on; blocks until the outcome is known."""

    def open(self) -> Outcome | None:
        """Reaches the ledger if it can; returns what to show first, or None."""

    def keep(self, draft: str, waiting: Sequence[str] = (), *, refused: bool = False) -> None:
        """Saves what is typed or was refused, and what waits, at every key."""

    def take(self, typed: str) -> None:
        """Saves a line that is entered; no kill loses it from now on."""

    @property
    def past(self) -> list[Entry]:
        """What was typed and answered here before this terminal was started."""

    def remember(self, kind: str, words: str) -> None:
        """Saves what is shown, for the terminal that is started after this one."""

    def say(self, typed: str, second: Second | None = None) -> Outcome:
        """Sends a line; blocks until its outcome is known."""


class Tongue(Protocol):
    """What the screen needs to know about typed lines; `prompts` is one."""

    def completions(self, typed: str, now: TableNow) -> list[str]:
        """Complete lines that begin so."""

    def is_whole(self, typed: str) -> bool:
        """Whether it is a complete line."""

    def hint(self, now: TableNow, /) -> str:
        """What can be typed now, in one line."""

    def help_lines(self, now: TableNow, topic: str = "") -> list[tuple[str, str]]:
        """What can be typed, and what it does."""


def _may_ask_who(line: str) -> bool:
    try:
        return may_ask_who(parse(line))
    except NotUnderstood:
        return False


class DealerScreen(Face, inherit_bindings=False):
    """One table on the full screen, with a line to type on that never waits."""

    CSS = (
        Face.CSS
        + """
    #head { height: 2; }
    #line { height: 1; width: 100%; }
    #prompt { width: 3; }
    Typed { width: 1fr; }
    Typed > .input--selection {
        background: $background; color: $foreground; text-style: bold reverse;
    }
    """
    )
    BINDINGS: ClassVar[list[BindingType]] = [Binding("f10,ctrl+q", "leave", show=False)]

    class Changed(Posted):
        """The table changed, or whether the ledger can be reached."""

    class News(Posted):
        """Somebody else did something at the table."""

        def __init__(self, words: str) -> None:
            super().__init__()
            self.words = words

    class Opened(Posted):
        """The session is open; `alone`: somebody must sign on first."""

        def __init__(self, first: Outcome | None, *, alone: bool) -> None:
            super().__init__()
            self.first = first
            self.alone = alone

    class Alone(Posted):
        """Somebody must sign on first, as is known only now."""

    class CodeAsked(Posted):
        """Whether a person signs on with a code is known, or why the ledger cannot say."""

        def __init__(self, staff: str, *, takes_code: bool = False, lost: str = "") -> None:
            super().__init__()
            self.staff = staff
            self.takes_code = takes_code
            self.lost = lost

    class SignedOn(Posted):
        """The outcome of a sign-on is known."""

        def __init__(self, outcome: Outcome) -> None:
            super().__init__()
            self.outcome = outcome

    class Resolved(Posted):
        """The outcome of a line whose answer was lost is known."""

        def __init__(self, outcome: Outcome) -> None:
            super().__init__()
            self.outcome = outcome

    class Answered(Posted):
        """The outcome of a line is known."""

        def __init__(self, line: str, outcome: Outcome, *, signed: bool, asks_pin: bool) -> None:
            super().__init__()
            self.line = line
            self.outcome = outcome
            self.signed = signed
            self.asks_pin = asks_pin

    def __init__(
        self,
        session: Talks,
        tongue: Tongue = prompts,
        theme: str = "dark",
        clock: Callable[[], datetime] | None = None,
    ) -> None:
        """`clock`: by default the house's."""
        super().__init__(theme)
        self._session = session
        self._tongue = tongue
        self._clock = clock or self._house_clock
        self._queue = Queue()
        self.messages: list[Message] = []
        self._recalled = False  # whether the messages from before are among them
        self._refusal = ""  # shown in place of the hint until the line is changed
        # The line and what waits, as they were saved last.
        self._saved: tuple[str, tuple[str, ...], bool] | None = None
        self._road = 0  # index in VIEWS
        self._stale = False  # whether a change was posted and not drawn yet
        self._on_screen = False  # whether the screen is there
        self.opened = False
        self._signing: SignOn | None = None  # the dialog, while it is open
        self._who_is_asked = False  # whether it was asked who is here
        self._unsigned = ""  # the line that a second person is asked for now
        self._holding = CHECKING  # why keys are held
        self._leaving = False  # F10 was pressed while a line had no answer
        self.page = Page()
        self.line = Typed(
            lambda typed: tongue.completions(typed, session.now),
            tongue.is_whole,
            self._entered,
            self._cleared,
            self._refuse,
            self._acts(),
        )

    def compose(self) -> ComposeResult:
        """The parts of the screen, from the top."""
        yield from self.page.above()
        with Horizontal(id="line"):
            yield Static(Text(" › ", "bold"), id="prompt")
            yield self.line
        yield from self.page.foot()

    @property
    def busy(self) -> bool:
        """Whether a line has no answer yet."""
        return self._queue.current is not None

    async def on_event(self, event: events.Event) -> None:
        """Keeps keys that are pressed before the line is ready; one that types closes a sheet."""
        if isinstance(event, events.Key) and not self.opened and self.focused is None:
            self.line.hold([event])
        elif isinstance(event, events.Key) and self._types_on(event.key):
            self.screen.dismiss()
            self.line.type_on(event)
        else:
            await super().on_event(event)

    def _types_on(self, key: str) -> bool:
        """Whether a key is for the line although there is something to read in front of it."""
        return isinstance(self.screen, Sheet) and key not in Sheet.KEYS

    # The session blocks, so it is called in threads, which post messages.
    def on_mount(self) -> None:
        """Shows the screen, and opens the session meanwhile."""
        self._session.on_change = self._changed
        self._session.on_news = lambda words: self.tell(self.News(words))
        self._session.on_resolved = lambda outcome: self.tell(self.Resolved(outcome))
        self.line.focus()
        self.line.hold()  # until it is known whether keys are for the line or for the sign-on
        self._on_screen = True
        self._draw()
        self.set_interval(1, self._draw)
        self.apart(self._open)

    def _changed(self) -> None:
        """Draws once, however often the table changes before that."""
        if self.is_running and not self._stale:
            self._stale = True
            self.tell(self.Changed())

    def _open(self) -> None:
        first = self._session.open()
        alone = self._session.link.up and self._is_alone()
        self.tell(self.Opened(first, alone=alone))

    def _look_who(self) -> None:
        """Asks once who is here, as soon as the ledger can be asked."""
        if not self._who_is_asked and self._session.link.up:
            self.apart(self._ask_who)

    def _ask_who(self) -> None:
        if self._is_alone():
            self.tell(self.Alone())

    def _is_alone(self) -> bool:
        try:
            alone = self._session.must_sign_on
        except (LedgerLost, NotFit):
            return False
        self._who_is_asked = True
        return alone

    def _send(self, line: str, second: Second | None) -> None:
        outcome = self._session.say(line, second)
        asks_pin = outcome.kind == "second" and self._asks_pin()
        signed = second is not None
        self.tell(self.Answered(line, outcome, signed=signed, asks_pin=asks_pin))

    def _asks_pin(self) -> bool:
        """Whether people type a PIN; yes, while the ledger cannot be asked. Blocks."""
        try:
            return self._session.asks_pin
        except LedgerLost:
            return True

    def on_dealer_screen_opened(self, event: Opened) -> None:
        """Brings back what a killed terminal left, and asks for the sign-on."""
        self.opened = True
        if self._who_is_asked and not event.alone:
            self._recall()
        self._bring_back_draft(typed_ahead=self.line.held and not event.alone)
        self._tell_unsent(self._session.unsent)
        if event.first:
            self._tell_outcome(event.first)
        if event.alone:
            self._ask_sign_on(_(ASKS))
        else:
            self.line.free()
        self._draw()

    def _bring_back_draft(self, *, typed_ahead: bool) -> None:
        """Puts the draft on the line, selected, or in the history if keys wait for the line.

        Selected, because after a kill somebody else may be typing: no key is added to the draft.
        """
        draft = self._session.draft
        if not draft:
            return
        if typed_ahead:
            self.line.history.add(draft)
            self._tell("note", _("Left from before, and in the history: {line}", line=draft))
            return
        self.line.give_back(draft)
        if not self._session.draft_refused:
            self._tell("note", _("Half typed before, and on the line: {line}", line=draft))

    def on_dealer_screen_resolved(self, event: Resolved) -> None:
        """Shows the outcome, and gives back what is left of the line."""
        self._tell_outcome(event.outcome)
        if event.outcome.left:
            self._give_back(event.outcome.left)
        self._draw()

    def on_dealer_screen_changed(self) -> None:
        """Draws the table."""
        self._stale = False
        if self._session.link.up and self._refusal == _(NOT_SENT):
            self._refusal = ""
        if self.opened:
            self._look_who()
        self._draw()

    def on_dealer_screen_news(self, event: News) -> None:
        """Shows what somebody else did."""
        self._tell("note", event.words)
        self._draw()

    # Lines: entered, sent one after the other, answered.
    def _entered(self, line: str) -> bool:
        """Whether the line is accepted; while nothing can be sent it stays."""
        if line.startswith("?"):
            self._help(line[1:].strip())
            return True
        if not self._session.link.up or not self.opened:
            self._refuse(_(NOT_SENT))
            return False
        self._enter(line)
        return True

    def _enter(self, line: str) -> None:
        self._refusal = ""
        self._leaving = False
        if _may_ask_who(line):
            self._holding = CHECKING
            self.line.hold()
        now = self._queue.enter(line)
        if now is not None:
            self._begin_sending(now)
        self._draw()

    def _begin_sending(self, line: str, second: Second | None = None) -> None:
        self._session.take(line)
        self.apart(self._send, line, second)

    def on_dealer_screen_answered(self, event: Answered) -> None:
        """Shows the outcome; the lines that wait are sent only if this one is done."""
        outcome = event.outcome
        if outcome.kind == "done":
            self._recall()
        if self._leaving:
            self._leaving, self._refusal = False, ""  # it has its answer
        following, unsent = self._queue.answered(outcome)
        if outcome.kind == "second":  # the keys that wait may be a PIN
            if event.signed:
                self._tell_refusal(outcome)
            self._ask_second(event.line, outcome, asks_pin=event.asks_pin)
        else:
            self._tell_outcome(outcome)
            if outcome.left:
                self._give_back(outcome.left)
            self._tell_unsent(unsent)
        if outcome.kind == "sign-on":
            left = outcome.left and _("`{line}` stays on the line.", line=outcome.left)
            self._ask_sign_on(f"{_(ASKS)} {left}".rstrip())
        if following is not None:
            self._begin_sending(following)
        self._let_go_of_keys(outcome)
        self._draw()

    def _let_go_of_keys(self, outcome: Outcome) -> None:
        """Types the keys that were held, or drops them if the line they followed failed."""
        if any(map(_may_ask_who, self._queue.lines)):
            return
        if outcome.kind in ("done", "answered"):
            self.line.free()
        elif self.line.forget_held():
            self._tell("refused", _("The keys typed meanwhile were ignored."))

    def _tell_outcome(self, outcome: Outcome) -> None:
        words = [each for each in outcome.words if each]
        if outcome.kind in ("done", "answered"):
            self._tell("done" if outcome.kind == "done" else "note", *words)
            return
        if outcome.kind == "sign-on":
            self._tell(
                "done", *(words[:-1] if outcome.left else words)
            )  # the dialog shows the rest
            return
        self._refusal = self._tell_refusal(outcome)

    def _tell_refusal(self, outcome: Outcome) -> str:
        """Shows what was done before, then why the rest was refused, and by which rule."""
        done, (*more, why) = outcome.words[: outcome.done], outcome.words[outcome.done :]
        if outcome.rule and outcome.rule not in why:
            why = with_rule(why, outcome.rule)
        self._tell("done", *done)
        if done:
            self._tell("refused", _("Done in part. The line shows what is left to do."))
        self._tell("refused", *more, why)
        return why

    def _recall(self) -> None:
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
                self.line.history.add(words)

    def _tell(self, kind: Kind, *words: str) -> None:
        for each in words:
            self._session.remember(kind, each)
        self.messages += [Message(kind, each) for each in words]
        del self.messages[:-MOST_MESSAGES]

    def _refuse(self, words: str) -> None:
        """Shows a refusal in place of the hint, and not among the messages: nothing was sent."""
        self._refusal = words
        self._draw()

    def _give_back(self, left: str) -> None:
        """Puts a line back, selected, or in the history if something else is typed already."""
        if self.line.value:
            self.line.history.add(left)
            self._tell("note", _("Not done, and in the history: {line}", line=left))
        else:
            self.line.give_back(left)

    def _tell_unsent(self, unsent: Sequence[str]) -> None:
        if not unsent:
            return
        for line in unsent:
            self.line.history.add(line)
        words = counted(
            len(unsent),
            "{n} line was not sent: {lines}. The Up key brings it back.",
            "{n} lines were not sent: {lines}. The Up key brings them back.",
            lines="; ".join(unsent),
        )
        self._tell("refused", shown(words))

    def _ask_second(self, line: str, outcome: Outcome, *, asks_pin: bool) -> None:
        left = outcome.left or line
        self._unsigned = left
        asked = SecondPerson(
            left, (*outcome.words, *outcome.asks), outcome.signer, asks_pin=asks_pin
        )
        self._ask_in_place(asked)
        self.push_screen(asked, lambda second: self._with_second(left, second))

    def _ask_in_place(self, asked: InPlace[Any]) -> None:
        """Passes the keys that were pressed already to the dialog, unseen."""
        asked.take(self.line.forget_held())
        self.line.onward = asked.first

    def _with_second(self, line: str, second: Second | None) -> None:
        self._unsigned, self.line.onward = "", None
        self.line.guarded = True
        if second is None:
            self._tell("note", _("Nobody signed: `{line}` is not done.", line=line))
            self._give_back(line)
            self._draw()
            return
        self._holding = SIGNED
        self.line.hold()  # the second person may be asked again
        self._queue.enter(line)
        self._begin_sending(line, second)
        self._draw()

    # Signing on.
    def on_dealer_screen_alone(self) -> None:
        """Asks for the sign-on."""
        self._ask_sign_on(_(ASKS))

    def _ask_sign_on(self, words: str) -> None:
        if self._signing is None:
            self._signing = SignOn(
                words,
                lambda staff: self.apart(self._ask_code, staff),
                lambda *typed: self.apart(self._sign_on, *typed),
                self.action_leave,
            )
            self._ask_in_place(self._signing)
            self.push_screen(self._signing, self._asked_to_sign_on)

    def _ask_code(self, staff: str) -> None:
        try:
            takes_code = self._session.awaits_code(staff)
        except (LedgerLost, NotFit) as error:
            lost = f"{shown(lost_words(one_line(error)))} {_(TRY_AGAIN)}"
            self.tell(self.CodeAsked(staff, lost=lost))
        else:
            self.tell(self.CodeAsked(staff, takes_code=takes_code))

    def _sign_on(self, staff: str, secret: str, new_pin: str | None) -> None:
        self.tell(self.SignedOn(self._session.sign_on(staff, secret, new_pin)))

    def on_dealer_screen_code_asked(self, event: CodeAsked) -> None:
        """Passes it to the dialog, if it is still open."""
        if self._signing is None:
            return
        if event.lost:
            self._signing.unasked(event.lost)
        else:
            self._signing.asked(event.staff, takes_code=event.takes_code)

    def on_dealer_screen_signed_on(self, event: SignedOn) -> None:
        """Closes the dialog, or shows there why the sign-on failed."""
        done = event.outcome.kind == "done"
        if self._signing is not None and not done:
            self._signing.judged(event.outcome)
            return
        if done:
            self._recall()
        self._tell_outcome(event.outcome)
        if done:
            self._refusal = ""
        if self._signing is not None:
            self._signing.dismiss(True)
        self._draw()

    def _asked_to_sign_on(self, signed_on: bool | None) -> None:
        self._signing = self.line.onward = None
        self.line.guarded = True
        if not signed_on:
            self._tell("note", _("Nobody signed on. The next line you enter asks again."))
            self._draw()

    # Keys.
    def on_input_changed(self, event: Input.Changed) -> None:
        """Saves what is typed, and marks the seats that it is about."""
        if event.input is not self.line:
            return
        self._draw()

    def _cleared(self) -> None:
        """The line is empty: no refusal is shown any more."""
        self._refusal = ""
        self._draw()

    def on_resize(self, _event: events.Resize) -> None:
        """Draws again in the new size."""
        self.call_later(self._draw)

    def _acts(self) -> Mapping[str, Callable[[], None]]:
        """What the keys in the last line do."""
        return {
            "f1": self._help,
            "f2": partial(self._by_key, "="),
            "f3": partial(self._by_key, "n"),
            "f4": partial(self._by_key, "s"),
            "f5": partial(self._by_key, "u"),
            "f6": partial(self._begin, "c "),
            "f7": self._for_the_shoe,
            "f8": self._supervisor,
            "f9": self._next_road,
            "f10": self.action_leave,
            "pageup": self._look_back,
            "ctrl+q": self.action_leave,
            "ctrl+c": self._stay,
        }

    def _by_key(self, line: str) -> None:
        """Enters a whole line by one key; what is typed stays."""
        if self._entered(line):
            self.line.history.add(line)

    def _begin(self, line: str) -> None:
        """Puts the beginning of a line, to be typed on."""
        self.line.put(line)

    def _for_the_shoe(self) -> None:
        """Enters what is due for the shoe, or begins the line if it needs more words."""
        line = shoe_line(self._session.now)
        if line is None:
            self._refuse(_("Nothing is due for the shoe now."))
        elif line.endswith(" "):
            self._begin(line)
        else:
            self._by_key(line)

    def _supervisor(self) -> None:
        """Begins a supervisor's line; pressed again, the next one."""
        typed = self.line.value
        at = SUPERVISOR.index(typed) + 1 if typed in SUPERVISOR else 0
        self._begin(SUPERVISOR[at % len(SUPERVISOR)])

    def _next_road(self) -> None:
        """Shows the next road."""
        self._road = (self._road + 1) % len(VIEWS)
        self._draw()

    def _help(self, topic: str = "") -> None:
        """Shows what can be typed now, or about a topic."""
        lines = self._tongue.help_lines(self._session.now, topic)
        self.push_screen(Help(lines if topic else [*lines, ("PageUp", _(LOOKS_BACK))]))

    def _look_back(self) -> None:
        """Shows all messages."""
        if self.messages:
            self.push_screen(Messages(self.messages))

    def _stay(self) -> None:
        """Ctrl-C: does not leave, so that nobody leaves a table by mistake."""
        self._refuse(_("F10 leaves the table."))

    def action_leave(self) -> None:
        """Leaves; while a line has no answer, only when pressed twice."""
        if self.busy and not self._leaving:
            self._leaving = True
            unanswered = self._queue.current or ""
            self._refuse(
                _("`{line}` has no answer yet. Press F10 again to leave anyway.", line=unanswered)
            )
            return
        self.exit()

    def _typed(self) -> tuple[str, tuple[str, ...], bool]:
        """What is on the line, what waits, and whether the line was entered and refused.

        A line that a second person is asked for counts as refused.
        """
        typed, waiting = self.line.value, tuple(self._queue.waiting)
        typed = "" if self.line.password else typed
        if not self._unsigned:
            return typed, waiting, self.line.refused
        if typed:
            return typed, (self._unsigned, *waiting), self.line.refused
        return self._unsigned, waiting, True

    # Drawing: each part only when it changed.
    def _keep(self, typed: tuple[str, tuple[str, ...], bool]) -> None:
        """Saves what a kill would lose, once what the last terminal left is shown."""
        if self.opened and typed != self._saved:
            self._saved = typed
            draft, waiting, refused = typed
            self._session.keep(draft, waiting, refused=refused)

    def _house_clock(self) -> datetime:
        return house_clock.wall_clock().astimezone(ZoneInfo(self._session.now.clock.zone))

    def _hint(self) -> str:
        if not self.opened:
            return _("Connecting to the ledger … Your keys are kept.")
        if self.line.holds:
            return _(self._holding)
        return self._tongue.hint(self._session.now)

    def _draw(self) -> None:
        if not self._on_screen:
            return
        session, queue = self._session, self._queue
        self._keep(self._typed())
        view = View(
            now=session.now,
            link=session.link if self.opened else Link(),
            clock=self._clock(),
            training=session.training,
            late=session.late.mark,
            typed=seats_typed(self.line.value),
            road=VIEWS[self._road],
            messages=tuple(self.messages),
            sending=queue.current,
            seconds=queue.seconds,
            waiting=tuple(queue.waiting),
            hint=self._hint(),
            refusal=self._refusal,
            to_mend=bool(self.line.value),
            selected=self.line.refused,
        )
        self.page.draw(view, *self.size)
