"""The parts of the screen and their heights; each is drawn only when it changes.

At 80×24 nine seats, the hands, a road of six lines beside the messages, and the line fit exactly.
A long refusal, or a warning that the ledger is lost, takes its lines from the roads.
"""

from collections.abc import Callable, Iterator, Sequence
from datetime import datetime

from msgspec import Struct
from rich.cells import cell_len
from rich.text import Text

from domain.rules.wording import Amount, counted
from ops.kit.colours import ALARM, LABEL, late_mark, training_mark
from ops.kit.lines import (
    barred,
    beside,
    crossed,
    fitted,
    ruled,
    too_small,
    wrapped,
)
from ops.kit.outcome import MEANWHILE, Link
from ops.kit.pane import Pane
from ops.now.table_now import TableNow
from ops.terminal.dealer.due import task
from ops.terminal.dealer.screen.hands import middle
from ops.terminal.dealer.screen.head import head
from ops.terminal.dealer.screen.keys import keys
from ops.terminal.dealer.screen.messages import Message, as_many, messages
from ops.terminal.dealer.screen.roads import above, fits, roads
from ops.terminal.dealer.screen.seats import seats
from ops.terminal.dealer.table_words import slip_step_words, tray_words
from ops.words.language import N_, _, shown, spoken
from ops.words.show import lost_words
from ops.words.slips import slip_words

BOARD, TALL_BOARD = 11, 18  # nine seats, their titles and their totals
TALL = 40  # lines of a screen on which the cards are larger
ROAD = 6
FIXED = 5  # lines: the head, the one above the roads, the line that is typed, the keys
WIDE = 100
MOST_REFUSAL = 6  # lines: as many as the smallest screen has beside the table
SLOW = 3  # seconds after which a missing answer is shown
CLEARS = N_("Esc clears the line.")
REPLACES = N_("Typing replaces it.")
SHORT_ROAD = 31  # columns of a road that is short, with the words above it


class View(Struct, frozen=True):
    """Everything that is on the screen at one moment."""

    now: TableNow
    link: Link
    clock: datetime
    training: bool
    late: str  # the mark of late entry; '' for none
    typed: frozenset[int]  # seats that the typed line is about
    road: str
    messages: tuple[Message, ...]
    sending: str | None
    seconds: int  # since it was sent
    waiting: tuple[str, ...]
    hint: str
    refusal: str  # in place of the hint
    to_mend: bool  # whether something is on the line
    selected: bool  # whether that is a refused line, which the next key replaces


class Heights(Struct, frozen=True):
    """The heights, in lines, of the parts whose height changes."""

    board: int
    strip: int
    bar: int
    hint: int


def heights(seated: int, height: int, hint: int, bar: int) -> Heights:
    """Heights: the hint and the bar get what they need, then the board; the road the rest."""
    room = height - FIXED - hint - bar
    board = max(BOARD, seated + 2, TALL_BOARD if height >= TALL else 0)
    board = min(board, room - 2)
    strip = room - board
    if bar == 0 and strip > ROAD:  # a line between the road and what is typed
        bar, strip = 1, strip - 1
    return Heights(board, strip, bar, hint)


class Page:
    """The parts of the screen, without the line that is typed."""

    def __init__(self) -> None:
        self.head, self.board, self.below, self.strip, self.bar = (
            Pane(name) for name in ("head", "board", "below", "strip", "bar")
        )
        self.hint, self.keys = Pane("hint"), Pane("keys")
        self._drawn: dict[Pane, tuple[object, ...]] = {}  # what each was drawn from last

    def above(self) -> tuple[Pane, ...]:
        """The parts above the line that is typed."""
        return self.head, self.board, self.below, self.strip, self.bar

    def foot(self) -> tuple[Pane, ...]:
        """The parts below it."""
        return self.hint, self.keys

    def draw(self, view: View, width: int, height: int) -> None:
        """Draws the parts that changed."""
        hint, lost = list(_hint(view, width)), list(_bar(view, width))
        split = _split(view, width)
        if small := too_small(width, height, _("the table")):
            strip = max(height - FIXED - len(hint) - len(lost) + 1, 0)
            sizes = Heights(0, strip, len(lost), len(hint))
            self._draw_small(view, small, width, strip)
        else:
            sizes = heights(len(view.now.seats), height, len(hint), len(lost))
            self._draw_table(view, width, split, sizes)
        self._lay(sizes, fits=not small)
        closing = _meeting(ruled(Text(), width), split, "┴")
        self._show(self.bar, _as_they_are, *(lost or [closing]))
        self._show(self.hint, _as_they_are, *hint)
        self._show(self.keys, _keys, view.now, width)

    def _draw_table(self, view: View, width: int, split: int, sizes: Heights) -> None:
        now, faint = view.now, not view.link.up
        minute = view.clock.replace(second=0, microsecond=0)
        self._show(self.head, head, now, minute, width, view.training, view.late, faint=faint)
        self._show(self.board, _board, now, width, sizes.board, view.typed, faint=faint)
        self._show(self.below, _below, now, view.road, width, split, sizes.strip, faint=faint)
        talk = (view.messages, view.sending, view.waiting, view.training)
        self._show(self.strip, _strip, now, view.road, width, split, sizes.strip, *talk)

    def _draw_small(self, view: View, small: Text, width: int, height: int) -> None:
        """Draws a warning that there is no room for the table, and the messages."""
        self._show(self.head, _small_head, view.now, small, width)
        talk = (view.messages, view.sending, view.waiting, view.training)
        self._show(self.strip, _talk, *talk, width, height)

    def _lay(self, sizes: Heights, *, fits: bool) -> None:
        self.board.display = self.below.display = fits
        parts = ((self.board, sizes.board), (self.strip, sizes.strip), (self.bar, sizes.bar))
        for pane, height in (*parts, (self.hint, sizes.hint)):
            pane.tall(height)

    def _show(
        self, pane: Pane, draw: Callable[..., Sequence[Text]], *of: object, faint: bool = False
    ) -> None:
        key = (draw, faint, spoken(), of)
        if self._drawn.get(pane) != key:
            self._drawn[pane] = key
            pane.show(draw(*of), faint=faint)


