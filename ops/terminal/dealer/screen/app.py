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
from ops.terminal.dealer import prompts
from ops.terminal.dealer.due import shoe_line
from ops.terminal.dealer.feed_lines import may_ask_who
from ops.terminal.dealer.phrases import with_rule
from ops.terminal.dealer.screen.dialogs import (
    TRY_AGAIN,
    Help,
    InPlace,
    Messages,
    SecondPerson,
    SignOn,
)
from ops.terminal.dealer.screen.keys import SUPERVISOR
from ops.terminal.dealer.screen.messages import KEPT, Kind, Message
from ops.terminal.dealer.screen.page import Page, View
from ops.terminal.dealer.screen.roads import VIEWS
from ops.terminal.dealer.screen.saying import Saying
from ops.terminal.dealer.screen.typed import Typed
from ops.terminal.dealer.table_now import TableNow
from ops.typed.acts import NotUnderstood
from ops.typed.grammar import parse
from ops.typed.tokens import seats_typed
from ops.words.language import N_, _, shown
from ops.words.show import lost_words

NOT_SENT = N_("Nothing was sent: the ledger cannot be reached. What you typed stays.")
LOOKS_BACK = N_("all messages, the newest at the bottom")
ASKS = N_("Nobody is signed on at this terminal.")


class Talks(Protocol):
    """What the screen asks of a session: `ops.terminal.dealer.session.Session` itself."""

    link: Link
    training: bool
    draft: str
    draft_refused: bool
    unsent: tuple[str, ...]
    on_change: Callable[[], None]
    on_heard: Callable[[str], None]
    on_resolved: Callable[[Outcome], None]

    @property
    def now(self) -> TableNow:
        """The table as it is to be shown."""

    @property
    def asks_pin(self) -> bool:
        """Whether people prove who they are; blocks. Raises LedgerLost."""

    @property
    def must_sign_on(self) -> bool:
        """Whether nobody is heard here before they sign on; blocks. Raises LedgerLost."""

    def awaits_code(self, staff: str) -> bool:
        """Whether they sign on with a one-time code; blocks. Raises LedgerLost."""

    def sign_on(self, staff: str, secret: str, new_pin: str | None = None) -> Outcome:
        """Blocks until it is known whether work begins."""

    def open(self) -> Outcome | None:
        """Reaches the ledger, if it can be reached so soon; what there is to tell first."""

    def keep(self, draft: str, waiting: Sequence[str] = (), *, refused: bool = False) -> None:
        """What is typed, or was refused, and what waits, at every key."""

    def take(self, typed: str) -> None:
        """The line is entered; no kill loses it from now on."""

    def say(self, typed: str, second: Second | None = None) -> Outcome:
        """Blocks until it is known what became of the line."""


