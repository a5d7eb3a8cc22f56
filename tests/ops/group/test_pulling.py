"""What is held of a house is what it signed, whatever it serves and whenever the pull is killed."""

import re
from datetime import UTC, datetime

import pytest

from ops.group import members
from ops.group.members import Accepted, Member
from ops.group.pulling import held_of, pull
from ops.proof import tiles
from ops.proof.tiles import ENTRIES, tile_path
from tests.worlds.files import files_of
from tests.worlds.other_house import OtherHouse

NOW = datetime(2026, 11, 29, 20, 14, tzinfo=UTC)


@pytest.fixture
def house(tmp_path, monkeypatch):
    """A house that signed 700 events."""
    monkeypatch.setenv("SABOT_HOME", str(tmp_path / "group"))
    return OtherHouse(tmp_path / "riverside").grow(700)


def added(house, name="riverside", *, only_seen=False):
    members.add(Member(name, str(house.place), (house.key,), only_seen=only_seen))
    return members.named(name)


def test_what_is_new_is_pulled_and_everything_held_is_what_was_signed(house):
    member = added(house)

    for size, new in ((700, 700), (700, 0), (701, 1), (1024, 323), (1100, 76)):
        house.grow(size)
        pulled = pull(member, NOW)
        assert (pulled.events, pulled.new, pulled.at) == (size, new, NOW)
        assert not pulled.stopped + pulled.away
        served = files_of(house.place)
        assert served == {path: files_of(member.log)[path] for path in served}


def test_a_pull_that_is_killed_at_any_file_is_finished_by_the_next(house, monkeypatch):
    """What is held at each moment is what was signed; the second pull takes no event twice."""
    member, whole = added(house), tiles.write_whole
    pull(member, NOW)
    house.grow(1200)
    expected, kills = files_of(house.place), 0
    while True:
        writes = iter(range(kills + 1))

        def killed(file, content, writes=writes):
            if next(writes, None) is None:
                raise KeyboardInterrupt
            whole(file, content)

        monkeypatch.setattr(tiles, "write_whole", killed)
        try:
            pulled = pull(member, NOW)
        except KeyboardInterrupt:
            assert member.held.size == 700
            kills += 1
            continue
        break

    held = files_of(member.log)
    assert kills > 6
    assert (pulled.events, pulled.new) == (1200, 500)
    assert expected == {path: held[path] for path in expected}


def forked(house):
    house.grow(100).grow(800, "!")


def forked_in_the_last_tile(house):
    house.grow(600).grow(800, "!")


def forked_at_the_last_event(house):
    house.grow(699).grow(701, "!")


def forked_at_the_same_size(house):
    house.grow(100).grow(700, "!")


def went_back(house):
    house.grow(650)


def signed_anew(house):
    house.seed = 2
    house.grow(800)


def restored(house):
    house.grow(650).sign(f"{house.name}/epoch-2")


def of_another_record(house):
    house.name = "harbour.example/baccarat"
    house.grow(800)


def cut(house):
    house.grow(800)
    (house.place / tile_path(ENTRIES, 3, 800 - 768)).unlink()


def cut_in_an_entry(house):
    house.grow(800)
    file = house.place / tile_path(ENTRIES, 3, 800 - 768)
    file.write_bytes(file.read_bytes()[:-1])


def one_byte_is_another(house):
    house.grow(800)
    file = house.place / tile_path(ENTRIES, 3, 800 - 768)
    file.write_bytes(file.read_bytes().replace(b"9S", b"9H", 1))


def two_events_swapped(house):
    house.grow(800)
    house.entries[780:782] = house.entries[781:779:-1]
    house.sign()


def no_events_at_all(house):
    house.grow(700)
    house.entries += [b"x"] * 9
    house.sign()


BAD = {
    forked: "does not begin with the 700 that are held",
    forked_in_the_last_tile: "does not begin with the 700 that are held",
    forked_at_the_last_event: "does not begin with the 700 that are held",
    forked_at_the_same_size: "Two records of 700 events are signed",
    went_back: "The record went back: 700 events were signed, and now 650 are",
    signed_anew: "not signed as this group knows the house",
    restored: "goes on as riverside.example/baccarat/epoch-2",
    of_another_record: "The checkpoint is of harbour.example/baccarat",
    cut: "Events #769 to #800 were signed and are not there",
    cut_in_an_entry: "ends in the middle of an entry",
    one_byte_is_another: "does not follow the one before it|not those that were signed",
    two_events_swapped: "Event #781 does not follow the one before it",
    no_events_at_all: "Event #701 cannot be read",
}


