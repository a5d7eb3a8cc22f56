"""How this home's backup is: `sabot db status`, the board, `/health` and `/metrics` show it."""

from collections.abc import Iterator
from datetime import datetime, timedelta
from pathlib import Path

from msgspec import Struct

from domain.rules.wording import Words
from ops.backup.archive import Archive, Base, Checked, Followed
from ops.backup.encrypted import BackupFailed
from ops.backup.follower import Failing, read_failing
from ops.backup.home import secrets_since
from ops.backup.setting import Setting, read_setting
from ops.ledger.database import Database
from ops.words.durations import duration

LATE = timedelta(minutes=5)  # after which the log should have come
FAILING, OVERDUE = "backup failing", "backup overdue"  # kinds of alerts


class Lack(Struct, frozen=True):
    """What must be done about a backup, and the alert that it is."""

    kind: str
    words: Words


class Standing(Struct, frozen=True):
    """The backup's setting, its newest base, until when its log is there, and its last check.

    `secrets_since`: since when the home's pepper and signing keys are as they are.
    """

    setting: Setting
    base: Base | None
    followed: Followed | None
    checked: Checked | None
    failing: Failing | None
    secrets_since: datetime | None = None

    def lacks(self, now: datetime) -> Iterator[Lack]:
        """What must be done about it."""
        if self.failing:
            since = duration(now - self.failing.since)
            gets_nothing = Words(
                "The backup gets nothing, for {since}: {why}", since=since, why=self.failing.why
            )
            yield Lack(FAILING, gets_nothing)
        elif self.followed is None or now - self.followed.at > LATE:
            yield Lack(FAILING, self._not_followed())
        if self.base is None:
            yield Lack(FAILING, Words("The backup has no base: run `sabot db backup`."))
        elif self.secrets_since and self.secrets_since > self.base.begun_at:
            newer = Words(
                "The pepper or a signing key is newer than the backup's base, which lacks it: "
                "run `sabot db backup`."
            )
            yield Lack(FAILING, newer)
        if lack := self._unchecked(now):
            yield lack

    def _not_followed(self) -> Words:
        if self.setting.by is None:
            return Words(
                "The log does not come into the backup: keep `sabot db backup --follow` running."
            )
        return Words(
            "Nobody sees the log come to {program}: keep `sabot db backup --follow` running, and "
            "set `archive_timeout` to 60 seconds.",
            program=self.setting.by.name,
        )

    def _unchecked(self, now: datetime) -> Lack | None:
        if self.checked is None:
            never = Words(
                "The backup was never checked: run `sabot db backup --check` where its key is."
            )
            return Lack(OVERDUE, never)
        if not self.checked.ok:
            why = " ".join(self.checked.words)
            return Lack(FAILING, Words("The backup was not good when checked: {why}", why=why))
        ago = now - self.checked.at
        if ago <= timedelta(days=self.setting.check_days):
            return None
        old = Words(
            "The backup was last checked {ago} ago: run `sabot db backup --check` where its key "
            "is.",
            ago=duration(ago),
        )
        return Lack(OVERDUE, old)

    def line(self, now: datetime) -> str:
        """It in a sentence."""
        by = f"by {self.setting.by}, and " if self.setting.by else ""
        parts = [f"Backup: {by}in {self.setting.directory}"]
        if self.base:
            parts.append(f"base of {self.base.begun_at:%Y-%m-%d %H:%M}")
        if self.followed:
            ago = duration(now - self.followed.at)
            parts.append(f"everything until {self.followed.at:%Y-%m-%d %H:%M:%S} ({ago} ago)")
        if self.checked and self.checked.ok:
            parts.append(f"checked {duration(now - self.checked.at)} ago, good")
        return "; ".join(parts) + "."


class Backups(Struct, frozen=True):
    """How the backup is, if it could be read, and what must be done about it."""

    standing: Standing | None = None
    lacks: tuple[Lack, ...] = ()

    @property
    def are_on(self) -> bool:
        """Whether backups were ever turned on here."""
        return bool(self.standing or self.lacks)


def read_backups(database: Database, now: datetime) -> Backups:
    """How the backup is; empty if backups were never turned on."""
    try:
        standing = _read(database)
    except BackupFailed as error:
        return Backups(None, (unread(str(error)),))
    return Backups(standing, tuple(standing.lacks(now)) if standing else ())


def unread(why: str) -> Lack:
    """The backup cannot be read."""
    return Lack(FAILING, Words("The backup cannot be read: {why}", why=why))


def _read(database: Database) -> Standing | None:
    setting = read_setting(database)
    if setting is None:
        return None
    archive = Archive(Path(setting.directory))
    assert archive.house
    base = next(reversed(archive.bases()), None)
    failing = read_failing(database)
    since = secrets_since()
    return Standing(setting, base, archive.followed, archive.checked, failing, since)
