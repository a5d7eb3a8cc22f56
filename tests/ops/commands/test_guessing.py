"""Guessing PINs: one place that guesses waits, no guess is free, and nobody learns a number."""

import re
import threading
from concurrent.futures import ThreadPoolExecutor

from domain.rules.permissions import ROLES
from domain.rules.pins import WRONG_HERE, WRONG_PINS
from domain.rules.place import Place
from domain.rules.roles import role_label
from ops.commands.authority import Authority
from ops.commands.casino import Casino
from ops.handlers import for_two, questions
from ops.handlers.dispatcher import Dispatcher
from ops.handlers.for_two import answer_for_two, is_on_record
from ops.handlers.questions import Send, Signed
from ops.handlers.sign_on import sign_on, signature
from ops.handlers.to_sign import ToSign
from ops.handlers.trial import to_sign
from ops.ledger.appending import NotAppended
from ops.ledger.recorder import Ledger
from ops.ledger.secrets import People
from tests.conftest import ELSEWHERE, HERE
from tests.worlds.closed_house import GUESS, LIMITS, PIN
from tests.worlds.devices import KEY

DEALERS = ("D-204", "D-205")
MANY = 12


def tries(house, staff, pin=GUESS, more=None):
    answer, _ = sign_on(Dispatcher(house.casino, "test"), staff, pin, **more or {})
    return answer.body


def waited(superuser):
    """The time is over that the places had to wait."""
    superuser.execute("UPDATE people.pin_places SET until = clock_timestamp()")


def at_once(database, guesses):
    """What each was answered: processes of their own, all of which type at the same moment."""
    begins = threading.Barrier(len(guesses))

    def typed(guess):
        casino = Casino(Ledger(database))
        casino.ledger.append  # noqa: B018
        begins.wait(30)
        try:
            return guess(Dispatcher(casino, "test", sleep=lambda _: None))
        finally:
            casino.close()

    with ThreadPoolExecutor(len(guesses)) as pool:
        return list(pool.map(typed, guesses))


# A place.
def test_three_wrong_pins_slow_a_machine_down_and_lock_no_number(house, at_place):
    told = [tries(house, staff) for staff in ("D-205", "S-11", "P-1")]
    slowed = [tries(house, "D-205", PIN), tries(house, "S-11", PIN)]
    at_place(ELSEWHERE)

    assert [each["error"] for each in told] == ["WrongPin"] * WRONG_HERE
    assert {each["error"] for each in slowed} == {"PinsSlowed"}
    assert re.fullmatch(
        "Too many wrong PINs were typed on this machine. Wait [123]?[0-9] seconds, then try again.",
        slowed[0]["message"],
    )
    assert [tries(house, staff, PIN)["ok"] for staff in ("D-205", "S-11", "P-1")] == [True] * 3


def test_each_further_wrong_pin_doubles_the_wait(house, superuser):
    waits = []
    for _ in range(7):
        tries(house, "D-205")
        (seconds,) = superuser.execute(
            "SELECT round(extract(epoch FROM until - clock_timestamp())) FROM people.pin_places"
        ).fetchone()
        waits.append(max(int(seconds), 0))
        waited(superuser)

    assert waits[:2] == [0, 0]
    assert [round(each / 30) for each in waits[2:]] == [1, 2, 4, 8, 16]


def test_while_a_machine_waits_no_pin_is_checked_or_counted(house):
    for _ in range(WRONG_HERE + 5):
        tries(house, "D-205")

    assert house.member("D-205").wrong == WRONG_HERE


def test_a_right_pin_resets_only_the_wrong_ones_of_its_own_number(house, superuser):
    """One's own PIN in between buys no more guesses at another's."""
    for staff in ("S-11", "S-11", "P-1"):
        tries(house, staff)
    waited(superuser)
    assert tries(house, "D-205", PIN)["ok"]
    (wrong,) = superuser.execute("SELECT wrong FROM people.pin_places").fetchone()
    assert wrong == ["S-11", "S-11", "P-1"]
    assert tries(house, "S-11")["error"] == "WrongPin"  # nobody waits for a right one
    assert tries(house, "S-11")["error"] == "PinsSlowed"


def test_wrong_pins_count_for_an_hour(house, superuser):
    for _ in range(WRONG_HERE):
        tries(house, "D-205")
    superuser.execute("UPDATE people.pin_places SET until = until - interval '2 hours'")

    assert [tries(house, "D-205")["error"] for _ in range(WRONG_HERE)] == ["WrongPin"] * WRONG_HERE


def test_wrong_pins_of_second_persons_and_at_sign_on_slow_a_machine_together(house):
    for _ in range(WRONG_HERE - 1):
        house.types(GUESS)
    tries(house, "D-205")
    slowed = house.types(PIN)

    assert slowed["error"] == "PinsSlowed"
    assert tries(house, "D-205", PIN)["error"] == "PinsSlowed"
    assert house.member("S-11").wrong == WRONG_HERE - 1


