"""What `sabot db status` and the board say of a backup."""

import os
from datetime import UTC, datetime, timedelta
from threading import Event

import pytest
from msgspec.structs import replace

from ops.backup.archive import Base, Checked, Followed
from ops.backup.follower import Failing
from ops.backup.home import secrets_since
from ops.backup.setting import Setting, write_setting
from ops.backup.standing import FAILING, OVERDUE, Standing, read_backups
from ops.backup.watched import Watched
from ops.board.alerts import order, own_alerts
from ops.board.reading import Rows
from ops.ledger.database import Database
from ops.ledger.embedded import Embedded
from ops.words.alerts import alert_words

NOW = datetime(2026, 11, 27, 20, tzinfo=UTC)
AGO = NOW - timedelta(days=1)
WAL = "000000010000000000000002"
GOOD = {
    "setting": Setting("/mnt/backup", "age1x"),
    "base": Base("2026-11-26T20-00-00Z", AGO, AGO, WAL, WAL, "18", 12, 5_000_000),
    "followed": Followed(NOW - timedelta(seconds=4), "0/2000000", 40),
    "checked": Checked(AGO, AGO, 12, True),
    "failing": None,
}


def at_home(place):
    return Database(home=Embedded(place))


@pytest.fixture
def house(tmp_path):
    """A home whose backup's disk is not mounted."""
    database = at_home(tmp_path)
    write_setting(database, Setting(str(tmp_path / "gone"), "age1x"))
    return database


def test_a_good_backup_is_one_sentence_and_needs_nothing():
    assert [] == list(Standing(**GOOD).lacks(NOW))
    assert Standing(**GOOD).line(NOW) == (
        "Backup: in /mnt/backup; base of 2026-11-26 20:00; everything until 2026-11-27 19:59:56 "
        "(4 seconds ago); checked 1 day ago, good."
    )


@pytest.mark.parametrize(
    ("field", "value", "kind", "words"),
    [
        ("base", None, FAILING, "The backup has no base: run `sabot db backup`."),
        ("checked", None, OVERDUE, "The backup was never checked"),
        (
            "checked",
            Checked(NOW - timedelta(days=31), AGO, 12, True),
            *(OVERDUE, "last checked 31 days ago"),
        ),
        ("checked", Checked(AGO, AGO, 12, False, ["It is cut."]), FAILING, "not good when checked"),
        ("followed", None, FAILING, "keep `sabot db backup --follow` running"),
        ("followed", Followed(AGO, "0/1", 1), FAILING, "keep `sabot db backup --follow` running"),
        ("failing", Failing(AGO, "No space."), FAILING, "gets nothing, for 1 day: No space."),
        ("secrets_since", NOW, FAILING, "a signing key is newer than the backup's base"),
    ],
)
def test_what_is_wrong_with_a_backup_is_in_words(field, value, kind, words):
    (lack,) = Standing(**{**GOOD, field: value}).lacks(NOW)

    assert kind == lack.kind
    assert words in lack.words


def test_a_key_and_a_pepper_are_as_they_are_since_the_newest_was_written(tmp_path, monkeypatch):
    monkeypatch.setenv("SABOT_AUDIT_KEYS", str(tmp_path))
    monkeypatch.setenv("SABOT_PEPPER_FILE", str(tmp_path / "pepper"))
    assert secrets_since() is None
    for name, hours in (("pepper", 3), ("a.pem", 1), ("b.pem", 2), ("a.checkpoint", 0)):
        (tmp_path / name).write_text("x")
        moment = (NOW - timedelta(hours=hours)).timestamp()
        os.utime(tmp_path / name, (moment, moment))

    assert secrets_since() == NOW - timedelta(hours=1)


def test_a_home_without_backups_lacks_nothing(tmp_path):
    assert not read_backups(at_home(tmp_path), NOW).are_on


def test_the_board_is_not_stopped_by_a_disk_that_hangs(tmp_path, monkeypatch):
    hangs = Event()
    monkeypatch.setattr("ops.backup.watched.PATIENCE", 0.01)
    monkeypatch.setattr("ops.backup.watched.read_backups", lambda *_: hangs.wait(5))
    (lack,) = Watched(at_home(tmp_path)).look().lacks
    hangs.set()

    assert "The backup cannot be read: its disk does not answer. Mount it again." == lack.words


def test_a_backup_that_fails_comes_before_everything_that_waits_on_the_board(house):
    (alert,) = own_alerts(Rows(backups=read_backups(house, NOW)), NOW)

    assert ("backup failing", True) == (alert.kind, alert.presses)
    assert alert_words(alert.kind, alert.detail, "USD").startswith("The backup cannot be read: ")
    assert order(alert) < order(replace(alert, kind="no coup"))
