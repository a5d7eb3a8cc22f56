"""The record as files: what was signed, added to, and checked by whoever has only the files."""

import json
import os
import sys

import pytest
from msgspec.structs import replace

from ops.archive import writing
from ops.archive.checking import check
from ops.archive.files import COMMANDS, EVENTS, rows_in
from ops.archive.files import writing as written_to
from ops.archive.manifest import ArchiveFailed, digest_of, read_manifest, write_manifest
from ops.archive.writing import plan, write
from ops.handlers.checkpoints import make
from ops.ledger.answers import read_answers
from ops.ledger.chain import link
from ops.ledger.reading import head_of, read_events
from ops.proof.checkpoint import Checkpoint
from tests.acceptance.channels import shell
from tests.worlds.gaming_table import BANKER_WINS, GamingTable
from tests.worlds.signing import ORIGIN, signer_of

pytestmark = pytest.mark.usefixtures("held")
PIECE = 16


def archive(database, *words):
    result = shell(database, "db", "archive", *map(str, words))
    return result.exit_code, result.output


def files_of(place):
    return {each.name: each.stat().st_ino for each in place.glob("*/*")}


def rows(place, kind):
    return [
        row
        for piece in read_manifest(place).of(kind)
        for group in rows_in(place / piece.file, kind)
        for row in group
    ]


def signed_size(place):
    return Checkpoint.of(read_manifest(place).checkpoint).size


def test_an_archive_has_every_row_that_a_checkpoint_signed(key, database, place):
    status, output = archive(database, place)

    assert status == 0, output
    with database.session("sabot_auditor") as connection:
        size = signed_size(place)
        assert 2 * PIECE < size < head_of(connection)
        assert read_events(connection, 0, size) == rows(place, EVENTS)
        answers = rows(place, COMMANDS)
        assert read_answers(connection, 0, len(answers)) == answers
    assert size == answers[-1].last_position
    assert (place / "checkpoint").read_text() == read_manifest(place).checkpoint
    assert f"{size} events" in output


def test_it_is_checked_without_a_database(key, database, place, monkeypatch):
    archive(database, place)
    monkeypatch.setattr("ops.ledger.database.Database.session", None)

    checked = check(place, key)

    assert checked.ok, checked.faults
    assert (signed_size(place), ORIGIN, []) == (checked.events, checked.origin, checked.not_checked)
    status, output = archive(database, place, "--check")
    assert (status, output.startswith("The archive is good: ")) == (0, True)
    assert "Not checked: Whether the key is the house's" in output


def test_what_is_signed_later_is_added_and_full_files_stay_as_they_are(
    key, table, dispatcher, database, place
):
    archive(database, place)
    before = files_of(place)
    assert archive(database, place) == (0, f"{place} has everything up to #{signed_size(place)} "
                                           "already.\n")  # fmt: skip
    table.play(BANKER_WINS, (3, "banker", 100_00))
    make(dispatcher, database)
    earlier = signed_size(place)

    archive(database, place)

    after = files_of(place)
    assert signed_size(place) > earlier + PIECE
    assert check(place, key).ok
    full = {name for name, _ in before.items() if int(name[13:25]) % PIECE == 0}
    assert {name: before[name] for name in full} == {name: after[name] for name in full}
    assert not {*before} - full & {*after}  # what was not full is replaced
    assert files_of(place).keys() == {each.file.partition("/")[2]
                                      for each in read_manifest(place).pieces}  # fmt: skip


def test_only_what_was_signed_before_a_day_is_written(key, database, place):
    status, output = archive(database, place, "--before", "2026-11-21")

    assert status == 1
    assert "No checkpoint is so old" in output
    assert not place.exists()
    assert archive(database, place, "--before", "2027-01-01")[0] == 0


def test_a_dry_run_says_what_still_waits_for_somebody(key, table, database, place):
    _, output = archive(database, place, "--dry-run")

    assert (
        "Not finished (2): table open B01/2026-11-21, shoe not ended B01/2026-11-21/1. "
        "`sabot report unfinished --to 2026-11-21` has all of them."
    ) in output
    archive(database, place)
    table.end_shoe()
    table.say("table.close", closer={"10000": 200}, **{"by": "D-204", "with": "S-11"})
    assert archive(database, place, "--dry-run")[1].startswith("Nothing of it is unfinished.\n")


def test_what_began_after_the_checkpoint_is_none_of_it(key, dispatcher, database, place):
    GamingTable(dispatcher, "B02").open()

    waiting = json.loads(archive(database, place, "--dry-run", "--json")[1])["unfinished"]

    assert {"B01"} == {each["table"] for each in waiting}


def test_a_dry_run_writes_nothing(key, database, place):
    status, output = archive(database, place, "--dry-run", "--json")

    planned = json.loads(output)
    assert (0, False) == (status, place.exists())
    assert archive(database, place)[0] == 0
    assert "has everything up to" in archive(database, place, "--dry-run")[1]
    pieces = read_manifest(place).pieces
    assert (signed_size(place), len(pieces)) == (planned["events"], planned["files"])


def test_what_nobody_signed_is_not_archived(table, database, place):
    status, output = archive(database, place)

    assert status == 1
    assert "There is no checkpoint yet" in output


