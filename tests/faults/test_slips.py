"""Two cages and six processes: slips have no gap and no double."""

from collections import Counter
from concurrent.futures import ThreadPoolExecutor
from functools import partial

import msgspec

from ops.cli.audit.verify import walk
from ops.ledger.database import Database
from tests.acceptance.channels import accepted, json_of
from tests.conftest import Server
from tests.faults import times
from tests.worlds.programs import run

WRITERS = 6


def lines(writer: int, count: int) -> bytes:
    """Fills asked for step by step, and some in one line; every third is void."""
    table = f"B{writer:02}"
    said: list[dict[str, object]] = []
    for n in range(count):
        fill = {"table": table, "chips": {"10000": 5}, "by": "S-11", "id": f"{table}-{n}"}
        if n % 2:
            people = {"requested_by": "S-11", "cashier": f"C-{writer % 2}", "runner": "R-1"}
            said.append({"command": "table.fill", **fill, **people, "with": "S-11"})
        else:
            said.append({"command": "slip.request", "kind": "fill", **fill})
    return b"".join(msgspec.json.encode(line) + b"\n" for line in said)


def test_two_cages_and_six_processes_leave_no_gap_and_no_duplicate_number(server: Server) -> None:
    count = times(12, 120)
    with server.database() as database:
        for writer in range(WRITERS):
            opening = {"rules": "classic@1", "opener": {"10000": 100}, "by": "D-1", "with": "S-2"}
            day = {"day": "2026-11-21", "table": f"B{writer:02}"}
            accepted(database, [{"command": "table.open", **opening, **day}])
        with ThreadPoolExecutor(WRITERS) as pool:
            said = pool.map(partial(_fed, database), (lines(n, count) for n in range(WRITERS)))
            answers = [msgspec.json.decode(line) for told in said for line in told.splitlines()]
        errors = Counter(answer["error"] for answer in answers if not answer["ok"])
        serials = [answer["slip"] for answer in answers if answer["ok"]]
        rows = json_of(database, "report", "slips")["rows"]

        assert set(errors) <= {"Conflict"}  # nothing recorded: it may be sent again
        assert len(answers) == WRITERS * count
        assert sorted(serials) == [f"2026-{n + 1:06}" for n in range(len(serials))]
        assert [row["slip"] for row in rows] == sorted(serials)
        assert walk(database).ok


def _fed(database: Database, said: bytes) -> bytes:
    """What a feed in a process of its own is answered."""
    result = run(["--database", database.url, "feed"], input=said, text=False)
    assert result.stderr == b""
    return result.stdout
