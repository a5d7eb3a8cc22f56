"""Pages that are run: what they say a command answers is what it answers.

A `sh` block is run and every line of it must be accepted. A `console` block is run, and below each
line that begins with `$ ` stands what it answers: `…` for words, or for lines, that do not matter,
and `[1]` last for an exit status that is not 0. A line that ends in a backslash goes on. Places in
the ledger, as in `#48213`, are left out. A `sql` block is run by whoever owns the database; a
`toml` block is the file `house.toml`. The table of the money is reckoned anew.
"""

import re
import shlex
from collections import defaultdict
from collections.abc import Iterator
from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

import click

from domain.rules.money import major
from ops.cli import cli
from ops.ledger.database import Database
from tests.acceptance.mouths import shell, told

BEGINS = datetime(2026, 11, 21, 20, tzinfo=UTC)
PACE = timedelta(seconds=3)  # from one line to the next
DEALER = "D-204"  # who speaks when a line does not say

_BLOCK = re.compile(r"^```(sh|console|sql|toml)\n(.*?)^```$", re.DOTALL | re.MULTILINE)
_MONEY = re.compile(r"^\| \| staked \|.*\n(?:\|.*\n)*", re.MULTILINE)
_PLACES = (  # in the ledger, which move when the record tells more
    (re.compile(r"\n#\d+$", re.MULTILINE), ""),
    (re.compile(r" +#\d+$", re.MULTILINE), ""),
    (re.compile(r"^#\d+ +", re.MULTILINE), ""),
    (re.compile(r" Record #\d+–#\d+, (?:chain|CHAIN)"), " Chain"),
    (re.compile(r"  at position \d+$", re.MULTILINE), ""),
    (re.compile(r"Frozen at #\d+"), "Frozen"),
)
_SAID = re.compile(r"^\$ ((?:.*\\\n)*.*)\n?", re.MULTILINE)
_ANYTHING = "…"


@dataclass
class Floor:
    """One ledger, and the moment at which it was last spoken to."""

    database: Database
    moment: datetime

    def say(self, line: str) -> str:
        """What `sabot …` prints, then its exit status unless it is 0."""
        program, *words = shlex.split(line.replace("\\\n", " "))
        assert program == "sabot", line
        result = shell(self.database, *words, *self._unsaid(words))
        if result.exception and not isinstance(result.exception, SystemExit):
            raise result.exception
        said = "\n".join(each.rstrip() for each in result.output.splitlines())
        for place, instead in _PLACES:
            said = place.sub(instead, said)
        return f"{said}\n[{result.exit_code}]".lstrip("\n") if result.exit_code else said

    def money(self) -> Iterator[str]:
        """What everybody staked, was paid and paid, and ends with: the last column comes to 0."""
        yield "| | staked | paid | commission collected | still owed | ends with |\n"
        yield "|---|--:|--:|--:|--:|--:|\n"
        house = 0
        for patron, (staked, paid, collected, owed) in sorted(self._by_patron().items()):
            ends = paid - staked - collected - owed
            house -= ends
            yield _row(patron, staked, paid, collected, owed, ends)
        yield _row("the house", "", "", "", "", house)

    def _by_patron(self) -> dict[str, list[int]]:
        sums: dict[str, list[int]] = defaultdict(lambda: [0, 0, 0, 0])
        for each in told(self.database, "report", "wagers")["rows"]:
            if each["paid"] is not None:
                sums[each["patron"]][0] += each["stake"]
                sums[each["patron"]][1] += each["paid"]
                if each["commission_due"] == "at-payout":  # it was taken off what was paid
                    sums[each["patron"]][2] -= each["commission_charged"]
        for each in told(self.database, "report", "commission")["rows"]:
            if each["patron"] in sums:
                sums[each["patron"]][2] += each["collected"]
                sums[each["patron"]][3] += each["outstanding"]
        return sums

    def tamper(self, sql: str) -> None:
        """What nobody should be able to do, done."""
        with self.database.connect_as_is() as connection:
            connection.execute(sql)
            connection.commit()

    def _unsaid(self, words: list[str]) -> list[str]:
        """When, and by whom, where the command asks and the line does not say."""
        known = _options(words)
        if "by" not in known or "at" not in known:
            return []
        if "--at" in words:
            self.moment = datetime.fromisoformat(words[words.index("--at") + 1])
            when = []
        else:
            self.moment += PACE
            when = ["--at", self.moment.isoformat()]
        return when if "--by" in words else [*when, "--by", DEALER]


def _row(who: str, *cells: int | str) -> str:
    said = (each if isinstance(each, str) else major(each, "USD") for each in cells)
    return f"| {who} | {' | '.join(said)} |\n"


def _options(words: list[str]) -> set[str]:
    """What the command of these words may be told."""
    command: Any = cli
    context = click.Context(cli)
    for word in words:
        if not isinstance(command, click.Group):
            break
        command = command.get_command(context, word)
        assert command, f"sabot {' '.join(words)}: there is no such command"
    return {str(each.name) for each in command.params}


@dataclass
class Page:
    """A page as it was written, and as it is true."""

    path: Path
    differing: list[str] = field(default_factory=list)

    @property
    def text(self) -> str:
        """As it was written."""
        return self.path.read_text()

    def run(self, floor: Floor, rules: str = "") -> str:
        """The page with every answer as it came; what differs is told in `differing`.

        `rules`: the rule set to say instead of the one that is written.
        """
        text = re.sub(r"(table open \w+) \S+", rf"\1 {rules}", self.text) if rules else self.text
        text = _BLOCK.sub(lambda block: self._block(floor, *block.groups()), text)
        return _MONEY.sub(lambda written: self._money(floor, written.group()), text)

    def _block(self, floor: Floor, kind: str, body: str) -> str:
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
            answered, written = floor.say(line), expected.strip("\n")
            if not matches(written, answered):
                self.differing.append(f"$ {line}\n{answered}\n--- and the page says\n{written}")
                written = shortened(written, answered)
            now.append(f"$ {line}\n{written}\n" if written else f"$ {line}\n")
        return f"```console\n{''.join(now)}```"

    def _money(self, floor: Floor, written: str) -> str:
        now = "".join(floor.money())
        if now != written:
            self.differing.append(f"{now}--- and the page says\n{written}")
        return now

    def _must_be_accepted(self, floor: Floor, body: str) -> None:
        for line in body.replace("\\\n", "").splitlines():
            if line and not line.startswith("#"):
                answered = floor.say(line)
                assert not answered.endswith("]"), f"{self.path.name}: {line}\n{answered}"


def matches(written: str, answered: str) -> bool:
    """Whether an answer is the one that was written, `…` being anything.

    >>> matches("…\\nSettled: … paid.", "No more bets.\\nSettled: 5.00 staked, 9.75 paid.")
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