def changed(place):
    file = place / read_manifest(place).events[1].file
    content = bytearray(file.read_bytes())
    content[len(content) // 2] ^= 1
    file.write_bytes(content)
    return "000000000017-000000000032.parquet is not the file that was written"


def missing(place):
    (place / read_manifest(place).commands[0].file).unlink()
    return "is missing: take it from a copy of the archive"


def forged(place, *, linked=False):
    """An event has another amount, and the list of files says that this is how it was."""
    listed = read_manifest(place)
    piece = listed.events[1]
    file = place / piece.file
    events = [row for group in rows_in(file, EVENTS) for row in group]
    before = events[3].hash
    events[4] = replace(events[4], state=events[4].state.replace(b"{", b'{"more":1,', 1))
    for n in range(4, len(events) if linked else 0):
        events[n] = replace(events[n], hash=link(before, events[n]))
        before = events[n].hash
    with written_to(file, EVENTS) as add:
        add(events)
    made = replace(piece, sha256=digest_of(file), bytes=file.stat().st_size,
                   head=events[-1].hash.hex())  # fmt: skip
    pieces = tuple(made if each is piece else each for each in listed.events)
    write_manifest(place, replace(listed, events=pieces))
    return "the chain of hashes breaks after #20."


def forged_to_the_end(place):
    """All hashes after it are made again, so that only the checkpoint has the right root."""
    for piece in read_manifest(place).events[2:]:
        (place / piece.file).unlink()
    forged(place, linked=True)
    listed = read_manifest(place)
    write_manifest(place, replace(listed, events=listed.events[:2]))
    return "The events are not those that were signed for"


def signed_by_another(place):
    listed = read_manifest(place)
    write_manifest(place, replace(listed, keys=(signer_of(seed=7).verifier.vkey,)))
    return "The checkpoint of the archive is not good"


@pytest.mark.parametrize(
    "damage",
    [changed, missing, forged, forged_to_the_end, signed_by_another],
    ids=lambda damage: damage.__name__,
)
def test_whatever_was_changed_is_found_and_named(key, database, place, damage):
    archive(database, place)
    words = damage(place)

    status, output = archive(database, place, "--check", "--json")

    assert status == 1
    [fault] = json.loads(output)["faults"]
    assert words in fault


def test_a_key_from_outside_must_have_signed_it(key, database, place):
    archive(database, place)

    assert check(place, key).ok
    [fault] = check(place, signer_of(seed=7).verifier.vkey).faults
    assert "The checkpoint of the archive is not good" in fault
    status, output = archive(database, place, "--check", "--key", "mistyped")
    assert (3, "The key of mistyped is of no kind" in output) == (status, True)


def test_a_run_that_is_ended_leaves_the_archive_as_it_was(
    key, table, dispatcher, database, place, monkeypatch
):
    archive(database, place)
    before = read_manifest(place)
    table.play(BANKER_WINS, (3, "banker", 100_00))
    make(dispatcher, database)
    with monkeypatch.context() as patch, database.session("sabot_projector") as connection:
        patch.setattr(writing, "write_manifest", lambda *_: os.abort)
        write(connection, place, plan(connection, place))

    assert before == read_manifest(place)
    assert check(place, key).ok
    assert archive(database, place)[0] == 0
    assert check(place, key).ok
    listed = {each.file.partition("/")[2] for each in read_manifest(place).pieces}
    assert listed == files_of(place).keys()


def test_what_cannot_be_read_back_does_not_count(key, database, place, monkeypatch):
    monkeypatch.setattr(writing, "to_disk", lambda file: file.is_file() and file.write_bytes(b"-"))
    status, output = archive(database, place)

    assert status == 1
    assert "What was written cannot be read back, so it does not count." in output
    assert read_manifest(place) is None


def test_a_directory_of_another_record_is_left_alone(key, database, place, server):
    archive(database, place)
    listed = read_manifest(place)
    other = replace(listed.events[0], head="0" * 64)
    write_manifest(place, replace(listed, events=(other, *listed.events[1:])))
    with (
        database.session("sabot_auditor") as connection,
        pytest.raises(ArchiveFailed, match=r"does not continue .*it differs by #16"),
    ):
        plan(connection, place)


def test_without_pyarrow_it_says_what_to_install(key, database, place, monkeypatch):
    monkeypatch.setitem(sys.modules, "pyarrow", None)

    status, output = archive(database, place)

    assert (1, True) == (status, "run `pip install 'sabot[parquet]'`" in output)


def test_a_list_that_cannot_be_read_is_said(database, place):
    place.mkdir()
    (place / "archive.json").write_text("{")

    status, output = archive(database, place, "--check")

    assert status == 1
    assert "archive.json is damaged: take it from a copy of the archive" in output
    assert "is no archive" in archive(database, place / "elsewhere", "--check")[1]


def test_a_disk_that_does_not_take_it_is_said_and_the_archive_stays_as_it_was(
    key, table, dispatcher, database, place, monkeypatch
):
    archive(database, place)
    before = read_manifest(place)
    table.play(BANKER_WINS, (3, "banker", 100_00))
    make(dispatcher, database)

    def full(_):
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(writing, "to_disk", full)
    status, output = archive(database, place)

    assert status == 1
    assert f"The archive cannot be written in {place}: No space left on device." in output
    assert (before, True) == (read_manifest(place), check(place, key).ok)
