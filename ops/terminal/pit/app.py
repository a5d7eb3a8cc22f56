"""The pit boss's screen: pages on a stack, the keys that move between them, the ledger behind.

Reading and saying happen on threads; whatever they bring is shown when it is there, so that a key
is never waited for.
"""

import asyncio
import signal
from collections.abc import Callable
from contextlib import suppress
from dataclasses import replace
from functools import partial
from typing import Any, ClassVar

from rich.text import Text
from textual import events
from textual.app import App, ComposeResult
from textual.binding import Binding, BindingType
from textual.containers import Horizontal
from textual.message import Message
from textual.widgets import Input

from ops.board import Seen
from ops.cli import exit_status, in_words
from ops.database import LedgerLost
from ops.terminal.outcome import Outcome
from ops.terminal.pit import frame
from ops.terminal.pit.alerts_view import AlertsView
from ops.terminal.pit.books import Books, CoupBook
from ops.terminal.pit.commission_view import CommissionView
from ops.terminal.pit.coup_view import CoupView
from ops.terminal.pit.help_view import HelpView
from ops.terminal.pit.lines import Lines
from ops.terminal.pit.look import PALETTES
from ops.terminal.pit.messages import Answered, Failed, Heard, Read
from ops.terminal.pit.mouth import Mouth
from ops.terminal.pit.pit_view import PitView
from ops.terminal.pit.sight import Looker, Sight
from ops.terminal.pit.table_view import TableView
from ops.terminal.pit.view import View
from ops.terminal.pit.watch import Follows, Watch

PAGE = 10  # lines of a list


