"""`sabot` at the shells of a house, each of which keeps a session of its own."""

import json
import os
import pty
import select
import sys
import time
from codecs import getincrementaldecoder

import pytest
from click.testing import CliRunner

from domain.rules.pins import WRONG_PINS
from domain.rules.place import Place
from ops.cli import cli
from tests.conftest import HERE
from tests.worlds.closed_house import OTHER, PIN


class Shell:
    """One shell; `home` is the machine's, `session` the file of who is signed on here."""

    def __init__(self, database, home, session, place=HERE):
        self.database, self.home, self.session = database, home, home / session
        self.place = place

    def run(self, *words, types=()):
        """What a command prints, and its exit status."""
        with pytest.MonkeyPatch.context() as patch:
            patch.setattr("ops.ledger.machine.here", lambda: self.place)
            return CliRunner().invoke(
                cli,
                ["--database", self.database.url, *words],
                input="".join(f"{each}\n" for each in types),
                env={
                    "SABOT_HOME": str(self.home),
                    "SABOT_SESSION": str(self.session),
                    "SABOT_PEPPER_FILE": str(self.home / "pepper"),
                },
            )

    def ask(self, *words, types=()):
        """The answer as JSON."""
        return json.loads(self.run(*words, "--json", types=types).stdout)

    def code(self, staff, role):
        """With which somebody who is enrolled signs on the first time."""
        return self.ask("staff", "enrol", staff, f"Name of {staff}", role)["code"]

    def guesses(self, staff, times, *words):
        """So many wrong PINs, each typed at another place; what they are answered."""
        here, errors = self.place, []
        for n in range(times):
            self.place = Place(f"pit-{n}", "guest", f"c{n}")
            errors.append(self.ask("staff", "sign-on", staff, *words, types=(OTHER,))["error"])
        self.place = here
        return errors


class HouseOfShells:
    """A closed house: A-1 is signed on at a shell of their own and has the secret on paper."""

    def __init__(self, database, home):
        self.database, self.home = database, home
        self.first = self.shell("administrator")
        enrolled = self.first.ask("staff", "enrol", "A-1", "Name of A-1", "administrator")
        self.secret = enrolled["recovery_secret"]
        self._sign_on(self.first, "A-1", enrolled["code"])

    def _sign_on(self, shell, staff, code):
        assert shell.run("staff", "sign-on", staff, types=(code, PIN, PIN)).exit_code == 0

    def shell(self, session="shell", place=HERE):
        """Any shell of the account; nobody is signed on unless they were with this session."""
        return Shell(self.database, self.home, session, place)

    def join(self, staff, role):
        """Somebody who is signed on at a shell of their own."""
        mine = self.shell(staff)
        self._sign_on(mine, staff, self.first.code(staff, role))
        return mine

    def lock(self, staff="A-1", at=None):
        """Somebody goes, and their PIN is mistyped until the number is locked."""
        mine = at or self.first
        mine.run("staff", "sign-off", staff)
        assert mine.guesses(staff, WRONG_PINS)[-1] == "PinLocked"

    def recover(self, *types, staff="A-1"):
        """What is answered at a shell where nobody is signed on."""
        return self.shell().ask("staff", "recover", staff, types=types)


def on_a_terminal(database, place, program, types, asks="PIN of S-11", env=()):
    """What a program shows on a real terminal, and its status; it is answered when it asks.

    `place`: where the file of who is signed on lies; `env`: what else is in its environment.
    """
    child, terminal = pty.fork()
    if child == 0:  # pragma: no cover  (another process)
        os.environ |= {
            "SABOT_DATABASE_URL": database.url,
            "SABOT_SESSION": str(place / "session"),
            **dict(env),
        }
        os.execv(sys.executable, [sys.executable, *program])
    decode = getincrementaldecoder("utf-8")().decode  # a letter may come in two parts
    shown, ends, typed = "", time.monotonic() + 60, False
    while time.monotonic() < ends:
        if not select.select([terminal], [], [], 0.2)[0]:
            continue
        try:
            shown += decode(os.read(terminal, 65_536))
        except OSError:  # the other side is closed
            break
        if not typed and asks in shown:
            typed = True
            os.write(terminal, f"{types}\n".encode())
    _, status = os.waitpid(child, 0)
    os.close(terminal)
    return shown.replace("\r\n", "\n"), os.waitstatus_to_exitcode(status)
