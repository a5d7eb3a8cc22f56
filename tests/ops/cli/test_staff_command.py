"""`sabot staff` at a terminal: codes, PINs, sessions; and names, kept beside the record."""

import json
import os
import stat

import pytest
from argon2 import PasswordHasher

from domain.rules.pins import WRONG_PINS
from ops.door.device import Device
from tests.conftest import ELSEWHERE, HERE
from tests.worlds.closed_house import OTHER, PIN
from tests.worlds.shells import HouseOfShells, Shell


@pytest.fixture
def terminal(database, tmp_path):
    def at(session="session", place=HERE):
        return Shell(database, tmp_path, session, place)

    return at


@pytest.fixture
def closed(database, tmp_path):
    """The administrator's terminal, signed on; nobody else has a PIN."""
    return HouseOfShells(database, tmp_path).first


def test_the_first_sign_on_takes_the_code_and_a_new_pin_twice(
    closed, terminal, superuser, monkeypatch
):
    monkeypatch.setattr("argon2.PasswordHasher", PasswordHasher)  # the slow one, as in the house
    code = closed.code("D-204", "dealer")
    dealer = terminal("dealer")
    result = dealer.run(
        "staff", "sign-on", "D-204", types=(code.lower(), "12", "abcd", PIN, OTHER, PIN, PIN)
    )
    kept = superuser.execute("SELECT pin_hash, code_hash FROM people.staff WHERE staff = 'D-204'")
    pin_hash, code_hash = kept.fetchone()

    assert (result.exit_code, "D-204 is signed on." in result.stdout) == (0, True)
    assert result.stderr.count("The new PIN is not 4 to 32 digits: choose another.") == 2
    assert "The two PINs differ." in result.stderr
    assert pin_hash.startswith("$argon2id$")
    assert not PasswordHasher().check_needs_rehash(pin_hash)
    assert code_hash is None
    assert stat.S_IMODE(os.stat(dealer.session).st_mode) == 0o600


def test_no_pin_and_no_name_and_no_code_stands_in_the_record(closed, terminal, superuser):
    code = closed.code("D-204", "dealer")
    terminal("dealer").run("staff", "sign-on", "D-204", types=(code, PIN, PIN))
    for column in ("convert_from(state, 'UTF8')", "metadata", "actor"):
        for secret in (code, PIN, "Name of"):
            found = superuser.execute(
                f"SELECT count(*) FROM ledger.events WHERE {column} LIKE %s", (f"%{secret}%",)
            ).fetchone()

            assert found == (0,)
    answers = superuser.execute("SELECT string_agg(answer, ' ') FROM ledger.commands").fetchone()
    assert code not in answers[0]
    assert "Name of" not in answers[0]


def test_ten_wrong_pins_lock_and_a_new_code_unlocks(closed, terminal):
    dealer = terminal("dealer")
    dealer.run("staff", "sign-on", "D-204", types=(closed.code("D-204", "dealer"), PIN, PIN))
    assert dealer.run("staff", "sign-off", "D-204").exit_code == 0
    assert not dealer.session.exists()
    wrong = dealer.guesses("D-204", WRONG_PINS)
    right = dealer.ask("staff", "sign-on", "D-204", types=(PIN,))
    code = closed.code("D-204", "dealer")

    assert wrong == ["WrongPin"] * (WRONG_PINS - 1) + ["PinLocked"]
    assert right["error"] == "PinLocked"
    assert not dealer.session.exists()
    assert dealer.run("staff", "sign-on", "D-204", types=(code, OTHER, OTHER)).exit_code == 0


def test_a_locked_number_is_an_alert_until_it_is_enrolled_again(closed, terminal):
    def alerts():
        return closed.ask("board", "--json")["alerts"]

    def locks(place, pin):
        dealer = terminal("dealer")
        dealer.run("staff", "sign-on", "D-204", types=(closed.code("D-204", "dealer"), pin, pin))
        dealer.run("staff", "sign-off", "D-204")
        dealer.guesses("D-204", WRONG_PINS, "--table", place)

    locks("B01", PIN)
    (alert,) = alerts()
    told = {"type": "Locked", "staff": "D-204", "wrong": 10, "table": "B01"}
    assert (alert["table"], alert["kind"], alert["gravity"]) == ("B01", "number locked", "pressing")
    assert alert["detail"] == told

    locks("B02", "662190")  # enrolled again, and locked again
    (alert,) = alerts()
    assert alert["table"] == "B02"
    boss = terminal("boss")
    boss.run("staff", "sign-on", "S-11", types=(closed.code("S-11", "supervisor"), PIN, PIN))
    assert boss.ask("alert", "acknowledge", alert["alert"])["ok"]
    assert alerts() == []


