"""Staff numbers: who may sign on, how often a PIN may be wrong, what is kept of a no."""

from contextlib import suppress
from datetime import timedelta

import pytest
from hypothesis import given as for_all
from hypothesis import strategies as st

from domain.aggregates.staff import StaffMember
from domain.events import staff_member as events
from domain.rules.acts import act_called
from domain.rules.gaming_day import GamingClock
from domain.rules.permissions import ROLES
from domain.rules.pins import WRONG_PINS
from domain.rules.place import Place
from domain.rules.refusals import (
    BadValue,
    NotPermitted,
    NotSignedOn,
    PinLocked,
    Refusal,
    SecondPersonNeeded,
    WrongPin,
)
from tests.domain.floor import EVENING
from tests.scenario import given, replayed

LOCKED = "D-204 is locked after 10 wrong PINs. An administrator enrols it again, with a new code."
CODE, PIN, KEY = "c0de", "0123", "3q2+7wAB"  # digests; a device's public key
HERE, ELSEWHERE = Place("pit-1", "pit", "a1"), Place("pit-2", "ann", "b2")
PIT = {"machine": "pit-1", "user": "pit"}
NOBODY_KNOWS = {"machine": "", "user": ""}


def member(role="dealer"):
    key = KEY if role == "device" else ""
    return StaffMember.enrol("D-204", role, EVENING, code=CODE, key=key)


def signs_on(table="B01", *, new_pin="", place=HERE):
    return lambda staff: staff.sign_on(table, "5e55", right=True, new_pin=new_pin, place=place)


def mistypes(staff):
    with suppress(WrongPin, PinLocked):
        staff.sign_on("B01", "", right=False)


def wrong(staff):
    staff.sign_on("B01", "", right=False)


def signs_off(staff):
    staff.sign_off()


def changes_pin(*, right=True):
    return lambda staff: staff.change_pin(PIN, right=right)


def proves(*, right=True):
    return lambda staff: staff.prove("B02", right=right)


def leaves(*, right=True):
    return lambda staff: staff.leave(right=right)


def enrolled_again(role="dealer"):
    return lambda staff: staff.enrol_again(role, code=CODE)


def retired(staff):
    staff.retire("left the house")


# Each with the events that it states where nothing is in its way.
ACTS = {
    "sign on": (signs_on(), ["SignedOn"]),
    "sign on elsewhere": (signs_on(place=ELSEWHERE), ["SignedOn"]),
    "sign on with a wrong PIN": (wrong, []),
    "sign off": (signs_off, ["SignedOff"]),
    "change the PIN": (changes_pin(), ["PinChosen"]),
    "change a wrong PIN": (changes_pin(right=False), []),
    "be enrolled again": (enrolled_again(), ["CodeIssued"]),
    "retire": (retired, ["Retired"]),
    "leave by the PIN": (leaves(), ["SignedOff"]),
    "leave by a wrong PIN": (leaves(right=False), []),
    "stand by": (proves(), []),
    "stand by with a wrong PIN": (proves(right=False), []),
}
# fmt: off
NO = {
    "W": (WrongPin,     ["SignOnRefused"]),
    "X": (PinLocked,    ["SignOnRefused", "Locked"]),  # the tenth wrong one
    "H": (PinLocked,    ["SignOnRefused", "Locked", "SignedOff"]),
    "L": (PinLocked,    ["SignOnRefused"]),
    "E": (NotPermitted, ["SignOnRefused"]),            # at work elsewhere, or retired
    "R": (NotPermitted, ["ActRefused"]),
    "O": (NotSignedOn,  []),
}
LOCKS = [mistypes] * WRONG_PINS
# What happened before, then each act in the order of ACTS: + is allowed, 2 signs off as well,
# p proves a PIN after wrong ones, and the letters are those of NO.
STATES = [
    # was                 before                                     NAWFCXERGHPV
    ("enrolled",          [],                                       "++WO+W++OW+W"),
    ("wrong nine times",  LOCKS[1:],                                "++XO+X++OXpX"),
    ("locked",            LOCKS,                                    "LLLOLL++LLLL"),
    ("at work",           [signs_on()],                             "2EW++W22+W+W"),
    ("at work, nine",     [signs_on(), *LOCKS[1:]],                 "2EH++H22+HpH"),
    ("at work, locked",   [signs_on(), *LOCKS],                     "LLLOLL++LLLL"),
    ("gone home",         [signs_on(), signs_off],                  "++WO+W++OW+W"),
    ("enrolled again",    [*LOCKS, enrolled_again()],               "++WO+W++OW+W"),
    ("retired",           [retired],                                "EEEORRRROW+W"),
    ("retired at work",   [signs_on(), retired],                    "EEEORRRROW+W"),
    ("retired, locked",   [*LOCKS, retired],                        "EEEORRRRLLLL"),
]
# fmt: on
CASES = [
    pytest.param(before, act, answer, id=f"{was} > {act}")
    for was, before, answers in STATES
    for act, answer in zip(ACTS, answers, strict=True)
    if answer != " "
]


