"""The chain: one form of an event on both sides, and tampering found and named by position."""

import json
from contextlib import suppress
from datetime import UTC, date, datetime, timedelta
from hashlib import sha256
from uuid import uuid4

import pytest
from eventsourcing.persistence import StoredEvent
from hypothesis import given, settings
from hypothesis import strategies as st
from msgspec.structs import replace

from ops.cli.audit import verify as audit
from ops.ledger.appending import Decided, Decision
from ops.ledger.chain import (
    COMMAND_COLUMNS,
    GENESIS,
    Answered,
    NotCanonical,
    Recorded,
    Verification,
    canonical,
    canonical_command,
    link,
    link_command,
    read_canonical,
)
from ops.ledger.reading import read_events
from ops.ledger.recorder import Ledger
from ops.verify import verification

TEXTS = st.text(st.characters(exclude_categories=["Cs"], exclude_characters="\x00")) | (
    st.sampled_from(["", "Jürgen Größe", "🂡🃞", "B01\x01\x1f'\"\\"])
)
CLOSED = "coup.betting-closed"
KINDS = [CLOSED, "property.founded", "table-day.opened"]
OBJECTS = st.dictionaries(TEXTS, TEXTS | st.integers(), max_size=3).map(
    lambda fields: json.dumps(fields, ensure_ascii=False)
)
COUNTS = st.integers(1, 2**63 - 1)
MOMENTS = st.timedeltas(timedelta(days=-719_000), timedelta(days=2_932_000)).map(
    datetime(1970, 1, 1, tzinfo=UTC).__add__
)
EVENTS = st.builds(
    Recorded,
    originator_id=st.uuids(),
    originator_version=COUNTS,
    topic=TEXTS,
    state=st.binary(),
    position=COUNTS,
    recorded_at=MOMENTS,
    gaming_day=st.dates(),
    table_code=TEXTS,
    actor=TEXTS,
    command_id=TEXTS,
    metadata=TEXTS,
    hash=st.just(GENESIS),
)
STREAM = uuid4()
DAY = date(2026, 11, 21)
ASKED = "SELECT ledger.canonical(%s, %s, %s, %b, %s, %s, %s, %s, %s, %s, %s, %b)"
SHIFT = "UPDATE ledger.events SET position = position {by} WHERE position > {after}"
INSERTED = """
    INSERT INTO ledger.events
    SELECT gen_random_uuid(), 1, topic, state, {position}, recorded_at, gaming_day, table_code,
           actor, command_id, metadata, hash
      FROM ledger.events WHERE position = {like}
"""


BEFORE = sha256(b"before").digest()


def columns(event):
    """All but the hash, in order, and the hash before."""
    names = [name for name in Recorded.__struct_fields__ if name != "hash"]
    return [*(getattr(event, name) for name in names), BEFORE]


@pytest.fixture(scope="module")
def growing(server):
    """One ledger that all generated events are appended to."""
    with server.database() as database:
        ledger = Ledger(database)
        yield ledger
        ledger.close()


@pytest.fixture(scope="module")
def auditor(growing):
    with growing.database.connect("sabot_auditor") as connection:
        yield connection


@settings(max_examples=200)
@given(event=EVENTS)
def test_the_server_and_python_make_the_same_canonical_form(auditor, event):
    (actual,) = auditor.execute(ASKED, columns(event)).fetchone()

    assert canonical(event, BEFORE) == actual
    assert read_canonical(actual) == (replace(event, hash=link(BEFORE, event)), BEFORE)


@given(event=EVENTS, data=st.data())
def test_bytes_that_are_not_one_event_s_canonical_form_are_refused(event, data):
    form = canonical(event, BEFORE)
    cut = data.draw(st.integers(0, len(form) - 1))
    spoilt = [form[:cut], form + b"\0", form[: cut + 1] + form[cut:], data.draw(st.binary())]

    for each in spoilt:
        with suppress(NotCanonical):
            assert canonical(*read_canonical(each)) == each != form


