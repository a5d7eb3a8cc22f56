"""The answer to a commit cut off, before and after it."""

import tempfile
from collections.abc import Callable
from pathlib import Path
from random import Random
from typing import Any

import psycopg
import pytest
from psycopg.conninfo import conninfo_to_dict, make_conninfo

from ops.cli.audit.verify import walk
from ops.commands.casino import Casino
from ops.handlers.dispatcher import Dispatcher
from ops.handlers.several import dispatch_several
from ops.ledger.database import Database, Role, Say
from ops.ledger.recorder import Ledger
from ops.simulation.run import Plan
from tests.conftest import Server
from tests.faults import SEED, times
from tests.faults.proxy import Cut, before_database

PLAN = Plan(tables=1, coups=times(4, 40), seed=SEED, trouble=0.2)
Calm = tuple[list[str], list[tuple[object, ...]]]


class InFull(Database):
    """Sends every statement in full, so that the line can tell them apart."""

    def connect(self, role: Role | None, say: Say | None = None) -> psycopg.Connection[Any]:
        connection = super().connect(role, say)
        connection.prepare_threshold = None
        return connection


def answers(dispatcher: Dispatcher, plan: Plan, at_once: int = 1) -> list[str]:
    lines, said = list(plan.lines([1])), []
    for n in range(0, len(lines), at_once):
        said += map(str, dispatch_several(dispatcher, lines[n : n + at_once]))
    dispatcher.casino.close()
    return said


def events(database: Database) -> list[tuple[object, ...]]:
    with database.connect("sabot_auditor") as connection:
        return connection.execute(
            "SELECT position, originator_id, originator_version, topic, state, command_id "
            "FROM ledger.events ORDER BY position"
        ).fetchall()


def cut_at(word: bytes, kind: Cut, random: Random) -> Callable[[bytes], Cut]:
    """One in five of the messages that bear the word; of all messages, fewer."""
    often = 0.2 if word else 0.04

    def cut(heard: bytes) -> Cut:
        return kind if word in heard and random.random() < often else None

    return cut


@pytest.fixture(scope="module")
def calm(server: Server) -> Calm:
    """The answers and the events where no line is cut."""
    with server.database() as database:
        told = answers(Dispatcher(Casino(Ledger(database)), "faults"), PLAN)
        return told, events(database)


@pytest.mark.parametrize("kind", ["before", "after"])
@pytest.mark.parametrize("word", [b"append_and_flush", b""])
@pytest.mark.parametrize("at_once", [1, 9], ids=["alone", "in bulk"])
def test_a_lost_answer_never_leaves_the_outcome_unknown(
    server: Server, calm: Calm, word: bytes, kind: Cut, at_once: int
) -> None:
    told = conninfo_to_dict(server.url)
    random = Random(SEED)
    with tempfile.TemporaryDirectory() as place, server.database() as stormy:
        socket = Path(str(told["host"])) / f".s.PGSQL.{told.get('port', 5432)}"
        proxy = before_database(Path(place), socket, cut_at(word, kind, random))
        through = make_conninfo(**{**conninfo_to_dict(stormy.url), "host": place, "port": 5432})
        dispatcher = Dispatcher(Casino(Ledger(InFull(through))), "faults", patience=60.0)
        found = answers(dispatcher, PLAN, at_once)
        proxy.close()
        print(f"seed {SEED}: {proxy.cuts} cuts, {len(found)} commands")

        assert proxy.cuts > 0
        assert calm == (found, events(stormy))
        assert walk(stormy).ok
