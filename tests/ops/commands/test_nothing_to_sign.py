"""Nobody types a PIN for what is refused whoever signs: the refusal is said at once."""

from contextlib import closing
from datetime import UTC, datetime

import pytest

from ops.handlers.sign_on import sign_on
from ops.kit.outcome import Second
from ops.terminal.dealer.house import HouseHere
from ops.terminal.dealer.session import Session
from tests.worlds.closed_house import PIN, DealerAtWork
from tests.worlds.shells import on_a_terminal

BOSS, WITH = "PB-9", {"with": "S-11"}
SLIP = "2026-000001"
REQUEST = {"command": "slip.request", "table": "B01", "kind": "fill", "chips": {"10000": 5}}
VOID = {"command": "slip.void", "slip": SLIP, "reason": "torn"}
ADDED = "SELECT count(*) FROM ledger.events"
# What is typed, its refusal, and how many events that leaves; `SLIP` is void already.
VAIN = {
    "on record": (f"slip void {SLIP} torn", f"Slip {SLIP} is void. Take the next number", 1),
    "not on record": ("slip void 2026-000009 torn", "The ledger has no slip 2026-000009", 0),
}


@pytest.fixture
def house(database, tmp_path, monkeypatch):
    """A closed house with a slip that is void; PB-9 is at work."""
    monkeypatch.setenv("SABOT_HOME", str(tmp_path))
    house = DealerAtWork(database)
    house.join(BOSS, "pit-boss")
    for line in (REQUEST, VOID):
        assert house.ask(BOSS, **line, **WITH)["ok"]
    yield house
    house.close()


@pytest.fixture
def session(house):
    with closing(Session(HouseHere(house.database, token=house.token(BOSS)), "B01")) as session:
        session.open()
        yield session


def events(superuser):
    return superuser.execute(ADDED).fetchone()[0]


@pytest.mark.parametrize("act", VAIN)
def test_the_terminal_asks_for_no_second_person(session, superuser, act):
    line, words, added = VAIN[act]
    before = events(superuser)
    outcome = session.say(line)

    assert outcome.kind == "refused", outcome
    assert outcome.words[-1].startswith(words)
    assert events(superuser) == before + added


def test_the_terminal_asks_nobody_again_for_what_somebody_else_did_meanwhile(house, session):
    assert house.ask(BOSS, **REQUEST, **WITH)["ok"]
    line = "slip void 2026-000002 torn"
    assert session.say(line).kind == "second"
    assert house.ask(BOSS, **{**VOID, "slip": "2026-000002"}, **WITH)["ok"]
    outcome = session.say(line, Second("S-11", PIN))

    assert outcome.kind == "refused", outcome
    assert outcome.words[-1].startswith("Slip 2026-000002 is void.")


@pytest.mark.parametrize("act", VAIN)
def test_the_shell_asks_for_no_pin(house, superuser, tmp_path, act):
    line, words, added = VAIN[act]
    house.casino.time.now = lambda: datetime.now(UTC)  # that of the program
    sign_on(house.dispatchers[BOSS], BOSS, PIN)
    token = house.token(BOSS)
    (tmp_path / "session").write_text(f"{token.staff}:{token.secret}\n")
    before = events(superuser)
    program = ["-m", "ops.cli", *line.split(), "--with", "S-11"]
    seen, status = on_a_terminal(house.database, tmp_path, program, PIN)

    assert words in " ".join(seen.split())
    assert ("PIN of" in seen, status) == (False, 1)
    assert events(superuser) == before + added


def test_who_signs_what_was_asked_about_is_shown_the_line_and_all_that_it_changes(session):
    line = "close --closer 100=2"
    asked = session.say(line)
    second = session.say("y")

    assert asked.kind == "refused"
    assert asked.words[-1].endswith("Type `y` if that is right.")
    assert second.kind == "second"
    assert second.words[0] == line
    assert any("The table is closed" in each for each in second.words), second.words
    assert session.say("y", Second("S-11", PIN)).kind == "done"
