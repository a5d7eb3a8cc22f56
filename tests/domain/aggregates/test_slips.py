"""Fills and credits: numbered without a gap, used once, and moved by nobody alone."""

from contextlib import suppress
from datetime import date

import pytest
from hypothesis import given as for_all
from hypothesis import strategies as st

from domain.aggregates.slips import SlipBook, gaming_year
from domain.events import slip_book
from domain.rules.money import LARGEST_AMOUNT
from domain.rules.refusals import BadValue, NotFound, Refusal, SecondPersonNeeded, SlipReused
from tests.domain.floor import EVENING
from tests.scenario import given, replayed

TABLE_DAY = "B01/2026-11-21"
CHIPS = {"10000": 50, "2500": 40}
FIRST = "2026-000001"
NAMED = {"slip": FIRST, "table_day": TABLE_DAY}


def book():
    return SlipBook.begin_year(2026, EVENING)


def requested(kind="fill", chips=CHIPS, by="S-11"):
    return lambda book: book.request(kind, TABLE_DAY, chips, by)


def issued(slip=FIRST, cashier="C-7"):
    return lambda book: book.issue(slip, cashier)


def carried(slip=FIRST, runner="R-3"):
    return lambda book: book.carry(slip, runner)


def received(slip=FIRST, dealer="D-204", supervisor="S-11"):
    return lambda book: book.receive(slip, dealer, supervisor)


def voided(slip=FIRST, by="S-11", approved_by="P-2"):
    return lambda book: book.void(slip, "wrong denomination", by, approved_by)


ISSUE, CARRY, RECEIVE, VOID = (
    ("issue", issued()),
    ("carry", carried()),
    ("receive", received()),
    ("void", voided()),
)
ACTS = (ISSUE, CARRY, RECEIVE, VOID)

# What was done with a slip since it was requested, the step that it step at, then each act in
# the order of ACTS: + is allowed, E is too early, R is a second use.
# fmt: off
LIFE = [
    # taken                   step at    ICRV
    ([],                      "requested", "+EE+"),
    ([ISSUE],                 "issued",    "R+E+"),
    ([ISSUE, CARRY],          "carried",   "RR++"),
    ([ISSUE, CARRY, RECEIVE], "received",  "RRRR"),
    ([VOID],                  "voided",    "RRRR"),
    ([ISSUE, VOID],           "voided",    "RRRR"),
    ([ISSUE, CARRY, VOID],    "voided",    "RRRR"),
]
# fmt: on
STATED = {"issue": "Issued", "carry": "Carried", "receive": "Received", "void": "Voided"}
CASES = [
    pytest.param(taken, step, act, answer, id=f"{' '.join(n for n, _ in taken)} > {act[0]}")
    for taken, step, answers in LIFE
    for act, answer in zip(ACTS, answers, strict=True)
]


@pytest.mark.parametrize(("taken", "step", "act", "answer"), CASES)
def test_a_slip_takes_each_step_once_and_in_order(taken, step, act, answer):
    name, command = act
    told = given(book(), requested(), *(step for _, step in taken)).when(command)

    if answer == "+":
        told.then(f"Slip{STATED[name]}")
    elif answer == "E":
        refusal = told.then_refused(BadValue)

        assert f"Slip {FIRST} is only {step}. Next comes `slip " in str(refusal)
    else:
        refused = ("SlipReuseRefused", {**NAMED, "act": name, "why": step})
        refusal = told.then_refused(SlipReused, refused)

        used = "void" if step == "voided" else f"already {step}"
        assert f"Slip {FIRST} is {used}. Take the next number" in str(refusal)
        assert told.aggregate.slips[FIRST].step == step


def test_a_year_opens_its_book():
    event = book().pending_events[0]

    assert (type(event).TOPIC, event.year) == ("slip-book.opened", 2026)
    assert SlipBook.stream(2026) == book().id != SlipBook.stream(2027)
    assert gaming_year(date(2026, 12, 31)) == 2026


def test_a_request_tells_the_chips_and_what_they_are_worth():
    given(book()).when(requested("credit")).then(
        (
            "SlipRequested",
            {
                **NAMED,
                "kind": "credit",
                "chips": CHIPS,
                "total": 6_000_00,
                "requested_by": "S-11",
            },
        )
    )


def test_every_step_says_whose_it_is_and_the_last_is_told_whole():
    given(book(), requested()).when(issued()).then(("SlipIssued", {**NAMED, "cashier": "C-7"}))
    given(book(), requested(), issued()).when(carried()).then(
        ("SlipCarried", {**NAMED, "runner": "R-3"})
    )
    told = given(book(), requested(), issued(), carried()).when(received())
    told.then(
        (
            "SlipReceived",
            {
                **NAMED,
                "kind": "fill",
                "chips": CHIPS,
                "total": 6_000_00,
                "issued_by": "C-7",
                "carried_by": "R-3",
                "dealer": "D-204",
                "supervisor": "S-11",
            },
        )
    )
    expected = {"requested": "S-11", "issued": "C-7", "carried": "R-3", "received": "D-204"}

    assert expected == told.aggregate.slips[FIRST].people


