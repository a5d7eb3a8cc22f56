"""Inquiries of surveillance: from a suspicion to its outcome, with the numbers of the time."""

import json

import pytest

from ops.reports.ask import ask
from ops.simulation.run import Plan, dispatch_all
from projections import REPORTS
from tests.acceptance.channels import shell
from tests.worlds.closed_house import ClosedHouse
from tests.worlds.gaming_table import DAY, GamingTable

FIRST = "I-2026-0001"
TWO = {"by": "SV-1", "with": "A-1"}


@pytest.fixture
def pit(dispatcher):
    return GamingTable(dispatcher).open().prepare()


def opened(pit, **fields):
    asked = {"about": "dealer", "subject": "D-204", "text": "looks away", "by": "SV-1", **fields}
    return pit.ask("inquiry.open", **asked)


def closed(pit, **people):
    return pit.ask("inquiry.close", inquiry=FIRST, outcome="unproven", reason="seen", **people)


def cheated(dispatcher, cheat="new-decks", coups=8):
    """The first row of the report, of an evening on which somebody cheats."""
    plan = Plan(tables=1, coups=coups, seed=3, cheat=cheat)
    dispatch_all(dispatcher.dispatch, plan.lines([1]), lambda _: None)
    return ask(dispatcher.casino.ledger.database, REPORTS["protection"]).rows[0]


def reported(dispatcher):
    return ask(dispatcher.casino.ledger.database, REPORTS["inquiries"]).rows


def test_inquiries_are_numbered_without_a_gap_and_the_answer_names_each(pit):
    assert [opened(pit).body["inquiry"] for _ in range(2)] == [FIRST, "I-2026-0002"]


@pytest.mark.parametrize("cheat", ["new-decks", "knows-all"])
def test_an_inquiry_has_the_numbers_of_the_row_that_it_is_opened_from(dispatcher, cheat):
    row = cheated(dispatcher, cheat, coups=30)
    about = "patron" if row["patron"] else "shoe"
    day = {"day": DAY} if row["patron"] else {}
    answer = opened(
        GamingTable(dispatcher), about=about, subject=row[about], question=row["question"], **day
    )
    stored = answer.body["events"][-1]["row"]
    same = ("question", "table", "shoe", "coup", "patron", "partner", "dealer", "power", "one_in")

    assert {**row["detail"], **{name: row[name] for name in same}}.items() <= stored.items()
    assert stored["position"] < stored["counted_to"] < answer.body["position"]
    assert [each["power"] for each in reported(dispatcher)] == [row["power"]]


def test_a_row_that_is_not_there_is_refused(dispatcher):
    row = cheated(dispatcher)
    house = GamingTable(dispatcher)
    refused = [
        opened(house, about="shoe", subject=row["shoe"], question="earlier shoe"),
        opened(house, about="patron", subject="P-1", question="patron right", day=DAY),
        opened(house, about="patron", subject="P-1", question="patron right"),
        opened(house, about="coup", subject=row["coup"], question="new deck"),
        opened(house, about="shoe", subject=row["shoe"], question="new deck", day=DAY),
        opened(house, about="shoe", subject=f"S01/{DAY}/9"),
        opened(house, about="coup", subject=f"{row['shoe']}/99"),
        opened(house, day=DAY),
    ]

    assert [each.error for each in refused] == [
        *("NotFound", "NotFound", "MissingField", "BadValue", "BadValue", "NotFound", "NotFound"),
        "BadValue",
    ]
    assert reported(dispatcher) == []


def test_a_row_that_an_open_inquiry_has_begins_no_second_one(dispatcher):
    row = cheated(dispatcher)
    house, asked = GamingTable(dispatcher), {"about": "shoe", "subject": row["shoe"]}
    assert opened(house, **asked, question="new deck").ok
    assert [each["inquiry"] for each in reported(dispatcher)] == [FIRST]
    again = opened(house, **asked, question="new deck")

    assert again.error == "BadValue"
    assert again.reason.startswith(f"{FIRST} is open about this row.")
    assert opened(house, **asked).ok  # by hand, about anything else
    assert closed(house, **TWO).ok
    assert len(reported(dispatcher)) == 2
    assert opened(house, **asked, question="new deck").ok


def test_nobody_who_was_never_here_is_looked_into(pit):
    refused = opened(pit, about="patron", subject="P-9999")

    assert (refused.error, refused.reason) == ("NotFound", "The ledger has no patron P-9999.")


