"""Whoever feeds the projections is killed while tables deal: rows are those of a rebuild."""

import os
import subprocess
import time
from pathlib import Path

from ops.ledger.reading import head_of
from ops.reports.rebuild import check
from ops.reports.runner import catch_up
from projections import PROJECTIONS
from tests.faults import SEED, times
from tests.faults.harness import Stand
from tests.worlds.programs import Program

EVERY = list(PROJECTIONS.values())


def run(stand: Stand) -> subprocess.Popen[bytes]:
    """`sabot projections run`, on the stand's own server."""
    return Program(
        ["projections", "run"],
        env={**os.environ, "SABOT_HOME": str(stand.home), "SABOT_DATABASE_URL": ""},
        stderr=subprocess.PIPE,
    )


def test_a_runner_killed_anywhere_leaves_rows_equal_to_a_rebuild(tmp_path: Path) -> None:
    kills = times(2, 50)
    stand = Stand(tmp_path, tables=2, coups=times(30, 900), seed=SEED)
    killed_at = []
    try:
        for table in (1, 2):
            stand.start(table)
        while len(killed_at) < kills:
            with run(stand) as runner:
                assert runner.stderr
                runner.stderr.readline()  # it follows now
                time.sleep(stand.random.uniform(0.0, 0.4))
                runner.kill()
            with stand.database.session("sabot_auditor") as connection:
                killed_at.append(head_of(connection))
        stand.finish()
        with stand.database.session("sabot_projector") as connection:
            catch_up(connection, *EVERY)
            checked = [check(connection, each) for each in EVERY]
        print(f"seed {SEED}: killed {kills} times, at {killed_at} of {checked[0].position}")

        assert {each.projection: [] for each in checked} == {
            each.projection: each.differing for each in checked
        }
        assert len(set(killed_at)) > 1  # the tables dealt on meanwhile
        assert sum(each.rows for each in checked) > 100
    finally:
        stand.close()
