"""Vigorish: every form for uncollected commission, and what table revenue changes by."""

from datetime import timedelta
from functools import partial
from itertools import count

import pytest
from hypothesis import given as for_all
from hypothesis import settings
from hypothesis import strategies as st

from domain.events import form_book
from ops.reports.ask import ask
from ops.reports.rebuild import rebuild
from ops.reports.runner import catch_up
from projections import PROJECTIONS, REPORTS
from tests.acceptance.channels import rows_of
from tests.faults import times
from tests.projections.grown import event, happen
from tests.projections.grown import rows as grown
from tests.worlds.gaming_table import BANKER_WINS, DAY, GamingTable, mouth_on

FORMS, ADJUSTMENT = REPORTS["vigorish"], REPORTS["vigorish-adjustment"]
VIGORISH = PROJECTIONS["vigorish"]
COUP, STAY, NEXT_DAY = f"B01/{DAY}/1/1", f"B01/{DAY}/stay-2", "2026-11-22"
UV, VR = "UV-2026-000001", "VR-2026-000001"
TWO = {"with": "S-11"}
rows = partial(rows_of, report=FORMS)
days = partial(rows_of, report=ADJUSTMENT)
WORTH = "form", "amount", "recovered", "adjusted", "open", "recovers"
SUMS = "day", "uncollected", "adjusted", "recovered", "adjustment", "open", "difference", "gapless"


@pytest.fixture
def owing(dispatcher):
    """P-10417 left owing 5.00."""
    pit = GamingTable(dispatcher).open().prepare()
    pit.play(BANKER_WINS, (3, "banker", 100_00))
    pit.say("commission.walked", seat=3, reason="gone", **TWO)
    return pit


def pay(pit, amount):
    return pit.say("commission.collect", patron="P-10417", amount=amount)


def next_day(pit, table="B02"):
    """Another table, open on the next gaming day."""
    later = GamingTable(pit.dispatcher, table)
    later.moment = pit.moment + timedelta(days=1)
    later.say("table.open", rules="dragon-bonus@1", day=NEXT_DAY, opener={"10000": 200}, **TWO)
    return later


def test_a_row_has_everything_of_a_form(owing, database):
    pay(owing, 2_00)
    uncollected, recovery = ask(database, FORMS).rows

    assert {
        "form": UV, "kind": "uncollected", "day": DAY, "table": "B01", "patron": "P-10417",
        "stay": STAY, "amount": 5_00, "recovered": 2_00, "adjusted": 0, "open": 3_00,
        "recovers": None, "prepared_by": "D-204", "approved_by": "S-11",
        "at": "2026-11-21T20:00:15+00:00", "in_drop_box": False,
    } == uncollected  # fmt: skip
    assert {
        **uncollected, "form": VR, "kind": "recovery", "amount": 2_00, "recovered": None,
        "adjusted": None, "open": None, "recovers": UV, "approved_by": "",
        "at": "2026-11-21T20:00:16+00:00",
    } == recovery  # fmt: skip


def test_a_form_is_recovered_part_by_part_and_adjusted_by_a_corrected_coup(owing, database):
    pay(owing, 2_00)
    half = {"coup": COUP, "seat": 3, "spot": "banker", "to": 180_00, "reason": "misread"}
    owing.say("correct", **half, **TWO)  # 1.00 less

    assert rows(database, *WORTH) == [
        (UV, 5_00, 2_00, 1_00, 2_00, None),
        (VR, 2_00, None, None, None, UV),
    ]
    assert days(database, *SUMS) == [(DAY, 5_00, 1_00, 2_00, -2_00, 2_00, 0, True)]


def test_what_is_paid_on_another_day_adjusts_that_day(owing, database):
    pay(owing, 1_00)
    pay(next_day(owing), 4_00)

    assert days(database, *SUMS) == [
        (DAY, 5_00, 0, 1_00, -4_00, 0, 0, True),
        (NEXT_DAY, 0, 0, 4_00, 4_00, 0, 0, True),
    ]
    assert days(database, *SUMS, day=NEXT_DAY) == [(NEXT_DAY, 0, 0, 4_00, 4_00, 0, 0, True)]
    assert [VR] == [form for form, *_ in rows(database, *WORTH, day=DAY)][1:]


def test_the_originals_go_with_the_drop_of_their_own_table_day(owing, database):
    pay(owing, 1_00)
    later = next_day(owing)
    pay(later, 1_00)
    owing.moment = later.moment
    owing.say("table.drop", amount=0)
    boxed = partial(rows, database, "form", "in_drop_box")

    assert boxed() == [(UV, True), (VR, True), ("VR-2026-000002", False)]
    later.say("table.drop", amount=0)
    assert boxed()[-1] == ("VR-2026-000002", True)


