"""Dialogs in front of the table: sign-on, the second person, help and the messages."""

from collections.abc import Callable, Iterable, Sequence
from typing import ClassVar, TypeVar

from rich.cells import cell_len
from rich.text import Text
from textual import events
from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.containers import Vertical, VerticalScroll
from textual.screen import ModalScreen
from textual.widgets import Static

from domain.rules.pins import HOW_LONG, SHORTEST_PIN, may_be_pin, weakness
from ops.kit.colours import LABEL
from ops.kit.lines import explained
from ops.kit.outcome import Outcome, Second
from ops.terminal.dealer.screen.messages import Message, message_lines
from ops.terminal.dealer.screen.typed import Acts, Keyed
from ops.words.language import N_, _

SHORT, ROUND = 12, 12  # rows of a sheet on a small screen; rows around it in its dialog
SHEET = 68  # columns between the edges, beside the scroll bar
TRY_AGAIN = N_("Press Enter to try again.")
READ_ON = N_("PIN: first read to the end, with Enter or PgDn")
Given = TypeVar("Given")


class InPlace(ModalScreen[Given]):
    """Asks who somebody is; PIN and code are not shown."""

    CSS = """
    InPlace { align: center middle; background: $background 60%; }
    InPlace:ansi { background: transparent; }
    InPlace > Vertical {
        width: 64; height: auto; border: round $warning; background: $background; padding: 0 2;
        border-title-color: $warning; border-title-style: bold;
    }
    InPlace Static { height: auto; }
    InPlace VerticalScroll { height: auto; max-height: 12; scrollbar-size-vertical: 1; }
    InPlace Input, InPlace Input:focus { border: round $foreground 50%; height: 3; }
    InPlace Input:focus { border: round $foreground; }
    """
    SCOPED_CSS = False  # shared by all subclasses
    first: Keyed  # where one types first
    _number: Keyed

    def take(self, keys: Iterable[events.Key]) -> None:
        """Takes keys that were pressed for the dialog before it was there."""
        self.first.hold(keys)

    def on_mount(self) -> None:
        """Types the keys that were pressed before."""
        self.call_after_refresh(self.first.free)

    def _field(self, name: str, asks: str, acts: Acts) -> Keyed:
        """A field with its title; only a staff number is shown as it is typed."""
        field = Keyed(acts, id=name, password=name != "staff")
        field.border_title = asks
        return field

    def _hide_pin(self, typed: str) -> None:
        """Shows no digits alone that may be a PIN, typed in the first field by mistake."""
        self._number.password = may_be_pin(typed)

    def on_descendant_focus(self, event: events.DescendantFocus) -> None:
        """Typing goes on in the field that has the focus."""
        if isinstance(event.widget, Keyed) and self.focused is event.widget:
            event.widget.onward = None


