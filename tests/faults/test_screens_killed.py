"""kill -9 of the full-screen terminals: what was said there is on record once, or is told again."""

import time
from contextlib import closing
from pathlib import Path
from random import Random

import pytest

from ops.ledger.database import Database
from ops.terminal.dealer.house import HouseHere
from ops.terminal.dealer.session import Session
from tests.conftest import Server
from tests.faults import SEED, times
from tests.ops.terminal import typed
from tests.ops.terminal.real import Terminal, is_answered, on_the_line, stands

PATIENCE = 60.0  # seconds for one screen, where many other tests run
SIZE = (300, 60)  # whatever is told stands on one line
CLEAR = "\x15"  # Ctrl-U


@pytest.fixture
def places(database: Database, tmp_path: Path) -> dict[str, str]:
    return {"SABOT_DATABASE_URL": database.url, "SABOT_HOME": str(tmp_path / "home")}


def killed_after(terminal: Terminal, seconds: float) -> None:
    time.sleep(seconds)
    terminal.kill()


class Dealer:
    """Somebody at `sabot dealer B01`, which may be killed under them."""

    def __init__(self, places: dict[str, str], random: Random) -> None:
        self.places, self.random = places, random
        self.came_to: list[str] = []  # what each kill left behind
        self.terminal = self._sit_down()

    def _sit_down(self) -> Terminal:
        terminal = Terminal("dealer", "B01", "--by", "D-204", surroundings=self.places, size=SIZE)
        terminal.wait_for(
            lambda lines: any(each in lines[-2] for each in ("? help", "✗")), PATIENCE
        )
        return terminal

    def say(self, line: str, *, killed: bool) -> None:
        """Until it is known that it is done."""
        self.terminal.type(line)
        self.terminal.wait_for(lambda lines: stands(line, lines), PATIENCE)
        self.terminal.type("\r")
        if killed:
            killed_after(self.terminal, self.random.uniform(0, 0.08))
            self.terminal = self._sit_down()
            self.terminal.wait_for("on record", PATIENCE)  # it, or the one before it
            self._go_on(line)
        self.terminal.wait_for(lambda lines: is_answered(lines) and not on_the_line(lines).strip())

    def _go_on(self, line: str) -> None:
        """What is on record is done; what is left of the line is on it; else it is typed again."""
        told = " ".join(self.terminal.lines)
        if f"`{line}` is on record" in told:
            self.came_to.append("on record")
            self.terminal.type(CLEAR)
        elif f"`{line}` is not on record" in told:
            self.came_to.append("on the line again")
            self.terminal.type("\r")
        else:
            self.came_to.append("told" if f"not sent: {line}" in told else "never heard")
            self.terminal.type(CLEAR)
            self.terminal.wait_for(lambda lines: not on_the_line(lines).strip(), PATIENCE)
            self.say(line, killed=False)


def test_a_killed_screen_loses_and_duplicates_nothing(
    places: dict[str, str], database: Database, server: Server, tmp_path: Path
) -> None:
    kills = times(3, 30)
    preparation = list(typed.preparation())
    lines = [*typed.coups(times(3, 12)), *typed.ending()]
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("SABOT_HOME", str(tmp_path / "other"))
        with (
            server.database() as other,
            closing(Session(HouseHere(other), "B01", by="D-204")) as session,
        ):
            session.open()
            for line in (*preparation, *lines):
                assert session.say(line).kind == "done", line
            undisturbed = typed.recorded(other)
    random = Random(SEED)
    at = set(random.sample(range(len(lines)), kills))
    dealer = Dealer(places, random)
    with dealer.terminal:
        for line in preparation:
            dealer.say(line, killed=False)
    dealer.terminal = dealer._sit_down()
    for n, line in enumerate(lines):
        dealer.say(line, killed=n in at)
    dealer.terminal.wait_for("No shoe is on the table.", PATIENCE)  # not only entered
    dealer.terminal.kill()
    print(f"seed {SEED}: {kills} kills, {dealer.came_to}")

    assert len(dealer.came_to) == kills
    assert undisturbed == typed.without_starts(typed.recorded(database))
