"""A ledger and its home are brought back from their backup; what cannot be is in words."""

import errno
import json
import os
import shutil
from base64 import b64encode
from contextlib import closing
from datetime import UTC, datetime, timedelta
from pathlib import Path

import msgspec
import pytest
from click.testing import CliRunner
from msgspec import Struct, to_builtins
from msgspec.structs import replace

from ops.backup.archive import Archive
from ops.backup.encrypted import private_key
from ops.backup.own import Own
from ops.backup.remembered import take_over
from ops.backup.restoring import Restored
from ops.cli import cli
from ops.cli.restore import restored_lines
from ops.commands.casino import Casino
from ops.door.acknowledged import Acknowledged, of_house
from ops.handlers.dispatcher import Dispatcher
from ops.ledger.database import Database
from ops.ledger.embedded import Embedded
from ops.ledger.pepper import pepper_file
from ops.ledger.recorder import Ledger
from ops.manual.topics import PAGES
from ops.proof.epochs import Known
from tests.worlds.gaming_table import PLAYER_WINS, TIE, GamingTable

HEADS = "SELECT position, hash FROM ledger.events ORDER BY position"


PAGE = (PAGES / "drill.md").read_text().partition("## 1 Restore")[2].partition("\n## 2")[0]


def typed(line: str, *more: object, status: int = 0, **instead: object):
    """A command of the manual's page, with other words than its own for some."""
    assert f"\nsabot db {line}\n" in PAGE
    places = {"/mnt/backup": "archive", "key.txt": "key", "age1…": "public"}
    places |= {"/srv/restored": "home", "/srv/drill": "old"}
    places |= {"2026-11-27T20:14:07+01:00": "target"}
    return run(
        *(instead.get(places.get(word, ""), word) for word in line.split()), *more, status=status
    )


def run(*words: object, status: int = 0):
    """A command's answer, with the exit status that it must have."""
    answer = CliRunner().invoke(cli, ["db", *map(str, words)])
    assert answer.exit_code == status, answer.output
    return answer


class House(Struct):
    """A house whose backups are turned on, and what it had at two moments."""

    place: Path
    home: Path
    archive: Path
    key: Path
    early: int  # the position before the second base and the last coup
    events: list[tuple[int, bytes]]
    pepper: bytes

    def new(self, name: str) -> Path:
        return self.place / name


def played(home: Path):
    """A coup at B01, and then a base backup, another coup at B02."""
    casino = Casino(Ledger(Database(home=Embedded(home))))
    with closing(casino):
        dispatcher = Dispatcher(casino, "test")
        GamingTable(dispatcher).open().prepare().play(PLAYER_WINS, (3, "banker", 100_00))
        yield
        GamingTable(dispatcher, "B02").open().prepare().play(TIE, (3, "tie", 10_00))
        yield
    yield


@pytest.fixture(scope="module")
def house(tmp_path_factory):
    place = tmp_path_factory.mktemp("backup")
    home, archive, key = place / "home", place / "archive", place / "key.txt"
    with pytest.MonkeyPatch.context() as patch:
        patch.delenv("SABOT_DATABASE_URL", raising=False)
        patch.setenv("SABOT_HOME", str(home))
        public = typed("backup-key key.txt", key=key).stdout.strip()
        steps = played(home)
        next(steps)
        typed("backup --to /mnt/backup --for age1…", archive=archive, public=public)
        with Database().session("sabot_auditor") as connection:
            early = len(connection.execute(HEADS).fetchall())
        next(steps)
        next(steps)
        typed("backup")
        with Database().session("sabot_auditor") as connection:
            events = connection.execute(HEADS).fetchall()
        run("down")
        assert (
            "`sabot db down` has stopped it; `sabot db up` starts it"
            in run("status", status=3).stderr
        )
        assert "`sabot db up` starts it" in run("backup", status=3).stderr
        run("up")
        pepper = pepper_file().read_bytes()
        yield House(place, home, archive, key, early, events, pepper)
        for each in place.iterdir():
            if each.is_dir():
                Embedded(each).destroy()


def test_a_check_restores_and_verifies_everything_and_removes_it_again(house):
    line = "backup --check --to /mnt/backup --key key.txt"
    answer = typed(line, "--json", archive=house.archive, key=house.key)

    checked = json.loads(answer.stdout)
    assert checked["ok"]
    assert len(house.events) == checked["position"]
    assert checked == to_builtins(Archive(house.archive).checked)
    status = typed("status")
    assert "checked " in status.stdout
    assert "ago, good." in status.stdout