@pytest.mark.parametrize(("before", "act", "answer"), CASES)
def test_a_staff_number_in_every_state_may_do_what_it_may(before, act, answer):
    command, events = ACTS[act]
    told = given(member(), *before).when(command)

    if answer in NO:
        refusal, events = NO[answer]
        told.then_refused(refusal, *events)
    else:
        events = {"2": ["SignedOff", *events], "p": ["PinProved"]}.get(answer, events)
        told.then(*events)


def test_a_new_number_has_a_role_and_a_code():
    new = member("cage")
    events = [(type(event).TOPIC, event.staff) for event in new.pending_events]

    assert [("staff-member.enrolled", "D-204"), ("staff-member.code-issued", "D-204")] == events
    assert (new.role, new.signed_on, new.locked, new.retired) == ("cage", False, False, False)
    assert StaffMember.stream("D-204") == new.id != StaffMember.stream("D-205")
    assert (new.belongs_to, replayed(new)) == ((None, ""), new)


@pytest.mark.parametrize("table", ["B01", ""])
def test_work_begins_and_ends_at_a_table_or_at_none(table):
    staff = member()

    given(staff).when(signs_on(table)).then(
        ("SignedOn", {"table": table, "session": "5e55", **PIT, "place": "a1"})
    )
    assert (staff.table, staff.session, staff.signed_on) == (table, "5e55", True)
    assert (staff.place, staff.since) == (HERE, EVENING)
    given(staff).when(signs_off).then(("SignedOff", {"table": table, "why": "signed-off"}))
    assert (staff.table, staff.session, staff.signed_on) == (None, "", False)


def test_a_pin_is_chosen_with_the_code_before_work_begins():
    given(member()).when(signs_on(new_pin=PIN)).then(
        ("PinChosen", {"digest": PIN}),
        "SignedOn",
    )


# fmt: off
AT_WORK = [
    # at    message
    ("B02", "D-204 is signed on at B02 on pit-1 (as pit), since 21:14."),
    ("",    "D-204 is signed on at pit-1 (as pit), since 21:14."),
]
# fmt: on


@pytest.mark.parametrize(("at", "message"), AT_WORK)
def test_nobody_is_at_work_in_two_places_and_is_told_where_they_are(at, message):
    staff, vienna = member(), GamingClock("Europe/Vienna", "06:00")
    refused = {"table": "B01", "why": "signed-on-elsewhere", "machine": "pit-2", "user": "ann"}
    refusal = (
        given(staff, signs_on(at))
        .when(lambda staff: staff.sign_on("B01", "x", right=True, place=ELSEWHERE, clock=vienna))
        .then_refused(NotPermitted, ("SignOnRefused", refused))
    )
    ways = (
        " Sign off there, or here with `sabot staff sign-off D-204` and D-204's PIN; "
        "a pit boss can do it too."
    )

    assert message + ways == str(refusal)
    assert (staff.table, staff.wrong) == (at, 0)


