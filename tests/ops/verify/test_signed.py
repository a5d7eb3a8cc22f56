"""The record against what was signed of it: what the chains alone cannot find.

Each attack is by somebody who may do anything in the database, and makes both chains good again.
"""

import json
from itertools import pairwise

import pytest

from ops.handlers.checkpoints import make
from ops.ledger.chain import Recorded, link
from ops.ledger.reading import read_events
from ops.proof import keys
from ops.proof.by_hand import lines_of
from ops.proof.checkpoint import Checkpoint
from ops.proof.note import sign
from ops.verify.signed import NOBODY_SIGNED, ONLY_OUTSIDE, Signatures
from ops.verify.verification import walk
from tests.acceptance.channels import json_of, shell
from tests.worlds.gaming_table import BANKER_WINS, GamingTable
from tests.worlds.signing import ORIGIN, signer_of
from tests.worlds.tampered_ledger import seal_anew

pytestmark = pytest.mark.usefixtures("held")


@pytest.fixture(autouse=True)
def own_keys(monkeypatch, tmp_path):
    monkeypatch.setenv("SABOT_AUDIT_KEYS", str(tmp_path / "keys"))


@pytest.fixture
def table(dispatcher):
    return GamingTable(dispatcher).open().prepare()


@pytest.fixture
def key(table, dispatcher):
    """The house's keys, introduced."""
    made = keys.make_keys(lambda _: ORIGIN)
    line = {"command": "audit.new-key", "statement": keys.introduction(made)}
    assert dispatcher.for_own_commands().dispatch(line).ok
    return made


@pytest.fixture
def signed(key, dispatcher, database):
    """The first checkpoint."""
    return make(dispatcher, database)


@pytest.fixture
def check(database, tmp_path):
    """What verifying finds: the faults as pairs, and what was not checked."""

    def verify(*notes, key=None):
        files = [tmp_path / f"checkpoint-{n}" for n in range(len(notes))]
        for file, note in zip(files, notes, strict=True):
            file.write_text(note)
        with database.session("sabot_auditor") as connection:
            signatures = Signatures(connection, files, key)
        result = walk(database, jobs=1, leaves=signatures.leaves)
        with database.session("sabot_auditor") as connection:
            signatures.check(connection, result)
        return result

    return verify


def faults(result):
    return [(each.position, each.fault) for each in result.faults]


@pytest.fixture
def rewrite(superuser):
    """Changes the record, seals and chains it anew, as the house itself could."""

    def change(*statements):
        for table in ("event_rows", "command_rows"):
            superuser.execute(f"ALTER TABLE ledger.{table} DISABLE TRIGGER USER")
        for statement in statements:
            superuser.execute(statement)
        seal_anew(superuser)
        superuser.execute(
            """
            WITH RECURSIVE chained AS (
                SELECT 0::bigint AS position, decode(repeat('00', 32), 'hex') AS hash
                UNION ALL
                SELECT e.position, ledger.leaf(ledger.canonical(e.originator_id,
                           e.originator_version, e.topic, e.state, e.position, e.recorded_at,
                           e.gaming_day, e.table_code, e.actor, e.command_id, e.metadata,
                           chained.hash))
                  FROM chained JOIN ledger.events AS e ON e.position = chained.position + 1
            )
            UPDATE ledger.events AS event SET hash = chained.hash
              FROM chained WHERE chained.position = event.position
            """
        )
        superuser.execute(
            """
            WITH RECURSIVE chained AS (
                SELECT 0::bigint AS number, decode(repeat('00', 32), 'hex') AS hash
                UNION ALL
                SELECT c.number, sha256(ledger.canonical_command(c.command_id, c.content, c.answer,
                           c.sent_at, c.seal, c.first_position, c.last_position, c.recorded_at,
                           chained.hash))
                  FROM chained JOIN ledger.commands AS c ON c.number = chained.number + 1
            )
            UPDATE ledger.commands AS command SET hash = chained.hash
              FROM chained WHERE chained.number = command.number
            """
        )

    return change


CUT = (
    "DELETE FROM ledger.events WHERE position > {size}",
    "DELETE FROM ledger.commands WHERE last_position > {size}"
    " OR number > (SELECT max(number) FROM ledger.commands WHERE last_position <= {size})",
)


