"""N.J.A.C. 13:69D-1.30: commission written off and paid later, from the line to the answer."""

from datetime import timedelta

import pytest

from ops.words.events import sentences
from tests.worlds.gaming_table import BANKER_WINS, DAY, GamingTable

FIRST = f"B01/{DAY}/1/1"
STAY = f"B01/{DAY}/stay-2"  # P-10417's, at seat 3
NEXT_DAY = "2026-11-22"
TWO = {"with": "S-11"}
GONE = {"seat": 3, "reason": "left by the back door", **TWO}


@pytest.fixture
def pit(dispatcher):
    """P-10417 owes 5.00."""
    pit = GamingTable(dispatcher).open().prepare()
    pit.play(BANKER_WINS, (3, "banker", 100_00))
    return pit


def types(answer):
    return [event["type"] for event in answer.body["events"]]


def event(answer, kind):
    (found,) = (each for each in answer.body["events"] if each["type"] == kind)
    return found


def pay(pit, amount, **fields):
    return pit.say("commission.collect", patron="P-10417", amount=amount, **fields)


def said(answer):
    return [str(each) for each in sentences(answer.body["events"], "USD")]


def next_day(pit, table="B01"):
    """The table is closed, and open on the next gaming day; P-10417 is not there."""
    pit.say("table.leave", seat=3)
    pit.end_shoe()
    pit.say("table.close", closer={"10000": 199}, **TWO)
    after = GamingTable(pit.dispatcher, table)
    after.moment = pit.moment + timedelta(days=1)
    after.say("table.open", rules="dragon-bonus@1", day=NEXT_DAY, opener={"10000": 200}, **TWO)
    return after


def test_whoever_leaves_owing_has_a_form_in_the_same_command(pit):
    answer = pit.say("commission.walked", **GONE)
    form = event(answer, "UncollectedFormIssued")

    assert ["CommissionWalked", "FormBookOpened", "UncollectedFormIssued"] == types(answer)
    assert "UV-2026-000001" == answer.body["form"] == form["form"]
    assert {
        "type": "UncollectedFormIssued", "form": "UV-2026-000001", "table_day": f"B01/{DAY}",
        "patron": "P-10417", "stay": STAY, "amount": 5_00, "by_shoe": {f"B01/{DAY}/1": 5_00},
        "currency": "USD", "reason": "left by the back door", "prepared_by": "D-204",
        "approved_by": "S-11",
    } == form  # fmt: skip
    assert (
        "Form UV-2026-000001 of 5.00 is issued. Print it with `commission form UV-2026-000001`."
        == said(answer)[-1]
    )


def test_each_payment_has_a_form_that_names_what_it_recovers(pit):
    pit.say("commission.walked", **GONE)
    first, second = pay(pit, 2_00), pay(pit, 3_00)

    assert ("VR-2026-000001", "VR-2026-000002") == (first.body["form"], second.body["form"])
    for answer, amount, left in ((first, 2_00, 3_00), (second, 3_00, 0)):
        form = event(answer, "RecoveryFormIssued")
        assert {"UV-2026-000001": amount} == form["by_form"]
        assert {"UV-2026-000001": left} == form["still_open"]
        assert amount == event(answer, "FormRecovered")["amount"]
    assert said(first)[-1] == (
        "Form VR-2026-000001 of 2.00 is issued. Print it with `commission form VR-2026-000001`. "
        "3.00 of UV-2026-000001 is still open."
    )
    assert said(second)[-1].endswith("UV-2026-000001 is settled.")


def test_the_same_line_twice_issues_one_form(pit):
    gone = {**GONE, "id": "k-gone", "at": pit.moment.isoformat()}
    back = {"id": "k-back", "at": (pit.moment + timedelta(seconds=1)).isoformat()}

    assert pit.say("commission.walked", **gone).body == pit.say("commission.walked", **gone).body
    assert pay(pit, 2_00, **back).body == pay(pit, 2_00, **back).body
    assert "VR-2026-000002" == pay(pit, 1_00).body["form"]


def test_commission_that_was_not_written_off_has_no_form(pit):
    assert "form" not in pay(pit, 2_00).body
    assert "form" not in pit.say("commission.waive", **GONE).body


def test_what_is_owed_is_paid_before_what_was_written_off(pit):
    pit.say("commission.walked", **{**GONE, "amount": 3_00})
    first, second = pay(pit, 1_00), pay(pit, 2_00)

    assert "form" not in first.body
    assert 1_00 == event(second, "RecoveryFormIssued")["amount"]


