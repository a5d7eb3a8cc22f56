"""R-PROG-5: what a meter pays above an amount takes two people, and a form."""

import pytest

from ops.handlers.trial import second_of
from tests.acceptance.channels import shell
from tests.worlds.gaming_table import DAY, GamingTable
from tests.worlds.progressive_sheets import BY_NINE, NATURAL_TIE, rows, sheet
from tests.worlds.terms_of_sheets import COUP, TWO, approve, told


@pytest.fixture
def pit(dispatcher):
    approve(dispatcher, sheet(more='two_people_above = "500.00"'))
    return GamingTable(dispatcher).open("riverside@1").prepare()


def test_a_large_payment_waits_for_two_people_and_has_a_form(pit, database):
    pit.bet(3, "fortune", 100_00)
    last = pit.deal(BY_NINE, settle=True)
    alone = pit.ask("settle")
    settled = pit.say("settle", **TWO)
    printed = shell(database, "commission", "form", "JP-2026-000001").stdout

    assert "Settled" not in [each["type"] for each in last.body["events"]]
    assert ("SecondPersonNeeded", "R-PROG-5") == (alone.error, alone.body["rule"])
    assert "Paying more than 500.00 of a meter takes two people" in str(alone)
    assert "JP-2026-000001" == settled.body["form"]
    assert 1_015_00 == rows(database)[0]["paid"]
    assert told(database)["agrees"]
    for words in ("JACKPOT OF A METER", COUP, "Fortune", "USD 1,015.00", "S-11", "ORIGINAL"):
        assert words in printed


def test_a_smaller_payment_takes_one_person(pit, database):
    pit.bet(3, "fortune", 100_00)
    settled = pit.deal(NATURAL_TIE, settle=True)

    assert "Settled" in [each["type"] for each in settled.body["events"]]
    assert "form" not in settled.body
    assert "NotFound" in shell(database, "commission", "form", "JP-2026-000001").stderr


def test_a_terminal_asks_for_the_second_person_only_when_one_is_needed(pit, dispatcher):
    line = {"command": "settle", "table": "B01", "by": "D-204"}
    pit.bet(3, "fortune", 100_00)
    pit.deal(NATURAL_TIE)
    small = second_of(dispatcher, line)
    pit.say("settle")
    pit.bet(3, "fortune", 100_00)
    pit.deal(BY_NINE)

    assert (None, "") == (small, second_of(dispatcher, line))


def test_a_rule_set_with_game_accounts_asks_for_nobody(database, tmp_path):
    file = tmp_path / "screens.toml"
    text = sheet(more='two_people_above = "500.00"').replace('"dragon-bonus@1"', '"electronic@1"')
    file.write_text(text)

    assert "nobody is there to sign" in shell(database, "rules", "check", str(file)).stderr


PUT_RIGHT = {  # what seat 3 and seat 5 have on the felt, their cards, what is put right; a form?
    "entered late": (
        [(5, "player")],
        BY_NINE,
        ("bet", {"spot": "fortune", "amount": 100_00, "at": "20:00:06", "late": True}),
        1_000_00,
    ),
    "as this spot": (
        [(3, "tie")],
        BY_NINE,
        ("correct", {"spot": "tie", "as": "fortune"}),
        1_000_00,
    ),
    "a card": (
        [(3, "fortune")],
        NATURAL_TIE,
        ("coup.correct-card", {"n": 2, "card": "KS"}),
        1_015_00,
    ),
    "less": ([(3, "fortune")], BY_NINE, ("correct", {"spot": "fortune", "to": 100_00}), None),
}


@pytest.mark.parametrize("what", PUT_RIGHT)
def test_what_is_put_right_has_a_form_if_the_meter_pays_more(pit, database, what):
    lies, cards, (command, fields), amount = PUT_RIGHT[what]
    for seat, spot in lies:
        pit.bet(seat, spot, 100_00)
    pit.deal(cards)
    pit.say("settle", **TWO)
    if command == "bet":
        fields = fields | {"seat": 3, "at": f"{DAY}T{fields['at']}+00:00"}
    else:
        fields = fields | {"coup": COUP, "reason": "misread"}
        fields |= {"seat": 3} if command == "correct" else {}
    answer = pit.say(command, **fields, **TWO)
    forms = [each for each in answer.body["events"] if each["type"] == "JackpotFormIssued"]

    assert ([amount] if amount else []) == [each["amount"] for each in forms]
    assert bool(amount) == ("form" in answer.body)
    assert told(database)["agrees"]


def test_a_second_form_of_a_bet_names_the_first(pit, database):
    pit.bet(3, "fortune", 50_00)
    pit.bet(5, "fortune", 150_00)
    pit.deal(BY_NINE)
    first = pit.say("settle", **TWO).body["form"]
    rightly = {"seat": 5, "spot": "fortune", "stake": 450_00}
    second = pit.say("correct", coup=COUP, reason="misread", **rightly, **TWO)
    (form,) = [each for each in second.body["events"] if each["type"] == "JackpotFormIssued"]
    printed = " ".join(shell(database, "commission", "form", form["form"]).stdout.split())

    assert first == form["instead_of"] == "JP-2026-000001"
    assert "Instead of JP-2026-000001" in printed


def test_a_coup_that_waits_for_two_people_opens_no_day_of_the_meter(pit):
    pit.bet(3, "fortune", 100_00)
    last = pit.deal(BY_NINE, settle=True)

    assert not [each for each in last.body["events"] if "Meter" in each["type"]]
    assert "DayBegun" not in [each["type"] for each in last.body["events"]]
