"""A dealer's terminal that is killed under whoever deals there."""

import os
import signal
import subprocess
import threading
from collections import Counter
from contextlib import suppress
from dataclasses import dataclass, field
from pathlib import Path
from random import Random

from tests.worlds.programs import Program

READY = ("Next: ", "B01: ")  # begin the last line that the terminal says before it listens


@dataclass
class Dealer:
    """Somebody at `sabot dealer B01 --plain`, which may be killed under them."""

    home: Path
    kills: int = 0
    came_to: Counter[str] = field(default_factory=Counter)  # what kills left behind
    terminal: subprocess.Popen[str] | None = None

    def sit_down(self) -> list[str]:
        """Starts the terminal; what it says before it listens."""
        self.terminal = Program(
            ["dealer", "B01", "--plain", "--by", "D-204"],
            env=os.environ | {"SABOT_HOME": str(self.home), "PYTHONUNBUFFERED": "1"},
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            text=True,
        )
        told = []
        while not (told and told[-1].startswith(READY)):
            told.append(self.hear())
        return told

    def hear(self) -> str:
        """The next line; '' when the terminal is gone."""
        assert self.terminal is not None
        assert self.terminal.stdout is not None
        line = self.terminal.stdout.readline()
        return line.rstrip("\n")

    def type(self, line: str) -> str:
        """The answer to a line; '' when the terminal was killed before it gave one."""
        assert self.terminal is not None
        assert self.terminal.stdin is not None
        try:
            self.terminal.stdin.write(f"{line}\n")
            self.terminal.stdin.flush()
        except BrokenPipeError:
            return ""
        return self.hear()

    def kill(self) -> None:
        assert self.terminal is not None
        self.terminal.send_signal(signal.SIGKILL)

    def get_up(self) -> None:
        """After a kill."""
        assert self.terminal is not None
        with suppress(BrokenPipeError), self.terminal:
            self.terminal.wait()

    def deal(self, lines: list[str], random: Random, kills: int) -> None:
        """The whole evening; at so many lines the terminal is killed some time after the key."""
        at = set(random.sample(range(1, len(lines)), kills))
        self.sit_down()
        for number, line in enumerate(lines):
            self._type_until_known(line, random.random() * 0.02 if number in at else None)
        self.kill()
        self.get_up()

    def _type_until_known(self, line: str, killed_after: float | None) -> None:
        if killed_after is not None:
            timer = threading.Timer(killed_after, self.kill)
            timer.start()
        answer = self.type(line)
        if killed_after is not None:
            timer.join()
            self.get_up()
            self.kills += 1
            answer = ""
        while not answer:
            answer, line = self._after_a_kill(line)

    def _after_a_kill(self, line: str) -> tuple[str, str]:
        """Sits down again; the answer if it was told what became of it, else says it again."""
        told = self.sit_down()
        before = [each for each in told if f"`{line}`" in each]
        if not before:
            self.came_to["never heard"] += 1
            return self.type(line), line
        if "Not done: " not in before[0]:
            self.came_to["on record"] += 1
            return before[0], line
        self.came_to["on the line again"] += 1
        left = before[0].rpartition("Not done: ")[2]
        return self.type(left), left
