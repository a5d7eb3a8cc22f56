"""Checkpoints: signed once for each state of the record, sent, cosigned, refused aloud."""

import socket
from email import message_from_bytes
from email.policy import default

import pytest
from aiosmtpd.controller import Controller

from domain.rules.destinations import Destination, parse_destinations
from ops.cli.audit.verify import walk
from ops.handlers import checkpoints
from ops.handlers.checkpoints import make, sign_if_due
from ops.ledger.reading import head_of
from ops.proof import keys, on_record, sending
from ops.proof.checkpoint import Checkpoint, opened
from ops.proof.note import Verifier, open_note, sign
from ops.reports.ask import ask
from ops.reports.rebuild import bring_up
from projections import REPORTS
from tests.worlds.gaming_table import BANKER_WINS, GamingTable
from tests.worlds.signing import new_key, signed
from tests.worlds.witnesses import witness

pytestmark = pytest.mark.usefixtures("held")

ORIGIN = "casino.example/baccarat"
TWO = {"by": "A-1", "with": "S-11"}


@pytest.fixture
def table(dispatcher):
    return GamingTable(dispatcher).open().prepare()


@pytest.fixture(autouse=True)
def own_keys(monkeypatch, tmp_path):
    monkeypatch.setenv("SABOT_AUDIT_KEYS", str(tmp_path / "keys"))


def say(dispatcher, command, **fields):
    own = dispatcher.for_own_commands() if command.startswith("audit.") else dispatcher
    return own.dispatch({"command": command, **fields})


def rotate(dispatcher, before, **fields):
    made = keys.make_keys(lambda _: ORIGIN)
    statement = keys.introduction(made, before, lost=fields.get("lost", False))
    return made, say(
        dispatcher, "audit.replace-key", statement=statement, reason="January", **TWO, **fields
    )


def exceptions(database):
    return [(row["kind"], row["rank"]) for row in ask(database, REPORTS["alerts"]).rows]


def test_a_house_without_a_key_signs_nothing(table, dispatcher, database):
    assert make(dispatcher, database) is None
    answer = say(dispatcher, "audit.checkpoint", note=signed(3, bytes(32)), commands=1,
                 commands_head="0" * 64)  # fmt: skip
    assert answer.body["error"] == "NotFound"


def test_the_record_is_signed_as_it_is_and_once(table, dispatcher, database):
    key, second = new_key(dispatcher)
    first = make(dispatcher, database)
    again = make(dispatcher, database)
    table.play(BANKER_WINS, (3, "banker", 100_00))
    later = make(dispatcher, database)

    assert opened(first.note, ORIGIN, key, second) == first.checkpoint
    assert (first.anew, again.anew, later.anew) == (True, False, True)
    assert again.note == first.note
    assert later.checkpoint.size > first.checkpoint.size
    row = ask(database, REPORTS["integrity"]).rows[0]
    assert row["checkpoint_size"] == later.checkpoint.size
    assert row["checkpoint_root"] == later.checkpoint.root.hex()
    assert row["signed_by"] == key.rpartition("+")[0]


def test_what_fills_a_tile_while_it_is_signed_is_left_to_the_next_one(
    table, dispatcher, database, monkeypatch
):
    new_key(dispatcher)
    bets = iter(range(300))

    def and_lines_come(connection, *projections):
        bring_up(connection, *projections)
        for n in bets:
            table.bet(3, "banker", 100_00 + 5_00 * (n % 2))

    monkeypatch.setattr(checkpoints, "bring_up", and_lines_come)
    made = make(dispatcher, database)
    later = make(dispatcher, database)

    assert made.checkpoint.size == 255
    assert later.checkpoint.size > 300
    assert walk(database).ok


def test_a_signature_that_is_not_the_house_s_is_not_recorded(table, dispatcher):
    new_key(dispatcher)
    for note in (signed(3, bytes(32)), signed(3, bytes(32), name="other.example"), "nonsense"):
        answer = say(dispatcher, "audit.checkpoint", note=note, commands=1, commands_head="0" * 64)

        assert answer.body["error"] == "BadValue"


