"""Exceptions: one row each, of what somebody should look at, at a coup or elsewhere."""

import re
from functools import partial

import pytest

from ops.commands.casino import Casino
from ops.handlers.dispatcher import Dispatcher
from ops.ledger.recorder import Ledger
from projections import PROJECTIONS, REPORTS, Rows
from tests.acceptance.channels import rows_of, shell
from tests.projections.grown import event, happen
from tests.worlds.gaming_table import BEGINS, DAY, TIE, GamingTable, trouble

REPORT = REPORTS["exceptions"]
FIRST, SECOND = f"B01/{DAY}/1/1", f"B01/{DAY}/1/2"
TWO = {"with": "S-11"}
rows = partial(rows_of, report=REPORT)


def at(second):
    """The moment of the line that was said so many seconds into the evening."""
    return BEGINS.replace(second=second).isoformat()


def test_every_exception_is_told_where_it_happened_and_by_whom(troubled):
    both = "D-204, S-11 (named in open house)"

    assert rows(troubled, "at", "table", "coup", "kind", "by") == [
        (at(16), "B01", FIRST, "payment corrected", both),
        (at(19), "B01", SECOND, "late bet", "D-204"),
        (at(17), "B01", SECOND, "late entry", both),
        (at(17), "B01", SECOND, "wager found late", both),
        (at(24), "B01", SECOND, "payment disagrees", "D-204"),
        (at(26), "B01", SECOND, "undue card", "D-204"),
        (at(27), "B01", SECOND, "coup voided", both),
        (at(28), "B01", None, "commission walked or waived", both),
        (at(29), "B01", None, "commission walked or waived", both),
    ]


def test_nobody_has_acknowledged_one_yet(troubled):
    assert {(None, None)} == set(rows(troubled, "acknowledged_by", "acknowledged_at"))


def test_the_detail_is_the_event_as_it_was_answered(pit, database):
    pit.bet(3, "banker", 100_00)
    pit.say("draw", card="KC")
    answer = pit.ask("bet", seat=5, spot="player", amount=25_00)

    assert [(answer.body["events"][0],)] == rows(database, "detail")
    assert answer.body["events"][0]["type"] == "LateBetRefused"


def test_limits_that_did_not_hold_and_a_gap_are_told_apart(dispatcher, database):
    pit = GamingTable(dispatcher, "B03").open("big-table@1").prepare()
    for seat in (1, 3):
        pit.bet(seat, "player", 50_000_00)
    pit.bet(5, "tie", 5_00)
    pit.say("draw", card="9C")

    assert rows(database, "kind") == [("over or under limit",), ("differential",)]


def test_a_wager_that_was_found_over_its_limit_is_told_with_what_went_back(dispatcher, database):
    pit = GamingTable(dispatcher).open("electronic@1")
    pit.say("shoe.load", decks=8)
    pit.say("shoe.inspect")
    pit.say("shoe.shuffle", method="machine", device="SH-2")
    pit.say("shoe.cut", seat=3)
    pit.bet(3, "banker", 10_00)
    before = pit.moment.isoformat()
    pit.say("draw", card="KC")
    pit.say("bet", seat=1, spot="player", amount=1_500_00, late=True, at=before, **TWO)

    assert rows(database, "kind") == [
        ("late entry",),
        ("wager found late",),
        ("over or under limit",),
        ("wager reduced",),
    ]
    assert rows_of(database, "seat", "stake", report=REPORTS["wagers"]) == [
        (3, 10_00),
        (1, 1_000_00),
    ]


def test_a_card_that_was_moved_and_a_shoe_past_its_cut_card_are_exceptions(dispatcher, database):
    pit = GamingTable(dispatcher).open().prepare(cut_card=411)
    pit.play(TIE, (3, "banker", 100_00))
    pit.bet(3, "banker", 100_00)
    pit.deal("KC 9S")
    pit.say("move-card", n=2, hand="banker")

    assert rows(database, "coup", "kind") == [(SECOND, "cut card passed"), (SECOND, "card moved")]


