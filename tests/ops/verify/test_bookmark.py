"""A run goes on from where the machine verified the record before, or from a trusted checkpoint."""

import json

import pytest

from ops.handlers.checkpoints import make
from ops.ledger.recorder import Ledger
from ops.proof import keys
from ops.verify import verification
from ops.verify.whole import verify_record
from tests.acceptance.channels import json_of, shell
from tests.worlds.gaming_table import BANKER_WINS, GamingTable
from tests.worlds.signing import ORIGIN
from tests.worlds.signing import signed as signed_elsewhere
from tests.worlds.six_commands import append, six_commands

pytestmark = pytest.mark.usefixtures("held")


@pytest.fixture(autouse=True)
def own_home(monkeypatch, tmp_path):
    monkeypatch.setenv("SABOT_VERIFIED", str(tmp_path / "verified"))
    monkeypatch.setenv("SABOT_AUDIT_KEYS", str(tmp_path / "keys"))


@pytest.fixture
def bookmark(tmp_path):
    """The file of the one record that was verified."""
    return lambda: next((tmp_path / "verified").iterdir())


@pytest.fixture
def walked():
    """From which event on each run read the record."""
    return []


@pytest.fixture
def verify(database, walked):
    """Goes on from where it was verified before, or trusted; `whole`: verifies everything."""

    def run(*against, whole=False, trusted=None):
        def walk(leaves, since):
            walked.append(since.ends.events if since else 0)
            return verification.walk(database, leaves=leaves, since=since)

        return verify_record(database, walk, against, new=not whole, trusted=trusted)

    return run


@pytest.fixture
def house(database):
    """Twelve events of six commands; whoever changes them is the superuser."""
    return six_commands(database)


def faults(result):
    return [(each.position, each.fault) for each in result.faults]


def record(database, command_id, events):
    ledger = Ledger(database)
    append(ledger, command_id, events)
    ledger.close()


def test_a_later_run_reads_what_came_since_and_says_where_it_began(house, verify, walked):
    first = verify()
    record(house, "later", 2)
    later, whole = verify(), verify(whole=True)

    assert walked == [0, 12, 0]
    assert (0, 12, 0) == (first.since, later.since, whole.since)
    assert (14, 7, whole.head) == (later.events, later.commands, later.head)
    assert (later.ok, later.gapless, whole.command_head) == (True, True, later.command_head)
    assert later.whole_at is not None


@pytest.mark.parametrize("position", [1, 7, 11])
def test_an_event_that_was_altered_before_is_found_by_the_whole_run(
    house, verify, superuser, position
):
    verify()
    superuser.execute(f"UPDATE ledger.events SET actor = 'D-205' WHERE position = {position}")
    record(house, "later", 2)

    assert verify().ok
    assert faults(verify(whole=True))[0] == (position, "changed")


def test_it_is_a_fault_if_the_record_is_another_one_there(house, verify, superuser, walked):
    verify()
    superuser.execute("DELETE FROM ledger.events WHERE position > 8")
    superuser.execute("DELETE FROM ledger.commands WHERE number > 4")
    found, whole = verify(), verify(whole=True)

    assert ([(12, "not as verified")], []) == (faults(found), faults(whole))
    assert walked == [0, 0, 0]
    assert verify().ok  # the whole run was good, and a backup may have been put back


def test_only_who_has_the_pepper_can_say_that_it_was_verified(
    house, verify, walked, bookmark, monkeypatch, tmp_path
):
    verify()
    file = bookmark()
    good = json.loads(file.read_bytes())
    for forged in (
        {**good, "bookmark": {**good["bookmark"], "first_sealed": 5}},
        {**good, "seal": good["seal"][::-1]},
        {"bookmark": good["bookmark"]},
        [],
    ):
        file.write_text(json.dumps(forged))
        verify()
    pepper = tmp_path / "pepper"
    pepper.write_bytes(bytes(32))
    monkeypatch.setenv("SABOT_PEPPER_FILE", str(pepper))
    verify()

    assert walked == [0] * 6


def test_what_is_wrong_after_that_place_is_found_and_not_kept(house, verify, superuser, walked):
    verify()
    record(house, "later", 2)
    superuser.execute("UPDATE ledger.events SET actor = 'D-205' WHERE position = 14")
    found = [faults(verify()) for _ in range(2)]

    assert [[(14, "changed")]] * 2 == found
    assert walked == [0, 12, 12]


def test_a_command_without_a_seal_is_found_though_all_others_were_read_before(
    house, verify, superuser
):
    verify()
    record(house, "forged", 1)
    superuser.execute(
        "UPDATE ledger.commands SET seal = sha256(seal) WHERE number = 7;"
        "UPDATE ledger.commands AS c SET hash = sha256(ledger.canonical_command(c.command_id,"
        " c.content, c.answer, c.sent_at, c.seal, c.first_position, c.last_position, c.recorded_at,"
        " (SELECT hash FROM ledger.commands WHERE number = 6))) WHERE number = 7"
    )
    record(house, "later", 1)

    assert faults(verify()) == [(13, "not sealed")]


