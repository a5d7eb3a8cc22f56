"""What `sabot db status` says of a backup."""

from datetime import UTC, datetime, timedelta

import pytest

from ops.backup.archive import Base, Checked, Followed
from ops.backup.follower import Failing
from ops.backup.setting import Setting
from ops.backup.standing import Standing

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


def test_a_good_backup_is_one_sentence_and_needs_nothing():
    assert [] == list(Standing(**GOOD).advice(NOW))
    assert Standing(**GOOD).line(NOW) == (
        "Backup: in /mnt/backup; base of 2026-11-26 20:00; everything until 2026-11-27 19:59:56 "
        "(4 seconds ago); checked 1 day ago, good."
    )


@pytest.mark.parametrize(
    ("field", "value", "words"),
    [
        ("base", None, "the backup has no base: run `sabot db backup`"),
        ("checked", None, "the backup was never checked"),
        ("checked", Checked(NOW - timedelta(days=31), AGO, 12, True), "last checked 31 days ago"),
        ("checked", Checked(AGO, AGO, 12, False, ["It is cut."]), "not good when it was checked"),
        ("followed", None, "keep `sabot db backup --follow` running"),
        ("followed", Followed(AGO, "0/1", 1), "keep `sabot db backup --follow` running"),
        ("failing", Failing(AGO, "No space."), "the backup gets nothing, for 1 day: No space."),
    ],
)
def test_what_is_wrong_with_a_backup_is_in_words(field, value, words):
    (advice,) = Standing(**{**GOOD, field: value}).advice(NOW)

    assert words in advice
