"""`sabot feed` to the house server: the lines that wait go there together, their answers come back.

Each line gets an id if it has none, and a device's line a number, so that a line whose answer was
lost is sent again and counts once.
"""

import json
import sys
import time
from collections.abc import Iterator, Mapping
from contextlib import closing, contextmanager
from http import HTTPStatus
from typing import IO, Any

from ops.door.acknowledged import LinesHere
from ops.door.connection import (
    QUESTIONS,
    Connection,
    HouseLost,
    HouseRestored,
    WiredConnection,
)
from ops.door.device import Device
from ops.door.fresh_id import fresh_id
from ops.door.lines import waiting_in
from ops.door.missing import show_missing

TARGET = "/api/commands"
LOST = 3  # exit status
BUSY = 1.0  # seconds until a house that is busy is asked again
UNKNOWN = "OutcomeUnknown"  # the error of a line that may be recorded or not


@contextmanager
def feed_to(
    house: str,
    device: Device | None,
    patience: float,
    *,
    late: bool,
    until_refused: bool,
    compares: bool = True,
) -> "Iterator[Feed]":
    """A feed to the house at this address, on a connection of its own. Raises NoHouse.

    `compares`: it sends nothing to a restored record that lacks what was acknowledged here.
    """
    lines = LinesHere(house)
    compared = lines if compares else None
    with closing(WiredConnection(house, patience, device, acknowledged=compared)) as connection:
        yield Feed(connection, device, lines, late=late, until_refused=until_refused)


class Feed:
    """Sends lines as they come.

    `device`: it sends them, in place of whoever is signed on at this terminal. `late`: every line
    is entered late. `until_refused`: it stops at the first line that is refused or cannot be read.
    """

    def __init__(
        self,
        connection: Connection,
        device: Device | None,
        acknowledged: LinesHere | None = None,
        *,
        late: bool,
        until_refused: bool,
    ) -> None:
        self._connection = connection
        self._device = device
        self._wanted = "".join(
            f"&{name}=1" for name, on in (("late", late), ("until_refused", until_refused)) if on
        )
        self._until_refused = until_refused
        self._acknowledged = acknowledged
        self._late = {"late": True} if late else {}
        self._sent = 0

    def run(self, lines: IO[bytes], out: IO[str]) -> int:
        """Writes each answer in order; the exit status of a feed. Raises NoKey."""
        refused = unreadable = False
        try:
            for waiting in waiting_in(lines):
                for answer in self._answers(waiting):
                    out.write(f"{answer}\n")
                    out.flush()
                    read: dict[str, Any] = json.loads(answer)
                    refused |= not read["ok"]
                    unreadable |= read.get("error") == "BadLine"
                if refused and self._until_refused:
                    break
        except HouseRestored as error:
            sys.stderr.write(f"{error} Then send the same file again.\n")
            return LOST
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

    def show_missing(self, out: IO[str]) -> int:
        """Writes the lines acknowledged here that are not on record; the exit status of a feed."""
        assert self._acknowledged
        try:
            record = self._answer({"ask": "on-record"})["record"]
            return show_missing(self._acknowledged, record, self._on_record, out)
        except HouseLost as error:
            sys.stderr.write(f"The house cannot be reached: {error}.\n")
            return LOST

    def _on_record(self, ids: list[str]) -> set[str]:
        return set(self._answer({"ask": "which-on-record", "ids": ids}))

    def _answer(self, question: Mapping[str, object]) -> Any:
        """The answer to a question. Raises HouseLost."""
        status, content = self._connection.post(QUESTIONS, json.dumps(question).encode())
        if status != HTTPStatus.OK:
            words = str(_refusal(content).get("message", ""))
            raise HouseLost(words.rstrip(".") or f"it answered {status}")
        return json.loads(content)

    def _answers(self, waiting: list[bytes]) -> Iterator[str]:
        """One answer for each line, or fewer until the first that is refused. Raises HouseLost.

        A request may be answered in part: what is left of it is sent again.
        """
        named = self._device.numbered(waiting) if self._device else list(map(_named, waiting))
        while named:
            for answer in (answers := self._asked(named)):
                yield answer
                self._sent += 1
            if self._until_refused and answers and not json.loads(answers[-1])["ok"]:
                return
            named = named[len(answers) :]

    def _asked(self, named: list[bytes]) -> list[str]:
        """Answers to the first of these lines; none after it had to wait. Raises HouseLost."""
        target = f"{TARGET}?first={self._sent + 1}{self._wanted}"
        body = b"".join(line if line.endswith(b"\n") else line + b"\n" for line in named)
        status, content = self._connection.post(target, body)
        if status == HTTPStatus.TOO_MANY_REQUESTS:
            refusal = _refusal(content)
            sys.stderr.write(f"{refusal.get('message', 'The house is busy.')}\n")
            time.sleep(float(refusal.get("wait", BUSY)))
            return []
        answers = content.decode().split("\n")[:-1]
        if status != HTTPStatus.OK or not 0 < len(answers) <= len(named):
            words = str(_refusal(content).get("message", ""))
            raise HouseLost(words.rstrip(".") or f"it answered {status}")
        if json.loads(answers[-1]).get("error") == UNKNOWN:
            del answers[-1]  # it is sent again, under its id
        if self._acknowledged:
            self._acknowledged.note(self._recorded(named, answers))
        return answers

    def _recorded(
        self, named: list[bytes], answers: list[str]
    ) -> Iterator[tuple[str, Mapping[str, object], int]]:
        """The lines that were recorded, each with its id and the position in its answer."""
        for line, answer in zip(named, answers, strict=False):
            answered = json.loads(answer)
            if answered["ok"] and answered.get("position"):
                fields = json.loads(line)
                name = self._device.id_of(fields) if self._device else fields.get("id")
                if isinstance(name, str):
                    yield name, {**fields, **self._late}, answered["position"]


def _refusal(content: bytes) -> dict[str, Any]:
    """What the house says of a request that it did not answer."""
    try:
        read = json.loads(content)
    except ValueError:
        return {}
    return read if isinstance(read, dict) else {}


def _named(line: bytes) -> bytes:
    """The line with an id; one that is no JSON object goes as it is, and is refused there."""
    try:
        fields = json.loads(line)
    except (ValueError, RecursionError):
        return line
    if not isinstance(fields, dict) or not fields or "id" in fields:
        return line
    return f'{{"id": "feed:{fresh_id()}", '.encode() + line.lstrip()[1:]  # the rest as it was sent
