"""A group takes nothing of a house before the witnesses that it requires have signed it, too."""

from datetime import UTC, datetime

import pytest
from click.testing import CliRunner
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey

from ops.cli import cli
from ops.group import members
from ops.group.members import Accepted, Member, NoMember
from ops.group.pulling import pull
from ops.group.state import state_of
from ops.proof.checkpoint import Checkpoint
from ops.proof.note import COSIGNATURE, Signer, Verifier
from ops.proof.tiles import CHECKPOINT
from tests.worlds.other_house import OtherHouse

NOW = datetime(2026, 11, 29, 20, 14, tzinfo=UTC)
HARBOUR, ISLAND = "harbour.example/witness", "island.example/witness"


def cosigner(name, seed):
    private = Ed25519PrivateKey.from_private_bytes(bytes([seed]) * 32)
    verifier = Verifier(name, COSIGNATURE, private.public_key().public_bytes_raw())
    return Signer(verifier, private.sign, seconds=int(NOW.timestamp()))


ONE, TWO, STRANGER = cosigner(HARBOUR, 7), cosigner(ISLAND, 8), cosigner(HARBOUR, 9)


def cosign(house, *signers, text=""):
    """Adds these cosignatures below the newest checkpoint, as the house serves it."""
    file = house.place / CHECKPOINT
    note = file.read_text()
    text = text or Checkpoint.of(note).text
    file.write_text(note + "".join(each.line(text) for each in signers))


@pytest.fixture
def house(tmp_path, monkeypatch):
    monkeypatch.setenv("SABOT_HOME", str(tmp_path / "group"))
    return OtherHouse(tmp_path / "riverside").grow(300)


def added(house, *witnesses, **more):
    wanted = tuple(each.verifier.vkey for each in witnesses)
    of = Member("riverside", str(house.place), (house.key,), witnessed_by=wanted, **more)
    members.add(of)
    return members.named("riverside")


def test_what_a_required_witness_did_not_sign_is_refused_in_words_and_taken_when_it_has(house):
    of = added(house, ONE, TWO)
    for signers, lacking in (((), f"{HARBOUR} and {ISLAND}"), ((ONE,), ISLAND)):
        house.sign()
        cosign(house, *signers)
        pulled = pull(of, NOW)
        assert (pulled.events, pulled.stopped, pulled.away) == (0, "", "")
        assert f"is not signed by {lacking}, and nothing is taken" in pulled.unwitnessed
        assert state_of(of).how == "unwitnessed"
        assert not (of.log / CHECKPOINT).exists()
    cosign(house, TWO)
    assert (pull(of, NOW).events, state_of(of).how) == (300, "good")

    house.grow(301)
    cosign(house, ONE)
    assert pull(of, NOW).events == 300
    seen = [(each.witness, each.checked, each.at) for each in state_of(of).seen]
    assert seen == [(HARBOUR, True, NOW), (ISLAND, True, NOW)]


@pytest.mark.parametrize("wrong", ["of another record", "cut"])
def test_a_wrong_cosignature_of_a_required_witness_stops_the_house(house, wrong):
    of = added(house, ONE)
    if wrong == "cut":
        cosign(house, ONE)
        file = house.place / CHECKPOINT
        file.write_text(file.read_text()[:-10] + "A" * 7 + "==\n")
    else:
        cosign(house, ONE, text=Checkpoint(house.name, 300, bytes(32)).text)
    pulled = pull(of, NOW)

    assert pulled.events == 0
    assert "is not good" in pulled.stopped or "not signed as this group knows" in pulled.stopped


def test_the_same_name_with_another_key_is_no_cosignature(house):
    of = added(house, ONE)
    cosign(house, STRANGER)

    assert f"is not signed by {HARBOUR}" in pull(of, NOW).unwitnessed
    assert [each.checked for each in state_of(of).seen] == []


def test_who_must_sign_is_changed_with_a_reason_that_stays(house):
    of = added(house, ONE)
    assert pull(of, NOW).unwitnessed
    of.accept(Accepted(NOW, "island is the witness now", witnessed_by=(TWO.verifier.vkey,)))
    of = members.named("riverside")
    cosign(house, TWO)
    assert pull(of, NOW).events == 300
    with pytest.raises(NoMember, match="was not stopped"):
        of.accept(Accepted(NOW, "nothing"))
    answer = CliRunner().invoke(cli, ["group", "accept", "riverside", "none left", "--no-witness"])
    assert answer.exit_code == 0, answer.output
    assert members.named("riverside").witnessed_by == ()
    assert "island is the witness now" in (of.place / "accepted.jsonl").read_text()


def test_a_key_that_is_no_witness_is_refused_in_words(house):
    def tried(*words):
        key = ("--key", house.key)
        return CliRunner().invoke(
            cli, ["group", "add", "riverside", str(house.place), *key, *words]
        )

    own = Verifier.parse(house.key)
    mine = Verifier(own.name, COSIGNATURE, own.public).vkey
    for key in (house.key, mine):
        assert "is no witness's" in tried("--witnessed-by", key).output
    assert "--key" in tried("--witnessed-by", "nonsense").output
    seen = tried("--witnessed-by", ONE.verifier.vkey, "--only-seen").output
    assert "asks no other" in seen
    assert tried("--witnessed-by", ONE.verifier.vkey).exit_code == 0
    pulled = CliRunner().invoke(cli, ["group", "pull"])
    assert pulled.exit_code == 3
    assert "; not witnessed at " in pulled.output
    assert f"is not signed by {HARBOUR}" in pulled.output