def test_whoever_worked_before_the_house_was_closed_is_looked_into(pit, database):
    house = ClosedHouse(database, {"A-1": "administrator", "SV-1": "surveillance"})

    def opened_about(dealer):
        return house.ask("SV-1", "inquiry.open", about="dealer", subject=dealer, text="looks away")

    assert opened_about("D-204")["ok"]
    assert opened_about("D-404")["error"] == "NotFound"


def test_two_people_close_it_and_one_may_reopen_it(pit, dispatcher):
    opened(pit)
    alone = [closed(pit, by="SV-1"), closed(pit, by="SV-1", **{"with": "SV-1"})]
    assert [each.error for each in alone] == ["SecondPersonNeeded"] * 2

    assert closed(pit, **TWO).ok
    [row] = reported(dispatcher)
    assert (row["conclusion"], row["closed_by"], row["approved_by"]) == ("unproven", "SV-1", "A-1")
    printed = shell(dispatcher.casino.ledger.database, "report", "inquiries")
    assert printed.exit_code == 0, printed.output
    late = [
        pit.ask("inquiry.note", inquiry=FIRST, text="one thing more"),
        pit.ask("inquiry.attach", inquiry=FIRST, about="shoe", subject=f"B01/{DAY}/1", text="all"),
        closed(pit, **TWO),
    ]
    assert {each.error for each in late} == {"BadValue"}

    assert pit.ask("inquiry.reopen", inquiry=FIRST, reason="again").ok
    [row] = reported(dispatcher)
    assert (row["conclusion"], row["closed_by"], row["closed_at"]) == (None, None, None)
    assert pit.ask("inquiry.note", inquiry=FIRST, text="one thing more").ok


def test_only_a_closed_one_is_reopened_and_only_one_that_there_is_is_closed(pit):
    assert closed(pit, **TWO).error == "NotFound"
    opened(pit)
    assert pit.ask("inquiry.reopen", inquiry=FIRST, reason="again").error == "BadValue"


def test_a_patron_is_attached_by_a_row_of_the_report(pit):
    opened(pit)
    attached = pit.ask(
        "inquiry.attach", inquiry=FIRST, about="patron", subject="P-1", text="counts"
    )

    assert attached.error == "MissingField"
    assert "question" in attached.reason


SUITS = {"C": "H", "D": "S", "H": "D", "S": "C"}
GONE = "no longer has this row"


def shown_of(dispatcher):
    return shell(dispatcher.casino.ledger.database, "inquiry", "show", FIRST).output


def test_an_inquiry_keeps_the_numbers_of_a_row_that_went_and_says_that_it_is_gone(dispatcher):
    row = cheated(dispatcher, coups=4)
    about = {"about": "shoe", "subject": row["shoe"]}
    answer = opened(GamingTable(dispatcher), **about, question=row["question"])
    stored = answer.body["events"][-1]["row"]
    before = shown_of(dispatcher)
    correct_suits(dispatcher)
    now = {each["question"] for each in noted(dispatcher)}
    after = shown_of(dispatcher)

    assert row["question"] not in now
    assert (GONE in before, GONE in after) == (False, True)
    assert f"10^{stored['power']} shoes" in after


def correct_suits(dispatcher):
    """Every second card had another suit: two people put it right."""
    with dispatcher.casino.ledger.database.connect("sabot_auditor") as connection:
        dealt = connection.execute(
            "SELECT state FROM ledger.events WHERE topic = 'coup.card-dealt' ORDER BY position"
        ).fetchall()
    for (state,) in dealt[::2]:
        card = json.loads(bytes(state))
        rank, suit = card["card"]
        right = {"coup": card["coup"], "n": card["n"], "card": rank + SUITS[suit]}
        line = {"command": "coup.correct-card", **right, "reason": "seen on film", **TWO}
        done = dispatcher.dispatch(line)
        assert done.ok, done.body


def test_a_level_that_two_people_change_takes_no_row_from_an_inquiry(dispatcher):
    row = cheated(dispatcher)
    about = {"about": "shoe", "subject": row["shoe"], "question": row["question"]}
    opened(GamingTable(dispatcher), **about)
    level = {"question": row["question"], "level": 10**12, **TWO}
    assert GamingTable(dispatcher).ask("property.level", **level).ok

    assert [
        each["one_in"] for each in noted(dispatcher) if each["position"] == row["position"]
    ] == [row["one_in"]]
    assert GONE not in shown_of(dispatcher)


def noted(dispatcher):
    return ask(dispatcher.casino.ledger.database, REPORTS["protection"]).rows
