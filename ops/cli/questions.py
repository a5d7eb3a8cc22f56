"""Questions at a terminal, each of which an option may have answered before it is asked."""

from collections.abc import Callable, Mapping, Sequence

import click

from domain.rules.refusals import Refusal
from ops.cli.session import say
from ops.words.failure import in_words

BACK = "<"
MOST = 10_000  # letters of an answer
EXPLAINED = "Enter takes what is in brackets. `sabot manual rule-sets` explains every term."


class WantsBack(Exception):
    """Somebody typed `<` at a question."""


class Questions:
    """Asks what no option answered; with `defaults` it asks nobody, and takes what is usual."""

    def __init__(self, answered: Mapping[str, str | None], *, defaults: bool = False) -> None:
        self._answered = {name: each for name, each in answered.items() if each is not None}
        self.defaults = defaults
        self._asked = 0
        self._typed: dict[str, str] = {}  # what was typed at a question that is asked again

    def ask(
        self, name: str, words: str, usual: str | None = None, *, explained: bool = False
    ) -> str:
        """The answer: of the option of that name, or typed; Enter alone takes the usual one.

        `usual`: '' shows as none; without it something must be typed. What was typed at a name is
        the usual answer when it is asked again. `explained`: whoever asks answers a `?` itself.
        Raises WantsBack.
        """
        if name in self._answered:
            return self._answered.pop(name)
        if self.defaults:
            if usual is None:
                raise click.UsageError(f"With --defaults, say --{name} too.")
            return usual
        self._asked += 1
        usual = self._typed.get(name, usual)
        shown = "" if usual is None else f" [{usual or 'none'}]"
        while True:
            typed = click.prompt(words + shown, default=usual, show_default=False, err=True)
            answer = _unquoted(str(typed).strip())[:MOST]
            if answer == BACK:
                raise WantsBack
            if answer != "?" or explained:
                break
            say(EXPLAINED)
        if name:
            self._typed[name] = answer
        return answer

    def in_turn(self, blocks: Sequence[Callable[[], None]]) -> None:
        """Asks the questions of each block; `<` goes to its first one, or to the block before."""
        n, asked = 0, list[int]()  # the blocks that asked something
        while n < len(blocks):
            before = self._asked
            try:
                blocks[n]()
            except WantsBack:
                is_first = self._asked == before + 1
                n = asked.pop() if is_first and asked else n
            else:
                asked += [n] if self._asked > before else []
                n += 1

    def until_right(self, act: Callable[[], None]) -> None:
        """Does it until it is accepted; raises a refusal that no other answer can change."""
        while True:
            before = self._asked
            try:
                act()
            except Refusal as refusal:
                if self._asked == before:
                    raise
                say(in_words(refusal))
            else:
                return

    def is_so(self, words: str) -> bool:
        """Whether it is so: Enter says yes."""
        while (typed := self.ask("", f"{words} (y/n)", "y").lower()) not in ("y", "yes", "n", "no"):
            say(f"{typed!r} is neither y nor n.")
        return typed.startswith("y")


def _unquoted(typed: str) -> str:
    """What stands in quotes, if all of it does.

    >>> _unquoted("'5.00'"), _unquoted('increment = "5.00"')
    ('5.00', 'increment = "5.00"')
    """
    quoted = len(typed) > 1 and typed[0] == typed[-1] and typed[0] in "\"'"
    return typed[1:-1] if quoted else typed
