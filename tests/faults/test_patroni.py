"""Leaders are killed under three nodes of Patroni while feeds send and a dealer types at a screen.

Nothing is lost or doubled, and no terminal ends.
"""

import json
import threading
import time
from collections.abc import Iterator
from contextlib import ExitStack
from functools import partial
from itertools import count
from pathlib import Path
from tempfile import TemporaryDirectory

import pytest

from ops.cli.audit.verify import walk
from ops.ledger.embedded.processes import wait
from ops.simulation.run import Plan
from tests.faults import FULL, SEED
from tests.ops.terminal.real import Terminal, is_answered, on_the_line, stands
from tests.worlds.house_server import HouseServer, house_server
from tests.worlds.patroni import LONG, ThreeNodes, installed

KILLS, FEEDS = 20, 4
TABLE = "D09"  # of the screen
FIRST = 30.0  # seconds until somebody is answered again
PACE = 0.05  # seconds between two lines of a feed

pytestmark = pytest.mark.skipif(
    not (FULL and installed()), reason="scripts/faults on a machine with Debian's patroni and etcd"
)


class Sender:
    """`sabot feed` at a terminal that knows both servers; each line has an id."""

    def __init__(self, servers: list[HouseServer], number: int, ending: threading.Event) -> None:
        name = f"pit-{number}"
        self._file = servers[0].home / f"{name}.answers"
        terminal = servers[0].terminal(name, " ".join(each.address for each in servers))
        self.feed = terminal.begin("feed", "--patience", "60", out=self._file)
        self.sent: list[str] = []
        self._lines = Plan(tables=FEEDS, coups=10_000, seed=SEED).lines([number])
        self._numbers, self._ending = count(1), ending
        self._thread = threading.Thread(target=self._send)
        self._thread.start()

    def _send(self) -> None:
        assert self.feed.stdin
        for line in self._lines:
            if self._ending.wait(PACE):
                break
            self.sent.append(f"{self._file.stem}:{next(self._numbers)}")
            text = json.dumps({**line, "id": self.sent[-1]})
            self.feed.stdin.write(f"{text}\n".encode())
            self.feed.stdin.flush()
        self.feed.stdin.close()

    def answered(self) -> int:
        """How many answers came."""
        return self._file.read_bytes().count(b'"ok":')

    def answers(self) -> list[dict[str, object]]:
        """The answers of a feed that has ended."""
        self._thread.join()
        assert self.feed.wait(LONG) in (0, 1)
        return [json.loads(each) for each in self._file.read_text().splitlines()]


class Dealer:
    """`sabot dealer` at a terminal that knows both servers: a line is typed at each kill."""

    def __init__(self, servers: list[HouseServer]) -> None:
        terminal = servers[0].terminal("screen-9", " ".join(each.address for each in servers))
        words = ("dealer", TABLE, "--by", "D-299")
        self.screen = Terminal(*words, surroundings=terminal.env, size=(300, 40))
        self.screen.wait_for("? help", LONG)
        self.seated: list[str] = []
        self.types("table open classic@1 --opener 100=99 --with S-11")
        self.is_answered()

    def types(self, line: str) -> None:
        """A line, and Enter."""
        self.screen.type(line)
        self.screen.wait_for(lambda lines: stands(line, lines), LONG)
        self.screen.type("\r")

    def seats(self) -> None:
        """A new patron at seat 3, from which the one before has left."""
        self.seated.append(f"P-{len(self.seated) + 1}")
        self.types(f"seat 3 {self.seated[-1]}")

    def is_answered(self) -> None:
        """Waits as long as a dealer does, who sends what is still on the line again."""
        assert wait(self._is_done, LONG), self.screen.lines

    def _is_done(self) -> bool:
        lines = self.screen.lines
        if on_the_line(lines).strip():
            self.screen.type("\r")
            time.sleep(1)
            return False
        return is_answered(lines)


def goes_on(senders: list[Sender], before: list[int]) -> bool:
    """Whether one of them has more answers than before."""
    return any(each.answered() > n for each, n in zip(senders, before, strict=True))


@pytest.fixture
def nodes() -> Iterator[ThreeNodes]:
    with TemporaryDirectory(prefix="sabot-nodes-") as place:  # PostgreSQL's account can reach it
        nodes = ThreeNodes(Path(place))
        try:
            yield nodes
        finally:
            nodes.close()


def test_nothing_is_lost_or_doubled_when_leaders_are_killed(
    nodes: ThreeNodes, tmp_path: Path
) -> None:
    database, ending, waited = nodes.begin(), threading.Event(), []
    with ExitStack() as stack:
        servers = [
            stack.enter_context(house_server(database, tmp_path / "house", name=f"server-{n}"))
            for n in (1, 2)
        ]
        senders = [Sender(servers, number + 1, ending) for number in range(FEEDS)]
        stack.callback(ending.set)
        dealer = Dealer(servers)
        stack.enter_context(dealer.screen)
        for n in range(KILLS):
            assert wait(nodes.complete, LONG), nodes.members()
            time.sleep(1)
            killed, began = nodes.leader, time.monotonic()
            killed.kill()
            dealer.seats()
            assert wait(partial(nodes.has_another, killed), LONG), nodes.members()
            before = [each.answered() for each in senders]  # by the one that was killed
            assert wait(partial(goes_on, senders, before), LONG)
            waited.append(time.monotonic() - began)
            ended = [each for each in senders if each.feed.poll() is not None]
            print(f"kill {n + 1}: {killed.name}, answered after {waited[-1]:.1f} s, ended {ended}")
            killed.start()
            dealer.is_answered()
            dealer.types("leave 3")
            dealer.is_answered()
        ending.set()
        assert dealer.screen.process.poll() is None
        answers = [each.answers() for each in senders]

    sent = [each for sender in senders for each in sender.sent]
    told = [each["id"] for some in answers for each in some]
    assert told == sent
    with database.connect("sabot_auditor") as connection:
        rows = connection.execute("SELECT command_id FROM ledger.commands WHERE command_id LIKE %s",
                                  ("pit-%",)).fetchall()  # fmt: skip
        seated = connection.execute(
            "SELECT convert_from(state, 'UTF8')::json ->> 'patron' FROM ledger.events WHERE topic ="
            " 'table-day.patron-seated' AND table_code = %s ORDER BY position",
            (TABLE,),
        ).fetchall()
    assert dealer.seated == [patron for (patron,) in seated]
    done = {each["id"] for some in answers for each in some if each["ok"]}
    print(
        f"seed {SEED}: {KILLS} kills, {len(sent)} sent, {len(done)} done, most {max(waited):.1f} s"
    )
    assert done <= {name for (name,) in rows}
    assert len(rows) == len({name for (name,) in rows})
    assert walk(database).ok
    assert max(waited) < FIRST
