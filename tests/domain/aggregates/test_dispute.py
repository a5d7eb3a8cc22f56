"""R-IRR-5: a dispute is frozen, decided by two people, told, and closed; then it is over."""

from datetime import datetime, timedelta

import pytest
from msgspec.structs import asdict

from domain.aggregates.corrections import Rightly
from domain.aggregates.dispute import Dispute, Frozen
from domain.rules.addresses import Case
from domain.rules.evidence import Evidence
from domain.rules.refusals import (
    BadValue,
    CaseClosed,
    CaseUnfinished,
    CoupNotFinished,
    MissingField,
    SecondPersonNeeded,
)
from tests.domain.cases import BETS, CASE, COUP, closed, closed_case, coup, decided, open_case, told
from tests.domain.floor import (
    BANKER_WINS,
    DAY,
    EVENING,
    correct,
    dealt,
    house,
    open_coup,
    settle,
    void,
)
from tests.scenario import given

HALF_AN_HOUR = (EVENING + timedelta(minutes=30)).isoformat()


def held_case():
    return open_case(hold=True)


def to_notify():
    return open_case(house=house(regulator="nevada"), amount=500_00)


def notified(case):
    case.notify("2026/1182", "V-2")


def released(case):
    case.release("S-11")


def held(case):
    case.hold("PB-2")


def noted(case):
    case.note("the chips lay on Banker", [], "V-2")


def first_event(case):
    return asdict(case.pending_events[0])


# Opened.
def test_a_case_freezes_the_coup_and_what_the_replay_said_of_it():
    differing = ["outcome: recorded tie, today banker"]
    frozen = Frozen(48_213, 9, "settled", agrees=False, disagreements=differing)
    event = first_event(open_case(frozen=frozen))
    expected = {
        "case": "C-2026-0007",
        "coup": COUP,
        "table_day": str(DAY),
        "patron": "P-3",
        "wagers": [{"seat": 3, "spot": "banker", "stake": 100_00, "paid": 200_00}],
        "complaint": "I was not paid",
        "amount": 200_00,
        "amount_named": False,
        "hold": False,
        "frozen_at": 48_213,
        "coup_version": 9,
        "coup_phase": "settled",
        "agrees": False,
        "disagreements": differing,
        "notify_by": None,
        "others": [],
        "opened_by": "D-204",
    }

    assert expected == {name: event[name] for name in expected}
    assert open_case().belongs_to == (DAY.day, "B01")
    assert Dispute.stream(CASE) == open_case().id != Dispute.stream(Case(2026, 8))


# fmt: off
AMOUNTS = [
    # of                                            names          said     amount   it is
    (coup(),                                        ("P-3",),      None,    200_00,  "paid"),
    (coup(),                                        ("P-5",),      None,    120_00,  "if it won"),
    (coup(),                                        ("P-3", "P-5"), None,   200_00,  "of one side"),
    (coup(),                                        ("P-9",),      None,    None,    "unknown"),
    (coup(),                                        ("P-9",),      75_00,   75_00,   "as said"),
    (coup(),                                        ("P-3",),      75_00,   75_00,   "as said"),
    (open_coup(bets=BETS),                          ("P-3",),      None,    200_00,  "lying"),
    (open_coup(bets=[(3, "tie", 50_00)]),           ("P-3",),      None,    450_00,  "8 to 1"),
]
# fmt: on


@pytest.mark.parametrize(("of", "names", "said", "amount", "_"), AMOUNTS)
def test_what_it_is_about_is_what_was_said_or_the_most_that_it_may_have_been_paid(
    of, names, said, amount, _
):
    event = first_event(open_case(of, names, amount=said))

    assert (event["amount"], event["amount_named"]) == (amount, said is not None)


# fmt: off
NOTICES = [
    # regulator    names      amount    must hear
    ("nevada",     ("P-3",),  500_00,   True),
    ("nevada",     ("P-3",),  499_99,   False),
    ("nevada",     ("P-3",),  None,     False),  # 200.00 was paid
    ("nevada",     ("P-9",),  None,     True),   # nobody knows
    ("singapore",  ("P-3",),  1,        True),
    ("singapore",  ("P-9",),  None,     True),
    ("none",       ("P-9",),  None,     False),
    ("none",       ("P-3",),  500_00,   False),
]
# fmt: on


@pytest.mark.parametrize(("regulator", "names", "amount", "must"), NOTICES)
def test_the_regulator_hears_of_what_it_asks_for(regulator, names, amount, must):
    settings = {} if regulator == "none" else {"regulator": regulator}
    event = first_event(open_case(names=names, amount=amount, house=house(**settings)))

    assert event["notify_by"] == (HALF_AN_HOUR if must else None)


