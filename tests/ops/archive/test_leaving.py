"""Coups and shoes of closed days leave the database, and come back: nothing is answered wrong."""

import json
from datetime import UTC, datetime
from types import SimpleNamespace

import psycopg
import pytest

from ops.archive import leaving, manifest
from ops.archive.manifest import read_manifest
from ops.cli import archive_leaving
from ops.handlers.checkpoints import make
from ops.ledger.archived import what_left
from ops.ledger.growth import command_ending_at
from ops.ledger.reading import head_of
from ops.proof import keys, on_record, stored
from ops.proof.checkpoint import Checkpoint
from ops.proof.note import sign
from ops.proof.tree import root
from projections import PROJECTIONS
from tests.acceptance.channels import json_of, shell
from tests.worlds.gaming_table import BANKER_WINS, PLAYER_WINS, GamingTable
from tests.worlds.signing import new_key

pytestmark = pytest.mark.usefixtures("held")
NEXT = "2026-11-22"
COUP = "B01/2026-11-21/1/1"
SIGNED = ("--by", "A-1", "--with", "S-11")


@pytest.fixture
def closed(alerted):
    """A day that is closed and signed; the next one is being played."""
    alerted.say("alert.acknowledge", alert="shoe-not-reconciled/72", text="counted twice")
    return alerted


@pytest.fixture
def alerted(dispatcher, database):
    """The same, while an alert of it is open."""
    new_key(dispatcher)
    first = GamingTable(dispatcher).open().prepare()
    for _ in range(3):
        first.play(PLAYER_WINS, (3, "player", 100_00))
    first.end_shoe()
    first.say("shoe.reconcile", remaining=[])
    first.say("table.close", closer={"10000": 197}, **{"by": "D-204", "with": "S-11"})
    make(dispatcher, database)
    for table in ("B02", "B03"):
        other = GamingTable(dispatcher, table).open(day=NEXT).prepare()
        for _ in range(7):
            other.play(BANKER_WINS, (3, "banker", 100_00))
    with database.session("sabot_auditor") as connection:
        assert head_of(connection) > 256  # the tree has a full tile
    make(dispatcher, database)
    return other


@pytest.fixture
def later(monkeypatch):
    """The next year, by the clock of who archives."""
    clock = SimpleNamespace(wall_clock=lambda: datetime(2027, 2, 1, 12, tzinfo=UTC))
    monkeypatch.setattr(archive_leaving, "clock", clock)


def db(database, *words):
    result = shell(database, "db", *map(str, words))
    return result.exit_code, result.output


def archive(database, *words):
    return db(database, "archive", *words)


def remove(database, place):
    return db(database, "remove-archived", place, "it is full", "--before", "2027-01-01", *SIGNED)


def bring_back(database, place):
    return db(database, "bring-back", place, "--by", "A-1")


@pytest.fixture
def left(closed, later, database, place):
    assert archive(database, place)[0] == 0
    before = {"coup": json_of(database, "replay", COUP), **reports(database)}
    status, output = remove(database, place)
    assert status == 0, output
    return before


def reports(database):
    names = "wagers", "coup", "master", "commission", "access"
    return {each: json_of(database, "report", each)["rows"] for each in names}


def rows_up_to(database, position):
    with database.session("sabot_auditor") as connection:
        return connection.execute(
            "SELECT * FROM ledger.events WHERE position <= %s ORDER BY position", (position,)
        ).fetchall()


def removed_up_to(database):
    with database.session("sabot_auditor") as connection:
        left = what_left(connection)
        return left and left.events


def test_coups_and_shoes_leave_and_everything_else_stays(left, database):
    with database.session("sabot_auditor") as connection:
        stay = {topic for (topic,) in connection.execute(
            "SELECT topic FROM ledger.events WHERE position <= %s", (removed_up_to(database),)
        )}  # fmt: skip

    assert {topic for topic in stay if topic.startswith(("coup.", "shoe."))} == {
        "coup.settled", "shoe.reconciled", "shoe.shuffled"}  # fmt: skip
    assert {"table-day.opened", "table-day.closed", "property.founded"} & stay
    rows = reports(database)
    assert {name: rows[name] for name in rows if name != "access"} == {
        name: left[name] for name in rows if name != "access"
    }
    assert "left for" in json.dumps(rows["access"][-1])


