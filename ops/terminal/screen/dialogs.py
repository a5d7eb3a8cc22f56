"""What is asked or told in front of the table: the second person, and help."""

from collections.abc import Sequence
from typing import ClassVar

from rich.text import Text
from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.containers import Vertical, VerticalScroll
from textual.screen import ModalScreen
from textual.widgets import Input, Static

from ops.terminal.outcome import Second
from ops.terminal.screen.figures import wrapped
from ops.terminal.screen.inks import LABEL

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
        self._asks_pin = asks_pin

    def compose(self) -> ComposeResult:
        """The line, why it takes two, and what to type."""
        with Vertical() as box:
            box.border_title = "A second person"
            yield Static(Text(f"› {self._line}", "bold"))
            yield Static(Text(" ".join(self._words)))
            yield self._field("staff", "staff number, as in S-11")
            if self._asks_pin:
                yield self._field("pin", "PIN")
            yield Static(Text("Enter goes on   Esc gives up, the line stays", LABEL))

    def _field(self, name: str, asks: str) -> Input:
        field = Input(id=name, password=name == "pin", select_on_focus=False)
        field.border_title = asks
        field.cursor_blink = False
        return field

    def on_input_submitted(self, event: Input.Submitted) -> None:
        """From the number to the PIN, and from there on."""
        event.stop()
        staff = self.query_one("#staff", Input)
        if not staff.value.strip():
            staff.focus()
        elif event.input is staff and self._asks_pin:
            self.query_one("#pin", Input).focus()
        else:
            pin = self.query_one("#pin", Input).value if self._asks_pin else ""
            self.dismiss(Second(staff.value.strip(), pin))

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
