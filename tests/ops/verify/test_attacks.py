"""What a superuser does to the record with the triggers off, and what `audit verify` says of it."""

from datetime import UTC, date, datetime, timedelta

import pytest

from ops.ledger.chain import (
    COMMAND_COLUMNS,
    GENESIS,
    Answered,
    link,
    link_command,
)
from ops.ledger.pepper import replace as replace_pepper
from ops.ledger.reading import read_events
from ops.ledger.recorder import Ledger
from ops.verify import verification
from tests.worlds.held_sessions import sessions_held
from tests.worlds.six_commands import append, six_commands
from tests.worlds.tampered_ledger import seal_anew

DAY = date(2026, 11, 21)
TABLES = ("events", "commands")


@pytest.fixture(scope="module")
def recorded(server):
    """They are kept beside the ledger; whoever changes it is the superuser."""
    with server.database() as database, sessions_held(), database.connect_as_is() as connection:
        six_commands(database)
        for table in TABLES:
            connection.execute(f"CREATE TABLE public.{table} AS TABLE ledger.{table}")
        yield database, connection


@pytest.fixture
def house(recorded):
    """The ledger, as it was recorded before each test."""
    database, connection = recorded
    for table in TABLES:
        connection.execute(f"DELETE FROM ledger.{table}")
        connection.execute(f"INSERT INTO ledger.{table} TABLE public.{table}")
    connection.execute("DELETE FROM people.peppers WHERE number > 1")
    return database


@pytest.fixture
def superuser(recorded):
    return recorded[1]


def first_of(database, **how):
    found = verification.walk(database, **how)
    assert not found.ok
    return found.faults[0].position, found.faults[0].fault


def faults_of(database):
    return [(each.position, each.fault) for each in verification.walk(database).faults]


@pytest.mark.parametrize("at", [1, 5, 12])
@pytest.mark.parametrize(
    "change",
    [
        "state = set_byte(state, 3, 33)",
        "state = convert_to(replace(convert_from(state, 'UTF8'), '00}', '99}'), 'UTF8')",
        "actor = 'D-205'",
        "recorded_at = recorded_at + interval '1 microsecond'",
        "recorded_at = 'infinity'",
        "gaming_day = '-infinity'",
        "table_code = 'B02'",
        "metadata = '{\"late\": true}'",
        "hash = sha256(hash)",
    ],
)
def test_a_changed_event(house, superuser, change, at):
    superuser.execute(f"UPDATE ledger.events SET {change} WHERE position = {at}")

    assert first_of(house) == (at, "changed")


@pytest.mark.parametrize("at", [1, 5, 11])
def test_a_deleted_event(house, superuser, at):
    superuser.execute(f"DELETE FROM ledger.events WHERE position = {at}")
    found = verification.walk(house)

    assert (found.faults[0].position, found.faults[0].fault) == (at, "missing")
    assert not found.gapless


def test_the_end_deleted_while_its_commands_remain(house, superuser):
    superuser.execute("DELETE FROM ledger.events WHERE position > 9")

    assert faults_of(house) == [(10, "cut off")]


def test_the_end_deleted_within_a_command(house, superuser):
    superuser.execute("DELETE FROM ledger.events WHERE position > 10")

    assert faults_of(house) == [(11, "cut off")]


def test_the_end_deleted_and_new_events_recorded_since(house, superuser):
    superuser.execute("DELETE FROM ledger.events WHERE position > 8")
    ledger = Ledger(house)
    append(ledger, "later", 5)
    ledger.close()

    assert faults_of(house) == [(9, "cut off"), (10, "cut off")]


def test_the_end_of_both_chains_deleted_is_found_only_by_a_checkpoint(house, superuser):
    superuser.execute("DELETE FROM ledger.events WHERE position > 8")
    superuser.execute("DELETE FROM ledger.commands WHERE number > 4")
    assert verification.walk(house).ok

    ledger = Ledger(house)
    append(ledger, "later", 5)
    ledger.close()
    assert verification.walk(house).ok


def rewrite(superuser, position):
    """Changes an event, and makes the chain of events good again."""
    superuser.execute(f"UPDATE ledger.events SET actor = 'D-205' WHERE position = {position}")
    rechain_events(superuser)


