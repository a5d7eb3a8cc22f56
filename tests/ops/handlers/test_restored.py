"""A record that was restored from a backup signs nothing that contradicts what was signed.

Two people accept what is missing. Then a new epoch begins: its checkpoints have another name.
"""

from contextlib import closing

import pytest
from click.testing import CliRunner

from domain.rules.destinations import Destination
from ops.cli import cli
from ops.cli.restores import missing_from
from ops.handlers.checkpoints import NotContinued, make, sign_if_due
from ops.proof import keys, on_record, sending
from ops.proof.by_hand import lines_of
from ops.proof.checkpoint import Checkpoint
from ops.proof.sending import file_of
from ops.reports.ask import ask
from ops.verify.verification import walk
from ops.verify.whole import verify_record
from projections import REPORTS
from tests import VERIFY, module_of
from tests.worlds.gaming_table import BANKER_WINS, GamingTable, mouth_on
from tests.worlds.restores import TWO, alerts
from tests.worlds.signing import ORIGIN, new_key
from tests.worlds.witnesses import witness

EPOCH_2 = f"{ORIGIN}/epoch-2"


@pytest.fixture(autouse=True)
def own_keys(monkeypatch, tmp_path):
    monkeypatch.setenv("SABOT_AUDIT_KEYS", str(tmp_path / "keys"))


def newest(database):
    with database.session("sabot_auditor") as connection:
        return Checkpoint.of(on_record.newest(connection).note)


def go_on(house):
    return house.for_own_commands().dispatch({"command": "audit.restored", **TWO})


def verified(database, *against):
    return verify_record(
        database, lambda leaves, since: walk(database, jobs=1, leaves=leaves, since=since), against
    )


@pytest.fixture
def place(tmp_path):
    (tmp_path / "usb").mkdir()
    return tmp_path / "usb"


@pytest.fixture
def restored(server, database, place):
    """A house whose record was restored from before its newest checkpoint."""
    with mouth_on(database) as house:
        table = GamingTable(house).open().prepare()
        key, _ = new_key(house)
        before = make(house, database, [Destination.parse(str(place))])
    with server.database(like=database) as again:
        with mouth_on(database) as house:
            table.dispatcher = house
            table.play(BANKER_WINS, (3, "banker", 100_00))
            later = make(house, database, [Destination.parse(str(place))])
        with mouth_on(again) as house:
            table.dispatcher = house
            yield again, house, table, before.checkpoint, later.checkpoint, key


@pytest.mark.parametrize("kept", ["on this machine", "in /"])
def test_a_restored_record_is_not_signed_below_what_was_signed_and_rings_once(
    restored, place, kept
):
    again, house, table, before, later, key = restored
    with again.session("sabot_auditor") as connection:
        (head,) = connection.execute("SELECT max(position) FROM ledger.events").fetchone()
    if kept == "in /":
        keys.file_of(key).with_suffix(".checkpoint").unlink()
    places = [Destination.parse(str(place))] if kept == "in /" else []
    missing = (
        f"restored to #{head}: {later.size - head} events up to #{later.size} that were signed"
    )
    for _ in range(2):
        with pytest.raises(NotContinued, match=missing):
            make(house, again, places)
    if not places:
        assert sign_if_due(house, again, table.moment) is None

    assert newest(again) == before
    assert Checkpoint.of((place / sending.LATEST).read_text()) == later
    assert alerts(again) == ["record restored"]


def test_a_changed_event_is_no_restore_and_is_named_where_it_is(database, place):
    with mouth_on(database) as house:
        table = GamingTable(house).open().prepare()
        new_key(house)
        table.play(BANKER_WINS, (3, "banker", 100_00))
        make(house, database, [Destination.parse(str(place))])
        with closing(database.connect_as_is()) as superuser:
            superuser.execute("ALTER TABLE ledger.event_rows DISABLE TRIGGER USER")
            superuser.execute("UPDATE ledger.events SET actor = 'D-999' WHERE position = 3")
            superuser.execute("ALTER TABLE ledger.event_rows ENABLE TRIGGER USER")
        with pytest.raises(NotContinued, match="record was rewritten"):
            make(house, database)

    assert missing_from(database) is None
    assert alerts(database) == ["verification failed"]
    result = verified(database, *place.glob("*.checkpoint"))
    assert {(each.position, each.fault) for each in result.faults} == {(3, "changed")}
    assert len(result.faults) > 1  # what the checkpoints sign is named there, too


def test_nobody_acknowledges_a_restore_away(restored):
    again, house, table, *_ = restored
    with pytest.raises(NotContinued):
        make(house, again)
    (row,) = ask(again, REPORTS["alerts"]).rows
    refused = table.ask("alert.acknowledge", alert=row["alert"], **{"with": "S-12"})

    assert "Two people decide about it: `audit restored`" in str(refused)


