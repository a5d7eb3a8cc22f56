"""What is asked or told in front of the table: the second person, and help."""

from collections.abc import Sequence
from typing import ClassVar

from rich.text import Text
from textual import events
from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.containers import Vertical, VerticalScroll
from textual.screen import ModalScreen
from textual.widgets import Static

from ops.terminal.figures import wrapped
from ops.terminal.inks import LABEL
from ops.terminal.outcome import Second
from ops.terminal.screen.typed import Keyed

HELP_WIDTH = 70  # columns between the edges


class SecondPerson(ModalScreen[Second | None]):
    """Number and PIN of the second person, in place; Esc leaves the line as it is."""

    CSS = """
    SecondPerson { align: center middle; background: $background 60%; }
    SecondPerson:ansi { background: transparent; }
    SecondPerson > Vertical {
        width: 64; height: auto; border: round $warning; background: $background; padding: 0 2;
        border-title-color: $warning; border-title-style: bold;
    }
    SecondPerson Static { height: auto; }
    SecondPerson Input, SecondPerson Input:focus { border: round $foreground 50%; height: 3; }
    SecondPerson Input:focus { border: round $foreground; }
    """
    BINDINGS: ClassVar[list[BindingType]] = [Binding("escape", "give_up", show=False)]

    def __init__(self, line: str, words: Sequence[str], *, asks_pin: bool) -> None:
        super().__init__()
        self._line = line
        self._words = words
        self._number = self._field("staff", "staff number, as in S-11")
        self._pin = self._field("pin", "PIN") if asks_pin else None

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

    def _field(self, name: str, asks: str) -> Keyed:
        acts = {"enter": self._signed, "escape": self.action_give_up}
        field = Keyed(acts, id=name, password=name == "pin")
        field.border_title = asks
        return field

    def on_descendant_focus(self, event: events.DescendantFocus) -> None:
        """Who goes back to the number types there again."""
        if event.widget is self._number:
            self._number.onward = None

    def _signed(self) -> None:
        """From the number to the PIN, and from there on; not a digit of it lands in the number."""
        number, pin = self._number.value.strip(), self._pin
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


class Help(ModalScreen[None]):
    """What can be typed where one is."""

    CSS = """
    Help { align: center middle; background: $background 60%; }
    Help:ansi { background: transparent; }
    Help > VerticalScroll {
        width: 76; height: auto; max-height: 100%; border: round $primary;
        background: $background; padding: 0 2;
        border-title-color: $primary; border-title-style: bold;
        scrollbar-size-vertical: 1;
    }
    """
    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("escape,enter,f1,q", "dismiss", show=False),
    ]

    def __init__(self, lines: Sequence[tuple[str, str]]) -> None:
        super().__init__()
        self._lines = lines

    def compose(self) -> ComposeResult:
        """What is typed at the left, what it does at the right."""
        wide = max((len(typed) for typed, _ in self._lines), default=0) + 2
        with VerticalScroll() as box:
            box.border_title = "Help"
            box.border_subtitle = "Esc goes back to the table"
            for typed, words in self._lines:
                yield Static(_indented(typed, words, wide))


def _indented(typed: str, words: str, wide: int) -> Text:
    lines = wrapped(words, HELP_WIDTH - wide)
    return Text("\n").join(
        Text.assemble(((typed if n == 0 else "").ljust(wide), "bold"), line)
        for n, line in enumerate(lines)
    )
