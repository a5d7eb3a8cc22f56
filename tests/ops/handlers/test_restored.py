"""A record that was restored from a backup signs nothing that contradicts what was signed."""

import pytest

from domain.rules.destinations import Destination
from ops.handlers.checkpoints import NotContinued, make, sign_if_due
from ops.proof import keys, on_record, sending
from ops.proof.checkpoint import Checkpoint
from ops.reports.ask import ask
from projections import REPORTS
from tests.worlds.gaming_table import BANKER_WINS, GamingTable, mouth_on
from tests.worlds.signing import new_key


@pytest.fixture(autouse=True)
def own_keys(monkeypatch, tmp_path):
    monkeypatch.setenv("SABOT_AUDIT_KEYS", str(tmp_path / "keys"))


def newest(database):
    with database.session("sabot_auditor") as connection:
        return Checkpoint.of(on_record.newest(connection).note)


@pytest.mark.parametrize("kept", ["on this machine", "in /"])
def test_a_restored_record_is_not_signed_below_what_was_signed_and_rings_once(
    server, database, tmp_path, kept
):
    directory = [Destination.parse(str(tmp_path))]
    with mouth_on(database) as house:
        table = GamingTable(house).open().prepare()
        key, _ = new_key(house)
        before = make(house, database, directory).checkpoint
    with server.database(like=database) as restored:
        with mouth_on(database) as house:
            table.dispatcher = house
            table.play(BANKER_WINS, (3, "banker", 100_00))
            later = make(house, database, directory).checkpoint
        if kept == "in /":
            keys.file_of(key).with_suffix(".checkpoint").unlink()
        places = directory if kept == "in /" else []
        with mouth_on(restored) as house:
            for _ in range(2):
                with pytest.raises(NotContinued, match=rf" {later.size} events lies {kept}"):
                    make(house, restored, places)
            if not places:
                assert sign_if_due(house, restored, table.moment) is None

        assert newest(restored) == before
        assert Checkpoint.of((tmp_path / sending.LATEST).read_text()) == later
        alerts = ask(restored, REPORTS["alerts"]).rows
        assert [row["kind"] for row in alerts] == ["verification failed"]


def test_a_record_that_goes_on_after_its_checkpoint_is_signed(server, database, tmp_path):
    """Whoever restores a backup that has every signed event loses nothing that was signed."""
    with mouth_on(database) as house:
        GamingTable(house).open().prepare()
        new_key(house)
        before = make(house, database).checkpoint
    with server.database(like=database) as restored, mouth_on(restored) as house:
        after = make(house, restored).checkpoint
        assert after == before
        GamingTable(house, "B02").open()

        assert make(house, restored).checkpoint.size > before.size