@pytest.mark.parametrize("then", ["B01", "B02", ""])
def test_a_sign_on_at_the_same_place_ends_the_one_before_it(then):
    given(member(), signs_on("B01")).when(signs_on(then)).then(
        ("SignedOff", {"table": "B01", "why": "signed-on-again"}),
        "SignedOn",
    )


def test_work_is_over_after_the_hours_of_a_session():
    staff, device = member(), member("device")
    for each in (staff, device):
        each.sign_on("", "5e55", right=True)
    told = [staff.over(EVENING + timedelta(hours=hours), 16) for hours in (-1, 15, 16, 40)]

    assert told == [False, False, True, True]
    assert not device.over(EVENING + timedelta(days=900), 16)
    staff.sign_off()
    assert not staff.over(EVENING + timedelta(days=900), 16)


@pytest.mark.parametrize("right", [True, False])
def test_a_retired_number_does_not_sign_on_whatever_the_pin(right):
    refusal = (
        given(member(), retired)
        .when(lambda staff: staff.sign_on("B01", "", right=right))
        .then_refused(
            NotPermitted,
            ("SignOnRefused", {"table": "B01", "why": "retired", **NOBODY_KNOWS}),
        )
    )

    assert "D-204 may not sign on: the number is retired." == str(refusal)


def test_the_tenth_wrong_pin_in_a_row_locks_and_ends_the_session():
    staff = member()
    refused = ("SignOnRefused", {"table": "B01", "why": "wrong-pin", **NOBODY_KNOWS})
    first = given(staff, signs_on("B02")).when(wrong).then_refused(WrongPin, refused)
    last = (
        given(staff, *[mistypes] * 8)
        .when(wrong)
        .then_refused(
            PinLocked,
            refused,
            ("Locked", {"wrong": 10, "table": "B01"}),
            ("SignedOff", {"table": "B02", "why": "locked"}),
        )
    )

    assert str(first) == "That is not the PIN of D-204. Check the number, then type both again."
    assert (str(last), staff.locked, staff.signed_on) == (LOCKED, True, False)


def test_a_wrong_one_time_code_is_not_called_a_pin():
    def mistypes_the_code(staff):
        staff.sign_on("B01", "", right=False, new_pin=PIN)

    refused = ("SignOnRefused", {"table": "B01", "why": "wrong-pin", **NOBODY_KNOWS})
    refusal = given(member()).when(mistypes_the_code).then_refused(WrongPin, refused)

    assert "That is not the one-time code of D-204. Check the number, then type both again." == str(
        refusal
    )


def test_tries_that_no_event_tells_of_count_too():
    given(member()).when(
        lambda staff: staff.sign_on("", "", right=False, tries=WRONG_PINS, place=HERE)
    ).then_refused(
        PinLocked,
        ("SignOnRefused", {"table": "", "why": "wrong-pin", **PIT}),
        ("Locked", {"wrong": 10, "table": ""}),
    )


@pytest.mark.parametrize("right", [True, False])
def test_a_locked_number_is_not_asked_for_its_pin(right):
    staff = member()
    refusal = (
        given(staff, *LOCKS)
        .when(lambda staff: staff.sign_on("B01", "", right=right))
        .then_refused(
            PinLocked,
            ("SignOnRefused", {"table": "B01", "why": "locked", **NOBODY_KNOWS}),
        )
    )

    assert LOCKED == str(refusal)
    assert staff.wrong == WRONG_PINS


@pytest.mark.parametrize(
    "resets",
    [[signs_on()], [signs_on(), signs_off], [changes_pin()], [enrolled_again()], [proves()]],
    ids=["sign on", "sign on and off", "change the PIN", "be enrolled again", "stand by"],
)
def test_a_right_pin_or_a_new_code_begins_the_count_again(resets):
    given(member(), *LOCKS[1:], *resets, *LOCKS[2:]).when(wrong).then_refused(
        WrongPin, "SignOnRefused"
    )


def test_wrong_pins_count_together_whether_they_were_to_sign_on_or_to_change():
    given(member(), *LOCKS[1:]).when(changes_pin(right=False)).then_refused(
        PinLocked,
        ("SignOnRefused", {"table": "", "why": "wrong-pin", **NOBODY_KNOWS}),
        ("Locked", {"wrong": 10, "table": ""}),
    )


