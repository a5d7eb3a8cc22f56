"""The line between a feed and the house server cut off, before a request arrives and after it."""

import io
import json
from contextlib import closing
from random import Random
from typing import Any

import pytest

from ops.cli.audit.verify import walk
from ops.door.connection import WiredConnection
from ops.door.feed import Feed
from ops.simulation.run import Plan
from tests.acceptance.channels import as_text, recorded, shell
from tests.conftest import Server
from tests.faults import SEED, times
from tests.faults.proxy import Cut, before_house
from tests.worlds.house_server import house_server

PLAN = Plan(tables=1, coups=times(8, 150), seed=SEED, trouble=0.2)
LINES = [{**line, "id": f"line-{n}"} for n, line in enumerate(PLAN.lines([1]))]
BY_ITSELF = (b"POST ", b"GET ")  # how a request begins that is not on a wire


class OneByOne(io.BytesIO):
    """Gives a line when the one before was answered."""

    def read1(self, _: int | None = -1) -> bytes:
        return self.readline()


def essence(answers: str) -> list[dict[str, Any]]:
    """Answers without positions: the server's own start is on record before them."""
    return [{**json.loads(each), "position": None} for each in answers.splitlines()]


def dealt(events: list[tuple[Any, ...]]) -> list[tuple[Any, ...]]:
    """The events of the table, without their positions and where they came from."""
    return [each[1:-1] for each in events if each[6]]


@pytest.mark.parametrize("kind", ["before", "after"])
def test_every_line_of_a_feed_is_answered_and_counts_once_however_often_its_wire_is_cut(
    server: Server, tmp_path: Any, monkeypatch: pytest.MonkeyPatch, kind: Cut
) -> None:
    random, on_wires = Random(SEED), []

    def cut(heard: bytes) -> Cut:
        on_wires.append(not heard.startswith(BY_ITSELF))
        return kind if random.random() < 0.04 else None

    with server.database() as calm, server.database() as stormy:
        expected = shell(calm, "feed", input=as_text(LINES))
        with house_server(stormy, tmp_path / "house") as house:
            proxy, out = before_house(house.address, cut), io.StringIO()
            for name, value in house.terminal().env.items():
                monkeypatch.setenv(name, value)
            address = f"http://127.0.0.1:{proxy.listener.getsockname()[1]}"
            with closing(WiredConnection(address, patience=60.0)) as connection:
                feed = Feed(connection, None, late=False, until_refused=False)
                status = feed.run(OneByOne(as_text(LINES).encode()), out)
            proxy.close()
        print(f"seed {SEED}: {proxy.cuts} cuts, {len(LINES)} lines, {sum(on_wires)} on wires")

        assert proxy.cuts > 0
        assert sum(on_wires) > len(on_wires) / 2
        assert status == expected.exit_code
        assert essence(out.getvalue()) == essence(expected.stdout)
        assert dealt(recorded(stormy)) == dealt(recorded(calm))
        assert walk(stormy).ok
