"""Commission owed: deferred and at payout, part by part, and the equation of R-COM-4."""

from datetime import date
from fractions import Fraction
from functools import partial

import pytest
from msgspec.structs import replace

from domain.aggregates.property import PROPERTY_STREAM, Property
from domain.events.property import Founded
from domain.rules.house_rules import RULE_SETS, Commission
from domain.rules.money import Rounding
from ops.reports.ask import ask
from projections import REPORTS
from tests.acceptance.channels import rows_of
from tests.worlds.gaming_table import BANKER_WINS, PLAYER_WINS, TIE, GamingTable

REPORT = REPORTS["commission"]
FIRST, SECOND = "B01/2026-11-21/1", "B01/2026-11-21/2"
rows = partial(rows_of, report=REPORT)


def test_a_deferred_commission_is_owed_from_the_first_win(pit, database):
    pit.play(BANKER_WINS, (3, "banker", 100_00), (5, "player", 100_00))
    won_at = pit.moment
    pit.play(BANKER_WINS, (3, "banker", 50_00))
    (row,) = ask(database, REPORT).rows

    assert row == {
        "patron": "P-10417",
        "stay": "B01/2026-11-21/stay-2",
        "table": "B01",
        "day": "2026-11-21",
        "shoe": FIRST,
        "brought_forward": 0,
        "accrued": "750",
        "charged": 7_50,
        "rounding": 0,
        "corrections": 0,
        "collected": 0,
        "waived": 0,
        "walked": 0,
        "outstanding": 7_50,
        "oldest_accrual": won_at.isoformat(),
        "due_at": None,
    }
    assert REPORT.columns == tuple(row)


@pytest.mark.parametrize("cards", [PLAYER_WINS, TIE])
def test_only_a_win_on_banker_owes(pit, database, cards):
    pit.play(cards, (3, "banker", 100_00), (5, "tie", 25_00), (1, "player", 25_00))
    pit.play(BANKER_WINS, (5, "dragon-banker", 25_00))

    assert ask(database, REPORT).rows == []


def test_the_debt_is_as_old_as_its_oldest_part_that_is_still_owed(pit, database):
    asked = "outstanding", "collected", "oldest_accrual"
    accrued = []
    for _ in range(4):
        pit.play(BANKER_WINS, (3, "banker", 100_00))
        accrued.append(pit.moment.isoformat())
    pit.say("commission.collect", seat=3, amount=4_99)
    assert rows(database, *asked) == [(15_01, 4_99, accrued[0])]

    pit.say("commission.collect", seat=3, amount=1)
    assert rows(database, *asked) == [(15_00, 5_00, accrued[1])]

    pit.say("commission.collect", seat=3, amount=5_01)  # the whole of one, and some of the next
    assert rows(database, *asked) == [(9_99, 10_01, accrued[2])]

    pit.say("commission.collect", seat=3, amount=9_98)
    assert rows(database, *asked) == [(1, 19_99, accrued[3])]

    pit.say("commission.collect", patron="P-10417", amount=1)
    assert rows(database, *asked) == [(0, 20_00, None)]

    pit.play(BANKER_WINS, (3, "banker", 100_00))
    assert rows(database, *asked) == [(5_00, 20_00, pit.moment.isoformat())]


def test_it_falls_due_when_the_shoe_ends_or_the_patron_leaves(pit, database):
    pit.play(BANKER_WINS, (1, "banker", 100_00), (3, "banker", 100_00))
    for seat in (1, 3):
        pit.say("commission.collect", seat=seat, amount=5_00)
    assert rows(database, "patron", "due_at") == [("P-10411", None), ("P-10417", None)]

    pit.say("table.leave", seat=1)
    left = pit.moment.isoformat()
    assert rows(database, "patron", "due_at") == [("P-10411", left), ("P-10417", None)]

    pit.end_shoe()
    ended = pit.moment.isoformat()
    pit.say("table.leave", seat=3)
    assert rows(database, "patron", "due_at") == [("P-10411", left), ("P-10417", ended)]


def test_what_is_taken_at_payout_is_due_and_collected_there_and_then(dispatcher, database):
    pit = GamingTable(dispatcher, "B02").open("classic@1").prepare()
    pit.play(BANKER_WINS, (3, "banker", 33_00))
    paid = pit.moment.isoformat()
    pit.play(BANKER_WINS, (3, "banker", 10_00))
    asked = "accrued", "charged", "collected", "outstanding", "oldest_accrual", "due_at"

    assert rows(database, *asked) == [("215", 2_15, 2_15, 0, None, paid)]


