"""A correction's money: settled where the patron sits, or else left open.

Every command that puts a coup right, at a table that is open, whose patron has left, that closed,
opened again, was rolled over, or has another day: beside what every report says of it lies what
chips and patrons did, counted by hand.
"""

import pytest

from ops.handlers.trays import tray_now
from ops.reports.ask import ask
from ops.reports.rebuild import check_together
from ops.reports.runner import catch_up
from projections import PROJECTIONS, REPORTS
from projections.trays_now import TRAY
from tests.worlds.gaming_table import BANKER_WINS, DAY
from tests.worlds.open_items import settle_all
from tests.worlds.twin_tables import SEATS, TWO, TwinTable

NEXT_DAY = "2026-11-22"
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


class Table(TwinTable):
    """The evening up to the correction."""

    def until(self, when):
        self.begin()
        self.bet(1, "banker", 100_00)
        self.bet(3, "banker", 200_00)
        self.bet(5, "tie", 25_00)
        self.placed = self.moment
        self.deal(BANKER_WINS, settle=True)
        self.settle_up()
        if when == "left":
            self.say("table.leave", seat=3)
        elif when == "rolled over":
            self.say("table.roll-over", closer={"10000": 200}, confirmed=True)
        elif when != "open":
            self.end_shoe()
            self.say("table.close", closer={"10000": 200}, **TWO)
        if when in ("reopened", "back again"):
            self.say("table.reopen", reason="again", opener={"10000": 200}, **TWO)
        elif when == "next day":
            fields = {"rules": "dragon-bonus@1", "opener": {"10000": 200}, "day": NEXT_DAY}
            self.say("table.open", **fields, **TWO)
        if when in ("back again", "next day"):
            self.say("table.seat", seat=2, patron=self.patron(3))
        return self

    def put_right(self, command, fields):
        if command == "bet":
            late = {"at": self.placed.isoformat(), "late": True, "with": "S-11"}
            return self.say("bet", **fields, **late)
        return self.fix(command, coup=self.coup(1), **fields)


@pytest.fixture
def table(dispatcher):
    return Table(dispatcher, "B01")


def rows(database, report, **narrowed):
    return ask(database, REPORTS[report], **narrowed).rows


def owed(database):
    """What every patron owes, or is owed, as report commission has it."""
    by_patron = {}
    for row in rows(database, "commission"):
        by_patron[row["patron"]] = by_patron.get(row["patron"], 0) + row["outstanding"]
    return {patron: amount for patron, amount in by_patron.items() if amount}


def left_open(database, kind):
    """The patrons whose row in report exceptions is not settled, with what is open."""
    noted = (row for row in rows(database, "exceptions") if row["kind"] == kind)
    return {
        r["detail"]["patron"]: r["detail"]["balance"] for r in noted if not r["acknowledged_at"]
    }


def open_items(database):
    """What is open with each patron by item, as report left-open has it."""
    return {(row["patron"], row["item"]): row["owes"] for row in rows(database, "left-open")}


def tray(database, table):
    with database.connect("sabot_projector") as connection:
        catch_up(connection, PROJECTIONS["trays_now"])
        (held,) = connection.execute(f"SELECT {TRAY}::bigint FROM trays_now").fetchone()
    day = table.dispatcher.desk.last_table_day(table.table)
    assert day.closed or tray_now(table.dispatcher.desk, day) == held
    return held


def require_agreed(database):
    """The proof is zero, no win is unexplained, and a rebuild makes the same rows."""
    assert {row["difference"] for row in rows(database, "commission-proof")} <= {0}
    assert {row["unreconciled"] or 0 for row in rows(database, "table-win")} == {0}
    with database.session("sabot_projector") as connection:
        checked = check_together(connection, list(PROJECTIONS.values()), lambda _: None)
    assert [each for each in checked if each.differing] == []


@pytest.mark.parametrize("when", WHEN)
@pytest.mark.parametrize("what", PUT_RIGHT)
def test_r_irr_5_money_is_settled_where_the_patron_is(table, database, what, when):
    if what == "late" and when in TAKES_NO_BET:
        pytest.skip("the shoe has ended")
    command, fields, chips, won_on_record, changes = PUT_RIGHT[what]
    table.until(when).put_right(command, fields)
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
    assert owed(database) == open_yet
    absent = {p: more for p, more in open_yet.items() if p not in {table.patron(s) for s in here}}
    assert left_open(database, "commission left open") == absent
    assert left_open(database, "bet left open") == bets
    assert open_items(database) == {
        **{(patron, "commission"): more for patron, more in absent.items()},
        **{(patron, "bets"): more for patron, more in bets.items()},
    }
    table.say("table.drop", amount=0, day=DAY, by="C-1", **{"with": "S-11"})
    first, *_ = wins = rows(database, "table-win")
    assert first["win_by_wagers"] == WON + won_on_record - sum(chips.values())
    assert [row["commission_in_chips"] for row in wins] == (
        [PAID - given_back] if same_day else [PAID, -given_back]
    )
    if closed and when not in ("reopened", "back again"):
        assert first["variance"] == -(WON + PAID + won_on_record)
    require_agreed(database)

    place = "table" if in_tray and what != "void" else "cage"
    day = table.dispatcher.desk.named_day(table.table, DAY)
    settled = settle_all(table, day, place, patrons={*absent, *bets})
    into = sum(settled.values()) if place == "table" else 0
    assert settled == {p: absent.get(p, 0) + bets.get(p, 0) for p in {*absent, *bets}}
    if in_tray:
        assert tray(database, table) == OPENER + before - moved - given_back + into
    assert owed(database) == {p: more for p, more in open_yet.items() if p not in absent}
    assert open_items(database) == {}
    assert left_open(database, "commission left open") == {}
    assert left_open(database, "bet left open") == {}
    require_agreed(database)


def test_commission_recovered_and_then_not_owed_is_left_open(table, database):
    """It was written off, paid into the tray of a later day, and its coup is void."""
    table.begin().play(BANKER_WINS, (3, "banker", 200_00))
    table.say("commission.walked", seat=3, reason="ran off", **TWO)
    table.end_shoe()
    table.say("table.close", closer={"10000": 200}, **TWO)
    fields = {"rules": "dragon-bonus@1", "opener": {"10000": 200}, "day": NEXT_DAY}
    table.say("table.open", **fields, **TWO)
    table.say("commission.collect", patron=table.patron(3), amount=6_00)
    table.fix("void", coup=table.coup(1))

    assert owed(database) == left_open(database, "commission left open") == {table.patron(3): -6_00}
    require_agreed(database)
