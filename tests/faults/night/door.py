"""A table that is dealt through a house server, by `sabot feed`."""

import json
import shutil
import threading
from collections.abc import Sequence
from contextlib import suppress
from itertools import islice

from ops.commands.read import Line
from ops.ledger.database import Database
from tests.faults.night.actors import Body, World, noted, told
from tests.faults.night.schedule import Actor
from tests.worlds.house_server import HouseServer
from tests.worlds.programs import run

PIECE = 12  # lines


class Door:
    """Sends pieces of a table's lines, and a piece again until each of its lines is answered."""

    def __init__(self, world: World, actor: Actor) -> None:
        self.world, self.actor = world, actor
        self.house = HouseServer(Database(world.url), world.place / "house")
        world.house.write_text(self.house.address)
        self._terminal = self.house.terminal()
        self._going = threading.Event()
        self._thread = threading.Thread()

    def start(self) -> None:
        """Begins, or goes on where the notes end."""
        self._going.set()
        self._thread = threading.Thread(target=self._send, daemon=True)
        self._thread.start()

    def pause(self) -> None:
        """Ends after what is under way."""
        self._going.clear()
        if self._thread.ident:
            self._thread.join()

    def forget(self) -> None:
        """Its machine is another one after a restore: it offers nothing, and sends all again."""
        shutil.rmtree(self._terminal.home / "acknowledged", ignore_errors=True)

    @property
    def is_done(self) -> bool:
        """Whether it sends no more."""
        return not self._thread.is_alive()

    def kill(self) -> None:
        """The house server is killed, and begins again."""
        self.house.process.kill()
        self.house.process.wait(10)
        self.house.start()

    def _send(self) -> None:
        lines = self.world.schedule.dealt(self.actor)
        sent, most = len(told(self.world, self.actor)), self.world.schedule.expected(self.actor)
        next(islice(lines, sent, sent), None)
        with self.world.notes(self.actor).open("ab", buffering=0) as out:
            while self._going.is_set() and (piece := list(islice(lines, PIECE))):
                while piece and self._going.is_set():
                    if not self.world.wait_for_turn(sent, most):
                        continue
                    for body in self._answers(piece):
                        out.write(json.dumps(noted(body)).encode() + b"\n")
                        del piece[0]
                        sent += 1

    def _answers(self, piece: Sequence[Line]) -> list[Body]:
        """Those that came: a feed that is lost ends, and so does one whose server is killed."""
        text = "".join(json.dumps(line) + "\n" for line in piece)
        words = ["feed", "--patience", "2"]
        said = run(words, env=self._terminal.env, input=text).stdout
        with suppress(ValueError):
            return [json.loads(line) for line in said.splitlines()]
        return []

    def close(self) -> None:
        """Nobody sends, and there is no server."""
        self.pause()
        self.house.process.kill()
        self.house.process.wait(10)