class SecondPerson(InPlace[Second | None]):
    """Asks the second person for number and PIN, once they were shown all that they sign.

    Esc leaves the line as it is.
    """

    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("escape", "give_up", show=False),
        Binding("pageup", "scroll(-1)", show=False),
        Binding("pagedown", "scroll(1)", show=False),
    ]

    def __init__(
        self, line: str, words: Sequence[str], signer: str = "", *, asks_pin: bool
    ) -> None:
        """`signer`: the number that the line names; then only the PIN is asked for."""
        super().__init__()
        self._line = line
        self._words = words
        acts = {"enter": self._signed, "escape": self.action_give_up}
        self.first = self._number = self._field("staff", _("staff number, as in S-11"), acts)
        self._number.value = signer
        if asks_pin:
            self.watch(self._number, "value", self._hide_pin, init=False)
        self._pin = self._field("pin", _("PIN"), acts) if asks_pin else None
        if signer and self._pin:
            self.first = self._pin
        self._read = False  # whether the end of what is signed was shown
        self._hint = Static()

    def compose(self) -> ComposeResult:
        """The line, what it would change, and the fields."""
        with Vertical() as box:
            box.border_title = _("A second person")
            yield Static(Text(f"› {self._line}", "bold"))
            with VerticalScroll(can_focus=False) as self._sheet:
                yield Static(Text("\n".join(self._words)))
            yield self._number
            if self._pin:
                yield self._pin
            yield self._hint

    def on_mount(self) -> None:
        """Begins at the PIN, where the line names who signs."""
        self.first.focus()
        self._open_pin(read=False)
        self.on_resize()

    def on_resize(self) -> None:
        """The sheet has the rows there are; the end may be shown in the new size."""
        self._sheet.styles.max_height = max(SHORT, self.app.size.height - ROUND)
        self.call_after_refresh(self._look)

    def _look(self) -> None:
        """Opens the PIN when the end of what is signed is shown; until then one reads on."""
        ends = self._sheet.scroll_offset.y >= self._sheet.max_scroll_y
        self._read = self._read or ends
        self._open_pin(read=self._read)
        keys = _("Enter: continue   Esc: do not sign   PgDn: read on")
        self._hint.update(Text(_("Enter: continue   Esc: do not sign") if ends else keys, LABEL))

    def _open_pin(self, *, read: bool) -> None:
        if self._pin is not None:
            self._pin.deaf = not read
            self._pin.border_title = _("PIN") if read else _(READ_ON)

    def action_scroll(self, pages: int) -> None:
        """Goes on or back in what is signed, where it is longer than its place."""
        self._sheet.scroll_relative(y=pages * self._sheet.size.height, animate=False)
        self.call_after_refresh(self._look)

    def _signed(self) -> None:
        """Goes from the number to the end of the sheet and the PIN, and then signs.

        No digit of the PIN is shown.
        """
        number, pin = self._number.value.strip(), self._pin
        if not self.is_current:
            return  # signed already, and this Enter came after it
        if not number:
            self._number.focus()
        elif pin is not None and not pin.value and pin not in (self.focused, self._number.onward):
            pin.focus()
            self._number.onward = pin
        elif not self._read:
            self.action_scroll(1)
        elif pin is None or pin.value:
            self.dismiss(Second(number, pin.value if pin else ""))

    def action_give_up(self) -> None:
        """Closes without a signature."""
        self.dismiss(None)


