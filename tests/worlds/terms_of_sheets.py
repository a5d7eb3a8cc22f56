"""A sheet of a test that two people approve, and what is read of its first coup."""

from domain.rules.addresses import Coup
from ops.pack.pack import pack
from ops.replay.story import find
from tests.stories import as_dict
from tests.worlds.gaming_table import DAY

COUP = f"B01/{DAY}/1/1"
TWO = {"with": "S-11"}


def approve(dispatcher, sheet):
    line = {"command": "rules.approve", "file": sheet, "by": "A-1", **TWO}
    assert dispatcher.dispatch(line).ok


def told(database, coup=COUP):
    """The story of the coup."""
    with database.session("sabot_auditor") as connection:
        return as_dict(find(connection, Coup.parse(coup)))


def packed(database, coup=COUP):
    """A coup's pack."""
    with database.session("sabot_auditor") as connection:
        return pack(connection, find(connection, Coup.parse(coup)))


def written(database, tmp_path, coup=COUP):
    """The file of a coup's pack."""
    file = tmp_path / "coup.json"
    file.write_bytes(packed(database, coup).json)
    return file
