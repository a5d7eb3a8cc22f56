"""An administrator is let in again: by another one, or by a secret, and never by a shell alone."""

import json
import re
from datetime import timedelta
from types import SimpleNamespace
from uuid import uuid4

import pytest
from psycopg.conninfo import make_conninfo

from ops.ledger.database import Database
from tests.conftest import NOON
from tests.worlds.closed_house import PIN
from tests.worlds.shells import HouseOfShells, Shell

pytestmark = pytest.mark.usefixtures("held")

NEXT = "550731"  # the PIN before is not chosen again

BOSS, SECOND = "S-11", "S-12"


@pytest.fixture(autouse=True)
def near(monkeypatch):
    """The server is this machine's, whichever one the tests are run on."""
    monkeypatch.setattr(Database, "superuser_from_afar", lambda self: False)


@pytest.fixture
def house(database, tmp_path):
    return HouseOfShells(database, tmp_path)


def later(monkeypatch, **passed):
    monkeypatch.setattr("ops.ledger.clock.wall_clock", lambda: NOON + timedelta(**passed))


# The attack: any shell of the account, an administrator who is at work.
@pytest.mark.parametrize("types", [(), ("GUESS",)])
def test_nobody_replaces_an_administrator_without_the_secret(house, types):
    result = house.shell().run("staff", "recover", "A-1", types=types)

    assert (result.exit_code, "One-time code" in result.output) == (1, False)
    assert house.first.ask("staff", "enrol", "D-1", "Dan", "dealer")["ok"]  # still at work


@pytest.mark.parametrize("at_work", [True, False])
def test_the_secret_lets_the_only_administrator_in_who_forgot_the_pin_and_is_not_locked(
    house, at_work
):
    if not at_work:
        house.first.run("staff", "sign-off", "A-1")
    answer = house.recover(house.secret)
    back = house.shell("back").run("staff", "sign-on", "A-1", types=(answer["code"], NEXT, NEXT))

    assert answer["ok"]
    assert back.exit_code == 0
    assert house.first.ask("staff", "enrol", "D-1", "Dan", "dealer")["error"] == "NotSignedOn"


def test_the_secret_works_if_every_other_administrator_is_locked(house):
    second = house.join("A-2", "administrator")
    house.lock("A-2", at=second)

    assert house.recover(house.secret)["ok"]


def test_the_secret_is_refused_while_another_administrator_can_sign_on(house):
    second = house.join("A-2", "administrator")
    house.lock()
    refused = house.recover(house.secret)

    assert refused["error"] == "NotRecovered"
    assert refused["message"] == (
        "The recovery secret is for a house in which no administrator can let A-1 in. "
        "A-2 can: sign on as A-2, then `sabot staff recover A-1`."
    )
    assert second.ask("staff", "recover", "A-1")["code"]


def test_a_retired_administrator_does_not_count_as_one_who_can_sign_on(house):
    house.join("A-2", "administrator")
    assert house.first.ask("staff", "retire", "A-2", "--reason", "left")["ok"]
    house.lock()

    assert house.recover(house.secret)["ok"]


def test_the_secret_enrols_a_locked_administrator_again_once(house):
    house.lock()
    answer = house.recover(house.secret)
    signed_on = house.first.run("staff", "sign-on", "A-1", types=(answer["code"], NEXT, NEXT))
    house.lock()
    again, next_one = house.recover(house.secret), answer["recovery_secret"]

    assert signed_on.exit_code == 0
    assert (again["error"], next_one == house.secret) == ("NotRecovered", False)


def test_the_secret_may_be_typed_in_small_letters_and_without_hyphens(house):
    house.lock()

    assert house.recover(f" {house.secret.lower().replace('-', ' ')} ")["ok"]


