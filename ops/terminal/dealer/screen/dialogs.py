"""What is asked or told in front of the table: who signs on, the second person, and help."""

from collections.abc import Callable, Iterable, Sequence
from typing import ClassVar, TypeVar

from rich.text import Text
from textual import events
from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.containers import Vertical, VerticalScroll
from textual.screen import ModalScreen
from textual.widgets import Static

from domain.rules.pins import HOW_LONG, SHORTEST_PIN, weakness
from ops.kit.colours import LABEL
from ops.kit.lines import explained
from ops.kit.outcome import Outcome, Second
from ops.terminal.dealer.screen.messages import Message, told
from ops.terminal.dealer.screen.typed import Acts, Keyed

SHEET = 70  # columns between the edges
Given = TypeVar("Given")


class InPlace(ModalScreen[Given]):
    """Who somebody is, asked in front of the table; what proves it is typed unseen."""

    CSS = """
    InPlace { align: center middle; background: $background 60%; }
    InPlace:ansi { background: transparent; }
    InPlace > Vertical {
        width: 64; height: auto; border: round $warning; background: $background; padding: 0 2;
        border-title-color: $warning; border-title-style: bold;
    }
    InPlace Static { height: auto; }
    InPlace Input, InPlace Input:focus { border: round $foreground 50%; height: 3; }
    InPlace Input:focus { border: round $foreground; }
    """
    SCOPED_CSS = False  # it is that of every kind of it
    first: Keyed  # where one types first

    def take(self, keys: Iterable[events.Key]) -> None:
        """Before it is there: keys that were pressed for it; those to come wait behind them."""
        self.first.hold(keys)

    def on_mount(self) -> None:
        """What was pressed before is typed now."""
        self.call_after_refresh(self.first.free)

    def _field(self, name: str, asks: str, acts: Acts) -> Keyed:
        """A line that says what it asks; nobody sees what is typed, but for a staff number."""
        field = Keyed(acts, id=name, password=name != "staff")
        field.border_title = asks
        return field

    def on_descendant_focus(self, event: events.DescendantFocus) -> None:
        """Who goes back to a field types there again."""
        if isinstance(event.widget, Keyed) and self.focused is event.widget:
            event.widget.onward = None


class SecondPerson(InPlace[Second | None]):
    """Number and PIN of the second person, in place; Esc leaves the line as it is."""

    BINDINGS: ClassVar[list[BindingType]] = [Binding("escape", "give_up", show=False)]

    def __init__(self, line: str, words: Sequence[str], *, asks_pin: bool) -> None:
        super().__init__()
        self._line = line
        self._words = words
        acts = {"enter": self._signed, "escape": self.action_give_up}
        self.first = self._number = self._field("staff", "staff number, as in S-11", acts)
        self._pin = self._field("pin", "PIN", acts) if asks_pin else None

    def compose(self) -> ComposeResult:
        """The line, why it takes two, and what to type."""
        with Vertical() as box:
            box.border_title = "A second person"
            yield Static(Text(f"› {self._line}", "bold"))
            yield Static(Text(" ".join(self._words)))
            yield self._number
            if self._pin:
                yield self._pin
            yield Static(Text("Enter goes on   Esc gives up, the line stays", LABEL))

    def _signed(self) -> None:
        """From the number to the PIN, and from there on; not a digit of it lands in the number."""
        number, pin = self._number.value.strip(), self._pin
        if not self.is_current:
            return  # signed already, and this Enter came after it
        if not number:
            self._number.focus()
        elif pin is not None and not pin.value:
            pin.focus()
            self._number.onward = pin
        else:
            self.dismiss(Second(number, pin.value if pin else ""))

    def action_give_up(self) -> None:
        """Nobody signs."""
        self.dismiss(None)