def test_a_form_that_is_issued_after_the_count_is_not_in_that_box(owing, database):
    owing.say("table.drop", amount=0)
    pay(owing, 1_00)

    assert rows(database, "form", "in_drop_box") == [(UV, True), (VR, False)]


def test_a_patron_has_their_forms_under_every_name(owing, database):
    owing.play(BANKER_WINS, (5, "banker", 200_00))
    owing.say("commission.walked", seat=5, reason="gone too", **TWO)
    owing.say("patron.identify", patron="grey-jacket", **{"is": "P-10611"})

    for name in ("P-10611", "grey-jacket"):
        assert rows(database, "form", "patron", "open", patron=name) == [
            ("UV-2026-000002", "P-10611", 10_00)
        ]


def test_a_missing_number_is_no_gapless_series(owing, database):
    change = VIGORISH.changes[form_book.UncollectedFormIssued.TOPIC]
    ask(database, FORMS)
    fields = {
        "form": "UV-2026-000003", "table_day": f"B01/{DAY}", "patron": "P-1", "stay": STAY,
        "amount": 1_00, "prepared_by": "D-204", "approved_by": "S-11",
    }  # fmt: skip
    happen(database, change, event("form-book.uncollected-form-issued", **fields))

    assert days(database, *SUMS) == [(DAY, 6_00, 0, 0, -6_00, 6_00, -1_00, False)]


def test_commission_that_is_on_no_form_is_a_difference(owing, database):
    """A ledger from before forms were kept has it."""
    ask(database, ADJUSTMENT)
    with database.connect("sabot_projector") as connection:
        connection.execute("DELETE FROM projections.vigorish_forms")

    assert days(database, *SUMS) == [(DAY, 0, 0, 0, 0, 0, 5_00, True)]


def test_what_is_rebuilt_is_what_grew(owing, database):
    pay(owing, 2_00)
    owing.say("table.drop", amount=0)
    owing.say("void", coup=COUP, reason="a card fell", **TWO)
    with database.connect("sabot_projector") as connection:
        catch_up(connection, VIGORISH)
        before = grown(connection, VIGORISH)
        rebuild(connection, VIGORISH)

        assert before == grown(connection, VIGORISH)
        assert 2 == len(before["vigorish_forms"])


@pytest.fixture(scope="module")
def house(server):
    """One ledger for all made-up evenings, so that its numbers run on from one to the next."""
    with server.database() as database, mouth_on(database) as dispatcher:
        yield database, dispatcher


MOST_COUPS = 7  # of the same cards: eight decks have no more of each
ACTS = st.lists(
    st.tuples(
        st.sampled_from(["win", "walk", "walk", "pay", "pay", "void", "elsewhere"]),
        st.sampled_from([1, 3]),
        st.integers(1, 6_00),
    ),
    min_size=4,
    max_size=14,
)
NUMBERS = count(1)


@settings(max_examples=times(4, 12))
@for_all(ACTS)
def test_open_forms_are_what_the_accounts_have_written_off_and_no_number_is_missing(house, acts):
    database, dispatcher = house
    number = next(NUMBERS)
    pit, other = (GamingTable(dispatcher, f"{code}{number}") for code in "TU")
    for table in (pit, other):
        table.say("table.open", rules="dragon-bonus@1", day=DAY, opener={"10000": 9}, **TWO)
    patrons = {seat: f"P-{number}-{seat}" for seat in (1, 3)}
    for seat, patron in patrons.items():
        pit.say("table.seat", seat=seat, patron=patron)
    pit.prepare()
    coups = 0
    for act, seat, amount in [("win", 1, 0), *acts]:
        who = {"patron": patrons[seat], "amount": amount}
        if act == "win" and coups == MOST_COUPS:
            continue
        if act == "win":
            pit.play(BANKER_WINS, (seat, "banker", 100_00))
            coups += 1
        elif act == "walk":
            pit.ask("commission.walked", **who, reason="gone", **TWO)
        elif act == "void":
            coup = f"{pit.table}/{DAY}/1/{amount % coups + 1}"
            pit.ask("void", coup=coup, reason="a card fell", **TWO)
        else:
            table = pit if act == "pay" else other
            table.moment = pit.moment = max(pit.moment, other.moment)
            table.ask("commission.collect", **who)

        assert days(database, "difference", "gapless", table=pit.table) in ([], [(0, True)])
    forms = [form for (form,) in rows(database, "form")]
    for series in ("UV", "VR"):
        ours = [form for form in forms if form.startswith(series)]
        assert [f"{series}-2026-{each:06}" for each in range(1, len(ours) + 1)] == ours
    assert all(left >= 0 for (left,) in rows(database, "open") if left is not None)
