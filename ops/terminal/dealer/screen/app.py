"""The dealer's screen: the table now, what is due, and one line to type on."""

from collections.abc import Callable
from datetime import datetime
from typing import Any, ClassVar
from zoneinfo import ZoneInfo

from rich.text import Text
from textual import events
from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.containers import Horizontal
from textual.screen import Screen as TextualScreen
from textual.widgets import Input, Static

from ops.kit.app import Face
from ops.kit.outcome import Link
from ops.ledger import clock as house_clock
from ops.terminal.dealer import prompts
from ops.terminal.dealer.screen.by_key import ByKey
from ops.terminal.dealer.screen.dialogs import InPlace, Sheet
from ops.terminal.dealer.screen.notes import Notes
from ops.terminal.dealer.screen.page import Page, View
from ops.terminal.dealer.screen.posts import (
    Answered,
    Changed,
    CodeAsked,
    News,
    Opened,
    Resolved,
    SignedOn,
)
from ops.terminal.dealer.screen.roads import VIEWS
from ops.terminal.dealer.screen.sending import LinesTyped, Sending
from ops.terminal.dealer.screen.signing_on import ASKS, SigningOn
from ops.terminal.dealer.screen.talks import Talks, Tongue
from ops.terminal.dealer.screen.typed import Typed
from ops.typed.tokens import seats_typed
from ops.words.language import N_, _

