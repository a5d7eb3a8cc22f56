"""Ids for lines that come without one."""

import time

from ops.door.fresh_id import fresh_id


def test_an_id_made_later_comes_later_in_the_index(monkeypatch):
    made = []
    for seconds in (1_800_000_000, 1_800_000_001, 1_900_000_000):
        monkeypatch.setattr(time, "time_ns", lambda at=seconds: at * 10**9)
        made.append(fresh_id())

    assert sorted(made) == made


def test_ids_made_at_the_same_moment_differ(monkeypatch):
    monkeypatch.setattr(time, "time_ns", lambda: 1_800_000_000 * 10**9)

    assert len({fresh_id() for _ in range(1000)}) == 1000