def test_a_checkpoint_of_events_that_are_not_there_is_not_recorded(table, dispatcher):
    made = new_key(dispatcher)
    note = sign(Checkpoint(ORIGIN, 9_999, bytes(32)).text, *keys.signers(*made))
    answer = say(dispatcher, "audit.checkpoint", note=note, commands=1, commands_head="0" * 64)

    assert "9999" in answer.body["message"]


def test_a_key_is_replaced_by_one_that_the_old_one_signed(table, dispatcher, database):
    first = new_key(dispatcher)
    make(dispatcher, database)
    second, answer = rotate(dispatcher, first[0])
    assert answer.ok, str(answer)
    table.play(BANKER_WINS, (3, "banker", 100_00))
    made = make(dispatcher, database)

    assert opened(made.note, ORIGIN, *second).size == made.checkpoint.size
    with database.session("sabot_auditor") as connection:
        known = on_record.keys(connection)
    assert [each.key for each in known] == [first[0], second[0]]
    assert not any(each.lost for each in known)
    assert exceptions(database) == []


def test_a_lost_key_is_replaced_and_everybody_sees_it(table, dispatcher, database, tmp_path):
    first = new_key(dispatcher)
    for file in (tmp_path / "keys").iterdir():
        file.unlink()
    with pytest.raises(keys.NoKey, match="cannot be read"):
        make(dispatcher, database)
    _, refused = rotate(dispatcher, first[0], lost=True)
    assert refused.ok, str(refused)

    assert make(dispatcher, database).anew
    assert ("signing key lost", 2) in exceptions(database)


def test_a_key_that_the_old_one_did_not_sign_is_refused(table, dispatcher):
    new_key(dispatcher)
    made = keys.make_keys(lambda _: ORIGIN)
    with_another = keys.introduction(made, "", lost=False)
    stranger = keys.make_keys(lambda _: ORIGIN)[0]
    for statement in (with_another, keys.introduction(made, stranger, lost=False)):
        answer = say(dispatcher, "audit.replace-key", statement=statement, reason="January", **TWO)

        assert answer.body["error"] == "BadValue"
    alone = say(dispatcher, "audit.replace-key", statement=with_another, reason="x", by="A-1")
    assert alone.body["error"] == "SecondPersonNeeded"
    assert say(dispatcher, "audit.new-key", statement=with_another).body["error"] == "BadValue"


def test_a_key_that_others_can_read_does_not_sign(table, dispatcher, database):
    key, _ = new_key(dispatcher)
    keys.file_of(key).chmod(0o644)
    with pytest.raises(keys.NoKey, match="0600"):
        make(dispatcher, database)


def test_a_command_signs_with_a_key_that_it_never_shows(
    table, dispatcher, database, tmp_path, monkeypatch
):
    key, second = new_key(dispatcher)
    pem = tmp_path / "token.pem"
    keys.file_of(key).rename(pem)
    script = tmp_path / "sign"
    script.write_text(
        f'#!/bin/sh\ncat > "{tmp_path}/message"\n'
        f'openssl pkeyutl -sign -rawin -inkey "{pem}" -in "{tmp_path}/message"\n'
    )
    script.chmod(0o700)
    monkeypatch.setenv("SABOT_AUDIT_KEY_COMMAND", str(script))
    made = make(dispatcher, database)

    assert opened(made.note, ORIGIN, key, second).size == made.checkpoint.size
    table.play(BANKER_WINS, (3, "banker", 100_00))
    monkeypatch.setenv("SABOT_AUDIT_KEY_COMMAND", "false")
    with pytest.raises(keys.NoKey, match="did not sign"):
        make(dispatcher, database)


def test_it_goes_to_the_house_s_places_and_stays_there(table, dispatcher, database, tmp_path):
    new_key(dispatcher)
    place = tmp_path / "usb"
    place.mkdir()
    setting = f"{place} {tmp_path / 'away'}"
    assert say(dispatcher, "property.set", name="checkpoint_to", value=setting, by="A-1").ok
    made = make(dispatcher, database)

    assert made.sent == (str(place),)
    assert "away" in made.problems[0]
    assert (place / "checkpoint").read_text() == made.note
    assert (place / sending.file_of(made.checkpoint.size)).read_text() == made.note
    other = signed(made.checkpoint.size, bytes(32), name=ORIGIN)
    with pytest.raises(sending.NotSent, match="another checkpoint of the same size"):
        sending.put_into(place, ORIGIN, made.checkpoint.size, other)


