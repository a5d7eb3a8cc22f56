"""The log's files on their way into the archive."""

from pathlib import Path

from ops.backup.archive import Archive
from ops.backup.encrypted import new_key
from ops.backup.follower import Follower
from ops.backup.setting import Setting
from ops.ledger.database import Database
from ops.ledger.embedded import Embedded

NAME = "000000010000000000000001"


def test_a_file_that_is_full_while_it_is_read_is_archived_under_its_full_name(
    tmp_path, monkeypatch
):
    """PostgreSQL's own program renames it at that moment."""
    archive = Archive(tmp_path / "archive")
    archive.wal_dir.mkdir(parents=True)
    setting = Setting(directory=str(archive.directory), key=new_key()[1])
    follower = Follower(Database(home=Embedded(tmp_path / "home")), setting, print)
    received = follower._wal
    received.mkdir(parents=True)
    partial = received / f"{NAME}.partial"
    partial.write_bytes(b"log")
    read = Path.read_bytes

    def renamed_first(file):
        if file == partial and partial.exists():
            partial.rename(received / NAME)
        return read(file)

    monkeypatch.setattr(Path, "read_bytes", renamed_first)
    follower._sweep()

    assert [*received.iterdir()] == []
    (archived,) = archive.wal_dir.iterdir()
    assert archived.name.startswith(f"{NAME}-")