class Tongue(Protocol):
    """What the screen asks about typed lines: `prompts` itself."""

    def completions(self, typed: str, now: TableNow) -> list[str]:
        """Lines that this may become."""

    def is_whole(self, typed: str) -> bool:
        """Whether it can be said as it is."""

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
    """One table on the whole screen, and one line to type on, which never waits."""

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
        """The table, or whether the ledger can be reached, is not as it was."""

    class Heard(Posted):
        """Somebody else did something at the table."""

        def __init__(self, words: str) -> None:
            super().__init__()
            self.words = words

    class Opened(Posted):
        """The session is there, and maybe nobody at it who has to be."""

        def __init__(self, first: Outcome | None, *, alone: bool) -> None:
            super().__init__()
            self.first = first
            self.alone = alone

    class Alone(Posted):
        """Now it is known that nobody is signed on here, who has to be."""

    class CodeAsked(Posted):
        """It is known whether somebody signs on with a code, or why it is not."""

        def __init__(self, staff: str, *, takes_code: bool = False, lost: str = "") -> None:
            super().__init__()
            self.staff = staff
            self.takes_code = takes_code
            self.lost = lost

    class SignedOn(Posted):
        """It is known what became of a sign-on."""

        def __init__(self, outcome: Outcome) -> None:
            super().__init__()
            self.outcome = outcome

    class Resolved(Posted):
        """It is known what became of a line whose answer was lost."""

        def __init__(self, outcome: Outcome) -> None:
            super().__init__()
            self.outcome = outcome

    class Answered(Posted):
        """It is known what became of a line."""

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
        """Without a `clock` it is the house's."""
        super().__init__(theme)
        self._session = session
        self._tongue = tongue
        self._clock = clock or self._house_clock
        self._saying = Saying()
        self.messages: list[Message] = []
        self._refusal = ""  # shown in place of the hint until the line is changed
        # The line and what waits behind it, as the session has them.
        self._kept: tuple[str, tuple[str, ...], bool] | None = None
        self._road = 0  # which of VIEWS
        self._stale = False  # whether a change was posted and not drawn yet
        self._on_screen = False  # whether there is a screen to draw on
        self.opened = False
        self._signing: SignOn | None = None  # the dialog, while it is there
        self._who_is_asked = False  # whether somebody must sign on, and nobody asks it again
        self._unsigned = ""  # the line that a second person is asked for now
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
        """From the top."""
        yield from self.page.above()
        with Horizontal(id="line"):
            yield Static(Text(" › ", "bold"), id="prompt")
            yield self.line
        yield from self.page.foot()

    @property
    def busy(self) -> bool:
        """Whether a line has no answer yet."""
        return self._saying.current is not None

    async def on_event(self, event: events.Event) -> None:
        """A key that is pressed before the line is there to take it waits with those after it."""
        if isinstance(event, events.Key) and not self.opened and self.focused is None:
            self.line.hold([event])
        else:
            await super().on_event(event)

    # The session: it blocks, so it lives in threads of its own and posts what it has to tell.
    def on_mount(self) -> None:
        """The session is opened while the screen is there already."""
        self._session.on_change = self._changed
        self._session.on_heard = lambda words: self.tell(self.Heard(words))
        self._session.on_resolved = lambda outcome: self.tell(self.Resolved(outcome))
        self.line.focus()
        self.line.hold()  # until it is known for whom a key is meant: a line, or who signs on
        self._on_screen = True
        self._draw()
        self.set_interval(1, self._draw)
        self.apart(self._open)

    def _changed(self) -> None:
        """However often it changes before it is drawn, it is drawn once."""
        if self.is_running and not self._stale:
            self._stale = True
            self.tell(self.Changed())

    def _open(self) -> None:
        first = self._session.open()
        alone = self._session.link.up and self._is_alone()
        self.tell(self.Opened(first, alone=alone))

    def _look_who(self) -> None:
        """Once, as soon as the ledger can be asked; later a line that is refused says it."""
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

    def _say(self, line: str, second: Second | None) -> None:
        outcome = self._session.say(line, second)
        asks_pin = outcome.kind == "second" and self._asks_pin()
        signed = second is not None
        self.tell(self.Answered(line, outcome, signed=signed, asks_pin=asks_pin))

    def _asks_pin(self) -> bool:
        """Asked here, where it may take its time; a house that cannot be asked is closed."""
        try:
            return self._session.asks_pin
        except LedgerLost:
            return True

    def on_dealer_screen_opened(self, event: Opened) -> None:
        """What a killed terminal left is typed again, or told; who deals is asked first."""
        self.opened = True
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
        """On the line, selected; where keys wait for it, in the history.

        Nobody knows who sits down after a kill, so no key goes on from a line of before.
        """
        draft = self._session.draft
        if not draft:
            return
        if typed_ahead:
            self.line.history.add(draft)
            self._tell("heard", _("Left from before, and in the history: {line}", line=draft))
            return
        self.line.give_back(draft)
        if not self._session.draft_refused:
            self._tell("heard", _("Half typed before, and on the line: {line}", line=draft))

    def on_dealer_screen_resolved(self, event: Resolved) -> None:
        """What became of it, and what is left of it to be said again."""
        self._tell_outcome(event.outcome)
        if event.outcome.left:
            self._give_back(event.outcome.left)
        self._draw()

    def on_dealer_screen_changed(self) -> None:
        """The table as it is now."""
        self._stale = False
        if self._session.link.up and self._refusal == _(NOT_SENT):
            self._refusal = ""
        if self.opened:
            self._look_who()
        self._draw()

    def on_dealer_screen_heard(self, event: Heard) -> None:
        """What somebody else did."""
        self._tell("heard", event.words)
        self._draw()

    # Lines: entered, said one after the other, answered.
    def _entered(self, line: str) -> bool:
        """Whether the line is taken; while nothing can be sent it stays."""
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
            self.line.hold()
        now = self._saying.enter(line)
        if now is not None:
            self._begin_saying(now)
        self._draw()

    def _begin_saying(self, line: str, second: Second | None = None) -> None:
        self._session.take(line)
        self.apart(self._say, line, second)

    def on_dealer_screen_answered(self, event: Answered) -> None:
        """What came of it is told; what waits behind it goes only when it went well."""
        outcome = event.outcome
        if self._leaving:
            self._leaving, self._refusal = False, ""  # it has its answer
        following, unsent = self._saying.answered(outcome)
        if outcome.kind == "second":  # whatever waits, a PIN may be among it
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
            self._begin_saying(following)
        self._let_go_of_keys(outcome)
        self._draw()

    def _let_go_of_keys(self, outcome: Outcome) -> None:
        """Once nobody may be asked for any more; what was meant for somebody else's line is not."""
        if any(map(_may_ask_who, self._saying.lines)):
            return
        if outcome.kind in ("done", "answered"):
            self.line.free()
        elif self.line.forget_held():
            self._tell("refused", _("The keys typed meanwhile were ignored."))

    def _tell_outcome(self, outcome: Outcome) -> None:
        words = [each for each in outcome.words if each]
        if outcome.kind in ("done", "answered"):
            self._tell("done" if outcome.kind == "done" else "heard", *words)
            return
        if outcome.kind == "sign-on":
            self._tell("done", *(words[:-1] if outcome.left else words))  # the dialog says the rest
            return
        self._refusal = self._tell_refusal(outcome)

    def _tell_refusal(self, outcome: Outcome) -> str:
        """Shows what was done before, then why the rest was refused, and by which rule."""
        done, (*more, why) = outcome.words[: outcome.done], outcome.words[outcome.done :]
        if outcome.rule and outcome.rule not in why:
            why = with_rule(why, outcome.rule)
        self._tell("done", *done)
        self._tell("refused", *more, why)
        return why

    def _tell(self, kind: Kind, *words: str) -> None:
        self.messages += [Message(kind, each) for each in words]
        del self.messages[:-KEPT]

    def _refuse(self, words: str) -> None:
        """Said in place of the hint; nothing was sent, so nothing is kept of it."""
        self._refusal = words
        self._draw()

    def _give_back(self, left: str) -> None:
        """Selected on the line; where something is typed there already, in the history."""
        if self.line.value:
            self.line.history.add(left)
            self._tell("heard", _("Not done, and in the history: {line}", line=left))
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
        asked = SecondPerson(left, outcome.words, asks_pin=asks_pin)
        self._ask_in_place(asked)
        self.push_screen(asked, lambda second: self._with_second(left, second))

    def _ask_in_place(self, asked: InPlace[Any]) -> None:
        """What was pressed ahead of the question is its answer, and is seen as little."""
        asked.take(self.line.forget_held())
        self.line.onward = asked.first

    def _with_second(self, line: str, second: Second | None) -> None:
        self._unsigned, self.line.onward = "", None
        if second is None:
            self._tell("heard", _("Nobody signed: `{line}` is not done.", line=line))
            self._give_back(line)
            self._draw()
            return
        self.line.hold()  # whoever signed may be asked again
        self._saying.enter(line)
        self._begin_saying(line, second)
        self._draw()

    # Signing on.
    def on_dealer_screen_alone(self) -> None:
        """Whoever deals is asked as soon as the ledger can be."""
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
        """The dialog goes on, if it is still there."""
        if self._signing is None:
            return
        if event.lost:
            self._signing.unasked(event.lost)
        else:
            self._signing.asked(event.staff, takes_code=event.takes_code)

    def on_dealer_screen_signed_on(self, event: SignedOn) -> None:
        """Work begins, or the dialog says why not."""
        done = event.outcome.kind == "done"
        if self._signing is not None and not done:
            self._signing.judged(event.outcome)
            return
        self._tell_outcome(event.outcome)
        if done:
            self._refusal = ""
        if self._signing is not None:
            self._signing.dismiss(True)
        self._draw()

    def _asked_to_sign_on(self, signed_on: bool | None) -> None:
        self._signing = self.line.onward = None
        if not signed_on:
            self._tell("heard", _("Nobody signed on. The next line you enter asks again."))
            self._draw()

    # Keys.
    def on_input_changed(self, event: Input.Changed) -> None:
        """What is typed is kept, and the seat that it is about stands out."""
        if event.input is not self.line:
            return
        self._draw()

    def _cleared(self) -> None:
        """Nothing is left to be mended."""
        self._refusal = ""
        self._draw()

    def on_resize(self, _event: events.Resize) -> None:
        """As wide and high as there is room, once that is known."""
        self.call_later(self._draw)

    def _acts(self) -> Mapping[str, Callable[[], None]]:
        """What the keys do, as the foot of the screen says."""
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
        """A whole line by one key; what is typed stays."""
        if self._entered(line):
            self.line.history.add(line)

    def _begin(self, line: str) -> None:
        """The line begins so, and the rest is typed."""
        self.line.put(line)

    def _for_the_shoe(self) -> None:
        """What is due for the shoe: done where no word is wanting, else begun."""
        line = shoe_line(self._session.now)
        if line is None:
            self._refuse(_("Nothing is due for the shoe now."))
        elif line.endswith(" "):
            self._begin(line)
        else:
            self._by_key(line)

    def _supervisor(self) -> None:
        """What a supervisor does, one after the other."""
        typed = self.line.value
        at = SUPERVISOR.index(typed) + 1 if typed in SUPERVISOR else 0
        self._begin(SUPERVISOR[at % len(SUPERVISOR)])

    def _next_road(self) -> None:
        """Big road, bead plate, derived roads."""
        self._road = (self._road + 1) % len(VIEWS)
        self._draw()

    def _help(self, topic: str = "") -> None:
        """What can be typed now, or about one thing."""
        lines = self._tongue.help_lines(self._session.now, topic)
        self.push_screen(Help(lines if topic else [*lines, ("PageUp", _(LOOKS_BACK))]))

    def _look_back(self) -> None:
        """All that was said, for which the table leaves no room."""
        if self.messages:
            self.push_screen(Messages(self.messages))

    def _stay(self) -> None:
        """Ctrl-C leaves no table by mistake."""
        self._refuse(_("F10 leaves the table."))

    def action_leave(self) -> None:
        """At once; with a line in flight only when it is meant."""
        if self.busy and not self._leaving:
            self._leaving = True
            unanswered = self._saying.current or ""
            self._refuse(
                _("`{line}` has no answer yet. Press F10 again to leave anyway.", line=unanswered)
            )
            return
        self.exit()

    def _typed(self) -> tuple[str, tuple[str, ...], bool]:
        """What is on the line, what waits, and whether the line was entered and is not done.

        A line that is signed now is neither, and stays.
        """
        typed, waiting = self.line.value, tuple(self._saying.waiting)
        if not self._unsigned:
            return typed, waiting, self.line.refused
        if typed:
            return typed, (self._unsigned, *waiting), self.line.refused
        return self._unsigned, waiting, True

    # Drawing: each part only when what it shows is not what it showed.
    def _keep(self, typed: tuple[str, tuple[str, ...], bool]) -> None:
        """What a killed terminal would lose; not before what the last one left is on the screen."""
        if self.opened and typed != self._kept:
            self._kept = typed
            draft, waiting, refused = typed
            self._session.keep(draft, waiting, refused=refused)

    def _house_clock(self) -> datetime:
        return house_clock.wall_clock().astimezone(ZoneInfo(self._session.now.zone))

    def _hint(self) -> str:
        if not self.opened:
            return _("Connecting to the ledger … Your keys are kept.")
        if self.line.holds:
            return _("Checking whether a second person must sign. Your keys are kept.")
        return self._tongue.hint(self._session.now)

    def _draw(self) -> None:
        if not self._on_screen:
            return
        session, saying = self._session, self._saying
        self._keep(self._typed())
        view = View(
            now=session.now,
            link=session.link if self.opened else Link(),
            clock=self._clock(),
            training=session.training,
            typed=seats_typed(self.line.value),
            road=VIEWS[self._road],
            said=tuple(self.messages),
            saying=saying.current,
            seconds=saying.seconds,
            waiting=tuple(saying.waiting),
            hint=self._hint(),
            refusal=self._refusal,
            to_mend=bool(self.line.value),
            selected=self.line.refused,
        )
        self.page.draw(view, *self.size)