def test_a_slip_that_came_again_is_told_at_its_table(pit, database):
    people = {"requested_by": "S-11", "cashier": "C-1", "runner": "R-1", **TWO}
    slip = pit.say("table.fill", chips={"10000": 5}, **people).body["slip"]
    again = {"command": "slip.void", "slip": slip, "reason": "again", "by": "C-1", **TWO}
    pit.dispatcher.dispatch(again | {"at": pit.moment.isoformat()})

    assert rows(database, "table", "coup", "kind", "by", day=DAY) == [
        ("B01", None, "slip or serial reused", "C-1, S-11 (named in open house)")
    ]


@pytest.mark.parametrize(
    ("closer", "expected"),
    [
        ({"10000": 200}, []),
        ({"10000": 199, "2500": 2}, [("closer variance", -50_00, "report")]),
        ({"10000": 202}, [("closer variance", 200_00, "regulator")]),
    ],
)
def test_a_closer_with_a_variance_to_report_is_an_exception(dispatcher, database, closer, expected):
    GamingTable(dispatcher).open().say("table.close", closer=closer, **TWO)
    told = rows(database, "kind", "detail")

    assert [(kind, each["variance"], each["level"]) for kind, each in told] == expected


# Commands that came late, and clocks.
def test_a_late_command_is_one_row_whatever_it_told(pit, database):
    pit.bet(3, "banker", 100_00)
    pit.bet(5, "player", 100_00)
    pit.deal("KC 9S 2C")
    before = pit.moment.isoformat()
    pit.say("table.buy-in", seat=1, amount=100_00)
    answer = pit.say("draw", card="QD", settle=True, late=True, at=before)
    ((kind, moment, table, coup, detail),) = rows(database, "kind", "at", "table", "coup", "detail")

    assert (kind, moment, table, coup) == ("late entry", before, "B01", FIRST)
    assert detail.pop("facts") == answer.body["events"]
    assert (detail["commands"], detail["from"], detail["to"]) == (1, before, before)
    assert detail["recorded_at"] == detail["recorded_until"]


def test_a_late_command_that_begins_with_the_house_s_own_is_told_at_its_table(dispatcher, database):
    GamingTable(dispatcher).say(
        "table.open", rules="classic@1", opener={"10000": 1}, day=DAY, late=True, **TWO
    )

    assert rows(database, "kind", "table", table="B01", day=DAY) == [("late entry", "B01")]


def test_a_clock_that_is_behind_the_record_is_told_with_how_far(database):
    casino = Casino(Ledger(database), now=lambda: BEGINS)
    pit = GamingTable(Dispatcher(casino, "test")).open().prepare()
    ahead = (pit.moment - BEGINS).seconds
    answer = pit.dispatcher.dispatch({"command": "open", "table": "B01", "by": "D-204"})
    casino.close()
    detail = {"seconds": f"{ahead}.000", "facts": answer.body["events"]}

    assert rows(database, "kind", "at", "coup", "by", "detail") == [
        ("clock behind", at(ahead), FIRST, "D-204", detail)
    ]
    assert len(answer.body["events"]) == 2


def test_what_the_first_event_of_a_late_command_does_not_know_the_others_add(database):
    late = PROJECTIONS["exceptions"].marks["late"]
    where = {"shoe": f"B01/{DAY}/1", "coup": 2, "patron": "P-1"}
    events = event("house.founded"), event("coup.opened", **where), event("shoe.passed", shoe="B02")
    happen(database, late, *events)
    with database.connect("sabot_projector") as connection:
        found = connection.execute(
            "SELECT table_code, gaming_day::text, shoe, coup, patron FROM projections.exceptions"
        ).fetchall()

    assert found == [("B01", DAY, f"B01/{DAY}/1", SECOND, "P-1")]


