"""The outcome of a typed line, and whether the ledger can be reached: what a screen must show."""

from collections.abc import Iterable
from dataclasses import dataclass, field
from typing import Literal

from msgspec import Struct

from ops.words.language import N_, _, shown
from ops.words.show import MISTAKEN, lost_words

# What to do at the table while the ledger cannot be reached.
MEANWHILE = N_("Nothing is sent; what you type is kept. Hold the coup, call the pit boss.")


class Outcome(Struct, frozen=True):
    """The outcome of a line. What is `left` of it stays on the line, to be changed.

    done      on disk; `words` say what happened
    refused   nothing of what is left happened; `words` say why not and what to do next
    second    nothing of what is left happened: it takes a second person, another one, or the same
              once more, who types number and PIN here; `words` say what they sign, or why not
    sign-on   nobody is signed on here: somebody types number and PIN here, then it goes on
    unsent    nothing of what is left is on record: the ledger cannot be reached, or could not be
    lost      not known yet, because the ledger cannot be reached; it is shown when it can
    answered  a question was answered; nothing was to be done
    """

    kind: Literal["done", "refused", "second", "sign-on", "unsent", "lost", "answered"]
    words: tuple[str, ...]
    rule: str = ""  # by which it was refused
    left: str = ""
    done: int = 0  # how many of the words say what was done before the rest was refused
    signer: str = ""  # the second person whom the line names
    asks: tuple[str, ...] = ()  # what a second person signs, where `words` say why not
    again: bool = False  # whether the same, entered once more, goes on


class Link(Struct, frozen=True):
    """Whether the ledger can be reached; if not, why, and which line has no answer yet."""

    up: bool = True
    why: str = ""
    unanswered: str = ""


@dataclass(frozen=True, slots=True)  # so that nothing prints the PIN
class Second:
    """The second person's number and PIN as typed; `pin` is '' in open house."""

    staff: str
    pin: str = field(default="", repr=False)


def refused(
    message: str, rule: str | None = None, left: str = "", before: Iterable[str] = ()
) -> Outcome:
    """The outcome of a line that was refused; `before` says what was done before."""
    done = tuple(before)
    return Outcome("refused", (*done, message), rule or "", left, done=len(done))


def unsent(why: str, left: str) -> Outcome:
    """The outcome of a line of which nothing that is left was sent."""
    before = "" if f"{why}." == MISTAKEN else f"{_('Nothing was sent.')} "
    return Outcome("unsent", (f"{before}{shown(lost_words(why))}",), left=left)
