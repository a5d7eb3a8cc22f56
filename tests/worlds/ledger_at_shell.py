"""A ledger to which whole lines are said at the shell, as the pages of the book say them."""

import re
import shlex
from collections import defaultdict
from collections.abc import Iterator
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Any

import click

from domain.rules.money import major
from ops.cli import cli
from ops.ledger.database import Database
from tests.acceptance.channels import json_of, shell

PACE = timedelta(seconds=3)  # from one line to the next
DEALER = "D-204"  # who speaks when a line does not say
_PLACES = (  # in the ledger, which move when the record tells more
    (re.compile(r"\nRecorded as #\d+\.$", re.MULTILINE), ""),
    (re.compile(r"\n#\d+$", re.MULTILINE), ""),
    (re.compile(r" +#\d+$", re.MULTILINE), ""),
    (re.compile(r"^#\d+ +", re.MULTILINE), ""),
    (re.compile(r" Record #\d+–#\d+, (?:chain|CHAIN)"), " Chain"),
    (re.compile(r"  up to event #[\d,]+ of the record$", re.MULTILINE), ""),
    (re.compile(r"as of #\d+"), "as of #"),
)


@dataclass
class LedgerAtShell:
    """One ledger, and the moment at which it was last spoken to."""

    database: Database
    moment: datetime

    def ask(self, line: str) -> str:
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
        for each in json_of(self.database, "report", "wagers")["rows"]:
            if each["paid"] is not None:
                sums[each["patron"]][0] += each["stake"]
                sums[each["patron"]][1] += each["paid"]
                if each["commission_due"] == "at-payout":  # it was taken off what was paid
                    sums[each["patron"]][2] -= each["commission_charged"]
        for each in json_of(self.database, "report", "commission")["rows"]:
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