def test_a_rewrite_with_consistent_chains_has_no_seal(house, superuser):
    rewrite(superuser, 4)

    assert faults_of(house) == [(4, "not sealed")]


def forged(house, superuser, command_id="forged"):
    """Appends a command with the application's login alone: without the pepper."""
    forger = Ledger(house)
    forger._key = b"a guess"
    append(forger, command_id, 1)
    forger.close()


def test_a_command_appended_without_the_pepper(house, superuser):
    forged(house, superuser)

    assert faults_of(house) == [(13, "not sealed")]


def test_a_seal_of_another_command(house, superuser):
    forged(house, superuser)
    superuser.execute(
        "UPDATE ledger.commands SET seal = (SELECT seal FROM ledger.commands WHERE number = 6)"
        " WHERE number = 7"
    )
    rechain(superuser)

    assert faults_of(house) == [(13, "not sealed")]


@pytest.mark.parametrize(("number", "at"), [(2, 4), (3, 5), (6, 10)])
def test_an_answer_changed_with_its_chain_has_no_seal(house, superuser, number, at):
    superuser.execute(f"UPDATE ledger.commands SET answer = '{{}}' WHERE number = {number}")
    rechain(superuser)

    assert faults_of(house) == [(at, "not sealed")]


def test_without_the_house_s_pepper_seals_are_not_checked(house, superuser, monkeypatch, tmp_path):
    forged(house, superuser)
    monkeypatch.setenv("SABOT_PEPPER_FILE", str(tmp_path / "pepper"))
    found = verification.walk(house)

    assert found.ok
    assert "pepper" in found.not_checked[0]
    assert not (tmp_path / "pepper").exists()

    (tmp_path / "pepper").write_bytes(bytes(32))
    found = verification.walk(house)
    assert "is not the one that this ledger was written with" in found.not_checked[0]
    assert found.foreign_pepper in found.not_checked[0]


def test_commands_before_the_pepper_was_replaced_are_named_as_not_checked(
    house, superuser, monkeypatch, tmp_path
):
    monkeypatch.setenv("SABOT_PEPPER_FILE", str(tmp_path / "pepper"))
    replace_pepper(superuser)
    ledger = Ledger(house)
    append(ledger, "later", 1)
    ledger.close()
    forged(house, superuser)
    found = verification.walk(house)

    assert "before number 7" in found.not_checked[0]
    assert [(each.position, each.fault) for each in found.faults] == [(14, "not sealed")]


def move(superuser, after, by):
    superuser.execute(f"UPDATE ledger.events SET position = position + 1000 WHERE position>{after}")
    superuser.execute(
        f"UPDATE ledger.events SET position = position - 1000 + {by} WHERE position > 1000"
    )


INSERTED = """
    INSERT INTO ledger.events
    SELECT gen_random_uuid(), 1, topic, state, {at}, recorded_at, gaming_day, table_code,
           actor, command_id, metadata, hash
      FROM ledger.events WHERE position = {like}
"""


@pytest.mark.parametrize("at", [2, 5, 12, 13])
def test_an_inserted_event(house, superuser, at):
    move(superuser, at - 1, 1)
    superuser.execute(INSERTED.format(at=at, like=1))

    assert first_of(house) == (at, "inserted")


@pytest.mark.parametrize("at", [0, 7])
def test_an_event_with_a_position_of_another_or_none(database, at):
    six_commands(database)
    with database.connect_as_is() as superuser:
        superuser.execute("DROP INDEX ledger.events_position")
        superuser.execute(INSERTED.format(at=at, like=1))

    assert first_of(database) == (at, "inserted")


@pytest.mark.parametrize("at", [2, 5, 11])
def test_a_deleted_event_with_the_gap_closed(house, superuser, at):
    superuser.execute(f"DELETE FROM ledger.events WHERE position = {at}")
    move(superuser, at, -1)
    found = faults_of(house)

    # With one event behind it nobody can tell a moved event from a changed one.
    assert found[0] == (at, "missing" if at < 11 else "changed")
    assert (12, "cut off") in found


