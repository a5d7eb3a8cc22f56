"""A line and what it was answered, together on their way to the log and to whoever sent it."""

from msgspec import Struct

from ops.commands.read import Line
from ops.handlers.answer import Answer


class LineAnswer(Struct, frozen=True):
    """What a line was answered; `line`: as it was read, without fields if it could not be."""

    line: Line
    answer: Answer
