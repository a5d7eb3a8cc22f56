"""What the floor reports: table win, inventory, slips, cash, cash to report, access.

Grown from events that are appended straight, with every field that the domain gives them.
"""

import re
from datetime import datetime, timedelta

import pytest

from domain.events import (
    commission_account,
    rule_set,
    slip_book,
    staff_member,
    table_money,
)
from domain.events import property as property_events
from ops.commands.house_events import house
from ops.ledger.mapper import COMMON
from ops.reports.ask import ask
from ops.reports.runner import catch_up, position_of
from projections import PROJECTIONS, REPORTS
from projections.money.trays_now import WITH_TRAYS
from tests.acceptance.channels import rows_of, shell
from tests.worlds.gaming_table import DAY
from tests.worlds.written_events import CLOSER, OPENER, WrittenEvents

VOIDED = {"kind": "fill", "chips": {"10000": 50}, "total": 5_000_00}
NEXT_DAY = "2026-11-22"
NAMED = "named, not proved"  # of a command that says nothing of the house, as these
NOWHERE = {"machine": "", "user": "", "place": "", "session": ""}
FIELDS = {
    "table-win": "table day opener fills credits closer drop cash_out win hold theoretical_win"
    " win_by_wagers unreconciled commission_in_chips put_right_later put_right_earlier"
    " on_accounts shortages promotions by_incidents variance drop_difference",
    "inventory": "table day moment chips total counted_by signed_by variance level signed_proved "
    "shift session total_before at",
    "slips": "slip kind at table chips total requested_by cashier runner dealer supervisor status"
    " reason proved asked_by",
    "cash-log": "position day at table patron direction amount kind total_in total_out stay",
    "ctr": "day patron alike direction total components threshold paper due_by"
    " filed_on reference late agents on_behalf_of since_filed",
    "access": "at staff act by",
}


@pytest.fixture
def floor(database):
    floor = WrittenEvents(database)
    yield floor
    floor.ledger.close()


@pytest.fixture
def rows(database):
    """These fields of every row of a report."""

    def rows(report, *names, **narrowed):
        return rows_of(database, *names, report=REPORTS[report], **narrowed)

    return rows


def night(floor):
    """A night in which every projection of this file gets rows in every table."""
    floor.found()
    floor.open()
    floor.open("B02", rules="big-table@1")
    floor.load()
    floor.settle("banker", 100_00)
    floor.settle("banker", 100_00)
    floor.settle("tie", 50_00)
    floor.buy_in("grey-jacket", 6_000_00)
    floor.buy_in("P-1", 5_000_00, table="B02")
    floor.cash_out("P-1", 1_000_00)
    for slip in ("2026-000001", "2026-000002", "2026-000003"):
        floor.request(slip)
    floor.step(slip_book.SlipIssued, "2026-000001", cashier="C-1")
    floor.step(slip_book.SlipCarried, "2026-000001", runner="X-1")
    floor.receive("2026-000001")
    floor.move(table_money.Filled, 5_000_00)
    void = {"reason": "not needed", "by": "C-1", "approved_by": "S-11"}
    floor.step(slip_book.SlipVoided, "2026-000002", **VOIDED, **void)
    floor.move(table_money.Credited, 2_000_00)
    floor.close(-25_01, "report")
    floor.count(8_000_00)
    floor.count(9_000_00, before=8_000_00)
    floor.staff(staff_member.SignedOn, **NOWHERE, table="B01")
    floor.identify("grey-jacket", "P-1")
    floor.plays_for("P-7", "P-1")
    floor.bar("P-9")
    floor.file("P-1")
    floor.set("reporting_amount", "500000", "1000000")
    floor.choose(NEXT_DAY)


@pytest.mark.parametrize("report", FIELDS)
def test_a_report_s_fields_are_the_contract_s_and_fit_a_terminal(floor, database, report):
    night(floor)
    printed = shell(database, "report", report, env={"COLUMNS": "80"})
    as_csv = shell(database, "report", report, "--csv")

    assert FIELDS[report].split() == list(ask(database, REPORTS[report]).rows[0])
    assert as_csv.stdout.splitlines()[0].split(",") == [*FIELDS[report].split(), "currency"]
    assert (printed.exit_code, as_csv.exit_code) == (0, 0)
    assert max(map(len, printed.stdout.splitlines())) <= 80
    rows = re.split(r"(?:^\* )?No", printed.stdout, flags=re.MULTILINE)[0].splitlines()[2:]
    assert all("  " in line for line in rows)  # one line a row


