"""`sabot replay COUP --step`: goes back and forth through the record by keyboard."""

from collections.abc import Callable
from datetime import datetime
from typing import TYPE_CHECKING, Protocol
from zoneinfo import ZoneInfo

from rich.text import Text

from domain.events import coup
from domain.review.replay import Line
from domain.rules.addresses import Coup as Address
from ops.kit.keys import Keyboard
from ops.replay.find_coup import Coups
from ops.replay.page import Page
from ops.replay.page_words import line_words
from ops.replay.story import CoupRecord
from ops.reports.moments import FORMS, Typed
from ops.words import show

if TYPE_CHECKING:
    from rich.console import Console

KEYS = "→ ← event   c C card   ] [ coup   Home End   t time   ↑ ↓ scroll   q leave"


class Keys(Protocol):
    """Reads keys and lines."""

    def key(self) -> str:
        """The next key."""

    def line(self) -> str:
        """A whole line."""


class Walk:
    """A place in the record: a coup, and how many of its events are shown."""

    def __init__(
        self, record: CoupRecord, coups: Coups, read: Callable[[Address], CoupRecord]
    ) -> None:
        self.coup = record
        self.shown = len(record.lines)
        self._coups = coups
        self._read = read

    @property
    def visible(self) -> CoupRecord:
        """The coup up to the last event that is shown."""
        return self.coup.up_to(self.shown)

    @property
    def line(self) -> Line:
        """The last event that is shown."""
        return self.coup.lines[self.shown - 1]

    def on(self) -> None:
        """Goes to the next event of the coup."""
        self.shown = min(self.shown + 1, len(self.coup.lines))

    def back(self) -> None:
        """Goes to the event before."""
        self.shown = max(self.shown - 1, 1)

    def next_card(self) -> None:
        """Goes to the next card, or to the end of the coup."""
        places = range(self.shown, len(self.coup.lines))
        self.shown = next(filter(self._is_card, places), len(self.coup.lines) - 1) + 1

    def previous_card(self) -> None:
        """Goes to the card before, or to the beginning of the coup."""
        places = range(self.shown - 2, -1, -1)
        self.shown = next(filter(self._is_card, places), 0) + 1

    def _is_card(self, place: int) -> bool:
        return isinstance(self.coup.lines[place].event, coup.CardDealt)

    def next_coup(self) -> None:
        """Goes to the beginning of the next coup."""
        self._go(1)

    def previous_coup(self) -> None:
        """Goes to the beginning of the coup before."""
        self._go(-1)

    def _go(self, steps: int) -> bool:
        address = self._coups.beside(self.coup.address, steps)
        if address:
            self.coup, self.shown = self._read(address), 1
        return address is not None

    def first(self) -> None:
        """Goes to the first event."""
        self.shown = 1

    def last(self) -> None:
        """Goes to the last event."""
        self.shown = len(self.coup.lines)

    def to(self, moment: datetime) -> bool:
        """Goes to the last event before this moment; returns False if there is none."""
        address = self._coups.at(moment)
        if address is None:
            return False
        if address != self.coup.address:
            self.coup = self._read(address)
        self.shown = max(sum(line.at <= moment for line in self.coup.lines), 1)
        return True


_ACTS: dict[str, Callable[[Walk], None]] = {
    **dict.fromkeys(("\x1b[C", "\x1bOC", "n", " ", "\r", "\n"), Walk.on),
    **dict.fromkeys(("\x1b[D", "\x1bOD", "p", "\x7f"), Walk.back),
    "c": Walk.next_card,
    "C": Walk.previous_card,
    "]": Walk.next_coup,
    "[": Walk.previous_coup,
    **dict.fromkeys(("\x1b[H", "\x1bOH", "\x1b[1~", "g"), Walk.first),
    **dict.fromkeys(("\x1b[F", "\x1bOF", "\x1b[4~", "G"), Walk.last),
}
_SCROLL = {
    **dict.fromkeys(("\x1b[A", "\x1bOA", "k"), 1),
    **dict.fromkeys(("\x1b[B", "\x1bOB", "j"), -1),
    **dict.fromkeys(("\x1b[5~",), 10),
    **dict.fromkeys(("\x1b[6~",), -10),
}
_LEAVE = ("q", "Q", "\x1b", "\x04")
HEAD = 2  # lines of the page that do not scroll


def step_here(walk: Walk, zone: ZoneInfo) -> None:
    """Shows the record and follows the keyboard of this terminal, until the person leaves."""
    with Keyboard() as keys:
        step(walk, zone, keys)


def step(walk: Walk, zone: ZoneInfo, keys: Keys) -> None:
    """Shows the record and follows the keys, until the person leaves."""
    console = show.console()
    with console.screen(hide_cursor=False):
        note, up = "", 0
        while True:
            up = _draw(console, walk, zone, note, up)
            try:
                pressed = keys.key()
            except (EOFError, KeyboardInterrupt):
                return
            if pressed in _LEAVE:
                return
            note = ""
            if pressed in _SCROLL:
                up += _SCROLL[pressed]
                continue
            up = 0
            if pressed == "t":
                note = _jump(keys, console, walk, zone)
            elif pressed in _ACTS:
                _ACTS[pressed](walk)
            else:
                note = "That key does nothing here. " + KEYS


def _draw(console: "Console", walk: Walk, zone: ZoneInfo, note: str, up: int) -> int:
    """Draws the coup so far, scrolled `up` lines from its end; returns how far it is scrolled.

    If it is longer than the screen, its first lines stay.
    """
    with console.capture() as page:
        visible = walk.visible
        if visible.replay:
            Page(visible, visible.replay, console, zone).print()
        else:
            console.print(f"The record of {visible.address} cannot be replayed.")
    lines = list(Text.from_ansi(page.get()).split(allow_blank=False))
    room = max(console.height - 4 - HEAD - 1, 1)
    up = min(max(up, 0), max(len(lines) - HEAD - room, 0))
    end = len(lines) - up
    if len(lines) > HEAD + room:
        lines = [*lines[:HEAD], Text("…" if end - room > HEAD else ""), *lines[end - room : end]]
    console.clear()
    for line in lines:
        console.print(line, no_wrap=True, overflow="crop")
    console.print(Text("─" * console.width, "dim"))
    console.print(_where(walk, zone), no_wrap=True, overflow="ellipsis", style="bold")
    console.print(note or KEYS, no_wrap=True, overflow="ellipsis", style="yellow" if note else "")
    return up


def _where(walk: Walk, zone: ZoneInfo) -> str:
    line = walk.line
    clock = line.at.astimezone(zone).strftime("%H:%M:%S.%f")[:10]
    whole = walk.coup.whole
    words = line_words(walk.coup, line, whole.rules.currency if whole else "")
    return f"{walk.shown} of {len(walk.coup.lines)}   {clock}   #{line.position}   {words}"


def _jump(keys: Keys, console: "Console", walk: Walk, zone: ZoneInfo) -> str:
    """Asks for a time and goes there; returns a note, or ''."""
    try:
        console.print("Time, as in 20:14:07 › ", end="")
        typed = keys.line().strip()
    except (EOFError, KeyboardInterrupt):
        return ""
    meant = Typed.of(typed)
    if meant is None:
        return f"{typed!r} is not a time: {FORMS}."
    moment = meant.near(walk.line.at.astimezone(zone))
    return "" if walk.to(moment) else "Nothing was dealt at this table before then."
