"""A sign-on: where it works, how long, what ends it; and that it leaves nobody locked out."""

from datetime import timedelta

import pytest

from ops.commands.casino import Casino
from ops.handlers.dispatcher import Dispatcher
from ops.handlers.sign_on import change_pin, sign_on, who_is_here
from ops.ledger.recorder import Ledger
from tests.acceptance.channels import kinds
from tests.conftest import ELSEWHERE, HERE, NOON
from tests.worlds.closed_house import GUESS, OTHER, PIN
from tests.worlds.shells import HouseOfShells

pytestmark = pytest.mark.usefixtures("held")

SEAT = {"command": "table.seat", "table": "B01", "seat": 3, "patron": "P-3"}


@pytest.fixture
def pit(database, tmp_path):
    """Terminals of a house in which A-1, S-11, D-204 and D-205 chose a PIN; A-1 is at theirs."""
    house = HouseOfShells(database, tmp_path)
    for staff, role in (("S-11", "supervisor"), ("D-204", "dealer"), ("D-205", "dealer")):
        assert house.join(staff, role).run("staff", "sign-off", staff).exit_code == 0
    return house.shell


def signs_on(terminal, staff, *types, more=()):
    answer = terminal.ask("staff", "sign-on", staff, *more, types=types or (PIN,))
    assert answer["ok"], answer
    return answer


def hears(terminal):
    """Whoever is signed on there, as the house answers a line; '' when it hears nobody."""
    answer = terminal.ask("open", "B09")
    return "" if answer["error"] == "NotSignedOn" else terminal.session.read_text().split(":")[0]


# Nobody is stranded.
def test_the_next_sign_on_at_a_shell_signs_the_person_before_off_and_says_so(pit):
    signs_on(pit(), "D-204")
    said = pit().run("staff", "sign-on", "D-205", types=(PIN,))

    assert "D-204 was signed off here." in said.stdout
    assert hears(pit()) == "D-205"
    assert signs_on(pit("another", ELSEWHERE), "D-204")["ok"]  # at work nowhere else


def test_signing_on_again_at_the_same_machine_replaces_the_sign_on(pit):
    """With the token's file or without: it may be lost, and a terminal killed."""
    signs_on(pit("one"), "D-204")
    again = signs_on(pit("two"), "D-204", more=("--table", "B02"))

    assert kinds(again) == ["SignedOff", "SignedOn"]
    assert again["events"][0]["why"] == "signed-on-again"
    assert (hears(pit("one")), hears(pit("two"))) == ("", "D-204")


def test_the_refusal_of_a_second_sign_on_says_where_the_first_is_since_when_and_what_to_do(pit):
    signs_on(pit(), "S-11")
    refused = pit("two", ELSEWHERE).run("staff", "sign-on", "S-11", types=(PIN,))

    assert refused.stderr.splitlines()[-1] == (
        "NotPermitted: S-11 is signed on at pit-1 (as pit), since 12:00. Sign off there, "
        "or here with `sabot staff sign-off S-11` and S-11's PIN; a pit boss can do it "
        "too."
    )


def test_a_person_s_own_pin_ends_their_session_from_any_machine(pit):
    signs_on(pit(), "S-11")
    other = pit("two", ELSEWHERE)
    wrong = other.ask("staff", "sign-off", "S-11", types=(GUESS,))
    right = other.ask("staff", "sign-off", "S-11", types=(PIN,))

    assert (wrong["error"], "events" in wrong) == ("WrongPin", False)
    assert [event["why"] for event in right["events"]] == ["by-pin"]
    assert hears(pit()) == ""
    assert signs_on(other, "S-11")["ok"]


def test_a_dealer_ends_somebody_else_s_session_only_with_that_person_s_pin(pit):
    signs_on(pit(), "S-11")
    dealer = pit("two")
    signs_on(dealer, "D-204")
    refused = dealer.ask("staff", "sign-off", "S-11", types=(GUESS,))

    assert (refused["error"], hears(pit())) == ("WrongPin", "S-11")
    assert dealer.ask("staff", "sign-off", "S-11", types=(PIN,))["ok"]
    assert hears(dealer) == "D-204"


@pytest.mark.parametrize("boss", ["A-1", "S-11"])
def test_a_boss_ends_anybody_s_session_without_a_pin(pit, boss):
    signs_on(pit("two", ELSEWHERE), "D-204")
    signs_on(pit("boss"), boss)

    assert pit("boss").ask("staff", "sign-off", "D-204")["ok"]
    assert hears(pit("two", ELSEWHERE)) == ""