def test_what_grew_event_by_event_is_what_is_made_anew(database):
    with database.connect("sabot_projector") as connection:
        every = PROJECTIONS.values()

        def rows():
            return {
                table: connection.execute(f"SELECT r::text FROM {table} r ORDER BY 1").fetchall()
                for each in every
                for table in each.tables
            }

        floor = WrittenEvents(database, lambda: catch_up(connection, *every))
        night(floor)
        grown = rows()
        for each in every:
            for table in each.tables:
                connection.execute(f"DELETE FROM {table}")
        connection.execute("DELETE FROM projections.progress")
        for each in every:
            catch_up(connection, each)
        floor.ledger.close()

        assert grown == rows()
        asked = {name for report in FIELDS for name in REPORTS[report].projections} - {*WITH_TRAYS}
        assert all(grown[table] for name in asked for table in PROJECTIONS[name].tables)


# Table win.
def test_a_table_day_won_what_its_box_and_tray_have_more_than_they_had(floor, rows):
    night(floor)
    names = FIELDS["table-win"].split()[:11]
    won, still_open = rows("table-win", *names)

    # 9,000 + 16,500 + 2,000 - 20,000 - 5,000 - 1,000 = 1,500.00; 1,500 / 9,000 = 0.16666…
    # 200.00 x 114753351728/10847218479825 = 211.58…; 50.00 x 103841353768/723147898655 = 717.98…
    assert won == (
        *("B01", DAY, 20_000_00, 5_000_00, 2_000_00, 16_500_00, 9_000_00, 1_000_00),
        *(1_500_00, "0.1667", 9_30),
    )
    assert still_open == ("B02", DAY, 20_000_00, 0, 0, None, None, 0, None, None, 0)


@pytest.mark.parametrize(
    ("drop", "win", "hold"),
    [
        (3_500_00, 0, "0.0000"),  # 3,500 + 16,500 - 20,000
        (7_000_00, 3_500_00, "0.5000"),
        (2_800_00, -700_00, "-0.2500"),
        (0, -3_500_00, None),
        (None, None, None),
    ],
)
def test_hold_has_four_places_and_is_null_without_a_drop(floor, rows, drop, win, hold):
    floor.open()
    floor.close(0, "none")
    if drop is not None:
        floor.count(drop)

    assert rows("table-win", "drop", "win", "hold") == [(drop, win, hold)]


def test_a_box_counted_at_an_open_table_is_known_and_what_it_won_is_not(floor, rows):
    floor.open()
    floor.count(1_000_00)

    assert rows("table-win", "closer", "drop", "win", "hold") == [(None, 1_000_00, None, None)]


def test_the_odds_are_those_of_the_decks_in_the_shoe(floor, rows):
    floor.open(rules="big-table@1")
    floor.load(decks=6, rules="big-table@1")
    floor.settle("player", 1_000_00)

    # 100,000 x 18880657128/1525814595305 = 1,237.41…; of eight decks it were 1,235.08…
    assert rows("table-win", "theoretical_win") == [(12_37,)]


def test_the_theoretical_win_under_rules_that_are_not_known_is_null(floor, rows):
    floor.open(rules="gone@1")
    floor.load(rules="gone@1")
    floor.settle("player", 1_000_00)

    assert rows("table-win", "theoretical_win") == [(None,)]


# Inventory.
def test_an_inventory_is_told_at_the_opener_and_at_the_closer(floor, rows):
    night(floor)

    assert rows("inventory", *FIELDS["inventory"].split()[:-1]) == [
        (
            "B01",
            DAY,
            "opener",
            OPENER,
            20_000_00,
            "D-204",
            "S-11",
            None,
            "none",
            NAMED,
            None,
            1,
            None,
        ),
        (
            "B02",
            DAY,
            "opener",
            OPENER,
            20_000_00,
            "D-204",
            "S-11",
            None,
            "none",
            NAMED,
            None,
            1,
            None,
        ),
        (
            "B01",
            DAY,
            "closer",
            CLOSER,
            16_500_00,
            "D-7",
            "S-12",
            -25_01,
            "report",
            NAMED,
            None,
            1,
            None,
        ),
    ]


