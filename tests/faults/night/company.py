"""Everybody who is there in a night, in processes of their own."""

import json
import time
from typing import TYPE_CHECKING

from tests.faults.night import checks
from tests.faults.night.actors import World, read, send, told
from tests.faults.night.door import Door
from tests.faults.night.schedule import Actor
from tests.worlds.programs import FORKED

if TYPE_CHECKING:
    from multiprocessing.context import ForkServerProcess

LONG = 300.0  # seconds


class Company:
    """The writers, the readers, and the table behind the house server."""

    def __init__(self, world: World, readers: int = 1) -> None:
        self.world = world
        self.everybody = world.schedule.actors
        self.behind_door = Actor("dealer", world.schedule.size.dealers)
        self.writers = [each for each in self.everybody if each != self.behind_door]
        self.wrong_clock: set[Actor] = set()
        self._processes: dict[Actor, ForkServerProcess] = {}
        self._readers = [FORKED.Process(target=read, args=(world, n)) for n in range(readers)]
        self.door = Door(world, self.behind_door)

    @property
    def dealt(self) -> list[Actor]:
        """Those whose lines the seed alone makes."""
        return [each for each in self.everybody if each.kind in ("dealer", "accounts")]

    def start(self) -> None:
        """Everybody comes."""
        self.world.let_go_on(0.0)
        for each in self._readers:
            each.start()
        self.come_back()

    def come_back(self) -> None:
        """Those who send begin, or go on where their notes end."""
        self.go_on()
        self.door.start()

    def go_on(self) -> None:
        """Whoever was killed comes back; nobody ended by a mistake."""
        for actor in self.writers:
            process = self._processes.get(actor)
            if process is None:
                self._start(actor)
            elif process.exitcode is not None:
                assert process.exitcode == 0, f"{actor.name} ended by a mistake: see above"
        for each in self._readers:
            assert each.exitcode is None, "a reader ended by a mistake: see above"

    def _start(self, actor: Actor) -> None:
        process = FORKED.Process(target=send, args=(self.world, actor))
        process.start()
        self._processes[actor] = process

    def kill(self, who: int) -> None:
        """One of the writers, at whatever statement it is."""
        actor = self.writers[who % len(self.writers)]
        process = self._processes.pop(actor)
        process.kill()
        process.join()

    def leave(self) -> None:
        """Nobody sends, until they come back."""
        for number in range(len(self._processes)):
            self._kill_one(number)
        self._processes.clear()
        self.door.pause()

    def _kill_one(self, number: int) -> None:
        process = list(self._processes.values())[number]
        process.kill()
        process.join()

    def step_clock(self, who: int, seconds: float) -> None:
        """The clock of a writer is wrong from now on."""
        actor = self.writers[who % len(self.writers)]
        self.world.clock(actor).write_text(str(seconds))
        self.wrong_clock.add(actor)

    def forget(self, on_record: dict[str, int | None]) -> None:
        """What a restored record does not have, nobody was told: it is sent again."""
        self.door.forget()
        for actor in self.everybody:
            bodies = told(self.world, actor)
            there = next(
                (n for n, body in enumerate(bodies) if not checks.is_kept(body, on_record)),
                len(bodies),
            )
            lines = (json.dumps(body) + "\n" for body in bodies[:there])
            self.world.notes(actor).write_text("".join(lines))

    def noted(self) -> int:
        """How many lines were acknowledged."""
        files = [self.world.notes(actor) for actor in self.everybody]
        return sum(file.read_bytes().count(b"\n") for file in files if file.exists())

    @property
    def is_done(self) -> bool:
        """Whether everybody has said everything."""
        writers = all(each.exitcode is not None for each in self._processes.values())
        return writers and self.door.is_done

    def wait_for(self, lines: int) -> None:
        """Until so many are acknowledged, or nobody has anything left to say; others wait then."""
        self.world.let_go_on(lines / self.world.schedule.lines + 0.05)
        ends = time.monotonic() + LONG
        while self.noted() < lines and not self.is_done:
            assert time.monotonic() < ends, "the writers stand still"
            self.go_on()
            time.sleep(0.005)

    def finish(self) -> int:
        """Waits until everybody has said everything; how many reports were read."""
        self.world.let_go_on(LONG)
        ends = time.monotonic() + LONG
        while not self.is_done:
            assert time.monotonic() < ends, "the writers stand still"
            self.go_on()
            time.sleep(0.02)
        self.go_on()
        (self.world.place / "over").touch()
        for each in self._readers:
            each.join(60)
            assert each.exitcode == 0, "a reader ended by a mistake: see above"
        asked = self.world.place.glob("asked-*")
        return sum(int(file.read_text()) for file in asked)

    def close(self) -> None:
        """Nobody is there any more."""
        for each in [*self._processes.values(), *self._readers]:
            if each.pid:
                each.kill()
                each.join()
        self.door.close()
