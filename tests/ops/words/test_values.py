"""How the values of a report read for people: amounts, ratios, sums and what is in them."""

import pytest

from ops.words.events import sentence
from ops.words.record_events import key_id
from ops.words.values import amount, as_event, by_spot, nothing_words, percent, sum_by_spot, totals
from projections import REPORTS
from projections.attention.exception_kinds import AT_A_COUP
from tests.acceptance.channels import shell


@pytest.mark.parametrize(
    ("ratio", "said"),
    [
        ("0.2149", "21.5 %"),
        ("0.2145", "21.5 %"),
        ("-0.1600", "-16.0 %"),
        ("-0.0004", "0.0 %"),
        ("1.0000", "100.0 %"),
    ],
)
def test_a_ratio_is_said_in_percent(ratio, said):
    assert percent(ratio) == said


def test_money_by_spot_is_in_major_units_behind_its_sum():
    told = {"banker": 1_612_00, "player": 1_348_00, "tie": 60_00}

    assert by_spot(told, "USD") == "3,020.00\nBanker 1,612.00\nPlayer 1,348.00\nTie 60.00"
    assert sum_by_spot({}, "USD") == "0.00"
    assert by_spot({"banker": 5, "tie": None}, "USD") == "·\nBanker 0.05\nTie ·"
    assert amount("1234567.5", "USD") == "12,345.675"


def of(name, *rows):
    """The total of rows of money, as the report would have it."""
    report = REPORTS[name]
    blank = dict.fromkeys(report.money, 0)
    return totals(report, [blank | row for row in rows], "USD")


def test_rows_that_are_not_complete_are_in_no_total():
    open_still = {"win": None, "drop": None, "closer": None, "theoretical_win": 457_16}
    whole = {"win": 200_00, "drop": 800_00, "theoretical_win": 9_00}
    both = of("table-win", whole, open_still, whole)

    assert ("18.00", "400.00", "25.0 %") == tuple(
        both.texts[name] for name in ("theoretical_win", "win", "hold")
    )
    assert both.words == "* Not in the total: 1 row that is not complete yet."
    assert of("table-win", whole).words is None


def test_of_nothing_known_there_is_no_total():
    unknown = of("table-win", {"win": None}, {"win": None})

    assert set(unknown.texts.values()) == {"·"}
    assert unknown.words == "* Not in the total: 2 rows that are not complete yet."


def test_a_wager_without_commission_is_complete():
    row = {"stake": 5_00, "paid": 10_00, "commission_exact": None, "commission_charged": None}

    assert of("wagers", row).texts["stake"] == "5.00"
    assert of("wagers", row | {"paid": None}).left_out == 1


def test_a_report_that_does_not_add_up_has_none():
    assert totals(REPORTS["cash-log"], [], "USD") is None


def test_an_alert_that_nobody_s_name_stands_for_is_acknowledged_all_the_same():
    row = {"acknowledged_at": "2026-11-21T22:00:00+01:00", "acknowledged_by": None}

    assert nothing_words("acknowledged_by", row) == "not named"
    assert nothing_words("acknowledged_by", row | {"acknowledged_at": None}) == "·"


def test_every_exception_of_a_coup_is_a_event_that_has_words():
    for topic, kind in AT_A_COUP.items():
        assert as_event({"kind": kind})["type"], topic
    card = {"kind": "undue card", "card": "KH", "disposition": "burn"}
    assert sentence(as_event(card), "USD") == "K♥ came when none was due: it is burned."


MAIN = {"main": [50_00, 5_000_00], "tie": [5_00, 1_000_50]}
SAID = [
    ({"type": "LimitsChanged", "limits": MAIN, "differential": None,
      "limits_before": {"main": [50_00, 5_000_00]}, "differential_before": 500_00},
     "From the next coup on: Player and Banker 50–5,000, Tie 5.00–1,000.50. "
     "Until now: Player and Banker 50–5,000, max difference 500."),
    ({"type": "CommissionAccrued", "patron": "P-3", "charged": 30_00, "due": "deferred"},
     "P-3 owes 30.00 more commission."),
    ({"type": "CommissionAccrued", "patron": "P-3", "charged": 30_00, "due": "at-payout"},
     "P-3: commission of 30.00 is taken from the payout."),
    ({"type": "CardMisdrawn", "card": "9H", "disposition": "carry"},
     "9♥ came when none was due: it goes to the next coup."),
    ({"type": "CardMisdrawn", "card": "9H", "disposition": "dummy"},
     "9♥ came when none was due: a dummy coup follows."),
]  # fmt: skip


@pytest.mark.parametrize(("event", "words"), SAID)
def test_a_event_is_told_with_its_figures(event, words):
    assert words == sentence(event, "USD")


@pytest.mark.parametrize(
    "asked",
    [
        ("table", "S99"),
        ("shoe", "S99/2026-11-21/1"),
        ("patron", "P-nobody"),
    ],
)
def test_what_the_record_never_heard_of_is_said(night, asked):
    name, value = asked
    result = shell(night, "report", "wagers", f"--{name}", value)

    assert (0, f"The record has no {name} {value}.\n") == (result.exit_code, result.stderr)


def test_what_is_only_quiet_is_no_mistake(night):
    words = "report", "wagers", "--table", "B01", "--day", "2020-01-01"

    assert shell(night, *words).stderr == ""


def test_days_that_end_before_they_begin_are_refused(night):
    words = "report", "wagers", "--from", "2026-11-21", "--to", "2026-11-20"
    result = shell(night, *words)

    assert result.exit_code != 0
    assert "it is after --to 2026-11-20" in result.stderr


def test_a_key_is_named_by_its_name_and_its_id_whatever_is_in_the_rest():
    assert "casino.example+1a2b3c4d" == key_id("casino.example+1a2b3c4d+AQ+b/c+d")