def test_a_right_pin_that_is_sent_twice_at_once_is_right_twice(house, database):
    """After two wrong ones; while it is checked it is counted as the third."""
    for _ in range(WRONG_HERE - 1):
        tries(house, "D-205")
    both = at_once(database, [lambda sender: sign_on(sender, "D-205", PIN)[0].body] * 2)

    assert [each.get("error") for each in both] == [None, None]


def test_a_form_that_is_sent_twice_at_once_is_answered_twice_alike(house, database):
    for _ in range(WRONG_HERE - 1):
        house.types(GUESS)

    def types(sender):
        sender.authority = house.dealer.authority.__class__(sender.casino, house.token("D-204"))
        line = {"command": "table.limits", **LIMITS, "with": "S-11", "id": "k-1"}
        return answer_for_two(sender, line, lambda *_: PIN).body

    both = at_once(database, [types, types])

    assert both[0]["ok"]
    assert both[0]["position"] == both[1]["position"]


def recorded_meanwhile(monkeypatch, of_two, sends):
    """The same form twice: the other is recorded once this one was looked for, before its trial."""
    others = []

    def looked_for(dispatcher, line):
        known = is_on_record(dispatcher, line)
        if not others:
            others.append(None)
            others[0] = sends().body
        return known

    monkeypatch.setattr(of_two, "is_on_record", looked_for)
    return sends().body, others[0]


def test_a_form_that_is_recorded_meanwhile_has_its_answer(house, monkeypatch):
    line = {"command": "table.limits", **LIMITS, "with": "S-11", "id": "k-1"}

    def sends():
        return answer_for_two(house.dealer, line, lambda *_: PIN)

    this, other = recorded_meanwhile(monkeypatch, for_two, sends)
    assert this["ok"]
    assert this == other


def test_a_line_from_a_terminal_that_is_recorded_meanwhile_has_its_answer(house, monkeypatch):
    """A fill: tried again it would be another one, with a slip of its own."""
    supervisor = house.dispatchers["S-11"]
    house.sign_on("S-11")
    for staff, role in (("C-1", "cage"), ("R-1", "security")):
        house.join(staff, role)
    line = {"command": "table.fill", "table": "B01", "chips": {"10000": 1}, "requested_by": "S-11"}
    line |= {"cashier": "C-1", "runner": "R-1", "with": "C-1", "id": "k-1"}
    shown = to_sign(supervisor, line).mark

    def sends():
        (answer,) = Send([line], Signed("C-1", PIN, (shown,))).answered(supervisor)
        return answer

    this, other = recorded_meanwhile(monkeypatch, questions, sends)
    assert this["ok"]
    assert this == other


# A number.
def test_a_number_locks_after_wrong_pins_in_a_row_on_all_machines_together(house, at_place):
    told = []
    for n in range(WRONG_PINS):
        at_place(Place(f"pit-{n}", "guest", f"c{n}"))
        told.append(tries(house, "D-204")["error"])
    at_place(HERE)

    assert told == ["WrongPin"] * (WRONG_PINS - 1) + ["PinLocked"]
    assert tries(house, "D-204", PIN)["error"] == "PinLocked"


def test_a_lock_out_ends_the_open_session_and_is_an_event(house, patient):
    told = [tries(house, "D-204") for _ in range(WRONG_PINS)]
    line = {"command": "table.seat", "table": "B01", "seat": 3, "patron": "P-3"}
    kept = house.member("D-204")

    assert told[-1]["error"] == "PinLocked"
    assert [event["type"] for event in told[-1]["events"]] == [
        *("SignOnRefused", "Locked", "SignedOff"),
    ]
    assert (kept.signed_on, kept.locked) == (False, True)
    assert house.dealer.dispatch(line).body["error"] == "NotSignedOn"


def test_wrong_keys_do_not_lock_a_device(house, patient):
    house.enrol("DEV-1", "device")
    told = {tries(house, "DEV-1", pin)["error"] for pin in [GUESS] * (WRONG_PINS + 1) + [KEY]}

    assert told == {"WrongPin"}
    assert house.member("DEV-1").signed_on


# Several at once.
def test_simultaneous_guesses_on_one_machine_are_limited_to_three(house, database):
    told = at_once(
        database, [lambda dispatcher: sign_on(dispatcher, "D-205", GUESS)[0].body] * MANY
    )
    judged = [each for each in told if each["error"] != "PinsSlowed"]

    assert len(judged) == WRONG_HERE
    assert {each["error"] for each in judged} <= {"WrongPin", "Conflict"}


def test_simultaneous_guesses_on_many_machines_lock_the_number(house, database, patient):
    """Those that end in a conflict count too: none of them is a free try."""
    told = at_once(
        database, [lambda dispatcher: sign_on(dispatcher, "D-205", GUESS)[0].body] * MANY
    )
    errors = [each["error"] for each in told]
    after = tries(house, "D-205", PIN)

    assert set(errors) <= {"WrongPin", "PinLocked", "Conflict"}
    assert after["error"] in ("WrongPin", "PinLocked")
    assert tries(house, "D-205", PIN)["error"] == "PinLocked"
    assert house.member("D-205").locked


