"""The pack of a coup in a signed record: a stranger checks signature and inclusion."""

import json

import pytest

from domain.rules.addresses import Coup
from ops.handlers.checkpoints import make, read_record
from ops.handlers.lost_lines import again
from ops.pack.pack import pack
from ops.proof import keys
from ops.replay.story import find
from tests.worlds.gaming_table import BANKER_WINS, DAY, GamingTable
from tests.worlds.restores import TWO
from tests.worlds.signing import ORIGIN, new_key, signer_of
from tests.worlds.stranger import judged

pytestmark = pytest.mark.usefixtures("held")

COUP = f"B01/{DAY}/1/1"


@pytest.fixture
def signed(dispatcher, database, monkeypatch, tmp_path):
    """The files of a coup in a signed record, as JSON, and the house's key."""
    monkeypatch.setenv("SABOT_AUDIT_KEYS", str(tmp_path / "keys"))
    table = GamingTable(dispatcher).open().prepare()
    table.play(BANKER_WINS, (3, "banker", 100_00), (5, "player", 50_00))
    made = keys.make_keys(lambda _: ORIGIN)
    line = {"command": "audit.new-key", "statement": keys.introduction(made)}
    assert dispatcher.for_own_commands().dispatch(line).ok
    make(dispatcher, database)
    return files(database), made[0]


def files(database):
    with database.session("sabot_auditor") as connection:
        made = pack(connection, find(connection, Coup.parse(COUP)))
    return json.loads(made.json), made.pdf


def verify(tmp_path, content, *more):
    file = tmp_path / "coup.json"
    file.write_text(json.dumps(content))
    return judged(file, *more)


def test_the_stranger_checks_signature_and_inclusion(signed, tmp_path):
    (content, _), key = signed
    done = verify(tmp_path, content, "--key", key)

    assert done.returncode == 0, done.stdout
    assert "events is in the record that was signed" in done.stdout
    assert "which nobody signed" not in done.stdout
    assert "whether that key is the house's" not in done.stdout
    assert "whether that key is the house's" in verify(tmp_path, content).stdout
    assert "whether the house signed another record too" in done.stdout


def test_another_key_than_the_one_that_was_given_is_found(signed, tmp_path):
    (content, _), _ = signed
    other = signer_of(ORIGIN, seed=7).verifier.vkey
    done = verify(tmp_path, content, "--key", other)

    assert done.returncode == 1
    assert "WRONG" in next(line for line in done.stdout.splitlines() if "that you gave" in line)


def test_the_pack_of_a_later_epoch_has_the_decision_and_the_lines_that_were_taken_again(
    dispatcher, database, monkeypatch, tmp_path
):
    monkeypatch.setenv("SABOT_AUDIT_KEYS", str(tmp_path / "keys"))
    table = GamingTable(dispatcher).open().prepare()
    key, _ = new_key(dispatcher)
    head = make(dispatcher, database).checkpoint.size
    own = dispatcher.for_own_commands()
    lost = {"continues": head, "known": "at pit-1", "epoch": 1, "server": "7, timeline 1"}
    lost |= {"command": "audit.missing", "signed": False, "mark": ""}
    assert own.dispatch({**lost, "until": head + 3}).ok
    bet = {"command": "bet", "table": "B01", "seat": 3, "spot": "banker", "amount": 100_00}
    fields = {"line": json.dumps(bet), "line_id": "lost-1", "acknowledged_at": f"{table.moment}"}
    offered = own.dispatch({**lost, "until": head + 2, **fields})
    read_record(database)  # which grows the tree
    assert own.dispatch({"command": "audit.restored", **TWO}).ok
    line = again(f"line-missing/{offered.body['position']}", "the disk failed", fields)
    assert own.dispatch({"command": "audit.again", **line, "by": "A-1", "with": "S-11"}).ok
    table.play(BANKER_WINS, (5, "player", 50_00))
    make(dispatcher, database)
    content, _ = files(database)
    done = verify(tmp_path, content, "--key", key)

    topics = [each["topic"] for each in content["events"]]
    assert topics.count("property.record-restored") == 1
    assert topics.count("property.events-missing") == 1
    assert done.returncode == 0, done.stdout
    accepted = f"A-1 and S-11 accepted that it lacks events {head + 1:,} to {head + 3:,}"
    assert accepted in done.stdout
    assert "what the house lost" not in done.stdout


def changed(content, change):
    content = json.loads(json.dumps(content))
    change(content["checkpoint"], content)
    return content


def _first(signed):
    return next(iter(signed["inclusion"]))


TAMPERINGS = {
    "another size": lambda signed, _: signed.update(
        note=signed["note"].replace(f"\n{signed['size']}\n", f"\n{signed['size'] + 1}\n")
    ),
    "another root": lambda signed, _: signed.update(
        note=signed["note"].replace(signed["note"].split("\n")[2], "A" * 43 + "=")
    ),
    "another origin": lambda signed, _: signed.update(
        note=signed["note"].replace(ORIGIN, "casino.example/other", 1)
    ),
    "a hash of the proof": lambda signed, _: signed["inclusion"][_first(signed)].__setitem__(
        0, "A" * 43 + "="
    ),
    "a hash less": lambda signed, _: signed["inclusion"][_first(signed)].pop(),
    "a hash more": lambda signed, _: signed["inclusion"][_first(signed)].append("A" * 43 + "="),
    "no proof of an event": lambda signed, _: signed["inclusion"].pop(_first(signed)),
    "a proof of another event": lambda signed, _: signed["inclusion"].update({"99999": []}),
    "the signature": lambda signed, _: signed.update(
        note=signed["note"][:-100] + "A" * 96 + signed["note"][-4:]
    ),
    "no signature": lambda signed, _: signed.update(
        note=signed["note"].partition("\n\n")[0] + "\n\n"
    ),
    "the size beside it": lambda signed, _: signed.update(size=1),
    "the root beside it": lambda signed, _: signed.update(root="00" * 32),
    "the key": lambda signed, _: signed.update(key=signer_of(ORIGIN, seed=7).verifier.vkey),
    "half a checkpoint": lambda signed, _: signed.pop("note"),
}


@pytest.mark.parametrize("what", TAMPERINGS)
def test_what_was_changed_in_the_checkpoint_is_found(signed, tmp_path, what):
    (content, _), _ = signed
    done = verify(tmp_path, changed(content, TAMPERINGS[what]))

    # The last signature of the note is not the one that the script checks.
    assert done.returncode == (0 if what == "the signature" else 1), done.stdout


def test_the_checkpoint_is_on_the_paper(signed):
    from io import BytesIO

    from pypdf import PdfReader

    (content, pdf), _ = signed
    text = " ".join(page.extract_text() for page in PdfReader(BytesIO(pdf)).pages)

    assert f"{content['checkpoint']['size']} events" in text
    assert content["checkpoint"]["root"] in text.replace("\n", "").replace(" ", "")


def test_a_record_that_is_not_what_was_signed_gets_no_proof(signed, database, superuser):
    superuser.execute("ALTER TABLE ledger.event_rows DISABLE TRIGGER USER")
    superuser.execute("UPDATE ledger.events SET actor = 'D-999' WHERE topic = 'coup.settled'")

    assert files(database)[0]["checkpoint"] is None


def test_the_same_proof_later(signed, dispatcher, database):
    """A later checkpoint changes nothing: the first that covers the coup is the one."""
    line = {"command": "property.set", "name": "helpline", "value": "1-800", "by": "A-1"}
    assert dispatcher.dispatch(line).ok
    make(dispatcher, database)

    assert files(database) == signed[0]