def cut(size):
    return [each.format(size=size) for each in CUT]


def test_a_true_record_is_the_one_that_was_signed(signed, table, dispatcher, database, check):
    table.play(BANKER_WINS, (3, "banker", 100_00))
    later = make(dispatcher, database)
    result = check(signed.note, later.note)

    assert result.ok, result.faults
    assert result.checkpoint == later.checkpoint
    assert not any("by itself" in each for each in result.not_checked)
    assert ONLY_OUTSIDE in check().not_checked
    assert result.events - later.checkpoint.size == 1  # the checkpoint's own event


def test_a_record_that_nobody_signed_may_be_any(table, check, rewrite):
    rewrite("UPDATE ledger.events SET actor = 'D-999' WHERE position = 3")
    result = check()

    assert result.ok
    assert NOBODY_SIGNED in result.not_checked


def test_a_rewritten_record_is_found_by_its_own_checkpoint(signed, check, rewrite):
    rewrite("UPDATE ledger.events SET actor = 'D-999' WHERE position = 3")

    assert faults(check()) == [(1, "rewritten"), (19, "answers rewritten")]


def test_it_is_found_too_when_the_record_has_grown_since(
    signed, table, dispatcher, database, check, rewrite
):
    table.play(BANKER_WINS, (3, "banker", 100_00))
    second = make(dispatcher, database)
    table.play(BANKER_WINS, (3, "banker", 100_00))
    rewrite(
        "UPDATE ledger.events SET actor = 'D-999' WHERE topic = 'coup.settled' AND position = "
        "(SELECT min(position) FROM ledger.events WHERE topic = 'coup.settled')"
    )
    result = check()

    assert {fault for _, fault in faults(result)} == {"rewritten", "answers rewritten"}
    assert result.first_bad == signed.checkpoint.size + 1
    assert result.checkpoint == signed.checkpoint
    assert f"covers {second.checkpoint.size}" not in result.faults[0].words


def test_a_tail_that_was_cut_off_is_found_by_a_copy_from_outside(
    signed, table, dispatcher, database, check, rewrite
):
    table.play(BANKER_WINS, (3, "banker", 100_00))
    second = make(dispatcher, database)
    rewrite(*cut(signed.checkpoint.size))
    alone, with_copy = check(), check(second.note)

    assert alone.ok  # nothing in the record remembers its end: it takes a copy
    assert NOBODY_SIGNED in alone.not_checked
    assert faults(with_copy) == [(signed.checkpoint.size + 1, "rolled back")]


def test_a_tail_that_was_cut_and_grew_again_is_found(
    signed, table, dispatcher, database, check, rewrite
):
    table.play(BANKER_WINS, (3, "banker", 100_00))
    second = make(dispatcher, database)
    rewrite(*cut(signed.checkpoint.size + 1))
    dispatcher.casino.forget()
    again = GamingTable(dispatcher, "B02").open().prepare()
    for _ in range(3):
        again.play(BANKER_WINS, (3, "banker", 100_00))
    result = check(second.note)

    assert faults(result) == [(signed.checkpoint.size + 1, "rewritten")]


def test_a_place_of_the_house_is_compared_by_itself(
    key, table, dispatcher, database, check, rewrite, tmp_path
):
    place = tmp_path / "usb"
    place.mkdir()
    line = {"command": "property.set", "name": "checkpoint_to", "value": str(place), "by": "A-1"}
    assert dispatcher.dispatch(line).ok
    table.play(BANKER_WINS, (3, "banker", 100_00))
    made = make(dispatcher, database)
    before = check()
    rewrite(*cut(made.checkpoint.size - 1))
    after = check()
    (place / "checkpoint").unlink()
    gone = check()

    assert before.ok
    assert ONLY_OUTSIDE not in before.not_checked
    assert (made.checkpoint.size, "rolled back") in faults(after)
    assert any(str(place) in each for each in gone.not_checked)


def test_an_answer_that_was_rewritten_with_its_chain_is_found(signed, check, rewrite):
    rewrite("UPDATE ledger.commands SET answer = '{}' WHERE number = 2")

    assert "answers rewritten" in [fault for _, fault in faults(check())]