def test_a_wrong_pin_whose_line_ends_in_a_conflict_counts(house, patient, monkeypatch):
    def overtaken(*_):
        raise NotAppended("conflict")

    with monkeypatch.context() as patch:
        patch.setattr(Ledger, "append", overtaken)
        told = [tries(house, "D-205")["error"] for _ in range(WRONG_PINS)]
    first, then = tries(house, "D-205", PIN), tries(house, "D-205", PIN)

    assert told == ["Conflict"] * WRONG_PINS
    assert (first["error"], then["error"]) == ("PinLocked", "PinLocked")


def test_a_right_pin_typed_before_the_number_locked_still_counts(house, patient):
    """Nine wrong, then the right one: it begins the count again, here and in the record."""
    for _ in range(WRONG_PINS - 1):
        tries(house, "D-205")
    assert tries(house, "D-205", PIN)["ok"]
    house.boss.dispatch({"command": "staff.sign-off", "staff": "D-205"})

    assert [tries(house, "D-205")["error"] for _ in range(2)] == ["WrongPin"] * 2
    assert tries(house, "D-205", PIN)["ok"]


def test_right_pins_that_prove_nothing_lock_nobody(house):
    """A line may be refused after its second person typed a right PIN."""
    for _ in range(WRONG_PINS * 2):
        house.types(PIN, {**LIMITS, "minimum": 1})

    assert tries(house, "S-11")["error"] == "WrongPin"
    assert tries(house, "S-11", PIN)["ok"]


# Whoever guesses numbers.
def test_no_message_reveals_which_numbers_exist(house, patient):
    house.join("X-1", "supervisor")
    house.boss.dispatch({"command": "staff.retire", "staff": "X-1"})
    house.enrol("X-2", "supervisor")
    house.enrol("X-3", "device")
    for command in ("staff.sign-on", "staff.sign-off"):
        told = []
        for staff in ("S-11", "X-1", "X-2", "X-3", "X-99"):
            stranger = Dispatcher(house.casino, "test")
            proof = People(house.casino.ledger).proof(staff, GUESS)
            answer = stranger.dispatch({"command": command, "staff": staff}, proof)
            told.append(str(answer).replace(staff, "it"))

        assert len(set(told)) == 1, told
        assert "events" not in told[0]


def test_a_pin_is_hashed_for_unknown_numbers_too(house, patient, monkeypatch):
    """So that an answer takes about as long as that of a number that has a PIN."""
    hashed = []
    for work in ("hash", "verify"):
        original = getattr(__import__("argon2").PasswordHasher.func, work)
        monkeypatch.setattr(
            f"argon2.PasswordHasher.func.{work}",
            lambda *told, original=original: (hashed.append(1), original(*told))[1],
        )
    house.enrol("X-2", "supervisor")
    counts = []
    for staff in ("S-11", "X-2", "X-99"):
        hashed.clear()
        tries(house, staff)
        counts.append(len(hashed))

    assert counts == [1, 1, 1]


# One number, enrolled by several at once.
def test_a_number_that_is_enrolled_at_once_under_six_roles_is_enrolled_once(house, database):
    roles = [role for role in ROLES if role not in ("device", "administrator", "auditor")]
    token = house.boss.authority.token

    def enrols(role):
        def dispatch(dispatcher):
            dispatcher.authority = Authority(dispatcher.casino, token)
            line = {"command": "staff.enrol", "staff": "N-1", "name": role, "role": role}
            return dispatcher.dispatch(line).body

        return dispatch

    told = at_once(database, [enrols(role) for role in roles])
    (won,) = [each for each in told if each["ok"]]
    role = won["events"][0]["role"]
    refused = [each for each in told if not each["ok"]]

    assert len(refused) == len(roles) - 1 == 5
    assert {each["message"] for each in refused} == {
        f"N-1 is enrolled as {role_label(role)}. To give another role, add `--again`."
    }
    assert house.member("N-1").role == role
    assert People(house.casino.ledger).name("N-1") == role


def test_another_role_is_given_only_with_again(house):
    line = {"command": "staff.enrol", "staff": "D-205", "name": "D", "role": "supervisor"}
    slip, meant = house.boss.dispatch(line).body, house.boss.dispatch({**line, "again": True}).body

    assert slip["error"] == "BadValue"
    assert [event["type"] for event in meant["events"]] == ["RoleChanged", "CodeIssued"]


def test_after_a_wrong_pin_a_second_person_is_checked_only_after_the_wait(house, superuser):
    for _ in range(WRONG_HERE):
        house.types(GUESS)
    proof = signature(house.dealer, "S-11", PIN, ToSign()).proof
    waited(superuser)

    assert (proof.right, proof.waits > 0) == (False, True)
    assert house.types(PIN)["ok"]
