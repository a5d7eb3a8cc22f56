"""The pit boss's screen: pages on a stack, and the keys that move between them.

Reading and acknowledging run on threads, so that no key waits for them.
"""

from collections.abc import Callable
from functools import partial
from typing import ClassVar

from msgspec.structs import replace
from textual import events
from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.widgets import Input

from ops.board.rows import Seen
from ops.kit.app import Face
from ops.kit.outcome import Outcome
from ops.ledger.database import LedgerLost
from ops.now.books import Books
from ops.terminal.pit.acknowledger import Acknowledger
from ops.terminal.pit.alerts_view import AlertsView
from ops.terminal.pit.asking import Asking
from ops.terminal.pit.commission_view import CommissionView
from ops.terminal.pit.coup_view import CoupView
from ops.terminal.pit.frame import FILTER, READ_ONLY
from ops.terminal.pit.help_view import HelpView
from ops.terminal.pit.messages import Answered, BoardChanged, Read
from ops.terminal.pit.page import Known, Page
from ops.terminal.pit.pit_view import PitView
from ops.terminal.pit.reading import Reading
from ops.terminal.pit.sight import Looker, Sight
from ops.terminal.pit.table_view import TableView
from ops.terminal.pit.view import View
from ops.terminal.pit.watch import Follows, Watch
from ops.words.language import _

PAGE = 10  # lines of a list