def test_a_key_with_which_nothing_was_signed_proves_nothing(key, database, check):
    result = check(key=key[0])
    answered = shell(database, "audit", "verify", "--key", key[0])

    assert (faults(result), faults(check())) == ([(1, "unsigned")], [])
    assert (answered.exit_code, "no checkpoint was ever made" in answered.stdout) == (1, True)


def test_a_proof_that_needs_a_checkpoint_gets_one(key, table, database, check):
    table.play(BANKER_WINS, (3, "banker", 100_00))
    before = check().checkpoint
    proof, again = (json_of(database, "audit", "prove", "B01/2026-11-21") for _ in range(2))

    assert before is None
    assert proof == again  # and no second one
    assert check(key=key[0]).ok


def test_a_pack_that_needs_a_checkpoint_gets_one(key, table, database, tmp_path):
    table.play(BANKER_WINS, (3, "banker", 100_00))
    made = shell(database, "replay", "B01/2026-11-21/1/1", "--export", str(tmp_path / "coup-1"))
    pack = json.loads((tmp_path / "coup-1.json").read_text())

    assert made.exit_code == 0, made.output
    assert max(map(int, pack["checkpoint"]["inclusion"])) <= pack["checkpoint"]["size"]


def test_a_proof_where_the_key_is_not_says_where_it_is(key, table, database, monkeypatch, tmp_path):
    monkeypatch.setenv("SABOT_AUDIT_KEYS", str(tmp_path / "elsewhere"))
    answered = shell(database, "audit", "prove", "1")

    assert answered.exit_code == 1
    assert "it is signed where the house's key is, on the server" in answered.stderr


def test_another_key_in_the_record_is_found(signed, key, check, rewrite):
    """The superuser introduces a key of their own, and signs everything with it."""
    mine = signer_of()
    statement = sign(keys.Statement(ORIGIN, mine.verifier.vkey).text, mine)
    fields = {"origin": ORIGIN, "key": mine.verifier.vkey, "second": "", "statement": statement}
    own = checkpoint_event(signed, mine)
    rewrite(
        put("signing-keys.introduced", fields),
        "UPDATE ledger.events SET actor = 'D-999' WHERE position = 3",
        put("checkpoint.signed", own),
    )
    with_key, with_note = check(key=key[0]), check(signed.note)
    with_both = check(signed.note, key=key[0])

    assert "rewritten" in [fault for _, fault in faults(check())]
    assert "another key" in [fault for _, fault in faults(with_key)]
    assert {"another key", "rewritten"} <= {fault for _, fault in faults(with_both)}
    assert "another key" not in [fault for _, fault in faults(with_note)]
    assert "No key of this record signed this paper" in with_note.not_comparable[0]


@pytest.fixture
def paper(signed, key):
    """The nine lines on paper."""
    return lines_of(signed.note, key[0])


def _with_a_slip_in_its_root(note):
    root = note.split("\n")[2]
    return note.replace(root, ("B" if root[0] == "A" else "A") + root[1:])


def typed(database, tmp_path, lines, *more):
    """What `audit verify` says to a paper with these lines."""
    file = tmp_path / "typed.txt"
    file.write_text("\n".join(lines))
    return shell(database, "audit", "verify", "--against", str(file), *more)


def test_a_paper_typed_as_printed_is_compared_with_the_record(paper, database, tmp_path):
    answered = typed(database, tmp_path, paper)

    assert answered.exit_code == 0, answered.output
    assert "It is the record that was signed" in answered.stdout


def test_a_paper_typed_with_a_slip_is_never_called_tampering(paper, signed, database, tmp_path):
    line = paper[4]
    pairs = enumerate(pairwise(line))
    at = next(n for n, two in pairs if n > 2 and two[0] != two[1] and "".join(two).isalnum())
    swapped = line[: at + 1] + line[at] + line[at + 2 :]  # typed twice, and the next one not
    slips = [[*paper[:4], swapped, *paper[5:]], [*paper[:4], *paper[5:]]]
    for lines in slips:
        answered = typed(database, tmp_path, lines)
        assert answered.exit_code == 3
        assert "This paper is not what was signed." in answered.stderr
        assert "ine 5" in answered.stderr
        assert "tampered" not in answered.output
    note = _with_a_slip_in_its_root(signed.note)
    answered = typed(database, tmp_path, note.splitlines())
    assert (answered.exit_code, "tampered" in answered.output) == (3, False)