def test_a_case_names_those_that_the_coup_had_already_and_how_far_they_came():
    others = [open_case(), given(open_case(), decided()).aggregate, closed_case()]

    assert [each["status"] for each in first_event(open_case(others=others))["others"]] == [
        *("open", "decided", "closed"),
    ]
    assert given(open_case(), decided(), told()).aggregate.status == "told"


# Noted.
@pytest.mark.parametrize(("ahead", "seconds"), [(1_500, "03.500"), (-2_000, "07"), (0, "05")])
def test_a_camera_s_moment_is_told_by_its_own_clock_and_by_the_record_s(ahead, seconds):
    seen = Evidence("CAM-14", datetime.fromisoformat("2026-11-21T20:14:05+00:00"), ahead)
    record = {
        "camera": "CAM-14",
        "at": "2026-11-21T20:14:05+00:00",
        "ahead": ahead,
        "by_record": f"2026-11-21T20:14:{seconds}+00:00",
    }

    given(open_case()).when(lambda case: case.note("seen", [seen], "V-2")).then(
        ("Noted", {"text": "seen", "evidence": [record], "what_if": [], "by": "V-2"})
    )


# Decided.
def decision(**said):
    return "Decided", {
        "number": 1,
        "decision": "stand",
        "reason": "the camera",
        "seat": None,
        "spot": None,
        "to": None,
        "changes_hands": 0,
        "commission_changes": 0,
        "effect": "the payment stands",
        "tell_by": HALF_AN_HOUR,
        "decided_by": "S-11",
        "approved_by": "PB-2",
        "as_spot": None,
        "notify_by": None,
        **said,
    }


def test_a_payment_that_stands_changes_nothing():
    given(open_case()).when(decided()).then(decision())


def test_a_correction_says_what_it_comes_to():
    _, change = coup(correct(3, "banker", 0))
    which = {"seat": 3, "spot": "banker", "to": 0}

    given(open_case()).when(decided("correct", [change], commission=-5_00, **which)).then(
        decision(
            decision="correct",
            **which,
            changes_hands=-200_00,
            commission_changes=-5_00,
            effect="seat 3 banker is paid 0.00 in all, not 200.00; 5.00 less commission",
        )
    )


def test_a_correction_says_as_what_it_is_paid():
    _, change = coup(correct(5, "player", as_spot="banker"))
    which = {"seat": 5, "spot": "player", "as_spot": "banker"}

    given(open_case()).when(decided("correct", [change], commission=3_00, **which)).then(
        decision(
            decision="correct",
            **which,
            changes_hands=120_00,
            commission_changes=3_00,
            effect="seat 5 player, as banker, is paid 120.00 in all, not 0.00; "
            "3.00 more commission",
        )
    )


def test_a_void_says_it_of_every_wager():
    _, changes = coup(void())

    given(open_case()).when(decided("void", changes, commission=-5_00)).then(
        decision(
            decision="void",
            changes_hands=-100_00 + 60_00,
            commission_changes=-5_00,
            effect="the coup is void; seat 3 banker is paid 100.00 in all, not 200.00; "
            "seat 5 player is paid 60.00 in all, not 0.00; 5.00 less commission",
        )
    )


# fmt: off
ALONE = [
    # by       with      then
    ("S-11",   "",       ". Name a supervisor as the second."),
    ("S-11",   "S-11",   ", and S-11 is already the first. Name another supervisor as the second."),
    ("",       "PB-2",   ". Name who asks for it, and a supervisor as the second."),
]
# fmt: on


@pytest.mark.parametrize(("by", "second", "then"), ALONE)
def test_r_irr_5_every_decision_takes_two_people(by, second, then):
    told = given(open_case()).when(decided(by=by, approved_by=second))
    expected = f"Deciding a dispute takes two people{then}"

    assert expected == str(told.then_refused(SecondPersonNeeded))


# fmt: off
FIELDS = [
    # decision   fields                                      error
    ("stand",    {"seat": 3},                                BadValue),
    ("stand",    {"spot": "banker"},                         BadValue),
    ("void",     {"as_spot": "banker"},                      BadValue),
    ("void",     {"to": 0},                                  BadValue),
    ("correct",  {"spot": "banker"},                         MissingField),
    ("correct",  {"seat": 3},                                MissingField),
]
# fmt: on


@pytest.mark.parametrize(("choice", "fields", "error"), FIELDS)
def test_only_a_correction_says_of_which_wager_and_it_must(choice, fields, error):
    given(open_case()).when(decided(choice, **fields)).then_refused(error)