def test_restored_to_an_event_with_its_command_it_says_what_is_lost_table_by_table(house):
    home = house.new("early")
    line = (
        "restore --from /mnt/backup --key key.txt --into /srv/restored --remembering /srv/drill "
        "--to 2026-11-27T20:14:07+01:00"
    )
    places = {"archive": house.archive, "key": house.key, "home": home, "old": house.home}
    answer = typed(line, target=house.early - 1, **places)  # both are of one payment

    with Database(home=Embedded(home)).session("sabot_auditor") as connection:
        assert house.events[: house.early] == connection.execute(HEADS).fetchall()
    assert house.pepper == (home / "pepper").read_bytes()
    assert not (home / "backup.json").exists()
    lost = len(house.events) - house.early
    assert f"Restored {house.early} events, the last recorded at " in answer.stdout
    assert f"Lost by it: {lost} events from #{house.early + 1} on." in answer.stdout
    assert f"  B02       {lost} events from #{house.early + 1} on, from " in answer.stdout
    assert "The chain, the checkpoints and the projections are good." in answer.stdout

    again = run("restore", "--from", house.archive, "--key", house.key, "--into", home, status=1)
    assert f"There is a ledger in {home} already." in again.stderr


def test_the_home_that_was_lost_tells_the_new_one_what_was_acknowledged(house, tmp_path):
    """Its memory is all that is left of the events after the backup's last."""
    old, home, head = tmp_path / "old", house.new("remembering"), len(house.events)
    record = house.events[0][1].hex()[:32]
    mark = Known("on this machine", 1, head + 4, "ab", signed=False)
    line = Acknowledged(record, 1, "A7", head + 4, datetime.now(UTC), {"command": "card"})
    marks = old / "acknowledged"
    marks.mkdir(parents=True)
    (marks / f"{record}.json").write_bytes(msgspec.json.encode(mark))
    (marks / of_house(str(Embedded(old).data))[0]).write_bytes(msgspec.json.encode(line) + b"\n")
    line = "restore --from /mnt/backup --key key.txt --into /srv/restored --remembering /srv/drill"
    answer = typed(line, archive=house.archive, key=house.key, home=home, old=old)

    assert f"Events up to #{head + 4} were signed or acknowledged" in answer.stdout
    assert "Two people decide" in answer.stdout
    own = {"SABOT_HOME": str(home), "SABOT_ACKNOWLEDGED": None}
    status = CliRunner().invoke(cli, ["db", "status"], env=own)
    missing = f"restored to #{head}: 4 events up to #{head + 4} that were acknowledged are missing"
    assert missing in status.stdout
    assert (home / "acknowledged" / of_house(str(Embedded(home).data))[0]).exists()


def test_what_is_no_home_remembers_nothing(house, tmp_path):
    words = refused(house, Archive(house.archive), "--remembering", tmp_path, begun=False)
    assert f"{tmp_path} is no home of a house" in words


@pytest.mark.parametrize("name", ["casino.example/baccarat", "casino.example/epoch-club"])
def test_the_checkpoint_of_a_later_epoch_is_the_newer_one_whatever_the_house_s_name(tmp_path, name):
    old, home = tmp_path / "old", tmp_path / "home"
    for place, epoch, size in ((old, 3, 5), (home, 2, 10)):
        file = place / "audit-keys" / "1a2b3c4d.checkpoint"
        file.parent.mkdir(parents=True)
        root = b64encode(bytes(32)).decode()
        file.write_text(f"{name}/epoch-{epoch}\n{size}\n{root}\n\n— {name} {root}\n")
    take_over(old, home)

    assert "epoch-3\n5\n" in (home / "audit-keys" / "1a2b3c4d.checkpoint").read_text()


@pytest.mark.parametrize("name", ["pepper", "record-of-this-house", "acknowledged", "backup.json"])
def test_a_home_whose_ledger_is_on_another_server_is_left_alone(house, tmp_path, name):
    (tmp_path / name).touch()
    words = run(
        *("restore", "--from", house.archive, "--key", house.key, "--into", tmp_path), status=1
    ).stderr

    assert f"is the home of a house, whose ledger may be on another server: it has {name}" in words
    assert [name] == [each.name for each in tmp_path.iterdir()]


def test_a_record_that_is_not_good_is_not_to_be_used():
    faults = ["#7 Its hash is wrong."]
    said = list(restored_lines(Restored(9, None, "base", [], 0, 0, faults), Path("/srv/restored")))

    assert "! #7 Its hash is wrong." in said
    assert said[-1].startswith("It is not to be used.")


def test_a_backup_whose_disk_is_not_mounted_is_not_begun_anew(house):
    away = house.archive.rename(house.place / "away")
    try:
        words = run("backup", status=1).stderr
        assert not house.archive.exists()
    finally:
        away.rename(house.archive)

    assert f"There is no backup in {house.archive}: it has no house.json. Mount its disk" in words


@pytest.fixture
def copy(house, tmp_path):
    """A copy of the backup, to be damaged."""
    shutil.copytree(house.archive, tmp_path / "copy")
    return Archive(tmp_path / "copy")


def refused(house, archive, *words, key=None, status=1, begun=True):
    """Why nothing is restored; and nothing of a ledger is there."""
    home = house.new("refused")
    answer = run(
        *("restore", "--from", archive.directory, "--key", key or house.key, "--into", home),
        *words,
        status=status,
    )
    assert not Embedded(home).begun
    if status == 1 and begun:
        begun = CliRunner().invoke(cli, ["board"], env={"SABOT_HOME": str(home)})
        assert "a restore into this home did not end: run `sabot db restore` again" in begun.stderr
    return answer.stderr