class PitApp(Face, inherit_bindings=False):
    """The screen: the board, and the pages above it on the stack."""

    AUTO_FOCUS = None
    BINDINGS: ClassVar[list[BindingType]] = [Binding("ctrl+c", "quit", priority=True, show=False)]
    CSS = (
        Face.CSS
        + """
    #head { height: 3; }
    #body { height: 1fr; }
    #outcome { display: none; }
    #ask { height: 1; display: none; background: $background; }
    #typed, #typed:focus {
        border: none; height: 1; padding: 0; width: 1fr;
        background: $background; background-tint: $background; color: $foreground;
    }
    """
    )

    def __init__(
        self, board: Follows, books: Books, acknowledger: Acknowledger, theme: str = "dark"
    ) -> None:
        super().__init__(theme)
        self.acknowledger = acknowledger
        self.views: list[View] = [PitView()]
        self.sight: Sight | None = None
        self._lost: LedgerLost | None = None
        self._outcome: Outcome | None = None
        self._asking = Asking()
        self._page = Page(self._asking)
        self._reading = Reading(books, self.apart, self.tell)
        self._looker: Looker | None = None
        self._rung: frozenset[str] | None = None  # the alerts that rang; None: nothing was read yet
        self._watch = Watch(board, self._board_changed, lambda error: self.tell(self.Failed(error)))

    def compose(self) -> ComposeResult:
        """The panes, from top to bottom."""
        return self._page.parts()

    def on_mount(self) -> None:
        """Starts to follow the board."""
        self._watch.start()
        self.draw()

    def on_unmount(self) -> None:
        """Stops following."""
        self._watch.stop()

    def on_resize(self, _event: events.Resize) -> None:
        """Draws again in the screen's new size."""
        self.call_after_refresh(self.draw)

    # From other threads.
    def _board_changed(self, state: Seen | LedgerLost) -> None:
        """Takes a state on the board's thread; asks once who looks, when the ledger answers."""
        if self._looker is None and isinstance(state, Seen):
            try:
                self._looker = self.acknowledger.looker()
            except LedgerLost as error:
                state = error
        self.tell(BoardChanged(state, self._looker))

    def on_board_changed(self, changed: BoardChanged) -> None:
        """Shows the board's last state; sends a line without an answer again."""
        state = changed.state
        if isinstance(state, LedgerLost):
            self._lost = state
            self.sight = replace(self.sight, lost=state) if self.sight else None
        else:
            if self._lost or self.sight is None:
                self._come_back()
            self.sight = Sight(state, changed.looker or Looker())
            self._ring(state)
            self._read()
        self.draw()

    def _ring(self, state: Seen) -> None:
        """Rings for a new alert of the first rank; those that were there at the start are seen."""
        ringing = state.ringing
        if self._rung is not None and ringing - self._rung:
            self.bell()
        self._rung = ringing

    def _come_back(self) -> None:
        self._lost = None
        if self.acknowledger.unanswered:
            self._in_background(self.acknowledger.ask_again)

    @property
    def view(self) -> View:
        """The page that is shown."""
        return self.views[-1]

    def _read(self) -> None:
        """Brings the page up to date."""
        self._reading.bring(self.view, self.sight)

    def on_read(self, read: Read) -> None:
        """Shows the contents of the page, and reads again if the ledger grew meanwhile."""
        if self._reading.take(read) and read.view is self.view:
            self._read()
            self.draw()

    def _in_background(self, ask: Callable[[], Outcome | None]) -> None:
        self.apart(self._ask_apart, ask)

    def _ask_apart(self, ask: Callable[[], Outcome | None]) -> None:
        outcome = ask()
        if outcome:
            self.tell(Answered(outcome))

    def on_answered(self, answered: Answered) -> None:
        """Shows the outcome."""
        self._outcome = answered.outcome
        self.draw()

    # Keys.
    def on_key(self, event: events.Key) -> None:
        """Handles one key; while a line is typed, keys go there."""
        if self._asking.what:
            if event.key == "escape":
                event.stop()
                self._stop_asking(keep=False)
            return
        self._forget_outcome()
        act = self._acts().get(event.character or "") or self._acts().get(event.key)
        if act:
            event.stop()
            act()
        self.draw()

    def _acts(self) -> dict[str, Callable[[], object]]:
        page = self._page.lines if isinstance(self.view, CoupView) else PAGE
        return {
            **dict.fromkeys(("down", "j"), partial(self._move, 1)),
            **dict.fromkeys(("up", "k"), partial(self._move, -1)),
            "pagedown": partial(self._move, page),
            "pageup": partial(self._move, -page),
            **dict.fromkeys(("home", "g"), partial(self._move, -1_000_000)),
            **dict.fromkeys(("end", "G"), partial(self._move, 1_000_000)),
            **dict.fromkeys(("enter", "right", "l"), self._into),
            **dict.fromkeys(("escape", "left", "h", "backspace"), self._back),
            "a": partial(self._open_beside, AlertsView),
            "c": partial(self._open_beside, CommissionView),
            "o": self._open_its_coup,
            **dict.fromkeys(("?", "f1"), self._help),
            "/": partial(self._asking.filter, self.view.sieve),
            "!": self._only_needs,
            "r": self._read_again,
            "[": partial(self._step, -1),
            "]": partial(self._step, 1),
            **dict.fromkeys(("q", "f10", "ctrl+q"), self.exit),
        }

    def _move(self, steps: int) -> None:
        if isinstance(self.view, CoupView):
            self.view.scroll(steps)
        elif self.sight:
            self.view.move(self.sight, steps)

    def _into(self) -> None:
        if self.sight is None:
            return
        if isinstance(self.view, AlertsView):
            self._ask_acknowledge(self.view, self.sight)
            return
        self._open(self.view.into(self.sight))

    def _open(self, view: View | None) -> None:
        if view:
            self.views.append(view)
            self._read()

    def _back(self) -> None:
        if self.view.sieve:
            self.view.sieve = type(self.view.sieve)()
        elif len(self.views) > 1:
            self.views.pop()
            self._read()

    def _open_beside(self, kind: type[AlertsView] | type[CommissionView]) -> None:
        """Opens the alerts or the commission of the selected table, or of the whole pit."""
        if not isinstance(self.view, kind):
            tables = [each.code for each in self.views if isinstance(each, TableView)]
            self._open(kind(tables[-1] if tables else None))

    def _open_its_coup(self) -> None:
        """Opens the coup at which the alert was raised."""
        if self.sight is None or not isinstance(self.view, AlertsView):
            return
        fold = self.view.fold(self.sight, self.view.selected(self.sight))
        if fold and fold[0].coup:
            self._open(CoupView(fold[0].coup))
        elif fold:
            self._outcome = Outcome("refused", ("This alert is about no coup.",))

    def _help(self) -> None:
        """Opens the help, or closes it."""
        if isinstance(self.view, HelpView):
            self._back()
        else:
            self._open(HelpView())

    def _only_needs(self) -> None:
        sieve = self.view.sieve
        self.view.sieve = replace(sieve, only_needs=not sieve.only_needs)

    def _read_again(self) -> None:
        self.view.read_at = None
        self._read()

    def _step(self, steps: int) -> None:
        if isinstance(self.view, CoupView) and self.sight and not self.sight.lost:
            self._reading.step(self.view, self.sight, steps)

    # The line for a filter or a note.
    def _ask_acknowledge(self, view: AlertsView, sight: Sight) -> None:
        name = view.selected(sight)
        fold = view.fold(sight, name)
        if fold is None:
            return
        if sight.looker.barred:
            why = f"{READ_ONLY}: {sight.looker.barred}"
            self._outcome = Outcome("refused", (why,))
        elif not fold[0].acknowledgeable:
            why = "This alert cannot be acknowledged: it leaves once its cause is repaired."
            self._outcome = Outcome("refused", (why,))
        else:
            self._asking.note(name)

    def on_input_changed(self, _event: Input.Changed) -> None:
        """Filters the list by what is typed."""
        if self._asking.what == FILTER:
            self.view.sieve = self._asking.sieve()
            self.draw()

    def on_input_submitted(self, _event: Input.Submitted) -> None:
        """Ends the line."""
        if self._asking.what:
            self._stop_asking(keep=True)

    def _stop_asking(self, *, keep: bool) -> None:
        asked = self._asking.end()
        if asked == FILTER:
            self.view.sieve = self._asking.sieve(keep=keep)
        elif keep:
            note = self._asking.line.value.strip()
            self._outcome = Outcome("answered", (_("Acknowledging {alert} …", alert=asked),))
            self._in_background(partial(self.acknowledger.acknowledge, asked, note))
        self.draw()

    def _forget_outcome(self) -> None:
        """Clears the outcome, unless the line has no answer yet."""
        if not (self._outcome and self._outcome.kind == "lost" and self.acknowledger.unanswered):
            self._outcome = None

    def draw(self) -> None:
        """Draws everything."""
        if self._page.foot.is_attached:  # after composing
            known = Known(self.sight, self._lost, self.views, self._outcome)
            self._page.draw(known, *self.size)