@pytest.mark.parametrize("zone", ["UTC", "America/Sao_Paulo", "Pacific/Kiritimati"])
def test_the_canonical_form_does_not_depend_on_the_session_s_zone_or_date_style(auditor, zone):
    moment = datetime(2018, 11, 4, 2, 30, 0, 123_456, tzinfo=UTC)  # in Brazil midnight was missing
    event = Recorded(uuid4(), 1, "", b"", 1, moment, date(2018, 11, 4), "", "", "", "", GENESIS)
    with auditor.transaction(force_rollback=True):
        auditor.execute(f"SET LOCAL timezone = '{zone}'; SET LOCAL datestyle = 'SQL, DMY'")
        (actual,) = auditor.execute(ASKED, columns(event)).fetchone()

    assert canonical(event, BEFORE) == actual


@settings(max_examples=60)
@given(
    content=st.lists(
        st.tuples(st.sampled_from(KINDS), OBJECTS.map(str.encode)), min_size=1, max_size=3
    ),
    day=st.dates(),
    told=st.tuples(TEXTS, TEXTS, OBJECTS),
)
def test_append_and_python_compute_the_same_hash(growing, auditor, content, day, told):
    (before,) = auditor.execute("SELECT coalesce(max(position), 0) FROM ledger.events").fetchone()
    head = read_events(auditor, after=before - 1, limit=1)
    stream, (table, actor, metadata) = uuid4(), told
    decision = Decision(
        f"{stream} Ä🂡", bytes(32), "{}", actor, metadata, places={stream: (day, table)}
    )
    events = [StoredEvent(stream, n, *each) for n, each in enumerate(content, 1)]
    growing.append(events, decision)
    chain = Verification(head[0].hash if head else GENESIS, before)
    recorded = read_events(auditor, after=before, limit=10)
    chain.walk(recorded)

    assert content == [(event.topic, event.state) for event in recorded]
    assert {(day, *told)} == {(e.gaming_day, e.table_code, e.actor, e.metadata) for e in recorded}
    assert chain.ok
    assert before + len(content) == chain.events


@given(content=st.text("ab\x00\x01", max_size=12), cuts=st.lists(st.integers(0, 12), min_size=6))
def test_no_character_moves_to_the_neighbouring_field_unnoticed(content, cuts):
    def cut(at):
        a, b, c = sorted(at)
        moment, day = datetime(2026, 11, 21, tzinfo=UTC), DAY
        parts = (content[:a], content[a:b], content[b:c], content[c:])
        topic, state = content[:a], content[a:].encode()
        return Recorded(STREAM, 1, topic, state, 1, moment, day, *parts, GENESIS)

    one, other = cut(cuts[:3]), cut(cuts[3:6])

    assert (one == other) == (canonical(one, BEFORE) == canonical(other, BEFORE))


@given(one=EVENTS, other=EVENTS)
def test_two_events_never_have_the_same_form(one, other):
    assert (one == other) == (canonical(one, BEFORE) == canonical(other, BEFORE))


@pytest.fixture(scope="module")
def house(server):
    """Twelve events in four saves, a copy of them, and no triggers."""
    with server.database() as database, database.connect_as_is() as connection:
        ledger = Ledger(database)
        for save in range(4):
            stream = uuid4()
            events = [
                StoredEvent(stream, n, CLOSED, b'{"n": 1%d%d}' % (save, n)) for n in (1, 2, 3)
            ]
            places = {stream: (DAY, "B01")}
            ledger.append(
                events, Decision(str(save), bytes(32), "{}", "D-204", "{}", places=places)
            )
        ledger.close()
        connection.execute("ALTER TABLE ledger.event_rows DISABLE TRIGGER USER")
        connection.execute("ALTER TABLE ledger.command_rows DISABLE TRIGGER USER")
        connection.execute("CREATE TABLE public.kept AS TABLE ledger.events")
        connection.execute("CREATE TABLE public.answered AS TABLE ledger.commands")
        yield database, connection


@pytest.fixture
def superuser(house):
    return house[1]


@pytest.fixture
def told(house):
    """The ledger, as it was again after the test."""
    database, connection = house
    yield database
    connection.execute("TRUNCATE ledger.event_rows; INSERT INTO ledger.events TABLE public.kept")
    connection.execute(
        "TRUNCATE ledger.command_rows; INSERT INTO ledger.commands TABLE public.answered"
    )
    connection.execute(
        "CREATE UNIQUE INDEX IF NOT EXISTS events_position ON ledger.event_rows (position)"
    )


