"""A ledger of its own from an archive: it answers as the record does, or is not made."""

import json

import psycopg
import pytest
from click.testing import CliRunner

from ops.archive import opening
from ops.archive.manifest import read_manifest
from ops.archive.opening import open_archive
from ops.archive.writing import plan, write
from ops.cli import cli
from ops.handlers.checkpoints import make
from ops.ledger.database import Database
from ops.ledger.embedded import Embedded
from tests.acceptance.channels import json_of, shell
from tests.worlds.closed_house import ClosedHouse
from tests.worlds.gaming_table import DAY
from tests.worlds.signing import new_key

pytestmark = pytest.mark.usefixtures("held")


@pytest.fixture
def home(tmp_path, monkeypatch, key, database, place):
    """A new home; the record is archived."""
    assert shell(database, "db", "archive", str(place)).exit_code == 0
    monkeypatch.delenv("SABOT_DATABASE_URL", raising=False)
    yield tmp_path / "opened"
    Embedded(tmp_path / "opened").destroy()


def opened(place, home, *words):
    line = ["db", "open-archive", str(place), "--into", str(home), *words]
    result = CliRunner().invoke(cli, line)
    return result.exit_code, result.output


def test_what_was_archived_is_read_as_from_the_record(key, database, place, home):
    status, output = opened(place, home, "--key", key)
    assert status == 0, output
    url = output.partition("export SABOT_DATABASE_URL='")[2].partition("'")[0]
    reader = Database(url)

    coup = f"B01/{DAY}/1/1"
    assert json_of(database, "replay", coup) == json_of(reader, "replay", coup)
    wagers = [json_of(each, "report", "wagers", "--day", str(DAY)) for each in (database, reader)]
    assert wagers[0]["rows"] == wagers[1]["rows"] != []
    verified = json_of(reader, "audit", "verify", "--against", str(place / "checkpoint"))
    assert verified["ok"], verified
    with_all_rights = Database(home=Embedded(home))
    refused = shell(with_all_rights, "property", "set", "name", "Riverside", "--by", "A-1")
    assert (3, True) == (refused.exit_code, "is an archive that was opened" in refused.output)
    assert "Name a new directory" in opened(place, home)[1]


def test_of_a_damaged_archive_no_ledger_is_made(place, home):
    file = place / read_manifest(place).commands[-1].file
    file.write_bytes(file.read_bytes()[:-1])

    status, output = opened(place, home)

    assert (1, True) == (status, "is not the file that was written" in output)
    assert not Embedded(home).begun


def test_nor_one_on_a_disk_that_is_full(place, home, monkeypatch):
    def full(_):
        raise psycopg.errors.DiskFull("could not extend file: No space left on device")

    monkeypatch.setattr(opening, "give_to_nobody", full)
    status, output = opened(place, home)

    assert (1, False) == (status, Embedded(home).begun)
    assert f"The ledger cannot be made in {home}: could not extend file: No space" in output


def test_nor_with_a_key_that_did_not_sign_it(place, home):
    assert opened(place, home, "--key", "mistyped")[0] == 3
    assert not Embedded(home).begun


def test_a_closed_house_is_read_without_a_sign_on(database, place, monkeypatch, tmp_path):
    house = ClosedHouse(database, {"A-1": "administrator"})
    house.ask("A-1", "property.set", name="name", value="Riverside")
    new_key(house.boss)
    make(house.boss, database)
    with database.session("sabot_projector") as connection:
        write(connection, place, plan(connection, place))
    monkeypatch.delenv("SABOT_DATABASE_URL", raising=False)
    try:
        reader = Database(open_archive(place, tmp_path / "opened").url)

        assert json_of(reader, "report", "access")["rows"]
        verified = json.loads(shell(reader, "audit", "verify", "--json").output)
        missing = {each["fault"] for each in verified["faults"]}
        assert {"staff row", "recovery secret", "PIN"} == missing
    finally:
        Embedded(tmp_path / "opened").destroy()
        house.close()