def test_signing_off_at_the_machine_of_the_sign_on_takes_no_pin(pit):
    signs_on(pit(), "D-204")

    assert pit().ask("staff", "sign-off", "D-204")["ok"]
    assert not pit().session.exists()


def test_a_sign_on_that_is_refused_signs_nobody_off(pit):
    signs_on(pit(), "D-204")
    pit().run("staff", "sign-on", "D-205", types=(GUESS,))

    assert hears(pit()) == "D-204"


def test_an_ended_token_signs_nobody_off(pit):
    """D-204 went home and came back elsewhere; the old token in the file says nothing of that."""
    signs_on(pit(), "D-204")
    old = pit().session.read_text()
    pit().run("staff", "sign-off", "D-204")
    signs_on(pit("two", ELSEWHERE), "D-204")
    pit().session.write_text(old)
    answer = signs_on(pit(), "D-205")

    assert kinds(answer) == ["SignedOn"]
    assert hears(pit("two", ELSEWHERE)) == "D-204"


def test_a_copied_token_signs_nobody_off(pit):
    signs_on(pit(), "D-204")
    thief = pit("two", ELSEWHERE)
    thief.session.write_text(pit().session.read_text())
    answer = signs_on(thief, "D-205")

    assert kinds(answer) == ["SignedOn"]
    assert hears(pit()) == "D-204"


@pytest.mark.parametrize("thief", [ELSEWHERE, HERE.__class__("pit-1", "guest", "c3")])
def test_a_session_file_of_another_machine_or_account_is_refused_in_words(house, at_place, thief):
    stolen = Dispatcher(house.casino, "test", token=house.token("D-204"))
    assert stolen.dispatch(SEAT).ok
    at_place(thief)
    refused = stolen.dispatch({**SEAT, "seat": 5, "patron": "P-5"}).body

    assert refused["message"] == (
        "D-204 is not signed on here, only at pit-1 (as pit). Sign on here first, with "
        "`sabot staff sign-on D-204`."
    )
    assert who_is_here(stolen) is None
    at_place(HERE)
    assert who_is_here(stolen).staff == "D-204"


def test_without_the_token_nobody_learns_where_a_number_is_signed_on(house, at_place):
    at_place(ELSEWHERE)
    told = []
    for staff in ("D-204", "D-205", "N-99"):
        token = house.token("D-204").__class__(staff, "a guess")
        answer = Dispatcher(house.casino, "test", token=token).dispatch(SEAT).body
        told.append(answer["message"].replace(staff, "it"))

    assert set(told) == {"it is not signed on. Sign on first, with `sabot staff sign-on it`."}


def later(house, hours):
    """A process that comes so many hours after everybody signed on."""
    casino = Casino(Ledger(house.database), now=lambda: NOON + timedelta(hours=hours))
    return Dispatcher(casino, "test", token=house.token("D-204"))


def test_a_token_works_for_sixteen_hours(house):
    in_time, late = later(house, 15.9), later(house, 16)
    answers = [each.dispatch(SEAT).body for each in (in_time, late)]
    here = [who_is_here(each) for each in (in_time, late)]
    for each in (in_time, late):
        each.casino.close()

    assert (answers[0]["ok"], here[0].staff, here[1]) == (True, "D-204", None)
    assert answers[1]["message"] == (
        "D-204's sign-on has ended after 16 hours. Sign on again, with `sabot staff sign-on D-204`."
    )


def test_an_earlier_at_does_not_make_a_sign_on_last_longer(house):
    late = later(house, 17)
    answer = late.dispatch({**SEAT, "at": NOON.isoformat(), "late": True}).body
    late.casino.close()

    assert answer["error"] == "NotSignedOn"


def test_the_hours_of_a_session_are_a_setting(house):
    setting = {"command": "property.set", "name": "session_hours", "value": "2"}
    assert house.boss.dispatch(setting).ok
    late = later(house, 2)
    answer = late.dispatch(SEAT).body
    late.casino.close()

    assert "after 2 hours" in answer["message"]


def test_after_the_hours_of_a_session_one_can_sign_on_anywhere(house, at_place):
    late = later(house, 16)
    at_place(ELSEWHERE)
    again, _ = sign_on(late, "D-204", PIN)
    late.casino.close()

    assert [event["why"] for event in again.body["events"][:1]] == ["ended"]
    assert again.ok


