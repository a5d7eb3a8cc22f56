"""Voids: what two people took back, put right or let go, and what it came to before and after."""

from functools import partial

import pytest

from projections import PROJECTIONS, REPORTS
from tests.acceptance.channels import rows_of
from tests.projections.grown import event, happen
from tests.worlds.gaming_table import BANKER_WINS, DAY

REPORT = REPORTS["voids"]
FIRST, SECOND = f"B01/{DAY}/1/1", f"B01/{DAY}/1/2"
STAY = f"B01/{DAY}/stay-2"
TWO = {"with": "S-11"}
WORTH = "kind", "original", "before", "after"
rows = partial(rows_of, report=REPORT)


def test_what_two_people_did_is_told_with_what_it_changed(troubled):
    people, named = ("D-204", "S-11"), "named in open house"

    assert rows(troubled, *REPORT.columns[:-1]) == [
        ("payment corrected", f"{FIRST} 5 banker", "misread", *people, 600_00, 300_00, named),
        ("coup voided", SECOND, "a card fell", *people, 400_00, 250_00, named),
        ("commission waived", STAY, "a good patron", *people, 5_00, 3_00, named),
        ("commission walked", STAY, "went home", *people, 3_00, 0, named),
    ]


def test_of_a_coup_that_was_not_settled_nothing_was_paid_before(pit, database):
    pit.bet(3, "banker", 100_00)
    pit.bet(5, "tie", 25_00)
    pit.say("draw", card="KC")
    pit.say("void", coup=FIRST, reason="the shoe fell", **TWO)
    pit.say("open")
    pit.say("void", coup=SECOND, reason="and again", **TWO)

    assert rows(database, *WORTH) == [
        ("coup voided", FIRST, None, 125_00),
        ("coup voided", SECOND, None, 0),
    ]


def test_a_payment_is_corrected_as_often_as_it_takes_and_voided_after_that(pit, database):
    pit.play(BANKER_WINS, (3, "banker", 100_00))
    wager = {"coup": FIRST, "seat": 3, "spot": "banker", "reason": "misread", **TWO}
    pit.say("correct", to=0, **wager)
    pit.say("correct", **wager)
    pit.say("void", coup=FIRST, reason="after all", **TWO)

    assert rows(database, *WORTH) == [
        ("payment corrected", f"{FIRST} 3 banker", 200_00, 0),
        ("payment corrected", f"{FIRST} 3 banker", 0, 200_00),
        ("coup voided", FIRST, 200_00, 100_00),
    ]


def test_what_a_stay_owed_before_counts_what_it_paid_and_what_went_back(pit, database):
    pit.play(BANKER_WINS, (3, "banker", 400_00))  # owes 20.00
    pit.say("commission.collect", seat=3, amount=8_00)
    pit.play(BANKER_WINS, (3, "banker", 100_00))  # 17.00 now
    pit.say("void", coup=FIRST, reason="a card fell", **TWO)  # 3.00 goes back
    pit.play(BANKER_WINS, (3, "banker", 200_00))  # 10.00
    pit.say("commission.waive", seat=3, amount=4_00, reason="one", **TWO)
    pit.say("commission.walked", seat=3, reason="two", **TWO)

    assert rows(database, *WORTH)[1:] == [
        ("commission waived", STAY, 10_00, 6_00),
        ("commission walked", STAY, 6_00, 0),
    ]


def test_what_was_let_go_and_is_owed_again_counts_as_owed(pit, database):
    pit.play(BANKER_WINS, (3, "banker", 100_00))
    pit.say("commission.waive", seat=3, amount=4_00, reason="one", **TWO)
    assert rows(database, *WORTH) == [("commission waived", STAY, 5_00, 1_00)]
    again = "commission-account.commission-owed-again"
    owed = event(again, stay=STAY, amount=4_00, was="waived")
    happen(database, PROJECTIONS["voids"].changes[again], owed)
    pit.say("commission.waive", seat=3, amount=1_00, reason="two", **TWO)

    assert rows(database, *WORTH)[1:] == [("commission waived", STAY, 5_00, 4_00)]


def test_a_slip_that_is_void_came_to_nothing(pit, database):
    asked = pit.say("slip.request", kind="fill", chips={"10000": 5}, **TWO).body["slip"]
    void = {"command": "slip.void", "slip": asked, "reason": "not needed", "by": "C-1", **TWO}
    assert pit.dispatcher.dispatch(void | {"at": pit.moment.isoformat()}).ok

    assert rows(database, *REPORT.columns) == [
        (
            *("slip voided", asked, "not needed", "C-1", "S-11", 500_00, 0, "named in open house"),
            pit.moment.isoformat(),
        )
    ]
    assert len(rows(database, "kind", table="B01", day=DAY)) == 1
    assert rows(database, "kind", shoe=f"B01/{DAY}/1") == []


@pytest.mark.parametrize(
    ("narrowed", "expected"),
    [
        ({"table": "B01"}, 4),
        ({"table": "B02"}, 0),
        ({"day": DAY}, 4),
        ({"day": "2026-11-20"}, 0),
        ({"shoe": f"B01/{DAY}/1"}, 2),
        ({"shoe": f"B01/{DAY}/2"}, 0),
    ],
)
def test_a_report_is_narrowed_to_what_is_asked(troubled, narrowed, expected):
    assert expected == len(rows(troubled, "kind", **narrowed))
