"""Pages that are run: what they say a command answers is what it answers.

A `sh` block is run and every line of it must be accepted. A `console` block is run, and below each
line that begins with `$ ` stands what it answers: `…` for words, or for lines, that do not matter,
and `[1]` last for an exit status that is not 0. A line that ends in a backslash goes on. Places in
the ledger, as in `#48213`, are left out. A `sql` block is run by whoever owns the database; a
`toml` block is the file `house.toml`. The table of the money is reckoned anew.
"""

import re
from dataclasses import dataclass, field
from pathlib import Path

from tests.worlds.ledger_at_shell import LedgerAtShell

_BLOCK = re.compile(r"^```(sh|console|sql|toml)\n(.*?)^```$", re.DOTALL | re.MULTILINE)
_MONEY = re.compile(r"^\| \| staked \|.*\n(?:\|.*\n)*", re.MULTILINE)
_SAID = re.compile(r"^\$ ((?:.*\\\n)*.*)\n?", re.MULTILINE)
_ANYTHING = "…"


@dataclass
class Page:
    """A page as it was written, and as it is true."""

    path: Path
    differing: list[str] = field(default_factory=list)

    @property
    def text(self) -> str:
        """As it was written."""
        return self.path.read_text()

    def run(self, floor: LedgerAtShell, rules: str = "") -> str:
        """The page with every answer as it came; what differs is told in `differing`.

        `rules`: the rule set to say instead of the one that is written.
        """
        text = re.sub(r"(table open \w+) \S+", rf"\1 {rules}", self.text) if rules else self.text
        text = _BLOCK.sub(lambda block: self._block(floor, *block.groups()), text)
        return _MONEY.sub(lambda written: self._money(floor, written.group()), text)

    def _block(self, floor: LedgerAtShell, kind: str, body: str) -> str:
        if kind == "sh":
            self._must_be_accepted(floor, body)
        elif kind == "sql":
            floor.tamper(body)
        elif kind == "toml":
            Path("house.toml").write_text(body)
        if kind != "console":
            return f"```{kind}\n{body}```"
        now = []
        _, *pieces = _SAID.split(body)
        for line, expected in zip(pieces[::2], pieces[1::2], strict=True):
            answered, written = floor.ask(line), expected.strip("\n")
            if not matches(written, answered):
                self.differing.append(f"$ {line}\n{answered}\n--- and the page says\n{written}")
                written = shortened(written, answered)
            now.append(f"$ {line}\n{written}\n" if written else f"$ {line}\n")
        return f"```console\n{''.join(now)}```"

    def _money(self, floor: LedgerAtShell, written: str) -> str:
        now = "".join(floor.money())
        if now != written:
            self.differing.append(f"{now}--- and the page says\n{written}")
        return now

    def _must_be_accepted(self, floor: LedgerAtShell, body: str) -> None:
        for line in body.replace("\\\n", "").splitlines():
            if line and not line.startswith("#"):
                answered = floor.ask(line)
                assert not answered.endswith("]"), f"{self.path.name}: {line}\n{answered}"


def matches(written: str, answered: str) -> bool:
    """Whether an answer is the one that was written, `…` being anything.

    >>> matches("…\\nSettled: … paid.", "No more bets.\\nSettled: 5.00 wagered, 9.75 paid.")
    True
    >>> matches("Settled.", "Settled.\\nNext: bet.")
    False
    """
    lines = "".join(map(_as_pattern, written.splitlines()))
    return re.fullmatch(lines, f"{answered}\n" if answered else "") is not None


def _as_pattern(line: str) -> str:
    if line == _ANYTHING:
        return r"(?:.*\n)*?"
    return ".*".join(map(re.escape, line.split(_ANYTHING))) + r"\n"


def shortened(written: str, answered: str) -> str:
    """The answer, with lines left out where they were left out before.

    What follows begins at the line with which it began, else it is as long as it was.

    >>> shortened("…\\nSettled: 1.00.\\nNext: bet.", "No more bets.\\nSettled: 2.00.\\nNext: bet.")
    '…\\nSettled: 2.00.\\nNext: bet.'
    >>> shortened("…\\nPaid\\n1.00", "Cards\\nPaid\\n1.00\\n2.00")
    '…\\nPaid\\n1.00\\n2.00'
    """
    before, left_out, after = f"{written}\n".partition(f"{_ANYTHING}\n")
    first, tail, lines = len(before.splitlines()), after.splitlines(), answered.splitlines()
    again = (
        at
        for at, line in enumerate(lines)
        if tail and at >= first and re.fullmatch(_as_pattern(tail[0]), f"{line}\n")
    )
    last = next(again, len(lines) - len(tail))
    if not left_out or last <= first:
        return answered
    return "\n".join([*lines[:first], _ANYTHING, *lines[last:]])