def test_a_shoe_has_rows_of_its_own(pit, database):
    pit.play(BANKER_WINS, (3, "banker", 100_00))
    pit.say("commission.collect", seat=3, amount=5_00)
    pit.end_shoe()
    pit.prepare().play(BANKER_WINS, (3, "banker", 200_00))
    pit.say("commission.collect", seat=3, amount=4_00)
    asked = "shoe", "charged", "collected", "outstanding"

    assert rows(database, *asked) == [(FIRST, 5_00, 5_00, 0), (SECOND, 10_00, 4_00, 6_00)]


@pytest.mark.parametrize(
    ("rounding", "charged", "difference"),
    [
        (Rounding(), 52 + 52, "0.5"),
        (Rounding(mode="nearest", unit=25), 50 + 50, "-3.5"),
        (Rounding(mode="up", unit=100), 1_00 + 1_00, "96.5"),
        (Rounding(mode="nearest", unit=10, minimum=1_25), 1_25 + 1_25, "146.5"),
    ],
)
def test_what_is_exact_and_what_is_charged_stand_apart(
    dispatcher, database, monkeypatch, rounding, charged, difference
):
    """Twice 5% of 10.35; no rule set of the seeds has wagers that come to less than a cent."""
    rules = replace(
        RULE_SETS["dragon-bonus@1"],
        commission=Commission(timing="deferred", rounding=rounding),
        increment=1,
        main=replace(RULE_SETS["dragon-bonus@1"].main, minimum=1),
    )
    monkeypatch.setitem(RULE_SETS, rules.name, rules)
    pit = GamingTable(dispatcher).open().prepare()
    pit.play(BANKER_WINS, (3, "banker", 10_35))
    pit.play(BANKER_WINS, (3, "banker", 10_35))

    asked = "accrued", "charged", "rounding", "outstanding"
    plain = int(difference) if "." not in difference else difference

    assert rows(database, *asked) == [("103.5", charged, plain, charged)]


def test_the_equation_holds_in_every_row_after_every_part_of_an_evening(played):
    for row in ask(played, REPORT).rows:
        left = sum(
            Fraction(row[name])
            for name in ("brought_forward", "accrued", "rounding", "corrections")
        )
        right = sum(row[name] for name in ("collected", "waived", "walked", "outstanding"))

        assert left == right
    assert len(rows(played, "charged")) == 5
    assert sum(row[0] for row in rows(played, "charged")) == 7_50 + 25_00 + 1_25 + 5_00 + 1_65


@pytest.mark.parametrize(
    ("narrowed", "expected"),
    [
        ({}, ["P-10417", "grey-jacket", "P-10411", "P-10417", "P-10411"]),
        ({"table": "B01"}, ["P-10417", "grey-jacket", "P-10411", "P-10417"]),
        ({"table": "B02"}, ["P-10411"]),
        ({"shoe": FIRST}, ["P-10417", "grey-jacket"]),
        ({"shoe": SECOND, "patron": "P-10417"}, ["P-10417"]),
        ({"patron": "P-10411"}, ["P-10411", "P-10411"]),
        ({"day": "2026-11-21", "patron": "grey-jacket"}, ["grey-jacket"]),
        ({"day": "2026-11-22"}, []),
        ({"table": "B03"}, []),
    ],
)
def test_a_report_is_narrowed_to_what_is_asked(played, narrowed, expected):
    assert expected == [patron for (patron,) in rows(played, "patron", **narrowed)]


def test_the_head_says_whose_report_it_is_and_where_it_is_true(pit, database):
    told = ask(database, REPORT, day="2026-11-21").as_dict()
    head = {name: told[name] for name in told if name != "rows"}

    assert head == {
        "report": "commission",
        "property": "Sabot",
        "gaming_day": "2026-11-21",
        "as_of": None,
        "position": pit.say("shoe.pass", seat=3).body["position"] - 1,
        "currency": "USD",
    }
    assert ask(database, REPORT).as_dict()["gaming_day"] is None


def test_an_empty_ledger_has_an_empty_report(database):
    told = ask(database, REPORT)

    assert (told.position, told.rows, told.house.name) == (0, [], "Sabot")


def test_moments_carry_the_propertys_own_offset(dispatcher, database, monkeypatch):
    def established(at):
        words = {"name": "Kurhaus", "currency": "USD", "zone": "Europe/Vienna"}
        rest = {"day_start": "06:00", "reporting_amount": 10_000_00, "helpline": ""}
        return Property.begin(Founded(**words, **rest), PROPERTY_STREAM, at)

    monkeypatch.setattr(Property, "establish", established)
    pit = GamingTable(dispatcher).open().prepare()
    pit.play(BANKER_WINS, (3, "banker", 100_00))
    told = ask(database, REPORT)

    assert (told.house.name, told.house.currency) == ("Kurhaus", "USD")
    assert told.rows[0]["oldest_accrual"] == "2026-11-21T21:00:14+01:00"
    assert told.rows[0]["day"] == date(2026, 11, 21).isoformat()
