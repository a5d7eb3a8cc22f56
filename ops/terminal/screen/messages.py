"""What was said here, what came of it, and what others did: the newest at the bottom."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Literal

from rich.text import Text

from ops.terminal.screen.figures import fitted, wrapped
from ops.terminal.screen.inks import LABEL, TRAINING

Kind = Literal["done", "refused", "heard"]
MARKS = {"done": ("✓", "green"), "refused": ("✗", "bold red"), "heard": ("·", LABEL)}
KEPT = 200


@dataclass(frozen=True, slots=True)
class Message:
    """One of them, marked by what became of it."""

    kind: Kind
    words: str


def messages(
    said: Sequence[Message],
    saying: str | None,
    waiting: Iterable[str],
    width: int,
    height: int,
    *,
    training: bool,
) -> list[Text]:
    """The last of them, then the line that is being said and those that wait for it."""
    queue = _queue(saying, list(waiting), width, height)
    room = height - len(queue)
    lines: list[Text] = []
    for message in reversed(said):
        whole = _message(message, width, training=training)
        if lines and len(whole) + len(lines) > room:
            break
        lines = [*whole, *lines]
    above = [Text()] * (room - len(lines))
    return [*above, *(Text(" ").append_text(line) for line in (*lines[:room], *queue))]


def _queue(saying: str | None, waiting: list[str], width: int, height: int) -> list[Text]:
    lines = []
    if saying is not None:
        lines.append(fitted(Text(f"› {saying} …", "bold"), width - 2))
    room = max(height // 2, 1)
    shown = waiting if len(waiting) <= room else waiting[: room - 1]
    lines += [fitted(Text(f"  {line}  (waits)", LABEL), width - 2) for line in shown]
    if len(shown) < len(waiting):
        lines.append(Text(f"  and {len(waiting) - len(shown)} more wait", LABEL))
    return lines


def _message(message: Message, width: int, *, training: bool) -> list[Text]:
    mark, style = MARKS[message.kind]
    label, look = TRAINING
    before = len(label) + 1 if training else 0
    look_of_words = {"done": "", "refused": "bold", "heard": LABEL}[message.kind]
    lines = []
    for n, words in enumerate(wrapped(message.words, width - 4 - before, look_of_words)):
        line = Text()
        if training:
            line.append(label, look).append(" ")
        line.append(f"{mark} " if n == 0 else "  ", style)
        lines.append(line.append_text(words))
    return lines