def test_wrong_secrets_are_recorded_and_each_makes_the_next_wait_longer(house, monkeypatch):
    house.lock()
    answers = []
    for minutes in (0, 0, 1, 2, 3):
        later(monkeypatch, minutes=minutes)
        answers.append(house.recover("GUESS")["message"])
    soon = house.recover(house.secret)
    later(monkeypatch, minutes=8)
    in_time = house.recover(house.secret)
    shown = house.first
    shown.run("staff", "sign-on", "A-1", types=(in_time["code"], NEXT, NEXT))
    acts = [
        row["act"]
        for row in shown.ask("report", "access")["rows"]
        if row["act"].startswith("not let in")
    ]

    assert answers == [
        "That is not the recovery secret. Try again in 1 minute.",
        "A wrong recovery secret was typed. Try again in 1 minute.",
        "That is not the recovery secret. Try again in 2 minutes.",
        "A wrong recovery secret was typed. Try again in 1 minute.",
        "That is not the recovery secret. Try again in 4 minutes.",
    ]
    assert soon["message"].endswith("Try again in 4 minutes.")
    assert in_time["ok"]
    assert acts == ["not let in again: wrong recovery secret"] * 3


def test_the_secret_and_the_code_are_not_in_the_record_and_the_secret_is_in_no_file(
    house, superuser
):
    house.lock()
    answer = house.recover(house.secret)
    kept = [
        *superuser.execute("SELECT convert_from(state, 'UTF8') || metadata FROM ledger.events"),
        *superuser.execute("SELECT answer FROM ledger.commands"),
        *superuser.execute("SELECT digest FROM people.recovery"),
    ]
    files = [each.read_bytes().hex() for each in house.home.rglob("*") if each.is_file()]

    for secret in (house.secret, answer["recovery_secret"], answer["code"]):
        assert all(secret not in text for (text,) in kept)
        assert all(secret.encode().hex() not in text for text in files)
    assert len(house.secret.replace("-", "")) == 26


def test_a_secret_cannot_be_made_again_from_what_is_on_the_machine(house, monkeypatch):
    """Another process with the pepper, the database and the command's own id."""
    from ops.ledger.secrets import recovery_secret

    mine = recovery_secret("k-1")
    monkeypatch.setattr("ops.ledger.secrets._ONCE", b"another process")

    assert recovery_secret("k-1") != mine


def test_no_argument_takes_the_secret(house):
    house.lock()
    result = house.shell().run("staff", "recover", "A-1", house.secret)

    assert result.exit_code == 2


def test_only_administrators_are_recovered_and_only_by_the_database_s_owner(house, superuser):
    house.join("D-204", "dealer")
    house.lock()
    for staff in ("D-204", "D-9"):
        assert house.recover(house.secret, staff=staff)["error"] == "NotFound"
    name = f"app_{uuid4().hex}"
    superuser.execute(f"CREATE ROLE {name} LOGIN; GRANT sabot_app TO {name}")
    try:
        house.database = Database(make_conninfo(house.database.url, user=name))
        refused = house.shell().run("staff", "recover", "A-1", types=(house.secret,))
    finally:
        superuser.execute(f"DROP ROLE {name}")

    assert (refused.exit_code, "does not own the ledger" in refused.stderr) == (3, True)


def test_recovery_is_refused_on_a_feed_and_in_open_house(house, terminal_of_an_open_house):
    house.lock()
    line = json.dumps({"command": "staff.recover", "staff": "A-1"})
    fed = json.loads(house.shell().run("feed", types=(line, house.secret)).stdout.split("\n")[0])
    opened = terminal_of_an_open_house.ask("staff", "recover", "A-1", types=("X",))

    assert (fed["error"], opened["error"]) == ("NotSignedOn", "NotFound")


@pytest.fixture
def terminal_of_an_open_house(server, tmp_path):
    with server.database() as database:
        yield Shell(database, tmp_path, "open")


def test_a_dealer_cannot_recover_anybody(house):
    dealer = house.join("D-204", "dealer")
    house.lock()
    refused = dealer.ask("staff", "recover", "A-1", types=("GUESS",))

    assert refused["error"] == "NotRecovered"


def test_a_person_who_is_signed_on_cannot_recover_themselves(house):
    assert house.first.ask("staff", "recover", "A-1")["error"] == "BadValue"


def test_a_superuser_of_a_remote_server_needs_no_secret_once_no_other_can(house, monkeypatch):
    second = house.join("A-2", "administrator")
    monkeypatch.setattr(Database, "superuser_from_afar", lambda self: True)
    another_can = house.recover()
    house.lock("A-2", at=second)
    none_can = house.recover()

    assert (another_can["error"], none_can["ok"]) == ("NotRecovered", True)
    assert "recovery_secret" not in none_can  # the one on paper is good still