def test_r_irr_5_what_a_decision_changed_does_not_stand():
    _, change = coup(correct(3, "banker", 150_00))
    played, changes = coup(void())
    paid = decided("correct", [change], seat=3, spot="banker", to=150_00, commission=-2_50)
    by_the_cards = given(open_case(), paid).when(decided()).then_refused(BadValue)
    voided = given(open_case(), decided("void", changes)).when(decided()).then_refused(BadValue)

    assert str(by_the_cards) == (
        "The payment was already changed: seat 3 banker is paid 150.00 in all, not "
        "200.00; 2.50 less commission. Correct it again, or inform the patron and close the"
        " case."
    )
    assert str(voided) == (
        "The coup is void and stays void (R-IRR-5). Inform the patron, and close the case."
    )
    assert not given(open_case(), decided()).when(paid).refusal
    of_another_case = lambda case: case.decide(  # noqa: E731
        "stand", "the camera", (), played, house(), by="S-11", approved_by="PB-2"
    )
    given(open_case()).when(of_another_case).then(decision(effect="the coup stays void"))


def test_what_a_refusal_repeats_is_in_major_units():
    refusal = given(open_case()).when(decided("void", to=5_00)).then_refused(BadValue)

    assert str(refusal).startswith("This decision pays no wager another amount")


def test_it_may_be_decided_again_and_then_is_told_again():
    given(open_case(), decided(), told()).when(decided()).then(
        decision(number=2, effect="instead of decision 1, the payment stands")
    )
    again = given(open_case(), decided(), told(), decided())
    refusal = again.when(closed).then_refused(CaseUnfinished)

    assert "Inform the patron of the decision, with `dispute tell`" in str(refusal)


def test_the_patron_is_told_each_decision_once():
    again = given(open_case(), decided(), told()).when(told()).then_refused(BadValue)

    assert str(again) == "The patron was already informed of decision 1 of C-2026-0007."


def test_until_the_patron_is_told_another_decision_takes_no_more_time():
    later = lambda case: case.at(EVENING + timedelta(minutes=20))  # noqa: E731
    untold = given(open_case(), decided(), later).when(decided()).aggregate
    after = given(open_case(), decided(), told(), later).when(decided()).aggregate

    assert untold.tell_by == HALF_AN_HOUR
    assert after.tell_by == (EVENING + timedelta(minutes=50)).isoformat()


@pytest.mark.parametrize(("before", "must"), [(0, True), (1_00, False)])
def test_the_regulator_hears_of_what_decisions_come_to(before, must):
    """Seat 5's 60.00 are not in dispute for so much; what was decided is."""
    nevada = house(regulator="nevada")
    of = dealt(open_coup(bets=[(5, "player", 250_00)]), BANKER_WINS)
    settle(of)
    change = correct(5, "player", 500_00 - before)(of)
    case = open_case(of, ("P-5",), amount=10_00, house=nevada)
    decide = lambda case: case.decide(  # noqa: E731
        "correct", "-", [change], of, nevada, rightly=Rightly(5, "player", change.after.paid),
        by="S-11", approved_by="PB-2",
    )  # fmt: skip

    assert first_event(case)["notify_by"] is None
    decide(case)
    assert (case.notify_by is not None) == must
    told()(case)
    assert (given(case).when(closed).refusal is not None) == must


# fmt: off
PARTS = [
    # by       with      who has a part in it
    ("D-204",  "PB-2",   "D-204 dealt the coup. Two others have to decide."),
    ("S-11",   "D-204",  "D-204 dealt the coup. Two others have to decide."),
    ("S-11",   "P-3",    "P-3 made the complaint. Two others have to decide."),
]
# fmt: on


@pytest.mark.parametrize(("by", "second", "words"), PARTS)
def test_r_irr_5_nobody_decides_who_has_a_part_in_it(by, second, words):
    refused = given(open_case()).when(decided(by=by, approved_by=second)).then_refused(BadValue)

    assert words == str(refused)


def test_no_payment_stands_before_it_is_made():
    of = dealt(open_coup(bets=BETS), BANKER_WINS)
    stand = lambda case: case.decide(  # noqa: E731
        "stand", "-", (), of, house(), by="S-11", approved_by="PB-2"
    )

    given(open_case(of)).when(stand).then_refused(CoupNotFinished)


def test_nobody_complains_of_a_coup_before_it_was_opened():
    with pytest.raises(BadValue, match="was opened at"):
        open_case(at=EVENING - timedelta(seconds=1))


STAND, VOID = decided(), decided("void")
SEAT_3 = decided("correct", seat=3, spot="banker", to=0)
SEAT_5 = decided("correct", seat=5, spot="player", to=0)