def test_wrong_pins_count_together_whether_they_were_to_sign_on_or_to_stand_by():
    given(member(), *LOCKS[1:]).when(proves(right=False)).then_refused(
        PinLocked,
        ("SignOnRefused", {"table": "B02", "why": "wrong-pin", **NOBODY_KNOWS}),
        ("Locked", {"wrong": 10, "table": "B02"}),
    )


def test_who_proved_who_they_are_is_not_at_work_by_that():
    staff = member()

    given(staff, mistypes).when(proves()).then(("PinProved", {"table": "B02"}))
    assert (staff.signed_on, staff.wrong) == (False, 0)


def test_who_stood_by_without_a_proof_is_a_event_of_who_named_them():
    given(member()).when(lambda staff: staff.miss_proof("void", "", "S-11", "WrongPin")).then(
        (
            "ActRefused",
            {
                "command": "void",
                "table": "",
                "error": "WrongPin",
                "why": "second-pin",
                "second": "S-11",
            },
        )
    )


def test_a_locked_number_changes_no_pin():
    given(member(), *LOCKS).when(changes_pin()).then_refused(
        PinLocked,
        ("SignOnRefused", {"table": "", "why": "locked", **NOBODY_KNOWS}),
    )


def test_a_code_unlocks():
    staff = member()

    given(staff, *LOCKS).when(enrolled_again()).then(("CodeIssued", {"digest": CODE}))
    assert (staff.locked, staff.wrong) == (False, 0)
    given(staff).when(signs_on(new_pin=PIN)).then("PinChosen", "SignedOn")


def test_a_number_enrolled_again_may_have_another_role():
    staff = member()

    given(staff).when(enrolled_again("supervisor")).then(
        ("RoleChanged", {"role": "supervisor", "before": "dealer"}),
        ("CodeIssued", {"digest": CODE}),
    )
    assert staff.role == "supervisor"


def test_who_retires_goes_home_first():
    staff = member()

    given(staff, signs_on()).when(retired).then(
        ("SignedOff", {"table": "B01", "why": "retired"}),
        ("Retired", {"reason": "left the house"}),
    )
    assert (staff.retired, staff.signed_on) == (True, False)


def test_whoever_chooses_a_language_is_read_to_in_it():
    staff = member()

    given(staff).when(lambda s: s.choose_language("pt")).then(
        ("LanguageChosen", {"language": "pt", "before": ""}),
    )
    assert staff.language == "pt"


# fmt: off
AGAIN = [
    (enrolled_again("cage"), "staff.enrol",  "the number is retired"),
    (retired,                "staff.retire", "the number is already retired"),
]
# fmt: on


@pytest.mark.parametrize(("act", "command", "words"), AGAIN, ids=["enrol", "retire"])
def test_a_retired_number_is_never_used_again(act, command, words):
    event = {"command": command, "table": "", "error": "NotPermitted", "why": "retired"}
    refusal = (
        given(member(), retired)
        .when(act)
        .then_refused(NotPermitted, ("ActRefused", {**event, "second": ""}))
    )

    assert f"D-204 may not {act_called(command)}: {words}." == str(refusal)


def test_what_somebody_may_not_do_is_a_event_of_theirs():
    def act(staff):
        raise staff.refuse("table.fill", "B01", "role", "a dealer may not", second="S-11")

    event = {"command": "table.fill", "table": "B01", "error": "NotPermitted", "why": "role"}
    told = given(member(), signs_on()).when(act)
    refusal = told.then_refused(NotPermitted, ("ActRefused", {**event, "second": "S-11"}))

    assert "D-204 may not record a fill: a dealer may not." == str(refusal)
    assert told.aggregate.signed_on


NAME = ". Name a supervisor or a pit boss as the second."