class SignOn(InPlace[bool]):
    """Asks the dealer for number and PIN, or for a one-time code and a new PIN.

    The session checks what was typed: `asked`, `unasked` and `judged` bring the outcome.
    """

    BINDINGS: ClassVar[list[BindingType]] = [Binding("escape", "look_on", show=False)]

    def __init__(
        self,
        words: str,
        ask: Callable[[str], None],
        sign_on: Callable[[str, str, str | None], None],
        leave: Callable[[], None],
    ) -> None:
        """`ask` finds whether a staff number takes a one-time code. Neither call blocks."""
        super().__init__()
        self._ask = ask
        self._sign_on = sign_on
        leaves = dict.fromkeys(("f10", "ctrl+q"), leave)
        acts = {"enter": self._next, "escape": self.action_look_on, **leaves}
        self._words = Static(Text(words))
        self.first = self._number = self._field("staff", _("staff number, as in D-204"), acts)
        self.watch(self._number, "value", self._hide_pin, init=False)
        self._secret = self._field("secret", _("PIN"), acts)
        self._pin = self._field("pin", _("new PIN, {how_long}", how_long=HOW_LONG), acts)
        self._again = self._field("again", _("the same PIN again"), acts)
        self._asked = ""  # the number for which `ask` was called
        self._takes_code: bool | None = None  # None: not known yet
        self._waits = False  # for the ledger; keys are ignored meanwhile

    def compose(self) -> ComposeResult:
        """Why, and the fields."""
        with Vertical() as box:
            box.border_title = _("Sign on")
            yield self._words
            yield self._number
            yield self._secret
            yield self._pin
            yield self._again
            yield Static(
                Text(_("Enter: continue   Esc: look without signing on   F10: leave"), LABEL)
            )

    def on_mount(self) -> None:
        """Hides the fields for a new PIN."""
        self._show_choice()

    def _next(self) -> None:
        """Enter: goes to the next empty field, and at the end signs on."""
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
            self._choose(_("Choose a PIN, and type it twice."))
        elif self._takes_code and (weak := weakness(self._pin.value, number, SHORTEST_PIN)):
            self._choose(_("The new PIN is {why}: choose another.", why=weak))
        elif self._takes_code and not self._again.value:
            self._go(self._again)
        elif self._takes_code and self._again.value != self._pin.value:
            self._choose(_("The two PINs differ."))
        else:
            self._wait()
            self._sign_on(number, self._secret.value, self._pin.value if self._takes_code else None)

    def _choose(self, words: str) -> None:
        """Asks for the new PIN from the beginning."""
        self._tell(words)
        self._pin.value = self._again.value = ""
        self._go(self._pin)

    def asked(self, staff: str, *, takes_code: bool) -> None:
        """The number takes a PIN, or a one-time code."""
        if staff != self._asked:
            return  # it was changed since
        self._takes_code = takes_code
        self._show_choice()
        if self._waits:
            self._wait(over=True)
            self._next()

    def unasked(self, words: str) -> None:
        """The ledger cannot be reached; Enter tries again."""
        self._asked, self._takes_code = "", None
        self._wait(over=True)
        self._tell(words)

    def judged(self, outcome: Outcome) -> None:
        """The sign-on failed. Enter tries again, or after most refusals it is typed anew."""
        tries_again = outcome.kind in ("lost", "unsent")
        self._tell(" ".join(outcome.words) + (f" {_(TRY_AGAIN)}" if tries_again else ""))
        self._wait(over=True)
        if tries_again or outcome.again:
            return
        self._asked, self._takes_code = "", None
        self._secret.value = self._pin.value = self._again.value = ""
        self._show_choice()
        if may_be_pin(self._number.value):
            self._number.value = ""
        self._go(self._secret if self._number.value else self._number)

    def _go(self, field: Keyed) -> None:
        """Moves to a field, with the keys that were pressed already."""
        field.onward = None
        if isinstance(self.focused, Keyed) and self.focused is not field:
            self.focused.onward = field
        field.focus()

    def _wait(self, *, over: bool = False) -> None:
        self._waits = not over
        for field in (self._number, self._secret, self._pin, self._again):
            field.deaf = self._waits

    def _show_choice(self) -> None:
        self._secret.border_title = _("one-time code") if self._takes_code else _("PIN")
        self._pin.display = self._again.display = bool(self._takes_code)

    def _tell(self, words: str) -> None:
        self._words.update(Text(words))

    def action_look_on(self) -> None:
        """Shows the table without a sign-on."""
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
    SCOPED_CSS = False  # shared by all subclasses
    CLOSE = ("escape", "enter", "f1")
    # Any other key closes it too, and is typed on the line.
    KEYS = (*CLOSE, "up", "down", "pageup", "pagedown", "home", "end")
    BINDINGS: ClassVar[list[BindingType]] = [Binding(",".join(CLOSE), "dismiss", show=False)]

    def __init__(self, title: str, lines: Iterable[Text]) -> None:
        super().__init__()
        self._title = title
        self._body = Text("\n").join(lines)

    def compose(self) -> ComposeResult:
        """As much as fits; the arrow keys scroll."""
        with VerticalScroll() as box:
            box.border_title = self._title
            box.border_subtitle = _("Esc: back to the table")
            yield Static(self._body)


class Help(Sheet):
    """What can be typed now at the left, what it does at the right."""

    def __init__(self, lines: Sequence[tuple[str, str]]) -> None:
        wide = max((cell_len(typed) for typed, __ in lines), default=0) + 2
        super().__init__(_("Help"), explained(lines, wide, SHEET))


class Messages(Sheet):
    """All messages, the newest at the bottom, where it begins."""

    def __init__(self, all_of_them: Iterable[Message]) -> None:
        lines = (line for each in all_of_them for line in message_lines(each, SHEET))
        super().__init__(_("Messages"), lines)

    def on_mount(self) -> None:
        """Scrolls to the end."""
        self.query_one(VerticalScroll).scroll_end(animate=False)