def test_a_note_is_typed_with_the_dash_that_the_keyboard_has(signed, database, tmp_path):
    assert typed(database, tmp_path, signed.note.replace("—", "-").splitlines()).exit_code == 0


def test_a_key_typed_with_a_slip_is_named_and_is_no_tampering(signed, key, database):
    swapped = key[0][:-9] + ("A" if key[0][-9] != "A" else "B") + key[0][-8:]
    answered = shell(database, "audit", "verify", "--key", swapped)

    assert answered.exit_code == 3
    assert "This key is not as it was printed: type it again." in answered.stderr


def test_a_paper_of_another_record_is_not_compared(key, signed, database, tmp_path):
    foreign = sign(Checkpoint(ORIGIN, 2, bytes(32)).text, signer_of())
    lines = lines_of(foreign, signer_of().verifier.vkey)
    answered, whole = (typed(database, tmp_path, lines, *more) for more in ((), ("--json",)))

    assert answered.exit_code == 3
    assert "Not compared: " in answered.stdout
    assert "tampered" not in answered.stdout
    assert json.loads(whole.stdout)["not_comparable"]


def test_a_record_that_was_altered_is_still_found_by_a_typed_paper(
    paper, database, tmp_path, rewrite
):
    rewrite("UPDATE ledger.events SET actor = 'D-999' WHERE position = 3")
    answered = typed(database, tmp_path, paper)

    assert answered.exit_code == 1
    assert "The record was tampered with" in answered.stdout


def test_what_proves_growth_takes_a_typed_paper_and_names_a_slip(
    paper, signed, table, dispatcher, database, tmp_path
):
    table.play(BANKER_WINS, (3, "banker", 100_00))
    later = make(dispatcher, database)
    file = tmp_path / "typed.txt"
    asked = "audit", "prove", "--consistent", str(file), str(later.checkpoint.size)
    file.write_text("\n".join(paper))
    good = shell(database, *asked)
    file.write_text("\n".join(paper[1:]))
    slip = shell(database, *asked)

    assert (good.exit_code, slip.exit_code) == (0, 3), good.output
    assert "Line 1 is missing" in slip.stderr


def test_nothing_that_is_to_be_copied_is_cut_at_a_screen(signed, database, monkeypatch):
    monkeypatch.setattr("sys.stdout.isatty", lambda: True, raising=False)
    answered = shell(database, "audit", "checkpoint")

    assert signed.note in answered.stdout
    assert "…" not in answered.stdout


@pytest.mark.usefixtures("signed")
def test_signing_again_and_again_opens_no_session_each_time_and_prints_what_is_new(
    table, database, monkeypatch
):
    sessions = []

    def sleep(_):
        with database.connect("sabot_auditor") as connection:
            [[many]] = connection.execute(
                "SELECT count(*) FROM pg_stat_activity WHERE datname = current_database()"
            )
        sessions.append(many)
        if len(sessions) == 2:
            table.play(BANKER_WINS, (3, "banker", 100_00))
        if len(sessions) == 6:
            raise KeyboardInterrupt

    monkeypatch.setattr("ops.cli.audit.checkpoint.time.sleep", sleep)
    printed = shell(database, "audit", "checkpoint", "--every", "0.2", "--json").stdout

    assert sessions[1:] == sessions[1:2] * 5
    assert len(printed.splitlines()) == 1


def checkpoint_event(signed, signer):
    note = sign(signed.checkpoint.text, signer)
    return {
        "size": signed.checkpoint.size,
        "root": signed.checkpoint.root.hex(),
        "key": signer.verifier.vkey,
        "note": note,
        "commands": 0,
        "commands_head": "0" * 64,
    }


def put(topic, fields):
    """The statement that puts fields into the event of a topic."""
    written = json.dumps(fields).replace("'", "''")
    return (
        "UPDATE ledger.events SET state = convert_to((convert_from(state, 'UTF8')::jsonb || "
        f"'{written}'::jsonb)::text, 'UTF8') WHERE topic = '{topic}'"
    )


