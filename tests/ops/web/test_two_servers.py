"""Two house servers on one database, behind a proxy: nobody notices that there are two."""

import json
from concurrent.futures import ThreadPoolExecutor
from contextlib import ExitStack
from random import Random

import pytest

from ops.cli.audit.verify import walk
from ops.commands.casino import Casino
from ops.handlers.dispatcher import Dispatcher
from ops.ledger.recorder import Ledger
from ops.simulation.run import Plan
from tests.acceptance.channels import as_text, recorded, shell
from tests.faults.hand import any_act
from tests.worlds.house_server import house_server
from tests.worlds.round_robin import RoundRobin

OPENING = [
    {"command": "table.open", "rules": "dragon-bonus@1", "opener": {}, "day": "2026-11-21"},
    *({"command": "table.seat", "seat": n, "patron": f"P-{n}"} for n in (1, 2, 3)),
    {"command": "shoe.load", "decks": 8},
    {"command": "shoe.inspect"},
    {"command": "shoe.shuffle", "method": "hand"},
    {"command": "shoe.cut"},
    {"command": "shoe.burn", "card": "3D"},
]
PIECE = 20  # lines that one feed sends; the next one has another connection
PLAN = Plan(tables=2, coups=4, seed=11)


def at_b01(lines, name):
    return [{**line, "table": "B01", "id": f"{name}-{n}"} for n, line in enumerate(lines)]


def anything(seed):
    """What a hand at B01 sends, right or wrong."""
    random = Random(seed)
    return at_b01([any_act(random) for _ in range(4 * PIECE)], f"hand-{seed}")


class TwoServers:
    """The servers, and the proxy that terminals know."""

    def __init__(self, database, place, stack):
        self.place = place
        self.servers = [
            stack.enter_context(house_server(database, place / "house", name=f"server-{n}"))
            for n in (1, 2)
        ]
        self.proxy = RoundRobin(*(each.address for each in self.servers))
        stack.callback(self.proxy.close)

    def feeds(self, name, lines, *, after=None):
        """Sends lines by one feed after the other from one terminal; the answers."""
        out = self.place / f"{name}.answers"
        terminal = self.servers[0].terminal(name, self.proxy.address)
        for n, at in enumerate(range(0, len(lines), PIECE)):
            feed = terminal.begin("feed", "--patience", "60", out=out)
            feed.communicate(as_text(lines[at : at + PIECE]).encode(), timeout=120)
            if after:
                after(n)
        return [json.loads(line) for line in out.read_text().splitlines()]


@pytest.fixture
def two(database, tmp_path):
    with ExitStack() as stack:
        yield TwoServers(database, tmp_path, stack)


def essence(answer):
    """What an answer decided; where it is and what is due next are the moment's only."""
    if answer["ok"]:
        return True, answer["events"]
    return False, answer["error"], answer["message"]


def taken_in_order(database):
    """The ids of the commands at B01 in the order in which the ledger took them.

    Lines that were appended in one call, at one moment, are of one feed, and in its order.
    """
    with database.connect("sabot_auditor") as connection:
        found = connection.execute(
            "SELECT command_id FROM ledger.commands WHERE command_id LIKE 'hand-%' "
            "ORDER BY recorded_at, split_part(command_id, '-', 3)::int"
        )
        return [row[0] for row in found]


def at_table(database, table):
    """Its events, without their positions and where they came from."""
    return [each[1:-1] for each in recorded(database) if each[6] == table]


@pytest.mark.parametrize("dies", [False, True], ids=["both stay", "one is killed and is back"])
def test_what_four_feeds_send_through_two_servers_is_recorded_as_by_one(
    two, database, server, dies
):
    """Two of them at one table, in any order that one alone could have sent; two at their own."""
    own = {f"S{n:02}": list(PLAN.lines([n])) for n in (1, 2)}
    hands = {seed: anything(seed) for seed in (1, 2)}
    assert all(each["ok"] for each in two.feeds("pit-0", at_b01(OPENING, "opening")))

    def kill_and_start(n):
        if dies and n == 1:
            two.servers[1].process.kill()
            two.servers[1].process.wait()
        if dies and n == 3:
            two.servers[1].start()

    with ThreadPoolExecutor(4) as pool:
        at_one = [pool.submit(two.feeds, f"hand-{n}", lines) for n, lines in hands.items()]
        alone = [
            pool.submit(two.feeds, name, lines, after=kill_and_start if name == "S01" else None)
            for name, lines in own.items()
        ]
    answered = [answer for each in at_one for answer in each.result()]
    own_answers = [answer for each in alone for answer in each.result()]

    sent = [line for lines in hands.values() for line in lines]
    assert [answer["id"] for answer in answered] == [line["id"] for line in sent]
    assert len(own_answers) == sum(map(len, own.values()))
    assert walk(database).ok
    assert min(two.proxy.passed.values()) > 1
    with server.database() as without:
        for lines in own.values():
            shell(without, "feed", input=as_text(lines))
        for table in own:
            assert at_table(database, table) == at_table(without, table)
    order, by_id = taken_in_order(database), {line["id"]: line for line in sent}
    answers = {answer["id"]: answer for answer in answered}
    with server.database() as without:
        single = Dispatcher(Casino(Ledger(without)), "alone")
        for line in at_b01(OPENING, "opening"):
            single.dispatch(line)
        again = [(each, essence(single.dispatch(by_id[each]).body)) for each in order]
        single.casino.close()
    assert again == [(each, essence(answers[each])) for each in order]
    unkept = {answers[each]["error"] for each in answers.keys() - order}
    assert unkept <= {"Conflict", "BadValue"}
    assert len(order) == len(set(order))


def test_a_line_that_one_server_answered_the_other_answers_the_same(two, database):
    lines = at_b01(OPENING, "opening")
    first = two.feeds("pit-1", lines)
    events = recorded(database)
    again = [two.feeds(f"pit-{n}", lines) for n in (2, 3)]

    assert again == [first, first]
    assert recorded(database) == events
    assert len(two.proxy.passed) == 2