# Slips.
def test_a_slip_is_told_through_every_hand(floor, rows):
    steps = "status", "cashier", "runner", "dealer", "supervisor"
    floor.request("2026-000001")
    asked = floor.at
    assert rows("slips", *steps) == [("requested", None, None, None, None)]

    floor.step(slip_book.SlipIssued, "2026-000001", cashier="C-1")
    assert rows("slips", *steps) == [("issued", "C-1", None, None, None)]

    floor.step(slip_book.SlipCarried, "2026-000001", runner="X-1")
    assert rows("slips", *steps) == [("carried", "C-1", "X-1", None, None)]

    floor.receive("2026-000001")
    assert rows("slips", *FIELDS["slips"].split()) == [
        (
            *("2026-000001", "fill", asked, "B01", {"10000": 50}, 5_000_00, "S-11"),
            *("C-1", "X-1", "D-204", "S-11", "received", None),
            {
                "requested_by": NAMED,
                "cashier": NAMED,
                "runner": NAMED,
                "dealer": "signed on",
                "supervisor": NAMED,
            },
            None,
        )
    ]


def test_a_voided_slip_keeps_its_number_its_people_and_its_reason(floor, rows):
    floor.request("2026-000001", kind="credit")
    floor.step(slip_book.SlipIssued, "2026-000001", cashier="C-1")
    void = {"reason": "not needed", "by": "C-1", "approved_by": "S-11"}
    floor.step(slip_book.SlipVoided, "2026-000001", **VOIDED, **void)
    floor.step(slip_book.SlipReuseRefused, "2026-000001", act="carry", why="voided")
    floor.request("2026-000002")

    assert rows("slips", "slip", "kind", "cashier", "runner", "status", "reason") == [
        ("2026-000001", "credit", "C-1", None, "voided", "not needed"),
        ("2026-000002", "fill", None, None, "requested", None),
    ]


# Cash.
LOG = "table", "patron", "direction", "amount", "kind", "total_in", "total_out"


def test_cash_in_and_out_run_on_over_all_tables_and_are_never_netted(floor, rows):
    floor.buy_in("P-1", 100_00)
    first = floor.at
    floor.buy_in("P-2", 40_00)
    floor.cash_out("P-1", 70_00, table="B02")
    floor.buy_in("P-1", 5_00, table="B02")
    floor.cash_out("P-1", 200_00)
    floor.buy_in("P-1", 1_00, day=NEXT_DAY)
    expected = [
        ("B01", "P-1", "in", 100_00, "buy-in", 100_00, 0),
        ("B01", "P-2", "in", 40_00, "buy-in", 40_00, 0),
        ("B02", "P-1", "out", 70_00, "cash-out", 100_00, 70_00),
        ("B02", "P-1", "in", 5_00, "buy-in", 105_00, 70_00),
        ("B01", "P-1", "out", 200_00, "cash-out", 105_00, 270_00),
        ("B01", "P-1", "in", 1_00, "buy-in", 1_00, 0),
    ]

    assert rows("cash-log", *LOG) == expected
    assert rows("cash-log", "day", "at")[0] == (DAY, first)
    assert rows("cash-log", *LOG, table="B02") == expected[2:4]
    assert rows("cash-log", *LOG, day=DAY) == expected[:5]
    assert rows("cash-log", *LOG, patron="P-2") == expected[1:2]
    assert rows("cash-log", *LOG, table="B02", patron="P-2") == []


def test_cash_is_reported_strictly_over_the_amount_and_each_way_by_itself(floor, rows):
    floor.found()
    floor.buy_in("P-1", 6_000_00)
    floor.buy_in("P-1", 4_000_00, table="B02")  # 10,000.00 is not over it
    floor.buy_in("P-2", 4_000_01, table="B02")
    second = floor.at
    third = floor.buy_in("P-2", 6_000_00)  # 10,000.01 is
    floor.cash_out("P-2", 10_000_00)
    floor.buy_in("P-3", 9_999_99)
    floor.cash_out("P-3", 10_000_01)
    floor.buy_in("P-1", 10_000_00, day=NEXT_DAY)
    told = rows("ctr", *FIELDS["ctr"].split())

    assert [row[:5] for row in told] == [
        (DAY, "P-2", None, "in", 10_000_01),
        (DAY, "P-3", None, "out", 10_000_01),
    ]
    at = (datetime.fromisoformat(second) + timedelta(minutes=1)).isoformat()
    bought = {"patron": "P-2", "kind": "buy-in"}
    assert told[0][5] == [
        {"at": second, "table": "B02", **bought, "amount": 4_000_01, "position": third - 1},
        {"at": at, "table": "B01", **bought, "amount": 6_000_00, "position": third},
    ]


