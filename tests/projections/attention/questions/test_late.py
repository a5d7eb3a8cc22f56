"""Wagers that were entered or changed after the first card: `protection` by what is on record."""

import pytest

from domain.review.protection import late_wins
from domain.rules.protection_levels import LATE_BETS, LATE_WINS
from ops.reports.ask import ask
from ops.reports.rebuild import check
from ops.simulation.run import Plan, dispatch_all
from projections import PROJECTIONS, REPORTS
from projections.attention.questions import answers
from tests.worlds.gaming_table import GamingTable
from tests.worlds.late_bets import TWO, coup_with, entered_late

TIMES = 5


@pytest.fixture(autouse=True)
def _soon(monkeypatch):
    """A row comes after a few coups."""
    monkeypatch.setattr(answers, "SELDOM", 2)


@pytest.fixture
def pit(dispatcher):
    return GamingTable(dispatcher).open("pairs@1").prepare(cut_card=14)


def row_of(database, patron, question=LATE_BETS):
    rows = ask(database, REPORTS["protection"]).rows
    rows = [each for each in rows if (each["question"], each["patron"]) == (question, patron)]
    with database.session("sabot_projector") as connection:
        assert check(connection, PROJECTIONS["protection"]).equal
    return rows[0]["detail"] if rows else None


def put_right(pit, coup, command, spot="player", **fields):
    def change(_):
        address = f"B01/2026-11-21/1/{coup}"
        pit.say(command, coup=address, spot=spot, reason="typed wrong", **fields, **TWO)

    return change


def test_bets_that_are_entered_late_and_win_are_a_row_with_who_accepted_them(pit, database):
    for _ in range(TIMES):
        coup_with(pit, entered_late(pit, 3, "player", 100_00))

    detail = row_of(database, "P-10417")
    assert (detail["right"], detail["wagers"]) == (TIMES, TIMES)
    assert (detail["by"], detail["times"]) == ("D-204, S-11", TIMES)


def test_raises_count_by_what_they_add(pit, database):
    for _ in range(TIMES):
        change = entered_late(pit, 3, "player", 600_00)
        coup_with(pit, change, before=[(3, "player", 100_00)])

    assert row_of(database, "P-10417")["right"] == TIMES


def test_bets_that_are_entered_late_and_lose_are_none(pit, database):
    for _ in range(TIMES):
        coup_with(pit, entered_late(pit, 3, "banker", 100_00))

    assert row_of(database, "P-10417") is None


def test_what_is_entered_once_the_coup_is_decided_is_none(pit, database):
    """An honest patron, too, asks for a bet that was forgotten when it won."""
    for _ in range(TIMES):
        coup_with(pit, entered_late(pit, 3, "player", 100_00), after=True)

    assert row_of(database, "P-10417") is None


def test_a_stake_that_was_put_right_to_more_while_cards_were_out_counts(pit, database):
    for coup in range(1, TIMES + 1):
        change = put_right(pit, coup, "correct", seat=3, stake=500_00)
        coup_with(pit, change, before=[(3, "player", 100_00)])

    assert row_of(database, "P-10417")["right"] == TIMES


def test_a_stake_that_was_put_right_to_less_is_right_when_it_loses(pit, database):
    for coup in range(1, TIMES + 1):
        change = put_right(pit, coup, "correct", "banker", seat=3, stake=100_00)
        coup_with(pit, change, before=[(3, "banker", 500_00)])

    assert row_of(database, "P-10417")["right"] == TIMES


def test_a_wager_that_was_moved_while_cards_were_out_is_entered_late_for_who_has_it_now(
    pit, database
):
    for coup in range(1, TIMES + 1):
        change = put_right(pit, coup, "coup.move-wager", seat=5, to_seat=3)
        coup_with(pit, change, before=[(5, "player", 500_00)])

    assert row_of(database, "P-10417")["right"] == TIMES
    assert row_of(database, "grey-jacket") is None


@pytest.fixture
def many(monkeypatch):
    """Coups of which each shows more, so that five are enough."""
    monkeypatch.setattr(late_wins, "EVEN_IF", 0.5)


@pytest.mark.usefixtures("many")
@pytest.mark.parametrize("settled", [False, True])
def test_wagers_that_won_and_were_entered_then_are_a_row_of_whose_they_are(pit, database, settled):
    for _ in range(TIMES):
        change = entered_late(pit, 3, "player", 100_00)
        coup_with(pit, change, before=[(5, "player", 50_00)], after=True, settled=settled)

    detail = row_of(database, "P-10417", LATE_WINS)
    assert (detail["right"], detail["coups"]) == (TIMES, TIMES)
    assert (detail["by"], detail["times"]) == ("D-204, S-11", TIMES)
    assert row_of(database, "grey-jacket", LATE_WINS) is None


@pytest.mark.usefixtures("many")
@pytest.mark.parametrize("settled", [False, True])
@pytest.mark.parametrize(
    ("command", "fields", "seat"),
    [
        ("correct", {"seat": 3, "stake": 500_00}, 3),
        ("coup.move-wager", {"seat": 7, "to_seat": 3}, 7),
    ],
)
def test_one_that_was_raised_or_moved_to_them_counts_too(
    pit, database, settled, command, fields, seat
):
    pit.say("table.seat", seat=7, patron="P-10500")
    for coup in range(1, TIMES + 1):
        change, before = put_right(pit, coup, command, **fields), (seat, "player", 50_00)
        others = (5, "player", 50_00)
        coup_with(pit, change, before=[before, others], after=True, settled=settled)

    assert row_of(database, "P-10417", LATE_WINS)["right"] == TIMES


@pytest.mark.usefixtures("many")
@pytest.mark.parametrize(
    ("spot", "others"),
    [("player", "banker"), ("banker", "player")],
    ids=["nobody else won", "it lost"],
)
def test_where_nobody_else_won_or_it_lost_nothing_is_learned(pit, database, spot, others):
    for _ in range(TIMES):
        change = entered_late(pit, 3, spot, 100_00)
        coup_with(pit, change, before=[(5, others, 50_00)], after=True)

    assert row_of(database, "P-10417", LATE_WINS) is None


def test_where_they_are_now_one_patrons_and_now_anothers_nobody_has_a_row(pit, database):
    for coup in range(TIMES + 1):
        late, before = ((3, 5), (5, 3))[coup % 2]
        change = entered_late(pit, late, "player", 100_00)
        coup_with(pit, change, before=[(before, "player", 50_00)], after=True)

    assert row_of(database, "P-10417", LATE_WINS) is None
    assert row_of(database, "grey-jacket", LATE_WINS) is None


def test_a_past_poster_has_a_row(dispatcher, database):
    plan = Plan(tables=1, coups=80, seed=3, cheat="past-poster")
    dispatch_all(dispatcher.dispatch, plan.lines([1]), lambda _: None)
    cheat = plan.evening(1, plan.day).patrons[0].patron

    assert row_of(database, cheat, LATE_WINS)["right"] > 5