def test_nothing_typed_is_asked_again_and_costs_no_try(closed, terminal):
    dealer = terminal("dealer")
    code = closed.code("D-204", "dealer")
    first = dealer.run("staff", "sign-on", "D-204", types=("", code, PIN, PIN))
    dealer.run("staff", "sign-off", "D-204")
    again = dealer.run("staff", "sign-on", "D-204", types=("", "", "", PIN))
    never = terminal("another").run("staff", "sign-on", "D-204", types=("", ""))

    assert first.stderr.count("Nothing was typed.") == 1
    assert again.stderr.count("Nothing was typed.") == 3
    assert (first.exit_code, again.exit_code, never.exit_code) == (0, 0, 1)


def test_a_pin_is_changed_by_who_knows_the_old_one(closed, terminal):
    dealer = terminal("dealer")
    dealer.run("staff", "sign-on", "D-204", types=(closed.code("D-204", "dealer"), PIN, PIN))
    assert (
        dealer.ask("staff", "change-pin", "D-204", types=(OTHER, PIN, PIN))["error"] == "WrongPin"
    )
    assert dealer.run("staff", "change-pin", "D-204", types=(PIN, OTHER, OTHER)).exit_code == 0
    dealer.run("staff", "sign-off", "D-204")

    assert dealer.ask("staff", "sign-on", "D-204", types=(PIN,))["error"] == "WrongPin"
    assert dealer.ask("staff", "sign-on", "D-204", types=(OTHER,))["ok"]


def test_a_person_is_at_work_in_one_place(closed, terminal):
    one, two = terminal("one"), terminal("two", ELSEWHERE)
    code = closed.code("D-204", "dealer")
    one.run("staff", "sign-on", "D-204", "--table", "B01", types=(code, PIN, PIN))
    refused = two.ask("staff", "sign-on", "D-204", "--table", "B02", types=(PIN,))

    assert refused["error"] == "NotPermitted"
    assert "signed on at B01 on pit-1 (as pit), since 12:00" in refused["message"]
    assert two.ask("open", "B01")["error"] == "NotSignedOn"


def test_the_retired_do_not_sign_on(closed, terminal):
    dealer = terminal("dealer")
    dealer.run("staff", "sign-on", "D-204", types=(closed.code("D-204", "dealer"), PIN, PIN))
    assert closed.run("staff", "retire", "D-204", "--reason", "left").exit_code == 0

    assert dealer.ask("open", "B01")["error"] == "NotSignedOn"
    refused = dealer.ask("staff", "sign-on", "D-204", types=(PIN,))
    assert (refused["error"], "events" in refused) == ("WrongPin", False)
    assert closed.ask("staff", "enrol", "D-204", "again", "dealer")["error"] == "NotPermitted"


def test_a_device_signs_its_feed_with_its_key(closed, terminal, tmp_path):
    key, other = str(tmp_path / "key"), str(tmp_path / "other")
    made = terminal("none").run("feed", "--key", key, "--new-key", "DEV-1")
    terminal("none").run("feed", "--key", other, "--new-key", "DEV-1")
    enrol = ("staff", "enrol", "DEV-1", "shoe", "device")
    without_key = closed.ask(*enrol)
    line = json.dumps({"command": "draw", "table": "B01", "card": "9C"})
    too_early = terminal("none").run("feed", "--key", key, types=(line,))
    enrolled = closed.ask(*enrol, "--public-key", made.stdout.strip())
    with_key = terminal("none").run("feed", "--key", key, types=(line,))
    with_another = terminal("none").run("feed", "--key", other, types=(line,))
    without = terminal("none").run("feed", types=(line,))

    assert "--public-key" in made.stderr
    assert (without_key["ok"], "code" in without_key, "code" in enrolled) == (True, False, False)
    assert json.loads(too_early.stdout)["error"] == "NotSignedOn"
    assert json.loads(with_key.stdout)["error"] == "TableClosed"  # it was heard
    assert json.loads(with_another.stdout)["error"] == "NotSignedOn"
    assert json.loads(without.stdout)["error"] == "NotSignedOn"