class SignOn(InPlace[bool]):
    """Number and PIN of whoever works here now, or their one-time code and the PIN they choose.

    What was typed is judged elsewhere: `asked`, `unasked` and `judged` bring what came of it.
    """

    BINDINGS: ClassVar[list[BindingType]] = [Binding("escape", "look_on", show=False)]

    def __init__(
        self,
        words: str,
        ask: Callable[[str], None],
        sign_on: Callable[[str, str, str | None], None],
        leave: Callable[[], None],
    ) -> None:
        """`ask`: whether a staff number takes a one-time code. Neither call blocks."""
        super().__init__()
        self._ask = ask
        self._sign_on = sign_on
        leaves = dict.fromkeys(("f10", "ctrl+q"), leave)
        acts = {"enter": self._next, "escape": self.action_look_on, **leaves}
        self._words = Static(Text(words))
        self.first = self._number = self._field("staff", "staff number, as in D-204", acts)
        self._secret = self._field("secret", "PIN", acts)
        self._pin = self._field("pin", f"new PIN, {HOW_LONG}", acts)
        self._again = self._field("again", "the same once more", acts)
        self._asked = ""  # the number of which it was asked whether it takes a code
        self._takes_code: bool | None = None  # None: nobody knows yet
        self._waits = False  # for the ledger: what is typed meanwhile is nothing

    def compose(self) -> ComposeResult:
        """Why, and what to type."""
        with Vertical() as box:
            box.border_title = "Sign on"
            yield self._words
            yield self._number
            yield self._secret
            yield self._pin
            yield self._again
            yield Static(Text("Enter goes on   Esc only looks   F10 leaves the table", LABEL))

    def on_mount(self) -> None:
        """A new PIN is asked of whoever has a code only."""
        self._show_choice()

    def _next(self) -> None:
        """Enter: on to what is not typed yet, and at the end it is judged."""
        number = self._number.value.strip()
        if self._waits:
            return
        if not number:
            self._go(self._number)
            return
        if number != self._asked:
            self._asked, self._takes_code = number, None
            self._ask(number)
        if not self._secret.value:
            self._go(self._secret)
        elif self._takes_code is None:
            self._wait()  # goes on when that is known
        elif self._takes_code and not self._pin.value:
            self._choose("Now choose a PIN, and type it twice.")
        elif self._takes_code and (weak := weakness(self._pin.value, number, SHORTEST_PIN)):
            self._choose(f"The new PIN is {weak}: choose another.")
        elif self._takes_code and not self._again.value:
            self._go(self._again)
        elif self._takes_code and self._again.value != self._pin.value:
            self._choose("They are not the same.")
        else:
            self._wait()
            self._sign_on(number, self._secret.value, self._pin.value if self._takes_code else None)

    def _choose(self, words: str) -> None:
        """The new PIN from its beginning."""
        self._tell(words)
        self._pin.value = self._again.value = ""
        self._go(self._pin)

    def asked(self, staff: str, *, takes_code: bool) -> None:
        """It is known what the number takes."""
        if staff != self._asked:
            return  # it was mended since
        self._takes_code = takes_code
        self._show_choice()
        if self._waits:
            self._wait(over=True)
            self._next()

    def unasked(self, words: str) -> None:
        """The ledger cannot be reached; Enter asks it again."""
        self._asked, self._takes_code = "", None
        self._wait(over=True)
        self._tell(words)

    def judged(self, outcome: Outcome) -> None:
        """Nobody is signed on by it. After a refusal it is typed anew, else Enter tries again."""
        tries_again = outcome.kind in ("lost", "unsent")
        self._tell(" ".join(outcome.words) + (" Enter tries again." if tries_again else ""))
        self._wait(over=True)
        if tries_again:
            return
        self._asked, self._takes_code = "", None
        self._secret.value = self._pin.value = self._again.value = ""
        self._show_choice()
        self._go(self._secret)

    def _go(self, field: Keyed) -> None:
        """There, and every key with it that was pressed already."""
        field.onward = None
        if isinstance(self.focused, Keyed) and self.focused is not field:
            self.focused.onward = field
        field.focus()

    def _wait(self, *, over: bool = False) -> None:
        self._waits = not over
        for field in (self._number, self._secret, self._pin, self._again):
            field.deaf = self._waits

    def _show_choice(self) -> None:
        self._secret.border_title = "one-time code" if self._takes_code else "PIN"
        self._pin.display = self._again.display = bool(self._takes_code)

    def _tell(self, words: str) -> None:
        self._words.update(Text(words))

    def action_look_on(self) -> None:
        """Nobody signs on, and the table is followed all the same."""
        self.dismiss(False)


class Sheet(ModalScreen[None]):
    """Something to read in front of the table."""

    CSS = """
    Sheet { align: center middle; background: $background 60%; }
    Sheet:ansi { background: transparent; }
    Sheet > VerticalScroll {
        width: 76; height: auto; max-height: 100%; border: round $primary;
        background: $background; padding: 0 2;
        border-title-color: $primary; border-title-style: bold;
        scrollbar-size-vertical: 1;
    }
    """
    SCOPED_CSS = False  # it is that of every kind of it
    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("escape,enter,f1,q", "dismiss", show=False),
    ]

    def __init__(self, title: str, lines: Iterable[Text]) -> None:
        super().__init__()
        self._title = title
        self._body = Text("\n").join(lines)

    def compose(self) -> ComposeResult:
        """As much as there is room for; the arrows bring the rest."""
        with VerticalScroll() as box:
            box.border_title = self._title
            box.border_subtitle = "Esc goes back to the table"
            yield Static(self._body)


class Help(Sheet):
    """What can be typed where one is: what is typed at the left, what it does at the right."""

    def __init__(self, lines: Sequence[tuple[str, str]]) -> None:
        wide = max((len(typed) for typed, _ in lines), default=0) + 2
        super().__init__("Help", explained(lines, wide, SHEET))


class Said(Sheet):
    """What was said here and what came of it, the newest at the bottom, where one begins."""

    def __init__(self, said: Iterable[Message]) -> None:
        super().__init__("What was said", (line for each in said for line in told(each, SHEET)))

    def on_mount(self) -> None:
        """At its end."""
        self.query_one(VerticalScroll).scroll_end(animate=False)
