"""What is where in a backup's directory, what is missing, and what is too old."""

from datetime import UTC, datetime, timedelta

import msgspec
import pytest

from ops.backup.archive import Archive, Base, House
from ops.backup.encrypted import BackupFailed

BEGAN = datetime(2026, 11, 21, 3, tzinfo=UTC)
HOUSE = House("7", 1, 1 << 24, "age1x")


def base(number):
    """Of a night, with one file of the log in each."""
    at, wal = BEGAN + timedelta(days=number), HOUSE.file(number * 2)
    return Base(f"base-{number}", at, at, wal, wal, "18", 0, 0)


@pytest.fixture
def archive(tmp_path):
    archive = Archive(tmp_path / "archive")
    archive.begin(HOUSE)
    for number in (1, 2, 3):
        place = archive.bases_dir / f"base-{number}"
        place.mkdir()
        (place / "about.json").write_bytes(msgspec.json.encode(base(number)))
    for number in range(1, 9):
        name = HOUSE.file(number)
        archive.place_of(name, b"").touch()
    return archive


def test_the_newest_bases_are_kept_with_the_log_that_they_need(archive):
    assert ["base-1"] == archive.drop_old(2)
    assert ["base-2", "base-3"] == [each.name for each in archive.bases()]
    assert [HOUSE.file(number) for number in range(4, 9)] == sorted(archive.wal())


def test_a_moment_is_reached_from_the_newest_base_before_it(archive):
    assert base(2) == archive.base_for(BEGAN + timedelta(days=2, hours=1))
    assert base(3) == archive.base_for(None)
    with pytest.raises(BackupFailed, match="Give a later moment"):
        archive.base_for(BEGAN)


def test_a_gap_in_the_log_counts_only_after_the_base(archive):
    archive.wal()[HOUSE.file(5)].unlink()

    archive.require_no_gap(base(3))
    with pytest.raises(BackupFailed, match=f"The log has a gap: {HOUSE.file(5)} is missing"):
        archive.require_no_gap(base(2))


def test_a_copy_of_the_house_that_goes_on_differently_is_refused(archive):
    with pytest.raises(BackupFailed, match="a copy of this house uses the same directory"):
        archive.place_of(HOUSE.file(5), b"other")


def test_a_restored_ledger_needs_a_directory_of_its_own(archive):
    restored = House("7", 2, 1 << 24, "age1x")
    with pytest.raises(BackupFailed, match="as it was before it was restored"):
        archive.begin(restored)
    with pytest.raises(BackupFailed, match="backups for another key, age1x"):
        archive.begin(House("7", 1, 1 << 24, "age1y"))
