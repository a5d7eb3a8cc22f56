"""This home as a witness, beside one that we did not write: both answer every request alike."""

import random
from datetime import UTC, datetime
from threading import Barrier, Thread

import pytest
from witness_log import WitnessService

from ops.group import members, witness
from ops.group.members import Accepted, Member, NoMember
from ops.group.pulling import pull
from ops.group.sources import seen_path
from ops.proof import keys
from ops.proof.checkpoint import Checkpoint
from ops.proof.note import NotGood, Verifier, b64, open_note
from ops.proof.tiles import tiles_in
from ops.proof.tree import consistency
from tests.worlds.other_house import OtherHouse
from tests.worlds.signing import signed

NOW = datetime(2026, 11, 29, 20, 14, tzinfo=UTC)
NAME = "harbour.example/witness"


@pytest.fixture(autouse=True)
def home(tmp_path, monkeypatch):
    monkeypatch.setenv("SABOT_HOME", str(tmp_path / "home"))
    monkeypatch.setenv("SABOT_AUDIT_KEYS", str(tmp_path / "keys"))
    return witness.become(NAME)


@pytest.fixture
def house(tmp_path):
    """A house that signed 700 events, and whose witness this home is."""
    house = OtherHouse(tmp_path / "riverside").grow(700)
    members.add(Member("riverside", str(house.place), (house.key,), only_seen=True))
    return house


def body_of(old, proof, note):
    return "\n".join([f"old {old}", *map(b64, proof)]) + "\n\n" + note


def request_of(house, old):
    """What an honest house sends that was last seen with `old` events."""
    size, tiles = len(house.entries), tiles_in(house.place)
    proof = consistency(old, size, tiles) if 0 < old <= size else []
    return body_of(old, proof, (house.place / "checkpoint").read_text())


def added(body):
    return witness.add(body.encode(), lambda: NOW)


def held():
    return members.named("riverside").held


def test_it_cosigns_what_continues_and_it_is_on_disk_before(house, home):
    for old, size in ((0, 700), (700, 700), (700, 701), (701, 1100)):
        house.grow(size)
        answer = added(request_of(house, old))

        assert answer.status == 200, answer.text
        note = (house.place / "checkpoint").read_text()
        known = [Verifier.parse(home), Verifier.parse(house.key)]
        assert [each.name for each in open_note(note + answer.text, known).verified] == [
            house.name,
            NAME,
        ]
        assert held() == Checkpoint.of(note)
        assert witness.seen(seen_path(house.name)) == note.encode()


def hostile(house, random, at):
    """A request that may be good or bad in every way; `at`: how many events were seen."""
    size = len(house.entries)
    old = random.choice([at, at, at, 0, 1, size, size + 1, max(0, at - 3)])
    proof = consistency(old, size, tiles_in(house.place)) if 0 < old <= size else []
    note = (house.place / "checkpoint").read_text()
    root = Checkpoint.of(note).root
    other = random.choice(
        [
            *[note] * 8,
            signed(size, bytes([7]) * 32, name=house.name),  # as if it had forked
            signed(size, root, name=house.name, seed=2),  # another key
            signed(size, root, name="nobody.example/x"),  # another house
            note.replace("—", "-"),
            note[:-30],
            "",
        ]
    )
    mangled = random.choice([*[proof] * 6, proof[1:], [*proof, bytes(32)], proof[::-1], [b"x"]])
    body = body_of(old, mangled, other)
    return random.choice([*[body] * 8, body.replace("old ", "old 0"), body.replace("\n\n", "\n")])


def test_it_answers_as_another_program_does_to_whatever_comes(house, home):
    """Statuses of `witness-log`, which was written by others in another language."""
    stranger = WitnessService.new("stranger.example/w1", bytes([9]) * 32)
    stranger.add_log(house.name, house.key)
    dice, statuses = random.Random(46), []
    for _ in range(300):
        if dice.random() < 0.3:
            house.grow(len(house.entries) + dice.choice([1, 2, 40]))
        body = hostile(house, dice, held().size if held() else 0)
        status, kind, text = stranger.handle_add_checkpoint_http(body)
        answer = added(body)
        statuses.append(answer.status)

        assert answer.status == status, (body, answer.text, text)
        if kind == witness.SIZE:
            assert (answer.media_type, answer.text) == (kind, text)
        for each in members.named("riverside").claims:
            each.unlink()
    assert {200, 400, 403, 404, 409, 422} == set(statuses)


@pytest.mark.parametrize("body", [b"", b"\xff\n\n\n", b"old 1\n" * 70 + b"\n\n", b"old x\n\n"])
def test_what_is_no_request_is_refused(house, body):
    assert witness.add(body, lambda: NOW).status == 400


def test_two_at_once_never_take_it_back(house):
    """The race in the specification: the smaller one is not stored after the larger one."""
    first = request_of(house, 0)
    house.grow(900)
    second = request_of(house, 0)
    for _ in range(20):
        (members.named("riverside").log / "checkpoint").unlink(missing_ok=True)
        together, answers = Barrier(2), {}

        def send(body, size, together=together, answers=answers):
            together.wait()
            answers[size] = added(body).status

        threads = [Thread(target=send, args=each) for each in ((first, 700), (second, 900))]
        for each in threads:
            each.start()
        for each in threads:
            each.join()
        assert sorted(answers.values()) == [200, 409]
        assert answers[held().size] == 200


def test_a_fork_that_is_sent_here_stops_the_house_although_it_shows_nobody(house):
    """It is signed twice: what is not shown to continue is kept, and asked about."""
    assert added(request_of(house, 0)).status == 200
    fork = body_of(700, [bytes(32)], signed(800, bytes([7]) * 32, name=house.name))
    answer = added(fork)
    assert (answer.status, answer.doubted) == (422, "riverside")

    house.grow(850)
    member = members.named("riverside")
    assert "does not begin with the 800 that are held" in pull(member, NOW).stopped
    refused = added(request_of(house, 850))
    assert (refused.status, "has forked" in refused.text) == (422, True)
    member.accept(Accepted(NOW, "a letter of 4 March", anew=True))
    assert pull(members.named("riverside"), NOW).events == 850
    assert added(request_of(house, 850)).status == 200


def test_a_good_checkpoint_that_comes_with_a_bad_proof_stops_nobody(house):
    """Anybody can send it: only the house's own answer counts."""
    assert added(request_of(house, 0)).status == 200
    house.grow(800)
    note = (house.place / "checkpoint").read_text()
    assert added(body_of(700, [bytes(32)], note)).status == 422

    member = members.named("riverside")
    pulled = pull(member, NOW)
    assert (pulled.events, pulled.stopped, member.claims) == (800, "", [])


def test_a_home_is_one_witness_and_says_so(house, home):
    with pytest.raises(witness.IsWitness, match="already"):
        witness.become("other.example/witness")
    with pytest.raises(NoMember, match="only checkpoints"):
        members.pulled(["riverside"])
    assert keys.may_sign(home)
    assert not (members.named("riverside").log / "tile").exists()


def test_a_name_that_no_key_may_have_is_refused(tmp_path, monkeypatch):
    monkeypatch.setenv("SABOT_HOME", str(tmp_path / "new"))
    assert witness.add(b"old 0\n\n", lambda: NOW).status == 404
    with pytest.raises(NotGood, match="no name"):
        witness.become("a b")
