"""How this home's backup is: what `sabot db status` shows of it."""

from collections.abc import Iterator
from datetime import datetime, timedelta
from pathlib import Path

from msgspec import Struct

from ops.backup.archive import Archive, Base, Checked, Followed
from ops.backup.checking import LATE
from ops.backup.follower import Failing, read_failing
from ops.backup.setting import Setting, read_setting
from ops.ledger.database import Database
from ops.words.durations import duration


class Standing(Struct, frozen=True):
    """The backup's setting, its newest base, until when its log is there, and its last check."""

    setting: Setting
    base: Base | None
    followed: Followed | None
    checked: Checked | None
    failing: Failing | None

    def advice(self, now: datetime) -> Iterator[str]:
        """What must be done about it."""
        if self.failing:
            since = duration(now - self.failing.since)
            yield f"the backup gets nothing, for {since}: {self.failing.why}"
        elif self.followed is None or now - self.followed.at > LATE:
            yield ("the log does not come into the backup: keep `sabot db backup --follow` running")
        if self.base is None:
            yield "the backup has no base: run `sabot db backup`"
        if self.checked is None:
            yield "the backup was never checked: run `sabot db backup --check` where its key is"
        elif not self.checked.ok:
            yield f"the backup was not good when it was checked: {' '.join(self.checked.words)}"
        elif now - self.checked.at > timedelta(days=self.setting.check_days):
            ago = duration(now - self.checked.at)
            yield f"the backup was last checked {ago} ago: run `sabot db backup --check`"

    def line(self, now: datetime) -> str:
        """It in a sentence."""
        parts = [f"Backup: in {self.setting.directory}"]
        if self.base:
            parts.append(f"base of {self.base.begun_at:%Y-%m-%d %H:%M}")
        if self.followed:
            ago = duration(now - self.followed.at)
            parts.append(f"everything until {self.followed.at:%Y-%m-%d %H:%M:%S} ({ago} ago)")
        if self.checked and self.checked.ok:
            parts.append(f"checked {duration(now - self.checked.at)} ago, good")
        return "; ".join(parts) + "."


def read_standing(database: Database) -> Standing | None:
    """How the backup is; None if backups were never turned on. Raises BackupFailed."""
    setting = read_setting(database)
    if setting is None:
        return None
    archive = Archive(Path(setting.directory))
    assert archive.house
    base = next(reversed(archive.bases()), None)
    failing = read_failing(database)
    return Standing(setting, base, archive.followed, archive.checked, failing)