def test_the_reporting_amount_is_that_in_force_when_the_cash_came(floor, rows):
    floor.buy_in("P-1", 10_000_01)
    floor.buy_in("P-2", 5_000_01)
    assert rows("ctr", "patron") == [("P-1",)]  # the default, before the house is founded

    floor.found()
    floor.set("reporting_amount", "500000")
    assert rows("ctr", "patron") == [("P-1",)]

    floor.buy_in("P-2", 1)  # more than 5,000.00 now
    assert rows("ctr", "patron", "total") == [("P-1", 10_000_01), ("P-2", 5_000_02)]

    floor.set("reporting_amount", "2000000")  # takes nobody out
    floor.buy_in("P-3", 20_000_00)
    assert rows("ctr", "patron") == [("P-1",), ("P-2",)]


def test_a_patron_and_an_alias_count_together_once_it_is_known_who_it_is(floor, rows):
    floor.found()
    floor.buy_in("grey-jacket", 6_000_00)
    floor.buy_in("P-1", 5_000_00, table="B02")
    floor.buy_in("P-2", 1_00)
    assert rows("cash-log", "patron", "total_in") == [
        ("grey-jacket", 6_000_00),
        ("P-1", 5_000_00),
        ("P-2", 1_00),
    ]
    assert rows("ctr", "patron", "total") == []

    floor.identify("grey-jacket", "P-1")
    together = [("P-1", 6_000_00), ("P-1", 11_000_00)]
    assert rows("cash-log", "patron", "total_in") == [*together, ("P-2", 1_00)]
    for name in ("P-1", "grey-jacket"):
        assert rows("cash-log", "patron", "total_in", patron=name) == together
        assert rows("ctr", "patron", "total", patron=name) == [("P-1", 11_000_00)]
    assert rows("ctr", "patron", day=NEXT_DAY) == []
    assert rows("ctr", "patron", patron="P-2") == []


@pytest.mark.parametrize(
    "order",
    [
        [("a", "b"), ("b", "c")],
        [("b", "c"), ("a", "b")],
        [("a", "b"), ("b", "c"), ("c", "a")],  # a circle has one who stands for all
    ],
)
def test_an_alias_of_an_alias_is_the_last_of_them(floor, rows, order):
    for patron in ("a", "b", "c"):
        floor.buy_in(patron, 1_00)
    for alias, patron in order:
        floor.identify(alias, patron)

    assert rows("cash-log", "patron", "total_in") == [("c", 1_00), ("c", 2_00), ("c", 3_00)]


def test_commission_is_the_patron_s_too_under_whichever_name(floor, rows):
    shoe = f"B01/{DAY}/1"
    for number, patron in enumerate(("grey-jacket", "P-2"), start=1):
        told = {"stay": f"B01/{DAY}/stay-{number}", "patron": patron, "coup": f"{shoe}/1"}
        told |= {"seat": number, "shoe": shoe, "exact": "500", "charged": 5_00}
        names = commission_account.CommissionAccrued.__struct_fields__[len(COMMON) :]
        told = {name: told.get(name) for name in names}
        floor.tell(commission_account.CommissionAccrued, told, "B01")
    assert rows("commission", "patron") == [("grey-jacket",), ("P-2",)]

    floor.identify("grey-jacket", "P-1")
    assert rows("commission", "patron", "outstanding") == [("P-1", 5_00), ("P-2", 5_00)]
    for name in ("P-1", "grey-jacket"):
        assert rows("commission", "patron", patron=name) == [("P-1",)]


