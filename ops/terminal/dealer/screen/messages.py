"""What was said here, what came of it, and what others did: the newest at the bottom."""

from collections.abc import Iterable, Sequence
from typing import Literal

from msgspec import Struct
from rich.text import Text

from ops.kit.colours import ALARM, HEARD, LABEL, MARKS, TITLE, TRAINING
from ops.kit.lines import fitted, marked

Kind = Literal["done", "refused", "heard"]
KEPT = 200


class Message(Struct, frozen=True):
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
    """Whole words a line; in training each line says so."""
    label = Text.assemble(TRAINING, " ") if training else Text()
    lines = told(message, width - 2 - label.cell_len)
    return [label.copy().append_text(line) for line in lines]


def told(message: Message, width: int) -> list[Text]:
    """The message by itself."""
    style = {"done": "", "refused": TITLE, "heard": LABEL}[message.kind]
    words = message.words.removeprefix("! ")  # as `show` says what nobody may miss
    mark = ("!", ALARM) if words != message.words else MARKS.get(message.kind, HEARD)
    return marked(mark, words, width, style)
