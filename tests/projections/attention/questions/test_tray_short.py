"""A dealer whose trays come short has a row in `protection`, and the ones beside them have none."""

from datetime import UTC, date, datetime

import pytest

from domain.events import shoe, table_counts, table_day
from domain.rules.protection_levels import TRAY_SHORT
from ops.reports.ask import ask
from ops.reports.rebuild import check
from ops.simulation.habits import Hands
from ops.simulation.run import Plan, dispatch_all
from projections import PROJECTIONS, REPORTS, Event, Rows
from projections.attention.questions.answers import FINDINGS
from projections.attention.questions.tray_short import DEALERS, QUESTION, TRAYS

DAY = date(2026, 11, 21)
AT = datetime(2026, 11, 21, 20, tzinfo=UTC)
OVERPAYING, HONEST = "D-201", "D-202"


class Tables:
    """Tables whose trays are counted, as the projection reads it."""

    def __init__(self):
        self.rows, self.position = Rows(), 0

    def have(self, table, kind, day=DAY, **fields):
        self.position += 1
        event = Event(
            position=self.position,
            topic=kind.TOPIC,
            name=kind.__name__,
            at=AT,
            recorded_at=AT,
            gaming_day=day,
            table=table,
            actor="D-204",
            fields=fields,
            command_id=f"c-{self.position}",
            metadata={},
        )
        QUESTION.changes[kind.TOPIC](event, self.rows)

    def open(self, table="B01", dealer=OVERPAYING, day=DAY):
        self.have(table, table_day.Opened, day, dealer=dealer)

    def deal(self, coups, table="B01", day=DAY):
        for n in range(coups):
            self.have(table, shoe.CoupBegun, day, coup=n)

    def relieve(self, dealer, table="B01"):
        self.have(table, table_day.DealerRelieved, staff=dealer)

    def count(self, variance, shift="day", table="B01", day=DAY):
        self.have(table, table_counts.ShiftCounted, day, shift=shift, variance=variance)

    def close(self, variance, table="B01", day=DAY):
        self.have(table, table_counts.TableClosed, day, session=1, variance=variance)

    def beside(self, dealer):
        return self.rows.get(DEALERS, dealer).beside()

    def row(self, dealer, day=DAY):
        return self.rows.get(FINDINGS, TRAY_SHORT, f"{dealer} {day}")


@pytest.fixture
def tables():
    return Tables()


def short_each_time(tables, counts, **at):
    for n in range(1, counts + 1):
        tables.deal(5, **at)
        tables.count(-25_00 * n, **at)


def test_a_dealer_who_overpays_has_a_row_and_the_others_have_none(dispatcher, database):
    for number, hands in ((1, Hands(overpays=1.0, counts_every=4)), (2, Hands(counts_every=4))):
        plan = Plan(tables=2, coups=110, seed=3, trouble=0.0)
        evening = plan.evening(number, plan.day)
        evening.hands = hands
        dispatch_all(dispatcher.dispatch, evening.lines(), lambda _: None)
    rows = [each for each in ask(database, REPORTS["protection"]).rows if each["dealer"]]
    compared = {row["staff"]: row for row in ask(database, REPORTS["dealers-compared"]).rows}

    assert [(row["question"], row["dealer"]) for row in rows] == [(TRAY_SHORT, OVERPAYING)]
    assert (rows[0]["shoe"], rows[0]["coup"], rows[0]["patron"]) == (None, None, None)
    named = {
        staff: [each["kind"] for each in row["compared"] if each["named"]]
        for staff, row in compared.items()
    }
    assert named == {OVERPAYING: [TRAY_SHORT], HONEST: []}
    with database.session("sabot_projector") as connection:
        assert check(connection, PROJECTIONS["protection"]).equal


def test_a_dealer_is_followed_from_table_to_table_and_from_day_to_day(tables):
    for n, table in enumerate(("B01", "B02", "B03", "B04")):
        day = date(2026, 11, 21 + n)
        tables.open(table, day=day)
        short_each_time(tables, 5, table=table, day=day)

    assert tables.beside(OVERPAYING).right == 20
    assert [bool(tables.row(OVERPAYING, date(2026, 11, 21 + n))) for n in range(4)] == [
        *(False, False, False, True),
    ]


@pytest.mark.parametrize("stored", [list, reversed])
def test_a_count_of_two_who_dealt_as_much_is_the_same_in_whatever_order_they_are_stored(
    tables, stored
):
    tables.open()
    tables.deal(3)
    tables.relieve(HONEST)
    tables.deal(3)
    tray = tables.rows.change(TRAYS, "B01")
    tray.coups = dict(stored(tray.coups.items()))
    tables.count(-25_00)

    counts = [tables.rows.get(DEALERS, each).count for each in (OVERPAYING, HONEST)]
    assert counts == ["", f"B01/{DAY} 1 1"]


def test_a_count_is_beside_the_one_before_and_an_opener_is_as_it_should_be(tables):
    tables.open()
    tables.deal(5)
    tables.count(-25_00)
    tables.deal(5)
    tables.count(-25_00)
    tables.deal(5)
    tables.close(0)
    tables.open(day=date(2026, 11, 22))
    tables.deal(5, day=date(2026, 11, 22))
    tables.count(-5_00, day=date(2026, 11, 22))

    assert (tables.beside(OVERPAYING).right, tables.beside(OVERPAYING).wrong) == (2, 1)


def test_a_count_belongs_to_who_dealt_more_than_half_of_the_coups(tables):
    tables.open()
    tables.deal(2)
    tables.relieve(HONEST)
    tables.deal(3)
    tables.count(-25_00)
    tables.deal(2)
    tables.relieve(OVERPAYING)
    tables.deal(2)
    tables.count(-50_00)

    assert tables.beside(HONEST).right == 1
    assert tables.beside(OVERPAYING).right == 0


def test_a_count_without_a_coup_belongs_to_nobody(tables):
    tables.open()
    tables.deal(2)
    tables.count(0)
    tables.count(-25_00)

    assert tables.beside(OVERPAYING).right == 0


def test_a_row_goes_when_the_last_count_is_put_right(tables):
    tables.open()
    short_each_time(tables, 17)
    tables.deal(5)
    tables.close(-25_00 * 18)
    assert tables.row(OVERPAYING).detail["short"] == 18

    was = {"session": 1, "closer_total": 0, "variance": -25_00 * 17}
    tables.have("B01", table_counts.CloserRecounted, **was)
    assert tables.row(OVERPAYING) is None
    assert tables.beside(OVERPAYING).right == 17


def test_a_count_before_the_last_that_is_put_right_changes_the_difference(tables):
    tables.open()
    tables.deal(5)
    tables.count(-25_00, shift="day")
    tables.deal(5)
    tables.count(-25_00, shift="swing")
    assert tables.beside(OVERPAYING).right == 1

    tables.have("B01", table_counts.ShiftVarianceChanged, shift="day", variance=0)
    assert tables.beside(OVERPAYING).right == 2
    tables.have("B01", table_counts.ShiftVarianceChanged, shift="swing", variance=0)
    assert tables.beside(OVERPAYING).right == 1


def test_the_counts_of_an_earlier_day_do_not_change_those_of_this_one(tables):
    tables.open()
    tables.deal(5)
    tables.count(-25_00)
    tables.have(
        "B01", table_counts.ShiftVarianceChanged, date(2026, 11, 20), shift="day", variance=0
    )

    assert tables.beside(OVERPAYING).right == 1