# Access.
def test_who_came_and_went_and_what_changed_is_told_in_order(floor, rows):
    refused = {"command": "table.open", "table": "B01", "error": "NotPermitted"}
    floor.staff(staff_member.Enrolled, role="dealer", for_two=[])
    first = floor.at
    floor.staff(staff_member.CodeIssued, digest="c0de")
    floor.staff(staff_member.PinChosen, digest="0123", by="D-204")
    at_pit_2 = {"machine": "pit-2", "user": "ann"}
    floor.staff(staff_member.SignedOn, by="D-204", **NOWHERE | at_pit_2, table="B01")
    for why in ("signed-off", "signed-on-again", "replaced", "ended", "locked"):
        floor.staff(staff_member.SignedOff, by="D-204", table="B01", why=why)
    floor.staff(staff_member.SignedOn, by="D-204", **NOWHERE, table="")
    for why in ("wrong-pin", "locked", "retired", "signed-on-elsewhere"):
        floor.staff(staff_member.SignOnRefused, by="", table="B01", why=why, **at_pit_2)
    floor.staff(staff_member.Locked, by="", wrong=3, table="B01")
    floor.staff(staff_member.PinProved, by="D-205", table="B01")
    floor.staff(staff_member.RoleChanged, role="supervisor", before="dealer")
    floor.staff(staff_member.ActRefused, **refused, why="role", second="")
    floor.staff(staff_member.ActRefused, **refused, why="second-same", second="D-204")
    floor.staff(staff_member.Retired, reason="gone", left_at="")
    adopted = {"rules": "dragon-bonus@1", "digest": "", "content": ""}
    floor.tell(rule_set.Adopted, adopted)
    floor.found()
    floor.set("zone", "Europe/Vienna", "UTC")
    floor.tell(property_events.HouseClosed, {"administrator": "A-1"}, by="A-1")
    told = rows("access", *FIELDS["access"].split())

    assert [row[1:] for row in told] == [
        ("D-204", "enrolled as dealer", "A-1"),
        ("D-204", "code issued", "A-1"),
        ("D-204", "PIN chosen", "D-204"),
        ("D-204", "signed on at B01, pit-2 (as ann)", "D-204"),
        ("D-204", "signed off", "D-204"),
        ("D-204", "signed off, signed on again", "D-204"),
        ("D-204", "signed off, another signed on there", "D-204"),
        ("D-204", "signed off, the session was over", "D-204"),
        ("D-204", "signed off, the number was locked", "D-204"),
        ("D-204", "signed on", "D-204"),
        ("D-204", "sign-on refused: wrong PIN, pit-2 (as ann)", ""),
        ("D-204", "sign-on refused: locked, pit-2 (as ann)", ""),
        ("D-204", "sign-on refused: retired, pit-2 (as ann)", ""),
        ("D-204", "sign-on refused: signed on elsewhere, pit-2 (as ann)", ""),
        ("D-204", "locked after 3 wrong PINs", ""),
        ("D-204", "PIN proved as the second person", "D-205"),
        ("D-204", "role changed to supervisor", "A-1"),
        ("D-204", "refused table.open: the role may not do this", "A-1"),
        (
            "D-204",
            "refused table.open: the second person must be somebody else, second person D-204",
            "A-1",
        ),
        ("D-204", "retired", "A-1"),
        ("", "rule set dragon-bonus@1 adopted", "D-204"),
        ("", "setting zone changed from UTC to Europe/Vienna", "A-1"),
        ("", "house closed", "A-1"),
    ]
    in_vienna = datetime.fromisoformat(first) + timedelta(hours=1)
    assert told[0][0] == f"{in_vienna:%Y-%m-%dT%H:%M:%S}+01:00"  # as the zone is now


# Narrowings, and the head.
@pytest.mark.parametrize(
    ("report", "narrowed", "expected"),
    [
        ("table-win", {"table": "B02"}, 1),
        ("table-win", {"day": DAY}, 2),
        ("table-win", {"day": NEXT_DAY}, 0),
        ("inventory", {"table": "B01", "day": DAY}, 2),
        ("inventory", {"table": "B02"}, 1),
        ("inventory", {"day": NEXT_DAY}, 0),
        ("slips", {"table": "B01"}, 3),
        ("slips", {"table": "B02"}, 0),
    ],
)
def test_a_report_is_narrowed_to_what_is_asked(floor, rows, report, narrowed, expected):
    night(floor)

    assert len(rows(report, "table", **narrowed)) == expected


def test_the_head_has_the_settings_as_they_are_now(floor, database):
    floor.found()
    for name, value in (("name", "Kurhaus"), ("currency", "EUR"), ("zone", "Europe/Vienna")):
        floor.set(name, value)
    floor.set("name", "Kurhaus II")
    told = ask(database, REPORTS["access"])

    assert (told.house.name, told.house.currency) == ("Kurhaus II", "EUR")
    assert told.rows[0]["at"].endswith("+01:00")
    with database.connect("sabot_auditor") as connection:
        assert house(connection) == told.house


def test_rows_of_two_projections_are_told_at_one_position(floor, database, monkeypatch):
    """While the report reads the second, somebody writes and follows with the first."""
    floor.buy_in("P-1", 1_00)
    with database.connect("sabot_projector") as other:

        def meddling(connection, *projections):
            reached = catch_up(connection, *projections)
            if floor.versions.total() < 3:
                floor.buy_in("P-1", 1_00)
                catch_up(other, PROJECTIONS["cash"])
            return reached

        monkeypatch.setattr("ops.reports.ask.bring_up", meddling)
        told = ask(database, REPORTS["cash-log"])

        assert (told.position, len(told.rows)) == (3, 3)
        assert {position_of(other, PROJECTIONS[name]) for name in ("cash", "patrons")} == {3}
