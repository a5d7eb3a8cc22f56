"""The lines that the house acknowledged to a machine, in a file of its own."""

import pytest

from ops.door.acknowledged import Compared, LinesHere

BET = {"command": "bet", "table": "B01", "seat": 3, "spot": "banker", "amount": 10000, "id": "b"}


@pytest.fixture(autouse=True)
def place(monkeypatch, tmp_path):
    monkeypatch.setenv("SABOT_ACKNOWLEDGED", str(tmp_path / "acknowledged"))
    return tmp_path / "acknowledged"


def asked(house="house"):
    acknowledged = LinesHere(house)
    acknowledged.learn(Compared("r" * 32, 2))
    return acknowledged


def test_the_newest_line_is_known_to_the_next_process_and_only_of_this_house(place):
    asked().note([("a", BET, 7), ("b", BET, 8)])
    newest, (file,) = LinesHere("house").newest, place.iterdir()

    assert (newest.id, newest.position, newest.record, newest.epoch) == ("b", 8, "r" * 32, 2)
    assert newest.words.startswith("bet B01 3 banker 10000 at ")
    assert LinesHere("another").newest is None
    assert (file.stat().st_mode & 0o777, place.stat().st_mode & 0o777) == (0o600, 0o700)


def test_a_line_that_was_cut_off_by_a_kill_is_left_out(place):
    asked().note([("a", BET, 7), ("b", BET, 8)])
    (file,) = place.iterdir()
    file.write_bytes(file.read_bytes()[:-9])

    assert LinesHere("house").newest.id == "a"


def test_a_file_that_is_full_begins_anew_and_the_one_before_is_kept(place, monkeypatch):
    monkeypatch.setattr("ops.door.acknowledged.MOST", 500)
    acknowledged = asked()
    for n in range(10):
        acknowledged.note([(str(n), BET, n)])

    assert LinesHere("house").newest.id == "9"
    assert len(list(place.iterdir())) == 2
    assert sum(each.stat().st_size for each in place.iterdir()) < 3 * 500


def test_nothing_is_kept_of_a_house_that_did_not_name_its_record(place):
    LinesHere("house").note([("a", BET, 7)])

    assert not place.exists()


def test_a_machine_that_can_write_nothing_still_compares_while_it_runs(place):
    place.write_text("")
    acknowledged = asked()
    acknowledged.note([("a", BET, 7)])

    assert "bet B01 3 banker" in acknowledged.learn(Compared("r" * 32, 2, missing=True))