@pytest.mark.parametrize(
    ("options", "words"),
    [
        (("--key", "none"), "is no key of a device. Make one with `sabot feed --key none"),
        (("--new-key", "X-1"), "Name the file of the new key and the device"),
        (("--key", "new", "--new-key", "X 1"), "Name the file of the new key and the device"),
        (("--key", "there", "--new-key", "X-1"), "there is there already"),
        (("--key", "there/x", "--new-key", "X-1"), "there/x was not written"),
        (("--key", "mine"), "mine.last has no number"),
    ],
)
def test_a_key_that_cannot_be_used_is_refused_in_words(
    closed, terminal, tmp_path, monkeypatch, options, words
):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "there").write_text("something")
    Device.make(tmp_path / "mine", "X-1")
    (tmp_path / "mine.last").write_text("seventeen")
    refused = terminal("none").run("feed", *options, types=('{"command": "open"}',))

    assert (refused.exit_code, words in refused.stderr) == (2, True), refused.stderr


def test_names_are_shown_and_erased_and_the_record_stays_whole(closed, terminal):
    boss = terminal("boss")
    boss.run("staff", "sign-on", "S-11", types=(closed.code("S-11", "supervisor"), PIN, PIN))
    assert boss.run("patron", "name", "P-10417", "Ms Doe").stdout == "Ms Doe\n"
    assert boss.run("patron", "name", "P-10417").stdout == "Ms Doe\n"
    assert boss.run("patron", "erase", "P-10417").exit_code == 0
    for words in (("name", "P-10417"), ("erase", "P-10417")):
        gone = boss.run("patron", *words)

        assert (gone.exit_code, "NotFound" in gone.stderr) == (1, True)
    assert boss.run("audit", "verify").exit_code == 0


def test_names_are_for_few(closed, terminal):
    dealer = terminal("dealer")
    dealer.run("staff", "sign-on", "D-204", types=(closed.code("D-204", "dealer"), PIN, PIN))
    refused = dealer.run("patron", "name", "P-10417")

    assert (refused.exit_code, "NotPermitted" in refused.stderr) == (1, True)
    assert terminal("none").run("patron", "erase", "P-10417").exit_code == 1


def test_in_open_house_a_sign_on_asks_for_the_pin_only_of_who_has_one(terminal):
    first = terminal()
    code = first.code("D-204", "dealer")
    line = json.dumps({"command": "staff.sign-on", "staff": "D-204"})

    assert json.loads(first.run("feed", types=(line,)).stdout)["ok"]
    assert first.ask("staff", "sign-on", "D-204", types=(code, PIN, PIN))["ok"]


def test_a_pin_is_not_found_out_by_asking_for_another(closed, terminal):
    """Right or wrong, who did not sign on is asked the same and told the same."""
    dealer = terminal("dealer")
    dealer.run("staff", "sign-on", "D-204", types=(closed.code("D-204", "dealer"), PIN, PIN))
    stranger = terminal("stranger")
    told = [
        stranger.run("staff", "change-pin", "D-204", types=(said, OTHER, OTHER))
        for said in (PIN, "1111")
    ]

    assert told[0].stderr.replace(PIN, "1111") == told[1].stderr
    assert [each.exit_code for each in told] == [1, 1]
    dealer.run("staff", "sign-off", "D-204")
    assert dealer.ask("staff", "sign-on", "D-204", types=(PIN,))["ok"]


def test_a_pepper_that_is_not_whole_is_refused(closed, tmp_path):
    (tmp_path / "pepper").write_bytes(b"")
    result = closed.run("staff", "enrol", "D-9", "x", "dealer")

    assert (result.exit_code, "is damaged" in result.stderr) == (3, True)


def test_a_number_that_is_no_text_is_refused_in_words(terminal):
    for command in ("sign-on", "change-pin"):
        result = terminal().run("staff", command, "D-\udcff", types=(PIN,))

        assert (result.exit_code, "not UTF-8" in result.stderr) == (1, True)