def test_what_needs_them_says_where_they_are(left, database, place):
    for words in (
        ("replay", COUP),
        ("audit", "prove", COUP),
        ("projections", "rebuild", "coups"),
        ("projections", "check", "wagers"),
        ("report", "wagers", "--as-of", "2026-11-21T20:00:00+00:00"),
        ("db", "archive", str(place.with_name("another"))),
    ):
        result = shell(database, *words)

        assert result.exit_code != 0, words
        assert f"they are in the archive {place}" in result.output, (words, result.output)


def test_the_house_goes_on_at_the_same_table(left, closed, dispatcher, database):
    again = GamingTable(dispatcher)
    again.moment = closed.moment
    again.say("table.open", rules="dragon-bonus@1", opener={"10000": 197}, day=NEXT,
              **{"with": "S-11"})  # fmt: skip
    again.say("table.seat", seat=3, patron="P-10417")
    again.prepare()
    again.play(PLAYER_WINS, (3, "player", 100_00))

    assert shell(database, "audit", "verify").exit_code == 0
    assert shell(database, "board", "--once").exit_code == 0
    assert shell(database, "replay", f"B01/{NEXT}/1/1").exit_code == 0
    assert shell(database, "projections", "check", "slips").exit_code == 0


def test_the_record_is_verified_without_them_and_says_so(left, database, place):
    result = shell(database, "audit", "verify")

    assert result.exit_code == 0, result.output
    assert f"Not checked: The coups and shoes up to event #{removed_up_to(database):,}" in (
        result.output
    )
    assert shell(database, "audit", "verify", "--new").exit_code == 0
    assert shell(database, "audit", "verify", "--projections").exit_code == 0
    assert archive(database, place, "--check")[0] == 0


def test_a_checkpoint_of_before_they_left_may_be_trusted_and_what_stayed_is_read(
    left, database, tmp_path
):
    with database.session("sabot_auditor") as connection:
        key, tiles = on_record.keys(connection)[-1], stored.tiles_of(connection)
        size = removed_up_to(database) // 2
        while not command_ending_at(connection, size):
            size += 1
        checkpoint = Checkpoint(key.origin, size, root(size, tiles))
    (tmp_path / "paper").write_text(sign(checkpoint.text, *keys.signers(key.key, key.second)))
    result = shell(database, "audit", "verify", "--trusted", str(tmp_path / "paper"))

    assert result.exit_code == 0, result.output
    assert f"Not checked: The coups and shoes up to event #{removed_up_to(database):,}" in (
        result.output
    )
    assert "Not read: the" not in result.output


@pytest.mark.parametrize(
    ("damage", "words"),
    [
        ("UPDATE ledger.events SET state = '{}' WHERE topic = 'table-day.opened'"
         " AND position < 40", "was changed"),
        ("DELETE FROM ledger.events WHERE topic = 'table-day.opened' AND position < 40",
         "that stayed are missing"),
        ("UPDATE ledger.commands SET answer = '{\"ok\": false}' WHERE number = 9", "command"),
        ("UPDATE projections.tiles SET hashes = overlay(hashes placing '\\x00' from 40)"
         " WHERE level = 0 AND index = 0", "rewritten"),
    ],
)  # fmt: skip
def test_what_stayed_is_still_checked(left, database, superuser, damage, words):
    for table in ("event_rows", "command_rows"):
        superuser.execute(f"ALTER TABLE ledger.{table} DISABLE TRIGGER USER")
    assert superuser.execute(damage).rowcount == 1
    result = shell(database, "audit", "verify", "--json")

    assert result.exit_code == 1
    assert words in json.dumps(json.loads(result.stdout)["faults"])


def test_they_come_back_as_they_were(closed, later, database, place):
    archive(database, place)
    with database.session("sabot_auditor") as connection:
        head = head_of(connection)
    before = rows_up_to(database, head)
    remove(database, place)
    assert len(rows_up_to(database, head)) < len(before)
    status, output = bring_back(database, place)

    assert status == 0, output
    assert rows_up_to(database, head) == before
    assert "Not checked: The coups and shoes" not in shell(database, "audit", "verify").output
    assert shell(database, "projections", "check", *PROJECTIONS).exit_code == 0
    assert shell(database, "replay", COUP).exit_code == 0
    assert bring_back(database, place)[1].endswith("Nothing left the database.\n")


