"""A backup is good when it can be restored: it is, into a temporary ledger, and put away again."""

import tempfile
from datetime import UTC, datetime
from pathlib import Path

from ops.backup.archive import Archive, Checked
from ops.backup.encrypted import BackupFailed
from ops.backup.recovery import put_away
from ops.backup.restoring import Restore, Restored, Target
from ops.ledger.embedded import Embedded


def check(archive: Archive, restore: Restore, checkpoints: list[Path]) -> Checked:
    """Restores everything and verifies it; the result is in the archive, too. Raises OSError."""
    begun = datetime.now(UTC)
    with tempfile.TemporaryDirectory(prefix="sabot-check-") as directory:
        home = Path(directory) / "home"
        try:
            restored = restore.into(home, Target(), checkpoints)
            checked = _result(archive, begun, restored)
        except BackupFailed as error:
            checked = Checked(at=begun, up_to=None, position=0, ok=False, words=[str(error)])
        finally:
            put_away(Embedded(home))
    archive.write("checked.json", checked)
    return checked


def _result(archive: Archive, begun: datetime, restored: Restored) -> Checked:
    words = [*restored.faults, *filter(None, [restored.pepper])]
    followed = archive.followed
    if followed and followed.position > restored.position:
        words.append(
            f"The backup is said to have {followed.position:,} events, and only "
            f"{restored.position:,} came back: the newest of its log is missing."
        )
    if restored.signed > restored.position:
        words.append(
            f"A checkpoint is over {restored.signed:,} events, and only {restored.position:,} came "
            "back: the backup is older than what was signed."
        )
    return Checked(
        at=begun,
        up_to=followed.at if followed else archive.bases()[-1].ended_at,
        position=restored.position,
        ok=not words,
        words=words,
    )
