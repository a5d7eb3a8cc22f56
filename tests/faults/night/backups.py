"""The backups of a night: `sabot db backup`, which is followed, and `sabot db restore`."""

import json
import os
import shutil
import subprocess
from collections.abc import Iterator
from contextlib import contextmanager
from datetime import datetime
from pathlib import Path

import psutil

from ops.backup.archive import Archive
from ops.backup.encrypted import new_key
from ops.ledger.embedded import Embedded
from ops.ledger.embedded.processes import wait
from tests.faults.night.actors import World
from tests.worlds.power_cut import kill_all
from tests.worlds.programs import Program, run

LONG = 120.0  # seconds
# What is told of a record that a machine whose clock is wrong has written: a night has those.
WRONG_CLOCK = "by the clock of the machine that decided it"


class Backups:
    """A new directory for each backup that begins; the key is on no machine of the house."""

    def __init__(self, world: World) -> None:
        self._world = world
        private, self._public = new_key()
        self._key = world.place / "key.txt"
        self._key.write_text(private)
        self._number = 0
        self._ended_at = ""
        self._follower: Program | None = None

    @property
    def _directory(self) -> Path:
        return self._world.place / f"backup-{self._number}"

    @property
    def are_on(self) -> bool:
        """Whether the log is followed."""
        return self._follower is not None

    def begin(self) -> None:
        """A base in a new directory, and the log from then on."""
        self.stop()
        shutil.rmtree(self._world.place / "home" / "backup", ignore_errors=True)
        self._number += 1
        words = ["--to", str(self._directory), "--for", self._public]
        done = self._sabot("backup", *words, env=self._world.env)
        self._ended_at = str(json.loads(done.stdout)["ended_at"])
        self._follow()

    def kill(self) -> None:
        """The follower is killed, and begins again."""
        self.stop()
        self._follow()

    def _follow(self) -> None:
        log = (self._world.place / "follower.log").open("ab")
        with log:
            self._follower = Program(
                ["db", "backup", "--follow"], env=self._world.env, stdout=log, stderr=log
            )

    def _log_words(self) -> str:
        """What the follower wrote last, and whether it runs."""
        ended = self._follower.poll() if self._follower else "none"
        return f"{ended} {(self._world.place / 'follower.log').read_text()[-500:]}"

    @contextmanager
    def restored(self, until: float, now: datetime) -> Iterator[Path]:
        """The files of a cluster restored to a moment: a share of the time since the base."""
        base = datetime.fromisoformat(self._ended_at)
        moment, archive = base + (now - base) * until, Archive(self._directory)

        def reached() -> bool:
            return bool(archive.followed and archive.followed.at > moment)

        assert wait(reached, LONG), f"the log does not come into the backup: {self._log_words()}"
        self.stop()
        home = self._world.place / f"restored-{self._number}"
        words = ["--from", str(self._directory), "--key", str(self._key), "--into", str(home)]
        place = Embedded(home)
        try:
            self._sabot("restore", *words, "--to", moment.isoformat(), env={})
            place.stop()
            yield place.data
        finally:
            place.destroy()
            shutil.rmtree(home, ignore_errors=True)

    def _sabot(self, *words: str, env: dict[str, str]) -> subprocess.CompletedProcess[str]:
        other = {name: each for name, each in os.environ.items() if not name.startswith("SABOT_")}
        done = run(["db", *words, "--json"], env={**other, **env}, timeout=LONG)
        faults = json.loads(done.stdout or "{}").get("faults", [])
        by_clock = bool(faults) and all(WRONG_CLOCK in each for each in faults)
        assert done.returncode == by_clock, (words, done.stdout, done.stderr)
        return done

    def close(self) -> None:
        self.stop()

    def stop(self) -> None:
        """Nobody follows; what was received by then is in the archive or not, as it happens."""
        if self._follower is not None:
            assert self._follower.poll() is None, f"the follower ended: {self._log_words()}"
            receivers = psutil.Process(self._follower.pid).children(recursive=True)
            self._follower.kill()
            self._follower.wait(10)
            kill_all(receivers)
        self._follower = None
