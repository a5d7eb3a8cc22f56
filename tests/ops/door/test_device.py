"""The key of a device in its file, and the numbers that `sabot feed` gives to its lines."""

import json

import pytest

from ops.door.device import Device, NoKey
from ops.ledger.device_lines import line_id


@pytest.fixture
def device(tmp_path):
    return Device.make(tmp_path / "shoe.key", "X-1")


def numbers(lines):
    return [json.loads(each).get("device_n") for each in lines]


def test_lines_are_numbered_through_also_by_the_next_process(device, tmp_path):
    first = device.numbered([b'{"command": "draw"}', b'{"command": "settle"}\n'])
    again = Device(tmp_path / "shoe.key").numbered([b'{"command": "draw"}'])

    assert numbers(first + again) == [1, 2, 3]


def test_a_line_with_a_number_keeps_it_and_what_is_no_object_stays_as_it_is(device):
    lines = [b'{"device_n": 17}', b"[1]", b"nonsense", b"{}", b""]

    assert device.numbered(lines) == lines
    assert numbers(device.numbered([b'{"command": "draw"}'])) == [1]


def test_the_rest_of_a_line_stays_as_it_was_sent(device):
    (line,) = device.numbered([b'  {"amount": 1.0, "amount": 2}'])

    assert line == b'{"device_n": 1, "amount": 1.0, "amount": 2}'


def test_a_key_is_read_by_its_owner_only(device, tmp_path):
    assert (tmp_path / "shoe.key").stat().st_mode & 0o077 == 0


def test_the_public_half_is_not_the_private_one(device, tmp_path):
    number, private = (tmp_path / "shoe.key").read_text().split()

    assert number == device.number == "X-1"
    assert device.public != private


@pytest.mark.parametrize("text", ["", "X-1", "X-1 c2hvcnQ=", "X-1 $$$", "X-1 a b"])
def test_a_file_that_is_no_key_is_refused_in_words(tmp_path, text):
    file = tmp_path / "no.key"
    file.write_text(text)
    with pytest.raises(NoKey, match="is no key of a device"):
        Device(file)


def test_a_device_knows_the_id_that_the_house_makes_of_a_number(device):
    assert device.id_of({"device_n": 4}) == line_id(device.number, device.public, 4)
    assert device.id_of({"device_n": 4, "id": "own"}) == "own"