def test_no_more_is_recovered_than_was_written_off(pit):
    pit.say("commission.walked", **GONE)
    refused = pit.ask("commission.collect", patron="P-10417", amount=5_01)

    assert "OverCollected" == refused.body["error"]
    assert "P-10417 owes 5.00, less than 5.01. Collect 5.00 or less." == refused.body["message"]


def test_a_patron_who_sits_down_again_pays_for_the_stay_before(pit):
    pit.say("commission.walked", **GONE)
    pit.say("table.leave", seat=3)
    pit.say("table.seat", seat=7, patron="P-10417")
    answer = pit.say("commission.collect", seat=7, amount=5_00)

    assert STAY == event(answer, "RecoveryFormIssued")["stay"]
    assert "CommissionRecovered" not in types(answer)


def test_a_patron_comes_back_on_another_day_to_another_table(pit):
    pit.say("commission.walked", **GONE)
    later = next_day(pit, "B02")
    answer = pay(later, 2_00)
    form = event(answer, "RecoveryFormIssued")

    assert ("B02/2026-11-22", STAY, "D-204") == tuple(
        form[name] for name in ("table_day", "stay", "prepared_by")
    )
    assert "elsewhere" == event(answer, "CommissionCollected")["how"]
    assert 2_00 == event(answer, "CommissionRecovered")["amount"]
    closed = later.say("table.close", closer={"10000": 200, "100": 2}, **TWO)
    assert 0 == event(closed, "TableClosed")["variance"]


def test_a_patron_pays_at_another_table_while_this_one_is_open(pit):
    pit.say("commission.walked", **GONE)
    other = GamingTable(pit.dispatcher, "B02").open()
    other.moment = pit.moment
    pay(other, 5_00)
    pit.say("table.leave", seat=3)
    pit.end_shoe()

    here = pit.say("table.close", closer={"10000": 199}, **TWO)
    there = other.say("table.close", closer={"10000": 200, "500": 1}, **TWO)
    assert [0, 0] == [event(each, "TableClosed")["variance"] for each in (here, there)]


def test_whoever_was_an_alias_pays_under_their_own_name(pit):
    pit.play(BANKER_WINS, (5, "banker", 100_00))
    pit.say("commission.walked", **{**GONE, "seat": 5})
    pit.say("patron.identify", patron="grey-jacket", **{"is": "P-10611"})
    answer = pit.say("commission.collect", patron="P-10611", amount=5_00)

    assert "grey-jacket" == event(answer, "RecoveryFormIssued")["patron"]


def test_a_corrected_coup_adjusts_the_form_and_is_no_recovery(pit):
    pit.say("commission.walked", **GONE)
    answer = pit.say("void", coup=FIRST, reason="a card fell", **TWO)

    assert "form" not in answer.body
    assert ("UV-2026-000001", FIRST, 5_00) == tuple(
        event(answer, "FormAdjusted")[name] for name in ("form", "coup", "amount")
    )
    assert f"Form UV-2026-000001 is 5.00 less, because {FIRST} was corrected." in said(answer)
    assert (
        "OverCollected" == pit.ask("commission.collect", patron="P-10417", amount=1).body["error"]
    )


def test_a_coup_of_a_closed_day_is_corrected_on_the_form_too(pit):
    pit.say("commission.walked", **GONE)
    later = next_day(pit)
    half = {"seat": 3, "spot": "banker", "to": 150_00, "reason": "misread"}
    answer = later.say("correct", coup=FIRST, **half, **TWO)

    assert 2_50 == event(answer, "FormAdjusted")["amount"]


def test_a_form_is_printed_in_its_two_parts_and_copies_are_numbered(pit):
    pit.say("commission.walked", **GONE)
    printed = pit.say("commission.form", form="UV-2026-000001")
    again = pit.say("commission.form", form="UV-2026-000001", part="duplicate")

    assert [("original", 1), ("duplicate", 1)] == [
        (each["part"], each["copy"]) for each in printed.body["events"]
    ]
    assert ["Copy 1 of the duplicate of UV-2026-000001 is printed."] == said(again)


@pytest.mark.parametrize(
    ("form", "error"),
    [("UV-2026-000002", "NotFound"), ("UV-2025-000001", "NotFound"), ("17", "BadValue")],
)
def test_only_a_form_that_was_issued_is_printed(pit, form, error):
    pit.say("commission.walked", **GONE)

    assert error == pit.ask("commission.form", form=form).body["error"]
