"""`sabot feed` to the house server: the lines that wait go there together, their answers come back.

Each line gets an id if it has none, and a device's line a number, so that a line whose answer was
lost is sent again and counts once.
"""

import json
import sys
from collections.abc import Iterable, Iterator
from http import HTTPStatus
from typing import IO, Any
from uuid import uuid4

from ops.door.connection import Connection, HouseLost
from ops.door.device import Device

TARGET = "/api/commands"
PIECE = 1 << 16  # bytes in one read
LOST = 3  # exit status


class Feed:
    """Sends lines as they come.

    `device`: it sends them, in place of whoever is signed on at this terminal. `late`: every line
    is entered late. `until_refused`: it stops at the first line that is refused or cannot be read.
    """

    def __init__(
        self, connection: Connection, device: Device | None, *, late: bool, until_refused: bool
    ) -> None:
        self._connection = connection
        self._device = device
        self._wanted = "".join(
            f"&{name}=1" for name, on in (("late", late), ("until_refused", until_refused)) if on
        )
        self._until_refused = until_refused
        self._sent = 0

    def run(self, lines: IO[bytes], out: IO[str]) -> int:
        """Writes each answer in order; the exit status of a feed. Raises NoKey."""
        refused = unreadable = False
        try:
            for waiting in _groups(lines):
                for answer in self._answers(waiting):
                    out.write(f"{answer}\n")
                    read: dict[str, Any] = json.loads(answer)
                    refused |= not read["ok"]
                    unreadable |= read.get("error") == "BadLine"
                out.flush()
                if refused and self._until_refused:
                    break
        except HouseLost as error:
            later = "may be" if error.sent else "were not sent"
            sys.stderr.write(
                f"The house cannot be reached: {error}. Answered lines are recorded, later ones "
                f"{later}: send the same file again.\n"
            )
            return LOST
        return 2 if unreadable else 1 if refused else 0

    def show_schema(self, out: IO[str]) -> int:
        """Writes the JSON Schema of lines and answers; the exit status of a feed."""
        try:
            out.write(self._connection.get("/api/schema").decode())
        except HouseLost as error:
            sys.stderr.write(f"The house cannot be reached: {error}.\n")
            return LOST
        return 0

    def _answers(self, waiting: list[bytes]) -> list[str]:
        """One answer for each line, or fewer until the first that is refused. Raises HouseLost."""
        target = f"{TARGET}?first={self._sent + 1}{self._wanted}"
        named = self._device.numbered(waiting) if self._device else map(_named, waiting)
        body = b"".join(line if line.endswith(b"\n") else line + b"\n" for line in named)
        status, content = self._connection.post(target, body)
        answers = content.decode().split("\n")[:-1]
        if status != HTTPStatus.OK or not 0 < len(answers) <= len(waiting):
            raise HouseLost(_message(content) or f"it answered {status}")
        self._sent += len(waiting)
        return answers


def _message(content: bytes) -> str:
    try:
        return str(json.loads(content)["message"]).rstrip(".")
    except (ValueError, KeyError, TypeError):
        return ""


def _named(line: bytes) -> bytes:
    """The line with an id; one that is no JSON object goes as it is, and is refused there."""
    try:
        fields = json.loads(line)
    except ValueError:
        return line
    if not isinstance(fields, dict) or not fields or "id" in fields:
        return line
    return f'{{"id": "feed:{uuid4()}", '.encode() + line.lstrip()[1:]  # the rest as it was sent


def _groups(lines: IO[bytes]) -> Iterator[list[bytes]]:
    """Lines in groups: each has all lines that were waiting."""
    begun = b""
    while piece := _some(lines):
        whole, ended, rest = (begun + piece).rpartition(b"\n")
        begun = rest
        if ended:
            yield whole.split(b"\n")
    if begun:
        yield [begun]


def _some(lines: IO[bytes]) -> bytes:
    read: Iterable[int] | bytes = lines.read1(PIECE)  # type: ignore[attr-defined]
    return bytes(read)
