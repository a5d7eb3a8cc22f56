"""Both hands as cards, and below them in large what is due."""

from collections.abc import Sequence

from rich.cells import cell_len
from rich.text import Text
from textual.renderables.digits import DIGITS, DIGITS3X3_BOLD

from domain.rules.cards import symbol
from domain.rules.hands import Hand
from domain.rules.spots import SPOT
from ops.kit.colours import ALARM, LABEL
from ops.kit.lines import fitted, wrapped
from ops.now.table_now import CoupNow, HandNow, TableNow
from ops.terminal.dealer.due import Task, task
from ops.words.language import _
from ops.words.show import STYLES, plain

LARGE_CARDS = 24  # columns that three large cards take, and a gap
WIDE = 64  # columns with which cards, totals and what is due are drawn larger
_TONES = {
    "player": "reverse blue",
    "banker": "reverse red",
    "tie": "reverse green",
    "act": "reverse",
    "alarm": "reverse yellow",
    "quiet": "",
}
_HANDS: tuple[Hand, Hand] = ("player", "banker")


def middle(now: TableNow, width: int, height: int) -> list[Text]:
    """The cards above, what is due below them."""
    wide = width >= WIDE and height >= 18
    lines = _cards(now.coup or CoupNow("", 0, "betting"), width, wide=wide)
    due = task(now)
    lines.append(Text())
    lines += _band(due, width, wide=wide)
    lines += _below(due, width, height - len(lines), wide=wide)
    return [fitted(line, width) for line in lines[:height]]


def _cards(coup: CoupNow, width: int, *, wide: bool) -> list[Text]:
    """Player at the left, Banker at the right, as on the layout."""
    half = (width - 3) // 2
    sides = [_hand(coup, hand, half, wide=wide) for hand in _HANDS]
    lines = []
    for player, banker in zip(*sides, strict=True):
        line = Text(" ").append_text(fitted(player, half)).append("  ")
        lines.append(line.append_text(fitted(banker, half)))
    return lines


def _hand(coup: CoupNow, hand: Hand, width: int, *, wide: bool) -> list[Text]:
    """A hand with its name and total in its colour; the winner is marked."""
    own: HandNow = getattr(coup, hand)
    outcome = coup.outcome if coup.phase != "voided" else None
    won = outcome == hand
    total = "" if own.total is None else str(own.total)
    name = Text(f" {'★ ' if won else ''}{_(SPOT[hand].label).upper()}")
    bar = fitted(name, width - len(total) - 1).append(f"{total} ")
    lost = outcome in _HANDS and not won
    bar.stylize(STYLES[hand] if lost or not own.cards else f"{STYLES[hand]} reverse")
    if wide:
        return [bar, *_large_hand(own.cards, total, STYLES[hand])]
    return [bar, *_drawn(own.cards)]


def _large_hand(cards: Sequence[str | None], total: str, style: str) -> list[Text]:
    """Cards with room in them, and the total in digits three lines high beside them."""
    lines = [Text(), *_drawn(cards, large=True)]
    for n, row in enumerate(large_digit(total), 2):
        lines[n] = fitted(lines[n], LARGE_CARDS).append(row, style)
    return lines


def large_digit(digit: str) -> tuple[str, str, str]:
    """A digit in three lines of three characters."""
    if not digit:
        return ("", "", "")
    at = DIGITS.index(digit) * 3
    top, mid, low = (line.ljust(3) for line in DIGITS3X3_BOLD[at : at + 3])
    return top, mid, low


def _drawn(cards: Sequence[str | None], *, large: bool = False) -> list[Text]:
    """Two side by side, the third set apart; an empty place for a card that is not dealt."""
    pair = [*cards[:2], *[""] * (2 - len(cards))]
    groups = [*([each] for each in pair), cards[2:]] if large else [pair, cards[2:]]
    blocks = [_frame(group, large=large) for group in groups if group]
    lines = [Text(" ").join(parts) for parts in zip(*blocks[: len(groups) - 1], strict=True)]
    if len(blocks) < len(groups):
        return lines
    apart = "  " if large else " "
    return [
        line.append(apart).append_text(third) for line, third in zip(lines, blocks[-1], strict=True)
    ]


def _frame(cards: Sequence[str | None], *, large: bool) -> list[Text]:
    """Cards with one edge between them; '' is an empty place, None a card face down."""
    wide, high = (5, 3) if large else (3, 1)
    dealt = any(card != "" for card in cards)
    edge, line = ("", "─") if dealt else (LABEL, "╌")
    inside = [_face(card, wide, high) for card in cards]
    lines = [_edge("╭┬╮", line * wide, len(cards), edge)]
    for y in range(high):
        row = Text.assemble(("│", edge))
        for face in inside:
            row.append_text(face[y]).append("│", edge)
        lines.append(row)
    return [*lines, _edge("╰┴╯", line * wide, len(cards), edge)]


def _edge(corners: str, line: str, cards: int, style: str) -> Text:
    between = corners[1].join([line] * cards)
    return Text.assemble((corners[0] + between + corners[2], style))


def _face(card: str | None, wide: int, high: int) -> list[Text]:
    """The face of a card, line by line."""
    if not card:
        return [Text(("▒" if card is None else " ") * wide, LABEL)] * high
    face, style = symbol(card), "bold red" if card[1] in "DH" else "bold"
    if high == 1:
        return [Text(face.rjust(wide), style)]
    rank, suit = face[:-1], face[-1]
    return [Text(row, style) for row in (rank.ljust(wide), suit.center(wide), rank.rjust(wide))]


def _band(due: Task, width: int, *, wide: bool) -> list[Text]:
    """The headline on a field of its own colour, and below it what to type."""
    mark = "" if due.tone == "quiet" else "▶ "
    spaced = wide and cell_len(due.headline) == len(due.headline)  # wide letters are wide enough
    words = " ".join(due.headline) if spaced else due.headline
    headline = _ruled(f"  {mark}{words}", due.rule, width)
    headline.stylize("bold")
    blank = Text(" " * width)
    how = _ruled(f"  {'  ' if mark else ''}{plain(due.how)}", due.how_rule, width)
    field = [blank, blank.copy(), headline, how, blank.copy()] if wide else [blank, headline, how]
    for line in field:
        line.stylize(_TONES[due.tone])
    return field


def _ruled(words: str, rule: str, width: int) -> Text:
    """Words at the left, their rule at the right, if there is one."""
    tail = f" {rule}  " if rule else "  "
    return fitted(Text(words), width - len(tail)).append(tail)


def _below(due: Task, width: int, room: int, *, wide: bool) -> list[Text]:
    """What nobody may miss, why, then what the head shows too, as far as there is room."""
    inner, room = width - 2, room - wide
    notes = _alarms(due.notes, inner)
    why = wrapped(" ".join(due.why), inner)
    fits = why[: max(room - len(notes), 0)]
    if fits and len(fits) < len(why):
        fits[-1] = fitted(fits[-1].append(" …"), inner)
    near = _alarms(due.near, inner)
    if len(fits) + len(notes) + len(near) > room:
        near = []
    lines = [*([Text()] if wide else []), *fits, *notes, *near]
    return [Text(" ").append_text(line) for line in lines]


def _alarms(words: Sequence[str], width: int) -> list[Text]:
    return [line for each in words for line in wrapped(f"! {each}", width, ALARM)]
