"""Where the backup of this home goes: a file in the home, which `sabot db backup --to` writes."""

from pathlib import Path

import msgspec
from msgspec import Struct

from ops.backup.archive import Program
from ops.backup.encrypted import BackupFailed
from ops.ledger.database import Database
from ops.ledger.embedded.follower import SETTING
from ops.ledger.files import data_home, write_whole

KEEP = 14  # base backups
CHECKED = 30  # days between two checks


class Setting(Struct, frozen=True, omit_defaults=True):
    """The backup's directory, the public key for which it is encrypted, how many bases are kept.

    `check_days`: after how many days without a good check `sabot db status` says so. `by`: the
    program that keeps the base and the log, if it is not Sabot.
    """

    directory: str
    key: str
    keep: int = KEEP
    check_days: int = CHECKED
    by: Program | None = None


def home_of(database: Database) -> Path:
    """The home of the embedded ledger, or this account's for a server elsewhere."""
    return database.embedded.mark.path.parent if database.embedded else data_home()


def read_setting(database: Database) -> Setting | None:
    """The setting; None if backups were never turned on. Raises BackupFailed."""
    file = home_of(database) / SETTING
    try:
        return msgspec.json.decode(file.read_bytes(), type=Setting)
    except FileNotFoundError:
        return None
    except (OSError, msgspec.MsgspecError) as error:
        raise BackupFailed(f"{file} cannot be read: {error}. Turn backups on again.") from error


def write_setting(database: Database, setting: Setting) -> None:
    """Writes the setting. Raises OSError."""
    file = home_of(database) / SETTING
    file.parent.mkdir(parents=True, exist_ok=True)
    write_whole(file, msgspec.json.encode(setting))