class PitApp(App[Exception]):
    """Returns what made it end, if anything did but whoever used it."""

    ENABLE_COMMAND_PALETTE = False
    AUTO_FOCUS = None
    BINDINGS: ClassVar[list[BindingType]] = [Binding("ctrl+c", "quit", priority=True, show=False)]
    CSS = """
    Screen { layout: vertical; background: $background; color: $foreground; }
    Lines { width: 100%; background: $background; color: $foreground; }
    #head { height: 3; }
    #body { height: 1fr; }
    #said { height: auto; display: none; }
    #ask { height: 1; display: none; background: $background; }
    #prompt { height: 1; }
    #typed, #typed:focus {
        border: none; height: 1; padding: 0; width: 1fr;
        background: $background; background-tint: $background; color: $foreground;
    }
    #foot { height: 1; }
    """

    def __init__(
        self,
        board: Follows,
        books: Books,
        mouth: Mouth,
        theme: str = "dark",
        *,
        plain: bool = False,
    ) -> None:
        """`plain`: in no colours at all, as a terminal that knows none."""
        super().__init__(ansi_color=True if plain else None)
        palette = PALETTES[theme]
        self.register_theme(palette.theme())
        self.theme = palette.theme().name
        self.ansi_theme_dark = self.ansi_theme_light = palette.ansi()
        self.books = books
        self.mouth = mouth
        self.views: list[View] = [PitView()]
        self.sight: Sight | None = None
        self._lost: LedgerLost | None = None
        self._said: Outcome | None = None
        self._asking = ""  # frame.FILTER, or the name of an alert
        self._before = PitView().sieve  # what a filter was before it was typed
        self._reading: set[View] = set()
        self._looker: Looker | None = None
        self._watch = Watch(board, self._hear, lambda error: self._post(Failed(error)))

    def compose(self) -> ComposeResult:
        """Head, page, what is said and asked, keys."""
        yield Lines("head")
        yield Lines("body")
        yield Lines("said")
        with Horizontal(id="ask"):
            yield Lines("prompt")
            yield Input(id="typed", select_on_focus=False)
        yield Lines("foot")

    def on_mount(self) -> None:
        """From now on the board tells."""
        self.query_one(Input).cursor_blink = False
        with suppress(NotImplementedError, RuntimeError):
            asyncio.get_running_loop().add_signal_handler(signal.SIGTERM, self.exit)
        self._watch.start()
        self.draw()

    def on_unmount(self) -> None:
        """Nobody is told anything any more."""
        self._watch.stop()

    def on_resize(self, _: events.Resize) -> None:
        """Drawn anew, as wide and high as there is room."""
        self.call_after_refresh(self.draw)

    # What other threads bring.
    def _post(self, message: Message) -> None:
        self.post_message(message)

    def _hear(self, told: Seen | LedgerLost) -> None:
        """On the board's thread; who looks is asked once, as soon as the ledger can be."""
        if self._looker is None and isinstance(told, Seen):
            try:
                self._looker = self.mouth.looker()
            except LedgerLost as error:
                told = error
        self._post(Heard(told, self._looker))

    def on_heard(self, heard: Heard) -> None:
        """The board's last word; what could not be said meanwhile is asked again."""
        told = heard.told
        if isinstance(told, LedgerLost):
            self._lost = told
            self.sight = replace(self.sight, lost=told) if self.sight else None
        else:
            if self._lost:
                self._come_back()
            self.sight = Sight(told, heard.looker or Looker())
            self._read()
        self.draw()

    def _come_back(self) -> None:
        self._lost = None
        if self.mouth.unanswered:
            self._say(self.mouth.ask_again)

    def on_failed(self, failed: Failed) -> None:
        """The program ends, and whoever started it says why."""
        self.exit(failed.error)

    @property
    def view(self) -> View:
        """The page that is shown."""
        return self.views[-1]

    def _read(self) -> None:
        """What the page shows is brought up to date, on a thread of its own."""
        view, sight = self.view, self.sight
        if not view.reads or view in self._reading or sight is None or sight.lost:
            return
        if view.read_at == sight.seen.position:
            return
        self._reading.add(view)
        ask = partial(view.read, self.books, sight)
        if view.read_at is not None and isinstance(view, CoupView) and view.book:
            ask = partial(self._look_on, view.book)
        self._on_thread(partial(self._read_on_thread, view, sight.seen.position, ask))

    def _look_on(self, book: CoupBook) -> CoupBook:
        """The coup as it was read; whether its record went on since."""
        return replace(book, goes_on=self.books.goes_on(book.found))

    def _read_on_thread(self, view: View, position: int, ask: Callable[[], Any]) -> None:
        try:
            read = Read(view, position, ask())
        except LedgerLost:
            read = Read(view, position)
        except Exception as error:
            if exit_status(error) is None:
                self._post(Failed(error))
                raise
            read = Read(view, position, why=in_words(error))
        self._post(read)

    def on_read(self, read: Read) -> None:
        """What was read, unless the page shows another coup by now."""
        view = read.view
        self._reading.discard(view)
        if read.book is None and not read.why:  # it is asked for again when the board tells more
            return
        view.book = view.book if read.book is None else read.book
        view.why, view.read_at = read.why, read.position
        if view is self.view:
            self._read()
            self.draw()

    def _say(self, ask: Callable[[], Outcome | None]) -> None:
        self._on_thread(partial(self._say_on_thread, ask))

    def _say_on_thread(self, ask: Callable[[], Outcome | None]) -> None:
        outcome = ask()
        if outcome:
            self._post(Answered(outcome))

    def on_answered(self, answered: Answered) -> None:
        """What became of it, in words."""
        self._said = answered.outcome
        self.draw()

    def _on_thread(self, work: Callable[[], None]) -> None:
        told = "reads or says"  # or it would write out all that the work is about
        self.run_worker(work, thread=True, exit_on_error=False, description=told)

    # Keys.
    def on_key(self, event: events.Key) -> None:
        """One key; what is typed into a line goes there."""
        if self._asking:
            if event.key == "escape":
                event.stop()
                self._stop_asking(keep=False)
            return
        self._forget_said()
        act = self._acts().get(event.character or "") or self._acts().get(event.key)
        if act:
            event.stop()
            act()
        self.draw()

    def _acts(self) -> dict[str, Callable[[], object]]:
        on_a_coup = isinstance(self.view, CoupView)
        return {
            **dict.fromkeys(("down", "j"), partial(self._move, 1)),
            **dict.fromkeys(("up", "k"), partial(self._move, -1)),
            "pagedown": partial(self._move, self._page if on_a_coup else PAGE),
            "pageup": partial(self._move, -self._page if on_a_coup else -PAGE),
            **dict.fromkeys(("home", "g"), partial(self._move, -1_000_000)),
            **dict.fromkeys(("end", "G"), partial(self._move, 1_000_000)),
            **dict.fromkeys(("enter", "right", "l"), self._into),
            **dict.fromkeys(("escape", "left", "h", "backspace"), self._back),
            "a": partial(self._open_beside, AlertsView),
            "c": partial(self._open_beside, CommissionView),
            "o": self._open_its_coup,
            "?": self._help,
            "/": self._ask_filter,
            "!": self._only_needs,
            "r": self._read_again,
            "[": partial(self._step, -1),
            "]": partial(self._step, 1),
            "q": self.exit,
        }

    @property
    def _page(self) -> int:
        return max(self.query_one("#body").size.height - 2, 1)

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
        """Of the table that one is at; in the whole pit of all."""
        if not isinstance(self.view, kind):
            tables = [each.code for each in self.views if isinstance(each, TableView)]
            self._open(kind(tables[-1] if tables else None))

    def _open_its_coup(self) -> None:
        """Of an alert the coup at which it was raised."""
        if self.sight is None or not isinstance(self.view, AlertsView):
            return
        fold = self.view.fold(self.sight, self.view.selected(self.sight))
        if fold and fold[0]["coup"]:
            self._open(CoupView(fold[0]["coup"]))
        elif fold:
            self._said = Outcome("refused", ("It was raised at no coup.",))

    def _help(self) -> None:
        if not isinstance(self.view, HelpView):
            self._open(HelpView())

    def _only_needs(self) -> None:
        sieve = self.view.sieve
        self.view.sieve = replace(sieve, only_needs=not sieve.only_needs)

    def _read_again(self) -> None:
        self.view.read_at = None
        self._read()

    def _step(self, steps: int) -> None:
        view = self.view
        if isinstance(view, CoupView) and self.sight and not self.sight.lost:
            self._on_thread(partial(self._step_on_thread, view, self.sight.seen.position, steps))

    def _step_on_thread(self, view: CoupView, position: int, steps: int) -> None:
        coup = view.coup

        def ask() -> CoupBook | None:
            book = self.books.coup(coup, steps)
            if book is None:
                which = "last" if steps > 0 else "first"
                words = f"{coup} is the {which} coup of its table's gaming day."
                self._post(Answered(Outcome("told", (words,))))
            elif view.coup == coup:
                view.go_to(str(book.found.address))
                return book
            return None

        self._read_on_thread(view, position, ask)

    # A line that is asked for.
    def _ask_filter(self) -> None:
        self._before = self.view.sieve
        self._ask(frame.FILTER, self._before.typed)

    def _ask_acknowledge(self, view: AlertsView, sight: Sight) -> None:
        name = view.selected(sight)
        fold = view.fold(sight, name)
        if fold is None:
            return
        if sight.looker.barred:
            why = f"{frame.READ_ONLY}: {sight.looker.barred}"
            self._said = Outcome("refused", (why,))
        elif not fold[0]["acknowledgeable"]:
            why = "Nobody acknowledges it: it leaves by itself when the projections have caught up."
            self._said = Outcome("refused", (why,))
        else:
            self._ask(name)

    def _ask(self, what: str, typed: str = "") -> None:
        self._asking = what
        line = self.query_one(Input)
        line.value = typed
        line.cursor_position = len(typed)
        self.query_one("#ask").display = True
        line.focus()

    def on_input_changed(self, _: Input.Changed) -> None:
        """The list follows what is typed."""
        if self._asking == frame.FILTER:
            typed = self.query_one(Input).value
            self.view.sieve = replace(self._before, typed=" ".join(typed.split()))
            self.draw()

    def on_input_submitted(self, _: Input.Submitted) -> None:
        """The line is done."""
        if self._asking:
            self._stop_asking(keep=True)

    def _stop_asking(self, *, keep: bool) -> None:
        asked, typed = self._asking, self.query_one(Input).value.strip()
        self._asking = ""
        self.query_one("#ask").display = False
        self.screen.set_focus(None)
        if asked == frame.FILTER:
            typed = " ".join(typed.split()) if keep else self._before.typed
            self.view.sieve = replace(self._before, typed=typed)
        elif keep:
            self._said = Outcome("told", (f"Acknowledging {asked} …",))
            self._say(partial(self.mouth.acknowledge, asked, typed))
        self.draw()

    def _forget_said(self) -> None:
        """What is not known yet stays until it is."""
        if not (self._said and self._said.kind == "lost" and self.mouth.unanswered):
            self._said = None

    # What is shown.
    def draw(self) -> None:
        """All of it, from what is known now."""
        if not self.query("#foot"):  # before it is composed
            return
        width, height = self.size
        said = list(frame.said_lines(self._said, self.console, width))
        self.query_one("#said", Lines).display = bool(said)
        self.query_one("#said", Lines).styles.height = len(said)
        self.query_one("#said", Lines).show(said)
        prompt = frame.prompt(self._asking)
        self.query_one("#prompt", Lines).styles.width = prompt.cell_len
        self.query_one("#prompt", Lines).show([prompt])
        room = height - frame.HEAD - 1 - len(said) - bool(self._asking)
        self.query_one("#head", Lines).show(self._head(width))
        self.query_one("#body", Lines).show(self._body(width, max(room, 0)))
        self.query_one("#foot", Lines).show([self._foot(width)])

    def _head(self, width: int) -> list[Text]:
        crumbs = [each.crumb for each in self.views]
        return [
            *frame.head_lines(self.sight, crumbs, self.view, width),
            frame.bar(self.sight, self._lost, width),
        ]

    def _body(self, width: int, height: int) -> list[Text]:
        if self.sight is None:
            return frame.waiting(self._lost, height)
        lines = self.view.draw(self.sight, width, height)
        return frame.dimmed(lines) if self._lost else lines

    def _foot(self, width: int) -> Text:
        if self._asking:
            return frame.asking_foot(self._asking, width)
        barred = self.sight is None or bool(self.sight.looker.barred)
        leads_back = len(self.views) > 1 or bool(self.view.sieve)
        return frame.foot(self.view.hints, width, barred=barred, leads_back=leads_back)