def _as_they_are(*lines: Text) -> Sequence[Text]:
    return lines


def _keys(now: TableNow, width: int) -> list[Text]:
    return [keys(now, width)]


def _across(width: int) -> int:
    """The columns of the seats; the hands have the others."""
    return width - 1 - (33 if width < WIDE else max(40, int(width * 0.42)))


def _split(view: View, width: int) -> int:
    """The columns of the roads; the messages have the others, and more while the road is short.

    In training the messages have all: they describe the layout and the cards.
    """
    if view.training:
        return 0
    if width >= WIDE:
        return int(width * 0.58)
    return SHORT_ROAD if fits(view.now, view.road, SHORT_ROAD) else width // 2 - 1


def _meeting(line: Text, split: int, character: str) -> Text:
    """The line with a crossing where roads and messages meet it, if there are roads."""
    return crossed(line, {split: character} if split else {})


def _board(now: TableNow, width: int, height: int, typed: frozenset[int]) -> list[Text]:
    left = _across(width)
    right = width - left - 1
    return beside(seats(now, left, height, typed), left, middle(now, right, height), height)


def _below(now: TableNow, road: str, width: int, split: int, height: int) -> list[Text]:
    room = width - split - len("──  ─")
    money = _money(now, N_("commission owed {amount}"))
    if money.cell_len > room:
        money = _money(now, N_("owed {amount}"))
    line = above(now, road, width, split, height, money) if split else ruled(Text(), width, money)
    return [_meeting(crossed(line, {_across(width): "┴"}), split, "┬")]


def _money(now: TableNow, owed: str) -> Text:
    """What the tray should hold, and the commission that is owed."""
    parts = []
    if now.tray:
        short = now.tray.needs_fill or now.tray.below_zero
        parts.append(Text(tray_words(now.tray, now.currency), "bold red" if short else LABEL))
    if now.owed:
        parts.append(Text(_(owed, amount=Amount(now.owed, now.currency)), "yellow"))
    return Text(" · ", LABEL).join(parts)


def _strip(
    now: TableNow,
    road: str,
    width: int,
    split: int,
    height: int,
    past: tuple[Message, ...],
    sending: str | None,
    waiting: tuple[str, ...],
    training: bool,
) -> list[Text]:
    """Roads at the left and messages at the right, or messages alone."""
    if not split:
        return _talk(past, sending, waiting, training, width, height)
    right = _talk(past, sending, waiting, training, width - split - 1, height)
    return beside(roads(now, road, split, height), split, right, height)


def _talk(
    past: tuple[Message, ...],
    sending: str | None,
    waiting: tuple[str, ...],
    training: bool,
    width: int,
    height: int,
) -> list[Text]:
    return messages(past, sending, waiting, width, height, training=training)


def _small_head(now: TableNow, small: Text, width: int) -> list[Text]:
    due = task(now)
    return [
        fitted(small.copy().append(f" {_('You can still type.')}"), width),
        fitted(Text(f" {now.table}  ▶ {due.headline}  {due.rule}", "bold"), width),
    ]


def _hint(view: View, width: int) -> Iterator[Text]:
    """What can be typed; or, until the line is changed, why it was refused."""
    words, style = (f"✗ {view.refusal}", "bold red") if view.refusal else (view.hint, LABEL)
    before = Text.assemble(training_mark(), " ") if view.training else Text()
    if view.late:
        before.append(*late_mark(view.late)).append(" ")
    room = width - 2 - before.cell_len
    lines = (
        as_many(wrapped(words, room, style), MOST_REFUSAL)
        if view.refusal
        else [fitted(Text(words, style), room)]
    )
    then = f"   {_(REPLACES if view.selected else CLEARS)}"
    if view.refusal and view.to_mend and lines[-1].cell_len + cell_len(then) <= room:
        lines[-1].append(then, LABEL)
    for line in lines:
        yield Text(" ").append_text(before).append_text(line)


def _slips(now: TableNow) -> str:
    """One slip in words; of several how far each is, as many as there is room for."""
    if len(now.slips) == 1:
        return "".join(slip_step_words(*each, now.currency) for each in now.slips.items())
    return "; ".join(
        shown(slip_words(serial, slip, now.currency)) for serial, slip in now.slips.items()
    )


def _bar(view: View, width: int) -> Iterator[Text]:
    """A warning that the ledger cannot be reached or does not answer, in at most two lines.

    Otherwise the fills and credits under way.
    """
    link = view.link
    if link.up:
        if view.seconds >= SLOW:
            waits = counted(
                view.seconds,
                "`{line}` was sent {n} second ago. Wait for its answer; do not type it again.",
                "`{line}` was sent {n} seconds ago. Wait for its answer; do not type it again.",
                line=view.sending or "",
            )
            yield barred(Text(f"! {shown(waits)}"), width)
        elif view.now.slips:
            yield ruled(Text(_slips(view.now), ALARM), width)
        return
    unknown = _("`{line}` has no answer yet.", line=link.unanswered) if link.unanswered else ""
    for words in (_(MEANWHILE), f"{unknown} {shown(lost_words(link.why))}".lstrip()):
        yield barred(Text(f"! {words}"), width)