def test_serials_are_counted_from_one_without_a_gap_whatever_kind_they_are():
    slips = book()
    serials = [requested(kind)(slips) for kind in ("fill", "credit", "fill")]

    assert ["2026-000001", "2026-000002", "2026-000003"] == serials
    assert SlipBook.begin_year(2027, EVENING).request("fill", TABLE_DAY, CHIPS, "S-11") == (
        "2027-000001"
    )


def test_a_voided_slip_keeps_its_number():
    told = given(book(), requested()).when(voided())
    told.then(
        (
            "SlipVoided",
            {
                **NAMED,
                "kind": "fill",
                "chips": CHIPS,
                "total": 6_000_00,
                "reason": "wrong denomination",
                "by": "S-11",
                "approved_by": "P-2",
            },
        )
    )

    assert requested()(told.aggregate) == "2026-000002"
    assert list(told.aggregate.slips) == ["2026-000001", "2026-000002"]


def test_a_request_that_is_refused_takes_no_number():
    told = given(book()).when(requested(chips={}))
    told.then_refused(BadValue)

    assert requested()(told.aggregate) == FIRST


@pytest.mark.parametrize(
    ("act", "message"),
    [
        (requested("gift"), "kind cannot be 'gift': write `fill` or `credit`."),
        (requested(chips={}), "There are no chips on the slip. Name at least one chip."),
        (
            requested(chips={"10000": 0, "2500": 0}),
            "There are no chips on the slip. Name at least one chip.",
        ),
        (
            requested(chips={"1": LARGEST_AMOUNT + 1}),
            "These chips are worth more than 2^53 minor units. Count them again.",
        ),
    ],
)
def test_what_no_slip_can_say_is_refused(act, message):
    assert message == str(given(book()).when(act).then_refused(BadValue))


def test_the_largest_amount_can_still_be_requested():
    given(book()).when(requested(chips={"1": LARGEST_AMOUNT})).then("SlipRequested")


@pytest.mark.parametrize("act", [issued(), carried(), received(), voided()])
def test_a_slip_that_nobody_requested_is_not_there(act):
    refusal = given(book()).when(act).then_refused(NotFound)

    assert str(refusal) == f"The ledger has no slip {FIRST}."


@pytest.mark.parametrize(
    ("earlier", "act", "message"),
    [
        (
            [],
            issued(cashier="S-11"),
            "S-11 already requested slip 2026-000001. Another person has to do this step.",
        ),
        (
            [issued()],
            carried(runner="S-11"),
            "S-11 already requested slip 2026-000001. Another person has to do this step.",
        ),
        (
            [issued()],
            carried(runner="C-7"),
            "C-7 already issued slip 2026-000001. Another person has to do this step.",
        ),
        (
            [issued(), carried()],
            received(dealer="S-11"),
            ("S-11 cannot be both dealer and supervisor of slip 2026-000001. Name another person."),
        ),
    ],
)
def test_nobody_moves_chips_alone(earlier, act, message):
    told = given(book(), requested(), *earlier).when(act)

    assert message == str(told.then_refused(BadValue))


def test_people_who_were_not_named_are_not_taken_for_the_same():
    unnamed = [requested(by=""), issued(cashier=""), carried(runner="")]

    given(book(), *unnamed).when(received(dealer="", supervisor="")).then("SlipReceived")


@pytest.mark.parametrize("approved_by", ["", "S-11"])
def test_a_slip_is_voided_by_two_people(approved_by):
    told = given(book(), requested()).when(voided(approved_by=approved_by))
    refusal = told.then_refused(SecondPersonNeeded)

    assert "Voiding a slip takes two people. Name a supervisor as the second." == str(refusal)


def test_another_slip_goes_its_own_way():
    second = "2026-000002"

    given(book(), requested(), requested(), voided()).when(issued(second)).then(
        ("SlipIssued", {"slip": second, "table_day": TABLE_DAY, "cashier": "C-7"})
    )


NUMBERS = st.integers(1, 4).map(lambda number: f"2026-{number:06}")
STAFF = st.sampled_from(["", "S-11", "C-7", "R-3", "D-204"])
ANY_ACT = st.one_of(
    st.builds(requested, st.sampled_from(["fill", "credit"]), by=STAFF),
    st.just(requested(chips={})),
    st.builds(issued, NUMBERS, STAFF),
    st.builds(carried, NUMBERS, STAFF),
    st.builds(received, NUMBERS, STAFF, STAFF),
    st.builds(voided, NUMBERS, STAFF, STAFF),
)


@for_all(st.lists(ANY_ACT, max_size=30))
def test_serials_have_no_gap_and_no_double_after_whatever_was_done(acts):
    slips = book()
    for act in acts:
        with suppress(Refusal):
            act(slips)
    events = slips.pending_events
    serials = [event.slip for event in events if isinstance(event, slip_book.SlipRequested)]
    ended = [
        event.slip
        for event in events
        if isinstance(event, slip_book.SlipReceived | slip_book.SlipVoided)
    ]

    assert [f"2026-{number:06}" for number in range(1, len(serials) + 1)] == serials
    assert serials == list(slips.slips)
    assert len(ended) == len(set(ended))
    assert replayed(slips) == slips
