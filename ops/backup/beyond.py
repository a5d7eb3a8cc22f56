"""What a backup has after the moment of a restore: the new home remembers it, and the board rings.

A restored ledger does not know what came later. If its home does not know it either, it would
sign other events under the numbers of those that were signed before.
"""

from pathlib import Path

from ops.backup.home import KEYS
from ops.ledger.database import Database
from ops.ledger.files import write_whole
from ops.ledger.growth import last_event
from ops.proof import keys, on_record, seen
from ops.proof.epochs import Known, epoch_now, restores


def remember(home: Path, later: Database) -> None:
    """Keeps in a home the newest event and the newest checkpoint of a later ledger.

    Raises OSError, LedgerLost.
    """
    with later.session("sabot_auditor") as connection:
        signed, known = on_record.newest(connection), on_record.keys(connection)
        epoch = epoch_now(restores(connection))
        if last := last_event(connection):
            place, at = (last.position, last.hash), last.recorded_at
            mark = Known("in the backup", epoch, *place, signed=False, at=at)
            seen.keep_mark(connection, mark, home / seen.MARKS)
    if signed:
        for vkey in (vkey for each in known for vkey in (each.key, each.second) if vkey):
            file = (home / KEYS / keys.file_of(vkey).name).with_suffix(".checkpoint")
            file.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
            write_whole(file, signed.note.encode())