NOT_SENT = N_("Nothing was sent: the ledger cannot be reached. What you typed stays.")


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

    def __init__(
        self,
        session: Talks,
        tongue: Tongue = prompts,
        theme: str = "dark",
        clock: Callable[[], datetime] | None = None,
    ) -> None:
        """`clock`: by default the house's."""
        super().__init__(theme)
        self.session = session
        self.tongue = tongue
        self._clock = clock or (lambda: _house_time(session.now.clock.zone))
        # The line and what waits, as they were saved last.
        self._saved: LinesTyped | None = None
        self.road = 0  # index in VIEWS
        self._stale = False  # whether a change was posted and not drawn yet
        self._on_screen = False  # whether the screen is there
        self.opened = False
        self.signing = SigningOn(self)
        self.by_key = ByKey(self)
        self.sending = Sending(self)
        self.page = Page()
        self.line = Typed(
            lambda typed: tongue.completions(typed, session.now),
            tongue.is_whole,
            self.enter,
            self._cleared,
            self.refuse,
            self.by_key.all(),
        )
        self.notes = Notes(session, self.line)

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
        return self.sending.queue.current is not None

    async def on_event(self, event: events.Event) -> None:
        """Keeps keys that are pressed before the line is ready; one that types closes a sheet."""
        if isinstance(event, events.Key) and not self.opened and self.focused is None:
            self.line.hold([event])
        elif isinstance(event, events.Key) and _types_on(self.screen, event.key):
            self.screen.dismiss()
            self.line.type_on(event)
        else:
            await super().on_event(event)

    # The session blocks, so it is called in threads, which post messages.
    def on_mount(self) -> None:
        """Shows the screen, and opens the session meanwhile."""
        self.session.on_change = self._changed
        self.session.on_news = lambda words: self.tell(News(words))
        self.session.on_resolved = lambda outcome: self.tell(Resolved(outcome))
        self.line.focus()
        self.line.hold()  # until it is known whether keys are for the line or for the sign-on
        self._on_screen = True
        self.draw()
        self.set_interval(1, self.draw)
        self.apart(self._open)

    def _changed(self) -> None:
        """Draws once, however often the table changes before that."""
        if self.is_running and not self._stale:
            self._stale = True
            self.tell(Changed())

    def _open(self) -> None:
        first = self.session.open()
        alone = self.session.link.up and self.signing.is_alone()
        self.tell(Opened(first, alone=alone))

    def on_opened(self, event: Opened) -> None:
        """Brings back what a killed terminal left, and asks for the sign-on."""
        self.opened = True
        if self.signing.who_is_asked and not event.alone:
            self.notes.recall()
        self.notes.bring_back_draft(typed_ahead=self.line.held and not event.alone)
        self.notes.tell_unsent(self.session.unsent)
        if event.first:
            self.notes.tell(event.first)
        if event.alone:
            self.signing.ask(_(ASKS))
        else:
            self.line.free()
        self.draw()

    def on_resolved(self, event: Resolved) -> None:
        """Shows the outcome, and gives back what is left of the line."""
        self.notes.tell(event.outcome)
        if event.outcome.left:
            self.notes.give_back(event.outcome.left)
        self.draw()

    def on_changed(self) -> None:
        """Draws the table."""
        self._stale = False
        if self.session.link.up and self.notes.refusal == _(NOT_SENT):
            self.notes.refusal = ""
        if self.opened:
            self.signing.look_who()
        self.draw()

    def on_news(self, event: News) -> None:
        """Shows what somebody else did."""
        self.notes.add("note", event.words)
        self.draw()

    # Lines: entered, sent one after the other, answered.
    def enter(self, line: str) -> bool:
        """Whether the line is accepted; while nothing can be sent it stays."""
        if line.startswith("?"):
            self.by_key.help(line[1:].strip())
            return True
        if not self.session.link.up or not self.opened:
            self.refuse(_(NOT_SENT))
            return False
        self.sending.enter(line)
        return True

    def on_answered(self, event: Answered) -> None:
        """Shows the outcome, and asks for the sign-on if nobody is signed on."""
        outcome = event.outcome
        self.sending.answered(event)
        if outcome.kind == "sign-on":
            left = outcome.left and _("`{line}` stays on the line.", line=outcome.left)
            self.signing.ask(f"{_(ASKS)} {left}".rstrip())
        self.sending.let_go_of_keys(outcome)
        self.draw()

    def refuse(self, words: str) -> None:
        """Shows a refusal in place of the hint, and not among the messages: nothing was sent."""
        self.notes.refusal = words
        self.draw()

    def ask_in_place(self, asked: InPlace[Any]) -> None:
        """Passes the keys that were pressed already to the dialog, unseen."""
        asked.take(self.line.forget_held())
        self.line.onward = asked.first

    # Signing on.
    def on_alone(self) -> None:
        """Asks for the sign-on."""
        self.signing.alone()

    def on_code_asked(self, event: CodeAsked) -> None:
        """Passes it to the dialog, if it is still open."""
        self.signing.code_asked(event)

    def on_signed_on(self, event: SignedOn) -> None:
        """Closes the dialog, or shows there why the sign-on failed."""
        self.signing.signed_on(event)

    # Keys.
    def on_input_changed(self, event: Input.Changed) -> None:
        """Saves what is typed, and marks the seats that it is about."""
        if event.input is not self.line:
            return
        self.draw()

    def _cleared(self) -> None:
        """The line is empty: no refusal is shown any more."""
        self.notes.refusal = ""
        self.draw()

    def on_resize(self, _event: events.Resize) -> None:
        """Draws again in the new size."""
        self.call_later(self.draw)

    def action_leave(self) -> None:
        """Leaves; while a line has no answer, only when pressed twice."""
        if self.sending.may_leave():
            self.exit()

    # Drawing: each part only when it changed.
    def _keep(self, typed: LinesTyped) -> None:
        """Saves what a kill would lose, once what the last terminal left is shown."""
        if self.opened and typed != self._saved:
            self._saved = typed
            draft, waiting, refused = typed
            self.session.keep(draft, waiting, refused=refused)

    def _hint(self) -> str:
        if not self.opened:
            return _("Connecting to the ledger … Your keys are kept.")
        if self.line.holds:
            return _(self.sending.holding)
        return self.tongue.hint(self.session.now)

    def draw(self) -> None:
        """Draws what changed, and saves what is typed."""
        if not self._on_screen:
            return
        session, queue = self.session, self.sending.queue
        self._keep(self.sending.typed())
        view = View(
            now=session.now,
            link=session.link if self.opened else Link(),
            clock=self._clock(),
            training=session.training,
            late=session.late.mark,
            typed=seats_typed(self.line.value),
            road=VIEWS[self.road],
            messages=tuple(self.notes.messages),
            sending=queue.current,
            seconds=queue.seconds,
            waiting=tuple(queue.waiting),
            hint=self._hint(),
            refusal=self.notes.refusal,
            to_mend=bool(self.line.value),
            selected=self.line.refused,
        )
        self.page.draw(view, *self.size)


def _house_time(zone: str) -> datetime:
    return house_clock.wall_clock().astimezone(ZoneInfo(zone))


def _types_on(shown: TextualScreen[Any], key: str) -> bool:
    """Whether a key is for the line although there is something to read in front of it."""
    return isinstance(shown, Sheet) and key not in Sheet.KEYS
