"""Six processes at one table: bet against leave, end against collection, two dealers drawing.

Whatever the interleaving, one dealer could have made the record: saying every command again,
alone, in the order in which the ledger took them, gives the same events and the same refusals.
"""

import json
from collections import Counter
from pathlib import Path
from typing import Any

from ops.commands.casino import Casino
from ops.handlers.dispatcher import Dispatcher
from ops.ledger.database import Database
from ops.ledger.recorder import Ledger
from tests.conftest import Server
from tests.faults import SEED, times
from tests.faults.hand import act
from tests.faults.harness import Stand, is_stored
from tests.worlds.programs import FORKED

HANDS = 6


def opened(database: Database) -> Dispatcher:
    """A table with three patrons and a shoe to prepare."""
    dispatcher = Dispatcher(Casino(Ledger(database)), "faults")
    first = {"command": "table.open", "rules": "dragon-bonus@1", "opener": {}, "day": "2026-11-21"}
    seats = [{"command": "table.seat", "seat": n, "patron": f"P-{n}"} for n in (1, 2, 3)]
    for n, line in enumerate([first, *seats]):
        assert dispatcher.dispatch({**line, "table": "B01", "id": f"opening-{n}"}).ok
    return dispatcher


def heard_at(stand: Stand, seed: int, count: int) -> list[dict[str, Any]]:
    """Every line that the hands said, with its answer."""
    notes = [stand.place / f"hand-{number}" for number in range(HANDS)]
    hands = [
        FORKED.Process(target=act, args=(stand.home, number, seed, count, notes[number]))
        for number in range(HANDS)
    ]
    for hand in hands:
        hand.start()
    for hand in hands:
        hand.join(300)
    assert [hand.exitcode for hand in hands] == [0] * HANDS
    return [json.loads(line) for note in notes for line in note.read_text().splitlines()]


def taken_in_order(database: Database) -> list[str]:
    """The ids of all commands in the order in which the ledger took them, one at a time."""
    with database.connect("sabot_auditor") as connection:
        return [
            row[0]
            for row in connection.execute(
                "SELECT command_id FROM ledger.commands WHERE command_id NOT LIKE 'opening-%' "
                "ORDER BY recorded_at, first_position NULLS LAST"
            )
        ]


def essence(answer: dict[str, Any]) -> tuple[Any, ...]:
    """What an answer decided; where it stands and what is due next are the moment's only."""
    if answer["ok"]:
        return True, answer["events"]
    return False, answer["error"], answer["message"]


def test_six_processes_at_one_table_make_a_record_that_one_could_have_made(
    tmp_path: Path, server: Server
) -> None:
    for seed in range(SEED, SEED + times(1, 8)):
        stand = Stand(tmp_path / str(seed), tables=1, coups=1, seed=seed)
        try:
            opened(stand.database).casino.close()
            heard = {each["line"]["id"]: each for each in heard_at(stand, seed, times(100, 500))}
            order = taken_in_order(stand.database)
            with server.database() as alone:
                single = opened(alone)
                again = [(key, essence(single.dispatch(heard[key]["line"]).body)) for key in order]
                single.casino.close()
            expected = [(key, essence(heard[key]["answer"])) for key in order]
            unkept = [key for key in heard if key not in order]
            counted = Counter(each["answer"].get("error", "accepted") for each in heard.values())
            print(f"seed {seed}: {dict(counted)}")

            assert stand.whole()
            errors = {heard[key]["answer"]["error"] for key in unkept}
            assert not [each for each in errors if is_stored(each)]
            assert expected == again
        finally:
            stand.close()