@pytest.mark.parametrize("pair", [(4, 5), (2, 7), (1, 12)])
def test_two_swapped_events(house, superuser, pair):
    one, other = pair
    superuser.execute(f"UPDATE ledger.events SET position = 1000 WHERE position = {one}")
    superuser.execute(f"UPDATE ledger.events SET position = {one} WHERE position = {other}")
    superuser.execute(f"UPDATE ledger.events SET position = {other} WHERE position = 1000")

    assert first_of(house) == (one, "reordered")


# Positions: of a command's first event, or of the last event before a refused one.
@pytest.mark.parametrize(("number", "at"), [(1, 1), (3, 4), (4, 6), (6, 10)])
@pytest.mark.parametrize(
    "change", ["answer = '{}'", "content = sha256('x')", "recorded_at = recorded_at + '1 s'"]
)
def test_a_changed_answer(house, superuser, number, at, change):
    superuser.execute(f"UPDATE ledger.commands SET {change} WHERE number = {number}")
    [(position, fault)] = faults_of(house)

    assert fault == "answer changed"
    assert position == (5 if number == 3 else at)


@pytest.mark.parametrize(("number", "at"), [(2, 4), (3, 5), (5, 9)])
def test_a_deleted_command(house, superuser, number, at):
    superuser.execute(f"DELETE FROM ledger.commands WHERE number = {number}")
    found = verification.walk(house)

    assert "command missing" in {each.fault for each in found.faults}
    assert "command missing" == found.faults[0].fault


def test_the_last_command_deleted(house, superuser):
    superuser.execute("DELETE FROM ledger.commands WHERE number = 6")

    assert faults_of(house) == [(10, "command missing")]


def test_a_forged_refusal_at_the_end(house, superuser):
    superuser.execute(
        "INSERT INTO ledger.commands SELECT 'forged', content, '{}', sent_at, seal, NULL, NULL,"
        " recorded_at, 7, hash FROM ledger.commands WHERE number = 6"
    )

    assert faults_of(house) == [(12, "command forged")]


def test_a_command_forged_between_two(house, superuser):
    superuser.execute("UPDATE ledger.commands SET number = number + 1000 WHERE number > 3")
    superuser.execute("UPDATE ledger.commands SET number = number - 999 WHERE number > 1000")
    superuser.execute(
        "INSERT INTO ledger.commands SELECT 'forged', content, '{}', sent_at, seal, NULL, NULL,"
        " recorded_at, 4, hash FROM ledger.commands WHERE number = 3"
    )

    assert first_of(house) == (5, "command forged")


def rechain_events(superuser):
    """The events' chain, consistent again."""
    head = GENESIS
    for event in read_events(superuser, after=0, limit=20):
        head = link(head, event)
        superuser.execute(
            "UPDATE ledger.events SET hash = %s WHERE position = %s", (head, event.position)
        )


def rechain(superuser):
    """The commands' chain, consistent again."""
    head = GENESIS
    rows = superuser.execute(
        f"SELECT {COMMAND_COLUMNS} FROM ledger.commands ORDER BY number", binary=True
    ).fetchall()
    for row in rows:
        head = link_command(head, Answered(*row))
        superuser.execute("UPDATE ledger.commands SET hash = %s WHERE number = %s", (head, row[-2]))


@pytest.mark.parametrize(
    ("change", "expected"),
    [
        ("last_position = last_position + 1 WHERE number = 2", (6, "positions differ")),
        ("first_position = first_position + 1 WHERE number = 4", (6, "positions differ")),
        ("command_id = 'another' WHERE number = 4", (6, "wrong command")),
        ("first_position = NULL, last_position = NULL WHERE number = 4", (5, "not sealed")),
        ("first_position = 13, last_position = 14 WHERE number = 3", (13, "cut off")),
    ],
)
def test_commands_that_do_not_agree_with_the_events_though_their_chain_does(
    house, superuser, change, expected
):
    superuser.execute(f"UPDATE ledger.commands SET {change}")
    rechain(superuser)

    assert first_of(house) == expected


def moved(superuser, by, commands="true"):
    """Rewrites the moments of these commands and their events, with both chains made good."""
    superuser.execute(
        "UPDATE ledger.events SET recorded_at = recorded_at + %s::interval WHERE command_id IN"
        f" (SELECT command_id FROM ledger.commands WHERE {commands})",
        (by,),
    )
    superuser.execute(
        f"UPDATE ledger.commands SET recorded_at = recorded_at + %s::interval WHERE {commands}",
        (by,),
    )
    rechain_events(superuser)
    rechain(superuser)


