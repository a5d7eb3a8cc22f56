"""Fills at a dealer's terminal of a closed house: asked for in place, shown, counted by two."""

import time
from contextlib import closing

import pytest

from ops.handlers.dispatcher import Dispatcher
from ops.handlers.sign_on import sign_on
from ops.kit.outcome import Second
from ops.terminal.dealer.house import HouseHere
from ops.terminal.dealer.session import Session
from ops.terminal.dealer.table_words import table_lines
from tests.conftest import NOON
from tests.worlds.closed_house import PIN, DealerAtWork
from tests.worlds.shells import on_a_terminal

FILL = "request fill --chips 100=20 --chips 25=40"
SLIP = "2026-000001"


@pytest.fixture
def house(database):
    house = DealerAtWork(database)
    house.join("C-1", "cage")
    house.join("R-1", "security")
    yield house
    house.close()


def goes_on(house, staff, command):
    house.casino.forget()
    answer = house.ask(staff, command, slip=SLIP)
    assert answer["ok"], answer


@pytest.fixture
def session(house, database):
    house.sign_off("D-204")
    session = Session(HouseHere(database), "B01")
    with closing(session):
        session.open()
        assert session.sign_on("D-204", PIN).kind == "done"
        yield session


def shown(session):
    return [line for line in table_lines(session.now) if SLIP in line]


def test_a_dealer_requests_a_fill_with_the_supervisor_s_proof(house, session):
    asked = session.say(FILL)
    done = session.say(FILL, Second("S-11", PIN))

    assert asked.words[1] == "In chips: 20 chips of 100, 40 chips of 25."
    assert (asked.kind, asked.words[0]) == (
        "second",
        f"Slip {SLIP}: a fill of 3,000.00 is requested.",
    )
    assert done.kind == "done", done
    assert session.now.slips[SLIP].people == {"requested": "S-11"}


def test_a_dealer_does_not_request_one_alone_and_a_supervisor_does(house):
    line = {"command": "slip.request", "table": "B01", "kind": "fill", "chips": {"10000": 5}}
    refused = house.dealer.dispatch(line).body
    supervisor = Dispatcher(house.casino, "test")
    sign_on(supervisor, "S-11", PIN)

    assert "SecondPersonNeeded" == refused["error"]
    assert supervisor.dispatch(line).ok


def test_the_dealer_is_told_how_far_it_is_until_it_is_received(house, session):
    session.say(FILL)
    session.say(FILL, Second("S-11", PIN))
    told, heard = [*shown(session)], []
    session.on_news = heard.append
    for n, act in enumerate((("C-1", "slip.issue"), ("R-1", "slip.carry")), 1):
        goes_on(house, *act)
        _until(lambda n=n: len(heard) == n)
        told += shown(session)
    asked = session.say(f"slip receive {SLIP}")
    done = session.say(f"slip receive {SLIP}", Second("S-11", PIN))

    assert [
        f"Fill {SLIP} of 3,000.00 is requested by S-11.",
        f"Fill {SLIP} of 3,000.00 is issued by C-1.",
        f"Fill {SLIP} of 3,000.00 is carried by R-1: count it, then `slip receive`.",
    ] == told
    assert heard == [
        f"C-1: Slip {SLIP} is issued by C-1.",
        f"R-1: Slip {SLIP} is carried by R-1.",
    ]
    assert asked.words[:-1] == (
        f"Slip {SLIP} is received by D-204 and whoever signs. C-1 issued it, R-1 carried it.",
        "In chips: 20 chips of 100, 40 chips of 25.",
        f"Chips worth 3,000.00 are in the tray, slip {SLIP}.",
        "3,000.00 goes from the cage to the tray.",
    )
    assert (done.kind, shown(session)) == ("done", [])


def _until(so):
    ends = time.monotonic() + 20
    while not so():
        assert time.monotonic() < ends
        time.sleep(0.02)


def test_the_shell_shows_the_chips_before_the_second_person_types(house, tmp_path):
    line = {"command": "slip.request", "table": "B01", "kind": "fill", "chips": {"10000": 5}}
    assert house.types(PIN, line)["ok"]
    for staff, command in (("C-1", "slip.issue"), ("R-1", "slip.carry")):
        goes_on(house, staff, command)
    token = house.token("D-204")
    (tmp_path / "session").write_text(f"{token.staff}:{token.secret}\n")
    program = ["-c", AT_NOON, "slip", "receive", SLIP, "--with", "S-11"]
    seen, status = on_a_terminal(house.database, tmp_path, program, PIN)
    before, asks, _ = seen.partition("PIN of S-11")

    assert "received by D-204 and S-11. C-1 issued it, R-1 carried it." in before
    assert "In chips: 5 chips of 100." in before
    assert "500.00 goes from the cage to the tray." in before
    assert (asks, status) == ("PIN of S-11", 0)
    assert "Not done yet: this is to be signed:" in before


# The program with the clock of the tests, by which the dealer signed on.
AT_NOON = f"""
from datetime import datetime
import ops.ledger.clock
ops.ledger.clock.wall_clock = lambda: datetime.fromisoformat({NOON.isoformat()!r})
from ops.cli import main
main()
"""