@pytest.fixture
def signed(dispatcher, database):
    """A house with a key, and its first checkpoint."""
    table = GamingTable(dispatcher).open().prepare()
    made = keys.make_keys(lambda _: ORIGIN)
    line = {"command": "audit.new-key", "statement": keys.introduction(made)}
    assert dispatcher.for_own_commands().dispatch(line).ok
    return table, make(dispatcher, database)


def test_checkpoints_before_and_after_that_place_are_compared(
    signed, dispatcher, database, verify, walked, tmp_path
):
    table, first = signed
    table.play(BANKER_WINS, (3, "banker", 100_00))
    old = tmp_path / "old"
    old.write_text(first.note)
    verify()
    table.play(BANKER_WINS, (3, "banker", 100_00))
    newer = make(dispatcher, database)
    found = verify(old)

    assert found.ok, found.faults
    assert (newer.checkpoint, walked[-1] > 0) == (found.checkpoint, True)


def test_a_paper_that_the_stored_tree_does_not_prove_has_everything_read(
    signed, verify, superuser, walked, tmp_path
):
    table, first = signed
    table.play(BANKER_WINS, (3, "banker", 100_00))
    old = tmp_path / "old"
    old.write_text(first.note)
    verify()
    superuser.execute("ALTER TABLE ledger.event_rows DISABLE TRIGGER USER")
    superuser.execute("UPDATE ledger.events SET actor = 'D-999' WHERE position = 3")
    unproven = verify(old)

    assert (3, "changed") in faults(unproven)
    assert walked == [0, 0]


@pytest.fixture
def trusted(signed, tmp_path):
    """The file of a checkpoint, after which a coup was dealt, and the size of it."""
    table, first = signed
    file = tmp_path / "trusted"
    file.write_text(first.note)
    table.play(BANKER_WINS, (3, "banker", 100_00))
    return file, first.checkpoint.size


def test_a_run_reads_what_came_after_a_checkpoint_that_is_trusted(
    trusted, database, verify, walked, tmp_path
):
    file, size = trusted
    found, whole = verify(trusted=file), verify(whole=True)
    said = shell(database, "audit", "verify", "--trusted", str(file))

    assert found.ok, found.faults
    assert [size, 0] == walked
    assert (found.since, found.events, found.head) == (size, whole.events, whole.head)
    assert (found.commands, found.command_head) == (whole.commands, whole.command_head)
    assert f"The chain is intact from event #{size:,} on" in said.stdout
    assert f"Not read: the {size:,} events before, and their answers." in said.stdout
    assert shell(database, "audit", "verify", "--trusted", str(file), "--new").exit_code == 2


def test_this_machine_does_not_say_that_it_verified_what_was_only_trusted(trusted, verify, walked):
    verify(trusted=trusted[0])
    verify()

    assert walked[1] == 0


@pytest.mark.parametrize(
    ("damage", "reads_all"),
    [
        ("UPDATE ledger.events SET actor = 'D-999' WHERE position = {} + 2", False),
        ("UPDATE ledger.events SET hash = sha256(hash) WHERE position = {}", True),
        ("UPDATE ledger.events SET hash = sha256(hash) WHERE position = 3", True),
        ("DELETE FROM ledger.events WHERE position = {}", True),
        ("DELETE FROM ledger.commands WHERE last_position = {}", True),
    ],
)
def test_a_trusted_checkpoint_hides_nothing_that_came_after_it(
    trusted, verify, walked, superuser, damage, reads_all
):
    """And where the record does not show what it signs, everything is read."""
    file, size = trusted
    for table in ("event_rows", "command_rows"):
        superuser.execute(f"ALTER TABLE ledger.{table} DISABLE TRIGGER USER")
    assert superuser.execute(damage.format(size)).rowcount == 1
    found = verify(trusted=file)

    assert [0 if reads_all else size] == walked
    assert not found.ok


def test_the_checkpoint_of_another_house_is_not_trusted(trusted, verify, walked, tmp_path):
    file = tmp_path / "another"
    file.write_text(signed_elsewhere(trusted[1], bytes(32), seed=9))
    found = verify(trusted=file)

    assert walked == [0]
    assert "No key of this record signed this paper" in found.not_comparable[0]


def test_the_command_says_what_it_did_not_read(house):
    first, again = (shell(house, "audit", "verify", "--new") for _ in range(2))
    whole = shell(house, "audit", "verify")

    assert "Not read again" not in first.stdout + whole.stdout
    assert "The chain is intact from event #12 on" in again.stdout
    assert "Not read again: the 12 events before, and their answers." in again.stdout
    assert json_of(house, "audit", "verify", "--new")["since"] == 12