def test_nothing_leaves_while_something_is_unfinished(closed, later, database, place):
    archive(database, place)
    closed.say("dispute.open", coup=COUP, patron="P-10417", complaint="it was a tie")
    status, output = remove(database, place)

    assert status == 1
    assert "Nothing leaves the database. Not finished (1): case" in output


def test_nor_while_an_alert_of_rank_one_is_open(alerted, later, database, place):
    archive(database, place)

    assert "open (1): shoe-not-reconciled/72. Acknowledge them" in remove(database, place)[1]


def test_nothing_leaves_of_a_damaged_archive(closed, later, database, place):
    archive(database, place)
    file = place / read_manifest(place).events[0].file
    file.write_bytes(file.read_bytes()[:-1])
    status, output = remove(database, place)

    assert (status, "is not the file that was written" in output) == (1, True)
    assert removed_up_to(database) is None


def test_nor_what_is_in_no_full_file(closed, later, database, place, monkeypatch):
    monkeypatch.setattr(manifest, "PIECE", 65_536)
    archive(database, place)

    assert "are all in full files of" in remove(database, place)[1]


def test_nor_by_one_person(closed, later, database, place):
    archive(database, place)
    words = "--before", "2027-01-01", "--by", "A-1"

    assert db(database, "remove-archived", place, "it is full", *words)[0] != 0
    assert removed_up_to(database) is None


def test_the_archive_grows_after_it(left, closed, dispatcher, database, place):
    closed.play(PLAYER_WINS, (3, "player", 100_00))
    make(dispatcher, database)

    assert archive(database, place)[0] == 0
    assert archive(database, place, "--check")[0] == 0


@pytest.mark.parametrize(
    "statement",
    [
        "DELETE FROM ledger.events WHERE topic = 'table-day.opened'",
        "DELETE FROM ledger.events WHERE topic = 'coup.opened'",
        "DELETE FROM ledger.events WHERE topic = 'coup.settled' AND position < 80",
        "UPDATE ledger.events SET state = '{}'",
        "TRUNCATE ledger.event_rows",
        "DELETE FROM ledger.commands",
    ],
)
def test_nothing_else_can_be_removed(left, superuser, statement):
    with pytest.raises(psycopg.errors.InsufficientPrivilege, match="written once"):
        superuser.execute(statement)


def test_a_stream_that_left_does_not_begin_again(left, dispatcher, database):
    refused = dispatcher.dispatch(
        {"command": "table.open", "table": "B01", "rules": "dragon-bonus@1", "day": "2026-11-21",
         "opener": {"10000": 197}, "by": "D-204", "with": "S-11"}
    )  # fmt: skip

    assert not refused.ok


def test_a_removal_that_was_killed_is_finished_by_the_same_command(
    closed, later, database, place, monkeypatch
):
    """Until then nothing is answered from what is left, and the record is whole."""
    assert archive(database, place)[0] == 0
    before = reports(database)
    monkeypatch.setattr(leaving, "_AT_ONCE", 10)
    calls = iter(range(3))

    def killed(done):
        if next(calls, None) is None:
            raise KeyboardInterrupt

    whole = leaving.remove
    monkeypatch.setattr(
        archive_leaving, "remove", lambda connection, until, _: whole(connection, until, killed)
    )
    assert remove(database, place)[0] != 0
    kept = rows_up_to(database, removed_up_to(database))
    assert shell(database, "replay", COUP).exit_code != 0
    verified = shell(database, "audit", "verify")
    assert verified.exit_code == 0, verified.output

    monkeypatch.setattr(archive_leaving, "remove", whole)
    after = datetime(2026, 11, 21, 12, 1, tzinfo=UTC)
    monkeypatch.setattr("ops.ledger.clock.wall_clock", lambda: after)
    status, output = remove(database, place)
    assert status == 0, output
    assert len(rows_up_to(database, removed_up_to(database))) < len(kept)
    assert shell(database, "audit", "verify").exit_code == 0
    assert bring_back(database, place)[0] == 0
    again = reports(database)
    assert {**before, "access": again["access"]} == again  # which has who let them leave