# PINs.
# fmt: off
WEAK = [
    # staff   role          pin         why
    ("D-206", "dealer",     "1234",     "easy to guess, because 1234 goes on by equal steps"),
    ("D-206", "dealer",     "8901",     "easy to guess, because 8901 goes on by equal steps"),
    ("D-206", "dealer",     "4321",     "easy to guess, because 4321 goes on by equal steps"),
    ("D-206", "dealer",     "1111",     "easy to guess, because it repeats itself"),
    ("D-206", "dealer",     "471234",   "easy to guess, because 1234 goes on by equal steps"),
    ("D-206", "dealer",     "4747",     "easy to guess, because it repeats itself"),
    ("D-206", "dealer",     "471471",   "easy to guess, because it repeats itself"),
    ("D-206", "dealer",     "2580",     "easy to guess, because the keys of 2580 are side by side"),
    ("D-206", "dealer",     "0852",     "easy to guess, because the keys of 0852 are side by side"),
    ("D-206", "dealer",     "1478",     "easy to guess, because the keys of 1478 are side by side"),
    ("S-12",  "supervisor", "702580",   "easy to guess, because the keys of 2580 are side by side"),
    ("D-206", "dealer",     "1397",     "easy to guess, because 1397 are the corners of the keys"),
    ("D-206", "dealer",     "1357",     "easy to guess, because 1357 goes on by equal steps"),
    ("D-206", "dealer",     "1122",     "easy to guess, because of the pairs in 1122"),
    ("D-206", "dealer",     "7007",     "easy to guess, because of the pairs in 7007"),
    ("D-206", "dealer",     "1984",     "easy to guess, because 1984 is a year"),
    ("D-206", "dealer",     "0206",     "made of the staff number"),
    ("D-206", "dealer",     "920647",   "made of the staff number"),
    ("R-7",   "security",   "0007",     "made of the staff number"),
    ("S-12",  "supervisor", "47110",    "shorter than 6 digits"),
    ("P-2",   "pit-boss",   "4711",     "shorter than 6 digits"),
    ("C-2",   "cage",       "4711",     "shorter than 6 digits"),
    ("V-2",   "surveillance", "4711",   "shorter than 6 digits"),
    ("U-2",   "auditor",    "4711",     "shorter than 6 digits"),
    ("A-2",   "administrator", "4711",  "shorter than 6 digits"),
]
# fmt: on


@pytest.mark.parametrize(("staff", "role", "pin", "why"), WEAK)
def test_a_weak_pin_is_refused_with_the_code_and_as_a_change(house, staff, role, pin, why):
    terminal = Dispatcher(house.casino, "test")
    code = house.enrol(staff, role)["code"]
    first, _ = sign_on(terminal, staff, code, pin)
    assert sign_on(terminal, staff, code, PIN)[0].ok  # the code is good still
    change = change_pin(terminal, staff, PIN, pin)

    for answer in (first, change):
        assert answer.body["error"] == "WeakPin"
        assert answer.body["message"] == f"The new PIN is {why}. Choose another."
    assert house.member(staff).wrong == 0


@pytest.mark.parametrize(("role", "pin"), [("dealer", "0815"), ("security", "4711")])
def test_four_digits_are_enough_for_roles_without_authority_over_money(house, role, pin):
    terminal = Dispatcher(house.casino, "test")

    assert sign_on(terminal, "X-6", house.enrol("X-6", role)["code"], pin)[0].ok


def test_the_length_of_pins_is_a_setting(house):
    setting = {"command": "property.set", "name": "pin_digits", "value": "8"}
    assert house.boss.dispatch(setting).ok
    terminal = Dispatcher(house.casino, "test")
    code = house.enrol("S-12", "supervisor")["code"]

    assert sign_on(terminal, "S-12", code, PIN)[0].body["error"] == "WeakPin"
    assert sign_on(terminal, "S-12", code, "47110815")[0].ok


def test_the_previous_pin_cannot_be_chosen_again(house):
    changed = change_pin(house.dealer, "D-204", PIN, PIN).body
    house.boss.dispatch({"command": "staff.sign-off", "staff": "D-204"})
    code = house.enrol("D-204", "dealer")["code"]
    chosen = sign_on(house.dealer, "D-204", code, PIN)[0].body

    for answer in (changed, chosen):
        assert answer["message"] == "The new PIN is the old one. Choose another."
    assert sign_on(house.dealer, "D-204", code, OTHER)[0].ok
    assert change_pin(house.dealer, "D-204", OTHER, PIN).ok  # the one before that


def test_only_a_person_who_proved_their_identity_learns_that_a_pin_is_weak(house):
    terminal = Dispatcher(house.casino, "test")
    house.enrol("S-12", "supervisor")

    assert sign_on(terminal, "S-12", "WRONGCODE2", "1111")[0].body["error"] == "WrongPin"
    assert change_pin(terminal, "D-204", PIN, "1111").body["error"] == "NotSignedOn"
    assert change_pin(house.dealer, "D-204", GUESS, "1111").body["error"] == "WrongPin"
