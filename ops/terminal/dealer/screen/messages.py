"""The messages: what was entered here, its outcome, and what others did; the newest last."""

from collections.abc import Iterable, Mapping, Sequence
from typing import Literal, get_args

from msgspec import Struct
from rich.text import Text

from domain.rules.wording import counted
from ops.kit.colours import ALARM, LABEL, MARKS, NOTE, TITLE, training_mark
from ops.kit.lines import fitted, marked
from ops.words.language import _
from ops.words.language import shown as in_language

Kind = Literal["done", "refused", "note"]
KINDS: Mapping[str, Kind] = {each: each for each in get_args(Kind)}
MOST_MESSAGES = 200


class Message(Struct, frozen=True):
    """A message, with a mark for its kind."""

    kind: Kind
    words: str


def messages(
    past: Sequence[Message],
    sending: str | None,
    waiting: Iterable[str],
    width: int,
    height: int,
    *,
    training: bool,
) -> list[Text]:
    """The last messages, then the line that is being sent and those that wait for it."""
    queue = _queue(sending, list(waiting), width, height)
    room = height - len(queue)
    lines: list[Text] = []
    for message in reversed(past):
        whole = _message(message, width, training=training)
        if lines and len(whole) + len(lines) > room:
            break
        lines = [*whole, *lines]
    lines = as_many(lines, room)
    above = [Text()] * (room - len(lines))
    return [*above, *(Text(" ").append_text(line) for line in (*lines[:room], *queue))]


def as_many(lines: list[Text], room: int) -> list[Text]:
    """The lines that there is room for; where not all of them, the last says where they are."""
    if len(lines) <= room:
        return lines
    return [*lines[: max(room - 1, 0)], Text(f"… {_('PageUp shows all of it')}", LABEL)]


def _queue(sending: str | None, waiting: list[str], width: int, height: int) -> list[Text]:
    lines = []
    if sending is not None:
        lines.append(fitted(Text(f"› {sending} …", "bold"), width - 2))
    room = max(height // 2, 1)
    shown = waiting if len(waiting) <= room else waiting[: room - 1]
    lines += [fitted(Text(f"  {line}  {_('(waits)')}", LABEL), width - 2) for line in shown]
    if len(shown) < len(waiting):
        more = counted(len(waiting) - len(shown), "and {n} more waits", "and {n} more wait")
        lines.append(Text(f"  {in_language(more)}", LABEL))
    return lines


def _message(message: Message, width: int, *, training: bool) -> list[Text]:
    """A message in whole words; in training each line is marked."""
    label = Text.assemble(training_mark(), " ") if training else Text()
    lines = message_lines(message, width - 2 - label.cell_len)
    return [label.copy().append_text(line) for line in lines]


def message_lines(message: Message, width: int) -> list[Text]:
    """The message by itself."""
    style = {"done": "", "refused": TITLE, "note": LABEL}[message.kind]
    words = message.words.removeprefix("! ")  # the mark of what nobody may miss
    mark = ("!", ALARM) if words != message.words else MARKS.get(message.kind, NOTE)
    return marked(mark, words, width, style)
