"""`sabot feed` to the house server: the lines that wait go there together, their answers come back.

Each line gets an id if it has none, and a device's line a number, so that a line whose answer was
lost is sent again and counts once.
"""

import json
import sys
from collections.abc import Iterable, Iterator
from typing import IO, Any
from uuid import uuid4

from ops.door.connection import Connection, HouseLost
from ops.door.device import Device

TARGET = "/api/commands"
PIECE = 1 << 16  # bytes in one read
LOST = 3  # exit status


def run(
    connection: Connection,
    lines: IO[bytes],
    out: IO[str],
    *,
    device: Device | None = None,
    late: bool = False,
) -> int:
    """Sends lines as they come; writes each answer in order. The exit status of a feed.

    `device`: it sends the lines, in place of whoever is signed on at this terminal. Raises NoKey.
    """
    target = f"{TARGET}?late=1" if late else TARGET
    refused = unreadable = False
    try:
        for waiting in _groups(lines):
            sent = device.numbered(waiting) if device else list(map(_named, waiting))
            for answer in _answers(connection, target, sent):
                out.write(answer)
                read: dict[str, Any] = json.loads(answer)
                bad = not read["ok"]
                unreadable |= bad and read.get("error") == "BadLine"
                refused |= bad
            out.flush()
    except HouseLost as error:
        sys.stderr.write(
            f"The house cannot be reached: {error}. Answered lines are recorded, later ones may "
            "be: send the same file again.\n"
        )
        return LOST
    return 2 if unreadable else 1 if refused else 0


def _answers(connection: Connection, target: str, waiting: list[bytes]) -> list[str]:
    """One answer for each line. Raises HouseLost."""
    body = b"".join(line if line.endswith(b"\n") else line + b"\n" for line in waiting)
    status, content = connection.post(target, body)
    answers = content.decode().splitlines(keepends=True)
    if status != 200 or len(answers) != len(waiting):
        raise HouseLost(_message(content) or f"it answered {status}")
    return answers


def _message(content: bytes) -> str:
    try:
        return str(json.loads(content)["message"]).rstrip(".")
    except (ValueError, KeyError, TypeError):
        return ""


def _named(line: bytes) -> bytes:
    """The line with an id; one that is no JSON object goes as it is, and is refused there."""
    whole = line if line.endswith(b"\n") else line + b"\n"
    try:
        fields = json.loads(line)
    except ValueError:
        return whole
    if not isinstance(fields, dict) or not fields or "id" in fields:
        return whole
    return f'{{"id": "feed:{uuid4()}", '.encode() + whole.lstrip()[1:]  # the rest as it was sent


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