def test_a_record_that_the_house_itself_signed_anew_is_found_by_an_older_copy_only(
    signed, key, check, rewrite, superuser
):
    """As the README says: only a witness, or an older checkpoint, finds this."""
    rewrite("UPDATE ledger.events SET actor = 'D-999' WHERE position = 3")
    from ops.proof.tree import Growing

    tree = Growing()
    for event in all_events(superuser, signed.checkpoint.size):
        tree.add(event.hash)
    forged = Checkpoint(ORIGIN, signed.checkpoint.size, tree.root())
    note = sign(forged.text, *keys.signers(*key))
    (head,) = superuser.execute(
        "SELECT encode(hash, 'hex') FROM ledger.commands WHERE number = (SELECT "
        "(convert_from(state, 'UTF8')::jsonb ->> 'commands')::bigint FROM ledger.events "
        "WHERE topic = 'checkpoint.signed')"
    ).fetchone()
    said = {"root": forged.root.hex(), "note": note, "commands_head": head}
    rewrite(put("checkpoint.signed", said))
    alone, with_copy = check(), check(signed.note)

    assert alone.ok
    assert ONLY_OUTSIDE in alone.not_checked
    assert {fault for _, fault in faults(with_copy)} == {"rewritten", "forked"}


def all_events(connection, until) -> list[Recorded]:
    return read_events(connection, 0, 10_000, until)


def test_a_checkpoint_that_is_altered_in_the_record_is_named(signed, check, rewrite):
    position = signed.checkpoint.size + 1
    rewrite(put("checkpoint.signed", {"note": signed.note.replace("AAAA", "AAAB")
                                      if "AAAA" in signed.note
                                      else signed.note[:-10] + "AAAAAAA=\n"}))  # fmt: skip

    assert (position, "signature") in faults(check())


def test_a_rotated_key_without_the_old_signature_is_named(key, table, dispatcher, check, rewrite):
    made = keys.make_keys(lambda _: ORIGIN)
    line = {
        "command": "audit.replace-key", "by": "A-1", "with": "S-11", "reason": "January",
        "statement": keys.introduction(made, key[0]),
    }  # fmt: skip
    assert dispatcher.for_own_commands().dispatch(line).ok
    assert check().ok
    other = keys.make_keys(lambda _: ORIGIN)
    statement = keys.introduction(other, key[0], lost=True)
    rewrite(put("signing-keys.key-replaced",
                {"key": other[0], "second": other[1], "statement": statement}))  # fmt: skip

    assert [fault for _, fault in faults(check())] == ["key"]


def test_the_chain_is_the_one_that_python_computes(table, rewrite, superuser, check):
    rewrite("UPDATE ledger.events SET actor = 'D-999' WHERE position = 3")
    head = bytes(32)
    for event in all_events(superuser, None):
        head = link(head, event)
        assert head == event.hash
    assert check().ok


def test_a_key_that_the_record_does_not_have_is_not_called_tampering_by_itself(signed, database):
    answered = shell(database, "audit", "verify", "--key", signer_of().verifier.vkey)

    assert answered.exit_code == 1
    assert "The record is whole, but not that of the key." in answered.stdout
    assert "tampered" not in answered.stdout


@pytest.mark.parametrize(("seed", "faulty"), [(None, []), (2, ["another key"])])
def test_what_is_not_as_signed_in_a_place_of_the_house_is_not_called_tampering(
    key, dispatcher, database, check, tmp_path, seed, faulty
):
    place = tmp_path / "usb"
    place.mkdir()
    line = {"command": "property.set", "name": "checkpoint_to", "value": str(place), "by": "A-1"}
    assert dispatcher.dispatch(line).ok
    note = make(dispatcher, database).note
    torn = (
        _with_a_slip_in_its_root(note)
        if seed is None
        else sign(note.split("\n\n")[0] + "\n", signer_of(seed=seed))
    )
    (place / "checkpoint").write_text(torn)
    result = check()

    assert [fault for _, fault in faults(result)] == faulty
    assert not result.is_tampered
    assert any("not what was signed" in each for each in result.not_checked) == (seed is None)
