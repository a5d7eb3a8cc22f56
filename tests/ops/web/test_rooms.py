"""What stays open has a room for each kind, and nobody takes the room of another kind."""

from contextlib import suppress

import pytest

from ops.web.rooms import Room, Rooms, network_of
from ops.web.turned_away import Busy, TooManyWindows


def enter(room, who, times):
    return [room.enter(who) for _ in range(times)]


def test_one_alone_does_not_fill_a_room():
    room = Room(10, 3)
    enter(room, "a", 3)

    with pytest.raises(TooManyWindows):
        room.enter("a")
    room.enter("b")


def test_whoever_leaves_makes_room_and_counts_once():
    room = Room(10, 2)
    first, _ = enter(room, "a", 2)
    first()
    first()
    room.enter("a")

    with pytest.raises(TooManyWindows):
        room.enter("a")
    assert len(room) == 2


def test_nobody_comes_and_goes_without_a_pause_where_a_place_rests():
    now = [100.0]
    room = Room(10, 3, rests=1.0, clock=lambda: now[0])
    for _ in range(3):
        room.enter("a")()

    with pytest.raises(Busy):
        room.enter("a")
    room.enter("b")()
    now[0] += 1.0
    stays = room.enter("a")
    assert len(room) == 1
    stays()
    assert len(room) == 0


def test_whoever_follows_events_comes_again_after_a_broken_line_and_not_without_end():
    room = Rooms().events
    for _ in range(8):
        room.enter("a")()

    with pytest.raises(Busy):
        room.enter("a")


def test_in_a_full_room_the_first_of_each_has_a_place_and_the_second_has_not():
    room = Room(4, 4)
    enter(room, "a", 4)
    room.enter("b")

    with pytest.raises(TooManyWindows):
        room.enter("b")
    assert len(room) == 5


def test_strangers_have_no_place_in_a_full_room():
    """They make up as many names as they like, and have several addresses."""
    room = Rooms().strangers
    for n in range(4):
        enter(room, f"192.0.2.{n}", 50)

    with pytest.raises(TooManyWindows):
        room.enter("192.0.2.200")


@pytest.mark.parametrize("name", Rooms().counted())
def test_a_full_room_fills_no_other(name):
    rooms = Rooms()
    full = getattr(rooms, name)
    for n in range(2_000):
        with suppress(TooManyWindows, Busy):
            full.enter(f"crowd {n // 8}")
    with pytest.raises((TooManyWindows, Busy)):
        full.enter("crowd 0")
    others = [each for each in rooms.counted() if each != name]
    for each in others:
        getattr(rooms, each).enter("somebody")

    assert others == [each for each, open_now in rooms.counted().items() if open_now == 1]


def test_whoever_has_a_network_of_the_newer_kind_is_one():
    addresses = [f"2001:db8:0:7:{n:x}::1" for n in range(1_000)]

    assert {network_of(each) for each in addresses} == {"2001:db8:0:7::/64"}
    assert network_of("") == ""