def test_two_people_go_on_and_the_new_epoch_is_signed_under_its_own_name(restored, place):
    again, house, table, _, later, _ = restored
    with pytest.raises(NotContinued):
        make(house, again)
    alone = house.for_own_commands().dispatch(
        {"command": "audit.restored", "by": "A-1", "reason": "x"}
    )
    decided = go_on(house)
    made = make(house, again, [Destination.parse(str(place))])
    twice = go_on(house)
    table.play(BANKER_WINS, (3, "banker", 100_00))
    after = make(house, again, [Destination.parse(str(place))])

    assert (alone.ok, decided.ok, twice.ok) == (False, True, False)
    assert (made.checkpoint.origin, after.checkpoint.origin) == (EPOCH_2, EPOCH_2)
    assert made.checkpoint.size >= decided.body["position"]
    assert alerts(again) == []
    assert (place / file_of(later.size)).exists()
    assert (place / file_of(after.checkpoint.size, EPOCH_2)).exists()
    assert verified(again).ok


def test_what_two_people_accepted_is_not_asked_again_by_who_still_looked_for_it(restored):
    again, house, _, _, later, _ = restored
    with pytest.raises(NotContinued):
        make(house, again)
    assert go_on(house).ok
    late = {"continues": later.size - 2, "until": later.size + 1, "signed": False, "mark": ""}
    noticed = {"command": "audit.missing", "known": "on this machine", "epoch": 1, "server": "7"}
    house.for_own_commands().dispatch({**noticed, **late})

    assert missing_from(again) is None
    assert alerts(again) == []
    assert make(house, again).checkpoint.origin == EPOCH_2


def test_whoever_has_a_checkpoint_of_before_learns_what_happened(restored, place):
    again, house, _, before, later, _ = restored
    with pytest.raises(NotContinued):
        make(house, again)
    rung = verified(again, place / file_of(later.size))
    assert go_on(house).ok
    make(house, again)
    known = verified(again, place / file_of(before.size))
    lost = verified(again, place / file_of(later.size))

    assert "rolled back" in {each.fault for each in rung.faults}
    assert (known.ok, known.not_comparable) == (True, [])
    assert lost.ok
    assert "events are missing" in lost.not_comparable[0].replace(f"up to #{later.size:,} ", "")
    assert "A-1 and S-11 accepted that" in lost.not_comparable[0]
    assert "the disk failed" in known.restored[0]


def test_a_second_restore_begins_a_third_epoch(server, restored):
    """Also where the first decision itself is missing: its epoch's name is never used twice."""
    again, house, *_ = restored
    with server.database(like=again) as earlier:
        with pytest.raises(NotContinued):
            make(house, again)
        assert go_on(house).ok
        assert make(house, again).checkpoint.origin == EPOCH_2
        with mouth_on(earlier) as other:
            with pytest.raises(NotContinued):
                make(other, earlier)
            assert go_on(other).ok
            assert make(other, earlier).checkpoint.origin == f"{ORIGIN}/epoch-3"


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


def test_a_witness_that_knows_more_is_asked_before_anything_is_signed(restored):
    again, house, table, before, later, key = restored
    keys.file_of(key).with_suffix(".checkpoint").unlink()
    table.play(BANKER_WINS, (3, "banker", 100_00))
    with witness() as stranger:
        stranger.answers = [(409, "text/x.tlog.size", f"{later.size}\n")]
        place = [Destination.parse(stranger.place)]
        with pytest.raises(NotContinued, match=f"up to #{later.size} that were signed"):
            make(house, again, place)
        assert newest(again) == before
        assert stranger.heard == [409]

        assert go_on(house).ok
        stranger.service.add_log(EPOCH_2, key)
        table.play(BANKER_WINS, (3, "banker", 100_00))
        for _ in range(2):
            table.play(BANKER_WINS, (3, "banker", 100_00))
            made = make(house, again, place)
            assert (made.problems, made.refused, len(made.cosignatures)) == ((), (), 1)


def test_a_paper_of_the_new_epoch_is_typed_like_any_other(restored, tmp_path):
    again, house, *_, key = restored
    with pytest.raises(NotContinued):
        make(house, again)
    assert go_on(house).ok
    made = make(house, again)
    paper = tmp_path / "paper"
    paper.write_text("\n".join(lines_of(made.note, key)))
    script = module_of(VERIFY)

    assert verified(again, paper).not_comparable == []
    assert script.paper_of(paper.read_text(), key) == (
        made.checkpoint.size, made.checkpoint.root, EPOCH_2
    )  # fmt: skip


def test_a_decision_that_somebody_garbled_stops_nothing(restored):
    again, house, *_ = restored
    with pytest.raises(NotContinued):
        make(house, again)
    assert go_on(house).ok
    with closing(again.connect_as_is()) as superuser:
        superuser.execute("ALTER TABLE ledger.event_rows DISABLE TRIGGER USER")
        superuser.execute(
            "UPDATE ledger.events SET state = '[7]' WHERE topic LIKE 'property.%-restored'"
        )

    assert "are missing" in missing_from(again)
    assert not verified(again).ok


def test_an_old_leader_says_that_it_is_behind_before_it_speaks_of_its_standby(
    restored, monkeypatch
):
    """Its standby leads by now: whoever names none for it makes two leaders."""
    away = "the synchronous standby has not answered since 20:14:05"
    monkeypatch.setattr("ops.ledger.database.Database._unconfirmed", lambda _: [away])
    again, *_ = restored
    answer = CliRunner().invoke(cli, ["db", "status"], env={"SABOT_DATABASE_URL": again.url})
    behind, standby = [each for each in answer.stdout.splitlines() if each.startswith("! ")][:2]

    assert "are missing" in behind
    assert away in standby