@pytest.fixture
def post(monkeypatch):
    """A mail server; the mail that came to it."""
    came = []

    class Box:
        async def handle_DATA(self, server, session, envelope):  # noqa: N802  (its own name)
            came.append(envelope)
            return "250 taken" if "full@" not in envelope.rcpt_tos[0] else "552 the box is full"

    with socket.create_server(("127.0.0.1", 0)) as free:
        port = free.getsockname()[1]
    server = Controller(Box(), hostname="127.0.0.1", port=port)
    server.start()
    monkeypatch.setenv(sending.MAIL_SERVER, f"127.0.0.1:{port}")
    yield came
    server.stop()


def test_it_goes_by_mail_and_what_arrives_is_the_note(table, dispatcher, database, post):
    new_key(dispatcher)
    made = make(dispatcher, database, parse_destinations("mailto:board@gaming.example"))

    assert (made.sent, made.problems) == (("board@gaming.example",), ())
    (envelope,) = post
    mail = message_from_bytes(envelope.content, policy=default)
    assert envelope.rcpt_tos == ["board@gaming.example"]
    assert mail["Subject"] == f"Checkpoint of {ORIGIN}: {made.checkpoint.size} events"
    text, attached = mail.iter_parts()
    assert text.get_content().replace("\r\n", "\n") == made.note
    assert attached.get_filename() == sending.file_of(made.checkpoint.size)
    assert attached.get_content() == made.note.encode()


def test_mail_that_is_not_taken_is_a_problem_in_words(table, dispatcher, database, post):
    new_key(dispatcher)
    made = make(dispatcher, database, parse_destinations("mailto:full@gaming.example"))

    assert (made.sent, len(made.problems)) == ((), 1)
    assert "the box is full" in made.problems[0]


@pytest.mark.parametrize("value", ["usb", "ftp://x", "/a b", ""])
def test_a_place_that_is_none_is_refused(table, dispatcher, value):
    answer = say(dispatcher, "property.set", name="checkpoint_to", value=value, by="A-1")
    assert answer.body["error"] == "BadValue"


# A witness that we did not write
def test_a_foreign_witness_cosigns_and_sees_the_record_grow(table, dispatcher, database):
    key, second = new_key(dispatcher)
    with witness() as stranger:
        stranger.service.add_log(ORIGIN, key)
        place = [Destination.parse(stranger.place)]
        for _ in range(3):
            table.play(BANKER_WINS, (3, "banker", 100_00))
            made = make(dispatcher, database, place)
            note = made.note + "".join(made.cosignatures)
            vkeys = [Verifier.parse(each) for each in (key, second, stranger.service.vkey())]

            assert len(open_note(note, vkeys).verified) == 3
            assert (made.problems, made.refused) == ((), ())
        again = make(dispatcher, database, place)

        assert again.cosignatures == made.cosignatures
        # Before the second and the third it is asked whether it knows a longer record.
        assert stranger.heard == [200] * 5
    with database.session("sabot_projector") as connection:
        assert on_record.covering(connection, 1).cosignatures
    assert exceptions(database) == []


def test_a_witness_that_knows_more_than_we_remember_is_asked_again(table, dispatcher, database):
    key, _ = new_key(dispatcher)
    with witness() as stranger:
        stranger.service.add_log(ORIGIN, key)
        make(dispatcher, database, [Destination.parse(stranger.place)])
        table.play(BANKER_WINS, (3, "banker", 100_00))
        under_another_name = Destination.parse(f"{stranger.address}/#{stranger.service.vkey()}")
        made = make(dispatcher, database, [under_another_name])

        assert stranger.heard == [200, 200, 409, 200]  # the second: does it know more than this?
        assert len(made.cosignatures) == 1


def test_a_witness_that_moves_on_while_it_is_asked_is_asked_again_and_nothing_rings(
    table, dispatcher, database
):
    """It looks at the house itself, every second."""
    key, _ = new_key(dispatcher)
    with witness() as stranger:
        stranger.service.add_log(ORIGIN, key)
        stranger.answers = [(409, "text/x.tlog.size", f"{size}\n") for size in (1, 2)]
        made = make(dispatcher, database, [Destination.parse(stranger.place)])

        assert (len(made.cosignatures), made.refused, made.problems) == (1, (), ())
    assert exceptions(database) == []


