"""Who was just admitted is not asked about again, until something about the house changes."""

import time
from contextlib import closing

import pytest
from msgspec import structs

from domain.rules.place import Place
from ops.commands.signed_on import Token
from ops.web import admission as door
from ops.web.admission import Admission
from ops.web.callers import Caller
from tests.worlds.house_server import house_server

CALLER = Caller(terminal="6668-7AAD", address="127.0.0.1", host="127.0.0.1:8000", once="1")


class Moved:
    """The last position of the house's own events, as a server has heard of it."""

    position: int | None = 7

    def __call__(self):
        return self.position


@pytest.fixture
def moved():
    return Moved()


@pytest.fixture
def admission(database, moved):
    with closing(Admission(database, moved)) as admission:
        yield admission


def test_whoever_was_admitted_is_known_in_their_next_requests(admission):
    assert not admission.knows(CALLER)

    assert admission.admitted(CALLER) == CALLER
    assert admission.knows(structs.replace(CALLER, once="2"))


@pytest.mark.parametrize(
    "other",
    [
        {"terminal": "6668-7AAE"},
        {"token": Token("D-204:s3", "cret")},
        {"address": "10.0.0.7"},
        {"host": "house.example"},
        {"place": Place("pit-2", "ann", "b2")},
    ],
)
def test_somebody_else_is_not_known(admission, other):
    admission.admitted(CALLER)

    assert not admission.knows(structs.replace(CALLER, **other))


def test_after_anything_about_the_house_the_record_is_asked(admission, moved):
    admission.admitted(CALLER)
    moved.position = 8
    heard = admission.knows(CALLER)
    admission.admitted(CALLER)
    admission.forget()

    assert (heard, admission.knows(CALLER)) == (False, False)


def test_what_was_recorded_while_the_record_was_asked_is_not_missed(admission, monkeypatch):
    asked = admission._admitted

    def meanwhile(caller, *, uses):
        answer = asked(caller, uses=uses)
        admission.forget()
        return answer

    monkeypatch.setattr(admission, "_admitted", meanwhile)
    admission.admitted(CALLER)

    assert not admission.knows(CALLER)


def test_while_no_news_come_nobody_is_known(admission, moved):
    admission.admitted(CALLER)
    moved.position = None

    assert not admission.knows(CALLER)


def test_who_only_goes_on_reading_or_was_idle_is_not_known(admission, monkeypatch):
    admission.admitted(CALLER, uses=False)
    reading = admission.knows(CALLER)
    idle = structs.replace(CALLER, idle=15)
    monkeypatch.setattr(admission, "_admitted", lambda *_, **__: idle)
    admission.admitted(CALLER)

    assert (reading, admission.knows(CALLER)) == (False, False)


def test_a_moment_does_not_last(admission, monkeypatch):
    admission.admitted(CALLER)
    monkeypatch.setattr(door, "NOTED", 0.0)

    assert not admission.knows(CALLER)


def test_a_terminal_that_is_retired_at_another_server_is_out_as_soon_as_this_one_hears(
    database, tmp_path
):
    home = tmp_path / "house"
    with house_server(database, home) as one, house_server(database, home, name="two") as two:
        boss, pit = one.terminal("pit-1"), two.terminal("pit-2")
        boss.run("board", "--once")
        boss.run("staff", "approve-terminal", boss.key, "pit 1")
        boss.sign_on("A-1", boss.ask("staff", "enrol", "A-1", "Ann", "administrator")["code"])
        pit.approved_by(boss)
        before = pit.post("/api/commands", b'{"command": "no.such"}\n')[0]
        boss.run("staff", "retire-terminal", pit.key, "--reason", "stolen")
        ends = time.monotonic() + 2.0
        while (after := pit.post("/api/commands", b'{"command": "no.such"}\n')[0]) == before:
            assert time.monotonic() < ends

    assert (before, after) == (200, 403)