def test_a_directory_without_a_backup_is_refused(house, tmp_path):
    assert f"There is no backup in {tmp_path}/gone: it has no house.json." in refused(
        house, Archive(tmp_path / "gone")
    )


def test_another_key_opens_nothing(house, copy, tmp_path):
    run("backup-key", tmp_path / "other.txt")

    words = refused(house, copy, key=tmp_path / "other.txt")
    assert "This key does not open " in words
    assert "Give the private key that belongs to the public key in house.json" in words


def test_a_file_without_a_key_is_no_key(house, copy):
    assert "The key file has no private key" in refused(
        house, copy, key=copy.directory / "house.json"
    )


def test_a_base_that_is_cut_is_named_and_the_check_is_not_good(house, copy):
    file = copy.bases_dir / copy.bases()[-1].name / "base.tar.gz.age"
    file.write_bytes(file.read_bytes()[:-1000])

    assert f"{file} is cut or damaged." in refused(house, copy)
    answer = run("backup", "--check", "--to", copy.directory, "--key", house.key, status=1)
    assert "The backup is not good." in answer.stdout
    assert f"! {file} is cut or damaged." in answer.stdout
    assert not Archive(copy.directory).checked.ok


def test_a_full_disk_is_in_words_and_leaves_no_half_of_a_base(house, monkeypatch):
    """While a base is written there is no more space."""

    def full(*_):
        raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))

    monkeypatch.setattr("ops.backup.own._base_backup", full)
    bases = Archive(house.archive).bases()
    words = run("backup", status=1).stderr

    assert "The backup cannot be written in" in words
    assert "No space left on device. Free space there or mount its disk" in words
    assert bases == Archive(house.archive).bases()
    assert [] == list(Path(house.archive / "bases").glob("*.part"))


def test_a_log_that_is_cut_is_named(house, copy):
    file = max(copy.wal().values())
    file.write_bytes(file.read_bytes()[:-10])

    assert f"{file} is cut or damaged." in refused(house, copy)


def test_a_part_of_the_log_that_was_replaced_by_the_whole_meanwhile_is_read(house, copy, tmp_path):
    name, part = max(copy.wal().items())
    assert ".partial" in part.name
    key = private_key(house.key.read_text())
    read = Own(copy).log(key, tmp_path)
    content = read(name)
    part.rename(copy.place_of(name, content))

    assert content == read(name)


def test_a_missing_file_of_the_log_is_named_with_what_to_do(house, copy):
    base = copy.bases()[0]
    shutil.rmtree(copy.bases_dir / copy.bases()[-1].name)
    after = sorted(name for name in copy.wal() if name > base.last_wal)
    copy.wal()[after[0]].unlink()

    assert f"The log has a gap: {after[0]} is missing" in refused(house, copy)


def test_a_moment_that_the_backup_does_not_reach_is_refused(house, copy):
    late = datetime.now(UTC) + timedelta(hours=1)
    early = copy.bases()[0].begun_at - timedelta(hours=1)

    assert "The archive has everything until " in refused(house, copy, "--to", late.isoformat())
    assert "is neither a moment with its offset" in refused(
        house, copy, "--to", "2026-11-27T20:14", status=2
    )
    assert "Give a later moment or event" in refused(house, copy, "--to", early.isoformat())


def test_the_directory_of_another_house_is_refused(copy, tmp_path, monkeypatch):
    other = tmp_path / "other"
    monkeypatch.setenv("SABOT_HOME", str(other))
    public = copy.house.key
    copy.write("house.json", replace(copy.house, system="7"))
    try:
        words = run("backup", "--to", copy.directory, "--for", public, status=1).stderr
        (tmp_path / "full").mkdir()
        (tmp_path / "full/note.txt").touch()
        full = run("backup", "--to", tmp_path / "full", "--for", public, status=1).stderr
        none = run("backup", status=2).stderr
        bad = run("backup", "--to", tmp_path / "new", "--for", "age1x", status=1).stderr
    finally:
        Embedded(other).destroy()

    assert f"{copy.directory} has the backup of another house." in words
    assert f"{tmp_path}/full is not empty." in full
    assert "Backups are not turned on: give --to DIRECTORY and --for AGE1…" in none
    assert "'age1x' is not a public key for backups" in bad


def test_a_backup_of_a_home_with_another_pepper_is_not_good_and_accuses_nobody(house, monkeypatch):
    """It is the newest base of the archive from now on: this test is the last."""
    another = house.place / "another-pepper"
    another.write_bytes(bytes(32))
    monkeypatch.setenv("SABOT_PEPPER_FILE", str(another))
    why = "pepper is not the one that this ledger was written with"
    assert why in run("backup").stderr
    line = "backup --check --to /mnt/backup --key key.txt"
    (words,) = json.loads(
        typed(line, "--json", archive=house.archive, key=house.key, status=1).stdout
    )["words"]
    home = house.new("foreign")
    said = run(
        *("restore", "--from", house.archive, "--key", house.key, "--into", home), status=1
    ).stdout

    assert why in words
    assert "The chain, the checkpoints and the projections are good.\n! This home's" in said
    assert "changed" not in said