def test_a_rewritten_record_is_not_signed(table, dispatcher, database, superuser):
    new_key(dispatcher)
    make(dispatcher, database)
    superuser.execute("ALTER TABLE ledger.event_rows DISABLE TRIGGER USER")
    superuser.execute("UPDATE ledger.events SET actor = 'D-999' WHERE position = 3")
    table.play(BANKER_WINS, (3, "banker", 100_00))

    with pytest.raises(checkpoints.NotContinued, match="was rewritten"):
        make(dispatcher, database)


def test_a_rewritten_record_that_was_signed_all_the_same_is_refused_and_rings(
    table, dispatcher, database, superuser, monkeypatch
):
    """Whoever has the key can sign anything; the witness still remembers."""
    for each in ("require_continued", "_require_own_checkpoint"):
        monkeypatch.setattr(checkpoints, each, lambda *_, **__: None)
    key, _ = new_key(dispatcher)
    with witness() as stranger:
        stranger.service.add_log(ORIGIN, key)
        place = [Destination.parse(stranger.place)]
        make(dispatcher, database, place)
        superuser.execute("ALTER TABLE ledger.event_rows DISABLE TRIGGER USER")
        superuser.execute("UPDATE ledger.events SET actor = 'D-999' WHERE position = 3")
        table.play(BANKER_WINS, (3, "banker", 100_00))
        made = make(dispatcher, database, place)

        assert stranger.heard == [200, 422]
        assert len(made.refused) == 1
    assert ("witness refused", 1) in exceptions(database)


def test_a_witness_that_saw_a_longer_record_rings(table, dispatcher, database):
    """A record that was rolled back to a backup: the witness remembers."""
    new_key(dispatcher)
    with witness() as stranger:
        stranger.answers = [(409, "text/x.tlog.size", "99999\n")]
        made = make(dispatcher, database, [Destination.parse(stranger.place)])

        assert "99999" in made.refused[0]
    assert ("witness refused", 1) in exceptions(database)


def test_a_witness_that_is_away_or_confused_is_a_problem_and_no_alarm(table, dispatcher, database):
    new_key(dispatcher)
    with witness() as stranger:
        place = [Destination.parse(stranger.place)]
        stranger.answers = [
            (500, "text/plain", "no\n"), (200, "text/plain", "hello\n"),
            (302, "text/plain", ""), (200, "text/plain", "— x AAAAAAAA\n"),
        ]  # fmt: skip
        for _ in range(4):
            made = make(dispatcher, database, place)
            assert (len(made.problems), made.cosignatures) == (1, ())
        unknown = make(dispatcher, database, place)  # it was never told of this record
        assert stranger.heard[-1] == 404
        assert len(unknown.refused) == 1
    gone = make(dispatcher, database, place)
    assert "cannot be reached" in gone.problems[0]
    assert exceptions(database) == []


def test_the_auditor_s_login_reads_all_of_it(table, dispatcher, database):
    new_key(dispatcher)
    make(dispatcher, database)
    with database.session("sabot_auditor") as connection:
        connection.execute("SET search_path = projections, pg_temp")
        assert on_record.newest(connection).size <= head_of(connection)
        assert on_record.keys(connection)


# By itself
def test_it_is_signed_when_a_table_closes_and_not_before(table, dispatcher, database):
    assert sign_if_due(dispatcher, database, table.moment) is None  # no key
    new_key(dispatcher)
    first = sign_if_due(dispatcher, database, table.moment)  # the first of this gaming day
    table.play(BANKER_WINS, (3, "banker", 100_00))
    during = sign_if_due(dispatcher, database, table.moment)
    table.say("commission.collect", seat=3, amount=5_00)
    table.end_shoe()
    table.say("table.close", closer={"10000": 200}, confirmed=True, **{"with": "S-11"})
    closed = sign_if_due(dispatcher, database, table.moment)

    assert (first.anew, during, closed.anew) == (True, None, True)
    assert sign_if_due(dispatcher, database, table.moment) is None


def test_signing_by_itself_hinders_nobody(table, dispatcher, database):
    key, _ = new_key(dispatcher)
    keys.file_of(key).chmod(0o644)

    assert sign_if_due(dispatcher, database, table.moment) is None
