"""Leaders are killed under three nodes of Patroni while feeds send: nothing is lost or doubled."""

import json
import threading
import time
from collections.abc import Iterator
from contextlib import ExitStack
from itertools import count
from pathlib import Path
from tempfile import TemporaryDirectory

import pytest

from ops.cli.audit.verify import walk
from ops.ledger.embedded.processes import wait
from ops.simulation.run import Plan
from tests.faults import FULL, SEED
from tests.worlds.house_server import HouseServer, house_server
from tests.worlds.patroni import LONG, ThreeNodes, installed

KILLS, FEEDS = 20, 4
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


def goes_on(senders: list[Sender], before: list[int]) -> bool:
    """Whether a line is answered that was sent after so many."""
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
        for n in range(KILLS):
            assert wait(nodes.complete, LONG), nodes.members()
            time.sleep(1)
            killed, began = nodes.leader, time.monotonic()
            killed.kill()
            before = [len(each.sent) for each in senders]  # answers come in the lines' order
            assert wait(lambda b=before: goes_on(senders, b), LONG)
            waited.append(time.monotonic() - began)
            ended = [each for each in senders if each.feed.poll() is not None]
            print(f"kill {n + 1}: {killed.name}, answered after {waited[-1]:.1f} s, ended {ended}")
            killed.start()
        ending.set()
        answers = [each.answers() for each in senders]

    sent = [each for sender in senders for each in sender.sent]
    told = [each["id"] for some in answers for each in some]
    assert told == sent
    with database.connect("sabot_auditor") as connection:
        rows = connection.execute("SELECT command_id FROM ledger.commands WHERE command_id LIKE %s",
                                  ("pit-%",)).fetchall()  # fmt: skip
    done = {each["id"] for some in answers for each in some if each["ok"]}
    print(
        f"seed {SEED}: {KILLS} kills, {len(sent)} sent, {len(done)} done, most {max(waited):.1f} s"
    )
    assert done <= {name for (name,) in rows}
    assert len(rows) == len({name for (name,) in rows})
    assert walk(database).ok
    assert max(waited) < FIRST