@pytest.mark.parametrize(
    ("by", "commands", "expected"),
    [
        ("-1 hour", "number = 4", [6]),
        ("1 hour", "number = 4", [6]),
        ("-1 hour", "number = 3", [5]),  # refused: it stands after the events at 5
        ("1 hour", "number >= 4", [6, 9, 10]),
        ("-1 hour", "number < 4", [1, 4, 5]),
        ("-90 seconds", "number = 4", [6]),  # not far from when it was sent, but before number 3
        ("90 seconds", "number = 4", [9]),  # and so after number 5
        ("1 hour", "number = 6", [10]),
    ],
)
def test_a_moment_of_recording_that_was_rewritten(house, superuser, by, commands, expected):
    moved(superuser, by, commands)

    assert faults_of(house) == [(at, "moment changed") for at in expected]


def test_moments_rewritten_with_that_of_sending_have_no_seal(house, superuser):
    superuser.execute(
        "UPDATE ledger.commands SET sent_at = sent_at + interval '1 hour' WHERE number >= 4"
    )
    moved(superuser, "1 hour", "number >= 4")

    assert faults_of(house) == [(6, "not sealed"), (9, "not sealed"), (10, "not sealed")]


@pytest.mark.parametrize("position", [6, 7, 8])
def test_an_event_recorded_at_another_moment_than_its_command(house, superuser, position):
    superuser.execute(
        "UPDATE ledger.events SET recorded_at = recorded_at + interval '1 second'"
        f" WHERE position = {position}"
    )
    rechain_events(superuser)

    assert faults_of(house) == [(6, "moment changed")]


def test_moments_never_go_back_though_the_database_s_clock_does(house, superuser):
    ledger = Ledger(house)
    append(ledger, "refused", 0)  # it has the latest moment; the latest event has an earlier one
    superuser.execute("UPDATE ledger.commands SET sent_at = sent_at + interval '1 hour'")
    seal_anew(superuser)
    moved(superuser, "1 hour")  # as if everything so far was recorded in an hour
    for n, events in enumerate((0, 2, 0)):
        append(ledger, f"later-{n}", events)
    ledger.close()
    [(moments,)] = superuser.execute(
        "SELECT count(DISTINCT recorded_at) FROM ledger.commands WHERE number > 6"
    )

    assert (moments, faults_of(house)) == (1, [])


@pytest.mark.parametrize(("connected", "expected"), [(False, []), (True, ["moment changed"])])
def test_a_clock_that_was_wrong_all_along_is_no_fault_and_one_that_was_set_just_then_is(
    house, monkeypatch, connected, expected
):
    ledger = Ledger(house)
    if connected:
        append(ledger, "before", 1)
    for module in ("fit", "recorder"):
        monkeypatch.setattr(
            f"ops.ledger.{module}.machine_clock", lambda: datetime.now(UTC) + timedelta(hours=1)
        )
    append(ledger, "now", 1)
    append(ledger, "later", 1)
    ledger.close()

    assert [fault for _, fault in faults_of(house)] == expected


@pytest.mark.parametrize("piece", [1, 2, 5])
def test_pieces_and_processes_change_nothing(house, superuser, monkeypatch, piece):
    whole = verification.walk(house)
    monkeypatch.setattr(verification, "PIECE", piece)
    monkeypatch.setattr(verification, "SMALL", 0)

    assert whole == verification.walk(house, jobs=2)
    assert whole.ok
    superuser.execute("UPDATE ledger.events SET actor = 'D-205' WHERE position = 7")
    assert first_of(house, jobs=2) == (7, "changed")


def test_leaf_hashes_are_handed_on_in_order(house, monkeypatch):
    monkeypatch.setattr(verification, "PIECE", 5)
    given = []
    verification.walk(house, leaves=given.append)
    with house.session("sabot_auditor") as connection:
        events = read_events(connection, 0, limit=20)

    assert b"".join(given) == b"".join(each.hash for each in events)