def test_an_unaltered_ledger_verifies_in_pieces_of_any_size(told, superuser, monkeypatch):
    (head,) = superuser.execute("SELECT hash FROM ledger.events WHERE position = 12").fetchone()
    for piece in (1, 5, 12, 5_000):
        monkeypatch.setattr(verification, "PIECE", piece)
        found = audit.walk(told)

        assert (True, head, 12, 4) == (found.ok, found.head, found.events, found.commands)


def test_an_empty_ledger_verifies(database):
    found = audit.walk(database)

    assert (True, GENESIS, 0) == (found.ok, found.head, found.events)


@pytest.mark.parametrize("position", [1, 5, 12], ids=["first", "middle", "last"])
@pytest.mark.parametrize(
    "change",
    [
        "originator_id = gen_random_uuid()",
        "originator_version = originator_version + 100",
        "topic = topic || 'x'",
        "state = state || ' '",
        "position = position + 100",
        "recorded_at = recorded_at + interval '1 microsecond'",
        "gaming_day = gaming_day + 1",
        "table_code = 'B02'",
        "actor = 'D-205'",
        "command_id = command_id || ' '",
        "metadata = '{} '",
        "hash = sha256(hash)",
    ],
    ids=lambda change: change.split()[0],
)
def test_an_altered_column_is_detected_at_its_event(told, superuser, change, position):
    superuser.execute(f"UPDATE ledger.events SET {change} WHERE position = {position}")

    assert position == audit.walk(told).first_bad


@pytest.mark.parametrize("pieces", [3, 5_000])
@pytest.mark.parametrize("position", [1, 5, 11])
def test_a_deleted_event_is_detected_at_its_position(
    told, superuser, position, pieces, monkeypatch
):
    monkeypatch.setattr(verification, "PIECE", pieces)
    superuser.execute(f"DELETE FROM ledger.events WHERE position = {position}")
    found = audit.walk(told)

    assert (position, False) == (found.first_bad, found.gapless)


@pytest.mark.parametrize("position", [1, 5, 12])
def test_closing_the_gap_does_not_hide_a_deleted_event(told, superuser, position):
    superuser.execute(f"DELETE FROM ledger.events WHERE position = {position}")
    superuser.execute(SHIFT.format(by="+ 1000", after=position))
    superuser.execute(SHIFT.format(by="- 1001", after=1000))
    found = audit.walk(told)

    assert position == found.first_bad
    assert found.gapless
    assert ("cut off" if position == 12 else "missing") in {each.fault for each in found.faults}


@pytest.mark.parametrize("position", [1, 5, 12, 13])
def test_an_inserted_event_is_detected_at_its_position(told, superuser, position):
    superuser.execute(SHIFT.format(by="+ 1000", after=position - 1))
    superuser.execute(SHIFT.format(by="- 999", after=1000))
    like = position - 1 or 2
    superuser.execute(INSERTED.format(position=position, like=like))

    assert position == audit.walk(told).first_bad


@pytest.mark.parametrize("position", [0, -7, 4], ids=["zero", "below", "twice, between pieces"])
def test_an_event_inserted_with_a_duplicate_position_is_detected(
    told, superuser, position, monkeypatch
):
    monkeypatch.setattr(verification, "PIECE", 4)
    superuser.execute("DROP INDEX ledger.events_position")
    superuser.execute(INSERTED.format(position=position, like=4))

    assert (position, False) == (audit.walk(told).first_bad, audit.walk(told).gapless)


@pytest.mark.parametrize("first", [1, 5, 11])
def test_two_swapped_events_are_detected_at_the_first(told, superuser, first):
    superuser.execute(
        f"UPDATE ledger.events SET position = 1000 WHERE position = {first};"
        f"UPDATE ledger.events SET position = {first} WHERE position = {first} + 1;"
        f"UPDATE ledger.events SET position = {first} + 1 WHERE position = 1000"
    )

    assert first == audit.walk(told).first_bad


def test_a_forged_hash_is_detected_at_the_next_event(told, superuser):
    superuser.execute("UPDATE ledger.events SET actor = 'D-205' WHERE position = 5")
    before, forged = read_events(superuser, after=3, limit=2)
    mended = link(before.hash, forged)
    superuser.execute("UPDATE ledger.events SET hash = %s WHERE position = 5", (mended,))

    assert audit.walk(told).first_bad == 6