# Events of cards and decks, wherever they were told.
@pytest.mark.parametrize(
    ("topic", "told", "kind", "coup"),
    [
        ("shoe.card-misdrawn", {"card": "4H", "coup": 2}, "undue card", SECOND),
        ("shoe.card-discarded", {"card": "4H", "coup": 1}, "exposed or foreign card", FIRST),
        ("shoe.card-discarded", {"card": "4H", "coup": 0}, "exposed or foreign card", None),
        ("deck.reuse-refused", {"serial": "K-1"}, "slip or serial reused", None),
    ],
)
def test_a_card_or_a_deck_that_should_not_be_there_is_an_exception(topic, told, kind, coup):
    shoe = f"B01/{DAY}/1"
    rows = Rows()
    PROJECTIONS["exceptions"].changes[topic](event(topic, shoe=shoe, **told), rows)
    [changed] = rows.changed()
    [row] = changed.new

    assert (kind, coup, shoe) == (row.kind, row.coup, row.shoe)
    assert ("B01", DAY) == (row.table_code, row.gaming_day.isoformat())


# For people, and narrowed.
def test_people_read_it_in_words_the_newest_first(troubled):
    page = shell(troubled, "report", "exceptions", env={"COLUMNS": "250"}).stdout.splitlines()
    words = [re.split(r"\s{2,}", line.strip())[-2] for line in page[2:]]  # the last is the rank
    (late,) = (each for each in words if each.startswith("Recorded "))

    assert page[2].split("  ")[1].strip() == "B01"  # at no coup
    assert words[0] == "P-10417 left owing 3.00 commission: went home."
    assert words[2] == "The coup is void: a card fell."
    assert words[-1].startswith("Seat 5 grey-jacket: Banker 300.00 is paid 300.00 in all")
    assert late.endswith("Entered late: seat 1 P-10411 has 50.00 on Player.")


@pytest.mark.parametrize(
    ("narrowed", "expected"),
    [
        ({"table": "B01"}, 9),
        ({"table": "B02"}, 0),
        ({"day": DAY}, 9),
        ({"day": "2026-11-20"}, 0),
        ({"shoe": f"B01/{DAY}/1"}, 7),
        ({"shoe": f"B01/{DAY}/2"}, 0),
        ({"patron": "P-10417"}, 2),
        ({"patron": "P-10411"}, 3),
        ({"patron": "nobody"}, 0),
    ],
)
def test_a_report_is_narrowed_to_what_is_asked(troubled, narrowed, expected):
    assert expected == len(rows(troubled, "kind", **narrowed))


def test_an_exception_is_the_patron_s_under_whichever_name(pit, database):
    trouble(pit)
    alias = {"command": "patron.identify", "patron": "grey-jacket", "is": "P-1"}
    assert pit.dispatcher.dispatch({**alias, "at": pit.moment.isoformat()}).ok

    assert rows(database, "kind", patron="P-1") == [("payment corrected",)]
    assert rows(database, "kind", patron="grey-jacket") == [("payment corrected",)]


def test_the_same_slip_of_the_same_person_at_one_coup_is_one_exception_with_how_often(
    pit, database
):
    """A late bet, a card that nobody was due and a wrong payment, each typed three times."""
    pit.bet(3, "banker", 100_00)
    pit.say("draw", card="KC")
    for by in ("D-204", "D-204", "D-204", "S-11"):
        pit.ask("bet", seat=5, spot="player", amount=25_00, by=by)
    for card in ("9S", "2C", "QD"):
        pit.say("draw", card=card)
    for _ in range(3):
        pit.ask("draw", card="7H")
    pit.ask("draw", card="8H")
    for paid in (90_00, 90_00, 90_00, 91_00):
        pit.ask("settle", paid={"3": paid})

    noted = rows(database, "kind", "by", "detail")
    counted = [(kind, by, detail.get("times", 1)) for kind, by, detail in noted]
    assert counted == [
        ("late bet", "D-204", 3),
        ("late bet", "S-11", 1),
        ("undue card", "D-204", 3),
        ("undue card", "D-204", 1),
        ("payment disagrees", "D-204", 3),
        ("payment disagrees", "D-204", 1),
    ]
    ((exceptions,),) = rows_of(database, "exceptions", report=REPORTS["coup"])
    assert [each.get("times", 1) for each in exceptions] == [3, 1, 3, 1, 3, 1]
    assert rows_of(database, "exceptions", report=REPORTS["dealers"]) == [(6,)]
