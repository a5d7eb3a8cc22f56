"""The chain, walked by the server as the record grows."""

import pytest

from ops.cli.audit.verify import walk
from ops.reports import runner
from ops.reports.ask import ask
from ops.reports.rebuild import check
from ops.reports.runner import catch_up
from projections import PROJECTIONS, REPORTS
from tests.worlds.gaming_table import GamingTable, evening

INTEGRITY = PROJECTIONS["integrity"]


@pytest.fixture
def tamper(superuser):
    """A superuser changes what was written once."""

    def change(sql):
        superuser.execute("ALTER TABLE ledger.event_rows DISABLE TRIGGER USER")
        superuser.execute(sql)

    return change


@pytest.mark.parametrize("batch", [1, 7, 1_000])
def test_it_walks_to_where_whoever_verifies_by_themselves_comes_to(
    dispatcher, database, monkeypatch, batch
):
    monkeypatch.setattr(runner, "BATCH", batch)
    evening(dispatcher)
    chain = walk(database)
    [row] = ask(database, REPORTS["integrity"]).rows

    assert (chain.events, chain.head.hex(), "good") == (row["events"], row["head"], row["result"])


@pytest.mark.parametrize(
    "how",
    [
        "UPDATE ledger.events SET actor = 'D-13' WHERE position = 9",
        "UPDATE ledger.events SET state = '{}' WHERE position = 9",
        "UPDATE ledger.events SET hash = sha256('x') WHERE position = 9",
        "DELETE FROM ledger.events WHERE position = 9",
    ],
)
@pytest.mark.parametrize("batch", [1, 8, 9, 1_000])
def test_it_names_the_first_event_that_is_not_as_it_was_written(
    dispatcher, database, tamper, monkeypatch, how, batch
):
    monkeypatch.setattr(runner, "BATCH", batch)
    GamingTable(dispatcher).open().prepare()
    tamper(how)
    [row] = ask(database, REPORTS["integrity"]).rows

    assert "bad from position 9" == row["result"]
    assert 9 == walk(database).first_bad


def test_what_is_altered_behind_the_walk_is_found_by_a_check(dispatcher, projector, tamper):
    GamingTable(dispatcher).open().prepare()
    catch_up(projector, INTEGRITY)
    good = check(projector, INTEGRITY)
    tamper("UPDATE ledger.events SET actor = 'D-13' WHERE position = 9")

    assert good.equal
    assert not check(projector, INTEGRITY).equal