# fmt: off
REPLACED = [
    # before                then      instead of
    ((),                    SEAT_3,   ""),
    ((STAND,),              SEAT_3,   "1"),
    ((SEAT_3,),             SEAT_5,   ""),
    ((STAND, SEAT_3),       SEAT_5,   ""),
    ((SEAT_3, SEAT_5),      SEAT_3,   "1"),
    ((SEAT_3, SEAT_5),      VOID,     "2"),
]
# fmt: on


@pytest.mark.parametrize(("before", "then", "instead"), REPLACED)
def test_a_decision_says_which_earlier_one_it_takes_the_place_of(before, then, instead):
    effect = given(open_case(), *before).when(then).aggregate.pending_events[-1].effect

    assert effect.startswith(f"instead of decision {instead}, ") == bool(instead), effect


# Held.
def test_deciding_lets_the_table_go():
    given(held_case()).when(decided()).then(
        decision(), ("HoldReleased", {"why": "decided", "by": "S-11"})
    )


def test_a_table_is_let_go_once():
    given(held_case()).when(released).then(("HoldReleased", {"why": "released", "by": "S-11"}))
    given(held_case(), released).when(released).then_refused(BadValue)
    given(open_case()).when(released).then_refused(BadValue)
    given(held_case(), released).when(decided()).then(decision())


# Told, notified, closed.
# fmt: off
UNTIL = [
    # days   until
    (7,      EVENING + timedelta(days=7)),
    (0,      None),
]
# fmt: on


@pytest.mark.parametrize(("days", "until"), UNTIL)
def test_the_patron_s_days_count_from_when_they_were_told(days, until):
    settings = {"dispute_patron_days": days} if days else {}

    given(open_case(), decided(), told(), decided()).when(told(**settings)).then(
        (
            "PatronTold",
            {"number": 2, "until": until.isoformat() if until else None, "by": "S-11"},
        )
    )


def test_a_table_may_be_held_later_once_and_until_it_is_decided():
    placed = ("HoldPlaced", {"by": "PB-2"})
    let_go = ("HoldReleased", {"why": "decided", "by": "S-11"})

    given(open_case()).when(held).then(placed)
    given(held_case(), released).when(held).then(placed)
    given(open_case(), held).when(decided()).then(decision(), let_go)
    twice = given(open_case(), held).when(held).then_refused(BadValue)
    assert str(twice) == "C-2026-0007 already holds its table."
    too_late = given(open_case(), decided()).when(held).then_refused(BadValue)
    assert str(too_late) == "C-2026-0007 is decided, so it cannot hold its table."


def test_deadlines_are_told_by_the_clock_on_the_property_s_wall():
    settings = {"zone": "America/New_York", "regulator": "nevada"}
    opened = open_case(house=house(**settings), amount=500_00)
    decided_there = lambda case: case.decide(  # noqa: E731
        "stand", "-", (), coup(), house(**settings), by="S-11", approved_by="PB-2"
    )
    case = given(opened).when(decided_there).aggregate

    assert first_event(opened)["notify_by"] == "2026-11-21T15:44:00-05:00"
    assert case.pending_events[-1].tell_by == "2026-11-21T15:44:00-05:00"


def test_what_is_not_decided_cannot_be_told():
    refusal = given(open_case()).when(told()).then_refused(CaseUnfinished)

    assert "is not finished. Decide it first, with `dispute decide`" in str(refusal)


def test_the_regulator_may_be_notified_unasked_and_again():
    event = "RegulatorNotified", {"reference": "2026/1182", "by": "V-2"}

    given(open_case()).when(notified).then(event)
    given(to_notify(), notified).when(notified).then(event)


# fmt: off
CLOSING = [
    # case         done                             what is missing
    (open_case,    (),                              "Decide it first"),
    (open_case,    (decided(),),                    "Inform the patron"),
    (open_case,    (decided(), told()),             ""),
    (to_notify,    (decided(), told()),             "Notify the regulator"),
    (to_notify,    (decided(), notified),           "Inform the patron"),
    (to_notify,    (notified, decided(), told()),   ""),
]
# fmt: on


@pytest.mark.parametrize(("case", "done", "missing"), CLOSING)
def test_a_case_is_closed_when_all_is_done(case, done, missing):
    end = given(case(), *done).when(closed)

    if missing:
        assert missing in str(end.then_refused(CaseUnfinished))
    else:
        end.then(("Closed", {"decision": "stand", "by": "S-11"}))


@pytest.mark.parametrize("act", [noted, decided(), told(), notified, held, released, closed])
def test_nothing_is_added_to_a_closed_case(act):
    given(closed_case()).when(act).then_refused(CaseClosed)
