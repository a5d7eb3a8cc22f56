"""kill -9 of the full-screen terminals: what was said there is on record once, or is told again."""

import json
import time
from collections import Counter
from contextlib import closing
from pathlib import Path
from random import Random

import pytest

from ops.commands.casino import Casino
from ops.handlers.dispatcher import Dispatcher
from ops.ledger.database import Database
from ops.ledger.recorder import Ledger
from ops.terminal.dealer.journal import Journal
from ops.terminal.dealer.session import Session
from ops.terminal.pit.acknowledger import JOURNAL
from tests.conftest import Server
from tests.faults import SEED, times
from tests.ops.terminal import typed
from tests.ops.terminal.real import Terminal, is_answered, on_the_line, stands
from tests.worlds.gaming_table import GamingTable

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
    kills = times(5, 30)
    preparation = list(typed.preparation())
    lines = [*typed.coups(times(4, 12)), *typed.ending()]
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("SABOT_HOME", str(tmp_path / "other"))
        with server.database() as other, closing(Session(other, "B01", by="D-204")) as session:
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


def late_bets(database: Database, many: int) -> None:
    """So many coups, at each of which a bet came too late."""
    casino = Casino(Ledger(database))
    pit = GamingTable(Dispatcher(casino, "test")).open().prepare()
    for n in range(many):
        pit.bet(3, "banker", 100_00)
        for rank in "95KQ":  # eight decks have eight of each suit
            pit.say("draw", card=f"{rank}{'CDHS'[n // 8]}")
            if rank == "9":
                pit.ask("bet", seat=1, spot="player", amount=25_00)
        pit.say("settle")
    casino.close()


def acknowledged(database: Database) -> list[str]:
    """The alerts that are in hand, in the order in which they were acknowledged."""
    with database.connect("sabot_auditor") as connection:
        asked = "SELECT state FROM ledger.events WHERE topic LIKE 'alert.%' ORDER BY position"
        states = [json.loads(row[0]) for row in connection.execute(asked)]
    return [str(state["alert"]) for state in states]


def pit(places: dict[str, str]) -> Terminal:
    """At its alerts."""
    terminal = Terminal("pit", "--by", "S-11", surroundings=places, size=SIZE)
    terminal.wait_for("F10 leave", PATIENCE)
    return terminal


def has_no_answer(database: Database) -> bool:
    """Whether the pit was killed before it heard what became of its acknowledgement."""
    journal = Journal.at(database, JOURNAL)
    try:
        return journal.last is not None
    finally:
        journal.release()


def test_an_acknowledgement_at_a_killed_pit_screen_counts_once_and_is_shown(
    places: dict[str, str], database: Database, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("SABOT_HOME", places["SABOT_HOME"])
    kills, random = times(3, 30), Random(SEED)
    late_bets(database, kills)
    came_to = []
    terminal = pit(places)
    for _ in range(kills):
        terminal.type("a")
        terminal.wait_for("acknowledge", PATIENCE)
        terminal.type("\r")
        terminal.wait_for("A note, or only Enter", PATIENCE)
        (asked,) = [line for line in terminal.lines if "A note, or only Enter" in line]
        alert = asked.split()[1].rstrip(".")
        before = acknowledged(database)
        terminal.type("\r")
        killed_after(terminal, random.uniform(0, 0.04))
        unheard = has_no_answer(database)
        terminal = pit(places)
        on_record = acknowledged(database)
        if unheard:
            came_to.append(told_of(terminal, alert, on_record))
        else:
            came_to.append("heard before" if alert in on_record else "never sent")
        assert acknowledged(database)[: len(before)] == before
    terminal.kill()
    print(f"seed {SEED}: {kills} kills, {Counter(came_to)}")

    assert len(set(acknowledged(database))) == len(acknowledged(database))
    assert "not told" not in came_to


def told_of(terminal: Terminal, alert: str, on_record: list[str]) -> str:
    """What the next pit tells of it, which is what is on record."""
    ends = time.monotonic() + 5
    while time.monotonic() < ends:
        told = " ".join(terminal.lines)
        if f"Sent before this terminal ended, {alert}:" in told:
            assert alert in on_record
            return "on record, and told"
        if f"{alert} was not acknowledged: this terminal ended before." in told:
            assert alert not in on_record
            return "not on record, and told"
        time.sleep(0.05)
    return "not told"
