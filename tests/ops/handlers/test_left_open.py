"""A correction's money: settled where the patron sits, or else left open.

Every command that puts a coup right, at a table that is open, whose patron has left, that closed,
opened again, was rolled over, or has another day: beside what every report says of it lies what
chips and patrons did, counted by hand.
"""

import pytest

from tests.worlds.gaming_table import BANKER_WINS, DAY
from tests.worlds.left_table import (
    NEXT_DAY,
    LeftTable,
    left_open,
    open_items,
    owed,
    rows,
    tray,
)
from tests.worlds.open_items import settle_all
from tests.worlds.shared_ledger import require_explained
from tests.worlds.twin_tables import SEATS, TWO

OPENER = 20_000_00
# Seats 1 and 3 win 100.00 and 200.00 on Banker and pay 5.00 and 10.00; seat 5 loses 25.00 on Tie.
WON, PAID = -275_00, 15_00
# What puts it right; the chips that go to the patrons, by seat, what the house won more on record,
# and the change in commission by seat.
PUT_RIGHT = {
    "to": ("correct", {"seat": 3, "spot": "banker", "to": 300_00}, {3: -100_00}, 0, {3: -5_00}),
    "as": ("correct", {"seat": 5, "spot": "tie", "as": "banker"}, {5: 50_00}, 0, {5: 1_25}),
    "stake less": (
        "correct",
        {"seat": 3, "spot": "banker", "stake": 100_00},
        {},
        100_00,
        {3: -5_00},
    ),
    "stake more": (
        "correct",
        {"seat": 1, "spot": "banker", "stake": 200_00},
        {},
        -100_00,
        {1: 5_00},
    ),
    "card": (
        "coup.correct-card",
        {"n": 3, "card": "9C"},
        {1: -100_00, 3: -200_00, 5: 225_00},
        0,
        {1: -5_00, 3: -10_00},
    ),
    "wager": (
        "coup.move-wager",
        {"seat": 1, "spot": "banker", "to_seat": 5},
        {},
        0,
        {1: -5_00, 5: 5_00},
    ),
    "void": ("void", {}, {1: -100_00, 3: -200_00, 5: 25_00}, 0, {1: -5_00, 3: -10_00}),
    "late": ("bet", {"seat": 5, "spot": "banker", "amount": 100_00}, {5: 100_00}, 0, {5: 5_00}),
}
# Who sits at the table when it is put right.
WHEN = {
    "open": SEATS,
    "left": (1, 5),
    "closed": (),
    "reopened": (),
    "back again": (3,),
    "rolled over": SEATS,
    "next day": (3,),
}
TAKES_NO_BET = ("closed", "reopened", "back again", "next day")  # its shoe has ended


CASES = [
    (what, when)
    for what in PUT_RIGHT
    for when in WHEN
    if not (what == "late" and when in TAKES_NO_BET)
]


@pytest.fixture(scope="module")
def put_right(agreeing):
    """Each case at a table of its own, put right and not settled yet: the reports agree."""
    tables = {case: agreeing.bring(LeftTable) for case in CASES}
    for (what, when), table in tables.items():
        command, fields, *_ = PUT_RIGHT[what]
        table.until(when).put_right(command, fields)
    agreeing.require_agreed()
    return tables


@pytest.mark.parametrize(("what", "when"), CASES)
def test_r_irr_5_money_is_settled_where_the_patron_is(put_right, shared, what, when):
    _, _, chips, won_on_record, changes = PUT_RIGHT[what]
    table, database = put_right[what, when], shared.database
    present = {seat for seat in SEATS if seat in WHEN[when]}
    here = {seat for seat in changes if seat in present}
    given_back = -sum(changes[seat] for seat in here if changes[seat] < 0)
    moved = sum(amount for seat, amount in chips.items() if seat in present)
    open_yet = {
        table.patron(seat): more for seat, more in changes.items() if more > 0 or seat not in here
    }
    bets = {table.patron(seat): -each for seat, each in chips.items() if seat not in present}
    closed = when not in ("open", "left")
    same_day = when not in ("rolled over", "next day")
    in_tray = when != "closed"

    if in_tray:
        before = 0 if closed else WON + PAID + won_on_record
        assert tray(database, table) == OPENER + before - moved - given_back
    assert owed(database, table) == open_yet
    absent = {p: more for p, more in open_yet.items() if p not in {table.patron(s) for s in here}}
    assert left_open(database, table, "commission left open") == absent
    assert left_open(database, table, "bet left open") == bets
    assert open_items(database, table) == {
        **{(patron, "commission"): more for patron, more in absent.items()},
        **{(patron, "bets"): more for patron, more in bets.items()},
    }
    table.say("table.drop", amount=0, day=DAY, by="C-1", **{"with": "S-11"})
    first, *_ = wins = rows(database, table, "table-win")
    assert first["win_by_wagers"] == WON + won_on_record - sum(chips.values())
    assert [row["commission_in_chips"] for row in wins] == (
        [PAID - given_back] if same_day else [PAID, -given_back]
    )
    if closed and when not in ("reopened", "back again"):
        assert first["variance"] == -(WON + PAID + won_on_record)
    require_explained(database, table=table.table)

    place = "table" if in_tray and what != "void" else "cage"
    day = table.dispatcher.desk.named_day(table.table, DAY)
    settled = settle_all(table, day, place, patrons={*absent, *bets})
    into = sum(settled.values()) if place == "table" else 0
    assert settled == {p: absent.get(p, 0) + bets.get(p, 0) for p in {*absent, *bets}}
    if in_tray:
        assert tray(database, table) == OPENER + before - moved - given_back + into
    assert owed(database, table) == {p: more for p, more in open_yet.items() if p not in absent}
    assert open_items(database, table) == {}
    assert left_open(database, table, "commission left open") == {}
    assert left_open(database, table, "bet left open") == {}
    require_explained(database, table=table.table)


def test_commission_recovered_and_then_not_owed_is_left_open(agreeing):
    """It was written off, paid into the tray of a later day, and its coup is void."""
    table, database = agreeing.bring(LeftTable), agreeing.database
    table.begin().play(BANKER_WINS, (3, "banker", 200_00))
    table.say("commission.walked", seat=3, reason="ran off", **TWO)
    table.end_shoe()
    table.say("table.close", closer={"10000": 200}, **TWO)
    fields = {"rules": "dragon-bonus@1", "opener": {"10000": 200}, "day": NEXT_DAY}
    table.say("table.open", **fields, **TWO)
    table.say("commission.collect", patron=table.patron(3), amount=6_00)
    table.fix("void", coup=table.coup(1))

    minus = {table.patron(3): -6_00}
    assert owed(database, table) == minus
    assert left_open(database, table, "commission left open") == minus
    require_explained(database, table=table.table)