def test_a_truncated_ledger_is_detected_only_by_a_noted_head(told, superuser):
    noted = audit.walk(told)
    superuser.execute("DELETE FROM ledger.events WHERE position > 9")
    superuser.execute("DELETE FROM ledger.commands WHERE first_position > 9")
    found = audit.walk(told)

    assert found.ok
    assert (noted.events, noted.head) != (found.events, found.head)


def test_a_recomputed_tail_is_not_as_it_was_noted_or_sealed(told, superuser):
    noted = audit.walk(told)
    superuser.execute("UPDATE ledger.events SET actor = 'D-205' WHERE position = 9")
    (before,) = read_events(superuser, after=7, limit=1)
    head = before.hash
    for forged in read_events(superuser, after=8, limit=9):
        head = link(head, forged)
        superuser.execute(
            "UPDATE ledger.events SET hash = %s WHERE position = %s", (head, forged.position)
        )
    found = audit.walk(told)

    assert [(7, "not sealed")] == [(each.position, each.fault) for each in found.faults]
    assert noted.head != found.head


ANSWERED = st.builds(
    Answered,
    command_id=TEXTS,
    content=st.binary(min_size=32, max_size=32),
    answer=TEXTS,
    sent_at=MOMENTS,
    seal=st.binary(min_size=32, max_size=32),
    first_position=st.none() | COUNTS,
    last_position=st.none() | COUNTS,
    recorded_at=MOMENTS,
    number=COUNTS,
    hash=st.just(GENESIS),
)


@settings(max_examples=200)
@given(command=ANSWERED)
def test_the_server_and_python_make_the_same_form_of_a_command(auditor, command):
    values = [*(getattr(command, name) for name in Answered.__struct_fields__[:8]), BEFORE]
    (actual,) = auditor.execute(
        "SELECT ledger.canonical_command(%s, %b, %s, %s, %b, %s, %s, %s, %b)", values
    ).fetchone()

    assert canonical_command(command, BEFORE) == actual


@given(one=ANSWERED, other=ANSWERED)
def test_two_commands_never_have_the_same_form(one, other):
    same = replace(one, number=1) == replace(other, number=1)

    assert same == (canonical_command(one, BEFORE) == canonical_command(other, BEFORE))


@pytest.mark.parametrize("each", [True, False])
def test_commands_are_numbered_and_chained_in_the_order_of_recording(server, each):
    decided = []
    for n, many in enumerate((2, 0, 1, 0)):  # with and without events
        stream = uuid4()
        events = [StoredEvent(stream, v, CLOSED, b"{}") for v in range(1, many + 1)]
        places = {stream: (DAY, "B01")}
        decided.append(
            Decided(events, Decision(f"🂡{n}", bytes(32), '{"Ä": 1}', "", "{}", places=places))
        )
    with server.database() as database, database.connect_as_is() as connection:
        ledger = Ledger(database)
        ledger.append(decided[0].events, decided[0].decision)
        ledger.append_several(decided[1:], each=each)
        ledger.close()
        rows = connection.execute(
            f"SELECT {COMMAND_COLUMNS} FROM ledger.commands ORDER BY number", binary=True
        ).fetchall()
    head = GENESIS
    for number, row in enumerate(rows, 1):
        command = Answered(*row)
        head = link_command(head, command)

        assert (number, head) == (command.number, command.hash)
    assert [(1, 2), (None, None), (3, 3), (None, None)] == [row[5:7] for row in rows]


def test_the_first_hash_follows_32_zeros():
    event = Recorded(
        *(STREAM, 1, "t", b"s", 1, datetime(2000, 1, 1, 0, 0, 1, tzinfo=UTC)),
        *(DAY, "B01", "D-204", "one", "{}", b""),
    )
    days = (DAY - date(2000, 1, 1)).days
    form = b"sabot-event-1" + b"".join(
        len(each).to_bytes(4, "big") + each
        for each in (
            *(b"one", b"D-204", b"{}", days.to_bytes(4, "big"), b"B01"),
            *(STREAM.bytes, (1).to_bytes(8, "big"), b"t", b"s"),
            *((1).to_bytes(8, "big"), (1_000_000).to_bytes(8, "big"), bytes(32)),
        )
    )

    assert sha256(b"\x00" + form).digest() == link(GENESIS, event)