# fmt: off
SECONDS = [
    # second  why               message after "`table close` takes two people"
    ("",      "second-missing", NAME),
    ("D-204", "second-same",    f", and D-204 is already the first{NAME}"),
    ("S-99",  "second-unknown", f", and S-99 is no staff number{NAME}"),
    ("S-11",  "second-off",
     ", and S-11 is not signed on. Name a supervisor or a pit boss who is signed on."),
    ("S-11",  "second-unproved",
     ", and naming S-11 is not enough. On a pipe or a feed nobody can type a PIN: S-11 types "
     "theirs at the dealer's terminal, or at a shell with a keyboard."),
    ("S-11",  "second-device",
     ", and this device may not send it for two. Enter it where S-11 can type their PIN."),
    ("S-11",  "second-not-named",
     ", and S-11 neither issued nor carried the chips. Name one who did."),
    ("D-205", "second-role",    f", and D-205 has another role{NAME}"),
    ("S-12",  "second-retired", f", and S-12 is retired{NAME}"),
    ("S-13",  "second-no-pin",
     ", and S-13 has no PIN yet. S-13 chooses one at the first sign-on."),
]
# fmt: on


@pytest.mark.parametrize(("second", "why", "then"), SECONDS)
def test_r_irr_5_a_second_person_who_cannot_be_it_is_recorded(second, why, then):
    said = []
    event = {"command": "table.close", "table": "B01", "error": "SecondPersonNeeded"}
    given(member(), signs_on()).when(
        lambda staff: said.append(
            staff.miss_second("table.close", "B01", ("supervisor", "pit-boss"), second, why)
        )
    ).then(("ActRefused", {**event, "why": why, "second": second}))
    (missing,) = said
    expected = f"`table close` takes two people{then}"

    assert expected == str(missing)
    assert ("SecondPersonNeeded", "R-IRR-5", True) == (
        missing.error,
        missing.rule,
        missing.recorded,
    )
    assert not SecondPersonNeeded.recorded


ANY_ACT = st.one_of(
    st.sampled_from([wrong, changes_pin(right=False), proves(right=False)]),
    st.sampled_from([command for command, _ in ACTS.values()]),
    st.sampled_from(ROLES).map(enrolled_again),
)


@for_all(st.lists(ANY_ACT, max_size=60))
def test_nobody_signs_on_after_ten_wrong_pins_in_a_row_until_there_is_a_new_code(acts):
    staff = member()
    for act in acts:
        with suppress(Refusal):
            act(staff)
    in_a_row, locked, at_work = 0, False, False
    for event in staff.pending_events:
        kind = type(event).__name__
        if kind == "SignedOn":
            assert (locked, at_work) == (False, False)
            at_work, in_a_row = True, 0
        elif kind == "SignedOff":
            assert at_work
            at_work = False
            in_a_row = 0 if event.why == "by-pin" else in_a_row
        elif kind in ("CodeIssued", "PinChosen", "PinProved"):
            assert (kind, locked) != ("PinProved", True)
            locked, in_a_row = locked and kind != "CodeIssued", 0
        elif kind == "SignOnRefused" and event.why == "wrong-pin":
            in_a_row += 1
        elif kind == "Locked":
            locked = True
        assert in_a_row <= WRONG_PINS

    assert (in_a_row == WRONG_PINS) == locked
    assert (locked, at_work) == (staff.locked, staff.signed_on)
    assert replayed(staff) == staff


# A device's key
def test_a_device_is_enrolled_with_its_key_and_gets_no_code():
    device = member("device")

    assert device.key == KEY
    assert [type(each) for each in device.pending_events] == [events.Enrolled, events.KeyRegistered]


def test_a_device_without_a_key_waits_for_one():
    device = StaffMember.enrol("X-1", "device", EVENING, code="")
    device.enrol_again("device", code="", key=KEY)

    assert device.key == KEY


def test_a_person_has_no_key():
    with pytest.raises(BadValue, match="Only a device has a key"):
        StaffMember.enrol("D-204", "dealer", EVENING, code=CODE, key=KEY)


def test_lines_that_did_not_arrive_are_recorded_with_their_numbers():
    device = member("device")
    device.miss_lines(18, 20, "B01")
    last = device.pending_events[-1]

    assert (last.first, last.last, last.table) == (18, 20, "B01")