@pytest.mark.parametrize(
    ("turns", "why"), BAD.items(), ids=lambda each: getattr(each, "__name__", "")
)
def test_a_house_that_is_not_to_be_trusted_stops_alone_and_what_showed_it_is_kept(
    house, tmp_path, turns, why
):
    other = OtherHouse(tmp_path / "other", "other.example/baccarat").grow(300)
    member, beside = added(house), added(other, "other")
    pull(member, NOW)
    before = files_of(member.log)
    turns(house)
    other.grow(600)
    note = (house.place / "checkpoint").read_bytes()

    stopped = pull(member, NOW)
    assert re.search(why, stopped.stopped)
    assert (stopped.events, stopped.new) == (700, 0)
    assert before == {path: files_of(member.log)[path] for path in before}
    assert note in files_of(member.place / "refused").values()
    assert pull(beside, NOW).events == 600
    house.seed, house.name = 1, "riverside.example/baccarat"
    house.grow(0).grow(900)  # as if nothing had been
    assert pull(member, NOW) == stopped == held_of(member)

    member.accept(Accepted(NOW, "a letter of 4 March"))
    assert pull(member, NOW).events == 900


def a_tile_is_lost(house):
    house.grow(800)
    (house.place / tile_path(0, 2)).unlink()


SEEN = {
    forked: "does not begin with the 700 that are held",
    forked_in_the_last_tile: "does not begin with the 700 that are held",
    forked_at_the_last_event: "does not begin with the 700 that are held",
    a_tile_is_lost: "tile/0/002 was signed and is not there",
    **{
        each: BAD[each]
        for each in (forked_at_the_same_size, went_back, signed_anew, restored, of_another_record)
    },
}


@pytest.mark.parametrize(
    ("turns", "why"), SEEN.items(), ids=lambda each: getattr(each, "__name__", "")
)
def test_a_witness_that_holds_no_event_finds_out_too(house, turns, why):
    member = added(house, only_seen=True)
    for size in (700, 701, 750):
        house.grow(size)
        assert (pull(member, NOW).events, pull(member, NOW).stopped) == (size, "")
    house.grow(700)
    member.hold((house.place / "checkpoint").read_bytes())
    turns(house)
    note = (house.place / "checkpoint").read_bytes()

    stopped = pull(member, NOW)
    assert re.search(why, stopped.stopped)
    assert (member.held.size, files_of(member.log).keys()) == (700, {"checkpoint"})
    assert note in files_of(member.place / "refused").values()


def note_of(house):
    return (house.place / "checkpoint").read_bytes()


@pytest.mark.parametrize("only_seen", [True, False])
@pytest.mark.parametrize("elsewhere", [650, 700])
def test_a_house_that_shows_one_record_here_and_another_there_is_found_out(
    house, tmp_path, only_seen, elsewhere
):
    """By whoever hears of both."""
    member = added(house, only_seen=only_seen)
    assert pull(member, NOW, [note_of(house)]).stopped == ""
    there = OtherHouse(tmp_path / "there").grow(100).grow(elsewhere, "!")

    assert "forked" in pull(member, NOW, [note_of(there)]).stopped
    assert note_of(there) in files_of(member.place / "refused").values()


def test_what_others_heard_later_is_waited_for_where_files_are_served(house, tmp_path):
    """Files may be copied late. A house server that shows less than elsewhere hides something."""
    member = added(house)
    there = OtherHouse(tmp_path / "there").grow(800)
    assert pull(member, NOW, [note_of(there)]).stopped == ""
    member.claim(note_of(there))
    assert (pull(member, NOW).events, len(member.claims)) == (700, 1)
    house.grow(900)
    assert (pull(member, NOW).stopped, member.claims) == ("", [])

    seen = members.Member("seen", str(house.place), (house.key,), only_seen=True)
    there.grow(901)
    assert "went back: 901 events" in pull(seen, NOW, [note_of(there)]).stopped


def test_what_somebody_else_signed_is_no_evidence(house, tmp_path):
    member = added(house)
    liar = OtherHouse(tmp_path / "liar", seed=2).grow(700, "!")
    assert pull(member, NOW, [note_of(liar), b"\xff", b"", b"x\n\n"]).stopped == ""


def test_a_record_that_was_accepted_anew_is_not_stopped_by_what_others_saw_before(house):
    member = added(house, only_seen=True)
    house.grow(800)
    before = note_of(house)
    pull(member, NOW)
    house.grow(500)
    assert "went back" in pull(member, NOW).stopped
    member.accept(Accepted(NOW, "a letter of 4 March", anew=True))

    anew = members.named("riverside")
    assert pull(anew, NOW, [before]).stopped == ""
    assert anew.held.size == 500