def test_the_superuser_of_the_embedded_server_needs_the_secret(database, monkeypatch):
    monkeypatch.undo()
    with database.connect_as_is() as connection:
        (by_network,) = connection.execute("SELECT inet_server_addr() IS NOT NULL").fetchone()

    assert database.superuser_from_afar() == by_network


# The alert.
def alerts(terminal):
    return [each for each in terminal.ask("board")["alerts"] if each["kind"] != "number locked"]


def test_a_recovery_is_an_alert_until_two_people_acknowledge_it_each_with_a_pin(
    house, monkeypatch, superuser
):
    boss = house.join(BOSS, "supervisor")
    house.join(SECOND, "supervisor")
    house.lock()
    house.recover(house.secret)
    later(monkeypatch, days=3)  # it is the same for days
    assert boss.run("staff", "sign-on", BOSS, types=(PIN,)).exit_code == 0
    (alert,) = alerts(boss)
    alone = boss.ask("alert", "acknowledge", alert["alert"], "seen")
    named = boss.ask("alert", "acknowledge", alert["alert"], "seen", "--with", SECOND)

    assert (alert["kind"], alert["gravity"]) == ("administrator recovered", "pressing")
    assert (alone["error"], named["error"]) == ("SecondPersonNeeded", "SecondPersonNeeded")
    assert alerts(boss) == [alert]

    type_pin(monkeypatch)
    assert boss.ask("alert", "acknowledge", alert["alert"], "seen", "--with", SECOND)["ok"]
    assert alerts(boss) == []
    (told,) = [
        row
        for row in boss.ask("report", "alerts")["rows"]
        if row["kind"] == "administrator recovered"
    ]
    assert told["acknowledged_by"] == f"{BOSS}, {SECOND} (PIN typed)"


def type_pin(monkeypatch):
    """The second person types their PIN where it is asked for."""
    monkeypatch.setattr("ops.cli.speak._ask_pin", lambda second, shown: PIN)
    monkeypatch.setattr(
        "ops.cli.speak.sys", SimpleNamespace(stdin=SimpleNamespace(isatty=lambda: True))
    )


def test_a_recovery_by_another_administrator_is_an_alert_too(house):
    boss = house.join(BOSS, "supervisor")
    second = house.join("A-2", "administrator")
    assert second.ask("staff", "recover", "A-1")["ok"]

    (alert,) = alerts(boss)
    assert alert["detail"]["how"] == "administrator"


# A secret that was lost.
def test_an_administrator_prints_a_new_secret_with_a_second_person(house, monkeypatch):
    house.join(BOSS, "supervisor")
    alone = house.first.ask("staff", "new-secret")
    named = house.first.ask("staff", "new-secret", "--with", BOSS)
    type_pin(monkeypatch)
    fresh = house.first.run("staff", "new-secret", "--with", BOSS).stdout
    found = re.search(r"Recovery secret: ([A-Z2-9-]{31})$", fresh, re.MULTILINE)
    house.lock()

    assert (alone["error"], named["error"]) == ("SecondPersonNeeded", "SecondPersonNeeded")
    assert house.recover(house.secret)["error"] == "NotRecovered"
    monkeypatch.setattr("ops.ledger.clock.wall_clock", lambda: NOON + timedelta(minutes=2))
    assert house.recover(found[1])["ok"]


def test_the_only_person_of_a_house_prints_a_new_secret_alone(house):
    house.first.code("S-13", "supervisor")  # has chosen no PIN, so is nobody's second person
    fresh = house.first.ask("staff", "new-secret")["recovery_secret"]
    house.lock()

    assert house.recover(fresh)["ok"]


def test_only_an_administrator_prints_a_new_secret(house):
    boss = house.join(BOSS, "supervisor")

    assert boss.ask("staff", "new-secret", "--with", BOSS)["error"] == "NotPermitted"


def test_sending_the_command_again_does_not_show_the_secret_again(house, monkeypatch):
    first = house.first.ask("staff", "new-secret", "--id", "s-1")
    monkeypatch.setattr("ops.ledger.secrets._ONCE", b"another process")
    again = house.first.ask("staff", "new-secret", "--id", "s-1")

    assert ("recovery_secret" in first, "recovery_secret" in again) == (True, False)
