"""What a typed line comes to, and whether the ledger can be reached: all that a face must tell."""

from collections.abc import Iterable
from dataclasses import dataclass, field
from typing import Literal

from msgspec import Struct

from ops.words.show import lost_words

# What it means at the table that the ledger cannot be reached, before anybody asks why.
MEANWHILE = "Nothing is sent; what is typed stays. Hold the coup and call the pit boss."


class Outcome(Struct, frozen=True):
    """What became of a line. Whatever is `left` of it stays on the line, to be mended.

    done     on disk; `words` say what happened
    refused  nothing of what is left happened; `words` say why not and what to do next
    second   nothing of what is left happened: it takes a second person, another one, or the same
             once more, who gives number and PIN in place; `words` say what they sign, or why not
    sign-on  nobody is signed on here: somebody gives number and PIN in place, then goes on
    unsent   nothing of what is left is on record: the ledger cannot be reached, or could not be
    lost     nobody knows: the ledger cannot be reached. It is told when it is back
    told     a question was answered; nothing was to be done
    """

    kind: Literal["done", "refused", "second", "sign-on", "unsent", "lost", "told"]
    words: tuple[str, ...]
    rule: str = ""  # by which it was refused
    left: str = ""
    done: int = 0  # so many of the words say what went well before the rest was refused


class Link(Struct, frozen=True):
    """Whether the ledger can be reached; if not, why, and which line has no answer yet."""

    up: bool = True
    why: str = ""
    unanswered: str = ""


@dataclass(frozen=True, slots=True)  # so that nothing prints the PIN
class Second:
    """The second person, as they typed themselves in; `pin` is '' in open house."""

    staff: str
    pin: str = field(default="", repr=False)


def refused(
    message: str, rule: str | None = None, left: str = "", before: Iterable[str] = ()
) -> Outcome:
    """What is left was refused; `before` says what went well."""
    went_well = tuple(before)
    return Outcome("refused", (*went_well, message), rule or "", left, done=len(went_well))


def unsent(why: str, left: str) -> Outcome:
    """Nothing of what is left was sent."""
    return Outcome("unsent", (f"Nothing was sent. {lost_words(why)}",), left=left)
